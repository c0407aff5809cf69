"""TIFF of one channel: floats or integers, in strips or tiles.

tifffile knows every number type but few compressions without a further library; Pillow brings libtiff, which
knows the compressions but few number types. The first image of the file is read.
"""

import io
import logging
import warnings
from typing import Any, BinaryIO

import numpy as np
import tifffile
from numpy.typing import NDArray
from PIL import TiffImagePlugin

from atgvnet.io._stored import MalformedError, Stored, check_dtype, check_ratio, check_shape

__all__ = ["decode", "encode"]

# Compression: the most that a byte of it can become.
_RATIOS = {1: 1, 5: 2800, 8: 1032, 32773: 64, 32946: 1032}
_PLAIN = (1, 8, 32946)
_BY_PILLOW = ("uint8", "uint16", "float32")

logging.getLogger("tifffile").addHandler(logging.NullHandler())  # else it reports damage on stderr


def decode(data: bytes, _variable: str | None = None) -> Stored:
    """Read the first image."""
    with tifffile.TiffFile(io.BytesIO(data)) as file:
        page = file.pages[0]
        if not isinstance(page, tifffile.TiffPage):
            raise MalformedError("its first image has no description")
        dtype = _check(page, len(data))
        if page.compression in _PLAIN and page.predictor == 1:
            return Stored(array=np.asarray(page.asarray()))
    if dtype.name not in _BY_PILLOW:
        raise MalformedError(f"it is {dtype.name} compressed by {page.compression!s}; store it by deflate")
    return Stored(array=_by_pillow(data, page.shape, dtype))


def _check(page: tifffile.TiffPage, size: int) -> np.dtype[Any]:
    if page.samplesperpixel != 1:
        raise MalformedError(f"it has {page.samplesperpixel} channels; a depth map has one")
    check_shape(page.shape)
    if page.dtype is None:
        raise MalformedError(f"its numbers of {page.bitspersample} bits are not read")
    check_dtype(page.dtype)
    if page.compression not in _RATIOS:
        raise MalformedError(f"it is compressed by {page.compression!s}; store it by deflate or LZW")
    packed = min(sum(page.databytecounts), size)
    check_ratio(packed, page.shape[0] * page.shape[1] * page.dtype.itemsize, _RATIOS[page.compression])
    return page.dtype


def _by_pillow(data: bytes, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about tags that are not needed here
        with TiffImagePlugin.TiffImageFile(io.BytesIO(data)) as image:
            if (image.height, image.width) != shape:
                raise MalformedError(f"it claims {shape} pixels and {(image.height, image.width)}")
            array = np.asarray(image)
    if array.dtype != dtype or array.shape != shape:
        raise MalformedError(f"it claims {dtype.name} and holds {array.dtype.name} of shape {array.shape}")
    return array


def encode(array: NDArray[Any], stream: BinaryIO, _variable: str | None = None) -> None:
    """Write one image, not compressed."""
    tifffile.imwrite(stream, array, photometric="minisblack", metadata=None, software=False)
