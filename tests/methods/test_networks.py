"""Networks as methods: what is gathered, what a hole may change, what scaling the input does."""

from dataclasses import replace

import numpy as np
import pytest

from atgvnet.errors import WeightsError
from atgvnet.methods import METHODS, get
from atgvnet.methods.networks import NetworkMethod, gather
from atgvnet.methods.problem import Problem

NETWORKS = [name for name in METHODS if METHODS[name].startswith("atgvnet.methods.networks:")]


@pytest.fixture(params=NETWORKS)
def network(request: pytest.FixtureRequest) -> NetworkMethod:
    """Every listed network whose weights are shipped, computing in float32."""
    method = get(request.param)
    assert isinstance(method, NetworkMethod)
    method = replace(method, run=replace(method.run, precision="float32"))
    try:
        method(problem(steps(8, 8)))
    except WeightsError as error:
        pytest.skip(str(error))
    return method


def problem(values: np.ndarray, scale: float = 4) -> Problem:
    height, width = values.shape
    return Problem(
        values=values.astype(np.float32),
        size=(round(height * scale), round(width * scale)),
        sigma=np.full(values.shape, 0.01, np.float32),
        weight=np.isfinite(values).astype(np.float32),
    )


def steps(height: int = 40, width: int = 48) -> np.ndarray:
    values = np.add.outer(0.01 * np.arange(height), 0.005 * np.arange(width)) + 1
    values[10:30, 12:36] += 0.8
    return values


def test_a_dense_map_is_not_gathered() -> None:
    dense = problem(steps())
    assert gather(dense) is dense


def test_sparse_pixels_become_their_blocks_means() -> None:
    values = np.full((9, 16), np.nan)
    values[0, 0], values[3, 3], values[8, 15] = 2, 4, 7
    found = gather(problem(values, scale=1))
    assert found.values.shape == (3, 4) or found.values.shape == (2, 2)
    assert found.values[0, 0] == 3
    assert found.values[-1, -1] == 7
    assert np.isnan(found.values).sum() == found.values.size - 2
    assert found.sigma[0, 0] == pytest.approx(0.01 / np.sqrt(2))
    assert found.size[0] >= 9
    assert found.size[1] >= 16


def test_scaling_and_shifting_the_input_scales_and_shifts_the_output(network: NetworkMethod) -> None:
    given = problem(steps())
    moved = replace(given, values=given.values * 3 + 20, sigma=given.sigma * 3)
    np.testing.assert_allclose(network(moved).values, network(given).values * 3 + 20, atol=2e-3)


def test_every_factor_and_sparse_maps_give_finite_maps_of_the_size_asked_for(network: NetworkMethod) -> None:
    values = steps(20, 24)
    values[np.random.default_rng(0).random(values.shape) > 0.05] = np.nan
    for given in (problem(values, 1), problem(steps(20, 24), 2.5), problem(steps(20, 24), 5.08)):
        found = network(given)
        assert found.values.shape == given.size
        assert np.isfinite(found.values).all()
        assert found.edges is None or found.edges.shape == (2, *given.size)
