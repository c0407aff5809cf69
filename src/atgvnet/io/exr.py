"""OpenEXR of one part: half or single floats, or 32-bit integers, in named channels."""

import io
from typing import Any, BinaryIO

import numpy as np
import OpenEXR
from numpy.typing import NDArray

from atgvnet.io._stored import MAX_PIXELS, MalformedError, Stored, check_ratio, check_shape, choose, one_channel

__all__ = ["decode", "encode"]

_MAGIC = b"\x76\x2f\x31\x01"
_RATIO = 1 << 15
_COLOURS = ("R", "G", "B")


def decode(data: bytes, variable: str | None = None) -> Stored:
    """Read the channel of that name, the only one, the one called Z, or R where R, G and B are equal."""
    if data[:4] != _MAGIC:
        raise MalformedError("it does not begin as an OpenEXR")
    _check(OpenEXR.File(io.BytesIO(data), separate_channels=True, header_only=True, num_threads=0), len(data))
    file = OpenEXR.File(io.BytesIO(data), separate_channels=True, num_threads=0)
    channels = {name: channel.pixels for name, channel in file.channels().items()}
    name, array = _channel(channels, variable)
    check_shape(array.shape)
    return Stored(array=array, variable=name)


def _check(file: Any, size: int) -> None:
    if len(file.parts) != 1:
        raise MalformedError(f"it has {len(file.parts)} parts; a depth map has one")
    header = file.header()
    if header["type"] not in (OpenEXR.scanlineimage, OpenEXR.tiledimage):
        raise MalformedError("it is a deep image; store a flat one")
    (left, top), (right, bottom) = (corner.tolist() for corner in header["dataWindow"])
    shape = (bottom - top + 1, right - left + 1)
    check_shape(shape)
    count = shape[0] * shape[1] * len(header["channels"])
    if count > 2 * MAX_PIXELS:
        raise MalformedError(f"it claims {len(header['channels'])} channels of {shape[0]} × {shape[1]} pixels")
    check_ratio(size, 2 * count, _RATIO)


def _channel(channels: dict[str, NDArray[Any]], variable: str | None) -> tuple[str, NDArray[Any]]:
    named_z = [name for name in channels if name.split(".")[-1] == "Z"]
    if variable is None and len(channels) > 1 and len(named_z) == 1:
        variable = named_z[0]
    if variable is None and set(channels) == set(_COLOURS):
        return "R", one_channel(np.stack([channels[name] for name in _COLOURS], axis=-1))
    return choose(channels.items(), channels, variable)


def encode(array: NDArray[Any], stream: BinaryIO, variable: str | None = None) -> None:
    """Write one channel, compressed by ZIP."""
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    OpenEXR.File(header, {variable or "Z": np.ascontiguousarray(array)}).write(stream)
