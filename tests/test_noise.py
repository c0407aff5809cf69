"""Laws of the noise, their names and files, and how near the estimate comes on maps whose noise is known."""

import json
import math
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atgvnet.errors import InputError
from atgvnet.noise import LAWS, NoiseLaw, estimate, load, parse, save
from atgvnet.resample import imresize
from atgvnet.scenes import FAMILIES, render

KINDS = ("constant", "inverse", "linear", "quadratic")
EXPONENT = {"constant": 0, "inverse": -1, "linear": 1, "quadratic": 2}


@cache
def boxes(seed: int, shape: tuple[int, int], count: int = 40) -> np.ndarray:
    """Slanted boxes before a slanted wall, values 70…218, reduced with antialiasing as the benchmarks are."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[-1 : 1 : shape[0] * 4j, -1 : 1 : shape[1] * 4j]
    truth = 100 + rng.uniform(-20, 20) * x + rng.uniform(-20, 20) * y
    for _ in range(count):
        angle, (cy, cx), (h, w) = rng.uniform(0, np.pi), rng.uniform(-1, 1, 2), rng.uniform(0.03, 0.3, 2)
        u, v = (
            np.cos(angle) * (x - cx) + np.sin(angle) * (y - cy),
            np.cos(angle) * (y - cy) - np.sin(angle) * (x - cx),
        )
        surface = rng.uniform(90, 200) + rng.uniform(-40, 40) * u + rng.uniform(-40, 40) * v
        truth = np.where((abs(u) < h) & (abs(v) < w), np.maximum(truth, surface), truth)
    return imresize(np.clip(truth, 70, 218), scale=0.25)


def law(kind: str, level: float) -> NoiseLaw:
    """Give the law of that level at a value of 120."""
    return NoiseLaw(kind, level / 120.0 ** EXPONENT[kind])


def noisy(clean: np.ndarray, truth: NoiseLaw, seed: int = 0) -> np.ndarray:
    return clean + truth.sigma(clean) * np.random.default_rng(seed).standard_normal(clean.shape)


def ratio(found: NoiseLaw, truth: NoiseLaw, clean: np.ndarray) -> float:
    return float(found.sigma(clean).mean() / truth.sigma(clean).mean())


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("none", [0, 0]), ("constant", [3, 3]), ("inverse", [1, 0.5]), ("linear", [9, 18]), ("quadratic", [27, 108])],
)
def test_sigma_follows_the_law(kind, expected):
    np.testing.assert_allclose(NoiseLaw(kind, 3.0).sigma([3.0, -6.0]), expected)
    assert NoiseLaw(kind, 3.0).sigma(np.ones((2, 3))).dtype == np.float32


def test_missing_values_and_zero_give_finite_noise():
    np.testing.assert_array_equal(NoiseLaw("constant", 2).sigma([np.nan, np.inf, 1]), [0, 0, 2])
    # 651 / 0 is bounded where the noise would be as large as the value.
    assert NoiseLaw("inverse", 651).sigma([0.0])[0] == pytest.approx(math.sqrt(651))
    assert NoiseLaw("inverse", 0).sigma([0.0])[0] == 0


@given(st.sampled_from(KINDS), st.floats(0.01, 100), st.floats(0.01, 100), st.floats(1, 200))
def test_scaled_values_have_scaled_noise(kind, coefficient, factor, value):
    one = NoiseLaw(kind, coefficient)
    expected = factor * one.sigma([value])
    np.testing.assert_allclose(one.scaled(factor).sigma([factor * value]), expected, rtol=1e-4)


@pytest.mark.parametrize(
    ("kind", "coefficient"), [("cubic", 1), ("constant", -1), ("constant", math.nan), ("linear", "a"), ("none", True)]
)
def test_wrong_laws_are_refused(kind, coefficient):
    with pytest.raises(InputError):
        NoiseLaw(kind, coefficient)


def test_names_and_numbers():
    assert parse("auto") == "auto"
    assert parse("none").sigma([5.0])[0] == 0
    assert parse(" 2.5 ") == NoiseLaw("constant", 2.5)
    # The paper: N(0, 651 / d) for disparities in 0…255.
    assert LAWS["paper"].sigma([217.0])[0] == pytest.approx(3)


def test_files(tmp_path):
    path = tmp_path / "sensor.json"
    save(NoiseLaw("quadratic", 1e-3), path)
    assert load(path) == parse(str(path)) == NoiseLaw("quadratic", 1e-3)
    path.write_text('{"kind": "linear", "coefficient": 2}')
    assert load(path) == NoiseLaw("linear", 2)


@pytest.mark.parametrize("text", ["", "[]", "3", "{}", '{"noise": 3}', '{"kind": "odd", "coefficient": 1}', "\xff"])
def test_damaged_files_are_one_error(tmp_path, text):
    path = tmp_path / "sensor.json"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(InputError):
        load(path)


@pytest.mark.parametrize("text", ["loud", "-1", "nan", "inf", "missing.json", ""])
def test_unknown_noise_is_refused(text):
    with pytest.raises(InputError):
        parse(text)


@pytest.mark.parametrize("shape", [(68, 86), (136, 172)])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("level", [1.0, 5.0, 15.0])
def test_within_15_percent_of_the_truth(shape, kind, level):
    for seed in range(3):
        clean, truth = boxes(seed, shape), law(kind, level)
        found = estimate(noisy(clean, truth, seed))
        assert 0.85 < ratio(found, truth, clean) < 1.15


@pytest.mark.slow
@pytest.mark.parametrize("missing", [0.0, 0.1, 0.3])
@pytest.mark.parametrize("seed", [5, 6, 7, 21])
def test_within_15_percent_on_every_family_of_scenes(seed, missing):
    """Four maps of each family, four laws, two levels: 288 maps a seed, values 70…218 as in the benchmarks."""
    outside = []
    for family, index in product(FAMILIES, range(4)):
        depth = render(family, seed, index, (480, 640)).depth
        clean = imresize(70 + 148 * (1 - depth) / (1 - depth.min()), scale=0.25)
        for kind, level in product(KINDS, (1.0, 5.0)):
            truth, rng = law(kind, level), np.random.default_rng([seed, index, int(level)])
            values = clean + truth.sigma(clean) * rng.standard_normal(clean.shape)
            values[rng.random(clean.shape) < missing] = np.nan
            if not 0.85 < (found := ratio(estimate(values), truth, clean)) < 1.15:
                outside.append((family, index, kind, level, round(found, 3)))
    assert outside == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_law_is_recognised(kind):
    clean = boxes(5, (136, 172))
    assert estimate(noisy(clean, law(kind, 5), 5)).kind == kind


@pytest.mark.parametrize("missing", [0.05, 0.3, 0.6])
def test_holes(missing):
    clean, truth = boxes(6, (136, 172)), law("inverse", 5)
    valid = np.random.default_rng(6).random(clean.shape) >= missing
    values = noisy(clean, truth, 6)
    found = estimate(np.where(valid, values, np.nan))
    assert 0.85 < ratio(found, truth, clean) < 1.15
    assert found == estimate(np.where(valid, values, 1e6), valid)


def test_a_steep_plane_is_not_noise():
    y, x = np.mgrid[:60, :80]
    assert estimate(100 + 5.0 * x + 3.0 * y).sigma([100.0])[0] < 1e-3


@pytest.mark.parametrize("step", [1, 4, 16])
def test_steps_are_not_noise(step):
    clean = boxes(7, (136, 172))
    assert estimate(np.round(clean / step) * step).sigma([120.0])[0] < 0.2 * step


@pytest.mark.parametrize("seed", range(4))
def test_a_clean_map_with_many_edges_is_not_noisy(seed):
    assert estimate(boxes(seed, (68, 86), count=150)).sigma([120.0])[0] < 0.1


@pytest.mark.parametrize("seed", range(4))
def test_noise_and_steps_are_told_apart(seed):
    clean, truth = boxes(seed, (136, 172)), law("constant", 1.0)
    assert 0.85 < ratio(estimate(np.round(noisy(clean, truth, seed))), truth, clean) < 1.15


@given(st.floats(1e-3, 1e3), st.sampled_from(KINDS))
@settings(max_examples=10, deadline=None)
def test_equivariant_under_scaling(factor, kind):
    clean = boxes(8, (40, 50))
    values = noisy(clean, law(kind, 4), 8)
    once, scaled = estimate(values), estimate(values * factor)
    np.testing.assert_allclose(scaled.sigma(clean * factor), once.sigma(clean) * factor, rtol=1e-3)


@pytest.mark.parametrize("shape", [(1, 1), (1, 50), (7, 7), (0, 3)])
def test_too_small_to_tell(shape):
    assert estimate(np.random.default_rng(0).random(shape)).kind == "none"


@pytest.mark.parametrize("side", [8, 12, 20])
def test_small_maps(side):
    x = np.arange(side)
    found = [
        estimate(100 + x + noisy(np.zeros((side, side)), NoiseLaw("constant", 3.0), seed)).sigma([100.0])[0]
        for seed in range(30)
    ]
    assert 0.85 < np.median(found) / 3 < 1.15


def test_nothing_valid_is_no_noise():
    assert estimate(np.full((20, 20), np.nan)).kind == "none"
    assert estimate(np.ones((20, 20)), np.zeros((20, 20), bool)).kind == "none"
    assert estimate(np.full((20, 20), 5.0)).kind == "none"


def test_negative_values_have_one_level():
    clean = boxes(9, (68, 86)) - 140
    found = estimate(clean + np.random.default_rng(9).normal(0, 2, clean.shape))
    assert found.kind == "constant"
    assert found.coefficient == pytest.approx(2, rel=0.15)


def test_large_maps_take_bands():
    clean = np.add.outer(np.linspace(80, 200, 1600), np.linspace(0, 10, 1000))
    truth = law("quadratic", 3)
    assert 0.95 < ratio(estimate(noisy(clean, truth)), truth, clean) < 1.05


@pytest.mark.parametrize(("values", "valid"), [(np.zeros((3, 3, 3)), None), (np.zeros((9, 9)), np.zeros((8, 9)))])
def test_wrong_shapes_are_refused(values, valid):
    with pytest.raises(InputError):
        estimate(values, valid)


def test_the_benchmarks_noise_is_found(data):
    from PIL import Image

    for scene in ("art", "books", "moebius"):
        folder = data / "middlebury2005_noisy" / scene
        for file in ("depth_1_n.png", "depth_2_n.png", "depth_3_n.png", "depth_4_n.png"):
            found = estimate(np.asarray(Image.open(folder / file), float))
            assert found.kind == "inverse"
            assert found.coefficient == pytest.approx(651, rel=0.15)


def test_a_calibrated_file_may_hold_more(tmp_path):
    path = tmp_path / "sensor.json"
    path.write_text(json.dumps({"noise": {"kind": "linear", "coefficient": 0.1}, "frames": 30}))
    assert load(path) == NoiseLaw("linear", 0.1)
