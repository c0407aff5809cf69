"""Colour images, for methods that are guided by one."""

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import BmpImagePlugin, ImageFile, JpegImagePlugin, PngImagePlugin, PpmImagePlugin, WebPImagePlugin

from atgvnet.io._boundary import malformed_is_named
from atgvnet.io._files import read_bytes
from atgvnet.io._stored import Malformed, check_shape

__all__ = ["decode", "read_image"]

# The plugins themselves: `Image.open` tries every format it knows and warns about large images.
_PLUGINS: dict[bytes, type[ImageFile.ImageFile]] = {
    b"\x89PNG": PngImagePlugin.PngImageFile,
    b"\xff\xd8\xff": JpegImagePlugin.JpegImageFile,
    b"BM": BmpImagePlugin.BmpImageFile,
    b"P5": PpmImagePlugin.PpmImageFile,
    b"P6": PpmImagePlugin.PpmImageFile,
    b"RIFF": WebPImagePlugin.WebPImageFile,
}


def read_image(path: str | Path) -> NDArray[np.float32]:
    """Read a PNG, JPEG, BMP, PPM or WebP as height × width × 3, float32 in 0…1; grey is repeated.

    Raises
    ------
    FormatError
        If the content is not an image.
    FileError
        If there is no such file.
    """
    path = Path(path)
    with malformed_is_named(path):
        return decode(read_bytes(path))


def decode(data: bytes) -> NDArray[np.float32]:
    """Read the image in these bytes."""
    plugin = next((plugin for magic, plugin in _PLUGINS.items() if data.startswith(magic)), None)
    if plugin is None:
        raise Malformed("it is not a PNG, JPEG, BMP, PPM or WebP image")
    with plugin(io.BytesIO(data)) as image:
        check_shape(image.height, image.width)
        if image.mode.startswith("I"):
            grey = np.asarray(image, dtype=np.float32) / np.float32(65535)
            return np.repeat(grey[..., None], 3, axis=-1)
        return np.asarray(image.convert("RGB"), dtype=np.float32) / np.float32(255)
