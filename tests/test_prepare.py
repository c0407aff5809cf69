"""The change of range is undone exactly enough, follows the map, and holes are filled by their nearest neighbours."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from atgvnet.prepare import Range, fill_nearest

MAP = np.random.default_rng(0).uniform(1, 3, (20, 30)).astype(np.float32)
ALL = np.ones(MAP.shape, bool)


@given(scale=st.floats(1e-3, 1e4), shift=st.floats(-1e4, 1e4))
def test_scaling_or_shifting_the_map_changes_nothing_for_the_network(scale: float, shift: float) -> None:
    moved = (MAP.astype(np.float64) * scale + shift).astype(np.float32)
    rounding = 4e-7 * (abs(shift) + 3 * scale) / scale
    normal = Range.of(moved, ALL).apply(moved)
    np.testing.assert_allclose(normal, Range.of(MAP, ALL).apply(MAP), atol=max(1e-5, 4 * rounding))


def test_undone_is_as_before() -> None:
    span = Range.of(MAP, ALL)
    np.testing.assert_allclose(span.undo(span.apply(MAP)), MAP, rtol=2e-7)


def test_a_few_wild_values_do_not_set_the_range() -> None:
    wild = MAP.copy()
    wild[0, :2] = 1e9
    assert Range.of(wild, ALL).high < 3.1


@pytest.mark.parametrize("value", [0.0, 5.0, -3.0, 1e30])
def test_a_constant_map_has_a_range_too(value: float) -> None:
    constant = np.full((4, 4), value, np.float32)
    span = Range.of(constant, constant == constant)
    assert span.span > 0
    assert np.isfinite(span.apply(constant)).all()


def test_nothing_known_gives_the_unit_range() -> None:
    assert Range.of(MAP, ~ALL) == Range(low=0.0, high=1.0)


def test_each_hole_gets_its_nearest_neighbour_by_brute_force() -> None:
    rng = np.random.default_rng(1)
    valid = rng.random(MAP.shape) < 0.2
    filled = fill_nearest(MAP, valid)
    known = np.argwhere(valid)
    for y, x in np.argwhere(~valid):
        distances = ((known - (y, x)) ** 2).sum(axis=1)
        nearest = known[distances == distances.min()]
        assert filled[y, x] in MAP[nearest[:, 0], nearest[:, 1]]
    assert np.array_equal(filled[valid], MAP[valid])
    assert not fill_nearest(MAP, ~ALL).any()
