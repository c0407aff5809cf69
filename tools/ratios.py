"""Comparison methods beside the cells that the paper prints for them: ours / the paper's, and how long they took.

    .venv/bin/python tools/ratios.py                                print what was measured
    .venv/bin/python tools/ratios.py --data DIR [--method NAME]...  measure what is missing first, cell by cell
    .venv/bin/python tools/ratios.py --write                        put the tables into docs/methods.md

Measured cells are kept in `docs/methods.json`, as `atgvnet evaluate --json` writes them, together with when, from
which commit, how busy the machine was, and the processor's seconds, reading and compiling included: with nothing else
running, no method takes longer. The geometric mean is over the cells of a table that are comparable
(`atgvnet.benchmarks.published`). Laserscan's protocol is not known: there each error is divided by bicubic's first.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from atgvnet.benchmarks import evaluate
from atgvnet.benchmarks.published import printed
from atgvnet.errors import InputError
from atgvnet.io import atomic

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "docs" / "methods.json"
DOCUMENT = ROOT / "docs" / "methods.md"
BEGIN, END = "<!-- written by tools/ratios.py -->\n", "<!-- end -->\n"
GUIDED = ("diebel-thrun", "kopf", "yang", "chan", "he", "park", "ferstl-2013", "fbs")
UNGUIDED = ("zeyde", "timofte", "aodha", "hornacek", "ferstl-2015")
TABLES = (
    ("noisy-middlebury", "rmse"),
    ("noisy-middlebury", "mae"),
    ("clean-middlebury-decimated", "rmse"),
    ("laserscan", "rmse"),
)
AT_HAND = {"laserscan": ("scan42",)}
FAMILIES = ("cuboids", "clutter", "curved", "planes", "stacks", "thin")
# No table of the paper has it: measured on the authors' result images.
FAST_BILATERAL_SOLVER = {
    (2, "art"): 3.02,
    (2, "books"): 1.41,
    (2, "moebius"): 1.39,
    (4, "art"): 3.91,
    (4, "books"): 1.86,
    (4, "moebius"): 1.82,
}
TIMED = ("noisy-middlebury", 4, "art")
GOAL = 0.85, 1.15

Cell = tuple[str, float, str, str]  # benchmark, scale, scene, method
Kept = dict[Cell, dict[str, Any]]


def main() -> int:
    given = _arguments()
    kept = _read()
    if given.data is not None:
        _measure(kept, given)
    text = compose(kept)
    print(text)
    if given.write:
        before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
        DOCUMENT.write_text(f"{before}{BEGIN}{text}{END}{rest.partition(END)[2]}", encoding="utf-8")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of the benchmarks' data; without it nothing is measured")
    parser.add_argument("--benchmark", action="append", help="measure only this")
    parser.add_argument("--method", action="append", help="measure only this")
    parser.add_argument("--scale", action="append", type=float, help="measure only this")
    parser.add_argument("--scene", action="append", help="measure only this")
    parser.add_argument("--again", action="store_true", help="measure also what is kept")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/methods.md")
    return parser.parse_args()


def reference(benchmark: str, metric: str, method: str) -> dict[tuple[float, str], tuple[float, bool]]:
    """Give a method's cells to compare with, and whether each may be; those of scenes that are at hand."""
    if method == "fbs":
        known = FAST_BILATERAL_SOLVER if (benchmark, metric) == TABLES[0] else {}
        return {column: (value, True) for column, value in known.items()}
    cells = printed(benchmark, metric).get(method, {})
    return {
        column: (float(cell.digits), cell.caveat is None or benchmark == "laserscan")
        for column, cell in cells.items()
        if column[1] in AT_HAND.get(benchmark, (column[1],))
    }


def everything() -> Iterator[Cell]:
    """Give all cells that there are to measure, the timed one of each method first."""
    for method in (*GUIDED, *UNGUIDED):
        yield (*TIMED, method)
    for benchmark, metric in TABLES:
        for method in ("bicubic", *GUIDED, *UNGUIDED):
            for scale, scene in reference(benchmark, metric, method):
                yield benchmark, scale, scene, method
    for method in ("bilinear", *GUIDED):
        for family in FAMILIES:
            yield "synthetic", 5, family, method


