"""`read` and `write`: from stored numbers to depths and back."""

import math
from importlib import import_module
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from atgvnet.camera import Camera
from atgvnet.depthmap import DepthMap, Encoding, Kind, Unit
from atgvnet.errors import FileError, InputError
from atgvnet.io._boundary import malformed_is_named
from atgvnet.io._files import atomic, read_bytes
from atgvnet.io._stored import Stored

__all__ = ["FORMATS", "Format", "read", "write"]

Auto = Literal["auto"]
_SCALES = {"m": 1000.0, "mm": 1.0, "disparity": 256.0}


@dataclass(frozen=True, kw_only=True, slots=True)
class Format:
    """A file format: the module that has its `decode` and `encode`, and the number types that it is written with."""

    name: str
    module: str
    dtypes: tuple[str, ...]
    missing: float = math.nan
    unit: Unit = "m"

    def load(self) -> ModuleType:
        """Import the module."""
        return import_module(self.module)


FORMATS: dict[str, Format] = {
    ".png": Format(name="PNG", module="atgvnet.io.png", dtypes=("uint16", "uint8"), unit="mm"),
    ".mat": Format(name="MATLAB 5", module="atgvnet.io.mat", dtypes=("float32", "float64", "uint16", "uint8")),
}
"""The formats of depth maps by suffix; the first of the number types is the default."""


def _format(path: Path) -> Format:
    try:
        return FORMATS[path.suffix.lower()]
    except KeyError:
        raise FileError(f"{path}: no format has this suffix; use one of {', '.join(FORMATS)}") from None


def read(
    path: str | Path,
    *,
    depth_scale: float | None = None,
    invalid: float | Auto | None = "auto",
    unit: Unit | None = None,
    kind: Kind = "z",
    camera: Camera | None = None,
    variable: str | None = None,
) -> DepthMap:
    """Read a depth map.

    Parameters
    ----------
    path
        A file of one of `FORMATS`.
    depth_scale
        Stored number per unit: 1000 for millimetres read as metres, 5000 for TUM's maps, 256 for KITTI's.
    invalid
        The stored number that means "missing"; what is not finite always does. ``"auto"`` is 0 in files of
        integers and none in files of floats; None is none.
    unit
        What value / depth_scale is in. By default metres where a depth_scale is given; else files of 8-bit
        integers and PFM hold disparities, files of wider integers millimetres, files of floats metres.
    kind
        Whether the map holds z or the range along the ray.
    camera
        Its intrinsics, if known.
    variable
        Name in a file of several (MATLAB, NPZ).

    Raises
    ------
    FormatError
        If the content is not what the format promises.
    FileError
        If there is no such file, or no format of that suffix.
    """
    path = Path(path)
    form = _format(path)
    data = read_bytes(path)
    with malformed_is_named(path):
        stored: Stored = form.load().decode(data, variable)
    if stored.array.dtype.kind != "f" and unit == "m" and depth_scale is None:
        raise InputError(f"{path}: integers as metres need a depth scale; give 1000 for millimetres, 1 for metres")
    marker = _marker(stored.array, invalid)
    scale = 1.0 if depth_scale is None else _positive(depth_scale)
    encoding = Encoding(
        suffix=path.suffix.lower(),
        dtype=stored.array.dtype.name,
        depth_scale=scale,
        invalid=marker,
        variable=stored.variable,
    )
    values, valid = _values(stored.array, scale, marker)
    return DepthMap(values, valid, unit or _default_unit(form, stored.array, depth_scale), kind, camera, encoding)


def _positive(depth_scale: float) -> float:
    if not (isinstance(depth_scale, int | float) and math.isfinite(depth_scale) and depth_scale > 0):
        raise InputError(f"depth scale is {depth_scale!r}; give a positive number")
    return float(depth_scale)


def _marker(array: NDArray[Any], invalid: float | Auto | None) -> float | None:
    if invalid == "auto":
        return None if array.dtype.kind == "f" else 0.0
    return None if invalid is None else float(invalid)


def _default_unit(form: Format, array: NDArray[Any], depth_scale: float | None) -> Unit:
    if depth_scale is not None:
        return "m"
    if array.dtype.kind == "f":
        return form.unit
    return "disparity" if array.itemsize == 1 else "mm"


def _values(array: NDArray[Any], scale: float, marker: float | None) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Divide in float64, so that the float32 nearest to the quotient comes out; mask what is missing."""
    valid = np.isfinite(array) if marker is None else np.isfinite(array) & (array != marker)
    with np.errstate(all="ignore"):
        values = np.asarray(array if scale == 1 else array / np.float64(scale), dtype=np.float32)
    return values, valid & np.isfinite(values)


def write(
    depth: DepthMap,
    path: str | Path,
    *,
    depth_scale: float | None = None,
    invalid: float | None = None,
    dtype: DTypeLike = None,
) -> None:
    """Write a depth map; the file appears whole or not at all.

    Parameters
    ----------
    depth
        The map.
    path
        Where to; the suffix says in which of `FORMATS`.
    depth_scale, invalid, dtype
        How; by default as the map was read if the suffix is the same.
    """
    path = Path(path)
    form = _format(path)
    encoding = _encoding(depth, path, form, depth_scale, invalid, dtype)
    array = _stored(depth, encoding, form, path)
    with atomic(path) as stream:
        form.load().encode(array, stream, encoding.variable)


def _encoding(
    depth: DepthMap, path: Path, form: Format, depth_scale: float | None, invalid: float | None, dtype: DTypeLike
) -> Encoding:
    """Fill what the caller leaves open."""
    suffix = path.suffix.lower()
    known = depth.encoding if depth.encoding is not None and depth.encoding.suffix == suffix else None
    kind = np.dtype(dtype) if dtype is not None else np.dtype(known.dtype if known else form.dtypes[0])
    scale = depth_scale if depth_scale is not None else known.depth_scale if known else None
    if scale is None:
        scale = 1.0 if kind.kind == "f" or kind.itemsize == 1 else _SCALES[depth.unit]
    marker = invalid if invalid is not None else known.invalid if known else 0.0 if kind.kind != "f" else None
    return Encoding(
        suffix=suffix,
        dtype=kind.name,
        depth_scale=_positive(scale),
        invalid=marker,
        variable=known.variable if known else None,
    )


def _stored(depth: DepthMap, encoding: Encoding, form: Format, path: Path) -> NDArray[Any]:
    kind = np.dtype(encoding.dtype)
    scaled = depth.values * np.float64(encoding.depth_scale)
    if kind.kind == "f":
        marker = form.missing if encoding.invalid is None else encoding.invalid
        return np.where(depth.valid, scaled, marker).astype(kind)
    limits = np.iinfo(kind)
    rounded = np.where(depth.valid, np.rint(scaled), 0.0 if encoding.invalid is None else encoding.invalid)
    if rounded.min() < limits.min or rounded.max() > limits.max:
        raise InputError(
            f"{path}: values of {rounded.min():g} … {rounded.max():g} do not fit {kind.name}; give a smaller depth_scale"
        )
    return rounded.astype(kind)
