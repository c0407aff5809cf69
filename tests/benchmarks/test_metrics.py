"""The metrics against definitions written out pixel by pixel."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from atgvnet.benchmarks.metrics import BAND, STEP, discontinuities, edge_band, measure, step_height
from atgvnet.errors import InputError

NAN = np.float32(np.nan)


def square(size: int = 24, low: float = 1.0, high: float = 9.0) -> np.ndarray:
    truth = np.full((size, size), low, dtype=np.float32)
    truth[size // 3 : 2 * size // 3, size // 3 : 2 * size // 3] = high
    return truth


def neighbours(truth: np.ndarray, y: int, x: int) -> list[float]:
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
    places = ((y + down, x + right) for down, right in steps)
    return [float(truth[p]) for p in places if 0 <= p[0] < truth.shape[0] and 0 <= p[1] < truth.shape[1]]


def window(truth: np.ndarray, y: int, x: int, reach: int) -> np.ndarray:
    return truth[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1]


def band_by_definition(truth: np.ndarray, step: float) -> np.ndarray:
    edge = np.zeros(truth.shape, bool)
    for y, x in np.ndindex(*truth.shape):
        edge[y, x] = any(abs(other - float(truth[y, x])) > step for other in neighbours(truth, y, x))
    return np.array(
        [[window(edge, y, x, BAND - 1).any() for x in range(truth.shape[1])] for y in range(truth.shape[0])]
    )


def flies(value: float, around: np.ndarray, step: float) -> bool:
    known = around[np.isfinite(around)]
    return bool(known.min() < value < known.max() and np.abs(known - value).min() > step)


values = st.one_of(st.just(NAN), st.integers(0, 40).map(np.float32))


@settings(max_examples=30, deadline=None)
@given(arrays(np.float32, (9, 11), elements=values), arrays(np.float32, (9, 11), elements=values))
def test_every_number_is_what_its_definition_says(truth: np.ndarray, result: np.ndarray) -> None:
    counted = np.arange(99).reshape(9, 11) % 7 != 0
    known = counted & np.isfinite(truth) & np.isfinite(result)
    if not known.any():
        with pytest.raises(InputError, match="nothing can be compared"):
            measure(result, truth, counted)
        return
    found = measure(result, truth, counted)
    errors = [float(result[p]) - float(truth[p]) for p in zip(*np.nonzero(known), strict=True)]
    assert found.rmse == pytest.approx(math.sqrt(sum(e * e for e in errors) / len(errors)))
    assert found.mae == pytest.approx(sum(map(abs, errors)) / len(errors))
    assert found.coverage == pytest.approx(known.sum() / (counted & np.isfinite(truth)).sum())
    step = step_height(truth)
    band = known & band_by_definition(truth, step)
    if not band.any():
        assert found.rmse_edge is None
        assert found.flying is None
        return
    places = list(zip(*np.nonzero(band), strict=True))
    squares = [(float(result[p]) - float(truth[p])) ** 2 for p in places]
    assert found.rmse_edge == pytest.approx(math.sqrt(sum(squares) / len(squares)))
    in_the_air = [flies(float(result[y, x]), window(truth, y, x, BAND), step) for y, x in places]
    assert found.flying == pytest.approx(sum(in_the_air) / len(places))


def test_the_band_is_three_pixels_on_each_side() -> None:
    truth = np.zeros((16, 32), np.float32)
    truth[:, 16:] = 1.0
    band = edge_band(truth)
    assert band[:, 13:19].all()
    assert not band[:, :13].any()
    assert not band[:, 19:].any()
    assert discontinuities(truth).sum() == 2 * 16


def test_a_perfect_result_has_no_error_and_a_shift_has_it_everywhere() -> None:
    truth = square()
    assert measure(truth, truth) == measure(truth.copy(), truth)
    assert measure(truth, truth).rmse == measure(truth, truth).rmse_edge == measure(truth, truth).flying == 0
    shifted = measure(truth + np.float32(0.25), truth)
    assert (shifted.rmse, shifted.mae, shifted.rmse_edge) == (0.25, 0.25, 0.25)


@pytest.mark.parametrize(("scale", "shift"), [(1000.0, 0.0), (-1.0, 0.0), (0.001, 5.0), (4.0, -100.0)])
def test_edges_and_flying_pixels_do_not_depend_on_the_unit(scale: float, shift: float) -> None:
    generator = np.random.default_rng(3)
    truth = square() + np.linspace(0, 2, 24, dtype=np.float32)
    result = truth + generator.normal(0, 1, truth.shape).astype(np.float32)
    there, here = (measure(*(m * np.float32(f) + np.float32(s) for m in (result, truth)))
                   for f, s in ((scale, shift), (1.0, 0.0)))  # fmt: skip
    assert there.flying == here.flying
    assert here.flying is not None
    assert here.flying > 0
    assert there.rmse_edge == pytest.approx(abs(scale) * here.rmse_edge, rel=1e-4)


def test_only_what_hangs_between_the_surfaces_flies() -> None:
    truth = square()
    step = step_height(truth)
    assert step == pytest.approx(STEP * 8)
    for value, expected in (
        (5.0, True),
        (1 + 0.9 * step, False),
        (9 - 0.9 * step, False),
        (9.9, False),
        (0.1, False),
    ):
        result = truth.copy()
        result[8, 8] = value
        assert (measure(result, truth).flying > 0) is expected, value


def test_a_third_surface_between_two_is_not_the_air() -> None:
    truth = square()
    truth[:, 12] = 5.0
    result = truth.copy()
    result[8, 11] = 5.0
    assert measure(result, truth).flying == 0


def test_a_slanted_plane_has_no_discontinuity() -> None:
    plane = np.add.outer(np.linspace(0, 3, 50), np.linspace(0, 5, 60)).astype(np.float32)
    found = measure(plane + np.float32(1), plane)
    assert found.rmse_edge is None
    assert found.flying is None


def test_a_hole_is_no_discontinuity() -> None:
    truth = np.full((20, 20), 4.0, np.float32)
    truth[5:9, 5:9] = np.nan
    assert not discontinuities(truth).any()
    assert step_height(np.full((2, 2), np.nan, np.float32)) == 0


def test_missing_results_are_told_not_counted() -> None:
    truth, result = square(), square()
    result[:6] = np.nan
    found = measure(result, truth)
    assert found.rmse == 0
    assert found.coverage == 0.75


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1)])
def test_maps_of_one_pixel_or_row(shape: tuple[int, int]) -> None:
    truth = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    assert measure(truth, truth).rmse == 0


def test_sizes_must_agree() -> None:
    with pytest.raises(InputError, match="3×4, the truth 4×3"):
        measure(np.zeros((3, 4), np.float32), np.zeros((4, 3), np.float32))
