"""`docs/results.md` as text, from the ledger alone and the figures that are there."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from atgvnet.benchmarks import BENCHMARKS, Row
from atgvnet.benchmarks.layout import METRICS, Cell, Line, Table, lay_out
from atgvnet.benchmarks.published import label, printed, source
from atgvnet.methods import METHODS
from figures import FIGURES, OUT
from ledger import Entry, Ledger
from plan import Key, networks

__all__ = ["BEGIN", "END", "compose", "summarise"]

HEAD = """\
# Results

Written by `make results DATA=DIR` (`tools/results.py`), never by hand. What each number was made with is told
[at the end](#what-the-numbers-were-made-with); `make results` ends with an error if a file of weights is not the one
that a number was made with. Rows from "paper" are the digits of {source}. Best of each column in bold, second best in
italics; − is what was not measured, or has no weights. What is counted, and which cells may be compared, is told in
[benchmarks.md](benchmarks.md).

Contents: {contents}
"""
SECTIONS = {
    "noisy-middlebury": "Tables 2 and 4: noisy Middlebury",
    "clean-middlebury": "Table 1: noise-free Middlebury, antialiased input",
    "clean-middlebury-decimated": "Table 1: noise-free Middlebury, decimated input",
    "laserscan": "Table 1: Laserscan",
    "tofmark": "Tables 3 and 5: ToFMark",
    "synthetic": "ToFMark’s geometry on rendered scenes",
}
LEADS = {
    "clean-middlebury": "The paper’s learned rows fit this protocol; its other rows are in the next section.",
    "clean-middlebury-decimated": "The protocol of the paper’s rows that are not learned by networks.",
    "tofmark": "Its files were not at hand: these are the paper’s rows alone. The next section is measured in its "
    "geometry.",
}
UNITS = {
    "noisy-middlebury": "disparity, 0…255",
    "clean-middlebury": "stored disparity",
    "clean-middlebury-decimated": "stored disparity",
    "laserscan": "m",
    "tofmark": "mm",
    "synthetic": "mm",
}
AGAIN = """\
One number again: `atgvnet evaluate BENCHMARK --data DIR --scale S --method NAME`; all: `make results DATA=DIR`.
"""
SPEED, MADE = "Speed", "What the numbers were made with"
BEGIN, END = "<!-- written by make results -->\n", "<!-- end -->\n"
_OPEN = 2  # metrics in sight; the others are folded
_SUMMARY = "noisy-middlebury", 4
_SUMMARY_OF = (
    *(("bicubic", "ours"), ("nlm", "ours"), ("Ferstl et al. 2013", "paper"), ("ATGV-Net", "paper")),
    *(("paper", "ours"), ("fast", "ours"), ("universal", "ours")),
)
_RANKS = ("{}", "**{}**", "*{}*")
_DASH = "−"
_ROOT = Path(__file__).parents[1]


def summarise(ledger: Ledger, readme: str) -> str:
    """Give the README with its one table from the ledger."""
    before, _, rest = readme.partition(BEGIN)
    after = rest.partition(END)[2]
    rows = [row for key, entry in ledger.entries.items() if key[:2] == _SUMMARY for row in entry.rows]
    if not rest or not rows:
        return readme
    table = _complete(lay_out(rows)[0])
    lines = {(line.name, line.origin): line for line in table.lines}
    heads = [f"RMSE, noisy Middlebury ×{_SUMMARY[1]}", "from", *(scene for _, scene in table.columns)]
    cells = [
        [name, origin, *map(_cell, lines[name, origin].cells)]
        for name, origin in _SUMMARY_OF
        if (name, origin) in lines
    ]
    return f"{before}{BEGIN}{_grid(heads, cells, numbers=2)}{END}{after}"


def compose(ledger: Ledger, missing: Sequence[Key] = ()) -> str:
    """Give the whole document."""
    contents = " · ".join(f"[{title}](#{_anchor(title)})" for title in [*SECTIONS.values(), SPEED, MADE])
    parts = [HEAD.format(source=source(), contents=contents)]
    for benchmark, title in SECTIONS.items():
        parts += [f"## {title}\n", *_lead(benchmark), *_tables(ledger, benchmark)]
        parts += [*_pictures(benchmark), *_left_out(ledger, benchmark)]
    parts += [f"## {SPEED}\n", *_speed(ledger), f"## {MADE}\n", *_provenance(ledger, missing)]
    return "\n".join(parts)


def _anchor(title: str) -> str:
    """Give the name that GitHub gives a heading."""
    return "".join(letter for letter in title.lower().replace(" ", "-") if letter.isalnum() or letter == "-")


def _lead(benchmark: str) -> Iterator[str]:
    if benchmark in LEADS:
        yield f"{LEADS[benchmark]}\n"


def _in_order(ledger: Ledger) -> list[Entry]:
    """Sort as the benchmarks and the methods are listed."""
    benchmarks, methods = list(BENCHMARKS), list(METHODS)
    known = [entry for entry in ledger.entries.values() if entry.method in methods]
    return sorted(known, key=lambda one: (benchmarks.index(one.benchmark), methods.index(one.method), one.scale))


def _tables(ledger: Ledger, benchmark: str) -> Iterator[str]:
    order = {scene: place for place, scene in enumerate(BENCHMARKS[benchmark].scenes)}
    rows = [row for entry in _in_order(ledger) if entry.benchmark == benchmark for row in entry.rows]
    rows.sort(key=lambda row: (row.scale, order[row.scene]))
    if benchmark == "tofmark" and not rows:
        yield from (_papers(benchmark, metric, METRICS[metric]) for metric in ("rmse", "mae"))
    elif not rows:
        yield "Not measured yet.\n"
    for part in _with_and_without_paper(benchmark, rows):
        tables = [_complete(table) for table in lay_out(part)]
        yield from (_table(table, benchmark) for table in tables[:_OPEN])
        folded = "\n".join(_table(table, benchmark) for table in tables[_OPEN:])
        yield f"<details><summary>At discontinuities, and seconds</summary>\n\n{folded}\n</details>\n"


def _with_and_without_paper(benchmark: str, rows: Sequence[Row]) -> list[list[Row]]:
    """Part the scales that the paper has from those that it has not."""
    scales = {scale for cells in printed(benchmark, "rmse").values() for scale, _ in cells}
    parts = [[row for row in rows if (row.scale in scales) is inside] for inside in (True, False)]
    return [part for part in parts if part]


def _complete(table: Table) -> Table:
    """Add a line of dashes for each network that has no weights here, before the paper's own line of it."""
    lines = list(table.lines)
    there = {line.name for line in lines if line.origin == "ours"}
    empty = tuple(Cell() for _ in table.columns)
    for name in networks():
        if name not in there:
            places = [at for at, line in enumerate(lines) if (line.origin, line.name) == ("paper", label(name))]
            lines.insert(places[0] if places else len(lines), Line(name=name, origin="ours", cells=empty))
    return replace(table, lines=tuple(lines))


def _table(table: Table, benchmark: str) -> str:
    heads = ["method", "from", *(f"{scale} {scene}" for scale, scene in table.columns)]
    rows = [[line.name, line.origin, *map(_cell, line.cells)] for line in table.lines]
    notes = "".join(f"\n{note.replace('*', chr(92) + '*', 1)}\n" for note in table.notes)
    unit = f" ({UNITS[benchmark]})" if "RMSE" in table.title or "MAE" in table.title else ""
    return f"**{table.title.partition(', ')[2]}**{unit}\n\n{_grid(heads, rows, numbers=2)}{notes}"


def _cell(cell: Cell) -> str:
    return _RANKS[cell.rank].format(cell.text) + cell.mark.replace("*", "\\*")


def _papers(benchmark: str, metric: str, title: str) -> str:
    book = printed(benchmark, metric)
    columns = list(dict.fromkeys(column for row in book.values() for column in row))
    heads = [f"×{scale:g} {scene.capitalize()}" for scale, scene in columns]
    rows = [
        [label(method), *(row[column].digits if column in row else _DASH for column in columns)]
        for method, row in book.items()
    ]
    return f"**{title}** ({UNITS[benchmark]})\n\n{_grid(['method', *heads], rows, numbers=1)}"


def _pictures(benchmark: str) -> Iterator[str]:
    for name, figure in FIGURES.items():
        if figure.benchmark == benchmark and (_ROOT / OUT / f"{name}.png").is_file():
            what = f"{figure.caption}: input and truth, results with their RMSE, errors below"
            yield f"![{what}]({OUT.name}/{name}.png)\n\n{what}.\n"


def _left_out(ledger: Ledger, benchmark: str) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for (name, scale, method), failure in sorted(ledger.failures.items()):
        if name == benchmark and benchmark != "tofmark":
            reasons.setdefault(failure.why, []).append(f"{method} ×{scale:g}")
    if reasons:
        yield "".join(f"- Left out: {', '.join(who)}: {why}\n" for why, who in reasons.items())


def _speed(ledger: Ledger) -> Iterator[str]:
    if not ledger.speed:
        yield "Not measured yet.\n"
    for script, measured in sorted(ledger.speed.items()):
        made = measured["made"]
        where = f"commit {made['commit']}, {made['date']}, {made['machine']}"
        yield f"**`.venv/bin/python benchmarks/{script}.py`**, {where}\n"
        yield _grid(["figure", "value"], [[name, _value(value)] for name, value in measured["figures"].items()])


def _value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_value, value))
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_value(each)}" for name, each in value.items())
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _provenance(ledger: Ledger, missing: Sequence[Key]) -> Iterator[str]:
    entries = _in_order(ledger)
    made: dict[tuple[str, str, str], list[Key]] = {}
    for entry in entries:
        made.setdefault((entry.made.date, entry.made.commit, entry.made.machine), []).append(entry.key)
    loads = sorted(entry.made.load for entry in entries)
    yield AGAIN
    if loads:
        yield (
            f"The machine’s load average before each measurement was {loads[0]:g} to {loads[-1]:g}: where it did"
            " other work too, seconds are too many.\n"
        )
    yield _grid(
        ["date", "commit", "machine", "what"],
        [[date, commit, machine, _names(keys)] for (date, commit, machine), keys in sorted(made.items())],
    )
    if aged := [entry.key for entry in entries if entry.aged()]:
        yield f"Code that these depend on has changed since they were measured: {_names(aged)}.\n"
    if missing:
        yield f"Not measured yet: {_names(missing)}.\n"
    learned = sorted({pair for entry in ledger.entries.values() for pair in entry.learned.items()})
    yield _grid(["learned file", "sha256"], [[f"`{file}`", f"`{checksum}`"] for file, checksum in learned])


def _names(keys: Iterable[Key]) -> str:
    found: dict[str, dict[str, None]] = {}
    for benchmark, scale, method in keys:
        found.setdefault(f"{benchmark} ×{scale:g}", {})[method] = None
    return "; ".join(f"{name}: {' '.join(methods)}" for name, methods in found.items())


def _grid(heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: int | None = None) -> str:
    """Give a table; columns from number `numbers` on are aligned right."""
    aligned = "".join("---:|" if numbers is not None and place >= numbers else "---|" for place in range(len(heads)))
    lines = [f"| {' | '.join(heads)} |", f"|{aligned}", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join([*lines, ""])
