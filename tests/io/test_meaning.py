"""What stored numbers mean: units, scales, and which number says that a pixel is missing."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from atgvnet.camera import Camera
from atgvnet.depthmap import DepthMap
from atgvnet.errors import FileError, InputError, UnitError
from atgvnet.io import read, write

Save = Callable[[bytes, str], Path]


@pytest.fixture
def png(tmp_path: Path) -> Callable[..., Path]:
    """Write a PNG by OpenCV."""

    def make(values: object, dtype: str = "uint16") -> Path:
        path = tmp_path / "in.png"
        assert cv2.imwrite(str(path), np.array(values, dtype=dtype))
        return path

    return make


@pytest.mark.parametrize(
    ("stored", "options", "value", "unit"),
    [
        (1500, {}, 1500, "mm"),  # RealSense, Kinect
        (1500, {"unit": "mm"}, 1500, "mm"),
        (1500, {"depth_scale": 1000}, 1.5, "m"),
        (5000, {"depth_scale": 5000}, 1, "m"),  # TUM
        (12544, {"depth_scale": 256}, 49, "m"),  # KITTI's depths
        (12545, {"depth_scale": 256, "unit": "disparity"}, 49.00390625, "disparity"),  # KITTI's disparities
        (77, {"unit": "disparity"}, 77, "disparity"),
        (15, {"depth_scale": 10, "unit": "mm"}, 1.5, "mm"),
        (1, {"depth_scale": 0.25}, 4, "m"),
    ],
)
def test_16_bit_numbers(png: Callable[..., Path], stored: int, options: dict, value: float, unit: str) -> None:
    depth = read(png([[stored, 0]]), **options)
    assert depth.unit == unit
    assert depth.values[0, 0] == value
    np.testing.assert_array_equal(depth.valid, [[True, False]])


def test_metres_are_the_float32_nearest_to_the_quotient(png: Callable[..., Path]) -> None:
    numbers = np.arange(65536).reshape(256, 256)
    expected = (numbers / 1000).astype(np.float32)
    depth = read(png(numbers), depth_scale=1000)
    np.testing.assert_array_equal(depth.values[depth.valid], expected[expected > 0])


def test_8_bit_numbers_are_disparities(png: Callable[..., Path]) -> None:
    assert read(png([[200, 0]], "uint8")).unit == "disparity"


def test_floats_are_metres_and_pfms_disparities(tmp_path: Path) -> None:
    for suffix, unit in (
        (".npy", "m"),
        (".npz", "m"),
        (".tiff", "m"),
        (".exr", "m"),
        (".mat", "m"),
        (".pfm", "disparity"),
    ):
        write(DepthMap([[1.5]], unit=unit), tmp_path / f"map{suffix}")
        assert read(tmp_path / f"map{suffix}").unit == unit
        assert read(tmp_path / f"map{suffix}", unit="mm").unit == "mm"


def test_kind_and_camera_are_passed_on(png: Callable[..., Path]) -> None:
    camera = Camera(fx=1, fy=1, cx=0, cy=0)
    depth = read(png([[1]]), kind="range", camera=camera)
    assert (depth.kind, depth.camera) == ("range", camera)
    with pytest.raises(UnitError):
        read(png([[1]]), kind="range", unit="disparity")


@pytest.mark.parametrize(
    ("invalid", "valid"),
    [
        ("auto", [[False, True, True]]),
        (0, [[False, True, True]]),
        (65535, [[True, True, False]]),
        (None, [[True, True, True]]),
        (-1, [[True, True, True]]),
        (float("nan"), [[True, True, True]]),
    ],
)
def test_which_integers_are_missing(png: Callable[..., Path], invalid: object, valid: list) -> None:
    np.testing.assert_array_equal(read(png([[0, 7, 65535]]), invalid=invalid).valid, valid)


@pytest.mark.parametrize("suffix", [".npy", ".pfm", ".tiff", ".exr", ".mat"])
def test_which_floats_are_missing(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"map{suffix}"
    write(DepthMap([[0.0, -1.0, np.nan, 2.0]]), path)
    np.testing.assert_array_equal(read(path).valid, [[True, True, False, True]])
    np.testing.assert_array_equal(read(path, invalid=None).valid, [[True, True, False, True]])
    np.testing.assert_array_equal(read(path, invalid=0).valid, [[False, True, False, True]])
    np.testing.assert_array_equal(read(path, invalid=-1).valid, [[True, False, False, True]])


def test_middleburys_pfm_has_inf_where_unknown_and_keeps_it(save: Save) -> None:
    stored = np.array([[1.5, np.inf], [3.0, 4.0]], dtype="<f4")
    path = save(b"Pf\n2 2\n-0.003922\n" + stored[::-1].tobytes(), ".pfm")
    depth = read(path)
    np.testing.assert_array_equal(depth.valid, [[True, False], [True, True]])
    np.testing.assert_array_equal(depth.values[0, 0], 1.5)  # rows are stored from the bottom; no factor
    depth.save(path)
    assert path.read_bytes().endswith(stored[::-1].tobytes())


def test_both_byte_orders_of_pfm(save: Save) -> None:
    values = np.array([[1.5, 2.5, -3.0], [4.0, 1e-30, 1e30]])
    little = read(save(b"Pf\n3 2\n-1\n" + values[::-1].astype("<f4").tobytes(), ".pfm"))
    big = read(save(b"Pf 3 2 1.0\n" + values[::-1].astype(">f4").tobytes(), ".pfm"))
    windows = read(save(b"Pf\r\n3 2\r\n-1.0\r\n" + values[::-1].astype("<f4").tobytes(), ".pfm"))
    for depth in (little, big, windows):
        np.testing.assert_array_equal(depth.values, values.astype(np.float32))


@pytest.mark.parametrize("number", ["<f4", ">f4"])
def test_a_pfms_first_pixel_may_look_like_a_line_end(number: str, save: Save) -> None:
    values = np.frombuffer(b"\n\n\n\n\r\n \n", dtype=number)[None]
    order = b"-1" if number == "<f4" else b"1"
    for end in (b"\n", b"\r\n", b"\r"):
        depth = read(save(b"Pf\n2 1\n" + order + end + values.tobytes(), ".pfm"))
        np.testing.assert_array_equal(depth.values, values.astype(np.float32))


@pytest.mark.parametrize(
    "options", [{}, {"depth_scale": 1000}, {"depth_scale": 5000}, {"depth_scale": 256, "unit": "disparity"}]
)
def test_a_png_comes_back_as_the_png_that_it_was(png: Callable[..., Path], options: dict, tmp_path: Path) -> None:
    path = png(np.random.default_rng(0).integers(0, 65536, (40, 50)))
    out = tmp_path / "out.PNG"
    read(path, **options).save(out)
    array = cv2.imread(str(out), cv2.IMREAD_UNCHANGED)
    assert array.dtype == np.uint16
    np.testing.assert_array_equal(array, cv2.imread(str(path), cv2.IMREAD_UNCHANGED))


def test_a_told_number_for_missing_comes_back(png: Callable[..., Path], tmp_path: Path) -> None:
    read(png([[0, 7, 65535]]), invalid=65535).save(tmp_path / "out.png")
    np.testing.assert_array_equal(cv2.imread(str(tmp_path / "out.png"), -1), [[0, 7, 65535]])


def test_an_8_bit_png_stays_one_until_its_values_outgrow_it(png: Callable[..., Path], tmp_path: Path) -> None:
    depth, out = read(png([[200, 0, 254]], "uint8")), tmp_path / "out.png"
    depth.with_values([[200.4, np.nan, 255.4]]).save(out)
    array = cv2.imread(str(out), -1)
    assert array.dtype == np.uint8
    np.testing.assert_array_equal(array, [[200, 0, 255]])
    depth.with_values([[200.4, np.nan, 255.6]]).save(out)
    array = cv2.imread(str(out), -1)
    assert array.dtype == np.uint16
    np.testing.assert_array_equal(array, [[200, 0, 256]])


@pytest.mark.parametrize(
    ("unit", "values", "stored", "dtype"),
    [
        ("m", [[1.5, np.nan]], [[1500, 0]], np.uint16),
        ("mm", [[1500.4, np.nan]], [[1500, 0]], np.uint16),
        ("disparity", [[200, np.nan]], [[200, 0]], np.uint8),
        ("disparity", [[300, np.nan]], [[300, 0]], np.uint16),
        ("disparity", [[49.00390625, np.nan]], [[12545, 0]], np.uint16),
    ],
)
def test_a_png_by_default(unit: str, values: list, stored: list, dtype: type, tmp_path: Path) -> None:
    DepthMap(values, unit=unit).save(tmp_path / "map.png")
    array = cv2.imread(str(tmp_path / "map.png"), cv2.IMREAD_UNCHANGED)
    np.testing.assert_array_equal(array, stored)
    assert array.dtype == dtype


def test_another_format_takes_the_values_and_not_the_stored_numbers(png: Callable[..., Path], tmp_path: Path) -> None:
    read(png([[1500, 0]]), depth_scale=1000).save(tmp_path / "map.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "map.npy"), np.array([[1.5, np.nan]], dtype=np.float32))


def test_millimetres_of_integers_become_floats_when_floats_are_wanted(tmp_path: Path) -> None:
    np.save(tmp_path / "map.npy", np.array([[1500, 0]], dtype=np.uint16))
    read(tmp_path / "map.npy", depth_scale=1000).save(tmp_path / "map.npy", dtype="float32")
    np.testing.assert_array_equal(np.load(tmp_path / "map.npy"), np.array([[1.5, np.nan]], dtype=np.float32))


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([[70.0]], {}, "70000 does not fit uint16"),
        ([[-1.0]], {}, "-1000 does not fit uint16"),
        ([[0.3]], {"dtype": "uint8"}, "300 does not fit uint8"),
        ([[0.0004]], {}, "means missing"),
        ([[0.0]], {}, "means missing"),
        ([[65.535]], {"invalid": 65535}, "means missing"),
        ([[1.0, np.nan]], {"invalid": -1}, "cannot be -1 in uint16"),
        ([[1.0, np.nan]], {"invalid": 70000}, "cannot be 70000 in uint16"),
        ([[1.0, np.nan]], {"invalid": 0.5}, "cannot be 0.5 in uint16"),
        ([[1.0, np.nan]], {"invalid": float("nan")}, "cannot be nan in uint16"),
        ([[1.0]], {"invalid": "zero"}, "invalid is 'zero'"),
        ([[1.0]], {"depth_scale": 0}, "depth_scale is 0"),
        ([[1.0]], {"depth_scale": "x"}, "depth_scale is 'x'"),
        ([[1.0]], {"depth_scale": 1e300}, "does not fit uint16"),
        ([[1.0]], {"dtype": "float32"}, "not written as float32"),
        ([[1.0]], {"dtype": "nonsense"}, "not written as nonsense"),
    ],
)
def test_nothing_is_lost_silently(values: list, options: dict, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        write(DepthMap(values), tmp_path / "map.png", **options)
    assert not list(tmp_path.iterdir())


def test_half_floats_do_not_overflow_silently(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not fit float16"):
        write(DepthMap([[70000.0]], unit="mm"), tmp_path / "map.exr", dtype="float16")


def test_zero_can_be_a_value_if_nothing_is_missing(tmp_path: Path) -> None:
    write(DepthMap([[0.0, 1.0]]), tmp_path / "map.png", invalid=float("nan"))
    assert read(tmp_path / "map.png", invalid=None, depth_scale=1000).values.tolist() == [[0, 1]]


def test_overflow_is_found_in_the_last_row_too(tmp_path: Path) -> None:
    values = np.ones((700, 300), dtype=np.float32)
    values[-1, -1] = 66
    with pytest.raises(InputError, match="66000"):
        write(DepthMap(values), tmp_path / "map.png")


@pytest.mark.parametrize("depth_scale", [0, -1000, float("nan"), float("inf"), "many", 10**400])
def test_what_is_no_depth_scale_is_a_typed_error(png: Callable[..., Path], depth_scale: object) -> None:
    with pytest.raises(InputError, match="depth_scale"):
        read(png([[1]]), depth_scale=depth_scale)


def test_other_options_that_cannot_be_used(png: Callable[..., Path]) -> None:
    with pytest.raises(InputError, match="invalid"):
        read(png([[1]]), invalid="none")
    with pytest.raises(InputError, match="depth_scale"):
        read(png([[1]]), unit="m")
    with pytest.raises(UnitError, match="inch"):
        read(png([[1]]), unit="inch")


@pytest.mark.parametrize("name", ["map", "map.jpg", "map.", ".png", "map.mat.gz"])
def test_a_suffix_without_a_format(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="suffix"):
        read(tmp_path / name)
    with pytest.raises(FileError, match="suffix"):
        write(DepthMap([[1.0]]), tmp_path / name)


def test_a_name_chooses_among_several(tmp_path: Path) -> None:
    path = tmp_path / "several.npz"
    np.savez(path, near=np.full((2, 2), 1.0), far=np.full((2, 2), 9.0), words=np.array(["a"]))
    assert read(path, variable="far").values.max() == 9
    with pytest.raises(FileError, match="near, far"):
        read(path)
    with pytest.raises(FileError, match="'middle'"):
        read(path, variable="middle")
