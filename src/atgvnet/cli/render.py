"""`atgvnet render`: depth maps of random scenes, each a function of its family, the seed and its number."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from atgvnet.cli.names import complete
from atgvnet.cli.options import Preview, Resume, Seed, parse_size
from atgvnet.cli.progress import progress
from atgvnet.cli.record import keep_record
from atgvnet.errors import InputError

if TYPE_CHECKING:
    from atgvnet.scenes import Rendering

__all__ = ["EXAMPLE", "run"]

EXAMPLE = "atgvnet render scenes --count 100 --size 480x640 --family clutter --preview scenes.png"
FARTHEST = 60.0  # a 16-bit PNG of millimetres ends at 65.5 m
Projection = Literal["pinhole", "orthographic"]


def run(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder for the maps.")],
    count: Annotated[int, typer.Option("--count", metavar="N", help="How many.", min=1)],
    seed: Seed = 0,
    size: Annotated[str, typer.Option("--size", metavar="HxW", help="Size of each map.")] = "480x640",
    families: Annotated[
        list[str] | None,
        typer.Option(
            "--family",
            metavar="NAME",
            help="Family of scenes; several take turns, by default all.",
            autocompletion=complete("families"),
        ),
    ] = None,
    camera: Annotated[
        Projection | None, typer.Option("--camera", help="Kind of camera; by default the seed's choice.")
    ] = None,
    far: Annotated[float, typer.Option("--far", metavar="M", help="Depth of the background in metres.")] = 1.0,
    suffix: Annotated[
        Literal["npy", "exr", "tiff", "png"],
        typer.Option("--format", help="Floats in metres; png: whole millimetres."),
    ] = "npy",
    guide: Annotated[bool, typer.Option("--guide", help="Write intensity images to OUT/guide, too.")] = False,
    workers: Annotated[
        int, typer.Option("--workers", metavar="N", help="Threads; their number does not change the maps.", min=1)
    ] = 2,
    preview: Preview = None,
    resume: Resume = False,
) -> None:
    """Render depth maps of random scenes; the same options give the same maps, bit for bit."""
    from atgvnet.scenes import FAMILIES

    shape = parse_size(size) or (0, 0)
    if not 0 < far < FARTHEST:
        raise InputError(f"--far is {far}; give metres between 0 and {FARTHEST}")
    chosen = families or list(FAMILIES)
    order = _Order(
        out=out, families=chosen, seed=seed, size=shape, camera=camera, far=far, suffix=suffix, guide=guide
    )
    left = [number for number in range(count) if not (resume and order.made(number))]
    there = [order.path(number) for number in left if order.path(number).exists()]
    if there and not resume:
        raise InputError(f"{there[0]} exists; give --resume or another folder")
    order.draw(0)
    options = {"family": chosen, "seed": seed, "size": f"{shape[0]}x{shape[1]}", "camera": camera, "far": far}
    keep_record(out / "render.json", options, resume=resume)
    _make(order, left, workers)
    if preview is not None:
        _draw_preview(order, count, preview)


@dataclass(frozen=True, kw_only=True)
class _Order:
    """What is wanted of every map."""

    out: Path
    families: Sequence[str]
    seed: int
    size: tuple[int, int]
    camera: Projection | None
    far: float
    suffix: str
    guide: bool

    def path(self, number: int) -> Path:
        """Say where a map goes."""
        return self.out / f"{self._family(number)}-{number:06}.{self.suffix}"

    def guide_path(self, number: int) -> Path:
        """Say where its intensity image goes."""
        return self.out / "guide" / self.path(number).with_suffix(".png").name

    def made(self, number: int) -> bool:
        """Say whether all that is wanted of a map is there."""
        return self.path(number).exists() and not (self.guide and not self.guide_path(number).exists())

    def draw(self, number: int) -> None:
        """Draw a scene without rendering it: wrong options show at once."""
        from atgvnet.scenes import draw_scene

        draw_scene(self._family(number), self.seed, number, self.camera)

    def write(self, number: int) -> None:
        """Render and write a map; last, as where it is, all that was asked for is."""
        from atgvnet.depthmap import DepthMap
        from atgvnet.io import write
        from atgvnet.scenes import render

        family = self._family(number)
        rendering = render(family, self.seed, number, self.size, camera=self.camera, guide=self.guide)
        if self.guide:
            self._write_guide(rendering, self.guide_path(number))
        write(DepthMap(rendering.depth * self.far, unit="m"), self.path(number))

    def _family(self, number: int) -> str:
        return self.families[number % len(self.families)]

    @staticmethod
    def _write_guide(rendering: "Rendering", path: Path) -> None:
        from atgvnet.report.contact import write_image

        path.parent.mkdir(exist_ok=True)
        if rendering.guide is not None:
            write_image(rendering.guide, path)


def _make(order: _Order, numbers: Sequence[int], workers: int) -> None:
    with progress("rendering", len(numbers)) as advance, ThreadPoolExecutor(workers, "renderer") as pool:
        for done, _ in enumerate(pool.map(order.write, numbers), 1):
            advance(done)


def _draw_preview(order: _Order, count: int, picture: Path) -> None:
    """Draw the first maps, each beside its intensity image if there are any."""
    from atgvnet.io import read, read_image
    from atgvnet.report.contact import MOST, Tile, draw_contact_sheet

    tiles = []
    for number in range(min(count, MOST // 2 if order.guide else MOST)):
        path = order.path(number)
        tiles.append(Tile(title=path.stem, image=read(path).values))
        if order.guide:
            tiles.append(Tile(title="its guide", image=read_image(order.guide_path(number))))
    draw_contact_sheet(tiles, picture)
