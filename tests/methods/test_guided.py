"""Methods with a guide: each does what its formula says, written out by pixels, and follows the guide's edges."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from atgvnet.methods import METHODS, Problem, get
from atgvnet.methods.chan import trust_in_guide
from atgvnet.methods.diebel_thrun import DiebelThrun
from atgvnet.methods.fbs import Grid, smooth_along
from atgvnet.methods.ferstl_2013 import Ferstl2013, placed, slopes
from atgvnet.methods.he import guided_filter
from atgvnet.methods.kopf import Kopf
from atgvnet.methods.park import _NEAR, Park, _balanced, _half_window, _structure
from atgvnet.methods.yang import aggregate
from atgvnet.solver.tensor import diffusion_tensor

GUIDED = ["diebel-thrun", "kopf", "yang", "chan", "he", "park", "ferstl-2013", "fbs"]


def problem(values, guide, *, sigma=0.0):
    values = np.asarray(values, np.float32)
    return Problem(
        values=values,
        size=guide.shape[:2],
        sigma=np.full(values.shape, sigma, np.float32),
        weight=np.isfinite(values).astype(np.float32),
        guide=np.asarray(guide, np.float32),
    )


def grey(light):
    return np.repeat(np.asarray(light, np.float32)[..., None], 3, axis=2)


def test_these_are_all():
    assert set(GUIDED) == {name for name in METHODS if get(name).guided}


@pytest.mark.parametrize("name", GUIDED)
def test_an_edge_is_put_where_the_guide_has_it(name):
    """The step is within an input pixel, which holds the mean: interpolation must miss it, the guide tells it."""
    fine = np.where(np.arange(64) < 30, 100.0, 160.0) * np.ones((48, 1))
    low = fine.reshape(12, 4, 16, 4).mean(axis=(1, 3))
    guide = grey(np.where(fine > 130, 0.9, 0.1))
    inner = np.s_[12:-12, 8:-8]
    squares, plain = (
        ((get(each)(problem(low, guide, sigma=1.0)).values - fine)[inner] ** 2).mean() for each in (name, "bilinear")
    )
    assert squares < 0.75 * plain


def test_diebel_thrun_solves_its_normal_equations():
    """Gradients of the energy, by differences of an energy written out, vanish at the solution."""
    rng = np.random.default_rng(0)
    given = problem(rng.uniform(1, 2, (3, 4)), rng.random((6, 8, 3)))
    u = DiebelThrun(tolerance=1e-12)(given).values.astype(np.float64)

    def energy(u):
        total = 0.0
        for y, x in np.ndindex(3, 4):
            read = u[2 * y : 2 * y + 2, 2 * x : 2 * x + 2].mean()
            total += DiebelThrun.exact_fidelity * (read - given.values[y, x]) ** 2
        for y, x in np.ndindex(6, 8):
            for to in ((y + 1, x), (y, x + 1)):
                if to[0] < 6 and to[1] < 8:
                    squared = ((given.guide[y, x] - given.guide[to]) ** 2).sum()
                    total += np.exp(-DiebelThrun.contrast * squared) * (u[y, x] - u[to]) ** 2
        return total

    for place in np.ndindex(6, 8):
        bump = np.zeros((6, 8))
        bump[place] = 1e-3
        assert energy(u + bump) - energy(u - bump) == pytest.approx(0, abs=1e-7)


def test_kopf_is_its_formula():
    rng = np.random.default_rng(1)
    low, guide = rng.uniform(1, 2, (5, 6)), 0.3 * rng.random((15, 18, 3))
    found = Kopf()(problem(low, guide)).values
    for row, column in ((0, 0), (7, 9), (14, 3)):
        total = weights = 0.0
        for y, x in np.ndindex(5, 6):
            if max(abs(y - row // 3), abs(x - column // 3)) <= 2:
                far = ((row + 0.5) / 3 - 0.5 - y) ** 2 + ((column + 0.5) / 3 - 0.5 - x) ** 2
                alike = ((guide[row, column] - guide[3 * y + 1, 3 * x + 1]) ** 2).sum()
                weight = np.exp(-far / 0.5 - alike / 0.02)
                total, weights = total + weight * low[y, x], weights + weight
        assert found[row, column] == pytest.approx(total / weights, rel=1e-4)


def test_yang_finds_the_least_cost_of_the_volume():
    """Labels on whole numbers, so that the bins are exact: the volume, built, has its least cost there."""
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 20, (9, 11)).astype(np.float32)
    levels = rng.integers(0, 256, (9, 11, 3)).astype(np.int16)
    near = np.exp(-np.hypot(*np.mgrid[-2:3, -2:3]) / 2).astype(np.float32)
    alike = np.exp(-np.arange(766) / 200).astype(np.float32)
    found = np.empty_like(labels)
    aggregate((0, 9), labels, np.ones_like(labels), levels, (near, alike), 4.0, found)
    for y, x in np.ndindex(9, 11):
        costs = np.zeros(20)
        for qy in range(max(0, y - 2), min(9, y + 3)):
            for qx in range(max(0, x - 2), min(11, x + 3)):
                weight = near[qy - y + 2, qx - x + 2] * alike[np.abs(levels[y, x] - levels[qy, qx]).sum()]
                costs += weight * np.minimum((np.arange(20) - labels[qy, qx]) ** 2, 16)
        assert abs(found[y, x] - costs.argmin()) <= 0.5


def test_chan_trusts_the_guide_at_edges_alone():
    values = np.where(np.arange(20) < 10, 0.0, 30.0) * np.ones((20, 1)) + np.random.default_rng(3).normal(
        0, 1, (20, 20)
    )
    trust = trust_in_guide(values.astype(np.float32), 8.0, 2.0)
    assert trust[:, 9:11].min() > 0.99
    assert np.median(trust[:, :7]) < 0.01


def test_chan_copies_less_texture_than_kopf():
    """A flat noisy surface under a guide of stripes: what is left must not follow the stripes."""
    noise = np.random.default_rng(4).normal(100, 2, (16, 16))
    stripes = np.where(np.arange(64) // 8 % 2, 0.8, 0.2) * np.ones((64, 1))
    given = problem(noise, grey(stripes), sigma=2.0)
    followed = [
        np.abs(np.diff(get(name)(given).values, axis=1)[:, 7:-1:8]).mean() / noise.std() for name in ("chan", "kopf")
    ]
    assert followed[0] < 0.7 * followed[1]


def test_he_is_least_squares_in_every_window():
    rng = np.random.default_rng(5)
    values, weight, guide = rng.random((7, 8)), rng.uniform(0.5, 1, (7, 8)), rng.random((7, 8, 3))
    total, counts = np.zeros((7, 8)), np.zeros((7, 8))
    for y, x in np.ndindex(7, 8):
        window = np.s_[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3]
        root = np.sqrt(weight[window].ravel())
        affine = np.column_stack([guide[window].reshape(-1, 3), np.ones(root.size)])
        ridge = np.sqrt(0.01 * weight[window].sum()) * np.eye(3, 4)
        right = np.concatenate([root * values[window].ravel(), np.zeros(3)])
        fitted = np.linalg.lstsq(np.vstack([root[:, None] * affine, ridge]), right)[0]
        total[window] += weight[window].sum() * (affine @ fitted).reshape(values[window].shape)
        counts[window] += weight[window].sum()
    np.testing.assert_allclose(guided_filter(values, weight, guide, 2, 0.01), total / counts, atol=1e-9)


def test_weights_of_park_sum_to_the_strength():
    """Each pixel's own share of its pairs, both ends added, is λ; on a uniform picture all pairs are alike."""
    offsets = np.array(_NEAR)
    planes = _balanced(offsets, np.ones((4, 6, 7), np.float32), 3.0)
    np.testing.assert_allclose(planes[:, 2, 3], 2 * 3.0 / 8, rtol=1e-6)
    assert len(_half_window(3)) == (7 * 7 - 1) // 2


