"""Feed every reader damaged files, and stop at the first that gives anything but a map or one `FormatError`.

The short version of this is in the tests. This one is guided by coverage (`pip install atheris`):

    nice python tools/fuzz_readers.py                        every reader, 100,000 inputs each
    nice python tools/fuzz_readers.py .png --runs 1000000    one reader

The first inputs are small files of every kind that a format has. For PNG each input is tried a second time with
its checksums repaired, else nothing but they would be tested. A crash, a hang of 20 s or more than 4 GiB of
memory ends the run too, and leaves the input in the folder `out/fuzz`.
"""

import argparse
import io
import itertools
import struct
import subprocess
import sys
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["atgvnet.io", "PIL", "tifffile", "zipfile"], enable_loader_override=False):
    import numpy as np
    import OpenEXR
    import tifffile
    from PIL import Image

    from atgvnet.errors import FormatError
    from atgvnet.io import FORMATS, _read

    for module in (*(form.module for form in FORMATS.values()), "atgvnet.io.image"):
        import_module(module)

IMAGE = "image"
READERS = (*(suffix for suffix in FORMATS if suffix != ".tif"), IMAGE)
FOLDER = Path("out/fuzz")


def seeds(reader: str) -> Iterator[bytes]:
    """Small sound files of every kind that the reader knows."""
    floats = np.linspace(1, 9, 63, dtype=np.float32).reshape(7, 9)
    if reader == IMAGE:
        yield from _image_seeds()
        return
    form = FORMATS[reader]
    for dtype in form.dtypes:
        yield _written(lambda stream, dtype=dtype: form.codec.encode(floats.astype(dtype), stream))
    yield from {
        ".png": _png_seeds,
        ".tiff": _tiff_seeds,
        ".exr": _exr_seeds,
        ".mat": _mat_seeds,
        ".npz": _npz_seeds,
    }.get(reader, lambda _: iter(()))(floats)


def _written(write: Callable[[io.BytesIO], object]) -> bytes:
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


def _saved(image: Image.Image, form: str) -> bytes:
    return _written(lambda stream: image.save(stream, form))


def _png_seeds(floats: np.ndarray) -> Iterator[bytes]:
    grey = Image.fromarray(floats.astype(np.uint8))
    yield from (_saved(grey.convert(mode), "PNG") for mode in ("1", "P", "RGB", "RGBA", "LA"))


def _image_seeds() -> Iterator[bytes]:
    image = Image.fromarray(np.arange(189, dtype=np.uint8).reshape(7, 9, 3))
    yield from (_saved(image, form) for form in ("PNG", "JPEG", "BMP", "PPM"))
    yield _saved(image.convert("L"), "JPEG")
    yield _saved(image.convert("CMYK"), "JPEG")
    yield _saved(image.convert("L"), "PPM")


def _tiff_seeds(floats: np.ndarray) -> Iterator[bytes]:
    yield _written(lambda stream: tifffile.imwrite(stream, floats, compression="zlib"))
    yield _written(lambda stream: tifffile.imwrite(stream, floats, bigtiff=True, byteorder=">", rowsperstrip=2))
    yield _written(lambda stream: tifffile.imwrite(stream, floats, tile=(16, 16)))
    for compression in ("tiff_lzw", "packbits", "tiff_adobe_deflate"):
        image = Image.fromarray(floats)
        yield _written(lambda stream, c=compression, i=image: i.save(stream, "TIFF", compression=c))


def _exr_seeds(floats: np.ndarray) -> Iterator[bytes]:
    names = ("NO", "RLE", "ZIPS", "ZIP", "PIZ", "PXR24", "B44", "DWAA")
    for name, channels in itertools.product(names, ({"Z": floats}, {"RGB": np.stack([floats] * 3, axis=-1)})):
        header = {"compression": getattr(OpenEXR, f"{name}_COMPRESSION"), "type": OpenEXR.scanlineimage}
        yield _written(lambda stream, h=header, c=channels: OpenEXR.File(h, c).write(stream))


def _mat_seeds(floats: np.ndarray) -> Iterator[bytes]:
    import scipy.io

    variables = {"D": floats, "text": "words", "s": {"field": [1, 2]}, "flags": floats > 4}
    for compress in (False, True):
        yield _written(lambda stream, c=compress: scipy.io.savemat(stream, variables, do_compression=c))
        yield _written(lambda stream, c=compress: scipy.io.savemat(stream, {"D": floats}, do_compression=c))


def _npz_seeds(floats: np.ndarray) -> Iterator[bytes]:
    yield _written(lambda stream: np.savez_compressed(stream, depth=floats))
    yield _written(lambda stream: np.savez_compressed(stream, depth=floats, mask=floats > 3, name=np.array("x")))


def repaired(data: bytes) -> bytes:
    """Give a PNG right checksums."""
    result, position = bytearray(data), 8
    while position + 12 <= len(data):
        end = position + 8 + int.from_bytes(data[position : position + 4], "big")
        if end + 4 > len(data):
            break
        result[end : end + 4] = struct.pack(">I", zlib.crc32(data[position + 4 : end]))
        position = end + 4
    return bytes(result)


def check(reader: str, data: bytes) -> str:
    """Read the bytes, and say how that ended; what it must not end in is raised."""
    path = Path("fuzzed" + (".png" if reader == IMAGE else reader))
    _read.read_bytes = lambda _: data
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            _read.read_image(path) if reader == IMAGE else _read.read(path)
            outcome = "maps"
        except FormatError as error:
            message, outcome = str(error), "errors"
            if "\n" in message or not message.startswith(f"{path}: ") or len(message) > 400:
                raise AssertionError(message) from error
            if "MemoryError" in message:
                raise
    if caught:
        raise AssertionError(str(caught[0].message))
    return outcome


def fuzz(reader: str, runs: int) -> None:
    """Fuzz one reader in this process, which libFuzzer ends."""
    corpus = FOLDER / reader.strip(".")
    corpus.mkdir(parents=True, exist_ok=True)
    for index, seed in enumerate(seeds(reader)):
        (corpus / f"seed{index}").write_bytes(seed)
    counts: Counter[str] = Counter()

    def one(data: bytes) -> None:
        counts[check(reader, data)] += 1
        if reader == ".png":
            counts["repaired " + check(reader, repaired(data))] += 1
        if (done := counts["maps"] + counts["errors"]) % 10_000 == 0 or done == runs:
            sys.stdout.write(f"{reader}: {done} inputs, {dict(counts)}\n")
            sys.stdout.flush()

    options = [f"-runs={runs}", "-timeout=20", "-rss_limit_mb=4096", "-max_len=4096", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={corpus}-", str(corpus)], one)
    atheris.Fuzz()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reader", nargs="*", help=f"of {', '.join(READERS)}; all by default")
    parser.add_argument("--runs", type=int, default=100_000, help="inputs for each")
    options = parser.parse_args()
    if len(options.reader) == 1:
        fuzz(options.reader[0], options.runs)
    for reader in options.reader or READERS:
        subprocess.run([sys.executable, __file__, reader, "--runs", str(options.runs)], check=True)


if __name__ == "__main__":
    main()
