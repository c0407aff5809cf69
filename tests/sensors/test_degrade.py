"""A sensor on maps of every unit: sizes, units, holes, and the key that everything is a function of."""

import numpy as np
import pytest

from atgvnet import DepthMap
from atgvnet.camera import Camera
from atgvnet.depthmap import Encoding
from atgvnet.errors import InputError, UnitError
from atgvnet.sensors import SENSORS
from atgvnet.sensors.degrade import degrade

CAMERA = Camera(fx=100.0, fy=100.0, cx=47.5, cy=31.5, baseline=2.0)
FILE = Encoding(suffix=".png", dtype="uint16", depth_scale=1.0, invalid=0.0)


def ramp() -> np.ndarray:
    return np.add.outer(4.0 * np.arange(64), 6.0 * np.arange(96)) + 1000


@pytest.mark.parametrize("sensor", SENSORS)
@pytest.mark.parametrize("unit", ["m", "mm", "disparity"])
def test_every_sensor_measures_every_unit(sensor: str, unit: str) -> None:
    depth = DepthMap(ramp(), unit="mm", camera=CAMERA).to_unit(unit)
    low = degrade(depth, sensor, 4, (1, 2))
    assert (low.unit, low.kind) == (unit, "z")
    assert low.shape == ((64, 96) if sensor == "tofmark" else (16, 24))
    assert low.camera.fx == 100 * low.shape[1] / 96
    # what is known is about where it was: the mean of the known pixels' truth
    factor = 64 // low.shape[0]
    truth = depth.values.reshape(low.shape[0], factor, -1, factor).mean(axis=(1, 3))
    error = np.median(np.abs(low.values - truth)[low.valid])
    assert error < 0.2 * (truth.max() - truth.min())
    np.testing.assert_array_equal(low.values, degrade(depth, sensor, 4, (1, 2)).values)


def test_metres_and_millimetres_are_the_same_measurement() -> None:
    low, metres = (degrade(DepthMap(ramp(), unit="mm").to_unit(unit), "tof", 4, (3,)) for unit in ("mm", "m"))
    np.testing.assert_allclose(metres.values * 1000, low.values, rtol=1e-6)
    np.testing.assert_array_equal(low.values[low.valid] % 1, 0)


def test_a_clean_sensor_of_disparities_gives_depths_back_as_they_were() -> None:
    low = degrade(DepthMap(ramp(), unit="mm"), "clean-middlebury-decimated", 4, (0,))
    np.testing.assert_allclose(low.values, ramp()[2::4, 2::4], atol=1e-2)


def test_maps_that_are_no_multiple_are_cut_and_holes_stay_holes() -> None:
    values = ramp()
    values[8:12, 20:24] = np.nan
    low = degrade(DepthMap(values[:63, :95], unit="mm"), "clean-middlebury", 4, (0,))
    assert low.shape == (15, 23)
    assert np.argwhere(~low.valid).tolist() == [[2, 5]]


def test_what_a_file_cannot_hold_is_missing() -> None:
    dark = DepthMap(np.full((64, 64), 1.5), unit="disparity", encoding=FILE)
    low = degrade(dark, "noisy-middlebury", 2, (0,))
    assert 0.2 < low.valid.mean() < 0.9
    assert low.values[low.valid].min() >= 1


def test_what_cannot_be_measured() -> None:
    depth = DepthMap(ramp(), unit="mm")
    with pytest.raises(InputError, match="give one of noisy-middlebury"):
        degrade(depth, "sonar", 4, (0,))
    for scale in (0, -2, 65):
        with pytest.raises(InputError, match=f"scale is {scale}"):
            degrade(depth, "tof", scale, (0,))
    with pytest.raises(InputError, match="-1"):
        degrade(depth, "tof", 4, (-1,))
    with pytest.raises(InputError, match="nothing to measure"):
        degrade(DepthMap(np.full((8, 8), np.nan)), "tof", 4, (0,))
    with pytest.raises(UnitError, match="camera"):
        degrade(DepthMap(ramp(), unit="disparity"), "tof", 4, (0,))
