"""The facade with the shipped network: any map of any size, equivariance, holes, tiles, far backgrounds."""

import functools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import atgvnet
from atgvnet import DepthMap
from atgvnet.inference import halo
from atgvnet.scenes import render
from atgvnet.sensors.sampling import reduce
from atgvnet.weights import load as load_weights

NETWORK = "universal"


@st.composite
def odd_maps(draw: st.DrawFn) -> tuple[DepthMap, tuple[int, int]]:
    """Draw a map of any small size: constant, one valid pixel, none, negative, of a huge or tiny range."""
    height, width = draw(st.integers(1, 20)), draw(st.integers(1, 20))
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    values = draw(st.sampled_from([1.0, 1e-6, 1e9, 1e30])) * rng.choice([0, 1, rng.standard_normal()])
    spread = draw(st.sampled_from([0.0, 1e-3, 1.0, 1e12]))
    array = (values + spread * rng.standard_normal((height, width))).astype(np.float32)
    valid = rng.random(array.shape) < draw(st.sampled_from([0.0, 0.05, 0.5, 1.0]))
    if draw(st.booleans()):
        valid[0, 0] = True
    size = (round(height * draw(st.floats(1, 9))), round(width * draw(st.floats(1, 9))))
    return DepthMap(array, valid, unit="disparity"), (max(size[0], height), max(size[1], width))


@given(odd_maps())
@settings(max_examples=25, deadline=None, derandomize=True)
def test_any_map_gives_a_map_of_its_size_near_its_values(given: tuple[DepthMap, tuple[int, int]]) -> None:
    depth, size = given
    result = atgvnet.upscale(depth, size=size, method=NETWORK, holes="fill").depth
    assert result.shape == size
    if not depth.valid.any():
        assert not result.valid.any()
        return
    assert result.valid.all()
    known = depth.values[depth.valid].astype(np.float64)
    span = known.max() - known.min()
    room = span + 0.02 * max(abs(known).max(), 1.0) if span == 0 else 2 * span
    assert result.values.min() >= known.min() - room
    assert result.values.max() <= known.max() + room


@functools.cache
def scene() -> np.ndarray:
    low = reduce(render("rubble", 5, 0, (256, 512)).depth, 4, "area")
    return 1000 + 3000 * (low - low.min()) / (low.max() - low.min())


@pytest.mark.parametrize(("factor", "offset"), [(1e-3, 0), (1, 500), (40, -1e5)])
def test_scaling_or_shifting_metres_does_so_to_the_result(factor: float, offset: float) -> None:
    """With the noise given, as its law need not be the same for shifted values."""
    plain = atgvnet.upscale(DepthMap(scene()), method=NETWORK, noise=2.0, precision="float32").depth.values
    moved = DepthMap(factor * scene() + offset)
    found = atgvnet.upscale(moved, method=NETWORK, noise=2.0 * abs(factor), precision="float32").depth.values
    assert np.abs(found - (factor * plain + offset)).max() < 1e-3 * factor * 3000 + 1e-6 * abs(offset)


def test_scaling_metres_scales_the_result_whatever_the_estimated_noise() -> None:
    noisy = scene() + 20 * np.random.default_rng(0).standard_normal(scene().shape)
    metres, millimetres = (DepthMap(noisy * factor) for factor in (1e-3, 1.0))
    one, other = (atgvnet.upscale(each, method=NETWORK, precision="float32").depth for each in (metres, millimetres))
    assert np.abs(1000 * one.values - other.values).max() < 3


def test_a_network_never_sees_what_is_stored_under_a_missing_pixel() -> None:
    valid = np.ones(scene().shape, bool)
    valid[20:24, 30:36] = valid[::7, ::5] = False
    results = [
        atgvnet.upscale(DepthMap(np.where(valid, scene(), filler), valid), method=NETWORK, holes="fill").depth.values
        for filler in (0, 65535, math.nan, np.inf, -1e30)
    ]
    for result in results[1:]:
        np.testing.assert_array_equal(result, results[0])


def test_a_hole_moves_nothing_out_of_sight_but_through_statistics() -> None:
    valid = np.ones(scene().shape, bool)
    valid[30:36, 4:10] = False
    run = atgvnet.load(NETWORK, precision="float32")
    reach = halo(load_weights(NETWORK, scale=4).model)
    whole, holed = (run(DepthMap(scene(), mask)).depth.values for mask in (valid | True, valid))
    beyond = 4 * (10 + reach)
    assert beyond < whole.shape[1]
    assert np.abs(whole - holed)[:, beyond:].max() <= 0.005 * 3000


@pytest.mark.parametrize("precision", [("float32", 1e-5), ("bfloat16", 1e-3)])
@pytest.mark.parametrize("tile", [97, 256])
def test_tiles_of_the_shipped_network_have_no_seams(precision: tuple[str, float], tile: int) -> None:
    number_format, bound = precision
    depth = DepthMap(scene())
    whole, tiled = (
        atgvnet.upscale(depth, method=NETWORK, precision=number_format, tile=side).depth.values  # type: ignore[arg-type]
        for side in (4096, tile)
    )
    assert np.abs(whole - tiled).max() <= bound * 3000


@pytest.mark.parametrize("far", [65535.0, 1e10, 3e38])
def test_a_background_far_away_does_not_drown_what_is_near(far: float) -> None:
    values = scene().copy()
    values[:16] = far
    alone = atgvnet.upscale(DepthMap(scene()[16:]), method=NETWORK, noise=2.0, precision="float32").depth.values
    found = atgvnet.upscale(DepthMap(values), method=NETWORK, noise=2.0, precision="float32").depth.values
    assert np.abs(found[80:] - alone[16:]).mean() < 0.005 * 3000
    np.testing.assert_allclose(found[:48], far, rtol=0.02)
