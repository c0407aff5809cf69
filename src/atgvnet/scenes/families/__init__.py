"""The families of scenes, and the one way to draw a scene from a seed."""

import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from atgvnet.errors import InputError
from atgvnet.scenes.draw import Draw
from atgvnet.scenes.families.authors import authors
from atgvnet.scenes.families.clutter import clutter
from atgvnet.scenes.families.cuboids import cuboids
from atgvnet.scenes.families.curved import curved
from atgvnet.scenes.families.foliage import foliage
from atgvnet.scenes.families.planes import planes
from atgvnet.scenes.families.rubble import rubble
from atgvnet.scenes.families.stacks import stacks
from atgvnet.scenes.families.thin import thin
from atgvnet.scenes.scene import KINDS, Projection, Scene, Solids, View

__all__ = ["FAMILIES", "Family", "draw_scene"]

BOTH: tuple[Projection, ...] = ("pinhole", "pinhole", "orthographic")


@dataclass(frozen=True, kw_only=True)
class Family:
    """How a family's solids are drawn, and which cameras look at them unless one is asked for."""

    build: Callable[[Draw, View], Solids]
    cameras: tuple[Projection, ...] = BOTH
    about: str


FAMILIES: dict[str, Family] = {
    "cuboids": Family(build=cuboids, cameras=("pinhole",), about="the paper's: 24–42 cuboids and up to 3 spheres"),
    "authors": Family(build=authors, cameras=("orthographic",), about="the authors' code's cuboids and spheres"),
    "clutter": Family(build=clutter, about="things of every kind and size before a wall, mostly on a table"),
    "thin": Family(build=thin, about="poles, bars, wires, frames, chairs, plants"),
    "curved": Family(build=curved, about="vases, bowls, rings, busts, cones, wavy sheets"),
    "planes": Family(build=planes, about="floors, walls, ceilings and their corners, tables, posters"),
    "stacks": Family(build=stacks, about="fences, blinds, gratings, shelves and piles with many parallel gaps"),
    "foliage": Family(build=foliage, about="leaves on twigs; kept from training"),
    "rubble": Family(build=rubble, about="a heap of debris; kept from training"),
}


def draw_scene(family: str, seed: int, index: int, camera: Projection | None = None) -> Scene:
    """Draw scene number `index` of a family: the same arguments give the same scene."""
    if family not in FAMILIES:
        raise InputError(f"family is {family!r}; give one of {', '.join(FAMILIES)}")
    if seed < 0 or index < 0:
        raise InputError(f"seed and index are {seed} and {index}; give whole numbers from 0")
    draw = Draw(seed, zlib.crc32(family.encode()), index)
    drawn, angle, look = draw.pick(FAMILIES[family].cameras), draw.uniform(12, 35), draw.integer(0, 2**31)
    projection = drawn if camera is None else camera
    view = View(projection=projection, half=math.tan(math.radians(angle)) if projection == "pinhole" else 0.5)
    solids = FAMILIES[family].build(draw, view)
    return Scene(view=view, solids=solids if view.pinhole else _pressed(solids), look=look)


def _pressed(solids: Solids) -> Solids:
    """Press depths towards the background, so that no solid reaches behind the plane where parallel rays start."""
    reach = np.where(solids.kinds == KINDS["plane"], 0, np.abs(solids.axes[:, 2]).sum(axis=1))
    nearest = float(np.clip(np.min(solids.centres[:, 2] - reach, initial=0), -1, 0))
    return solids.placed((0, 0, -nearest / (1 - nearest)), np.diag([1, 1, 1 / (1 - nearest)]))
