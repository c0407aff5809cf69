"""The benchmark's tables as HTML: one for each metric, the paper's rows beside ours."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

from atgvnet.benchmarks.evaluate import Row
from atgvnet.benchmarks.layout import METRICS, Cell, Line, Table, lay_out, split_by_scale

__all__ = ["tables"]

_MARKUP = ("{}", "<b>{}</b>", "<i>{}</i>")
_OPEN = 2  # tables in sight: RMSE and MAE
_WIDE = 8  # columns


def tables(rows: Sequence[Row]) -> str:
    """Give all tables of the rows, the less asked for folded away."""
    laid_out = lay_out(rows)
    first: list[str] = []
    rest: list[str] = []
    for index, table in enumerate(laid_out):
        parts = split_by_scale(table) if len(table.columns) > _WIDE else [table]
        (first if index % len(METRICS) < _OPEN else rest).extend(map(_table, parts))
    more = f"<details><summary>At discontinuities, and seconds</summary>{_side_by_side(rest)}</details>"
    return f"{_side_by_side(first)}\n{more}"


def _side_by_side(parts: Iterable[str]) -> str:
    return f'<div class="tables">{_join(parts)}</div>'


def _table(table: Table) -> str:
    notes = "".join(f"<p>{escape(note)}</p>" for note in table.notes)
    return (
        f'<figure class="table"><div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}">'
        f"<table><caption>{escape(table.title)}</caption>\n<thead>{_head(table)}</thead>\n"
        f"<tbody>{_join(map(_line, table.lines))}</tbody></table></div>{notes}</figure>"
    )


def _head(table: Table) -> str:
    scales = "".join(
        f'<th scope="colgroup" colspan="{len(list(group))}">{escape(scale)}</th>'
        for scale, group in groupby(scale for scale, _ in table.columns)
    )
    scenes = "".join(f'<th scope="col">{escape(scene)}</th>' for _, scene in table.columns)
    return (
        f'<tr><th scope="col" rowspan="2">Method</th><th scope="col" rowspan="2">From</th>{scales}</tr>'
        f"<tr>{scenes}</tr>"
    )


def _line(line: Line) -> str:
    cells = "".join(f"<td>{_cell(cell)}</td>" for cell in line.cells)
    return f'<tr class="{line.origin}"><th scope="row">{escape(line.name)}</th><td>{line.origin}</td>{cells}</tr>'


def _cell(cell: Cell) -> str:
    mark = f"<sup>{escape(cell.mark)}</sup>" if cell.mark else ""
    return _MARKUP[cell.rank].format(escape(cell.text)) + mark


def _join(parts: Iterable[str]) -> str:
    return "\n".join(parts)
