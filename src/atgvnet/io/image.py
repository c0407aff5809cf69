"""Colour images, for methods that are guided by one."""

import io

import numpy as np
from numpy.typing import NDArray
from PIL import BmpImagePlugin, ImageFile, JpegImagePlugin, PngImagePlugin, PpmImagePlugin, WebPImagePlugin

from atgvnet.io._stored import MalformedError, check_shape

__all__ = ["decode"]

# The plugins themselves: `Image.open` tries every format it knows and warns about large images.
_PLUGINS: dict[bytes, type[ImageFile.ImageFile]] = {
    b"\x89PNG": PngImagePlugin.PngImageFile,
    b"\xff\xd8\xff": JpegImagePlugin.JpegImageFile,
    b"BM": BmpImagePlugin.BmpImageFile,
    b"P5": PpmImagePlugin.PpmImageFile,
    b"P6": PpmImagePlugin.PpmImageFile,
    b"RIFF": WebPImagePlugin.WebPImageFile,
}


def decode(data: bytes) -> NDArray[np.float32]:
    """Read the image in these bytes."""
    plugin = next((plugin for magic, plugin in _PLUGINS.items() if data.startswith(magic)), None)
    if plugin is None:
        raise MalformedError("it is not a PNG, JPEG, BMP, PPM or WebP image")
    with plugin(io.BytesIO(data)) as image:
        check_shape((image.height, image.width))
        if image.mode.startswith("I"):
            grey = np.asarray(image, dtype=np.float32) / np.float32(65535)
            return np.repeat(grey[..., None], 3, axis=-1)
        return np.asarray(image.convert("RGB"), dtype=np.float32) / np.float32(255)
