"""imresize against Octave, against the formula written as loops, and against what missing pixels may not do."""

import math
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from atgvnet.errors import InputError
from atgvnet.resample import imresize

METHODS = ("nearest", "bilinear", "bicubic")
# Written by Octave 7.3 with its image package 2.14: imresize(image, scale, method).
OCTAVE = np.load(Path(__file__).parent / "facts" / "imresize_octave.npz")
# Table 1: Cones, Teddy, Tsukuba, Venus.
TABLE_1 = {
    ("nearest", 2): (4.3772, 3.2596, 9.7968, 2.1408),
    ("bicubic", 2): (3.8392, 2.7668, 8.3648, 1.8192),
    ("nearest", 4): (6.1236, 4.5168, 13.3248, 2.9432),
    ("bicubic", 4): (4.9544, 3.5744, 10.6960, 2.3504),
}
DISPARITY_SCALE = {"cones": 4, "teddy": 4, "tsukuba": 16, "venus": 8}

shapes = st.tuples(st.integers(1, 9), st.integers(1, 9))
factors = st.sampled_from([1.0, 2.0, 3.0, 4.0, 1.7, 2.5, 0.5, 0.25, 1 / 3, 0.4, 0.9])
seeds = st.integers(0, 2**20)


def formula(image: np.ndarray, size: tuple[int, int], scale: tuple[float, float], method: str) -> np.ndarray:
    """MATLAB's documented rule, one output pixel and one input pixel at a time."""
    kernel, radius = {
        "bilinear": (lambda x: max(0.0, 1 - abs(x)), 1),
        "bicubic": (keys, 2),
    }[method]
    for axis in (0, 1):
        image = np.moveaxis(image, axis, 0)
        shrink = min(1.0, scale[axis])
        rows = []
        for i in range(size[axis]):
            position = (i + 0.5) / scale[axis] - 0.5
            nearby = range(math.floor(position - radius / shrink) - 1, math.ceil(position + radius / shrink) + 2)
            weights = [kernel((position - j) * shrink) for j in nearby]
            pixels = [image[mirrored(j, len(image))] for j in nearby]
            rows.append(sum(w * p for w, p in zip(weights, pixels, strict=True)) / sum(weights))
        image = np.moveaxis(np.array(rows), 0, axis)
    return image


def keys(x: float) -> float:
    """Keys' cubic kernel, a = -1/2."""
    x = abs(x)
    if x <= 1:
        return 1.5 * x**3 - 2.5 * x**2 + 1
    return -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2 if x <= 2 else 0.0


def mirrored(index: int, length: int) -> int:
    while not 0 <= index < length:
        index = -1 - index if index < 0 else 2 * length - 1 - index
    return index


def as_tensor(image: np.ndarray) -> torch.Tensor:
    return torch.tensor(image)[None, None]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("k", range(9))
def test_octave_agrees(method, k):
    ours, theirs = imresize(OCTAVE["image"], scale=float(OCTAVE["scales"][k]), method=method), OCTAVE[f"{method}_{k}"]
    if method == "nearest" and k == 6:  # beyond the border Octave repeats the last pixel, MATLAB mirrors
        ours, theirs = ours[:-1, :-1], theirs[:-1, :-1]
    np.testing.assert_allclose(ours, theirs, atol=1e-9)


@given(shapes, shapes, seeds, st.sampled_from(["bilinear", "bicubic"]))
@settings(max_examples=40, deadline=None)
def test_any_size_follows_the_formula(shape, size, seed, method):
    image = np.random.default_rng(seed).random(shape)
    scale = (size[0] / shape[0], size[1] / shape[1])
    expected = formula(image, size, scale, method)
    np.testing.assert_allclose(imresize(image, size=size, method=method), expected, atol=1e-8)
    tensor = imresize(as_tensor(image), size=size, method=method)
    np.testing.assert_allclose(tensor[0, 0].numpy(), expected, atol=1e-8)


