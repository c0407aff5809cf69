"""`render`: from the name of a family, a seed and an index to a depth map."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atgvnet.errors import InputError
from atgvnet.scenes.families import draw_scene
from atgvnet.scenes.raycaster import cast
from atgvnet.scenes.scene import Projection, Scene
from atgvnet.scenes.shading import shade

__all__ = ["Rendering", "depth_of", "render"]

Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, eq=False, slots=True)
class Rendering:
    """A depth map (distance to the image plane, at most 1), its intensity image if asked for, and its scene."""

    depth: Floats
    guide: Floats | None
    scene: Scene


def render(
    family: str,
    seed: int,
    index: int,
    size: tuple[int, int],
    *,
    camera: Projection | None = None,
    guide: bool = False,
) -> Rendering:
    """Render map number `index` of a family; `camera` None lets the seed choose among the family's cameras."""
    scene = draw_scene(family, seed, index, camera)
    depth, names = depth_of(scene, size, named=guide)
    return Rendering(depth=depth, guide=shade(scene, depth, names) if guide else None, scene=scene)


def depth_of(
    scene: Scene, size: tuple[int, int], *, named: bool = False, bounded: bool = True
) -> tuple[Floats, NDArray[np.int64]]:
    """Cast a scene; also give each pixel's solid (-1 for the background) if it is to be named."""
    if len(size) != 2 or min(size) < 1:
        raise InputError(f"size is {size}; give height and width, both at least 1")
    depth = np.full(size, scene.background, np.float32)
    names = np.full(size if named else (0, 0), -1, np.int64)
    solids, view = scene.solids, scene.view
    cast(depth, names, solids.kinds, solids.centres, solids.axes, solids.shapes, view.pinhole, view.half, bounded)
    return depth, names
