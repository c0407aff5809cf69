"""`atgvnet compare`: how far a map is from the truth."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["EXAMPLE", "run"]

EXAMPLE = "atgvnet compare tof_x4.png truth.png"


def run(
    a: Annotated[Path, typer.Argument(metavar="RESULT")], n: Annotated[int, typer.Option("--n", help="x")] = 3
) -> None:
    """Compare."""
