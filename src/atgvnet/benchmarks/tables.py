"""Tables of results for terminals, documents and programs."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from itertools import product
from typing import TYPE_CHECKING, Literal, overload

from atgvnet.benchmarks.evaluate import Row
from atgvnet.benchmarks.layout import Cell, Table, lay_out, split_by_scale
from atgvnet.benchmarks.published import printed
from atgvnet.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderResult
    from rich.table import Table as Grid

__all__ = ["FORMATS", "render"]

Text = Literal["markdown", "csv", "json"]
FORMATS = ("rich", "markdown", "csv", "json")

_STYLES = ("", "bold", "italic")
_MARKUP = ("{}", "**{}**", "*{}*")


@overload
def render(rows: Sequence[Row], format: Literal["rich"] = "rich") -> "ConsoleRenderable": ...
@overload
def render(rows: Sequence[Row], format: Text) -> str: ...
def render(rows: Sequence[Row], format: str = "rich") -> "ConsoleRenderable | str":  # noqa: A002 (the name that users rely on)
    """Render rows as tables with the paper's own beside them, or as data.

    ``"rich"`` gives something for rich's console to print, ``"markdown"`` text; both have the best of each column
    in bold and the second best in italics. ``"csv"`` has one line per row, and the paper's after them; ``"json"`` is
    the list of our rows.
    """
    if format == "rich":
        return _Printout(lay_out(rows))
    if format == "markdown":
        return _markdown(lay_out(rows))
    if format == "csv":
        return _csv(rows)
    if format == "json":
        return json.dumps([asdict(row) for row in rows], indent=2, allow_nan=False) + "\n"
    raise InputError(f"format is {format!r}; give one of {', '.join(FORMATS)}")


class _Printout:
    """Tables for a console: side by side for all scales where they fit, else one for each scale."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._tables = list(tables)

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from rich.measure import Measurement
        from rich.text import Text as Styled

        boundless = options.update(max_width=10_000)
        for table in self._tables:
            fits = Measurement.get(console, boundless, _grid(table)).maximum <= options.max_width
            yield Styled(f"\n{table.title}")
            yield from map(_grid, [table] if fits else split_by_scale(table))
            yield from map(Styled, table.notes)


def _grid(table: Table) -> "Grid":
    from rich import box
    from rich.table import Table as Grid
    from rich.text import Text as Styled

    grid = Grid(box=box.SIMPLE_HEAD)
    grid.add_column("method", no_wrap=True)
    grid.add_column("from", no_wrap=True)
    for scale, scene in table.columns:
        grid.add_column(f"{scale}\n{scene}", justify="right", no_wrap=True)
    for line in table.lines:
        cells = (Styled(cell.text + cell.mark, style=_STYLES[cell.rank]) for cell in line.cells)
        grid.add_row(line.name, line.origin, *cells)
    return grid


def _markdown(tables: Iterable[Table]) -> str:
    return "\n".join(_markdown_table(table) for table in tables)


def _markdown_table(table: Table) -> str:
    heads = [f"{scale} {scene}" for scale, scene in table.columns]
    lines = [
        f"**{table.title}**\n",
        f"| method | from | {' | '.join(heads)} |",
        f"|---|---|{'---:|' * len(heads)}",
        *(f"| {line.name} | {line.origin} | {' | '.join(map(_marked, line.cells))} |" for line in table.lines),
        "",
        *(note.replace("*", "\\*", 1) + "\n" for note in table.notes),
    ]
    return "\n".join(lines)


def _marked(cell: Cell) -> str:
    return _MARKUP[cell.rank].format(cell.text) + cell.mark.replace("*", "\\*")


def _csv(rows: Sequence[Row]) -> str:
    ours = [{"from": "ours", **asdict(row)} for row in rows]
    stream = io.StringIO()
    names = ["from", *(field.name for field in fields(Row)), "caveat"]
    writer = csv.DictWriter(stream, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows([*ours, *_paper_rows(rows)])
    return stream.getvalue()


def _paper_rows(rows: Sequence[Row]) -> Iterable[dict[str, object]]:
    for benchmark in dict.fromkeys(row.benchmark for row in rows):
        columns = list(dict.fromkeys((row.scale, row.scene) for row in rows if row.benchmark == benchmark))
        books = {metric: printed(benchmark, metric) for metric in ("rmse", "mae")}
        for method, (scale, scene) in product(books["rmse"], columns):
            cells = {metric: book.get(method, {}).get((scale, scene)) for metric, book in books.items()}
            caveats = (f"{metric}: {cell.caveat}" for metric, cell in cells.items() if cell and cell.caveat)
            if any(cells.values()):
                yield {
                    "from": "paper",
                    "benchmark": benchmark,
                    "scale": scale,
                    "scene": scene,
                    "method": method,
                    **{metric: cell.digits for metric, cell in cells.items() if cell},
                    "caveat": "; ".join(caveats),
                }
