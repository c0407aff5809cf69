"""Numbers of comparison methods that `tools/ratios.py` measured cell by cell, taken over where there are none yet.

They count as made with earlier code, and so are measured again when there is time.
"""

import hashlib
import json
import subprocess
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from atgvnet.benchmarks import BENCHMARKS, Row
from ledger import PACKAGE, Entry, Ledger, Made
from plan import Key, everything, weights_for

__all__ = ["take_over"]

KEPT = Path(__file__).parents[1] / "docs" / "methods.json"
LEARNED = {"zeyde": "dictionary_", "timofte": "dictionary_", "ferstl-2015": "dictionary_", "aodha": "patches_"}
MACHINE = "as told in docs/methods.md"


def take_over(ledger: Ledger, kept: Path = KEPT) -> None:
    """Add an entry for each method that was measured on all scenes of a benchmark at a scale."""
    cells: dict[Key, list[dict[str, Any]]] = {}
    for cell in json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else []:
        cells.setdefault((cell["benchmark"], cell["scale"], cell["method"]), []).append(cell)
    for key in everything():
        group = [cell for cell in cells.get(key, []) if cell["seconds"] is not None]
        if key not in ledger.entries and {cell["scene"] for cell in group} >= _scenes(ledger, key):
            ledger.entries[key] = _entry(key, group)


def _scenes(ledger: Ledger, key: Key) -> set[str]:
    """Name the scenes that others were measured on, or all that there are."""
    others = [entry for entry in ledger.entries.values() if entry.key[:2] == key[:2]]
    return {row.scene for entry in others for row in entry.rows} or set(BENCHMARKS[key[0]].scenes)


def _entry(key: Key, cells: list[dict[str, Any]]) -> Entry:
    benchmark, scale, method = key
    last = max(cells, key=lambda cell: str(cell["date"]))
    names = [field.name for field in fields(Row)]
    return Entry(
        benchmark=benchmark,
        scale=scale,
        method=method,
        rows=[Row(**{name: cell[name] for name in names}) for cell in cells],
        learned=dict(_learned(method, last["commit"])),
        weights=weights_for(key),
        code="",
        made=Made(
            commit=last["commit"], date=last["date"], machine=MACHINE, load=max(cell["load"] or 0.0 for cell in cells)
        ),
    )


def _learned(method: str, commit: str) -> Iterator[tuple[str, str]]:
    """Give the checksums, at a commit, of all learned files that a method may have opened."""
    if method not in LEARNED:
        return
    for path in sorted((PACKAGE / "methods" / "data").glob(f"{LEARNED[method]}*.npz")):
        name = f"{commit.split(maxsplit=1)[0]}:./{path.name}"
        done = subprocess.run(["git", "show", name], cwd=path.parent, capture_output=True, check=False)
        if done.returncode == 0:
            yield path.relative_to(PACKAGE).as_posix(), hashlib.sha256(done.stdout).hexdigest()
