"""PNG of one channel, 8 or 16 bits.

Pillow undoes the row filters. The chunks' checksums are tested here, because Pillow skips those of the pixels,
and the pixels are written here, because Pillow tries every row filter on every row: at 640 × 480 that is twice
the time for files of the same size.
"""

import io
import struct
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import PngImagePlugin

from atgvnet.io._stored import MalformedError, Stored, check_ratio, check_shape, one_channel

__all__ = ["decode", "encode"]

_MAGIC = b"\x89PNG\r\n\x1a\n"
_GREY, _CHANNELS = 0, {0: 1, 2: 3, 3: 3, 4: 2, 6: 4}
_NEEDED = (b"IHDR", b"PLTE", b"IDAT", b"IEND")  # the others, such as texts, can only do harm
_LEVEL = 1


def decode(data: bytes, _variable: str | None = None) -> Stored:
    """Read a grey image, or a palette or RGB one of 8 bits whose channels are equal."""
    chunks = list(_chunks(data))
    depth, colour = _header(chunks)
    if colour != _GREY and (_CHANNELS[colour] != 3 or depth > 8):
        raise MalformedError(f"it has {_CHANNELS[colour]} channels; a depth map has one")
    needed = b"".join([_MAGIC, *(content for name, content in chunks if name in _NEEDED)])
    with PngImagePlugin.PngImageFile(io.BytesIO(needed)) as image:
        if colour == _GREY and depth < 8:
            return Stored(array=np.asarray(image.convert("L")))
        array = np.asarray(image if colour == _GREY else image.convert("RGB"))
    return Stored(array=array if array.ndim == 2 else one_channel(array))


def _chunks(data: bytes) -> Iterator[tuple[bytes, memoryview]]:
    """Give each chunk's name and all of it, its checksum tested."""
    if data[:8] != _MAGIC:
        raise MalformedError("it does not begin as a PNG")
    position, name = 8, b""
    while name != b"IEND":
        length, name = struct.unpack_from(">I4s", data, position) if position + 12 <= len(data) else (len(data), b"")
        end = position + 8 + length
        if end + 4 > len(data):
            raise MalformedError("it is truncated")
        if zlib.crc32(memoryview(data)[position + 4 : end]) != int.from_bytes(data[end : end + 4], "big"):
            raise MalformedError(f"the checksum of its part {name.decode('latin-1')!r} is wrong")
        yield name, memoryview(data)[position : end + 4]
        position = end + 4


def _header(chunks: list[tuple[bytes, memoryview]]) -> tuple[int, int]:
    """Give bit depth and colour type."""
    name, content = chunks[0]
    if [name for name, _ in chunks].count(b"IHDR") != 1 or name != b"IHDR" or len(content) != 12 + 13:
        raise MalformedError("it does not begin with one header")
    width, height, depth, colour = struct.unpack_from(">IIBB", content, 8)
    check_shape((height, width))
    if colour not in _CHANNELS:
        raise MalformedError(f"its colour type is {colour}")
    packed = sum(len(content) for name, content in chunks if name == b"IDAT")
    check_ratio(packed, height * (width * depth // 8))
    return depth, colour


def encode(array: NDArray[Any], stream: BinaryIO, _variable: str | None = None) -> None:
    """Write uint8 or uint16."""
    height, width = array.shape
    size = array.itemsize
    stream.write(_MAGIC)
    _chunk(stream, b"IHDR", struct.pack(">IIBBBBB", width, height, 8 * size, _GREY, 0, 0, 0))
    compressor = zlib.compressobj(_LEVEL)
    step = max(1, (1 << 20) // (width * size))
    for start in range(0, height, step):
        _chunk(stream, b"IDAT", compressor.compress(_filtered(array[start : start + step])))
    _chunk(stream, b"IDAT", compressor.flush())
    _chunk(stream, b"IEND", b"")


def _filtered(rows: NDArray[Any]) -> bytes:
    """Differences to the pixel on the left, byte by byte, behind the number of that filter."""
    size = rows.itemsize
    big = np.ascontiguousarray(rows, dtype=rows.dtype.newbyteorder(">")).view(np.uint8)
    result = np.empty((len(rows), big.shape[1] + 1), dtype=np.uint8)
    result[:, 0] = 1
    result[:, 1 : 1 + size] = big[:, :size]
    np.subtract(big[:, size:], big[:, :-size], out=result[:, 1 + size :])
    return result.tobytes()


def _chunk(stream: BinaryIO, name: bytes, content: bytes) -> None:
    if content or name != b"IDAT":
        stream.write(struct.pack(">I", len(content)) + name + content)
        stream.write(struct.pack(">I", zlib.crc32(content, zlib.crc32(name))))
