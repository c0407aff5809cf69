"""Colour images, for methods that are guided by one."""

import io

import numpy as np
from numpy.typing import NDArray
from PIL import BmpImagePlugin, ImageFile, JpegImagePlugin, PngImagePlugin, PpmImagePlugin

from atgvnet.io._stored import MalformedError, check_ratio, check_shape

__all__ = ["decode"]

# By their first bytes, Pillow's readers (`Image.open` would try all that it knows, and warn of large images), and
# the most pixels that a byte can hold.
_READERS: dict[bytes, tuple[type[ImageFile.ImageFile], int]] = {
    b"\x89PNG": (PngImagePlugin.PngImageFile, 8 * 1032),
    b"\xff\xd8\xff": (JpegImagePlugin.JpegImageFile, 1 << 12),
    b"BM": (BmpImagePlugin.BmpImageFile, 1 << 10),
    b"P5": (PpmImagePlugin.PpmImageFile, 1),
    b"P6": (PpmImagePlugin.PpmImageFile, 1),
}


def decode(data: bytes) -> NDArray[np.float32]:
    """Read the image in these bytes as height × width × 3, 0…1."""
    found = next((found for magic, found in _READERS.items() if data.startswith(magic)), None)
    if found is None:
        raise MalformedError("it is not a PNG, JPEG, BMP or PPM image")
    reader, most = found
    with reader(io.BytesIO(data)) as image:
        check_shape((image.height, image.width))
        check_ratio(len(data), image.height * image.width, most)
        if image.mode.startswith("I"):
            grey = np.asarray(image, dtype=np.float32) / np.float32(65535)
            return np.repeat(grey[..., None], 3, axis=-1)
        return np.asarray(image.convert("RGB"), dtype=np.float32) / np.float32(255)
