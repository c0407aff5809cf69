"""Single solids by the measures that one thinks in, and frames to place them by."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.scene import Solid

__all__ = ["along", "ball", "bowl", "box", "cup", "frustum", "rod", "sheet", "standing", "torus", "turned"]

Doubles = NDArray[np.float64]
Vector = tuple[float, float, float]


def along(direction: Vector) -> Doubles:
    """Give a rotation that takes local z to the direction."""
    x, y, z = direction
    length = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / length, y / length, z / length
    # the side vector is perpendicular to z and to the world axis farthest from it
    side = (0.0, z, -y) if abs(x) < 0.6 else (-z, 0.0, x)
    norm = math.sqrt(side[0] ** 2 + side[1] ** 2 + side[2] ** 2)
    a, b, c = side[0] / norm, side[1] / norm, side[2] / norm
    return np.array(((a, y * c - z * b, x), (b, z * a - x * c, y), (c, x * b - y * a, z)))


def turned(angle: float) -> Doubles:
    """Give the rotation about local z."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))


def standing(draw: Draw, up: Vector) -> Doubles:
    """Give a frame with z up, turned at random about it."""
    return np.asarray(along(up) @ turned(draw.uniform(0, math.tau)))


def box(centre: Vector, halves: Vector, frame: Doubles | None = None) -> Solid:
    """Give a cuboid by its half edges."""
    return Solid("box", centre, _scaled(halves, frame))


def ball(centre: Vector, radii: float | Vector, frame: Doubles | None = None) -> Solid:
    """Give a sphere or an ellipsoid."""
    return bowl(centre, radii, 2.0, frame)


def bowl(centre: Vector, radii: float | Vector, cut: float, frame: Doubles | None = None) -> Solid:
    """Give the shell of an ellipsoid, open above the share `cut` of its height, -1…1."""
    return Solid("ball", centre, _scaled((radii,) * 3 if isinstance(radii, float) else radii, frame), (cut,))


def frustum(centre: Vector, radius: float, half: float, top: float = 1.0, frame: Doubles | None = None) -> Solid:
    """Give a cylinder, or a cone cut where its radius is `top` times the lower one."""
    return _cone(centre, radius, half, top, frame, 0.0)


def cup(centre: Vector, radius: float, half: float, top: float = 1.0, frame: Doubles | None = None) -> Solid:
    """Give the same without discs: one looks into it."""
    return _cone(centre, radius, half, top, frame, 1.0)


def rod(start: Vector, end: Vector, radius: float, top: float = 1.0) -> Solid:
    """Give a cylinder or cone between two points."""
    way = (end[0] - start[0], end[1] - start[1], end[2] - start[2])
    middle = (start[0] + way[0] / 2, start[1] + way[1] / 2, start[2] + way[2] / 2)
    return frustum(middle, radius, math.hypot(*way) / 2, top, along(way))


def torus(centre: Vector, radius: float, tube: float, frame: Doubles | None = None) -> Solid:
    """Give a ring by its outer radius and its tube's."""
    return Solid("torus", centre, _scaled((radius,) * 3, frame), (tube / radius,))


def sheet(centre: Vector, halves: Vector, waves: tuple[float, ...], frame: Doubles | None = None) -> Solid:
    """Give a wavy sheet: three times an amplitude (in sum at most 1) and waves per unit in x and y."""
    return Solid("field", centre, _scaled(halves, frame), waves)


def _cone(centre: Vector, radius: float, half: float, top: float, frame: Doubles | None, opened: float) -> Solid:
    """Put the wide end below, as the canonical shape has it."""
    if top > 1:
        radius, half, top = radius * top, -half, 1 / top
    return Solid("frustum", centre, _scaled((radius, radius, half), frame), (top, opened))


def _scaled(halves: Vector, frame: Doubles | None) -> ArrayLike:
    if frame is not None:
        return frame * halves
    a, b, c = halves
    return (a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c)
