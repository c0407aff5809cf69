"""NumPy's NPY: a described array.

The description is a Python literal, which NumPy evaluates; here it is matched against the one form that NumPy
and others write, so that nothing is evaluated, and pickled objects are refused by their type.
"""

import re
import struct
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from atgvnet.io._stored import MalformedError, Stored, check_dtype, check_shape

__all__ = ["HEADER_LIMIT", "Header", "decode", "describe", "encode", "load"]

HEADER_LIMIT = 1 << 14
_MAGIC = b"\x93NUMPY"
_DTYPE = re.compile(r"""['"]descr['"]\s*:\s*['"]([<>|=]?[a-zA-Z]\d{0,4})['"]""")
_ORDER = re.compile(r"""['"]fortran_order['"]\s*:\s*(True|False)""")
_SHAPE = re.compile(r"""['"]shape['"]\s*:\s*\(([\d\s,L]{0,256})\)""")


@dataclass(frozen=True, kw_only=True, slots=True)
class Header:
    """What stands before the numbers, and how many bytes that takes."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    order: str
    length: int


def decode(data: bytes, _variable: str | None = None) -> Stored:
    """Read an array of numbers in two dimensions."""
    return Stored(array=load(data, describe(data)))


def describe(data: bytes) -> Header:
    """Read the header at the beginning of these bytes."""
    if data[:6] != _MAGIC:
        raise MalformedError("it does not begin as an NPY")
    if len(data) < 12 or data[6] not in (1, 2, 3):
        raise MalformedError("its NPY header is damaged")
    start, form = (10, "<H") if data[6] == 1 else (12, "<I")
    length = start + struct.unpack_from(form, data, 8)[0]
    if length > min(len(data), HEADER_LIMIT):
        raise MalformedError(f"its NPY header claims {length} bytes")
    text = data[start:length].decode("latin-1")
    dtype, order, shape = _DTYPE.search(text), _ORDER.search(text), _SHAPE.search(text)
    if dtype is None or order is None or shape is None:
        raise MalformedError("its NPY header does not describe a plain array of numbers")
    numbers = tuple(int(number) for number in re.findall(r"\d+", shape[1]))
    return Header(dtype=_dtype(dtype[1]), shape=numbers, order="F" if order[1] == "True" else "C", length=length)


def _dtype(text: str) -> np.dtype[Any]:
    letter = text.lstrip("<>|=")[0]
    if letter == "O":
        raise MalformedError("it holds pickled Python objects, which can run code; store numbers")
    try:
        dtype = np.dtype(text if letter in "biuf" else "")
    except TypeError:
        raise MalformedError(f"its numbers are of type {text!r}; store integers or floats") from None
    check_dtype(dtype)
    return dtype


def load(data: bytes, header: Header) -> NDArray[Any]:
    """View the numbers behind the header."""
    check_shape(header.shape)
    size, claimed = len(data) - header.length, header.shape[0] * header.shape[1] * header.dtype.itemsize
    if size != claimed:
        raise MalformedError(f"it holds {size} bytes of numbers, its header claims {claimed}")
    array = np.frombuffer(data, dtype=header.dtype, offset=header.length)
    return array.reshape(header.shape, order="F" if header.order == "F" else "C")


def encode(array: NDArray[Any], stream: BinaryIO, _variable: str | None = None) -> None:
    """Write the array as NumPy does."""
    np.lib.format.write_array(stream, array, allow_pickle=False)
