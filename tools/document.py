"""`docs/results.md` as text, from the ledger alone and the figures that are there."""

from collections.abc import Iterable, Iterator
from typing import Any

from atgvnet.benchmarks import BENCHMARKS, Row
from atgvnet.benchmarks.layout import lay_out
from atgvnet.benchmarks.published import label, printed, source
from atgvnet.benchmarks.tables import render
from atgvnet.methods import METHODS
from figures import FIGURES, OUT
from ledger import PACKAGE, Entry, Ledger

__all__ = ["BEGIN", "END", "compose", "summarise"]

HEAD = """\
# Results

Written by `make results DATA=DIR` (`tools/results.py`), never by hand; what each number was made with is at the
end. `make test` fails if a file of weights is not the one that the numbers were made with. Rows from "paper" are the
digits of {source}; the best of each
column is bold, the second best in italics. What is measured, and which cells may be compared, is told in
[benchmarks.md](benchmarks.md).
"""
SECTIONS = {
    "noisy-middlebury": "Tables 2 and 4: noisy Middlebury",
    "clean-middlebury": "Table 1: noise-free Middlebury, antialiased input (the learned rows’ protocol)",
    "clean-middlebury-decimated": "Table 1: noise-free Middlebury, decimated input (the other rows’ protocol)",
    "laserscan": "Table 1: Laserscan",
    "tofmark": "Tables 3 and 5: ToFMark",
    "synthetic": "ToFMark’s geometry on rendered scenes",
}
NO_TOFMARK = (
    "Its files were not at hand: these are the paper’s rows alone. The next section is measured in its geometry."
)
BEGIN, END = "<!-- written by make results -->\n", "<!-- end -->\n"
_SUMMARY = "noisy-middlebury", 4
_SUMMARY_OF = {"ours": ("bicubic", "nlm", "paper", "fast", "universal"), "paper": ("Ferstl et al. 2013", "ATGV-Net")}


def summarise(ledger: Ledger, readme: str) -> str:
    """Give the README with its one table from the ledger."""
    before, _, rest = readme.partition(BEGIN)
    after = rest.partition(END)[2]
    rows = [row for key, entry in ledger.entries.items() if key[:2] == _SUMMARY for row in entry.rows]
    if not rest or not rows:
        return readme
    table = lay_out(rows)[0]
    lines = [line for line in table.lines if line.name in _SUMMARY_OF[line.origin]]
    heads = ["RMSE", "from", *(f"{scene} {scale}" for scale, scene in table.columns)]
    cells = [[line.name, line.origin, *(cell.text for cell in line.cells)] for line in lines]
    return f"{before}{BEGIN}{_grid(heads, cells)}{END}{after}"


def compose(ledger: Ledger) -> str:
    """Give the whole document."""
    parts = [HEAD.format(source=source())]
    for benchmark, title in SECTIONS.items():
        rows = [row for entry in _in_order(ledger) if entry.benchmark == benchmark for row in entry.rows]
        parts += [f"## {title}\n", _tables(benchmark, rows), *_pictures(benchmark), *_left_out(ledger, benchmark)]
    parts += ["## Speed\n", *_speed(ledger), "## What the numbers were made with\n", *_provenance(ledger)]
    return "\n".join(parts)


def _in_order(ledger: Ledger) -> list[Entry]:
    """Sort as the benchmarks and the methods are listed."""
    benchmarks, methods = list(BENCHMARKS), list(METHODS)
    known = [entry for entry in ledger.entries.values() if entry.method in methods]
    return sorted(known, key=lambda one: (benchmarks.index(one.benchmark), methods.index(one.method), one.scale))


def _tables(benchmark: str, rows: list[Row]) -> str:
    if rows:
        order = {scene: place for place, scene in enumerate(BENCHMARKS[benchmark].scenes)}
        return render(sorted(rows, key=lambda row: (row.scale, order[row.scene])), "markdown")
    if benchmark != "tofmark":
        return "Not measured yet.\n"
    return "\n".join([NO_TOFMARK, "", _papers(benchmark, "rmse", "RMSE, mm"), _papers(benchmark, "mae", "MAE, mm")])


def _papers(benchmark: str, metric: str, title: str) -> str:
    book = printed(benchmark, metric)
    columns = list(dict.fromkeys(column for row in book.values() for column in row))
    heads = [f"×{scale:g} {scene.capitalize()}" for scale, scene in columns]
    rows = [
        [label(method), *(row[column].digits if column in row else "−" for column in columns)]
        for method, row in book.items()
    ]
    return f"**{title}**\n\n{_grid(['method', *heads], rows)}"


def _pictures(benchmark: str) -> Iterator[str]:
    for name, figure in FIGURES.items():
        if figure.benchmark == benchmark and (PACKAGE.parents[1] / OUT / f"{name}.png").is_file():
            what = f"{figure.caption}: input and truth, results with their RMSE, errors below"
            yield f"![{what}]({OUT.name}/{name}.png)\n"


def _left_out(ledger: Ledger, benchmark: str) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for (name, scale, method), why in sorted(ledger.failures.items()):
        if name == benchmark and benchmark != "tofmark":
            reasons.setdefault(why, []).append(f"{method} ×{scale:g}")
    if reasons:
        yield "".join(f"- Left out: {', '.join(who)}: {why}\n" for why, who in reasons.items())


def _speed(ledger: Ledger) -> Iterator[str]:
    if not ledger.speed:
        yield "Not measured yet.\n"
    for script, measured in sorted(ledger.speed.items()):
        made = measured["made"]
        yield f"**`benchmarks/{script}.py`**, commit {made['commit']}, {made['date']}, load before {made['load']}\n"
        yield _grid(["figure", "value"], [[name, _value(value)] for name, value in measured["figures"].items()])


def _value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_value, value))
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _provenance(ledger: Ledger) -> Iterator[str]:
    made: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in _in_order(ledger):
        made.setdefault((entry.made.commit, entry.made.date, entry.made.machine), []).append(entry)
    rows = [
        [commit, date, machine, _span(one.made.load for one in group), _names(group)]
        for (commit, date, machine), group in sorted(made.items())
    ]
    yield "Seconds in the tables are from a machine that did other work too where its load was above 1.\n"
    yield _grid(["commit", "date", "machine", "load before", "what"], rows)
    learned = sorted({pair for entry in ledger.entries.values() for pair in entry.learned.items()})
    yield _grid(["learned file", "sha256"], [[f"`{file}`", f"`{checksum}`"] for file, checksum in learned])


def _names(group: Iterable[Entry]) -> str:
    benchmarks: dict[str, dict[str, None]] = {}
    for entry in group:
        benchmarks.setdefault(f"{entry.benchmark} ×{entry.scale:g}", {})[entry.method] = None
    return "; ".join(f"{name}: {' '.join(methods)}" for name, methods in benchmarks.items())


def _span(values: Iterable[float]) -> str:
    known = sorted(values)
    return f"{known[0]:g}" if known[0] == known[-1] else f"{known[0]:g}–{known[-1]:g}"


def _grid(heads: list[str], rows: Iterable[list[str]]) -> str:
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join([*lines, ""])