@given(shapes, factors, seeds, st.sampled_from(METHODS), st.sampled_from([None, 0.3, 0.7]))
@settings(max_examples=60, deadline=None)
def test_torch_and_numpy_agree(shape, factor, seed, method, holes):
    rng = np.random.default_rng(seed)
    image = rng.random(shape)
    valid = None if holes is None else rng.random(shape) > holes
    ours = imresize(image, scale=factor, method=method, valid=valid)
    mask = None if valid is None else as_tensor(valid)
    np.testing.assert_allclose(
        imresize(as_tensor(image), scale=factor, method=method, valid=mask)[0, 0], ours, atol=1e-12
    )


def test_long_tensors_take_the_other_path():
    image = np.random.default_rng(1).random((3, 700))
    ours = imresize(as_tensor(image), scale=(2, 2.5))[0, 0].numpy()
    np.testing.assert_allclose(ours, imresize(image, scale=(2, 2.5)), atol=1e-12)


@pytest.mark.parametrize(("count", "phase"), [(2, 1), (4, 2)])
def test_nearest_takes_the_benchmarks_pixel(count, phase):
    image = np.arange(96.0).reshape(8, 12)
    np.testing.assert_array_equal(
        imresize(image, scale=1 / count, method="nearest"), image[phase::count, phase::count]
    )


@pytest.mark.parametrize(("side", "scale", "expected"), [(30, 0.1, 3), (10, 0.25, 3), (3, 2.5, 8), (1, 0.01, 1)])
def test_the_size_is_rounded_up(side, scale, expected):
    assert imresize(np.zeros((side, side)), scale=scale).shape == (expected, expected)


@pytest.mark.parametrize("method", ["bilinear", "bicubic"])
def test_a_plane_stays_one_away_from_the_border(method):
    y, x = np.mgrid[:12, :10].astype(float)
    y_fine, x_fine = (np.mgrid[:36, :30] + 0.5) / 3 - 0.5
    ours = imresize(2 * x - 3 * y, scale=3, method=method)
    np.testing.assert_allclose(ours[6:-6, 6:-6], (2 * x_fine - 3 * y_fine)[6:-6, 6:-6], atol=1e-8)


def test_channels_are_resized_alike():
    image = np.random.default_rng(2).random((5, 7, 3)).astype(np.float32)
    ours = imresize(image, scale=2)
    assert ours.shape == (10, 14, 3)
    assert ours.dtype == np.float32
    np.testing.assert_allclose(ours[..., 1], imresize(image[..., 1], scale=2))


@pytest.mark.parametrize(
    ("given_type", "kept"), [("float32", "float32"), ("float64", "float64"), ("uint8", "float64")]
)
def test_precision(given_type, kept):
    assert imresize(np.ones((4, 4), given_type), scale=2).dtype == kept
    assert str(imresize(as_tensor(np.ones((4, 4), given_type)), scale=2).dtype) == f"torch.{kept}"


@given(shapes, factors, seeds, st.sampled_from(METHODS))
@settings(max_examples=40, deadline=None)
def test_all_valid_is_no_mask(shape, factor, seed, method):
    image = np.random.default_rng(seed).random(shape)
    masked = imresize(image, scale=factor, method=method, valid=np.ones(shape, bool))
    np.testing.assert_allclose(masked, imresize(image, scale=factor, method=method), atol=1e-12)


@given(shapes, factors, seeds, st.sampled_from(METHODS), st.floats(0.05, 0.95))
@settings(max_examples=60, deadline=None)
def test_missing_pixels_neither_bleed_nor_explode(shape, factor, seed, method, holes):
    rng = np.random.default_rng(seed)
    image, valid = rng.random(shape), rng.random(shape) > holes
    ours = imresize(np.where(valid, image, np.nan), scale=factor, method=method, valid=valid)
    poisoned = imresize(np.where(valid, image, 1e30), scale=factor, method=method, valid=valid)
    np.testing.assert_array_equal(ours, poisoned)
    if np.isfinite(ours).any():
        margin = 0.6 * np.ptp(image[valid]) + 1e-9  # the bound on the weights' absolute sum
        assert np.nanmin(ours) >= image[valid].min() - margin
        assert np.nanmax(ours) <= image[valid].max() + margin


