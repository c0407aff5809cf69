"""Total variation: the iteration against a convex solver, and what it does to noise, holes and exact pixels."""

import cvxpy
import numpy as np
import pytest

from atgvnet.errors import InputError
from atgvnet.methods import Problem
from atgvnet.methods.tv import TotalVariation, denoise, minimise


def problem(values, sigma, size=None):
    values = np.asarray(values, np.float32)
    sigma = np.broadcast_to(np.float32(sigma), values.shape)
    weight = np.isfinite(values).astype(np.float32)
    return Problem(values=values, size=size or values.shape, sigma=sigma, weight=weight)


def steps(shape=(30, 40), sigma=2.0, seed=0):
    clean = np.where(np.arange(shape[1]) < shape[1] / 2, 100.0, 130.0) * np.ones(shape)
    return clean, clean + np.random.default_rng(seed).normal(0, sigma, shape)


def gradient(u: np.ndarray) -> np.ndarray:
    """Forward differences, 0 at the far border: (2, H, W)."""
    return np.stack([np.diff(u, axis=1, append=u[:, -1:]), np.diff(u, axis=0, append=u[-1:])])


def energy(u, target, trust, level, method):
    norm, knee = np.hypot(*gradient(u)), method.slope * level
    huber = np.where(norm <= knee, norm**2 / (2 * np.maximum(knee, 1e-12)), norm - knee / 2)
    return np.sum(trust * (u - target) ** 2) / 2 + method.strength * np.sum(huber / level)


@pytest.mark.parametrize("slope", [0.0, 0.3])
def test_the_minimum_is_that_of_a_convex_solver(slope):
    rng = np.random.default_rng(0)
    target = rng.normal(0, 3, (6, 7)).astype(np.float32)
    trust = rng.choice([0, 0.5, 1], target.shape).astype(np.float32)
    level = rng.uniform(0.4, 1, target.shape).astype(np.float32)
    method = TotalVariation(strength=0.7, slope=slope, iterations=3000)
    ours = minimise(target, trust, level, method, problem(target, 1.0))

    # |g|_ε is the least of |s| + |g - s|² / (2 ε) over s.
    u = cvxpy.Variable(target.shape)
    dx, dy = forward(7), forward(6)
    free = [cvxpy.Variable(target.shape) for _ in range(2)]
    rest = [u @ dx.T - free[0], dy @ u - free[1]]
    weight = method.strength / level
    stack = cvxpy.vstack([cvxpy.vec(part, order="C") for part in free])
    objective = cvxpy.sum(cvxpy.multiply(trust, (u - target) ** 2)) / 2
    objective += weight.ravel() @ cvxpy.norm(stack, 2, axis=0)
    if slope:
        objective += sum(cvxpy.sum(cvxpy.multiply(weight / (2 * slope * level), part**2)) for part in rest)
    constraints = [] if slope else [part == 0 for part in rest]
    cvxpy.Problem(cvxpy.Minimize(objective), constraints).solve(solver="CLARABEL")
    best = energy(u.value, target, trust, level, method)
    assert energy(ours, target, trust, level, method) == pytest.approx(best, rel=1e-4)


def forward(length: int) -> np.ndarray:
    matrix = np.eye(length, k=1) - np.eye(length)
    matrix[-1] = 0
    return matrix


def test_the_default_iterations_are_enough():
    clean, noisy = steps()
    given = problem(noisy, 2.0)
    longer = denoise(given, TotalVariation(iterations=5000))
    assert np.sqrt(np.mean((denoise(given, TotalVariation()) - longer) ** 2)) < 0.02 * 2.0
    assert np.std(longer - clean) < 0.4 * np.std(noisy - clean)


def test_holes_are_bridged():
    values = np.full((20, 20), 60.0)
    values[:, 10:] = 90
    values[8:12, 4:16] = np.nan
    found = denoise(problem(values, 1.0), TotalVariation())
    np.testing.assert_allclose(found[:, :9], 60, atol=2)
    np.testing.assert_allclose(found[:, 11:], 90, atol=2)


def test_exact_pixels_are_kept():
    _, noisy = steps()
    exact = np.arange(noisy.size).reshape(noisy.shape) % 3 == 0
    found = denoise(problem(noisy, np.where(exact, 0, 2.0)), TotalVariation())
    np.testing.assert_allclose(found[exact], noisy[exact], atol=1e-3)


@pytest.mark.parametrize("factor", [1e-3, 1e3])
def test_equivariant_under_scaling_and_shift(factor):
    _, noisy = steps()
    once = denoise(problem(noisy, 2.0), TotalVariation())
    scaled = denoise(problem((noisy - 100) * factor, 2.0 * factor), TotalVariation())
    np.testing.assert_allclose(scaled / factor + 100, once, atol=1e-3)


@pytest.mark.parametrize("options", [{"strength": -1}, {"slope": -0.1}, {"iterations": 0}])
def test_wrong_parameters_are_refused(options):
    with pytest.raises(InputError):
        TotalVariation(**options)
