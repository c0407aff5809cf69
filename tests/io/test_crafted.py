"""Files built by hand to claim what they do not hold, or to do harm."""

import io
import pickle
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import OpenEXR
import pytest
import tifffile

from atgvnet.errors import FormatError
from atgvnet.io import read

Save = Callable[[bytes, str], Path]
Refused = Callable[..., str]


def written(write: Callable[[io.BytesIO], object]) -> bytes:
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


def png(width: int, height: int, depth: int, colour: int, content: bytes, *extra: bytes) -> bytes:
    """Build a PNG with sound checksums."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    chunks = [b"IHDR" + header, *extra, b"IDAT" + zlib.compress(content), b"IEND"]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) for chunk in chunks
    )


def npy(descr: str = "'<f4'", order: str = "False", shape: str = "(7, 9)", content: bytes = bytes(252)) -> bytes:
    header = f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + content


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    def write(stream: io.BytesIO) -> None:
        with zipfile.ZipFile(stream, "w", method) as archive:
            for name, content in members:
                archive.writestr(name, content)

    return written(write)


def matrix(flags: int, shape: tuple[int, ...], kind: int, content: bytes, *, packed: bool = False) -> bytes:
    """Build a MATLAB file of one variable."""
    body = struct.pack("<IIII", 6, 8, flags, 0) + struct.pack("<II", 5, 4 * len(shape))
    body += struct.pack(f"<{len(shape)}i", *shape) + bytes(-4 * len(shape) % 8)
    body += struct.pack("<HH4s", 1, 1, b"D") + struct.pack("<II", kind, len(content)) + content
    element = struct.pack("<II", 14, len(body)) + body
    if packed:
        element = zlib.compress(element)
        element = struct.pack("<II", 15, len(element)) + element
    return b"MATLAB 5.0".ljust(124) + b"\x00\x01IM" + element


def exr(window: tuple[int, int, int, int], compression: object = OpenEXR.ZIP_COMPRESSION, **names: bytes) -> bytes:
    """Give a file of 7 × 9 pixels that claims another window, its parts renamed."""
    channels = {name: np.ones((7, 9), dtype=np.float32) for name in ("A", "Z")}
    header = {"compression": compression, "type": OpenEXR.scanlineimage}
    content = written(lambda stream: OpenEXR.File(header, channels).write(stream))
    content = content.replace(struct.pack("<4i", 0, 0, 8, 6), struct.pack("<4i", *window))
    for name, other in names.items():
        content = content.replace(name.encode() + b"\0", other + b"\0")
    return content


CLAIMS = [
    (".png", png(1 << 30, 1 << 30, 16, 0, b"\0")),
    (".png", png((1 << 32) - 1, 1, 16, 0, b"\0")),
    (".png", png(0, 5, 16, 0, b"\0")),
    (".png", png(10_000, 5_000, 16, 0, b"\0")),
    (".png", png(9, 7, 16, 0, b"\0", b"IHDR" + struct.pack(">IIBBBBB", 1 << 13, 1 << 13, 16, 0, 0, 0, 0))),
    (".png", png(9, 7, 16, 0, bytes(7 * 19 - 1))),
    (".png", png(9, 7, 16, 0, b"\0" * (7 * 19)).replace(b"IEND", b"IENX")),
    (".pfm", b"Pf\n10000 5000\n-1\n" + bytes(100)),
    (".pfm", b"Pf\n9999999999 9999999999\n-1\n" + bytes(100)),
    (".pfm", b"Pf\n0 5\n-1\n"),
    (".pfm", b"Pf\n-3 5\n-1\n" + bytes(60)),
    (".pfm", b"Pf\n3 5\n0\n" + bytes(60)),
    (".pfm", b"Pf\n3 5\nnan\n" + bytes(60)),
    (".pfm", b"Pf\n3 5\n..\n" + bytes(60)),
    (".pfm", b"Pf\n3 5\n-1\n" + bytes(61)),
    (".pfm", b"Pf" + b"\n" * 10_000 + b"3 5\n-1\n" + bytes(60)),
    (".npy", npy(shape="(10000, 5000)")),
    (".npy", npy(shape=f"({10**9}, {10**9})")),
    (".npy", npy(shape="(0, 9)", content=b"")),
    (".npy", npy(shape="(-7, -9)")),
    (".npy", npy(shape="(63,)")),
    (".npy", npy(shape="(" + "(" * 60 + "7, 9)")),
    (".npy", npy(shape="(7, 9, 1)")),
    (".npy", npy(descr="[('a', '<f4')]")),
    (".npy", npy(descr="'<M8[s]'")),
    (".npy", npy(descr="'<c8'", shape="(7, 4)", content=bytes(224))),
    (".npy", npy(descr="'<f16'", shape="(7, 2)", content=bytes(224))),
    (".npy", npy(descr="'<V4'")),
    (".npy", npy(descr="'<f3'")),
    (".npy", npy(descr="'<a4'")),
    (".npy", npy(descr="'<f9999'")),
    (".npy", npy(order="1")),
    (".npy", npy(descr="__import__('os').abort()")),
    (".npy", b"\x93NUMPY\x02\x00\xff\xff\xff\x7f" + bytes(100)),
    (".npy", b"\x93NUMPY\x09\x00" + bytes(100)),
    (".npz", zipped(("depth.npy", npy(shape="(10000, 5000)")))),
    (".npz", zipped(("depth.npy", npy(content=bytes(10_000_000))))),
    (".npz", zipped(*((f"{i}.npy", b"") for i in range(300)))),
    (".npz", zipped(("depth.npy", npy()), method=zipfile.ZIP_LZMA)),
    (".npz", zipped(("depth.npy", npy())).replace(b"depth.npy", b"depth.txt")),
    (".npz", zipped()),
    (".mat", matrix(6, (10_000, 5_000), 9, bytes(8))),
    (".mat", matrix(6, (10_000, 5_000), 9, bytes(8), packed=True)),
    (".mat", matrix(6, (1 << 30, 1 << 30), 9, bytes(8))),
    (".mat", matrix(6, (-2, -4), 9, bytes(64))),
    (".mat", matrix(6, (0, 4), 9, b"")),
    (".mat", matrix(6, (2, 2, 2), 9, bytes(64))),
    (".mat", matrix(6, (2,) * 40, 9, bytes(64))),
    (".mat", matrix(6 | 0x800, (2, 4), 9, bytes(64))),
    (".mat", matrix(6, (2, 4), 99, bytes(64))),
    (".mat", matrix(6, (2, 4), 9, bytes(56))),
    (".mat", matrix(1, (2, 4), 9, bytes(64))),
    (".mat", matrix(4, (2, 4), 16, bytes(8))),
    (".mat", matrix(6, (2, 4), 9, bytes(2_000_000), packed=True)),
    (".exr", exr((0, 0, 9999, 4999))),
    (".exr", exr((-(2**31), -(2**31), 2**31 - 1, 2**31 - 1))),
    (".exr", exr((0, 0, -1, -1))),
    (".exr", exr((0, 0, 99999, 999), OpenEXR.PIZ_COMPRESSION)),
    (".exr", exr((0, 0, 8, 6), Z=b"D")),
    (".exr", exr((0, 0, 8, 6), channels=b"chanmels")),
    (".exr", exr((0, 0, 8, 6), dataWindow=b"dataWidows")),
    (".tiff", written(lambda stream: tifffile.imwrite(stream, np.ones((7, 9), dtype="c8")))),
    (".tiff", written(lambda stream: tifffile.imwrite(stream, np.ones((7, 9), dtype="f4"), compression="lzma"))),
]


@pytest.mark.parametrize(("suffix", "content"), CLAIMS)
def test_absurd_claims_are_refused_before_memory_is_reserved(
    suffix: str, content: bytes, save: Save, refused: Refused
) -> None:
    path = save(content, suffix)
    with pytest.raises(FormatError):
        read(path)  # imports what it needs
    tracemalloc.start()
    refused(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4e6


def _tiff(entries: dict[int, tuple[int, int, int]], content: bytes = bytes(252)) -> bytes:
    """Build a little-endian TIFF of one directory; an entry is tag: (type, count, value)."""
    table = b"".join(struct.pack("<HHII", tag, *entry) for tag, entry in sorted(entries.items()))
    return (
        b"II*\0" + struct.pack("<I", 8 + len(content)) + content + struct.pack("<H", len(entries)) + table + bytes(4)
    )


TIFF = {
    256: (4, 1, 9),  # width
    257: (4, 1, 7),  # height
    258: (3, 1, 32),  # bits
    259: (3, 1, 1),  # compression
    262: (3, 1, 1),
    273: (4, 1, 8),  # where the strip is
    277: (3, 1, 1),  # channels
    278: (4, 1, 7),  # rows of a strip
    279: (4, 1, 252),  # bytes of a strip
    339: (3, 1, 3),  # floats
}


@pytest.mark.parametrize(
    "change",
    [
        {256: (4, 1, 1 << 31)},
        {256: (4, 1, 10_000), 257: (4, 1, 5_000), 278: (4, 1, 5_000)},
        {256: (4, 1, 10_000), 257: (4, 1, 5_000), 278: (4, 1, 5_000), 279: (4, 1, 0xFFFFFFFF)},
        {257: (4, 1, 0)},
        {258: (3, 1, 7)},
        {258: (3, 1, 0)},
        {259: (3, 1, 7)},
        {259: (3, 1, 5)},
        {259: (3, 1, 8)},
        {259: (3, 1, 60000)},
        {273: (4, 1, 0xFFFFFFF0)},
        {273: (4, 0xFFFFFFFF, 8)},
        {277: (3, 1, 3)},
        {277: (3, 1, 0)},
        {279: (4, 1, 251)},
        {339: (3, 1, 6)},
    ],
    ids=str,
)
def test_absurd_tiffs_are_refused(change: dict[int, tuple[int, int, int]], save: Save, refused: Refused) -> None:
    np.testing.assert_array_equal(read(save(_tiff(TIFF), ".tiff")).values, np.zeros((7, 9)))
    path = save(_tiff(TIFF | change), ".tiff")
    tracemalloc.start()
    refused(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4e6


class _Bomb:
    def __reduce__(self) -> tuple[object, ...]:
        return pytest.fail, ("a pickle was run",)


@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_pickled_objects_are_refused_and_not_run(suffix: str, save: Save, refused: Refused) -> None:
    content = npy(descr="'|O'", shape="(1, 1)", content=pickle.dumps(_Bomb()))
    message = refused(save(content if suffix == ".npy" else zipped(("depth.npy", content)), suffix))
    assert "pickled" in message


def test_pickled_objects_beside_a_map_do_no_harm(save: Save) -> None:
    bomb = npy(descr="'|O'", shape="(1, 1)", content=pickle.dumps(_Bomb()))
    assert read(save(zipped(("info.npy", bomb), ("depth.npy", npy())), ".npz")).shape == (7, 9)


def test_a_pngs_other_parts_are_not_looked_at(save: Save) -> None:
    bomb = b"zTXtkey\0\0" + zlib.compress(bytes(10_000_000))
    assert read(save(png(9, 7, 16, 0, bytes(7 * 19), bomb), ".png")).shape == (7, 9)


@pytest.mark.parametrize("kind", [2, 3, 16, 17], ids=["structure", "object", "function", "table"])
def test_matlabs_other_classes_are_passed_over(kind: int, save: Save) -> None:
    numbers = np.arange(8, dtype="<f8")
    content = matrix(6, (2, 4), 9, numbers.tobytes())
    other = (
        struct.pack("<IIII", 6, 8, kind, 0) + struct.pack("<HH4s", 1, 1, b"t") + struct.pack("<HH4s", 1, 4, b"MCOS")
    )
    unnamed = matrix(9, (1, 8), 2, bytes(8))[128:].replace(struct.pack("<HH4s", 1, 1, b"D"), struct.pack("<II", 1, 0))
    content += struct.pack("<II", 14, len(other)) + other + unnamed
    np.testing.assert_array_equal(read(save(content, ".mat")).values, numbers.reshape(4, 2).T)
