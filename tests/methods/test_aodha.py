"""Patch synthesis: a planted patch is retrieved, the labelling is that of brute force, noise goes and edges stay."""

from itertools import product

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from atgvnet.errors import InputError
from atgvnet.methods._patches import patches_of
from atgvnet.methods.aodha import Aodha, PatchSet, bilateral, label
from atgvnet.methods.problem import silent


def scaled_pairs(low, high):
    """Patches as the set has them: in units of the small patch's range."""
    small, detailed = patches_of(low[None], 1), patches_of(high[None], len(high) // len(low))
    bottom, span = small.min(axis=1, keepdims=True), np.ptp(small, axis=1, keepdims=True)
    side = 3 * len(high) // len(low)
    return (small - bottom) / span, ((detailed - bottom) / span).reshape(-1, side, side)


@pytest.mark.parametrize("scale", [2, 4])
def test_planted_patches_are_retrieved(scale):
    """The set holds the map's own patches among others that look like them: the map comes back, to its border."""
    rng = np.random.default_rng(0)
    truth = 100 + 20 * gaussian_filter(rng.normal(size=(24 * scale, 32 * scale)), 1.5).astype(np.float32)
    low = truth[scale // 2 :: scale, scale // 2 :: scale]
    small, detailed = scaled_pairs(low, truth)
    wrong = detailed + rng.normal(0, 0.3, detailed.shape)
    near = small + rng.normal(0, 0.02, small.shape)
    patches = PatchSet.of(np.concatenate([near, small]), np.concatenate([wrong, detailed]).astype(np.float32))
    found = Aodha(candidates=8).synthesise(low, patches, silent)
    inner = slice(3 * scale, -3 * scale)
    np.testing.assert_allclose(found[inner, inner], truth[inner, inner], atol=1e-3)


def energy(choice, unary, names, ranges, high, smoothness):
    """The sum that labels minimise, written out."""
    low, span = ranges
    rows, columns = unary.shape[:2]
    scale = high.shape[1] // 3
    patch = {(y, x): low[y, x] + span[y, x] * high[names[y, x, choice[y, x]]] for y, x in np.ndindex(rows, columns)}
    total = sum(unary[y, x, choice[y, x]] for y, x in patch)
    for y, x in patch:
        if x + 1 < columns:
            total += smoothness * np.sum((patch[y, x][:, 2 * scale :] - patch[y, x + 1][:, :scale]) ** 2)
        if y + 1 < rows:
            total += smoothness * np.sum((patch[y, x][2 * scale :] - patch[y + 1, x][:scale]) ** 2)
    return total


@pytest.mark.parametrize(("shape", "excess"), [((1, 6), 1e-5), ((6, 1), 1e-5), ((2, 3), 0.02), ((3, 2), 0.02)])
@pytest.mark.parametrize("seed", range(4))
def test_labels_have_the_least_energy_of_all(shape, excess, seed):
    """Exact on chains, as message passing is; next to it on grids."""
    rng = np.random.default_rng(seed)
    high = rng.uniform(-0.5, 1.5, (12, 6, 6)).astype(np.float32)
    names = np.stack([rng.permutation(12)[:3] for _ in range(6)]).reshape(*shape, 3)
    unary = rng.uniform(0, 10, (*shape, 3)).astype(np.float32)
    ranges = rng.uniform(0, 3, shape).astype(np.float32), rng.uniform(0.5, 2, shape).astype(np.float32)
    chosen = label(unary, names, *ranges, high, 0.7, 20, silent)
    choice = (names == chosen[..., None]).argmax(axis=2)
    every = (np.reshape(each, shape) for each in product(range(3), repeat=6))
    best = min(energy(each, unary, names, ranges, high, 0.7) for each in every)
    assert energy(choice, unary, names, ranges, high, 0.7) <= best * (1 + excess)


def test_noise_goes_and_edges_stay():
    clean = np.where(np.arange(40) < 20, 100.0, 130.0) * np.ones((30, 1))
    noisy = (clean + np.random.default_rng(1).normal(0, 2, clean.shape)).astype(np.float32)
    found = bilateral(noisy, np.full_like(noisy, 6))
    assert np.std(found - clean) < 0.5 * np.std(noisy - clean)
    np.testing.assert_allclose(found[:, 19:21].mean(axis=0), [100, 130], atol=1)


def test_exact_pixels_and_holes_are_left_alone():
    values = np.random.default_rng(2).normal(100, 2, (8, 9)).astype(np.float32)
    values[3, 4] = np.nan
    np.testing.assert_array_equal(bilateral(values, np.zeros_like(values)), values)
    found = bilateral(values, np.full_like(values, 5))
    np.testing.assert_array_equal(np.isnan(found), np.isnan(values))


@pytest.mark.parametrize("options", [{"candidates": 0}, {"passes": 0}, {"smoothness": -1.0}, {"range_sigma": -1.0}])
def test_wrong_parameters_are_refused(options):
    with pytest.raises(InputError):
        Aodha(**options)
