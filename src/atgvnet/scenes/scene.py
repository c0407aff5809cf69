"""What a scene is: a camera, a list of solids, a background depth. Frozen, and as plain arrays for the kernels.

The camera is at the origin and looks along +z, x to the right, y down. On the image, u and v run over [-1, 1] along
its longer side. A ray is `start + t * direction` with a direction that reaches z = 1, so that t is the depth: the
pinhole's starts at the origin towards (u half, v half, 1), the orthographic one's at (u half, v half, 0) along z.

A solid is a canonical shape inside the cube [-1, 1]³, moved to the world by x = centre + axes @ local. An affine map
keeps the parameter t of a ray, so every shape is intersected in its own frame.
"""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from atgvnet.errors import InputError

__all__ = ["KINDS", "Kind", "Projection", "Scene", "Solid", "View"]

Kind = Literal["box", "ball", "frustum", "torus", "field", "plane"]
Projection = Literal["pinhole", "orthographic"]
Doubles = NDArray[np.float64]

KINDS: dict[Kind, int] = {"box": 0, "ball": 1, "frustum": 2, "torus": 3, "field": 4, "plane": 5}
SHAPE_SIZE = 8


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

    def point(self, uv: ArrayLike, z: float) -> Doubles:
        """Give the world point seen at (u, v) with depth z."""
        return np.append(np.asarray(uv, np.float64) * self.reach(z), z)

    def reach(self, z: float) -> float:
        """Half of the longer side's extent at depth z."""
        return self.half * z if self.pinhole else self.half


@dataclass(frozen=True, eq=False, slots=True)
class Solid:
    """One solid.

    Parameters
    ----------
    kind
        ``"box"`` is the cube; ``"ball"`` the unit sphere, cut where z exceeds shape[0]; ``"frustum"`` has the
        radius 1 at z = -1 and shape[0] at z = 1, and no caps if shape[1] is 1; ``"torus"`` has the outer radius 1
        and the tube's radius shape[0]; ``"field"`` is the surface z = Σ of three waves over the square, each of the
        amplitude, frequency in x and in y that shape holds; ``"plane"`` is z = 0, without end.
    centre
        Its place in the world.
    axes
        Columns are the world vectors of the local unit vectors.
    shape
        Up to eight numbers, see above.
    """

    kind: Kind
    centre: ArrayLike
    axes: ArrayLike
    shape: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Scene:
    """Solids as arrays (N solids), the camera and the depth where no solid is hit."""

    view: View
    kinds: NDArray[np.int64]
    centres: Doubles
    axes: Doubles
    shapes: Doubles
    background: float = 1.0
    look: int = field(default=0)

    @classmethod
    def of(cls, view: View, solids: list[Solid], *, background: float = 1.0, look: int = 0) -> "Scene":
        """Pack solids; `look` seeds the colours of the intensity image."""
        shapes = np.zeros((len(solids), SHAPE_SIZE))
        for row, solid in zip(shapes, solids, strict=True):
            row[: len(solid.shape)] = solid.shape
        arrays = (
            np.array([KINDS[solid.kind] for solid in solids], np.int64),
            np.array([solid.centre for solid in solids], np.float64).reshape(-1, 3),
            np.array([solid.axes for solid in solids], np.float64).reshape(-1, 3, 3),
            shapes,
        )
        for array in arrays:
            array.flags.writeable = False
        kinds, centres, axes, shapes = arrays
        return cls(
            view=view, kinds=kinds, centres=centres, axes=axes, shapes=shapes, background=background, look=look
        )
