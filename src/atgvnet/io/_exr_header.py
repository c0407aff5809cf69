"""OpenEXR's header: named attributes, of which a depth map needs four.

The OpenEXR library prints to the terminal whatever it finds wrong, and reserves what is claimed. So the header is
looked at here, before the library sees the file.
"""

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from atgvnet.io._stored import MAX_PIXELS, MalformedError, check_shape

__all__ = ["Channel", "Header", "attribute", "parse"]

MAGIC = b"\x76\x2f\x31\x01"
TYPES = ("u4", "f2", "f4")
_TILED, _LONG_NAMES = 0x200, 0x400
_MOST_CHANNELS = 1024


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel of as many pixels as the image."""

    name: str
    dtype: np.dtype[Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Header:
    """What the attributes say; the chunks' positions are at `end`."""

    channels: tuple[Channel, ...]
    compression: int
    shape: tuple[int, int]
    top: int
    tiled: bool
    end: int


def parse(data: bytes) -> Header:
    """Read the header at the beginning of these bytes."""
    if data[:4] != MAGIC or len(data) < 8:
        raise MalformedError("it does not begin as an OpenEXR")
    version = struct.unpack_from("<I", data, 4)[0]
    if version & ~(_TILED | _LONG_NAMES) != 2:
        raise MalformedError("it has several parts, or deep pixels, or a version above 2; store one flat image")
    found, end = _attributes(data)
    try:
        channels, compression, window = (found[name] for name in ("channels", "compression", "dataWindow"))
        left, top, right, bottom = struct.unpack("<4i", window)
    except (KeyError, struct.error) as error:
        raise MalformedError("its header lacks channels, compression or data window") from error
    shape = (bottom - top + 1, right - left + 1)
    check_shape(shape)
    listed = _channels(channels)
    if len(listed) * shape[0] * shape[1] > 2 * MAX_PIXELS:
        raise MalformedError(f"it claims {len(listed)} channels of {shape[0]} × {shape[1]} pixels")
    tiled = bool(version & _TILED)
    return Header(channels=listed, compression=compression[0], shape=shape, top=top, tiled=tiled, end=end)


def attribute(name: str, kind: str, content: bytes) -> bytes:
    """Write an attribute."""
    return f"{name}\0{kind}\0".encode("ascii") + struct.pack("<I", len(content)) + content


def _attributes(data: bytes) -> tuple[dict[str, bytes], int]:
    found, position = {}, 8
    while data[position : position + 1] != b"\0":
        name, position = _text(data, position)
        _, position = _text(data, position)
        size = int.from_bytes(data[position : position + 4], "little")
        position += 4 + size
        if position >= len(data):
            raise MalformedError("its header is truncated")
        found[name] = data[position - size : position]
    return {name: content for name, content in found.items() if content}, position + 1


def _text(data: bytes, position: int) -> tuple[str, int]:
    end = data.find(b"\0", position, position + 256)
    if end <= position:
        raise MalformedError("its header is damaged")
    return data[position:end].decode("latin-1"), end + 1


def _channels(content: bytes) -> tuple[Channel, ...]:
    listed: list[Channel] = []
    position = 0
    while position < len(content) - 1 and len(listed) < _MOST_CHANNELS:
        name, position = _text(content, position)
        if position + 16 > len(content):
            raise MalformedError("its list of channels is truncated")
        kind, sampling_x, sampling_y = struct.unpack_from("<I4xii", content, position)
        if kind >= len(TYPES) or (sampling_x, sampling_y) != (1, 1):
            raise MalformedError(f"its channel {name!r} is sub-sampled or of the unknown type {kind}")
        listed.append(Channel(name, np.dtype("<" + TYPES[kind])))
        position += 16
    if not listed:
        raise MalformedError("it has no channels")
    return tuple(listed)
