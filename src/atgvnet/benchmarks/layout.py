"""Tables as the paper has them: one per benchmark and metric, its methods in its order, its own rows beside ours.

The best of each column and the second best are told by what is printed, as a reader would; a cell of the paper that
ours may not be compared with takes no rank, and a note says why.
"""

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from atgvnet.benchmarks.evaluate import Row
from atgvnet.benchmarks.published import Column, Printed, label, order, printed

__all__ = ["METRICS", "Cell", "Line", "Table", "lay_out", "split_by_scale"]

METRICS = {
    "rmse": "RMSE",
    "mae": "MAE",
    "rmse_edge": "RMSE within 3 px of discontinuities",
    "flying": "flying pixels there, %",
    "seconds": "seconds",
}
_DECIMALS = {"flying": 1, "seconds": 3}
_MOST_COLUMNS = 12  # with more, scenes are averaged
_MARKS = ("*", "†", "‡", "§")
_MISSING = "−"
_PARTIAL = "only where it gave a value; not ranked"

Book = dict[str, dict[Column, Printed]]  # what is printed, by method and column
Numbers = dict[str, dict[Column, float]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """What is printed, and its mark; `rank` is 1 for the best of its column, 2 for the second best, else 0."""

    text: str = _MISSING
    rank: int = 0
    mark: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A method's cells; `origin` is "ours", or "paper" where the paper printed them."""

    name: str
    origin: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """A table; `columns` are pairs of scale and scene, `notes` explain the marks in its cells."""

    title: str
    columns: tuple[tuple[str, str], ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...]


def lay_out(rows: Sequence[Row]) -> list[Table]:
    """Arrange rows as tables, one for each benchmark and metric."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.benchmark, []).append(row)
    return [_table(group, benchmark, metric) for benchmark, group in groups.items() for metric in METRICS]


def split_by_scale(table: Table) -> list[Table]:
    """Give a table for each scale, without the lines that are empty in it."""
    return [
        _columns_of(table, [index for index, column in enumerate(table.columns) if column[0] == scale])
        for scale in dict.fromkeys(scale for scale, _ in table.columns)
    ]


def _columns_of(table: Table, indices: Sequence[int]) -> Table:
    lines = [replace(line, cells=tuple(line.cells[index] for index in indices)) for line in table.lines]
    filled = tuple(line for line in lines if any(cell.text != _MISSING for cell in line.cells))
    return replace(table, columns=tuple(table.columns[index] for index in indices), lines=filled)


def _table(rows: Sequence[Row], benchmark: str, metric: str) -> Table:
    columns = list(dict.fromkeys((row.scale, row.scene) for row in rows))
    numbers = _numbers(rows, metric)
    if len(columns) > _MOST_COLUMNS:
        numbers, columns = _means(numbers, columns)
    partial = {row.method for row in rows if row.coverage < 1}
    books = {
        "ours": _our_book(numbers, partial, _decimals(benchmark, metric, numbers)),
        "paper": printed(benchmark, metric),
    }
    marks = _marks(books, columns)
    lines = list(_lines(books, columns, marks, order(benchmark)))
    return Table(
        title=f"{benchmark}, {METRICS[metric]}",
        columns=tuple((f"×{scale:g}", scene.capitalize() if order(benchmark) else scene) for scale, scene in columns),
        lines=tuple(lines if metric == "seconds" else _ranked(lines)),
        notes=tuple(f"{mark} {note}" for note, mark in marks.items()),
    )


def _numbers(rows: Sequence[Row], metric: str) -> Numbers:
    factor = 100 if metric == "flying" else 1
    numbers: Numbers = {}
    for row in rows:
        value = getattr(row, metric)
        numbers.setdefault(row.method, {})
        if value is not None:
            numbers[row.method][row.scale, row.scene] = value * factor
    return numbers


def _means(numbers: Numbers, columns: Sequence[Column]) -> tuple[Numbers, list[Column]]:
    """Average over the scenes of each scale, for the methods that have all that any has."""
    filled = {column for row in numbers.values() for column in row}
    groups: dict[Column, list[Column]] = {}
    for scale in dict.fromkeys(scale for scale, _ in columns):
        scenes = [column for column in columns if column[0] == scale and column in filled]
        groups[scale, f"mean of {len(scenes)}"] = scenes
    means = {
        method: {
            name: math.fsum(row[column] for column in scenes) / len(scenes)
            for name, scenes in groups.items()
            if scenes and all(column in row for column in scenes)
        }
        for method, row in numbers.items()
    }
    return means, list(groups)


def _decimals(benchmark: str, metric: str, numbers: Numbers) -> int:
    """Count decimals as the paper does, or so that the smallest value keeps three digits."""
    if metric in _DECIMALS:
        return _DECIMALS[metric]
    paper = [cell.digits for cells in printed(benchmark, "rmse").values() for cell in cells.values()]
    if paper:
        return max(len(digits.partition(".")[2]) for digits in paper)
    smallest = min((value for row in numbers.values() for value in row.values() if value), default=1.0)
    return min(max(2 - math.floor(math.log10(smallest)), 0), 6)


def _our_book(numbers: Numbers, partial: Container[str], decimals: int) -> Book:
    return {
        method: {
            column: Printed(digits=f"{value:.{decimals}f}", caveat=_PARTIAL if method in partial else None)
            for column, value in row.items()
        }
        for method, row in numbers.items()
    }


def _marks(books: Mapping[str, Book], columns: Sequence[Column]) -> dict[str, str]:
    """Give each caveat that occurs its mark."""
    cells = (row.get(column) for book in books.values() for row in book.values() for column in columns)
    return dict(zip(dict.fromkeys(cell.caveat for cell in cells if cell and cell.caveat), _MARKS, strict=False))


def _lines(
    books: Mapping[str, Book], columns: Sequence[Column], marks: Mapping[str, str], known: Sequence[str]
) -> Iterable[Line]:
    for method in [*known, *(method for method in books["ours"] if method not in known)]:
        for origin, book in books.items():
            row = book.get(method, {})
            if any(column in row for column in columns):
                name = method if origin == "ours" else label(method)
                yield Line(name=name, origin=origin, cells=tuple(_cell(row.get(column), marks) for column in columns))


def _cell(entry: Printed | None, marks: Mapping[str, str]) -> Cell:
    return Cell() if entry is None else Cell(text=entry.digits, mark=marks.get(entry.caveat or "", ""))


def _ranked(lines: Sequence[Line]) -> list[Line]:
    best = [_best_two(column) for column in zip(*(line.cells for line in lines), strict=True)]
    return [
        replace(line, cells=tuple(_rank(cell, ranks) for cell, ranks in zip(line.cells, best, strict=True)))
        for line in lines
    ]


def _best_two(column: Iterable[Cell]) -> dict[str, int]:
    texts = {cell.text for cell in column if cell.text != _MISSING and not cell.mark}
    return {text: rank for rank, text in enumerate(sorted(texts, key=float)[:2], start=1)}


def _rank(cell: Cell, ranks: Mapping[str, int]) -> Cell:
    return cell if cell.mark else replace(cell, rank=ranks.get(cell.text, 0))
