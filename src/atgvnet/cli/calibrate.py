"""`atgvnet calibrate`: a sensor's noise from a few frames of a still scene."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from atgvnet.cli.batch import find_sources
from atgvnet.cli.options import DepthScale, Force, Invalid, UnitName, parse_invalid
from atgvnet.errors import InputError

__all__ = ["EXAMPLE", "run"]

EXAMPLE = "atgvnet calibrate still/*.png -o sensor.json"


def run(
    frames: Annotated[
        list[str], typer.Argument(metavar="FRAME", help="Maps of one still scene, two or more; folders, patterns.")
    ],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="JSON", help="File for --noise.")],
    depth_scale: DepthScale = None,
    invalid: Invalid = "auto",
    unit: UnitName = None,
    force: Force = False,
) -> None:
    """Learn the noise of a sensor: its standard deviation as a function of the depth."""
    from atgvnet.io import FORMATS, read
    from atgvnet.noise import calibrate, save

    if out.suffix.lower() != ".json":
        raise InputError(f"-o is {out}; give a name that ends in .json")
    if out.exists() and not force:
        raise InputError(f"{out} exists; give --force or another name")
    paths = find_sources(frames, FORMATS)
    maps = [read(path, depth_scale=depth_scale, invalid=parse_invalid(invalid), unit=unit) for path in paths]
    units = sorted({depth.unit for depth in maps})
    if len(units) > 1:
        raise InputError(f"calibration: frames are in {' and '.join(units)}; give frames of one camera, or --unit")
    law = replace(calibrate([depth.values for depth in maps]), unit=maps[0].unit)
    save(law, out)
    print(f"{out}: {law.kind}, {law.coefficient:.4g}, from {len(maps)} frames in {law.unit}")
