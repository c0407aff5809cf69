"""Non-local means: its kernel against the formula written as loops, and what it does to noise, edges and slopes."""

import numpy as np
import pytest

from atgvnet.errors import InputError
from atgvnet.methods import Problem, get
from atgvnet.methods.nlm import NonLocalMeans, denoise


def problem(values, sigma, *, weight=None, size=None):
    values = np.asarray(values, np.float32)
    sigma = np.broadcast_to(np.float32(sigma), values.shape)
    weight = np.isfinite(values).astype(np.float32) if weight is None else weight
    return Problem(values=values, size=size or values.shape, sigma=sigma, weight=weight)


def formula(given: Problem, method: NonLocalMeans) -> np.ndarray:
    """The docstring's definition, one pixel and one neighbour at a time, the plane by least squares."""
    out = np.full(given.values.shape, np.nan)
    for y, x in zip(*np.nonzero(given.valid), strict=True):
        rows, best = [], 0.0
        for dy in range(-method.search, method.search + 1):
            for dx in range(-method.search, method.search + 1):
                w = likeness(given, method, (y, x), (dy, dx))
                if (dy, dx) != (0, 0) and w > 0:
                    best = max(best, w)
                    rows.append((w * given.weight[y + dy, x + dx], dy, dx, given.values[y + dy, x + dx]))
        rows.append(((best or 1.0) * given.weight[y, x], 0, 0, given.values[y, x]))
        w, dy, dx, u = np.array(rows).T
        design = np.stack([np.ones_like(w), dy, dx], axis=1)
        normal = design.T @ (w[:, None] * design) + np.diag([0, method.stiffness, method.stiffness])
        out[y, x] = np.linalg.solve(normal, design.T @ (w * u))[0]
    return out


def likeness(given, method, here, offset):
    height, width = given.values.shape
    there = here[0] + offset[0], here[1] + offset[1]
    if not (0 <= there[0] < height and 0 <= there[1] < width) or not given.valid[there]:
        return 0.0
    distances = []
    for py in range(-method.patch, method.patch + 1):
        for px in range(-method.patch, method.patch + 1):
            a, b = (here[0] + py, here[1] + px), (there[0] + py, there[1] + px)
            if all(0 <= p[0] < height and 0 <= p[1] < width and given.valid[p] for p in (a, b)):
                noise = given.sigma[a] ** 2 + given.sigma[b] ** 2
                distances.append((given.values[a] - given.values[b]) ** 2 / noise)
    if len(distances) < 3:
        return 0.0
    return (1 - np.clip((np.mean(distances) - 1) / method.cut, 0, 1) ** 2) ** 2


def steps(shape=(40, 50), sigma=2.0, seed=0):
    clean = np.where(np.arange(shape[1]) < shape[1] / 2, 100.0, 130.0) * np.ones(shape)
    return clean, clean + np.random.default_rng(seed).normal(0, sigma, shape)


@pytest.mark.parametrize("holes", [0.0, 0.3])
def test_the_kernel_follows_the_formula(holes):
    rng = np.random.default_rng(3)
    _, values = steps((9, 11))
    values = np.where(rng.random(values.shape) < holes, np.nan, values)
    weight = np.where(np.isfinite(values), rng.uniform(0.3, 1, values.shape), 0).astype(np.float32)
    method = NonLocalMeans(search=3, patch=1, stiffness=5.0)
    sigma = rng.uniform(1.5, 3, values.shape)
    given = problem(values, sigma, weight=weight)
    np.testing.assert_allclose(denoise(given, method), formula(given, method), rtol=1e-4)


def test_noise_falls_and_edges_stay():
    clean, noisy = steps()
    found = denoise(problem(noisy, 2.0), NonLocalMeans())
    assert np.std(found - clean) < 0.25 * np.std(noisy - clean)
    assert np.abs(found[:, 24:26].mean(axis=0) - [100, 130]).max() < 1


def test_a_noisy_slope_keeps_its_slope():
    y, x = np.mgrid[:40, :50]
    clean = 100 + 0.5 * x - 0.3 * y
    found = denoise(problem(clean + np.random.default_rng(1).normal(0, 2, clean.shape), 2.0), NonLocalMeans())
    inner = (found - clean)[5:-5, 5:-5]
    assert np.abs(np.polyfit(x[5:-5, 5:-5].ravel(), inner.ravel(), 1)[0]) < 0.02


def test_exact_pixels_are_left_alone():
    _, noisy = steps()
    exact = np.arange(noisy.size).reshape(noisy.shape) % 3 == 0
    found = denoise(problem(noisy, np.where(exact, 0, 2.0)), NonLocalMeans())
    np.testing.assert_array_equal(found[exact], noisy.astype(np.float32)[exact])
    np.testing.assert_array_equal(denoise(problem(noisy, 0.0), NonLocalMeans()), noisy.astype(np.float32))


@pytest.mark.parametrize("factor", [1e-3, 1e3])
def test_equivariant_under_scaling_and_shift(factor):
    _, noisy = steps()
    once = denoise(problem(noisy, 2.0), NonLocalMeans())
    scaled = denoise(problem((noisy - 100) * factor, 2.0 * factor), NonLocalMeans())
    np.testing.assert_allclose(scaled / factor + 100, once, atol=1e-3)


def test_a_distrusted_pixel_does_not_spread():
    values = np.full((11, 11), 50.0)
    values[5, 5] = 52
    weight = np.ones(values.shape, np.float32)
    trusted = denoise(problem(values, 2.0, weight=weight), NonLocalMeans())
    weight = weight.copy()
    weight[5, 5] = 0
    found = denoise(problem(values, 2.0, weight=weight), NonLocalMeans())
    assert abs(found[5, 4] - 50) < 1e-4 < abs(trusted[5, 4] - 50)


@pytest.mark.parametrize("options", [{"search": 0}, {"patch": -1}, {"cut": 0}, {"stiffness": -1}])
def test_wrong_parameters_are_refused(options):
    with pytest.raises(InputError):
        NonLocalMeans(**options)


def test_better_than_the_untuned_reference(data):
    """facts.md: scikit-image's non-local means, then bicubic, has 4.29, 2.29 and 2.33 at ×4."""
    from PIL import Image

    from atgvnet.noise import LAWS

    for scene, reference in (("art", 4.29), ("books", 2.29), ("moebius", 2.33)):
        folder = data / "middlebury2005_noisy" / scene
        low = np.asarray(Image.open(folder / "depth_2_n.png"), np.float32)
        truth = np.asarray(Image.open(folder / f"{scene}_big.png"), np.float32)
        found = get("nlm")(problem(low, LAWS["paper"].sigma(low), size=truth.shape)).values
        assert np.sqrt(np.mean((np.clip(np.round(found), 0, 255) - truth) ** 2)) < reference