def test_what_a_measurement_counts_in_park_is_its_area():
    """So that the strengths hold for any factor and any share of missing pixels."""
    guide, rng = np.full((12, 16, 3), 0.5), np.random.default_rng(8)
    for shape in ((6, 8), (3, 4)):
        given = problem(rng.random(shape), guide)
        assert Park().equations(given, given.guide, np.zeros((12, 16), np.float32)).samples.weight.sum() == 12 * 16


def test_far_pixels_are_joined_along_structures_of_the_guide():
    stripes = np.where(np.arange(24) < 12, 0.1, 0.9) * np.ones((24, 1))
    park, window = Park(), _half_window(3)
    planes = park._along(stripes.astype(np.float32), window)
    names = window.tolist()
    assert planes[names.index([3, 0]), 10, 11] > 2 * planes[names.index([0, 3]), 10, 11]
    tensor = _structure(stripes.astype(np.float32))
    assert tensor[2, 12, 12] > 100 * tensor[0, 12, 12]


def test_the_tensor_of_ferstl_2013_lets_go_across_the_guides_edge_alone():
    y, x = np.mgrid[:20, :30].astype(np.float32)
    gradient = slopes(0.01 * x + 0.02 * y)
    np.testing.assert_allclose(gradient[:, 5, 5], [0.02, 0.04], rtol=1e-4)
    edge = slopes(np.where(x < 15, 0.1, 0.9).astype(np.float32))
    tensor = diffusion_tensor(torch.from_numpy(edge)[None], 10.0, 0.75)[0].numpy()
    assert tensor[0, 10, 14] < 0.01
    np.testing.assert_allclose(tensor[2, 10, 14], 1, atol=1e-5)
    np.testing.assert_allclose(tensor[:, 10, 5], [1, 0, 1], atol=1e-5)


