"""What was measured, with what it was measured: the file that `docs/results.md` is made from.

An entry is a method over a benchmark at a scale. It stands as long as the learned files that it was made with are the
ones that are shipped, and no file was added that its method could have chosen instead.
"""

import hashlib
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from atgvnet.benchmarks import Row
from atgvnet.errors import WeightsError
from atgvnet.io import atomic
from atgvnet.methods import METHODS, get
from atgvnet.weights import manifests
from plan import Key

__all__ = ["PACKAGE", "Entry", "Ledger", "Made", "choices"]

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


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A method's rows; `learned` are checksums of the files that it opened, `choices` names what it chose among."""

    benchmark: str
    scale: float
    method: str
    rows: list[Row]
    learned: dict[str, str]
    choices: list[str]
    made: Made

    @property
    def key(self) -> Key:
        """What it is found by."""
        return self.benchmark, self.scale, self.method

    def complaints(self, package: Path = PACKAGE) -> Iterator[str]:
        """Say why it does not stand any more."""
        name = f"{self.method} on {self.benchmark} ×{self.scale:g}"
        for file, expected in self.learned.items():
            path = package / file
            if not path.is_file():
                yield f"{name}: {file}, which the numbers were made with, is gone"
            elif hashlib.sha256(path.read_bytes()).hexdigest() != expected:
                yield f"{name}: {file} is not the one that the numbers were made with (sha256 {expected[:12]}…)"
        if self.method in METHODS and choices(self.method, self.benchmark) != self.choices:
            yield f"{name}: other weights were added or removed since the numbers were made"


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """All entries, and the figures that the benchmarks of speed printed."""

    entries: dict[Key, Entry] = field(default_factory=dict)
    failures: dict[Key, str] = field(default_factory=dict)
    speed: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "Ledger":
        """Read it, or begin one."""
        if not path.is_file():
            return cls()
        stored = json.loads(path.read_text(encoding="utf-8"))
        entries = [_entry(each) for each in stored["entries"]]
        failures = {(one["benchmark"], one["scale"], one["method"]): one["why"] for one in stored["failures"]}
        return cls(entries={entry.key: entry for entry in entries}, failures=failures, speed=stored["speed"])

    def write(self, path: Path) -> None:
        """Write it, whole or not at all."""
        stored = {
            "entries": [asdict(self.entries[key]) for key in sorted(self.entries)],
            "failures": [
                {"benchmark": benchmark, "scale": scale, "method": method, "why": why}
                for (benchmark, scale, method), why in sorted(self.failures.items())
            ],
            "speed": self.speed,
        }
        with atomic(path) as stream:
            stream.write(json.dumps(stored, indent=1, ensure_ascii=False).encode() + b"\n")

    def complaints(self) -> list[str]:
        """Say which entries do not stand any more."""
        return [complaint for entry in self.entries.values() for complaint in entry.complaints()]

    def stands(self, key: Key) -> bool:
        """Tell whether there is an entry that need not be measured again."""
        return key in self.entries and not any(self.entries[key].complaints())


def choices(method: str, benchmark: str) -> list[str]:
    """Name the shipped weights that a method chooses among: those for a benchmark, and those for any map."""
    model = getattr(get(method), "weights", None)
    with suppress(WeightsError):
        return [one.name for one in manifests(model) if one.benchmark in (benchmark, None)] if model else []
    return []


def _entry(stored: dict[str, Any]) -> Entry:
    rows = [Row(**row) for row in stored.pop("rows")]
    return Entry(rows=rows, made=Made(**stored.pop("made")), **stored)


def _commit() -> str:
    def git(*words: str) -> str:
        root = PACKAGE.parents[1]
        return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False).stdout.strip()

    changed = git("status", "--porcelain", "--", "src")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + (" and changes" if changed else "")


def _machine() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.processor() or platform.machine()
    import torch

    return f"{os.cpu_count()} cores of {model}, Python {sys.version.split()[0]}, PyTorch {torch.__version__}"
