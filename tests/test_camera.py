"""Pinhole geometry against geometry done by hand."""

import math

import numpy as np
import pytest

from atgvnet.camera import Camera
from atgvnet.errors import InputError

CAMERA = Camera(fx=310.0, fy=290.0, cx=80.3, cy=57.7, baseline=0.12)


def plane(camera: Camera, shape: tuple[int, int]) -> np.ndarray:
    """Give the z at which each pixel's ray meets the plane 0.3 X - 0.2 Y + Z = 2."""
    y, x = np.mgrid[: shape[0], : shape[1]]
    return 2 / (0.3 * (x - camera.cx) / camera.fx - 0.2 * (y - camera.cy) / camera.fy + 1)


def test_the_ray_through_the_principal_point_is_the_axis() -> None:
    rays = Camera(fx=100, fy=100, cx=3, cy=2).rays((5, 7))
    assert rays.shape == (5, 7, 3)
    np.testing.assert_array_equal(rays[2, 3], [0, 0, 1])
    np.testing.assert_allclose(rays[2, 4], [0.01, 0, 1], rtol=1e-15)  # x is to the right, y down
    np.testing.assert_allclose(rays[4, 3], [0, 0.02, 1], rtol=1e-15)


def test_points_lie_on_the_plane_that_the_map_shows() -> None:
    points = CAMERA.points(plane(CAMERA, (120, 160)).astype(np.float32))
    np.testing.assert_allclose(points @ [0.3, -0.2, 1], 2, rtol=1e-6)


@pytest.mark.parametrize("scale", [3, 5])
def test_a_pixels_point_is_unmoved_by_upsampling_a_plane(scale: int) -> None:
    shape = (12, 16)
    small = CAMERA.points(plane(CAMERA, shape))
    larger = CAMERA.rescaled(scale, scale)
    large = larger.points(plane(larger, (shape[0] * scale, shape[1] * scale)))
    middle = scale // 2  # of the pixels that a small one covers
    np.testing.assert_allclose(large[middle::scale, middle::scale], small, rtol=1e-6)


@pytest.mark.parametrize(("scale_y", "scale_x"), [(2, 2), (4, 4), (1.5, 2.25), (0.25, 0.5)])
def test_rescaling_keeps_the_rays_of_the_images_corners(scale_y: float, scale_x: float) -> None:
    height, width = 12, 16
    rescaled = CAMERA.rescaled(scale_y, scale_x)
    for camera, w, h in ((CAMERA, width, height), (rescaled, width * scale_x, height * scale_y)):
        corners = [(-0.5 - camera.cx) / camera.fx, (w - 0.5 - camera.cx) / camera.fx]
        corners += [(-0.5 - camera.cy) / camera.fy, (h - 0.5 - camera.cy) / camera.fy]
        if camera is CAMERA:
            expected = corners
    np.testing.assert_allclose(corners, expected, rtol=1e-12)
    assert rescaled.baseline == CAMERA.baseline


def test_range_is_the_distance_of_the_point() -> None:
    z = plane(CAMERA, (120, 160))
    np.testing.assert_allclose(
        z * CAMERA.range_per_z((120, 160)), np.linalg.norm(CAMERA.points(z), axis=-1), rtol=1e-14
    )


def test_disparity_is_focal_length_times_baseline_over_z() -> None:
    values = np.array([[31.0, 62.0]], dtype=np.float32)
    np.testing.assert_allclose(CAMERA.flip_disparity(values), [[310 * 0.12 / 31, 310 * 0.12 / 62]], rtol=1e-7)


def test_what_has_no_counterpart_becomes_nan() -> None:
    values = np.array([[0, -1, np.nan, 1e-45, 1]], dtype=np.float32)
    flipped = CAMERA.flip_disparity(values)
    assert np.isnan(flipped[0, :3]).all()
    assert np.isinf(flipped[0, 3])
    assert flipped[0, 4] == np.float32(37.2)


def test_json_comes_back_alike() -> None:
    assert Camera.from_json(CAMERA.to_json()) == CAMERA
    without = Camera(fx=1, fy=2, cx=3, cy=4)
    assert "baseline" not in without.to_json()
    assert Camera.from_json(without.to_json()) == without


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1, 2, 3, 4]",
        '"fx"',
        "null",
        '{"fx": 500}',
        '{"fx": 500, "fy": 500, "cx": 0, "cy": 0, "k1": 0.1}',
        '{"fx": "500", "fy": 500, "cx": 0, "cy": 0}',
        '{"fx": null, "fy": 500, "cx": 0, "cy": 0}',
        '{"fx": NaN, "fy": 500, "cx": 0, "cy": 0}',
        '{"fx": Infinity, "fy": 500, "cx": 0, "cy": 0}',
        '{"fx": true, "fy": 500, "cx": 0, "cy": 0}',
        '{"fx": 0, "fy": 500, "cx": 0, "cy": 0}',
        '{"fx": -500, "fy": 500, "cx": 0, "cy": 0}',
        '{"fx": 500, "fy": 500, "cx": 0, "cy": 0, "baseline": 0}',
        '{"fx": 1' + "0" * 400 + ', "fy": 500, "cx": 0, "cy": 0}',
        "[" * 100_000,
    ],
)
def test_what_is_no_camera_is_one_typed_error(text: str) -> None:
    with pytest.raises(InputError, match="camera"):
        Camera.from_json(text)


def test_numpys_numbers_are_numbers() -> None:
    camera = Camera(fx=np.float32(500), fy=np.int64(500), cx=np.float64(1), cy=0)
    assert [type(value) for value in (camera.fx, camera.fy, camera.cx, camera.cy)] == [float] * 4


def test_a_camera_without_baseline_converts_no_disparity() -> None:
    with pytest.raises(InputError, match="baseline"):
        Camera(fx=1, fy=1, cx=0, cy=0).flip_disparity(np.ones((1, 1), dtype=np.float32))


def test_the_field_of_view_is_kept() -> None:
    wide = Camera(fx=320, fy=320, cx=319.5, cy=239.5)
    large = wide.rescaled(4, 4)
    assert math.atan(1280 / large.fx) == math.atan(320 / wide.fx)
    assert (large.cx, large.cy) == (1279.5, 959.5)  # still the middle
