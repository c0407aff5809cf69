"""`atgvnet calibrate`: a sensor's noise from a few frames of a still scene."""

from pathlib import Path
from typing import Annotated

import typer

from atgvnet.cli.options import DepthScale, Invalid, UnitName, parse_invalid

__all__ = ["EXAMPLE", "run"]

EXAMPLE = "atgvnet calibrate still/*.png -o sensor.json"


def run(
    frames: Annotated[list[Path], typer.Argument(metavar="FRAME", help="Maps of one still scene, two or more.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="JSON", help="File for --noise.")],
    depth_scale: DepthScale = None,
    invalid: Invalid = "auto",
    unit: UnitName = None,
) -> None:
    """Learn the noise of a sensor: its standard deviation as a function of the depth."""
    from atgvnet.io import read
    from atgvnet.noise import calibrate, save

    maps = [read(path, depth_scale=depth_scale, invalid=parse_invalid(invalid), unit=unit) for path in frames]
    law = calibrate([depth.values for depth in maps])
    save(law, out)
    print(f"{out}: {law.kind}, {law.coefficient:.4g}, from {len(maps)} frames in {maps[0].unit}")
