"""PFM: a header of three lines, then float32 rows from the bottom to the top.

The third line's sign is the byte order. Its size is ignored: Middlebury's maps have all sorts of it, and their
own reader ignores it too.
"""

import re
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from atgvnet.io._stored import MalformedError, Stored, check_shape, one_channel

__all__ = ["decode", "encode"]

_HEADER = re.compile(rb"P([fF])\s+(\d{1,10})\s+(\d{1,10})\s+([-+]?[\d.]{1,32}(?:[eE][-+]?\d{1,3})?)(\r?\n|\s)")


def decode(data: bytes, _variable: str | None = None) -> Stored:
    """Read a grey map, or one of three equal channels."""
    header = _HEADER.match(data[:128])
    if header is None:
        raise MalformedError("it does not begin as a PFM")
    channels = 1 if header[1] == b"f" else 3
    width, height = int(header[2]), int(header[3])
    check_shape((height, width))
    order = _byte_order(header[4])
    start = header.end()
    missing = 4 * channels * height * width - (len(data) - start)
    if missing == 1 and header[5] == b"\r\n":  # the line ended at the \r, and \n is the first pixel's
        start, missing = start - 1, 0
    if missing:
        raise MalformedError(f"it is {f'truncated by {missing}' if missing > 0 else f'longer by {-missing}'} bytes")
    array = np.frombuffer(data, dtype=order + "f4", offset=start).reshape(height, width, channels)[::-1]
    return Stored(array=array[..., 0] if channels == 1 else one_channel(array))


def _byte_order(text: bytes) -> str:
    try:
        scale = float(text)
    except ValueError:
        scale = 0.0
    if scale == 0:
        raise MalformedError(f"its third line is {text.decode('ascii')!r}; its sign should be the byte order")
    return "<" if scale < 0 else ">"


def encode(array: NDArray[Any], stream: BinaryIO, _variable: str | None = None) -> None:
    """Write little-endian float32."""
    stream.write(b"Pf\n%d %d\n-1.0\n" % (array.shape[1], array.shape[0]))
    stream.write(np.ascontiguousarray(array[::-1], dtype="<f4").data)
