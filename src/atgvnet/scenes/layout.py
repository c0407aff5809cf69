"""Random placement: rotations and the solids that families put together."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from atgvnet.scenes.scene import Solid

__all__ = ["ball", "bowl", "box", "cup", "frustum", "look", "plane", "rod", "rotation", "turn", "upright"]

Doubles = NDArray[np.float64]


def rotation(rng: np.random.Generator) -> Doubles:
    """Give a rotation drawn evenly among all, by a random unit quaternion."""
    w, x, y, z = _unit(rng.standard_normal(4))
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def _unit(vector: Doubles) -> Doubles:
    return np.asarray(vector / np.sqrt((vector * vector).sum()))


def turn(axis: int, angle: float) -> Doubles:
    """Give the rotation about a coordinate axis."""
    matrix = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix[[i, j], [i, j]] = np.cos(angle)
    matrix[i, j], matrix[j, i] = -np.sin(angle), np.sin(angle)
    return matrix


def upright(rng: np.random.Generator, tilt: float = 0.0) -> Doubles:
    """Give a random turn about the vertical with local z pointing up (world -y), then tilted as a whole."""
    up = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    return np.asarray(turn(0, tilt) @ up @ turn(2, rng.uniform(0, 2 * np.pi)))


def along(direction: ArrayLike) -> Doubles:
    """Give a rotation that takes local z to the direction."""
    z = _unit(np.asarray(direction, np.float64))
    x = _unit(np.cross(z, np.eye(3)[np.argmin(np.abs(z))]))
    return np.stack([x, np.cross(z, x), z], axis=1)


def box(centre: ArrayLike, halves: ArrayLike, frame: Doubles) -> Solid:
    """Give a cuboid by its half edges."""
    return Solid("box", centre, frame * np.asarray(halves))


def ball(centre: ArrayLike, radii: ArrayLike, frame: Doubles | None = None) -> Solid:
    """Give an ellipsoid."""
    return Solid("ball", centre, (np.eye(3) if frame is None else frame) * np.broadcast_to(radii, 3), (2.0,))


def bowl(centre: ArrayLike, radii: ArrayLike, frame: Doubles, cut: float) -> Solid:
    """Give an ellipsoid's shell, open above the local height `cut` in (-1, 1)."""
    return Solid("ball", centre, frame * np.broadcast_to(radii, 3), (cut,))


def frustum(centre: ArrayLike, radius: float, half: float, frame: Doubles, top: float = 1.0) -> Solid:
    """Give a cylinder, or a cone cut where its radius is `top` times the lower one."""
    return Solid("frustum", centre, frame * np.array([radius, radius, half]), (top, 0.0))


def cup(centre: ArrayLike, radius: float, half: float, frame: Doubles, top: float = 1.0) -> Solid:
    """Give the same without lids: one looks into it."""
    return Solid("frustum", centre, frame * np.array([radius, radius, half]), (top, 1.0))


def rod(start: ArrayLike, end: ArrayLike, radius: float, top: float = 1.0) -> Solid:
    """Give a cylinder between two points."""
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    return frustum((a + b) / 2, radius, float(np.linalg.norm(b - a)) / 2, along(b - a), top)


def plane(point: ArrayLike, normal: ArrayLike) -> Solid:
    """Give the plane through a point."""
    return Solid("plane", point, along(normal))


def look(rng: np.random.Generator) -> int:
    """Draw the seed of a scene's colours."""
    return int(rng.integers(2**32))
