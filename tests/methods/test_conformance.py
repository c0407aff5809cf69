"""What every listed method must do, whatever its own claim: run over the dict, so that a new one is tested at once.

A method may state `plane_tolerance`, the largest error of a noise-free plane away from the border as a share of the
slope per input pixel; otherwise it is half of that slope, as for the nearest neighbour.
"""

import dataclasses
import inspect

import numpy as np
import pytest

from atgvnet.errors import GuideError, InputError, WeightsError
from atgvnet.methods import METHODS, Problem, get

SHAPES = [
    pytest.param((1, 1), (3, 3), id="one pixel"),
    pytest.param((1, 9), (2, 18), id="one row"),
    pytest.param((9, 1), (18, 2), id="one column"),
    pytest.param((10, 14), (20, 28), id="twice"),
    pytest.param((8, 6), (32, 24), id="four times"),
    pytest.param((10, 7), (25, 18), id="no whole factor"),
    pytest.param((9, 9), (9, 9), id="same size"),
]
# Names that scripts rely on.
PROMISED = """
    nearest bilinear bicubic nlm tv tgv diebel-thrun kopf yang chan he park ferstl-2013 zeyde timofte aodha hornacek
    ferstl-2015 fbs paper-cnn paper-atgv paper fast universal
"""


@pytest.fixture(params=METHODS)
def method(request):
    try:
        return get(request.param)
    except WeightsError as error:
        pytest.skip(str(error))


def problem(values, size, *, sigma=0.0, seed=0, benchmark=None, unit="disparity"):
    """Arrays as a `DepthMap` has them: read-only, float32, NaN where missing."""
    values = np.array(values, np.float32)
    valid = np.isfinite(values)
    y, x = np.mgrid[: size[0], : size[1]]
    guide = np.stack([x / size[1], y / size[0], 0.5 + 0.4 * np.sin(0.7 * x + 0.3 * y)], axis=-1).astype(np.float32)
    arrays = values, np.where(valid, np.float32(sigma), 0).astype(np.float32), valid.astype(np.float32), guide
    for array in arrays:
        array.flags.writeable = False
    values, noise, weight, guide = arrays
    return Problem(
        values=values, size=size, sigma=noise, weight=weight, guide=guide, unit=unit, benchmark=benchmark
    )  # fmt: skip


def run(method, given):
    try:
        return method(given).values
    except WeightsError as error:
        pytest.skip(str(error))


def constant_tolerance(method):
    """Give the error allowed; networks have learned constants, not been built for them."""
    return 0.05 if type(method).__module__.endswith(".networks") else 1e-4


