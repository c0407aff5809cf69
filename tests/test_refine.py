"""What is done to a network's result: edges made crisp, means reproduced, and how a map shows its way of sampling."""

import numpy as np
import pytest
import torch
from scipy.ndimage import maximum_filter, minimum_filter

from atgvnet.refine import bounded, consistent, crisp, extremes, mixing, refined
from atgvnet.resample import imresize
from atgvnet.scenes import render
from atgvnet.sensors.sampling import reduce

SCALE = 4


def scene(family: str = "cuboids") -> np.ndarray:
    depth = render(family, 3, 0, (128, 192)).depth
    return (depth - depth.min()) / (depth.max() - depth.min())


def tensor(array: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(array, dtype=np.float32))[None, None]


def case(noise: float = 0.0) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Give bicubic's result, the map, its noise level, and the mask."""
    low = reduce(scene().astype(np.float32), SCALE, "area")
    low = low + noise * np.random.default_rng(0).standard_normal(low.shape)
    start = imresize(low.astype(np.float32), scale=SCALE, method="bicubic")
    return tensor(start), tensor(low), tensor(np.full(low.shape, noise)), torch.ones(1, 1, *low.shape)


def means(values: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.avg_pool2d(values, SCALE)


def test_extremes_are_those_of_3_by_3_neighbourhoods() -> None:
    values = np.random.default_rng(1).random((7, 9), dtype=np.float32)
    least, most = extremes(tensor(values))
    np.testing.assert_array_equal(least[0, 0], minimum_filter(values, 3))
    np.testing.assert_array_equal(most[0, 0], maximum_filter(values, 3))


def test_what_was_measured_is_nearly_measured_again_and_the_truth_is_nearer() -> None:
    start, low, sigma, known = case()
    moved = consistent(start, low, sigma, known, extremes(start), 3)
    assert (means(moved) - low).square().mean() < 0.5 * (means(start) - low).square().mean()
    truth = tensor(scene())
    assert (moved - truth).square().mean() < (start - truth).square().mean()


def test_noise_does_not_come_back() -> None:
    flat = torch.full((1, 1, 40, 60), 0.5)
    noise = 0.05 * torch.randn(1, 1, 10, 15, generator=torch.Generator().manual_seed(0))
    out = refined(flat + 0.01 * torch.rand(1, 1, 40, 60), 0.5 + noise, torch.full_like(noise, 0.05), noise**0, 1.0)
    assert (out - 0.5).abs().max() < 0.02


def test_a_wild_pixel_does_not_come_back_and_a_missing_one_says_nothing() -> None:
    flat, low = torch.full((1, 1, 40, 60), 0.5), torch.full((1, 1, 10, 15), 0.5)
    low[..., 5, 7] = 9
    assert torch.equal(refined(flat, low, 0 * low, low**0, 1.0), flat)
    start, low, sigma, known = case()
    known[..., 10:12, 20:22] = 0
    other = low + 5 * (1 - known)
    around = extremes(start)
    one, two = (consistent(start, each, sigma, known, around, 2)[..., 60:, :] for each in (low, other))
    assert torch.equal(one, two)


@pytest.mark.parametrize("family", ["cuboids", "clutter", "rubble"])
def test_a_map_shows_whether_its_pixels_are_means_or_points(family: str) -> None:
    depth = render(family, 5, 1, (480, 640)).depth
    depth = (depth - depth.min()) / (depth.max() - depth.min())
    valid = np.ones((120, 160), dtype=bool)
    assert mixing(reduce(depth, SCALE, "area"), valid) == 1
    assert mixing(reduce(depth, SCALE, "bicubic"), valid) == 1
    assert mixing(reduce(depth, SCALE, "decimate"), valid) == 0


def test_without_edges_pixels_count_as_means() -> None:
    assert mixing(np.zeros((1, 1), np.float32), np.ones((1, 1), bool)) == 1
    assert mixing(np.zeros((30, 3), np.float32), np.zeros((30, 3), bool)) == 1


def test_points_are_only_made_crisp() -> None:
    start, low, sigma, known = case()
    assert torch.equal(refined(start, low, sigma, known, 0.0), crisp(start))


def test_what_nothing_around_was_measured_like_is_not_invented() -> None:
    """On flat ground a result is held; beside a step and where a pixel is missing, it may be anything."""
    low, sigma, valid = torch.full((1, 1, 5, 15), 0.4), torch.zeros(1, 1, 5, 15), torch.ones(1, 1, 5, 15)
    low[..., 10:] = 0.8
    valid[..., 2, 0] = 0
    result = bounded(torch.full((1, 1, 10, 30), 0.9), low, sigma, valid)
    assert (result[..., 4:18] < 0.42).all()
    assert (result[..., 20:] > 0.8).all()
    assert (result[..., 2:8, :4] == torch.tensor(0.9)).all()
