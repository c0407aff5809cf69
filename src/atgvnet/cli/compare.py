"""`atgvnet compare`: how far a map is from the truth."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer

from atgvnet.cli.options import DepthScale, Invalid, JsonFile, UnitName, parse_invalid, write_json

__all__ = ["EXAMPLE", "run"]

EXAMPLE = "atgvnet compare tof_x4.png truth.png"


def run(
    result: Annotated[Path, typer.Argument(metavar="RESULT", help="Map to judge.")],
    truth: Annotated[Path, typer.Argument(metavar="TRUTH", help="Map of the same size.")],
    depth_scale: DepthScale = None,
    invalid: Invalid = "auto",
    unit: UnitName = None,
    json_file: JsonFile = None,
) -> None:
    """Compare a map with the truth: RMSE and MAE, RMSE near discontinuities, and the share of flying pixels there."""
    from atgvnet.benchmarks import compare
    from atgvnet.io import read

    missing = parse_invalid(invalid)
    first, second = (read(path, depth_scale=depth_scale, invalid=missing, unit=unit) for path in (result, truth))
    figures = asdict(compare(first, second))
    for name, value in figures.items():
        print(f"{name:10} {_text(name, value, second.unit)}")
    if json_file is not None:
        write_json(json_file, [{"result": str(result), "truth": str(truth), "unit": second.unit, **figures}])


def _text(name: str, value: float | None, unit: Literal["m", "mm", "disparity"]) -> str:
    if value is None:
        return "no discontinuity"
    return f"{value:.2%}" if name in ("flying", "coverage") else f"{value:.6g} {unit}"
