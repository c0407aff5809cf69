"""What a scene is: a camera, solids, a background depth. Frozen, and as plain arrays for the kernels.

The camera is at the origin and looks along +z, x to the right, y down. On the image, u and v run over [-1, 1] along
its longer side. A ray is `start + t * direction` with a direction that reaches z = 1, so that t is the depth: the
pinhole's starts at the origin towards (u half, v half, 1), the orthographic one's at (u half, v half, 0) along z.

A solid is a canonical shape inside the cube [-1, 1]³, moved to the world by x = centre + axes @ local. An affine map
keeps the parameter t of a ray, so every shape is intersected in its own frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from atgvnet.errors import InputError

__all__ = ["KINDS", "Kind", "Projection", "Scene", "Solid", "Solids", "View"]

Kind = Literal["box", "ball", "frustum", "torus", "field", "plane"]
Projection = Literal["pinhole", "orthographic"]
Doubles = NDArray[np.float64]

KINDS: dict[Kind, int] = {"box": 0, "ball": 1, "frustum": 2, "torus": 3, "field": 4, "plane": 5}
SHAPE_SIZE = 9
PADDING = (0.0,) * SHAPE_SIZE


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """A camera: `half` is half of the longer side's extent, at z = 1 (pinhole) or anywhere (orthographic)."""

    projection: Projection = "pinhole"
    half: float = 0.5

    def __post_init__(self) -> None:
        if self.projection not in ("pinhole", "orthographic"):
            raise InputError(f"camera is {self.projection!r}; give 'pinhole' or 'orthographic'")
        if not 0 < self.half < 100:
            raise InputError(f"view: half is {self.half}; give a positive number below 100")

    @property
    def pinhole(self) -> bool:
        """Whether rays meet in the origin."""
        return self.projection == "pinhole"

    def reach(self, z: float) -> float:
        """Half of the longer side's extent at depth z."""
        return self.half * z if self.pinhole else self.half

    def point(self, uv: tuple[float, float], z: float) -> tuple[float, float, float]:
        """Give the world point seen at (u, v) with depth z."""
        reach = self.reach(z)
        return uv[0] * reach, uv[1] * reach, z


class Solid(NamedTuple):
    """One solid.

    `axes` has the local unit vectors as columns. `shape` depends on the kind: ``"box"`` is the cube; ``"ball"`` the
    unit sphere, open where z > shape[0]; ``"frustum"`` has the radius 1 at z = -1 and shape[0] ≤ 1 at z = 1, and no
    discs if shape[1] is 1; ``"torus"`` has the outer radius 1 and a tube of radius shape[0]; ``"field"`` is the sheet
    z = Σ of three waves over the square, shape holding each one's amplitude and frequencies in x and y;
    ``"plane"`` is z = 0 without end.
    """

    kind: Kind
    centre: ArrayLike
    axes: ArrayLike
    shape: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Solids:
    """N solids as arrays: kinds (N,), centres (N, 3), axes (N, 3, 3), shapes (N, SHAPE_SIZE)."""

    kinds: NDArray[np.int64]
    centres: Doubles
    axes: Doubles
    shapes: Doubles

    @classmethod
    def of(cls, solids: Sequence[Solid]) -> "Solids":
        """Pack solids."""
        count = len(solids)
        return cls(
            np.array([KINDS[solid.kind] for solid in solids], np.int64),
            np.array([solid.centre for solid in solids], np.float64).reshape(count, 3),
            np.array([solid.axes for solid in solids], np.float64).reshape(count, 3, 3),
            np.array([(*solid.shape, *PADDING)[:SHAPE_SIZE] for solid in solids]).reshape(count, SHAPE_SIZE),
        )

    @classmethod
    def join(cls, parts: Sequence["Solids"]) -> "Solids":
        """Put parts one after another."""
        if not parts:
            return cls.of([])
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__slots__))

    def placed(self, place: ArrayLike, frame: Doubles) -> "Solids":
        """Move by x = place + frame @ local."""
        return Solids(self.kinds, self.centres @ frame.T + np.asarray(place), frame @ self.axes, self.shapes)


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Scene:
    """A camera, solids and the depth where none is hit; `look` seeds the colours of the intensity image."""

    view: View
    solids: Solids
    background: float = 1.0
    look: int = 0

    def __post_init__(self) -> None:
        for name in Solids.__slots__:
            getattr(self.solids, name).flags.writeable = False