def scene(shape, *, holes=0.0, seed=0):
    """Two slanted surfaces with an edge between them, a little noise, and holes."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[: shape[0], : shape[1]]
    values = np.where(x + y < sum(shape) / 2, 100 + x - y, 160 + 0.5 * x) + rng.normal(0, 1, shape)
    return np.where(rng.random(shape) < holes, np.nan, values)


def test_the_dict_names_what_is_there():
    assert set(METHODS) <= set(PROMISED.split())
    for name in METHODS:
        assert dataclasses.is_dataclass(get(name))
        assert get(name) is get(name)


@pytest.mark.parametrize("name", ["bicubick", "Bicubic", "", "../x"])
def test_an_unknown_name_is_refused_with_the_nearest(name):
    with pytest.raises(InputError, match="bicubic"):
        get(name)


def test_it_says_what_it_is(method):
    assert type(method).__dataclass_params__.frozen
    assert isinstance(method.guided, bool)
    assert isinstance(method.source, str)
    assert len(method.source) > 5
    assert inspect.getdoc(type(method))


@pytest.mark.parametrize(("shape", "size"), SHAPES)
def test_any_shape(method, shape, size):
    found = run(method, problem(scene(shape), size, sigma=1.0))
    assert found.shape == size
    assert found.dtype == np.float32
    assert np.isfinite(found).all()


@pytest.mark.parametrize("sigma", [0.0, 1.0])
def test_holes_are_filled_with_likely_values(method, sigma):
    values = scene((12, 10), holes=0.3)
    found = run(method, problem(values, (24, 20), sigma=sigma))
    assert np.isfinite(found).all()
    low, high = np.nanmin(values), np.nanmax(values)
    assert low - (high - low) < found.min() <= found.max() < high + (high - low)


def test_one_valid_pixel_tells_all(method):
    values = np.full((6, 7), np.nan)
    values[2, 3] = 120
    found = run(method, problem(values, (12, 14), sigma=1.0))
    np.testing.assert_allclose(found, 120, rtol=constant_tolerance(method))


def test_nothing_from_nothing(method):
    assert np.isnan(run(method, problem(np.full((6, 7), np.nan), (12, 14)))).all()


def test_the_same_again(method):
    given = problem(scene((10, 12), holes=0.1), (20, 24), sigma=1.0)
    np.testing.assert_array_equal(run(method, given), run(method, given))


@pytest.mark.parametrize("sigma", [0.0, 2.0])
@pytest.mark.parametrize("holes", [0.0, 0.3])
def test_a_constant_stays_one(method, sigma, holes):
    values = np.where(np.random.default_rng(1).random((10, 12)) < holes, np.nan, 130.0)
    found = run(method, problem(values, (20, 24), sigma=sigma))
    np.testing.assert_allclose(found, 130, rtol=constant_tolerance(method))


@pytest.mark.parametrize("sigma", [0.0, 1.0])
def test_a_plane_stays_one_within_the_claim(method, sigma):
    y, x = np.mgrid[:16, :18].astype(float)
    y_fine, x_fine = (np.mgrid[:32, :36] + 0.5) / 2 - 0.5
    found = run(method, problem(100 + 2 * x - y, (32, 36), sigma=sigma))
    error = np.abs(found - (100 + 2 * x_fine - y_fine))[10:-10, 10:-10].max() / np.hypot(2, 1)
    assert error <= getattr(method, "plane_tolerance", 0.5)


def test_what_stands_beside_missing_values_does_not_matter(method):
    given = problem(scene((10, 12), holes=0.3), (20, 24), sigma=1.0)
    odd = dataclasses.replace(given, sigma=np.where(given.valid, given.sigma, np.float32(1e6)))
    np.testing.assert_array_equal(run(method, odd), run(method, given))


@pytest.mark.parametrize(("unit", "factor"), [("m", 0.01), ("mm", 10.0)])
def test_any_unit(method, unit, factor):
    values = scene((10, 12), holes=0.1) * factor
    found = run(method, problem(values, (20, 24), sigma=factor, unit=unit))
    assert np.isfinite(found).all()
    low, high = np.nanmin(values), np.nanmax(values)
    assert low - (high - low) < found.min() <= found.max() < high + (high - low)


@pytest.mark.parametrize("sigma", [0.0, 1.0])
def test_the_unit_does_not_matter(method, sigma):
    """A factor that is a power of two changes no digit, so nothing may hang on an absolute size."""
    values = scene((10, 12), holes=0.1)
    small, large = (
        run(method, problem(factor * values, (20, 24), sigma=factor * sigma, unit="m")) / factor
        for factor in (1, 1024)
    )
    np.testing.assert_allclose(large, small, atol=0.02)


def test_progress_is_shown(method):
    if type(method).__module__.endswith(".interpolation"):
        pytest.skip("takes no time")
    shown = []
    given = dataclasses.replace(problem(scene((10, 12)), (20, 24), sigma=1.0), progress=shown.append)
    run(method, given)
    assert shown
    assert 0 <= min(shown) <= max(shown) <= 1 + 1e-6
    assert (np.diff(shown) >= 0).all()


def test_a_guide_that_is_needed_is_asked_for(method):
    given = problem(scene((8, 8)), (16, 16), sigma=1.0)
    if not method.guided:
        pytest.skip("works without a guide")
    with pytest.raises(GuideError, match="16x16"):
        method(dataclasses.replace(given, guide=None))
    with pytest.raises(GuideError, match=r"15x16x3.*16x16"):
        method(dataclasses.replace(given, guide=given.guide[1:]))
