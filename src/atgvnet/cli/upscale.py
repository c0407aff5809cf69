"""`atgvnet upscale`: small depth maps in, large ones out, in the format they came in."""

import math
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from atgvnet.cli.batch import Job, find_sources, plan
from atgvnet.cli.extras import Extras
from atgvnet.cli.names import complete
from atgvnet.cli.options import (
    CameraFile,
    DepthScale,
    Force,
    Invalid,
    Resume,
    UnitName,
    Variable,
    parse_camera,
    parse_holes,
    parse_invalid,
    parse_size,
)
from atgvnet.cli.pipeline import run_all
from atgvnet.errors import InputError

if TYPE_CHECKING:
    from atgvnet.depthmap import DepthMap
    from atgvnet.threads import Threads
    from atgvnet.upscaler import Prepared, Result, Upscaler

__all__ = ["EXAMPLE", "run"]

EXAMPLE = "atgvnet upscale tof.png -o tof_x4.png --scale 4"


def run(
    inputs: Annotated[list[str], typer.Argument(metavar="INPUT", help="Files, folders or patterns.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="OUT", help="File, or folder for several inputs.")],
    scale: Annotated[float, typer.Option("--scale", metavar="S", help="Factor, at least 1, also a fraction.")] = 4.0,
    size: Annotated[
        str | None, typer.Option("--size", metavar="HxW", help="Size wanted instead of a factor.")
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", metavar="NAME", help="Network.", autocompletion=complete("models"))
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method", metavar="NAME|FILE.py", help="Method, also your own.", autocompletion=complete("methods")
        ),
    ] = None,
    depth_scale: DepthScale = None,
    invalid: Invalid = "auto",
    unit: UnitName = None,
    variable: Variable = None,
    noise: Annotated[
        str, typer.Option("--noise", metavar="LAW", help="auto, none, a standard deviation, or a law's name.")
    ] = "auto",
    guide: Annotated[
        Path | None, typer.Option("--guide", metavar="IMAGE", help="Colour image of the wanted size, or folder.")
    ] = None,
    mask: Annotated[
        Path | None, typer.Option("--mask", metavar="FILE", help="Map that is 0 where pixels are missing, or folder.")
    ] = None,
    weight: Annotated[
        Path | None, typer.Option("--weight", metavar="FILE", help="Map of confidences from 0 up, or folder.")
    ] = None,
    holes: Annotated[
        str, typer.Option("--holes", metavar="keep|fill|N", help="Fill no hole, all, or those of at most N pixels.")
    ] = "keep",
    tile: Annotated[
        int | None, typer.Option("--tile", metavar="N", help="Side of an output tile, to bound a network's memory.")
    ] = None,
    precision: Annotated[
        Literal["auto", "float32", "bfloat16"], typer.Option("--precision", help="How a network computes.")
    ] = "auto",
    ensemble: Annotated[
        bool, typer.Option("--ensemble", help="Average a network over eight flips and rotations.")
    ] = False,
    device: Annotated[str | None, typer.Option("--device", metavar="NAME", help="Where a network computes.")] = None,
    camera: CameraFile = None,
    kind: Annotated[
        Literal["z", "range"], typer.Option("--kind", help="Depths are z, or ranges along the ray (with --camera).")
    ] = "z",
    confidence: Annotated[
        Path | None, typer.Option("--confidence", metavar="FILE", help="Write each pixel's confidence, 0 to 1, too.")
    ] = None,
    preview: Annotated[
        Path | None, typer.Option("--preview", metavar="PNG", help="Draw input, result and discontinuities, too.")
    ] = None,
    points: Annotated[
        Path | None, typer.Option("--points", metavar="PLY", help="Write the result as points, too (with --camera).")
    ] = None,
    force: Force = False,
    resume: Resume = False,
) -> None:
    """Upscale depth maps: files, folders or patterns, each written in the format and unit that it came in."""
    from atgvnet import load
    from atgvnet.io import FORMATS
    from atgvnet.threads import Threads

    if model is not None and method is not None:
        raise InputError(f"--model is {model} and --method {method}; give one of them")
    if points is not None and camera is None:
        raise InputError(f"--points is {points}, but no camera is given; give --camera")
    jobs = plan(inputs, out, FORMATS, force=force, resume=resume)
    several = len(find_sources(inputs, FORMATS)) > 1
    extras = Extras(confidence=confidence, preview=preview, points=points, several=several)
    extras.check(jobs, FORMATS, overwrite=force or resume)
    reading = {
        "depth_scale": depth_scale,
        "invalid": parse_invalid(invalid),
        "unit": unit,
        "camera": parse_camera(camera),
        "kind": kind,
        "variable": variable,
    }
    upscaler = load(
        model or method,
        scale=scale,
        size=parse_size(size),
        noise=noise,
        holes=parse_holes(holes),
        tile=tile,
        precision=precision,
        ensemble=ensemble,
        device=device,
        details=confidence is not None or preview is not None,
    )
    if len(jobs) == 1:
        upscaler = upscaler.once()
    threads = Threads() if len(jobs) > 1 and upscaler.on_processor else None
    task = _Task(
        upscaler=upscaler, reading=reading, guide=guide, mask=mask, weight=weight, extras=extras, threads=threads
    )
    with threads.shared() if threads else nullcontext():
        run_all(jobs, task, "upscaling", at_once=threads.count if threads else 1)


@dataclass(frozen=True, kw_only=True)
class _Task:
    """What is done to each file."""

    upscaler: "Upscaler"
    reading: dict[str, Any]
    guide: Path | None
    mask: Path | None
    weight: Path | None
    extras: Extras
    threads: "Threads | None"

    def read(self, job: Job) -> "Given":
        """Read the map and what belongs to it, and estimate its noise."""
        from atgvnet.io import read, read_image

        depth = read(job.source, **self.reading)
        if self.mask is not None:
            depth = _masked(depth, _beside(self.mask, job.source))
        guide = None if self.guide is None else read_image(_beside(self.guide, job.source))
        weight = None if self.weight is None else _numbers(_beside(self.weight, job.source))
        return Given(depth=depth, prepared=self.upscaler.prepare(depth, guide=guide, weight=weight))

    def compute(self, given: "Given", progress: Callable[[float], None]) -> "tuple[DepthMap, Result]":
        """Upscale, with as many threads as the map is worth."""
        pixels = math.prod(given.prepared.problem.size)
        with self.threads.for_map(pixels) if self.threads else nullcontext():
            return given.depth, self.upscaler.finish(given.prepared, progress)

    def write(self, job: Job, made: "tuple[DepthMap, Result]") -> None:
        """Write the map last: where it is, all that was asked for is."""
        from atgvnet.io import write

        self.extras.write(*made, job)
        write(made[1].depth, job.target)


@dataclass(frozen=True, kw_only=True)
class Given:
    """One input."""

    depth: "DepthMap"
    prepared: "Prepared"


def _masked(depth: "DepthMap", path: Path) -> "DepthMap":
    from atgvnet.depthmap import DepthMap

    known = _numbers(path) != 0
    if known.shape != depth.shape:
        raise InputError(f"{path}: the mask is {known.shape}, the map {depth.shape}; give equal sizes")
    return DepthMap(depth.values, depth.valid & known, depth.unit, depth.kind, depth.camera, depth.encoding)


def _numbers(path: Path) -> Any:
    """Give the plain numbers of a map that is not a depth; what is not finite counts as 0."""
    from atgvnet.io import read

    depth = read(path, depth_scale=1, invalid=None)
    values = depth.values.copy()
    values[~depth.valid] = 0
    return values


def _beside(path: Path, source: Path) -> Path:
    return path / source.name if path.is_dir() else path
