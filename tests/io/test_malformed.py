"""Whatever a file's bytes are: a map, or one `FormatError` in one line; in little memory, and without a warning."""

import io
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import OpenEXR
import pytest
import scipy.io
import tifffile
from PIL import Image

from atgvnet.io import FORMATS, read

Save = Callable[[bytes, str], Path]
Refused = Callable[..., str]
SUFFIXES = [suffix for suffix in FORMATS if suffix != ".tif"]


def written(write: Callable[[io.BytesIO], object]) -> bytes:
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


def exr(content: dict[str, np.ndarray], **header: object) -> bytes:
    options = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage, **header}
    return written(lambda stream: OpenEXR.File(options, content).write(stream))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_files_beginning_is_refused(suffix: str, sound: dict[str, bytes], save: Save, refused: Refused) -> None:
    content = sound[suffix]
    read(save(content, suffix))
    for length in {*range(0, len(content), 5), *range(len(content) - 16, len(content))}:
        refused(save(content[:length], suffix))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_of_another_format_is_refused(
    suffix: str, sound: dict[str, bytes], save: Save, refused: Refused
) -> None:
    for other in SUFFIXES:
        if other != suffix:
            refused(save(sound[other], suffix))


@pytest.mark.parametrize(
    "content", [b"", b"\0", b"\n", bytes(4096), b"\xff" * 4096, b"<html>not found</html>", "größe".encode("utf-16")]
)
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_no_image_at_all_is_refused(suffix: str, content: bytes, save: Save, refused: Refused) -> None:
    refused(save(content, suffix))


def _by_opencv(suffix: str, array: np.ndarray) -> bytes:
    return cv2.imencode(suffix, array)[1].tobytes()


COLOURS = np.random.default_rng(0).integers(1, 255, (7, 9, 3), dtype=np.uint8)


@pytest.mark.parametrize(
    ("suffix", "content"),
    [
        (".png", _by_opencv(".png", COLOURS)),
        (".png", _by_opencv(".png", COLOURS.astype(np.uint16) * 200)),
        (".png", _by_opencv(".png", np.full((7, 9, 3), 300, dtype=np.uint16))),
        (".png", _by_opencv(".png", np.full((7, 9, 4), 30, dtype=np.uint8))),
        (".png", written(lambda stream: Image.new("LA", (9, 7)).save(stream, "PNG"))),
        (".pfm", b"PF\n9 7\n-1\n" + COLOURS.astype("<f4").tobytes()),
        (".tiff", written(lambda stream: tifffile.imwrite(stream, COLOURS))),
        (".tiff", written(lambda stream: tifffile.imwrite(stream, COLOURS.astype(np.float32), photometric="rgb"))),
        (".exr", exr({"RGB": COLOURS.astype(np.float32)})),
        (".npy", written(lambda stream: np.save(stream, COLOURS))),
        (".npz", written(lambda stream: np.savez(stream, depth=COLOURS))),
        (".mat", written(lambda stream: scipy.io.savemat(stream, {"depth": COLOURS}))),
    ],
)
def test_three_channels_are_refused(suffix: str, content: bytes, save: Save, refused: Refused) -> None:
    refused(save(content, suffix))


@pytest.mark.parametrize("mode", ["P", "RGB"])
def test_three_equal_channels_are_one(mode: str, save: Save) -> None:
    grey = COLOURS[..., 0]
    image = Image.fromarray(grey).convert(mode)
    path = save(written(lambda stream: image.save(stream, "PNG")), ".png")
    np.testing.assert_array_equal(read(path).values, grey)
    three = np.repeat(grey[..., None], 3, axis=-1).astype("<f4")
    np.testing.assert_array_equal(read(save(b"PF\n9 7\n-1\n" + three[::-1].tobytes(), ".pfm")).values, grey)
    np.testing.assert_array_equal(read(save(exr({"RGB": three}), ".exr")).values, grey)


@pytest.mark.parametrize(
    "head", [b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM" + bytes(384) + b"\x89HDF\r\n", b"\x89HDF\r\n\x1a\n"]
)
def test_matlabs_newer_files_are_refused_with_advice(head: bytes, save: Save, refused: Refused) -> None:
    assert "-v7" in refused(save(head + bytes(1000), ".mat"))


def test_a_flipped_bit_in_a_pngs_pixels_is_found(sound: dict[str, bytes], save: Save, refused: Refused) -> None:
    content = bytearray(sound[".png"])
    content[content.index(b"IDAT") + 20] ^= 1
    assert "checksum" in refused(save(bytes(content), ".png"))


def test_a_name_that_is_not_there_is_said(sound: dict[str, bytes], save: Save, refused: Refused) -> None:
    for suffix in (".mat", ".npz", ".exr"):
        assert "'other'" in refused(save(sound[suffix], suffix), variable="other")
