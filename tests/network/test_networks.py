"""Every architecture: its shapes, its reach, its indifference to what lies under a hole."""

import pytest
import torch

from atgvnet.network import DepthNetwork, LowNetwork, MidNetwork
from atgvnet.network.output import NetworkOutput

SMALL = {"widths": (8, 12, 16), "blocks": (3, 2, 3)}


def networks() -> list[DepthNetwork]:
    torch.manual_seed(0)
    return [
        MidNetwork(scale=2, features=8),
        MidNetwork(scale=4, features=8),
        MidNetwork(scale=1, features=8),
        LowNetwork(scale=2, **SMALL),
        LowNetwork(scale=4, **SMALL, conditioned=True),
        LowNetwork(scale=8, **SMALL, spread=False),
    ]


@pytest.fixture(params=range(6), ids=["mid2", "mid4", "mid1", "low2", "low4", "low8"])
def network(request: pytest.FixtureRequest) -> DepthNetwork:
    chosen = networks()[request.param].eval()
    for parameter in chosen.parameters():  # a near-zero last layer would hide what the others do
        torch.nn.init.normal_(parameter, std=0.1)
    return chosen


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (13, 6), (16, 16)])
def test_every_size_gives_outputs_of_scale_times_that_size(network: DepthNetwork, shape: tuple[int, int]) -> None:
    out: NetworkOutput = network(torch.rand(2, 1, *shape))
    size = tuple(side * network.scale for side in shape)
    assert out.estimate.shape == (2, 1, *size)
    assert out.edges.shape == (2, 2, *size)
    assert out.estimate.dtype == torch.float32
    assert out.spread is None or (out.spread.shape == (2, 1, *size) and bool((out.spread > 0).all()))


@torch.inference_mode()
def test_nothing_beyond_the_reach_matters_and_the_reach_is_not_idle(network: DepthNetwork) -> None:
    """The halo of tiles rests on this: it must hold, and a halo of twice what is needed would waste time."""
    reach, side = network.reach, 4 * network.stride * (-(-network.reach // network.stride) + 1)
    low = torch.rand(1, 1, 9, 2 * side + 1)
    before = network(low).estimate
    changed = low.clone()
    changed[..., side] += 1
    difference = (network(changed).estimate - before).abs().amax(dim=(0, 1, 2))
    seen = difference.reshape(-1, network.scale).amax(dim=1).nonzero().flatten()
    assert int(seen.min()) >= side - reach
    assert int(seen.max()) <= side + reach
    assert int(seen.max() - seen.min()) >= reach


def test_untrained_networks_give_the_interpolated_map() -> None:
    """The residual's last layer starts near zero: training begins at bilinear interpolation."""
    low = torch.rand(1, 1, 12, 12)
    for network in networks():
        base = torch.nn.functional.interpolate(low, scale_factor=network.scale, mode="bilinear")
        assert (network(low).estimate - base).abs().max() < 0.15


def test_the_paper_s_network_has_the_paper_s_size() -> None:
    assert sum(parameter.numel() for parameter in MidNetwork(scale=4).parameters()) == 297_795


@pytest.mark.parametrize("hidden", [0, 5])
def test_the_spread_does_not_shape_the_estimate(hidden: int) -> None:
    network = LowNetwork(scale=2, **SMALL, spread_features=hidden)
    out = network(torch.rand(1, 1, 8, 8))
    assert out.spread is not None
    out.spread.sum().backward()
    touched = {name for name, parameter in network.named_parameters() if parameter.grad is not None}
    assert touched == {name for name, _ in network.named_parameters() if name.startswith("spread_tail.")}
