"""Which formats there are: one line each."""

import math
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from numpy.typing import NDArray

from atgvnet.depthmap import Unit
from atgvnet.errors import FileError
from atgvnet.io._stored import Stored

__all__ = ["FORMATS", "Codec", "Format", "format_of"]

_INTEGERS = ("uint8", "uint16", "int8", "int16", "int32", "uint32")


class Codec(Protocol):
    """What a format's module has."""

    def decode(self, data: bytes, variable: str | None = None, /) -> Stored:
        """Read a file's content."""
        ...

    def encode(self, array: NDArray[Any], stream: BinaryIO, variable: str | None = None, /) -> None:
        """Write an array of one of the format's number types."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Format:
    """A file format.

    Parameters
    ----------
    name
        What people call it.
    module
        Its `Codec`, imported when first used.
    dtypes
        The number types that it is written with, the default first.
    missing
        What stands for a missing pixel among floats.
    unit
        What its floats are in, if nobody says so.
    """

    name: str
    module: str
    dtypes: tuple[str, ...]
    missing: float = math.nan
    unit: Unit = "m"

    @property
    def codec(self) -> Codec:
        """Import the module."""
        return cast(Codec, import_module(self.module))


_TIFF = Format(name="TIFF", module="atgvnet.io.tiff", dtypes=("float32", "float64", "float16", *_INTEGERS))

FORMATS: dict[str, Format] = {
    ".png": Format(name="PNG", module="atgvnet.io.png", dtypes=("uint16", "uint8")),
    ".pfm": Format(name="PFM", module="atgvnet.io.pfm", dtypes=("float32",), missing=math.inf, unit="disparity"),
    ".npy": Format(name="NPY", module="atgvnet.io.npy", dtypes=("float32", "float64", "float16", *_INTEGERS)),
    ".npz": Format(name="NPZ", module="atgvnet.io.npz", dtypes=("float32", "float64", "float16", *_INTEGERS)),
    ".tiff": _TIFF,
    ".tif": _TIFF,
    ".exr": Format(name="OpenEXR", module="atgvnet.io.exr", dtypes=("float32", "float16", "uint32")),
    ".mat": Format(name="MATLAB 5", module="atgvnet.io.mat", dtypes=("float32", "float64", *_INTEGERS)),
}
"""The formats of depth maps by suffix."""


def format_of(path: Path) -> Format:
    """Give the format that a path's suffix names."""
    try:
        return FORMATS[path.suffix.lower()]
    except KeyError:
        raise FileError(f"{path}: no format has the suffix {path.suffix!r}; use {', '.join(FORMATS)}") from None
