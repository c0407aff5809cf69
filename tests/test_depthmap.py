"""What a depth map promises: missing is what the mask says, and conversions are exact."""

import dataclasses

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from atgvnet.camera import Camera
from atgvnet.depthmap import DepthMap, Encoding, replace_camera
from atgvnet.errors import InputError, UnitError

CAMERA = Camera(fx=310.0, fy=290.0, cx=3.3, cy=2.7, baseline=0.12)
MAPS = hnp.arrays(
    np.float32, hnp.array_shapes(min_dims=2, max_dims=2, max_side=8), elements=st.floats(0.125, 64, width=32)
)


@given(MAPS.flatmap(lambda values: st.tuples(st.just(values), hnp.arrays(bool, values.shape))))
def test_a_pixel_is_known_where_the_mask_and_the_value_say_so(pair: tuple[np.ndarray, np.ndarray]) -> None:
    values, mask = pair
    values = values.copy()
    values.flat[0] = np.inf
    depth = DepthMap(values, valid=mask)
    np.testing.assert_array_equal(depth.valid, mask & np.isfinite(values))
    np.testing.assert_array_equal(np.isnan(depth.values), ~depth.valid)
    np.testing.assert_array_equal(depth.values[depth.valid], values[depth.valid])


def test_zero_is_a_value_like_any_other() -> None:
    assert DepthMap([[0.0, 1.0]]).valid.all()


def test_a_masked_arrays_mask_counts() -> None:
    masked = np.ma.masked_equal(np.array([[65535, 7]]), 65535)
    np.testing.assert_array_equal(DepthMap(masked).valid, [[False, True]])


def test_nothing_can_be_changed_through_or_behind_a_map() -> None:
    values, mask = np.ones((2, 3), dtype=np.float32), np.ones((2, 3), dtype=bool)
    depth = DepthMap(values, valid=mask)
    values[:], mask[:] = 5, False
    assert depth.values.max() == 1
    assert depth.valid.all()
    with pytest.raises(ValueError, match="read-only"):
        depth.values[0, 0] = 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        depth.unit = "mm"


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int64, np.float16, np.float64, ">f4", bool])
def test_any_numbers_become_float32(dtype: object) -> None:
    depth = DepthMap(np.ones((2, 3), dtype=dtype))
    assert depth.values.dtype == np.float32
    assert depth.shape == (2, 3)


def test_tensors_are_taken() -> None:
    assert DepthMap(torch.ones(2, 3)).shape == (2, 3)


@pytest.mark.parametrize(
    "values",
    [
        [],
        [[]],
        np.ones((0, 4)),
        np.ones(4),
        3.0,
        np.ones((2, 2, 3)),
        [[1, 2], [3]],
        "depth",
        None,
        [["1.5"]],
        [[None]],
        [[1j]],
        np.zeros((2, 2), dtype="datetime64[s]"),
        torch.ones(2, 3, requires_grad=True),
    ],
    ids=str,
)
def test_what_is_no_map_is_a_typed_error(values: object) -> None:
    with pytest.raises(InputError, match="depth map"):
        DepthMap(values)


@pytest.mark.parametrize("valid", [[[True]], np.ones((3, 2)), "all", [["a", "b", "c"]] * 2, [[True], [True, False]]])
def test_what_is_no_mask_is_a_typed_error(valid: object) -> None:
    with pytest.raises(InputError, match="mask"):
        DepthMap(np.ones((2, 3)), valid=valid)


@pytest.mark.parametrize(
    "options",
    [{"unit": "cm"}, {"unit": None}, {"kind": "x"}, {"unit": "disparity", "kind": "range"}, {"camera": [1, 2, 3, 4]}],
)
def test_what_is_no_unit_kind_or_camera_is_a_typed_error(options: dict[str, object]) -> None:
    with pytest.raises(InputError):
        DepthMap(np.ones((2, 3)), **options)


def test_a_value_beyond_float32_is_missing() -> None:
    assert not DepthMap(np.full((1, 1), 1e300)).valid.any()


def test_a_map_may_have_no_known_pixel_at_all() -> None:
    depth = DepthMap(np.full((2, 3), np.nan), camera=CAMERA)
    for other in (depth.to_unit("mm"), depth.to_unit("disparity"), depth.to_kind("range")):
        assert not other.valid.any()