@given(shapes, factors, seeds, st.floats(0.05, 0.95))
@settings(max_examples=40, deadline=None)
def test_a_constant_survives_holes(shape, factor, seed, holes):
    valid = np.random.default_rng(seed).random(shape) > holes
    ours = imresize(np.full(shape, 700.0), scale=factor, valid=valid)
    np.testing.assert_allclose(ours[np.isfinite(ours)], 700, rtol=1e-9)


def test_nan_exactly_where_the_support_is_empty():
    valid = np.zeros((1, 8), bool)
    valid[0, 0] = True
    ours = imresize(np.full((1, 8), 5.0), scale=4, valid=valid)
    # Output i looks at (i + 0.5) / 4 - 0.5; pixel 0 is in the cubic's support up to a distance of 2.
    position = (np.arange(32) + 0.5) / 4 - 0.5
    np.testing.assert_array_equal(np.isfinite(ours[0]), position < 2)


def test_the_nearest_valid_pixel_is_the_last_resort():
    image = np.array([[1.0, np.nan, np.nan, np.nan, 9.0]])
    ours = imresize(image, scale=3, valid=np.isfinite(image))
    np.testing.assert_allclose(ours[0, :6], 1, rtol=1e-12)
    np.testing.assert_allclose(ours[0, 9:], 9, rtol=1e-12)


@pytest.mark.parametrize("holes", [False, True])
def test_gradients(holes):
    image = torch.rand(1, 1, 3, 4, dtype=torch.float64, generator=torch.manual_seed(0), requires_grad=True)
    valid = torch.rand(1, 1, 3, 4, generator=torch.manual_seed(1)) > 0.2 if holes else None
    assert torch.autograd.gradcheck(lambda x: imresize(x, scale=2.5, valid=valid), image)


def test_weights_cached_during_inference_can_be_trained_through():
    with torch.inference_mode():
        imresize(torch.rand(1, 1, 11, 13), scale=2)
    image = torch.rand(1, 1, 11, 13, requires_grad=True)
    imresize(image, scale=2).sum().backward()
    assert image.grad is not None


@pytest.mark.parametrize(
    "options",
    [{}, {"scale": 2, "size": (2, 2)}, {"scale": 0}, {"scale": -1}, {"scale": math.nan}, {"scale": math.inf},
     {"size": (0, 4)}, {"size": (4,)}, {"scale": 2, "method": "lanczos"}, {"scale": 2, "valid": np.ones((2, 3))}],
)  # fmt: skip
def test_wrong_use_is_refused(options):
    with pytest.raises(InputError):
        imresize(np.zeros((4, 4)), **options)


@pytest.mark.parametrize("shape", [(0, 4), (4,), (2, 2, 2, 2)])
def test_wrong_shapes_are_refused(shape):
    with pytest.raises(InputError):
        imresize(np.zeros(shape), scale=2)


@pytest.mark.parametrize(("method", "scale"), TABLE_1)
def test_table_1_to_the_digit(data, method, scale):
    from PIL import Image

    def read(path: str) -> np.ndarray:
        return np.asarray(Image.open(data / "middlebury_clean" / path).convert("L"), float)

    for scene, published in zip(DISPARITY_SCALE, TABLE_1[method, scale], strict=True):
        truth = read(f"raw/{scene}_disp2.png")
        ours = imresize(read(f"lr_x{scale}/{scene}.png"), scale=scale, method=method)
        inside = np.s_[10 : truth.shape[0] - 10, 10 : truth.shape[1] - 10]
        error = (ours[: truth.shape[0], : truth.shape[1]] - truth)[inside][truth[inside] > 0]
        unit = DISPARITY_SCALE[scene]
        assert round(np.sqrt(np.mean(error**2)) / unit, 4) * unit == pytest.approx(published, abs=1e-9)
