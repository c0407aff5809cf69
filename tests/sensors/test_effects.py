"""Each effect of a sensor does what its name says, and no more."""

import numpy as np
import pytest
from scipy.ndimage import maximum_filter, minimum_filter

from atgvnet.errors import InputError
from atgvnet.noise import LAWS, NoiseLaw
from atgvnet.sensors import SENSORS, Sensor
from atgvnet.sensors.flying import mix_edges
from atgvnet.sensors.gaussian import add_noise
from atgvnet.sensors.holes import edge_holes, random_holes, region_holes
from atgvnet.sensors.quantise import DISPARITY_STEPS, quantise
from atgvnet.sensors.sampling import reduce

RNG = np.random.default_rng


def steps(side: int = 64) -> np.ndarray:
    values = np.full((side, side), 100, np.float32)
    values[:, side // 2 :] = 200
    return values


def test_decimation_takes_pixels_and_area_takes_means() -> None:
    truth = RNG(0).random((12, 8), dtype=np.float32)
    assert np.array_equal(reduce(truth, 4, "decimate"), truth[2::4, 2::4])
    assert np.array_equal(reduce(truth, 4, "decimate", (1, 3)), truth[1::4, 3::4])
    area = reduce(truth, 4, "area")
    assert area[1, 0] == pytest.approx(truth[4:8, :4].mean(), rel=1e-6)


@pytest.mark.parametrize("sampling", ["bicubic", "area"])
def test_a_ramp_is_sampled_at_pixel_centres(sampling: str) -> None:
    """The centre of a low-resolution pixel lies at s (x + 1/2) - 1/2: decimation alone is off by half a pixel."""
    ramp = np.tile(np.arange(64, dtype=np.float32), (64, 1))
    low = reduce(ramp, 4, sampling)  # type: ignore[arg-type]
    np.testing.assert_allclose(low[8, 4:12], 4 * (np.arange(4, 12) + 0.5) - 0.5, atol=1e-3)


def test_sizes_and_ways_that_do_not_fit_are_errors() -> None:
    with pytest.raises(InputError, match="not a multiple of 4"):
        reduce(np.zeros((6, 8), np.float32), 4, "area")
    with pytest.raises(InputError, match="give one of bicubic, area, decimate"):
        reduce(np.zeros((8, 8), np.float32), 4, "lanczos")  # type: ignore[arg-type]


def test_noise_has_the_law_s_standard_deviation() -> None:
    values = np.repeat(np.float32([[70], [217]]), 40_000, axis=1)
    noise = add_noise(values, NoiseLaw("inverse", 651.0), RNG(1)) - values
    assert noise.std(axis=1) == pytest.approx([9.3, 3.0], rel=0.02)
    assert abs(noise.mean(axis=1)).max() < 0.15


def test_quantisation_errs_by_half_a_step_at_most() -> None:
    values = RNG(2).uniform(0, 255, 1000).astype(np.float32)
    assert abs(quantise(values, 8) - values).max() <= 4
    assert set(np.unique(quantise(values, 8) % 8)) == {0}
    assert quantise(values, 0) is values


@pytest.mark.parametrize("step", DISPARITY_STEPS)
def test_eight_bit_disparities_are_multiples_that_a_byte_holds(step: float) -> None:
    truth = RNG(3).uniform(0, 255, (64, 64)).astype(np.float32)
    low = Sensor(steps=(step,), laws=SENSORS["stereo"].laws, most=255.0).measure(truth, 1, RNG(4)).low
    assert low.max() <= 255
    assert set(np.unique(low[low < 255] % step)) == {0}


def test_millimetres_and_the_published_noise_of_the_first_kinect() -> None:
    truth = np.full((400, 400), 2000, np.float32)
    measured = SENSORS["structured-light"].measure(truth, 4, RNG(5))
    assert np.array_equal(measured.low, np.round(measured.low))
    # Khoshelham and Elberink: 1.425e-3 z² in metres, here and a half step of rounding
    assert measured.low.std() == pytest.approx(np.hypot(5.7, 1 / np.sqrt(12)), rel=0.03)
    assert LAWS["kinect"].sigma([2.0])[0] == pytest.approx(0.0057)


def test_lidar_decimates_with_any_phase_and_the_benchmarks_with_theirs() -> None:
    truth = np.add.outer(1000 * np.arange(32), np.arange(32)).astype(np.float32)
    exact = {name: Sensor(samplings=("decimate",), phase=name) for name in ("central", "middle", "any")}
    found = {
        name: {divmod(int(sensor.measure(truth, 4, RNG(seed)).low[0, 0]), 1000) for seed in range(200)}
        for name, sensor in exact.items()
    }
    assert found["central"] == {(2, 2)}
    assert found["middle"] == {(1, 1), (2, 2)}
    assert found["any"] == {(row, column) for row in range(4) for column in range(4)}
    assert SENSORS["lidar"].phase == "any"


def test_flying_pixels_lie_between_both_sides_and_only_at_edges() -> None:
    values = steps()
    mixed = mix_edges(values, 10, 0.5, RNG(3))
    changed = mixed != values
    edge = maximum_filter(values, 3) != minimum_filter(values, 3)
    assert not (changed & ~edge).any()
    assert 0.3 < changed[edge].mean() < 0.7
    assert mixed.min() >= 100
    assert mixed.max() <= 200


def test_holes_have_the_share_asked_for_where_they_belong() -> None:
    assert 1 - random_holes((200, 200), 0.3, RNG(4)).mean() == pytest.approx(0.3, abs=0.02)
    assert 1 - region_holes((200, 200), 0.2, 20, RNG(5)).mean() == pytest.approx(0.2, abs=0.01)
    values = steps()
    holes = ~edge_holes(values, 10, 1.0, RNG(6))
    assert np.array_equal(holes, maximum_filter(values, 3) != minimum_filter(values, 3))


@pytest.mark.parametrize("name", SENSORS)
def test_a_sensor_is_a_function_of_its_seed(name: str) -> None:
    unit = 10 if SENSORS[name].unit == "mm" else 1
    truth = unit * (np.add.outer(np.arange(64), np.arange(96)).astype(np.float32) + 30)
    first, again, other = (SENSORS[name].measure(truth, 4, RNG(seed)) for seed in (7, 7, 8))
    size = truth.shape if name == "tofmark" else (16, 24)
    assert first.low.shape == first.valid.shape == first.sigma.shape == size
    assert np.array_equal(first.low, again.low)
    assert np.array_equal(first.valid, again.valid)
    assert np.isfinite(first.low).all()
    assert (first.sigma >= 0).all()
    deterministic = name in {"clean-middlebury", "clean-middlebury-decimated", "laserscan"}
    assert np.array_equal(first.low, other.low) == deterministic


def test_the_benchmark_s_sensor_makes_the_benchmark_s_input() -> None:
    """facts.md: round(imresize(truth, 1/s) + N(0, 651/d))."""
    truth = np.full((512, 512), 130, np.float32)
    measured = SENSORS["noisy-middlebury"].measure(truth, 4, RNG(9))
    assert measured.low.std() == pytest.approx(np.hypot(651 / 130, 1 / np.sqrt(12)), rel=0.03)
    assert np.array_equal(measured.low, np.round(measured.low))
    assert measured.sigma == pytest.approx(651 / 130, rel=1e-4)
