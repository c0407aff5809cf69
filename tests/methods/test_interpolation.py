"""Interpolation as methods: MATLAB's rule where all is known, the nearest pixels where not."""

import numpy as np
import pytest

from atgvnet.methods import Problem, get
from atgvnet.resample import fill, imresize, resize_and_fill

METHODS = ("nearest", "bilinear", "bicubic")


def problem(values, size):
    values = np.asarray(values, np.float32)
    weight = np.isfinite(values).astype(np.float32)
    return Problem(values=values, size=size, sigma=np.zeros_like(values), weight=weight)


@pytest.mark.parametrize("name", METHODS)
def test_without_holes_it_is_imresize(name):
    values = np.random.default_rng(0).random((5, 6)).astype(np.float32)
    found = get(name)(problem(values, (15, 13))).values
    np.testing.assert_array_equal(found, imresize(values, size=(15, 13), method=name))


@pytest.mark.parametrize("name", METHODS)
def test_both_sides_of_a_hole_keep_their_values(name):
    values = np.full((6, 20), 10.0)
    values[:, 5:15] = np.nan
    values[:, 15:] = 90
    found = get(name)(problem(values, (12, 40))).values
    np.testing.assert_allclose(found[:, :18], 10, rtol=1e-6)
    np.testing.assert_allclose(found[:, 22:], 90, rtol=1e-6)
    assert 9.999 < found.min() <= found.max() < 90.001


def test_the_nearest_value_fills():
    values = np.full((9, 9), np.nan, np.float32)
    values[1, 1], values[7, 6] = 3, 5
    y, x = np.mgrid[:9, :9]
    expected = np.where((y - 1) ** 2 + (x - 1) ** 2 < (y - 7) ** 2 + (x - 6) ** 2, 3, 5)
    decided = (y - 1) ** 2 + (x - 1) ** 2 != (y - 7) ** 2 + (x - 6) ** 2
    np.testing.assert_array_equal(fill(values)[decided], expected[decided])


def test_nothing_fills_nothing():
    assert np.isnan(fill(np.full((3, 4), np.nan, np.float32))).all()
    assert np.isnan(resize_and_fill(np.full((3, 4), np.nan, np.float32), (6, 8))).all()
