"""Which file becomes which."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from glob import glob
from pathlib import Path

from atgvnet.errors import FileError, InputError

__all__ = ["Job", "find_sources", "make_folder", "plan", "refuse_existing"]


@dataclass(frozen=True, kw_only=True)
class Job:
    """One file to make from another."""

    source: Path
    target: Path


def plan(inputs: Sequence[str], out: Path, suffixes: Collection[str], *, force: bool, resume: bool) -> list[Job]:
    """Pair inputs (files, folders, patterns) with outputs: one file, or files of the same names in a folder."""
    sources = find_sources(inputs, suffixes)
    single = len(sources) == 1 and out.suffix.lower() in suffixes and not out.is_dir()
    if not single and out.suffix.lower() in suffixes:
        raise InputError(f"-o is {out}, but there are {len(sources)} inputs; give a folder")
    if len(sources) == 1 and not single and out.suffix[1:].isalpha() and not out.is_dir():
        known = ", ".join(sorted(suffixes))
        raise InputError(f"-o is {out}, but no format has the suffix {out.suffix}; give {known} or a folder")
    if not single and out.exists() and not out.is_dir():
        raise InputError(f"-o is {out}, which is a file; give a folder")
    jobs = [Job(source=source, target=out if single else out / source.name) for source in sources]
    _refuse_clashes(jobs)
    if not (force or resume):
        refuse_existing([job.target for job in jobs])
    return [job for job in jobs if not (resume and job.target.exists())]


def refuse_existing(paths: Sequence[Path]) -> None:
    """Raise an error if any of these is there."""
    there = [path for path in paths if path.exists()]
    if there:
        raise InputError(f"{there[0]} exists{_others(len(there) - 1)}; give --force or --resume")


def find_sources(inputs: Sequence[str], suffixes: Collection[str]) -> list[Path]:
    """List the files that these files, folders and patterns mean, in their order."""
    return [source for name in inputs for source in _expand(name, suffixes)]


def make_folder(path: Path) -> None:
    """Make a folder and those it is in, unless they are there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{path}: cannot be made a folder: {error.strerror}; give another -o") from error


def _expand(name: str, suffixes: Collection[str]) -> list[Path]:
    path = Path(name)
    if path.is_file():
        return [path]
    if path.is_dir():
        found = sorted(item for item in path.iterdir() if item.suffix.lower() in suffixes)
        missing = f"{name}: the folder holds no map; give one with {', '.join(sorted(suffixes))}"
    else:
        found = [Path(item) for item in sorted(glob(name, recursive=True)) if Path(item).is_file()]
        missing = f"{name}: there is no such file; give files, folders or patterns"
    if not found:
        raise InputError(missing)
    return found


def _refuse_clashes(jobs: Sequence[Job]) -> None:
    makers: dict[Path, Path] = {}
    for job in jobs:
        if job.target in makers:
            raise InputError(f"{makers[job.target]} and {job.source} would both become {job.target}; rename one")
        if job.target.exists() and job.target.samefile(job.source):
            raise InputError(f"{job.target} is the input itself; give another -o")
        makers[job.target] = job.source


def _others(count: int) -> str:
    return f" and so {'does 1 other' if count == 1 else f'do {count} others'}" if count else ""
