"""Tiles, ensembles and number formats give the same map."""

import pytest
import torch

from atgvnet.inference import Inference, Inputs, _turn, _turn_back, _vectors_back, crisp, halo, native_bfloat16
from atgvnet.model import ATGVNet
from atgvnet.network import LowNetwork, MidNetwork
from atgvnet.solver import Solver
from atgvnet.solver.operators import gradient


def model(scale: int = 4) -> ATGVNet:
    torch.manual_seed(1)
    network = LowNetwork(scale=scale, widths=(8, 12, 16), blocks=(2, 1, 1), conditioned=True)
    torch.nn.init.normal_(network.tail.weight, std=0.02)
    return ATGVNet(network, Solver(iterations=10)).eval()


def inputs(height: int, width: int) -> Inputs:
    generator = torch.Generator().manual_seed(2)
    low, sigma = (torch.rand(1, 1, height, width, generator=generator) for _ in range(2))
    return Inputs(low, 0.1 * sigma, (low > 0.05).float())


@pytest.mark.parametrize("tile", [48, 64, 100, 177, 4096])
def test_tiles_give_the_whole_map(tile: int) -> None:
    given = inputs(90, 71)
    whole = Inference(precision="float32", mixed=1.0)(model(), given)
    tiled = Inference(precision="float32", mixed=1.0, tile=tile)(model(), given)
    for (name, one), (_, other) in zip(whole.layers(), tiled.layers(), strict=True):
        assert (one - other).abs().max() < 1e-5, name


def test_the_halo_is_what_the_model_sees() -> None:
    """A change just outside the halo of a tile changes nothing in it."""
    given, border = inputs(8, 120), halo(model())
    changed = Inputs(given.low.clone(), given.sigma, given.valid)
    changed.low[..., 40 + border :] += 1
    run = Inference(precision="float32")
    one, other = (run(model(), each).u[..., : 40 * 4] for each in (given, changed))
    torch.testing.assert_close(one, other, rtol=0, atol=1e-6)


def test_turning_back_undoes_turning_also_for_vectors() -> None:
    """The gradient of a turned map, turned back, is the map's gradient up to the forward differences' side."""
    y, x = torch.meshgrid(torch.arange(12.0), torch.arange(12.0), indexing="ij")
    plane = (0.3 * x - 0.7 * y)[None, None]
    for turns in range(4):
        for mirror in (False, True):
            assert torch.equal(_turn_back(_turn(plane, turns, mirror), turns, mirror), plane)
            back = _turn_back(gradient(_turn(plane, turns, mirror)), turns, mirror)
            back = _vectors_back(back, turns, mirror)[..., 2:-2, 2:-2]
            torch.testing.assert_close(back, gradient(plane)[..., 2:-2, 2:-2])


def test_an_ensemble_of_a_symmetric_model_is_that_model() -> None:
    """A network with a zero last layer interpolates, which no turn changes."""
    network = MidNetwork(scale=2, features=8)
    torch.nn.init.zeros_(network.tail.weight)
    symmetric, given = ATGVNet(network, None).eval(), inputs(9, 14)
    alone = Inference(precision="float32")(symmetric, given)
    averaged = Inference(precision="float32", ensemble=True)(symmetric, given)
    torch.testing.assert_close(alone.u, averaged.u)


def test_bfloat16_stays_near_float32() -> None:
    given = inputs(40, 40)
    exact, short = (Inference(precision=precision)(model(), given).u for precision in ("float32", "bfloat16"))
    assert (exact - short).abs().mean() < 5e-3


def test_details_are_left_out_where_nobody_asks() -> None:
    out = Inference(details=False)(model(), inputs(8, 8))
    assert [name for name, _ in out.layers()] == ["u"]


def test_a_machine_says_whether_it_has_bfloat16() -> None:
    assert native_bfloat16(torch.device("cpu")) in {True, False}
    assert not native_bfloat16(torch.device("meta"))


def test_crisp_edges_keep_planes_and_extremes_and_have_fewer_values_between() -> None:
    y, x = torch.meshgrid(torch.arange(12.0), torch.arange(16.0), indexing="ij")
    plane = (0.05 * x - 0.08 * y)[None, None]
    torch.testing.assert_close(crisp(plane)[..., 1:-1, 1:-1], plane[..., 1:-1, 1:-1])
    ramp = torch.sigmoid(2.0 * (x - 7.2))[None, None]
    sharp = crisp(ramp)
    assert ((sharp > 0.05) & (sharp < 0.95)).sum() < ((ramp > 0.05) & (ramp < 0.95)).sum()
    assert torch.equal(sharp.sort().indices, ramp.sort().indices)
    faint = 0.04 * ramp
    assert torch.equal(crisp(faint), faint)
