"""The energy minimised: against an independent convex solver, its gap, planes and holes."""

from itertools import pairwise

import cvxpy
import numpy as np
import pytest
import scipy.sparse
import torch

from atgvnet.errors import InputError
from atgvnet.solver import minimise
from atgvnet.solver.energy import Energy
from atgvnet.solver.tensor import diffusion_tensor

WEIGHTS = {"lam": 2.5, "alpha1": 0.4, "alpha0": 0.9}


def small(shape, seed=0, known=0.8):
    """A noisy step between slopes, a tensor, and weights of which some are 0."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[: shape[0], : shape[1]]
    g = np.where(x > shape[1] / 2, 0.3 + 0.05 * y, 1.2 - 0.04 * x) + rng.normal(0, 0.1, shape)
    h = torch.from_numpy(rng.normal(0, 0.3, (1, 2, *shape)))
    weight = rng.uniform(0.2, 2, shape) * (rng.random(shape) < known)
    return g, diffusion_tensor(h, 2.0, 0.85)[0].numpy(), weight


def differences(height, width):
    """Forward differences along x and y as sparse matrices, written down independently of the package."""

    def along(length):
        inner = np.arange(length) < length - 1
        return scipy.sparse.diags_array([-1.0 * inner, 1.0 * inner[:-1]], offsets=[0, 1])

    one_y, one_x = scipy.sparse.eye(height), scipy.sparse.eye(width)
    return scipy.sparse.kron(one_y, along(width)).tocsr(), scipy.sparse.kron(along(height), one_x).tocsr()


def least_energy(g, tensor, weight, lam, alpha1, alpha0):
    """The least energy, by a cone solver."""
    dx, dy = differences(*g.shape)
    u, vx, vy = (cvxpy.Variable(g.size) for _ in range(3))
    xx, xy, yy = (entry.ravel() for entry in tensor)
    ex, ey = dx @ u - vx, dy @ u - vy
    first = cvxpy.vstack(
        [cvxpy.multiply(xx, ex) + cvxpy.multiply(xy, ey), cvxpy.multiply(xy, ex) + cvxpy.multiply(yy, ey)]
    )
    second = cvxpy.vstack([dx @ vx, dy @ vx, dx @ vy, dy @ vy])
    misfit = cvxpy.sum_squares(cvxpy.multiply(np.sqrt(weight.ravel()), u - g.ravel()))
    energy = alpha1 * cvxpy.sum(cvxpy.norm(first, axis=0)) + alpha0 * cvxpy.sum(cvxpy.norm(second, axis=0))
    problem = cvxpy.Problem(cvxpy.Minimize(energy + lam / 2 * misfit))
    return problem.solve(solver=cvxpy.CLARABEL, tol_gap_rel=1e-10, tol_gap_abs=1e-10, tol_feas=1e-10)


@pytest.mark.parametrize("shape", [(9, 8), (1, 12), (10, 1)])
def test_the_energy_is_the_least_there_is(shape):
    g, tensor, weight = small(shape)
    found = minimise(g, tensor, weight, **WEIGHTS, tolerance=1e-8, iterations=20000)
    wanted = least_energy(g, tensor, weight, **WEIGHTS)
    assert abs(found.energy - wanted) < 1e-6 * wanted
    assert found.energy * (1 - found.gap) < wanted * (1 + 1e-9)
    assert found.gap < 1e-5


def test_the_gap_bounds_what_is_left_and_falls_to_zero():
    g, tensor, weight = small((20, 24), seed=1)
    runs = [
        minimise(g, tensor, weight, **WEIGHTS, tolerance=0, iterations=count)
        for count in (40, 200, 1000, 5000, 20000)
    ]
    least = runs[-1].energy * (1 - runs[-1].gap)
    for run in runs:
        assert run.energy - least <= run.gap * run.energy * (1 + 1e-9)
    gaps = [run.gap for run in runs]
    assert all(later < earlier / 2 for earlier, later in pairwise(gaps))
    assert gaps[-1] < 1e-5


def test_the_energy_is_that_of_the_definition():
    g, tensor, weight = small((6, 7), seed=2)
    rng = np.random.default_rng(3)
    u, v = rng.normal(size=(6, 7)), rng.normal(size=(2, 6, 7))
    wanted = 0.0
    for i in range(6):
        for j in range(7):
            right, down = (i, min(j + 1, 6)), (min(i + 1, 5), j)
            xx, xy, yy = tensor[:, i, j]
            e = np.array([u[right] - u[i, j], u[down] - u[i, j]]) - v[:, i, j]
            bend = [v[k][place] - v[k, i, j] for k in (0, 1) for place in (right, down)]
            wanted += WEIGHTS["alpha1"] * np.linalg.norm(np.array([[xx, xy], [xy, yy]]) @ e)
            wanted += WEIGHTS["alpha0"] * np.linalg.norm(bend)
            wanted += WEIGHTS["lam"] / 2 * weight[i, j] * (u[i, j] - g[i, j]) ** 2
    maps = (torch.from_numpy(x).reshape(1, -1, 6, 7) for x in (g, tensor, weight))
    energy = Energy(**dict(zip(("g", "tensor", "weight"), maps, strict=True)), **WEIGHTS)
    found = energy.value(torch.from_numpy(u)[None, None], torch.from_numpy(v)[None])
    assert found == pytest.approx(wanted, rel=1e-12)


def test_a_hole_in_a_plane_becomes_the_plane():
    y, x = np.mgrid[:24, :30]
    plane = 0.3 + 0.02 * x - 0.01 * y
    weight = np.ones_like(plane)
    weight[8:16, 10:20] = 0
    given = np.where(weight > 0, plane, 5.0)
    found = minimise(given, weight=weight, lam=50.0, alpha1=0.05, alpha0=0.05, tolerance=1e-7, iterations=20000)
    inner = (slice(6, -6), slice(6, -6))
    assert np.abs(found.u - plane)[inner].max() < 2e-3
    assert np.ptp(plane[8:16, 10:20]) > 0.2


def test_affine_maps_are_fixed_points_in_the_interior():
    y, x = np.mgrid[:30, :30]
    plane = 0.3 + 0.02 * x - 0.01 * y
    found = minimise(plane, lam=5.0, alpha1=0.1, alpha0=0.2, tolerance=1e-6, iterations=8000)
    assert np.abs(found.u - plane)[8:-8, 8:-8].max() < 3e-4
    np.testing.assert_allclose(found.v[0][8:-8, 8:-8], 0.02, atol=2e-4)
    np.testing.assert_allclose(found.v[1][8:-8, 8:-8], -0.01, atol=2e-4)


def test_missing_values_count_as_weight_zero():
    g, tensor, weight = small((12, 13), known=1.0)
    gone = np.random.default_rng(4).random(g.shape) < 0.3
    one = minimise(np.where(gone, np.nan, g), tensor, weight, **WEIGHTS, tolerance=1e-8, iterations=20000)
    other = minimise(g, tensor, np.where(gone, 0, weight), **WEIGHTS, tolerance=1e-8, iterations=20000)
    assert one.energy == pytest.approx(other.energy, rel=1e-7)
    np.testing.assert_allclose(one.u, other.u, atol=2e-3)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"lam": 0.0}, "λ"),
        ({"alpha1": np.inf}, "λ"),
        ({"tolerance": -1.0}, "tolerance"),
        ({"iterations": 0}, "iterations"),
        ({"weight": np.zeros((4, 5))}, "weights"),
        ({"weight": -np.ones((4, 5))}, "weights"),
        ({"weight": np.ones((4, 4))}, "weight"),
        ({"tensor": np.ones((3, 4, 4))}, "tensor"),
        ({"g": np.zeros((4, 5, 1))}, "g is"),
        ({"g": np.zeros((0, 5))}, "g is"),
    ],
)
def test_wrong_input_is_refused(changed, message):
    given = {"g": np.ones((4, 5)), **WEIGHTS, **changed}
    with pytest.raises(InputError, match=message):
        minimise(given.pop("g"), **given)
