"""OpenEXR of one part: half or single floats, or 32-bit integers, in named channels.

Lines stored plain or by ZIP, as nearly all depth maps are, are read and written here; tiles and other
compressions are left to the OpenEXR library.
"""

import io
import struct
import zlib
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from atgvnet.io._exr_header import MAGIC, TYPES, Channel, Header, attribute, parse
from atgvnet.io._stored import MalformedError, Stored, check_ratio, choose, inflate, one_channel

__all__ = ["decode", "encode"]

_ZIP = 3
_LINES = {0: 1, 2: 1, _ZIP: 16}  # of each compression's chunks: none, ZIPS, ZIP
_RATIOS = {0: 1}
_MOST = 1 << 15  # of any compression
_COLOURS = ("R", "G", "B")
Bytes = NDArray[np.uint8]


def decode(data: bytes, variable: str | None = None) -> Stored:
    """Read the channel of that name, the only one, the one called Z, or R where R, G and B are equal."""
    header = parse(data)
    pixels = header.shape[0] * header.shape[1] * sum(channel.dtype.itemsize for channel in header.channels)
    check_ratio(len(data), pixels, _RATIOS.get(header.compression, _MOST))
    chosen = _chosen(header, variable)
    load = _by_library if header.tiled or header.compression not in _LINES else _by_chunks
    arrays = load(data, header, chosen)
    array = arrays[0] if len(arrays) == 1 else one_channel(np.stack(arrays, axis=-1))
    return Stored(array=array, variable=chosen[0].name)


def _chosen(header: Header, variable: str | None) -> tuple[Channel, ...]:
    by_name = {channel.name: channel for channel in header.channels}
    depths = [name for name in by_name if name.split(".")[-1] == "Z"]
    if variable is None and set(by_name) == set(_COLOURS):
        return tuple(by_name[name] for name in _COLOURS)
    if variable is None and len(depths) == 1:
        variable = depths[0]
    return (choose(by_name.values(), by_name, variable),)


def _by_chunks(data: bytes, header: Header, chosen: tuple[Channel, ...]) -> list[NDArray[Any]]:
    height, width = header.shape
    arrays = [np.empty(header.shape, dtype=channel.dtype) for channel in chosen]
    sizes = [width * channel.dtype.itemsize for channel in header.channels]
    starts = [sum(sizes[: header.channels.index(channel)]) for channel in chosen]
    step = _LINES[header.compression]
    for chunk, first in enumerate(range(0, height, step)):
        rows = min(step, height - first)
        content = _chunk(data, header, chunk, first, rows * sum(sizes)).reshape(rows, -1)
        for array, start in zip(arrays, starts, strict=True):
            line = content[:, start : start + width * array.itemsize]
            array[first : first + rows] = np.ascontiguousarray(line).view(array.dtype)
    return arrays


def _chunk(data: bytes, header: Header, index: int, first: int, size: int) -> Bytes:
    """Give the bytes of some lines, found by the table of positions."""
    position = int.from_bytes(data[header.end + 8 * index : header.end + 8 * index + 8], "little")
    if not header.end <= position <= len(data) - 8:
        raise MalformedError("it is truncated")
    line, packed = struct.unpack_from("<iI", data, position)
    if line != header.top + first or packed > min(size, len(data) - position - 8):
        raise MalformedError(f"its lines from {first} on are damaged or truncated")
    content = memoryview(data)[position + 8 : position + 8 + packed]
    if packed == size:
        return np.frombuffer(content, dtype=np.uint8)
    if header.compression == 0:
        raise MalformedError(f"its lines from {first} on have {packed} bytes, not {size}")
    return _join(np.frombuffer(inflate(content, size), dtype=np.uint8))


def _join(split: Bytes) -> Bytes:
    """Undo `_split`."""
    steps = split - np.uint8(128)
    steps[0] = split[0]
    sums = np.cumsum(steps, dtype=np.uint8)
    result = np.empty_like(sums)
    half = (len(sums) + 1) // 2
    result[0::2], result[1::2] = sums[:half], sums[half:]
    return result


def _split(content: Bytes) -> Bytes:
    """Put the even bytes before the odd ones, and differences, 128 being none, in place of all but the first."""
    split = np.concatenate([content[0::2], content[1::2]])
    split[1:] -= split[:-1].copy() - np.uint8(128)
    return split


def _by_library(data: bytes, header: Header, chosen: tuple[Channel, ...]) -> list[NDArray[Any]]:
    import OpenEXR

    file = OpenEXR.InputFile(io.BytesIO(data))
    try:
        contents = [file.channel(channel.name) for channel in chosen]
    finally:
        file.close()
    return [
        np.frombuffer(content, dtype=channel.dtype).reshape(header.shape)
        for content, channel in zip(contents, chosen, strict=True)
    ]


def encode(array: NDArray[Any], stream: BinaryIO, variable: str | None = None) -> None:
    """Write one channel by ZIP."""
    height, width = array.shape
    header = _header(variable or "Z", array.dtype.str[1:], height, width)
    little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).view(np.uint8)
    chunks, position = [], len(header) + 8 * -(-height // _LINES[_ZIP])
    stream.write(header)
    for first in range(0, height, _LINES[_ZIP]):
        content = little[first : first + _LINES[_ZIP]].reshape(-1)
        packed = zlib.compress(_split(content).tobytes(), 1)
        best = packed if len(packed) < len(content) else content.tobytes()
        chunks.append(struct.pack("<iI", first, len(best)) + best)
        stream.write(struct.pack("<Q", position))
        position += len(chunks[-1])
    stream.writelines(chunks)


def _header(name: str, kind: str, height: int, width: int) -> bytes:
    channel = name.encode("ascii", "replace")[:31] + b"\0" + struct.pack("<IIii", TYPES.index(kind), 0, 1, 1)
    window = struct.pack("<4i", 0, 0, width - 1, height - 1)
    return (
        MAGIC
        + struct.pack("<I", 2)
        + attribute("channels", "chlist", channel + b"\0")
        + attribute("compression", "compression", bytes([_ZIP]))
        + attribute("dataWindow", "box2i", window)
        + attribute("displayWindow", "box2i", window)
        + attribute("lineOrder", "lineOrder", b"\0")
        + attribute("pixelAspectRatio", "float", struct.pack("<f", 1))
        + attribute("screenWindowCenter", "v2f", struct.pack("<2f", 0, 0))
        + attribute("screenWindowWidth", "float", struct.pack("<f", 1))
        + b"\0"
    )
