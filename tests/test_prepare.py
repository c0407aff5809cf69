"""Ranges are undone exactly, wild values do not set them, and what dwarfs the rest is told from what does not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from atgvnet.prepare import Range, bulk, fill_nearest
from atgvnet.scenes import FAMILIES, render

RAMP = np.add.outer(np.linspace(0, 1, 40), np.linspace(1, 3, 50)).astype(np.float32)
ALL = np.ones(RAMP.shape, bool)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e9))
def test_a_range_is_undone(low: float, span: float) -> None:
    values = (low + span * np.linspace(0, 1, 64, dtype=np.float64)).astype(np.float32)[None]
    own = Range.of(values, np.ones(values.shape, bool))
    np.testing.assert_allclose(own.undo(own.apply(values)), values, rtol=2e-7, atol=3e-7 * own.span)


def test_a_few_wild_values_do_not_set_the_range() -> None:
    wild = RAMP.copy()
    wild[0, :4] = 1e6
    own, before = Range.of(wild, ALL), Range.of(RAMP, ALL)
    assert own.span == pytest.approx(before.span, rel=0.02)
    assert Range.whole(wild, ALL).high == 1e6


@pytest.mark.parametrize("value", [0.0, -7.0, 1e30, 1e-30])
def test_a_constant_has_a_range(value: float) -> None:
    own = Range.of(np.full((3, 3), value, np.float32), np.ones((3, 3), bool))
    assert own.span > 0
    assert Range.of(RAMP, ~ALL) == Range(low=0.0, high=1.0)


def test_undoing_never_overflows() -> None:
    assert np.isfinite(Range(low=-3e38, high=3e38).undo(np.float32([-2, 0.5, 2]))).all()


def test_missing_pixels_become_their_nearest_neighbour() -> None:
    rng = np.random.default_rng(0)
    values, valid = rng.random((9, 11), dtype=np.float32), rng.random((9, 11)) < 0.2
    filled = fill_nearest(np.where(valid, values, np.float32(np.nan)), valid)
    places = np.argwhere(valid)
    for place in np.ndindex(valid.shape):
        distances = ((places - place) ** 2).sum(axis=1)
        nearest = [values[tuple(each)] for each in places[distances == distances.min()]]
        assert filled[place] in nearest
    assert not fill_nearest(np.full((2, 2), np.nan, np.float32), np.zeros((2, 2), bool)).any()


@pytest.mark.parametrize("far", [1e3, 65535.0, 1e10, -1e10, 0.0 - 500])
@pytest.mark.parametrize("share", [0.004, 0.1, 0.45])
def test_what_is_far_away_is_told_from_the_bulk(far: float, share: float) -> None:
    values = RAMP.copy()
    distant = np.random.default_rng(1).random(values.shape) < share
    values[distant] = far
    near = bulk(values, ALL, np.zeros_like(values))
    assert near is not None
    np.testing.assert_array_equal(near, ~distant)


def test_both_ends_may_be_far() -> None:
    values = RAMP + 1000
    values[:8], values[-8:] = 0, 1e9
    near = bulk(values, ALL, np.zeros_like(values))
    assert near is not None
    assert near[8:-8].all()
    assert not near[:8].any()
    assert not near[-8:].any()


@pytest.mark.parametrize("family", FAMILIES)
def test_usual_scenes_have_no_bulk_of_their_own(family: str) -> None:
    for index in range(2):
        depth = render(family, 7, index, (96, 128)).depth
        assert bulk(depth, np.ones(depth.shape, bool), np.zeros_like(depth)) is None


def test_noise_alone_is_no_bulk() -> None:
    noise = np.random.default_rng(2).normal(0, 0.01, RAMP.shape).astype(np.float32)
    values = 1 + noise
    values[:5] = 9
    assert bulk(values, ALL, np.full(RAMP.shape, 0.01, np.float32)) is None
    assert bulk(RAMP, ALL & (RAMP < 1.1), np.zeros_like(RAMP)) is None
    assert bulk(np.full((20, 20), 5.0, np.float32), np.ones((20, 20), bool), np.zeros((20, 20), np.float32)) is None
