"""The families of scenes, and the one way to draw a scene from a seed."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from atgvnet.errors import InputError
from atgvnet.scenes.families.authors import authors
from atgvnet.scenes.families.clutter import clutter
from atgvnet.scenes.families.cuboids import cuboids
from atgvnet.scenes.scene import Projection, Scene, View

__all__ = ["FAMILIES", "Family", "draw"]


@dataclass(frozen=True, kw_only=True)
class Family:
    """How a family's scenes are built, and which cameras look at them unless one is asked for."""

    build: Callable[[np.random.Generator, View], Scene]
    cameras: tuple[Projection, ...] = ("pinhole", "pinhole", "orthographic")
    about: str


FAMILIES: dict[str, Family] = {
    "cuboids": Family(build=cuboids, cameras=("pinhole",), about="the paper's: 24–42 cuboids, up to 3 spheres"),
    "authors": Family(build=authors, cameras=("orthographic",), about="the authors': 16–32 cuboids, 0–4 spheres"),
    "clutter": Family(build=clutter, about="solids of every kind and size on a table before a wall"),
}


def draw(family: str, seed: int, index: int, camera: Projection | None = None) -> Scene:
    """Draw scene number `index` of a family: the same arguments give the same scene."""
    if family not in FAMILIES:
        raise InputError(f"family is {family!r}; give one of {', '.join(FAMILIES)}")
    if seed < 0 or index < 0:
        raise InputError(f"seed and index are {seed} and {index}; give whole numbers from 0")
    words = np.random.SeedSequence([seed, zlib.crc32(family.encode()), index])
    rng = np.random.Generator(np.random.Philox(words))
    chosen = FAMILIES[family].cameras[rng.integers(len(FAMILIES[family].cameras))]
    field = float(np.tan(np.radians(rng.uniform(12, 35))))
    projection = chosen if camera is None else camera
    view = View(projection=projection, half=field if projection == "pinhole" else 0.5)
    return FAMILIES[family].build(rng, view)
