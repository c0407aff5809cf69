"""`DepthMap`: float32 values, a mask of the valid ones, their unit and kind, and the camera if it is known.

A missing pixel is known by the mask alone; its value is NaN, so that using it by mistake shows. Only `atgvnet.io`
knows that a file's 0, 65535, inf or NaN means "missing".
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

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
        Height × width numbers, copied as float32. What is not finite, or masked in a masked array, is missing.
    valid
        Mask of the same shape: where the value is known. By default everywhere.
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
        mask = np.isfinite(array)
        if valid is not None:
            mask &= _mask(valid, array.shape)
        _check(unit, kind, camera)
        np.copyto(array, np.nan, where=~mask)
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
        array = values if isinstance(values, np.ndarray) else _two_dimensional(values)
        shape, camera = array.shape, self.camera
        if camera is not None and shape != self.shape and len(shape) == 2 and min(shape) > 0:
            camera = camera.rescaled(shape[0] / self.shape[0], shape[1] / self.shape[1])
        return DepthMap(array, valid, self.unit, self.kind, camera, self.encoding)

    def to_unit(self, unit: Unit) -> "DepthMap":
        """Convert between metres, millimetres and, by focal length and baseline, disparity.

        A disparity of 0 or less, infinitely far or farther, is missing in metres.
        """
        _check(unit, "z", None)
        if unit == self.unit:
            return self
        if "disparity" not in (unit, self.unit):
            return self._thousandfold(unit)
        if self.camera is None or self.camera.baseline is None:
            raise UnitError(f"{self.unit} to {unit}: give a camera with fx and baseline")
        if self.kind == "range":
            raise UnitError("a disparity belongs to z; convert the range by to_kind('z') first")
        if self.unit == "disparity":
            metres = DepthMap(self.camera.flip_disparity(self.values), None, "m", self.kind, self.camera)
            return metres.to_unit(unit)
        values = self.camera.flip_disparity(self.to_unit("m").values)
        return DepthMap(values, None, unit, self.kind, self.camera)

    def _thousandfold(self, unit: Unit) -> "DepthMap":
        """Convert between metres and millimetres; a file's numbers stay what they were, but for plain floats."""
        thousand = np.float32(1000)
        with np.errstate(over="ignore"):
            values = self.values * thousand if unit == "mm" else self.values / thousand
        encoding = self.encoding
        if encoding is not None and (encoding.depth_scale != 1 or not encoding.dtype.startswith("float")):
            scale = encoding.depth_scale / 1000 if unit == "mm" else encoding.depth_scale * 1000
            encoding = replace(encoding, depth_scale=scale)
        return DepthMap(values, None, unit, self.kind, self.camera, encoding)

    def to_kind(self, kind: Kind) -> "DepthMap":
        """Convert between z and range along the ray; exact, by the camera."""
        _check(self.unit, kind, None)
        if kind == self.kind:
            return self
        if self.camera is None:
            raise UnitError(f"{self.kind} to {kind}: give a camera with fx, fy, cx and cy")
        factor = self.camera.range_per_z(self.shape)
        values = self.values * factor if kind == "range" else self.values / factor
        return DepthMap(values, None, self.unit, kind, self.camera, self.encoding)

    def save(
        self,
        path: str | Path,
        *,
        depth_scale: float | None = None,
        invalid: float | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        """Write the map, as `atgvnet.io.write` does."""
        from atgvnet.io import write

        write(self, path, depth_scale=depth_scale, invalid=invalid, dtype=dtype)


def replace_camera(depth: DepthMap, camera: Camera | None) -> DepthMap:
    """Give the same map with another camera."""
    return DepthMap(depth.values, depth.valid, depth.unit, depth.kind, camera, depth.encoding)


def _check(unit: object, kind: object, camera: object) -> None:
    if unit not in get_args(Unit):
        raise UnitError(f"unit is {unit!r}; give one of {', '.join(get_args(Unit))}")
    if kind not in get_args(Kind):
        raise UnitError(f"kind is {kind!r}; give one of {', '.join(get_args(Kind))}")
    if unit == "disparity" and kind == "range":
        raise UnitError("a disparity belongs to z and not to a range; give kind='z', or the unit of the range")
    if camera is not None and not isinstance(camera, Camera):
        raise InputError(f"camera is {camera!r}; give an atgvnet.camera.Camera")


def _two_dimensional(values: ArrayLike) -> NDArray[np.float32]:
    array = _numbers(values, "values")
    if array.ndim != 2 or 0 in array.shape:
        raise InputError(f"depth map: the shape is {array.shape}; give height × width, both at least 1")
    with np.errstate(all="ignore"):
        result = np.array(array, dtype=np.float32, order="C")
    if isinstance(values, np.ma.MaskedArray):
        result[np.ma.getmaskarray(values)] = np.nan
    return result


def _mask(valid: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    mask = _numbers(valid, "mask")
    if mask.shape != shape:
        raise InputError(f"depth map: the mask is {mask.shape}, the values are {shape}; give equal shapes")
    return np.asarray(mask != 0)


def _numbers(values: ArrayLike, what: str) -> NDArray[Any]:
    try:
        array = np.asarray(values)
    except Exception as error:  # ragged lists, tensors that need a gradient or are elsewhere, …
        raise InputError(f"depth map: the {what} cannot be an array ({error}); give 2-D numbers") from error
    if array.dtype.kind not in "biuf":
        raise InputError(f"depth map: the {what} are of type {array.dtype}; give real numbers")
    return array