def _measure(kept: Kept, given: argparse.Namespace) -> None:
    for benchmark, scale, scene, method in dict.fromkeys(everything()):
        chosen = (benchmark, given.benchmark), (scale, given.scale), (scene, given.scene), (method, given.method)
        wanted = all(not among or one in among for one, among in chosen)
        if not wanted or ((benchmark, scale, scene, method) in kept and not given.again):
            continue
        made = {"commit": _commit(), "date": f"{datetime.now(UTC):%Y-%m-%d}", "load": round(os.getloadavg()[0], 1)}
        start = time.process_time()
        try:
            (row,) = evaluate(benchmark, data=given.data, scales=[scale], scenes=[scene], methods=[method])
        except InputError as error:
            print(f"{method} on {benchmark} ×{scale:g} {scene}: left out, {error}", file=sys.stderr)
            continue
        kept.update(_read())  # another run may have measured meanwhile
        kept[benchmark, scale, scene, method] = {**asdict(row), **made, "cpu": time.process_time() - start}
        print(f"{method} on {benchmark} ×{scale:g} {scene}: {row.rmse:.4g}, {row.seconds:.1f} s", file=sys.stderr)
        with atomic(KEPT) as stream:
            stream.write(json.dumps([kept[cell] for cell in sorted(kept)], indent=1).encode() + b"\n")


def _commit() -> str:
    words = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def _read() -> Kept:
    rows = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else []
    return {(row["benchmark"], row["scale"], row["scene"], row["method"]): row for row in rows}


def compose(kept: Kept) -> str:
    """Give all tables as text."""
    parts = ["**Geometric means of ours / the paper's, and seconds**\n", _summary(kept)]
    for benchmark, metric in TABLES:
        parts += [f"**{benchmark}, {metric.upper()}: ours / the paper's = ratio**\n", _table(kept, benchmark, metric)]
    parts += ["**synthetic ToF geometry with its rendered guide, RMSE in mm**\n", _synthetic(kept)]
    return "\n".join(parts)


def _summary(kept: Kept) -> str:
    heads = [
        "method",
        *(f"{benchmark} {metric.upper()}" for benchmark, metric in TABLES),
        "Art ×4, s",
        "load",
        "CPU s",
    ]
    lines = []
    for method in (*GUIDED, *UNGUIDED):
        means = [_mean(_ratios(kept, benchmark, metric, method)) for benchmark, metric in TABLES]
        timed = kept.get((*TIMED, method), {})
        lines.append(
            [method, *means, *(f"{timed[key]:.1f}" if timed.get(key) else "" for key in ("seconds", "load", "cpu"))]
        )
    return _grid(heads, lines)


def _table(kept: Kept, benchmark: str, metric: str) -> str:
    methods = [method for method in (*GUIDED, *UNGUIDED) if reference(benchmark, metric, method)]
    columns = list(dict.fromkeys(column for method in methods for column in reference(benchmark, metric, method)))
    lines = []
    for method in methods:
        ratios = _ratios(kept, benchmark, metric, method)
        cells = []
        for column in columns:
            theirs, _ = reference(benchmark, metric, method).get(column, (0.0, False))
            row = kept.get((benchmark, *column, method))
            cells.append(_cell(row[metric] if row else None, theirs, ratios.get(column)))
        lines.append([method, *cells, _mean(ratios)])
    return _grid(["method", *(f"×{scale:g} {scene}" for scale, scene in columns), "mean"], lines)


def _cell(ours: float | None, theirs: float, counted: float | None) -> str:
    """Write ours / theirs = ratio, and the ratio that is counted if it is another one or none."""
    if ours is None or not theirs:
        return f"− / {theirs:g}"
    ratio = ours / theirs
    note = " (not counted)" if counted is None else "" if counted == ratio else f" (to bicubic {counted:.3f})"
    return f"{ours:.4g} / {theirs:g} = {ratio:.3f}{note}"


def _ratios(kept: Kept, benchmark: str, metric: str, method: str) -> dict[tuple[float, str], float]:
    ratios = {}
    for column, (theirs, counts) in reference(benchmark, metric, method).items():
        row, plain = kept.get((benchmark, *column, method)), kept.get((benchmark, *column, "bicubic"))
        if row and counts and benchmark != "laserscan":
            ratios[column] = row[metric] / theirs
        elif row and plain and benchmark == "laserscan":
            ratios[column] = (row[metric] / plain[metric]) / (
                theirs / reference(benchmark, metric, "bicubic")[column][0]
            )
    return ratios


def _mean(ratios: dict[tuple[float, str], float]) -> str:
    if not ratios:
        return ""
    mean = geometric_mean(ratios.values())
    return f"{mean:.3f} ({len(ratios)})" + ("" if GOAL[0] <= mean <= GOAL[1] else " **missed**")


def _synthetic(kept: Kept) -> str:
    lines = []
    for method in ("bilinear", *GUIDED):
        rows = [kept.get(("synthetic", 5, family, method)) for family in FAMILIES]
        values = [row["rmse"] for row in rows if row]
        mean = f"{sum(values) / len(values):.2f}" if len(values) == len(FAMILIES) else ""
        lines.append([method, *(f"{row['rmse']:.2f}" if row else "" for row in rows), mean])
    return _grid(["method", *FAMILIES, "mean"], lines)


def _grid(heads: list[str], rows: Iterable[list[str]]) -> str:
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.exit(main())