def test_ferstl_2013_puts_measurements_on_pixels():
    low = np.arange(12, dtype=np.float32).reshape(3, 4)
    values, weight = placed(problem(low, np.zeros((12, 16, 3))), np.zeros((12, 16), np.float32))
    np.testing.assert_array_equal(values[2::4, 2::4], low)
    assert weight.sum() == weight[2::4, 2::4].sum() == 12


def test_exact_measurements_bind_ferstl_2013_more_than_noisy_ones():
    rng = np.random.default_rng(6)
    low, guide = rng.uniform(1, 2, (8, 9)), np.full((16, 18, 3), 0.5)
    at = np.s_[1::2, 1::2]
    errors = [np.abs(Ferstl2013()(problem(low, guide, sigma=s)).values[at] - low).mean() for s in (0.0, 0.1)]
    assert errors[0] < 0.1 * errors[1]


def test_the_affinity_of_fbs_is_balanced():
    """Every row of Ŵ = Sᵀ D_m⁻¹ D_n B D_n D_m⁻¹ S sums to 1, so that a constant costs nothing."""
    features = np.random.default_rng(7).uniform(0, 4, (200, 3))
    grid = Grid.of(features, balancing=200)
    between = grid.scale * (grid.blur @ (grid.scale * (grid.splat(np.ones(200)) / grid.mass)))
    np.testing.assert_allclose((between / grid.mass)[grid.cell], 1, atol=1e-3)
    np.testing.assert_allclose(grid.matrix(5.0, np.zeros(200)) @ np.ones(len(grid.mass)), 0, atol=1e-9)


def test_the_domain_transform_of_fbs_stops_at_the_guides_edges():
    steps = np.where(np.arange(40) < 20, 0.0, 1.0) * np.ones((30, 1))
    noisy = steps + np.random.default_rng(8).normal(0, 0.1, steps.shape)
    calm = smooth_along(noisy, 255 * grey(steps), 16.0, 16.0)
    assert np.abs(calm - steps).max() < 0.1
    assert np.abs(calm - steps).std() < 0.3 * 0.1


@pytest.mark.parametrize("name", GUIDED)
def test_less_confidence_counts_less(name):
    """A wild measurement of weight 0 leaves no trace; one of weight 1 does."""
    low, guide = np.full((8, 8), 10.0), np.random.default_rng(9).random((16, 16, 3))
    low[4, 4] = 20
    given = problem(low, guide, sigma=0.1)
    doubted = replace(given, weight=np.where(low == 20, 0, 1).astype(np.float32))
    traces = [np.abs(get(name)(each).values - 10).max() for each in (doubted, given)]
    assert traces[0] < 0.5 * traces[1]
