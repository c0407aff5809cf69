"""`write`: from depths to stored numbers, none of which may say something else than the map."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from atgvnet.depthmap import DepthMap, Encoding
from atgvnet.errors import InputError
from atgvnet.io._files import atomic
from atgvnet.io._formats import FORMATS, Format, format_of
from atgvnet.io._read import positive

__all__ = ["write"]

_BLOCK = 1 << 16
_MILLIMETRES = {"m": 1000.0, "mm": 1.0}
_KITTI = 256.0
_ADVICE = "give another depth_scale, or write floats (.pfm, .npy, .tiff, .exr)"


def write(
    depth: DepthMap,
    path: str | Path,
    *,
    depth_scale: float | None = None,
    invalid: float | None = None,
    dtype: DTypeLike | None = None,
) -> None:
    """Write a depth map; the file appears whole or not at all.

    What is left open is as in the file that the map was read from, if that was of the same format. Otherwise
    files of integers hold millimetres (of a map in metres or millimetres) or disparities (as they are if they
    are whole, in 8 bits if these are enough, else in 16 bits times 256, as KITTI's), and 0 means missing; files
    of floats hold the values as they are, and NaN (in PFM, inf) means missing.

    Parameters
    ----------
    depth
        The map.
    path
        Where to; the suffix names one of `FORMATS`.
    depth_scale
        Stored numbers per unit.
    invalid
        The stored number for missing pixels; NaN if integers are to have none.
    dtype
        Number type, one of the format's.

    Raises
    ------
    InputError
        If a value does not fit the number type, or would read as missing.
    FileError
        If the file cannot be written.
    """
    path = Path(path)
    form = format_of(path)
    encoding = _encoding(depth, path, form, depth_scale, invalid, dtype)
    array = _stored(depth, encoding, form, path)
    with atomic(path) as stream:
        form.codec.encode(array, stream, encoding.variable)


def _encoding(
    depth: DepthMap, path: Path, form: Format, scale: float | None, invalid: float | None, dtype: DTypeLike | None
) -> Encoding:
    """Fill in what the caller leaves open."""
    kind = None if dtype is None else _dtype(path, form, dtype)
    known = depth.encoding
    if known is None or not _reusable(known, form, kind):
        known = _default(depth, path, form, kind)
    encoding = replace(
        known,
        dtype=kind or known.dtype,
        depth_scale=known.depth_scale if scale is None else positive(scale),
        invalid=known.invalid if invalid is None else _number(invalid),
    )
    if dtype is None and encoding.dtype == "uint8" and np.rint(_largest(depth) * encoding.depth_scale) > 255:
        return replace(encoding, dtype="uint16")
    return encoding


def _dtype(path: Path, form: Format, dtype: DTypeLike) -> str:
    try:
        name = np.dtype(dtype).name
    except TypeError:
        name = str(dtype)
    if name not in form.dtypes:
        raise InputError(f"{path}: {form.name} is not written as {name}; give one of {', '.join(form.dtypes)}")
    return name


def _number(invalid: float) -> float:
    try:
        return float(invalid)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"invalid is {invalid!r}; give a number") from None


def _reusable(known: Encoding, form: Format, kind: str | None) -> bool:
    """Say whether the file that was read was of this format, and of the kind of number that is wanted."""
    same_kind = kind is None or _is_float(kind) == _is_float(known.dtype)
    return FORMATS.get(known.suffix) is form and known.dtype in form.dtypes and same_kind


def _is_float(dtype: str) -> bool:
    return np.dtype(dtype).kind == "f"


def _largest(depth: DepthMap) -> float:
    return float(depth.values.max(where=depth.valid, initial=0))


def _default(depth: DepthMap, path: Path, form: Format, kind: str | None) -> Encoding:
    """Choose by unit."""
    suffix, kind_or_first = path.suffix.lower(), kind or form.dtypes[0]
    if _is_float(kind_or_first):
        return Encoding(suffix=suffix, dtype=kind_or_first)
    if depth.unit != "disparity":
        return Encoding(suffix=suffix, dtype=kind_or_first, depth_scale=_MILLIMETRES[depth.unit], invalid=0.0)
    whole = bool((np.rint(depth.values) == depth.values).all(where=depth.valid))
    if kind is None and whole and _largest(depth) <= 255:
        kind_or_first = "uint8"
    scale = 1.0 if whole or kind_or_first == "uint8" else _KITTI
    return Encoding(suffix=suffix, dtype=kind_or_first, depth_scale=scale, invalid=0.0)


def _stored(depth: DepthMap, encoding: Encoding, form: Format, path: Path) -> NDArray[Any]:
    """Convert a few rows at a time: in float64, a large map would take several times its memory."""
    dtype = np.dtype(encoding.dtype)
    marker = _marker(depth, encoding, form, dtype, path)
    result = np.empty(depth.shape, dtype=dtype)
    step = max(1, _BLOCK // depth.shape[1])
    for start in range(0, depth.shape[0], step):
        rows = slice(start, start + step)
        valid = depth.valid[rows]
        numbers = depth.values[rows] * np.float64(encoding.depth_scale)
        if dtype.kind != "f":
            np.rint(numbers, out=numbers)
        _check_fit(numbers, valid, dtype, path)
        if marker is not None:
            np.copyto(numbers, marker, where=~valid)
        with np.errstate(over="ignore"):
            result[rows] = numbers
        if marker is not None and (result[rows] == marker).any(where=valid):
            raise InputError(f"{path}: a value is stored as {marker:g}, which means missing; {_ADVICE}, or invalid")
    return result


def _marker(depth: DepthMap, encoding: Encoding, form: Format, dtype: np.dtype[Any], path: Path) -> float | None:
    """Give the number of missing pixels, which no other may have; None where there is no such number."""
    if dtype.kind == "f":
        return form.missing if encoding.invalid is None else encoding.invalid
    marker, limits = encoding.invalid or 0.0, np.iinfo(dtype)
    fits = limits.min <= marker <= limits.max and marker == round(marker)
    if depth.valid.all() and (encoding.invalid is None or not fits):
        return None
    if not fits:
        raise InputError(f"{path}: missing pixels cannot be {marker:g} in {dtype.name}; give a number for invalid")
    return marker


def _check_fit(numbers: NDArray[np.float64], valid: NDArray[np.bool_], dtype: np.dtype[Any], path: Path) -> None:
    limits = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    low, high = numbers.min(where=valid, initial=0), numbers.max(where=valid, initial=0)
    if low < limits.min or high > limits.max:
        worst = low if low < limits.min else high
        raise InputError(f"{path}: {worst:g} does not fit {dtype.name}; {_ADVICE}")
