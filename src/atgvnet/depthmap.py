"""`DepthMap`: float32 values, a mask of the valid ones, their unit and kind, and the camera if it is known.

A missing pixel is known by the mask alone; its value is NaN, so that using it by mistake shows. Only `atgvnet.io`
knows that a file's 0, 65535, inf or NaN means "missing".
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from atgvnet.camera import Camera
from atgvnet.errors import InputError, UnitError

__all__ = ["DepthMap", "Encoding", "Kind", "Unit", "replace_camera"]

Unit = Literal["m", "mm", "disparity"]
Kind = Literal["z", "range"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Encoding:
    """How a file stored a map, so that a result can be stored alike: stored = round(value · depth_scale)."""

    suffix: str
    dtype: str = "float32"
    depth_scale: float = 1.0
    invalid: float | None = None
    variable: str | None = None


@dataclass(frozen=True, eq=False, slots=True)
class DepthMap:
    """A depth map.

    Parameters
    ----------
    values
        Height × width numbers, converted to float32. What is not finite is missing.
    valid
        Mask of the same shape; by default, where the values are finite.
    unit
        ``"m"``, ``"mm"`` or ``"disparity"`` (pixels, near is large).
    kind
        ``"z"``, the distance to the image plane, or ``"range"``, the distance along the ray.
    camera
        Intrinsics in pixels of this map.
    encoding
        How the file stored it that the map was read from.

    >>> depth = DepthMap([[1.0, 2.0], [0.0, 4.0]], valid=[[True, True], [False, True]])
    >>> depth.values
    array([[ 1.,  2.],
           [nan,  4.]], dtype=float32)
    """

    values: NDArray[np.float32]
    valid: NDArray[np.bool_]
    unit: Unit
    kind: Kind
    camera: Camera | None
    encoding: Encoding | None

    def __init__(
        self,
        values: ArrayLike,
        valid: ArrayLike | None = None,
        unit: Unit = "m",
        kind: Kind = "z",
        camera: Camera | None = None,
        encoding: Encoding | None = None,
    ) -> None:
        array = _two_dimensional(values)
        mask = np.isfinite(array) if valid is None else _mask(valid, array.shape) & np.isfinite(array)
        if unit not in get_args(Unit):
            raise UnitError(f"unit is {unit!r}; give one of {', '.join(get_args(Unit))}")
        if kind not in get_args(Kind):
            raise UnitError(f"kind is {kind!r}; give one of {', '.join(get_args(Kind))}")
        array = np.where(mask, array, np.float32(np.nan))
        array.flags.writeable = mask.flags.writeable = False
        for name, value in (
            ("values", array),
            ("valid", mask),
            ("unit", unit),
            ("kind", kind),
            ("camera", camera),
            ("encoding", encoding),
        ):
            object.__setattr__(self, name, value)

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return self.values.shape[0], self.values.shape[1]

    def with_values(self, values: ArrayLike, valid: ArrayLike | None = None) -> "DepthMap":
        """Give the same map with other values, of any size; the camera follows the size."""
        result = DepthMap(values, valid, self.unit, self.kind, None, self.encoding)
        if self.camera is None:
            return result
        scale = (result.shape[0] / self.shape[0], result.shape[1] / self.shape[1])
        return replace_camera(result, self.camera if scale == (1, 1) else self.camera.rescaled(*scale))

    def to_unit(self, unit: Unit) -> "DepthMap":
        """Convert between metres, millimetres and, by focal length and baseline, disparity."""
        if unit == self.unit:
            return self
        if {unit, self.unit} == {"m", "mm"}:
            values = self.values * np.float32(1000 if unit == "mm" else 0.001)
        elif self.camera is None or self.camera.baseline is None:
            raise UnitError(f"{self.unit} to {unit}: give a camera with fx and baseline")
        elif self.unit == "disparity":
            values = self.camera.flip_disparity(self.values) * np.float32(1000 if unit == "mm" else 1)
        else:
            values = self.camera.flip_disparity(self.to_unit("m").values)
        return DepthMap(values, self.valid, unit, self.kind, self.camera)

    def to_kind(self, kind: Kind) -> "DepthMap":
        """Convert between z and range along the ray; exact, by the camera."""
        if kind == self.kind:
            return self
        if self.camera is None:
            raise UnitError(f"{self.kind} to {kind}: give a camera with fx, fy, cx and cy")
        if self.unit == "disparity":
            raise UnitError("a disparity is neither z nor range; convert it to metres first")
        factor = self.camera.range_per_z(self.shape)
        values = self.values * factor if kind == "range" else self.values / factor
        return DepthMap(values, self.valid, self.unit, kind, self.camera, self.encoding)

    def save(self, path: str | Path, **options: float | str | None) -> None:
        """Write the map; options are those of `atgvnet.io.write`."""
        from atgvnet.io import write

        write(self, path, **options)


def replace_camera(depth: DepthMap, camera: Camera | None) -> DepthMap:
    """Give the same map with another camera."""
    return DepthMap(depth.values, depth.valid, depth.unit, depth.kind, camera, depth.encoding)


def _two_dimensional(values: ArrayLike) -> NDArray[np.float32]:
    try:
        with np.errstate(over="ignore"):
            array = np.array(values, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise InputError(f"depth map: values are not numbers ({error}); give a 2-D array") from error
    if array.ndim != 2 or 0 in array.shape:
        raise InputError(f"depth map: the shape is {array.shape}; give height × width, both at least 1")
    return array


def _mask(valid: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    mask = np.array(valid, dtype=bool)
    if mask.shape != shape:
        raise InputError(f"depth map: the mask is {mask.shape}, the values are {shape}; give equal shapes")
    return mask
