"""Measure one entry of the results, in a process of its own: a method over a benchmark at a scale.

Prints one JSON object: the rows, and the checksum of each learned file (weights, dictionaries) that was opened.
Run by `tools/results.py`.
"""

import hashlib
import json
import sys
from dataclasses import asdict
from pathlib import Path

import atgvnet
from atgvnet.benchmarks import evaluate

PACKAGE = Path(atgvnet.__file__).parent
LEARNED = (".safetensors", ".npz")


def checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> None:
    benchmark, scale, method, data = sys.argv[1:]
    opened: set[Path] = set()

    def watch(event: str, given: tuple[object, ...]) -> None:
        if event == "open" and isinstance(given[0], str | Path) and str(given[0]).endswith(LEARNED):
            opened.add(Path(given[0]))

    sys.addaudithook(watch)
    rows = evaluate(benchmark, data=data, scales=[float(scale)], methods=[method])
    learned = {
        path.relative_to(PACKAGE).as_posix(): checksum(path) for path in sorted(opened) if PACKAGE in path.parents
    }
    print(json.dumps({"rows": [asdict(row) for row in rows], "learned": learned}))


if __name__ == "__main__":
    main()
