"""What a file's content is before anybody says what it means: an array, and how large one may be.

Decoders are given the whole file as bytes. They compare what a header claims with the bytes there are before
they reserve memory for it, and raise `Malformed` in half a sentence, to which `read` adds the file's name.
"""

import zlib
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

__all__ = ["MAX_PIXELS", "Malformed", "Stored", "check_shape", "inflate"]

MAX_PIXELS = 1 << 27
"""The largest map that is read; a small compressed file can claim far more than there is memory."""


class Malformed(Exception):
    """The bytes are not what the format promises; the message says in which way."""


@dataclass(frozen=True, kw_only=True, eq=False, slots=True)
class Stored:
    """Numbers as a file holds them, and the variable's name in files of several."""

    array: NDArray[Any]
    variable: str | None = None


def check_shape(height: int, width: int) -> None:
    """Refuse empty maps and those beyond `MAX_PIXELS`."""
    if height < 1 or width < 1:
        raise Malformed(f"its size is {height} × {width} pixels")
    if height * width > MAX_PIXELS:
        raise Malformed(f"it claims {height} × {width} pixels; at most {MAX_PIXELS} are read")


def inflate(data: bytes | memoryview, size: int) -> bytes:
    """Decompress exactly `size` bytes; more of them are never made."""
    if size > 1032 * len(data):  # deflate's best
        raise Malformed(f"{len(data)} compressed bytes cannot hold {size}")
    stream = zlib.decompressobj()
    try:
        content = stream.decompress(data, size + 1)
    except zlib.error as error:
        raise Malformed(f"its compressed data are damaged ({error})") from error
    if len(content) != size or not stream.eof:
        raise Malformed(f"its compressed data are not the {size} bytes that they should be")
    return content
