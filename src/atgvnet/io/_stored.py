"""What a file's content is before anybody says what it means: an array, and how large one may be.

Decoders are given the whole file as bytes. They compare what a header claims with the bytes there are before
they reserve memory for it, and raise `MalformedError` in half a sentence, to which `read` adds the file's name.
"""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "MAX_PIXELS",
    "MalformedError",
    "Stored",
    "check_dtype",
    "check_ratio",
    "check_shape",
    "choose",
    "inflate",
    "one_channel",
]

MAX_PIXELS = 1 << 27
"""The largest map that is read; a small compressed file can claim far more than there is memory."""

_DEFLATE_RATIO = 1032
T = TypeVar("T")


class MalformedError(Exception):
    """The bytes are not what the format promises; the message says in which way."""


@dataclass(frozen=True, kw_only=True, eq=False, slots=True)
class Stored:
    """Numbers as a file holds them, and the variable's name in files of several."""

    array: NDArray[Any]
    variable: str | None = None


def check_shape(shape: Sequence[int]) -> None:
    """Refuse what is not 2-D, empty maps and those beyond `MAX_PIXELS`."""
    if len(shape) != 2:
        raise MalformedError(f"its shape is {tuple(shape)}; a depth map is height × width")
    if min(shape) < 1:
        raise MalformedError(f"its size is {shape[0]} × {shape[1]} pixels")
    if shape[0] * shape[1] > MAX_PIXELS:
        raise MalformedError(f"it claims {shape[0]} × {shape[1]} pixels; at most {MAX_PIXELS} are read")


def check_dtype(dtype: np.dtype[Any]) -> None:
    """Refuse what is not real numbers of at most 64 bits."""
    if dtype.kind not in "biuf" or dtype.itemsize > 8:
        raise MalformedError(f"its numbers are of type {dtype.str!r}; store integers or floats")


def check_ratio(packed: int, size: int, most: int = _DEFLATE_RATIO) -> None:
    """Refuse a claim of `size` bytes that no compression gets into `packed`."""
    if size > most * packed:
        raise MalformedError(f"{packed} compressed bytes cannot hold the {size} that it claims")


def one_channel(array: NDArray[Any]) -> NDArray[Any]:
    """Give the channel of a height × width × 3 array that repeats it, as Middlebury's older maps do."""
    if not (array == array[..., :1]).all():
        raise MalformedError("it has 3 different channels; a depth map has one")
    return np.ascontiguousarray(array[..., 0])


def choose(candidates: Iterable[T], names: Iterable[str], wanted: str | None) -> T:
    """Give the candidate of that name, or the only one there is."""
    found = dict(zip(names, candidates, strict=True))
    if wanted in found:
        return found[wanted]
    if wanted is None and len(found) == 1:
        return next(iter(found.values()))
    listed = ", ".join(found)[:200] or "none"
    if wanted is None:
        raise MalformedError(f"it holds {len(found)} maps, not one; choose by name (variable) among: {listed}")
    raise MalformedError(f"it holds no map named {wanted!r}; there are: {listed}")


def inflate(data: bytes | memoryview, size: int) -> bytes:
    """Decompress exactly `size` bytes; more of them are never made."""
    check_ratio(len(data), size)
    stream = zlib.decompressobj()
    try:
        content = stream.decompress(data, size + 1)
    except zlib.error as error:
        raise MalformedError(f"its compressed data are damaged ({error})") from error
    if len(content) != size or not stream.eof:
        raise MalformedError(f"its compressed data are not the {size} bytes that they should be")
    return content