@given(MAPS)
def test_metres_and_millimetres_are_a_thousandfold(values: np.ndarray) -> None:
    depth = DepthMap(values)
    millimetres = depth.to_unit("mm")
    np.testing.assert_array_equal(millimetres.values, (values.astype(np.float64) * 1000).astype(np.float32))
    np.testing.assert_allclose(millimetres.to_unit("m").values, values, rtol=1.2e-7)


def test_whole_millimetres_come_back_whole_when_rounded() -> None:
    values = np.arange(1, 65536, dtype=np.float32).reshape(255, 257)
    back = DepthMap(values, unit="mm").to_unit("m").to_unit("mm").values
    np.testing.assert_array_equal(np.rint(back), values)


@given(MAPS)
def test_range_is_the_distance_of_the_point_and_comes_back_as_z(values: np.ndarray) -> None:
    depth = DepthMap(values, camera=CAMERA)
    ranges = depth.to_kind("range")
    assert ranges.kind == "range"
    np.testing.assert_allclose(ranges.values, np.linalg.norm(CAMERA.points(values), axis=-1), rtol=1e-7)
    np.testing.assert_allclose(ranges.to_kind("z").values, values, rtol=1.2e-7)


@given(MAPS)
def test_disparity_is_focal_length_times_baseline_over_metres(values: np.ndarray) -> None:
    disparity = DepthMap(values, camera=CAMERA).to_unit("disparity")
    np.testing.assert_allclose(disparity.values, 310 * 0.12 / values.astype(np.float64), rtol=1e-7)
    np.testing.assert_allclose(disparity.to_unit("m").values, values, rtol=2.4e-7)
    np.testing.assert_allclose(disparity.to_unit("mm").values, 1000 * values, rtol=2.4e-7)


def test_a_disparity_of_zero_is_infinitely_far_and_so_missing() -> None:
    depth = DepthMap([[0.0, 31.0]], unit="disparity", camera=CAMERA).to_unit("m")
    np.testing.assert_array_equal(depth.valid, [[False, True]])


def test_conversions_keep_missing_pixels_missing() -> None:
    depth = DepthMap([[np.nan, 2.0]], camera=CAMERA)
    for other in (depth.to_unit("mm"), depth.to_unit("disparity"), depth.to_kind("range")):
        np.testing.assert_array_equal(other.valid, depth.valid)


def test_what_a_conversion_needs_is_said() -> None:
    depth = DepthMap([[2.0]])
    with pytest.raises(UnitError, match="baseline"):
        depth.to_unit("disparity")
    with pytest.raises(UnitError, match="baseline"):
        replace_camera(depth, Camera(fx=1, fy=1, cx=0, cy=0)).to_unit("disparity")
    with pytest.raises(UnitError, match="camera"):
        depth.to_kind("range")
    with pytest.raises(UnitError, match="to_kind"):
        DepthMap([[2.0]], kind="range", camera=CAMERA).to_unit("disparity")
    with pytest.raises(UnitError, match="belongs to z"):
        DepthMap([[2.0]], unit="disparity", camera=CAMERA).to_kind("range")
    with pytest.raises(UnitError, match="feet"):
        depth.to_unit("feet")
    with pytest.raises(UnitError, match="axis"):
        depth.to_kind("axis")


def test_other_values_keep_everything_and_rescale_the_camera() -> None:
    encoding = Encoding(suffix=".png", dtype="uint16", depth_scale=1000.0, invalid=0.0)
    depth = DepthMap(np.ones((3, 4)), unit="mm", kind="range", camera=CAMERA, encoding=encoding)
    large = depth.with_values(np.full((6, 12), 2.0))
    assert (large.unit, large.kind, large.encoding) == ("mm", "range", encoding)
    assert large.camera == CAMERA.rescaled(2, 3)
    assert depth.with_values(np.ones((3, 4))).camera is CAMERA
    for empty in (np.ones((0, 4)), np.ones(3), [[1], [2, 3]]):
        with pytest.raises(InputError, match="depth map"):
            depth.with_values(empty)


@pytest.mark.parametrize(("unit", "scale"), [("mm", 1.0), ("m", 1000.0)])
def test_a_files_integers_stay_what_they_were_in_another_unit(unit: str, scale: float) -> None:
    other = "m" if unit == "mm" else "mm"
    depth = DepthMap([[2.0]], unit=other, encoding=Encoding(suffix=".png", dtype="uint16", depth_scale=1001 - scale))
    assert depth.to_unit(unit).encoding == Encoding(suffix=".png", dtype="uint16", depth_scale=scale)
