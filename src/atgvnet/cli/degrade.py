"""`atgvnet degrade`: what a sensor would have measured of a depth map."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from zlib import crc32

import typer

from atgvnet.cli.batch import Job, plan
from atgvnet.cli.names import complete
from atgvnet.cli.options import (
    CameraFile,
    DepthScale,
    Force,
    Invalid,
    Preview,
    Resume,
    Seed,
    UnitName,
    parse_camera,
    parse_invalid,
)
from atgvnet.cli.pipeline import run_all
from atgvnet.cli.record import keep_record

if TYPE_CHECKING:
    from atgvnet.depthmap import DepthMap

__all__ = ["EXAMPLE", "run"]

EXAMPLE = "atgvnet degrade scenes/*.npy -o measured --scale 4 --sensor tof"
SHOWN = 12


def run(
    inputs: Annotated[list[str], typer.Argument(metavar="INPUT", help="Files, folders or patterns.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="OUT", help="File, or folder for several inputs.")],
    scale: Annotated[
        int, typer.Option("--scale", metavar="S", help="How many times coarser the sensor is, a whole number.", min=1)
    ],
    sensor: Annotated[
        str,
        typer.Option(
            "--sensor", metavar="NAME", help="One of atgvnet list sensors.", autocompletion=complete("sensors")
        ),
    ],
    seed: Seed = 0,
    depth_scale: DepthScale = None,
    invalid: Invalid = "auto",
    unit: UnitName = None,
    camera: CameraFile = None,
    preview: Preview = None,
    force: Force = False,
    resume: Resume = False,
) -> None:
    """Degrade depth maps as a sensor would; what happens to a file is decided by the seed and the file's name."""
    from atgvnet.io import FORMATS
    from atgvnet.sensors.degrade import find_sensor

    find_sensor(sensor)
    jobs = plan(inputs, out, FORMATS, force=force or resume, resume=False)
    reading = {
        "depth_scale": depth_scale,
        "invalid": parse_invalid(invalid),
        "unit": unit,
        "camera": parse_camera(camera),
    }
    if jobs[0].target.parent == out:
        keep_record(out / "degrade.json", {"scale": scale, "sensor": sensor, "seed": seed}, resume=resume)
    left = [job for job in jobs if not (resume and job.target.exists())]
    run_all(left, _Task(sensor=sensor, scale=scale, seed=seed, reading=reading), "degrading")
    if preview is not None:
        _draw_preview(jobs[:SHOWN], reading, preview)


@dataclass(frozen=True, kw_only=True)
class _Task:
    """What is done to each file."""

    sensor: str
    scale: int
    seed: int
    reading: dict[str, Any]

    def read(self, job: Job) -> "tuple[DepthMap, str]":
        """Read the map; its name decides, beside the seed, what happens to it."""
        from atgvnet.io import read

        return read(job.source, **self.reading), job.source.name

    def compute(self, given: "tuple[DepthMap, str]", progress: Callable[[float], None]) -> "DepthMap":
        """Measure it."""
        from atgvnet.sensors.degrade import degrade

        del progress
        depth, name = given
        return degrade(depth, self.sensor, self.scale, (self.seed, crc32(name.encode())))

    def write(self, job: Job, made: "DepthMap") -> None:
        """Write what was measured."""
        from atgvnet.io import write

        write(made, job.target)


def _draw_preview(jobs: Sequence[Job], reading: dict[str, Any], picture: Path) -> None:
    """Draw each input beside what was measured of it, in its colours."""
    from atgvnet.io import read
    from atgvnet.report.contact import Tile, draw_contact_sheet, limits

    tiles = []
    for job in jobs:
        before, after = read(job.source, **reading), read(job.target, **reading)
        span = limits(before.values)
        tiles.append(Tile(title=job.source.stem, image=before.values, limits=span))
        tiles.append(Tile(title="measured", image=after.values, limits=span))
    draw_contact_sheet(tiles, picture)
