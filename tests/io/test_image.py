"""Colour images against the tools that everybody reads them by."""

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from atgvnet.errors import FormatError
from atgvnet.io import read_image

Save = Callable[[bytes, str], Path]
PIXELS = np.random.default_rng(0).integers(0, 256, (24, 32, 3), dtype=np.uint8)


def saved(form: str, mode: str = "RGB", **options: object) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(PIXELS).convert(mode).save(stream, form, **options)
    return stream.getvalue()


@pytest.mark.parametrize("form", ["PNG", "BMP", "PPM"])
def test_lossless_colours_come_back(form: str, save: Save) -> None:
    image = read_image(save(saved(form), f".{form.lower()}"))
    assert (image.shape, image.dtype) == ((24, 32, 3), np.float32)
    np.testing.assert_array_equal(np.rint(image * 255), PIXELS)
    assert (image.min(), image.max()) == (0, 1)


def test_a_jpeg_is_what_pillow_reads(save: Save) -> None:
    path = save(saved("JPEG", quality=90), ".jpg")
    np.testing.assert_array_equal(read_image(path), np.asarray(Image.open(path), dtype=np.float32) / np.float32(255))


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "LA", "1"])
def test_other_kinds_of_pixels_become_three_channels(mode: str, save: Save) -> None:
    image = read_image(save(saved("PNG", mode), ".png"))
    expected = np.asarray(Image.fromarray(PIXELS).convert(mode).convert("RGB"))
    np.testing.assert_array_equal(np.rint(image * 255), expected)


def test_16_bit_grey_is_0_to_1(save: Save) -> None:
    grey = np.array([[0, 65535, 13107]], dtype=np.uint16)
    image = read_image(save(cv2.imencode(".png", grey)[1].tobytes(), ".png"))
    np.testing.assert_array_equal(image, np.repeat(np.float32([[0, 1, 0.2]])[..., None], 3, axis=-1))


def test_a_suffix_says_nothing(save: Save) -> None:
    assert read_image(save(saved("PNG"), ".jpeg")).shape == (24, 32, 3)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "BMP", "PPM"])
def test_half_a_file_is_refused(form: str, save: Save) -> None:
    content = saved(form)
    with pytest.raises(FormatError):
        read_image(save(content[: len(content) // 2], ".img"))


def test_absurd_sizes_are_refused(save: Save) -> None:
    chunks = [
        b"IHDR" + struct.pack(">IIBBBBB", 1 << 20, 1 << 20, 8, 2, 0, 0, 0),
        b"IDAT" + zlib.compress(b""),
        b"IEND",
    ]
    content = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) for chunk in chunks
    )
    for absurd in (content, b"P6\n1000000 1000000\n255\n", b"", b"GIF89a", b"P6\n0 5\n255\n"):
        with pytest.raises(FormatError):
            read_image(save(absurd, ".png"))


def test_the_guides_are_what_opencv_reads(data: Path) -> None:
    for path in (data / "middlebury2005_noisy/art/guide.png", data / "middlebury_clean/guide/tsukuba.png"):
        expected = cv2.imread(str(path))[..., ::-1]
        np.testing.assert_array_equal(np.rint(read_image(path) * 255), expected)
