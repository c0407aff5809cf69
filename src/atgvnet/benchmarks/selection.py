"""Which maps of which benchmark: names checked before anything is computed."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from atgvnet.benchmarks.case import Benchmark, Case
from atgvnet.benchmarks.folder import folder_benchmark
from atgvnet.benchmarks.registry import BENCHMARKS
from atgvnet.errors import InputError

__all__ = ["Selection", "find"]

T = TypeVar("T", float, str)


def find(benchmark: str | Path) -> Benchmark:
    """Give the benchmark of that name, or the one that a folder of pairs makes."""
    if str(benchmark) in BENCHMARKS:
        return BENCHMARKS[str(benchmark)]
    if Path(benchmark).is_dir():
        return folder_benchmark(Path(benchmark))
    raise InputError(f"{str(benchmark)!r} is no benchmark and no folder; choose among {', '.join(BENCHMARKS)}")


class Selection:
    """The cases asked for, read one by one.

    A folder of pairs has no scales of its own: they are known when its files are read.
    """

    def __init__(
        self,
        benchmark: Benchmark,
        data: str | Path | None,
        scales: Sequence[float] | None,
        scenes: Sequence[str] | None,
    ) -> None:
        self._benchmark = benchmark
        self._folder = _data_folder(benchmark, data)
        self._scales = scales
        chosen = [scene.lower() for scene in scenes] if scenes else self._at_hand()
        self._columns = [
            (scale, scene)
            for scale in _choose("scale", scales, benchmark.scales, benchmark.name) or [0]
            for scene in _choose("scene", chosen, benchmark.scenes, benchmark.name)
        ]

    def __len__(self) -> int:
        return len(self._columns)

    def __iter__(self) -> Iterator[Case]:
        for scale, scene in self._columns:
            case = self._benchmark.load(self._folder, scale, scene)
            if self._benchmark.scales or not self._scales or case.scale in self._scales:
                yield case

    def _at_hand(self) -> list[str]:
        scenes = self._benchmark.scenes
        return [scene for scene in scenes if self._benchmark.at_hand(self._folder, scene)] or list(scenes)


def _data_folder(benchmark: Benchmark, data: str | Path | None) -> Path:
    if not benchmark.needs_data:
        return Path()
    if data is None:
        raise InputError(f"{benchmark.name} needs its data; give the folder that holds it (docs/benchmarks.md)")
    if not Path(data).is_dir():
        raise InputError(f"{data} is no folder; give the one that holds the benchmarks' data (docs/benchmarks.md)")
    return Path(data)


def _choose(what: str, wanted: Sequence[T] | None, known: Sequence[T], benchmark: str) -> list[T]:
    if not wanted or not known:
        return list(known)
    for choice in wanted:
        if choice not in known:
            raise InputError(f"{benchmark} has no {what} {choice}; choose among {', '.join(map(str, known))}")
    return [choice for choice in known if choice in wanted]
