"""The paper's five tables, digit by digit, and which of their cells ours may be compared with.

A cell is not *comparable*, and never ranked, where it is probably a misprint or where the paper's row was computed
from another input than the benchmark's: in its Table 1 the learned rows fit antialiased input, all others decimated
input, and neither fits Laserscan's (`docs/benchmarks.md`).
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["Column", "Printed", "label", "order", "printed", "source"]

Column = tuple[float, str]  # scale and scene

# Two benchmarks here are one in the paper.
_IN_PAPER = {"clean-middlebury-decimated": "clean-middlebury"}
_IMITATES = {"synthetic": "tofmark"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Printed:
    """A cell: its digits, and why it is not to be compared with, if it is not."""

    digits: str
    caveat: str | None = None


def printed(benchmark: str, metric: str) -> dict[str, dict[Column, Printed]]:
    """Give the paper's rows for a benchmark's RMSE or MAE, by our name of the method, in the paper's order.

    >>> printed("noisy-middlebury", "rmse")["paper"][4, "art"].digits
    '2.98'
    """
    rows: dict[str, dict[Column, Printed]] = {}
    data = _IN_PAPER.get(benchmark, benchmark)
    for table in _tables():
        if table["metric"] == metric:
            for method, cells in table["rows"].items():
                row = {
                    (scale, scene): Printed(
                        digits=digits, caveat=_caveat(table["number"], benchmark, method, [name, scale, scene])
                    )
                    for digits, (name, scale, scene) in zip(cells, table["columns"], strict=True)
                    if name == data and digits is not None
                }
                if row:
                    rows[method] = row
    return rows


def order(benchmark: str) -> list[str]:
    """Give the methods that the paper compares on a benchmark, or on the one that it imitates, in its order."""
    return list(printed(_IMITATES.get(benchmark, benchmark), "rmse"))


def label(method: str) -> str:
    """Give the paper's name of a method."""
    return str(_paper()["labels"].get(method, method))


def source() -> str:
    """Give the reference of the paper."""
    return str(_paper()["source"])


def _caveat(table: int, benchmark: str, method: str, column: list[Any]) -> str | None:
    for misprint in _paper()["misprints"]:
        if (misprint["table"], misprint["method"], misprint["column"]) == (table, method, column):
            return f"probably a misprint ({misprint['why']}); not ranked"
    limits = _paper()["comparable"].get(benchmark)
    return None if limits is None or method in limits["methods"] else str(limits["otherwise"])


def _tables() -> list[dict[str, Any]]:
    return list(_paper()["tables"])


@cache
def _paper() -> dict[str, Any]:
    return dict(json.loads(files("atgvnet.benchmarks").joinpath("published.json").read_text(encoding="utf-8")))
