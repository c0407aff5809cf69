"""Total generalized variation as a method: what it does to noise, slopes, holes and exact pixels."""

import numpy as np
import pytest

from atgvnet.errors import InputError
from atgvnet.methods import Problem, get
from atgvnet.methods.tgv import TotalGeneralizedVariation, denoise
from atgvnet.methods.tv import TotalVariation
from atgvnet.methods.tv import denoise as tv_denoise
from atgvnet.resample import fill


def problem(values, sigma, size=None):
    values = np.asarray(values, np.float32)
    sigma = np.broadcast_to(np.float32(sigma), values.shape)
    weight = np.isfinite(values).astype(np.float32)
    return Problem(values=values, size=size or values.shape, sigma=sigma, weight=weight)


def roof(shape=(40, 50), sigma=2.0, seed=0):
    """Two slopes with a step between them, and with noise."""
    y, x = np.mgrid[: shape[0], : shape[1]]
    clean = np.where(x < shape[1] / 2, 100 + 2 * y, 230 - 1.5 * x)
    return clean, clean + np.random.default_rng(seed).normal(0, sigma, shape)


def rms(x):
    return np.sqrt(np.mean(np.square(x)))


def test_slopes_are_denoised_better_than_by_total_variation():
    clean, noisy = roof()
    error = rms(denoise(problem(noisy, 2.0), TotalGeneralizedVariation()) - clean)
    assert error < 0.45 * 2.0
    assert error < 0.8 * rms(tv_denoise(problem(noisy, 2.0), TotalVariation()) - clean)


def test_holes_continue_the_slopes_around_them():
    y, x = np.mgrid[:40, :50]
    plane = 100 + 2.0 * x - y
    noisy = plane + np.random.default_rng(0).normal(0, 0.5, plane.shape)
    noisy[14:26, 18:32] = np.nan
    found = denoise(problem(noisy, 0.5), TotalGeneralizedVariation())
    assert np.abs(found - plane)[14:26, 18:32].max() < 1.0
    assert np.abs(fill(noisy) - plane)[14:26, 18:32].max() > 8


def test_a_plane_is_found_from_few_pixels():
    rng = np.random.default_rng(0)
    y, x = np.mgrid[:40, :50]
    plane = 3.0 + 0.02 * x + 0.01 * y
    sparse = np.where(rng.random(plane.shape) < 0.1, plane + rng.normal(0, 0.005, plane.shape), np.nan)
    found = denoise(problem(sparse, 0.005), TotalGeneralizedVariation())
    assert rms(found - plane) < 0.01


def test_exact_pixels_are_kept():
    _, noisy = roof()
    exact = np.arange(noisy.size).reshape(noisy.shape) % 7 == 0
    found = denoise(problem(noisy, np.where(exact, 0, 2.0)), TotalGeneralizedVariation())
    np.testing.assert_allclose(found[exact], noisy[exact], atol=1e-3)


def test_exact_sparse_pixels_are_interpolated():
    y, x = np.mgrid[:30, :30]
    plane = 50.0 + x + 2 * y
    sparse = np.where((x % 3 == 0) & (y % 3 == 0), plane, np.nan)
    found = get("tgv")(problem(sparse, 0.0)).values
    assert rms((found - plane)[4:-4, 4:-4]) < 0.25 * rms((fill(sparse) - plane)[4:-4, 4:-4])


def test_noise_that_varies_is_measured_where_it_is():
    clean, _ = roof()
    sigma = np.where(np.arange(40)[:, None] < 20, 0.5, 3.0) * np.ones(clean.shape)
    noisy = clean + np.random.default_rng(1).normal(0, sigma)
    error = denoise(problem(noisy, sigma), TotalGeneralizedVariation()) - clean
    assert rms(error[:18]) < 0.6 * 0.5
    assert rms(error[22:]) < 0.6 * 3.0


def test_low_confidence_counts_less():
    clean, noisy = roof()
    given = problem(np.where(np.arange(50) == 10, noisy + 40, noisy), 2.0)
    weight = np.where(np.arange(50) == 10, np.float32(1e-4), 1) * np.ones_like(given.values)
    doubted = Problem(values=given.values, size=given.size, sigma=given.sigma, weight=weight)
    assert rms((denoise(doubted, TotalGeneralizedVariation()) - clean)[:, 10]) < 2.0


@pytest.mark.parametrize("factor", [1e-3, 1e3])
def test_equivariant_under_scaling_and_shift(factor):
    _, noisy = roof()
    once = denoise(problem(noisy, 2.0), TotalGeneralizedVariation())
    scaled = denoise(problem((noisy - 100) * factor, 2.0 * factor), TotalGeneralizedVariation())
    np.testing.assert_allclose(scaled / factor + 100, once, atol=0.02)


@pytest.mark.parametrize("options", [{"strength": 0}, {"bend": -0.1}, {"iterations": 0}, {"tolerance": -1}])
def test_wrong_parameters_are_refused(options):
    with pytest.raises(InputError):
        TotalGeneralizedVariation(**options)
