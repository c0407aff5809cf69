"""What was measured, with what it was measured: the file that `docs/results.md` is made from.

An entry is a method over a benchmark at a scale. It *stands* as long as the learned files that it was made with are
the ones that are shipped and that its method chooses. It is *aged* if code that it depends on has changed since.
"""

import hashlib
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import maps
from atgvnet.benchmarks import Row
from atgvnet.io import atomic
from atgvnet.methods import METHODS
from code_of import method_digest
from plan import Key, weights_for

__all__ = ["PACKAGE", "Drawn", "Entry", "Failure", "Ledger", "Made", "broken_weights"]

PACKAGE = Path(__file__).parents[1] / "src" / "atgvnet"


@dataclass(frozen=True, kw_only=True)
class Made:
    """Where and when numbers were made; `load` is the machine's load average just before."""

    commit: str
    date: str
    machine: str
    load: float

    @classmethod
    def now(cls) -> "Made":
        """Look around."""
        return cls(
            commit=_commit(),
            date=f"{datetime.now(UTC):%Y-%m-%d}",
            machine=_machine(),
            load=round(os.getloadavg()[0], 1),
        )

    @property
    def busy(self) -> float:
        """How much longer everything took than on a machine with nothing else to do."""
        return max(1.0, self.load / (os.cpu_count() or 1))


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A method's rows; `learned` are checksums of the files that it opened, `weights` names what it chose."""

    benchmark: str
    scale: float
    method: str
    rows: list[Row]
    learned: dict[str, str]
    weights: list[str]
    code: str
    made: Made

    @property
    def key(self) -> Key:
        """What it is found by."""
        return self.benchmark, self.scale, self.method

    @property
    def stamp(self) -> str:
        """What its maps are known by."""
        return maps.stamp([asdict(row) for row in self.rows], self.learned)

    @property
    def seconds(self) -> float:
        """About how long measuring takes on an idle machine: every map, and a first run on a corner."""
        return 4 + 1.3 * sum(row.seconds for row in self.rows) / self.made.busy

    def complaints(self, package: Path = PACKAGE) -> Iterator[str]:
        """Say why it does not stand any more."""
        name = f"{self.method} on {self.benchmark} ×{self.scale:g}"
        for file, expected in self.learned.items():
            path = package / file
            if not path.is_file():
                yield f"{name}: {file}, which the numbers were made with, is gone"
            elif _sha256(path) != expected:
                yield f"{name}: {file} is not the one that the numbers were made with (sha256 {expected[:12]}…)"
        if self.method in METHODS and weights_for(self.key) != self.weights:
            chosen = ", ".join(weights_for(self.key)) or "none"
            yield f"{name}: the numbers were made with {', '.join(self.weights)}, the weights chosen now are {chosen}"

    def aged(self) -> bool:
        """Tell whether code that it depends on has changed."""
        return self.method in METHODS and method_digest(self.method, self.benchmark) != self.code


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A figure that was drawn: which maps, by which code."""

    stamps: dict[str, str]
    code: str


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Why there is no entry; `minutes` are those that were too few, `code` what would have run, if it could."""

    why: str
    code: str = ""
    minutes: float | None = None


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """All entries, why others are missing, the figures, and what the benchmarks of speed printed."""

    entries: dict[Key, Entry] = field(default_factory=dict)
    failures: dict[Key, Failure] = field(default_factory=dict)
    figures: dict[str, Drawn] = field(default_factory=dict)
    speed: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "Ledger":
        """Read it, or begin one."""
        if not path.is_file():
            return cls()
        stored = json.loads(path.read_text(encoding="utf-8"))
        entries = [_entry(each) for each in stored["entries"]]
        failures = {
            (one.pop("benchmark"), one.pop("scale"), one.pop("method")): Failure(**one) for one in stored["failures"]
        }
        return cls(
            entries={entry.key: entry for entry in entries},
            failures=failures,
            figures={name: Drawn(**one) for name, one in stored["figures"].items()},
            speed=stored["speed"],
        )

    def write(self, path: Path) -> None:
        """Write it, whole or not at all."""
        stored = {
            "entries": [asdict(self.entries[key]) for key in sorted(self.entries)],
            "failures": [
                {"benchmark": key[0], "scale": key[1], "method": key[2], **asdict(self.failures[key])}
                for key in sorted(self.failures)
            ],
            "figures": {name: asdict(self.figures[name]) for name in sorted(self.figures)},
            "speed": self.speed,
        }
        with atomic(path) as stream:
            stream.write(json.dumps(stored, indent=1, ensure_ascii=False).encode() + b"\n")

    def complaints(self) -> list[str]:
        """Say which entries do not stand any more."""
        return [complaint for entry in self.entries.values() for complaint in entry.complaints()]

    def stands(self, key: Key) -> bool:
        """Tell whether there is an entry that need not be thrown away."""
        return key in self.entries and not any(self.entries[key].complaints())

    def standing(self) -> "Ledger":
        """Give it without the entries that do not stand."""
        entries = {key: entry for key, entry in self.entries.items() if self.stands(key)}
        return Ledger(entries=entries, failures=self.failures, figures=self.figures, speed=self.speed)


def broken_weights(folder: Path = PACKAGE / "weights") -> list[str]:
    """Say which weights are not what their own manifest says."""
    wrong = []
    for path in sorted(folder.glob("*.safetensors")):
        manifest = path.with_suffix(".json")
        said = json.loads(manifest.read_text(encoding="utf-8")).get("checksum") if manifest.is_file() else None
        if said != _sha256(path):
            wrong.append(f"{path.name}: its checksum is not the one in its manifest")
    return wrong


def _entry(stored: dict[str, Any]) -> Entry:
    rows = [Row(**row) for row in stored.pop("rows")]
    return Entry(rows=rows, made=Made(**stored.pop("made")), **stored)


def _sha256(path: Path) -> str:
    about = path.stat()
    return _digest(path, about.st_mtime_ns, about.st_size)


@cache
def _digest(path: Path, _time: int, _size: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _commit() -> str:
    def git(*words: str) -> str:
        root = PACKAGE.parents[1]
        return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False).stdout.strip()

    changed = git("status", "--porcelain", "--", "src")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + (" and changes" if changed else "")


@cache
def _machine() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.processor() or platform.machine()
    return f"{os.cpu_count()} cores of {model}, Python {sys.version.split()[0]}, PyTorch {version('torch')}"
