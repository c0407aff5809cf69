"""`read` and `read_image`: from stored numbers to depths."""

import math
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from atgvnet.camera import Camera
from atgvnet.depthmap import DepthMap, Encoding, Kind, Unit
from atgvnet.errors import InputError
from atgvnet.io._files import named, read_bytes
from atgvnet.io._formats import Format, format_of

__all__ = ["positive", "read", "read_image"]

Invalid = float | Literal["auto"] | None
Floats = NDArray[np.float32]


def read(
    path: str | Path,
    *,
    depth_scale: float | None = None,
    invalid: Invalid = "auto",
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
        Stored numbers per unit: 1000 for millimetres read as metres, 5000 for TUM's maps, 256 for KITTI's.
    invalid
        The stored number that means "missing"; what is not finite always does. ``"auto"`` is 0 in files of
        integers and no number in files of floats; None is no number in either.
    unit
        What stored / depth_scale is in. By default metres if a depth scale is given; if not, 8-bit integers and
        PFM hold disparities, wider integers millimetres, and other floats metres.
    kind
        Whether the map holds z or the range along the ray.
    camera
        Its intrinsics, if known.
    variable
        Name of the map in a file of several (MATLAB, NPZ, OpenEXR).

    Raises
    ------
    FormatError
        If the content is not what the format promises.
    FileError
        If there is no such file, or no format of that suffix.
    InputError
        If an option cannot be used.
    """
    path = Path(path)
    form = format_of(path)
    scale = 1.0 if depth_scale is None else positive(depth_scale)
    data = read_bytes(path)
    with named(path):
        stored = form.codec.decode(data, variable)
    if depth_scale is None:
        unit = _unit(path, form, stored.array, unit)
    marker = _marker(stored.array, invalid)
    encoding = Encoding(
        suffix=path.suffix.lower(),
        dtype=stored.array.dtype.name,
        depth_scale=scale,
        invalid=marker,
        variable=stored.variable,
    )
    values, valid = _values(stored.array, scale, marker)
    return DepthMap(values, valid, unit or "m", kind, camera, encoding)


def positive(depth_scale: float) -> float:
    """Check a depth scale."""
    try:
        scale = float(depth_scale)
    except (TypeError, ValueError, OverflowError):
        scale = math.nan
    if not (math.isfinite(scale) and scale > 0):
        raise InputError(f"depth_scale is {depth_scale!r}; give a positive number")
    return scale


def _unit(path: Path, form: Format, array: NDArray[Any], unit: Unit | None) -> Unit:
    """Say what numbers without a depth scale are in."""
    if array.dtype.kind == "f":
        return unit or form.unit
    if unit == "m":
        raise InputError(f"{path}: integers as metres need a depth_scale; give 1000 if they are millimetres")
    return unit or ("disparity" if array.itemsize == 1 else "mm")


def _marker(array: NDArray[Any], invalid: Invalid) -> float | None:
    """Give the number that means missing; in floats, unless told, one of those that are not finite."""
    if invalid is not None and invalid != "auto":
        try:
            return float(invalid)
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"invalid is {invalid!r}; give a number, 'auto' or None") from None
    if array.dtype.kind == "f":
        missing = array[~np.isfinite(array)]
        return float(missing[0]) if missing.size else None
    return 0.0 if invalid == "auto" else None


def _values(array: NDArray[Any], scale: float, marker: float | None) -> tuple[Floats, NDArray[np.bool_]]:
    """Divide in float64, so that the float32 nearest to the quotient comes out, and mask what is missing."""
    valid = np.isfinite(array) if marker is None else np.isfinite(array) & (array != marker)
    values = np.empty(array.shape, dtype=np.float32)
    with np.errstate(all="ignore"):
        np.divide(array, scale, out=values, dtype=np.float64, casting="same_kind")
    return values, valid


def read_image(path: str | Path) -> Floats:
    """Read a PNG, JPEG, BMP or PPM as height × width × 3, float32 in 0…1; grey is repeated.

    Raises
    ------
    FormatError
        If the content is not an image.
    FileError
        If there is no such file.
    """
    path = Path(path)
    data = read_bytes(path)
    with named(path):
        image: Floats = import_module("atgvnet.io.image").decode(data)
    return image
