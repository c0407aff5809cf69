"""MATLAB files of version 5 (what `save -v6` and `save -v7` write): the real numeric matrices in them.

SciPy reads far more of them (cells, objects, functions), and reserves what a header claims before it looks for
the data; here a claim is compared with the bytes there are.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from atgvnet.io._stored import MalformedError, Stored, check_shape, choose, inflate

__all__ = ["decode", "encode"]

_NUMBERS = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
_CLASSES = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8"}
_MATRIX, _COMPRESSED, _COMPLEX = 14, 15, 0x0800
_PEEK = 4096
_HDF5 = b"\x89HDF"


@dataclass(frozen=True, slots=True)
class _Element:
    """One typed run of bytes, and where the next one begins."""

    kind: int
    content: memoryview
    end: int


@dataclass(frozen=True, slots=True)
class _Variable:
    """What stands before a matrix's numbers; `packed` if the whole is compressed."""

    name: str
    flags: int
    shape: tuple[int, ...]
    content: memoryview
    packed: bool

    @property
    def usable(self) -> bool:
        """Say whether it is a real matrix of at least one pixel; MATLAB's own data have no name."""
        return bool(self.name) and not self.flags & _COMPLEX and len(self.shape) == 2 and min(self.shape) > 0


def decode(data: bytes, variable: str | None = None) -> Stored:
    """Read the matrix of that name, or the only one of numbers larger than 1 × 1."""
    order = _byte_order(data)
    usable = [found for found in _variables(memoryview(data), order) if found.usable]
    if variable is None:
        usable = [found for found in usable if found.shape != (1, 1)] or usable
    chosen = choose(usable, [found.name for found in usable], variable)
    check_shape(chosen.shape)
    return Stored(array=_load(chosen, order), variable=chosen.name)


def _byte_order(data: bytes) -> str:
    if _HDF5 in (data[:4], data[512:516]) or data[124:128] == b"\x00\x02IM":
        raise MalformedError("it is a MATLAB 7.3 (HDF5) file; save it in MATLAB with save(..., '-v7')")
    order = {b"IM": "<", b"MI": ">"}.get(data[126:128])
    if order is None or len(data) < 128:
        raise MalformedError("it does not begin as a MATLAB 5 file")
    return order


def _variables(data: memoryview, order: str) -> Iterator[_Variable]:
    """Describe the numeric ones; structures, tables, functions and the like are laid out otherwise."""
    position = 128
    while position < len(data):
        element = _element(data, position, order, aligned=False)
        position = element.end
        head, packed = element.content, element.kind == _COMPRESSED
        if packed:
            head = memoryview(_peek(element.content))
            if len(head) < 8 or struct.unpack_from(order + "I", head)[0] != _MATRIX:
                continue
            head = head[8:]
        elif element.kind != _MATRIX:
            continue
        if _flags(head, order) & 0xFF in _CLASSES:
            flags, shape, name, _ = _parts(head, order)
            yield _Variable(name, flags, shape, element.content, packed)


def _peek(content: memoryview) -> bytes:
    try:
        return zlib.decompressobj().decompress(content, _PEEK)
    except zlib.error as error:
        raise MalformedError(f"its compressed data are damaged ({error})") from error


def _element(data: memoryview, position: int, order: str, *, aligned: bool = True) -> _Element:
    """Read the tag at `position`: type and size, or both in 4 bytes and the content in the next 4."""
    if position + 8 > len(data):
        raise MalformedError("it is truncated")
    kind, size = struct.unpack_from(order + "II", data, position)
    start = position + 8
    end = start + size + (-size % 8 if aligned else 0)
    if kind >> 16:
        kind, size, start, end = kind & 0xFFFF, kind >> 16, position + 4, position + 8
        if size > 4:
            raise MalformedError(f"a small element of it claims {size} bytes")
    if start + size > len(data):
        raise MalformedError("it is truncated")
    return _Element(kind, data[start : start + size], end)


def _flags(data: memoryview, order: str) -> int:
    content = _element(data, 0, order).content
    if len(content) != 8:
        raise MalformedError("a variable of it has a damaged description")
    return int(struct.unpack_from(order + "I", content)[0])


def _parts(data: memoryview, order: str) -> tuple[int, tuple[int, ...], str, int]:
    """Give a matrix's flags, shape, name, and where its numbers begin."""
    dimensions = _element(data, _element(data, 0, order).end, order)
    name = _element(data, dimensions.end, order)
    if not 8 <= len(dimensions.content) <= 128 or len(dimensions.content) % 4:
        raise MalformedError("a matrix of it has a damaged description")
    shape = struct.unpack(f"{order}{len(dimensions.content) // 4}i", dimensions.content)
    return _flags(data, order), shape, bytes(name.content).decode("latin-1"), name.end


def _load(variable: _Variable, order: str) -> NDArray[Any]:
    content = _unpacked(variable, order) if variable.packed else variable.content
    numbers = _element(content, _parts(content, order)[3], order)
    kind = _NUMBERS.get(numbers.kind)
    height, width = variable.shape
    if kind is None or len(numbers.content) != height * width * int(kind[1]):
        raise MalformedError(
            f"its variable {variable.name!r} holds {len(numbers.content)} bytes for {height} × {width}"
        )
    array = np.frombuffer(numbers.content, dtype=order + kind).reshape((height, width), order="F")
    with np.errstate(all="ignore"):
        return np.ascontiguousarray(array, dtype=_CLASSES[variable.flags & 0xFF])


def _unpacked(variable: _Variable, order: str) -> memoryview:
    size = struct.unpack_from(order + "4xI", _peek(variable.content))[0]
    most = variable.shape[0] * variable.shape[1] * 8 + _PEEK
    if size > most:
        raise MalformedError(f"its variable {variable.name!r} claims {size} bytes, more than its numbers need")
    return memoryview(inflate(variable.content, 8 + size))[8:]


def encode(array: NDArray[Any], stream: BinaryIO, variable: str | None = None) -> None:
    """Write one matrix, little-endian, not compressed."""
    kind = array.dtype.str[1:]
    content = np.asfortranarray(array, dtype="<" + kind).tobytes(order="F")
    mx_class = next(number for number, name in _CLASSES.items() if name == kind)
    mi_type = next(number for number, name in _NUMBERS.items() if name == kind)
    body = (
        _packed(6, struct.pack("<II", mx_class, 0))
        + _packed(5, struct.pack("<ii", *array.shape))
        + _packed(1, (variable or "depth").encode("ascii"))
    )
    padding = bytes(-len(content) % 8)
    size = len(body) + 8 + len(content) + len(padding)
    stream.write(b"MATLAB 5.0 MAT-file, written by atgvnet".ljust(116) + bytes(8) + struct.pack("<H", 0x0100) + b"IM")
    stream.write(struct.pack("<II", _MATRIX, size) + body + struct.pack("<II", mi_type, len(content)))
    stream.write(content)
    stream.write(padding)


def _packed(kind: int, content: bytes) -> bytes:
    return struct.pack("<II", kind, len(content)) + content + bytes(-len(content) % 8)
