"""What is written comes back to the bit, through us and through the tools that people use."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import OpenEXR
import pytest
import scipy.io
import tifffile
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from PIL import Image

from atgvnet.depthmap import DepthMap
from atgvnet.io import FORMATS, read, write

CASES = [(suffix, dtype) for suffix, form in FORMATS.items() for dtype in form.dtypes]
FLOATS = [suffix for suffix, form in FORMATS.items() if form.dtypes[0] == "float32"]


def _openexr(path: Path) -> np.ndarray:
    return OpenEXR.File(str(path), separate_channels=True).channels()["Z"].pixels


OTHERS: list[tuple[str, tuple[str, ...], str, Callable[[Path], np.ndarray]]] = [
    ("OpenCV", (".png", ".pfm", ".tiff"), "", lambda path: cv2.imread(str(path), cv2.IMREAD_UNCHANGED)),
    ("Pillow", (".png", ".pfm"), "", lambda path: np.asarray(Image.open(path))),
    ("Pillow", (".tiff",), "uint8 uint16 float32", lambda path: np.asarray(Image.open(path))),
    ("tifffile", (".tiff", ".tif"), "", tifffile.imread),
    ("OpenEXR", (".exr",), "", _openexr),
    ("SciPy", (".mat",), "", lambda path: scipy.io.loadmat(path)["depth"]),
    ("NumPy", (".npy",), "", lambda path: np.load(path, allow_pickle=False)),
    ("NumPy", (".npz",), "", lambda path: np.load(path, allow_pickle=False)["depth"]),
]
OPENCV_TIFF = ("uint8", "uint16", "float32", "float64")


def numbers(dtype: str, shape: tuple[int, int] = (37, 53)) -> np.ndarray:
    """Give numbers of all sizes that the type and float32 both hold exactly, none of them 0."""
    generator = np.random.default_rng(7)
    if np.dtype(dtype).kind == "f":
        return generator.normal(2, 1, shape).astype("float16" if dtype == "float16" else "float32")
    limits = np.iinfo(dtype)
    low, high = max(limits.min, -(2**24)), min(limits.max, 2**24)
    values = generator.integers(low, high, shape, endpoint=True)
    values.flat[:2] = low or 1, high
    return np.where(values == 0, 1, values).astype(dtype)


@pytest.mark.parametrize(("suffix", "dtype"), CASES)
@pytest.mark.parametrize("shape", [(37, 53), (1, 1), (1, 5), (5, 1), (16, 3)], ids=str)
def test_every_number_type_comes_back_to_the_bit(
    suffix: str, dtype: str, shape: tuple[int, int], tmp_path: Path
) -> None:
    values, path = numbers(dtype, shape), tmp_path / f"map{suffix}"
    mask = np.random.default_rng(1).random(shape) > 0.2
    write(DepthMap(values, valid=mask, unit="mm"), path, dtype=dtype, depth_scale=1)
    back = read(path, unit="mm")
    np.testing.assert_array_equal(back.valid, mask)
    np.testing.assert_array_equal(back.values[mask], values[mask].astype(np.float32))
    assert (back.encoding.suffix, back.encoding.dtype) == (suffix, dtype)


@pytest.mark.parametrize(
    ("name", "suffix", "dtype", "load"),
    [
        (name, suffix, dtype, load)
        for name, suffixes, dtypes, load in OTHERS
        for suffix in suffixes
        for dtype in (dtypes.split() or FORMATS[suffix].dtypes)
        if not (name == "OpenCV" and suffix == ".tiff" and dtype not in OPENCV_TIFF)
    ],
)
def test_other_tools_read_the_same_numbers(
    name: str, suffix: str, dtype: str, load: Callable[[Path], np.ndarray], tmp_path: Path
) -> None:
    values, path = numbers(dtype), tmp_path / f"map{suffix}"
    write(DepthMap(values), path, dtype=dtype, depth_scale=1)
    array = load(path)
    np.testing.assert_array_equal(array, values.astype(dtype))
    assert array.dtype.newbyteorder("=") == np.dtype(dtype)


@pytest.mark.parametrize("suffix", FLOATS)
@settings(max_examples=25, deadline=None)
@given(values=hnp.arrays(np.float32, hnp.array_shapes(min_dims=2, max_dims=2), elements=st.floats(width=32)))
def test_any_float32_comes_back_to_the_bit(
    suffix: str, values: np.ndarray, tmp_path_factory: pytest.TempPathFactory
) -> None:
    depth, path = DepthMap(values), tmp_path_factory.mktemp("any") / f"map{suffix}"
    write(depth, path)
    back = read(path)
    np.testing.assert_array_equal(back.valid, np.isfinite(values))
    assert back.values[back.valid].tobytes() == values[np.isfinite(values)].tobytes()


def test_all_16_bit_numbers_survive_a_png(tmp_path: Path) -> None:
    values = np.arange(65536, dtype=np.float32).reshape(256, 256)
    write(DepthMap(values, valid=values > 0, unit="mm"), tmp_path / "all.png")
    np.testing.assert_array_equal(cv2.imread(str(tmp_path / "all.png"), -1), values)
    np.testing.assert_array_equal(read(tmp_path / "all.png").values[values > 0], values[values > 0])


@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
@pytest.mark.parametrize("tool", ["OpenCV", "Pillow"])
def test_pngs_of_other_tools_are_read(tool: str, dtype: str, tmp_path: Path) -> None:
    values, path = numbers(dtype), tmp_path / "map.png"
    cv2.imwrite(str(path), values) if tool == "OpenCV" else Image.fromarray(values).save(path)
    depth = read(path)
    np.testing.assert_array_equal(depth.values, values)
    assert depth.unit == ("mm" if dtype == "uint16" else "disparity")


def test_pfms_of_opencv_are_read(tmp_path: Path) -> None:
    values, path = numbers("float32"), tmp_path / "map.pfm"
    cv2.imwrite(str(path), values)
    np.testing.assert_array_equal(read(path).values, values)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32", "float64"])
def test_tiffs_of_opencv_are_read(dtype: str, tmp_path: Path) -> None:
    values, path = numbers(dtype), tmp_path / "map.tiff"  # OpenCV chooses LZW for integers
    cv2.imwrite(str(path), values.astype(dtype))
    np.testing.assert_array_equal(read(path).values, values)


@pytest.mark.parametrize("compression", ["tiff_lzw", "packbits", "tiff_adobe_deflate"])
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32"])
def test_compressed_tiffs_of_pillow_are_read(compression: str, dtype: str, tmp_path: Path) -> None:
    values, path = numbers(dtype), tmp_path / "map.tiff"
    Image.fromarray(values).save(path, compression=compression)
    np.testing.assert_array_equal(read(path).values, values)


@pytest.mark.parametrize(
    "options",
    [{"tile": (16, 16)}, {"bigtiff": True}, {"byteorder": ">"}, {"compression": "zlib"}, {"rowsperstrip": 3}],
    ids=str,
)
def test_tiffs_of_tifffile_are_read(options: dict[str, object], tmp_path: Path) -> None:
    values, path = numbers("float32"), tmp_path / "map.tiff"
    tifffile.imwrite(path, values, **options)
    np.testing.assert_array_equal(read(path).values, values)


@pytest.mark.parametrize("compression", ["NO", "RLE", "ZIPS", "ZIP", "PIZ"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "uint32"])
@pytest.mark.parametrize("tiled", [False, True])
def test_exrs_of_openexr_are_read(compression: str, dtype: str, tiled: bool, tmp_path: Path) -> None:
    values, path = numbers(dtype), tmp_path / "map.exr"
    header = {
        "compression": getattr(OpenEXR, f"{compression}_COMPRESSION"),
        "type": OpenEXR.tiledimage if tiled else OpenEXR.scanlineimage,
    }
    if tiled:
        header["tiles"] = OpenEXR.TileDescription()
        header["tiles"].xSize = header["tiles"].ySize = 16
    OpenEXR.File(header, {"Z": values}).write(str(path))
    np.testing.assert_array_equal(read(path).values, values)


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize("dtype", FORMATS[".mat"].dtypes)
def test_matlab_files_of_scipy_are_read(dtype: str, compress: bool, tmp_path: Path) -> None:
    values, path = numbers(dtype), tmp_path / "map.mat"
    others = {
        "scale": 4.0,
        "title": "words",
        "nested": {"a": [1, 2]},
        "cube": np.ones((2, 2, 2)),
        "phase": values * 1j,
    }
    scipy.io.savemat(path, {"D": values.astype(dtype), **others}, do_compression=compress)
    depth = read(path, unit="mm")
    np.testing.assert_array_equal(depth.values, values)
    assert (depth.encoding.variable, depth.encoding.dtype) == ("D", dtype)


def test_a_variables_name_is_kept(tmp_path: Path) -> None:
    for suffix in (".mat", ".npz"):
        path, values = tmp_path / f"map{suffix}", numbers("float32")
        if suffix == ".mat":
            scipy.io.savemat(path, {"D": values})
        else:
            np.savez_compressed(path, D=values)
        read(path).save(path)
        again = scipy.io.loadmat(path) if suffix == ".mat" else np.load(path)
        np.testing.assert_array_equal(again["D"], values)


def test_the_laser_scans_are_what_scipy_reads(data: Path) -> None:
    files = sorted((data / "laserscan").rglob("*.mat"))
    assert files
    for path in files:
        np.testing.assert_array_equal(read(path).values, scipy.io.loadmat(path)["D"].astype(np.float32))


def test_the_middlebury_maps_are_what_opencv_reads(data: Path) -> None:
    files = [path for path in sorted(data.rglob("*.png")) if path.parent.name != "guide" and path.name != "guide.png"]
    assert files
    for path in files:
        depth = read(path)
        expected = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
        np.testing.assert_array_equal(depth.valid, expected > 0)
        np.testing.assert_array_equal(depth.values[depth.valid], expected[depth.valid])
