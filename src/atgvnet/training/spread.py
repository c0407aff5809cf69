"""The spread of a trained network's error, learned anew while all else stays as it is.

The spread w is wanted such that |u − t| ≤ w for 68 % of the pixels, alike where the network errs little and where it
errs much. That quantile of the error's logarithm minimises the mean of

    max(q d, (q − 1) d),    d = log(|u − t| + ε) − log w,    q = 0.6827     (Koenker and Bassett, Econometrica 1978).

The features and errors of all maps are computed once; then the layers on top learn from them. Their truths are not
quantised, as the world is not.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from atgvnet.errors import TrainingError
from atgvnet.inference import native_bfloat16
from atgvnet.model import ATGVNet
from atgvnet.network import LowNetwork
from atgvnet.refine import mixing, refined
from atgvnet.training.recipes import Data
from atgvnet.training.stream import draw_map
from atgvnet.training.validation import INTERVAL
from atgvnet.weights import Loaded

__all__ = ["Sample", "learn_spread", "sample"]

SEED = 2_147_483_587
SIDE, VIEW = 64, 128
LEAST_ERROR = 1e-5
BATCH, RATE = 4, 3e-3
HELD_BACK = 5  # one sample in so many sets the factor


Area = tuple[slice, slice]


class Sample(NamedTuple):
    """The network's last features (1, C, h, w), noise and validity, and its result's absolute error (1, 1, H, W)."""

    features: Tensor
    told: Tensor
    error: Tensor


@torch.inference_mode()
def sample(model: ATGVNet, data: Data, number: int) -> Sample:
    """Run the model over map `number`, or as much of it as fits into a view, and take a piece of what came out."""
    rng, data = np.random.default_rng([SEED, number]), replace(data, truth_steps=(0.0,))
    layers, scale = draw_map(data, rng, SIDE * data.scale), data.scale
    view = _window(layers.low.shape, VIEW, rng)
    low, valid, sigma = (_tensor(layer[view]) for layer in layers[:3])
    truth = _tensor(layers.truth[_enlarged(view, scale)])
    network = _low_network(model)
    with torch.autocast("cpu", torch.bfloat16, enabled=native_bfloat16(model.device)):
        features = network.features(low, sigma, valid)
        out = network.heads(low, features)
    u = out.estimate if model.solver is None else model.solver(out.estimate, out.edges, None)
    u = refined(u, low, sigma, valid, mixing(low[0, 0].numpy(), valid[0, 0].numpy() > 0))
    piece = _window(low.shape[-2:], SIDE, rng)
    told, error = network.conditions(low, sigma, valid), (u - truth).abs()
    return Sample(
        features[..., *piece].float().contiguous(),
        told[..., *piece].clone(),
        error[..., *_enlarged(piece, scale)].clone(),
    )


def learn_spread(loaded: Loaded, samples: Sequence[Sample], *, steps: int, hidden: int = 48) -> Loaded:
    """Give the same model with a spread that is learned from these samples, and its manifest."""
    held_back, learned_from = samples[::HELD_BACK], [each for k, each in enumerate(samples) if k % HELD_BACK]
    if not held_back or not learned_from:
        raise TrainingError(f"spread: there are {len(samples)} samples; give at least two")
    description = loaded.manifest.network
    options = description["options"] | {"spread": True, "spread_features": hidden}
    model = _renewed(loaded.model, LowNetwork(**options))
    network = _low_network(model)
    _learn(network, learned_from, steps)
    factor = _factor(network, held_back)
    return Loaded(model, replace(loaded.manifest, network=description | {"options": options}, spread_factor=factor))


def _low_network(model: ATGVNet) -> LowNetwork:
    if not isinstance(model.network, LowNetwork):
        raise TrainingError(f"spread: {type(model.network).__name__} predicts none; give weights of a LowNetwork")
    return model.network


def _window(shape: tuple[int, ...], side: int, rng: np.random.Generator) -> Area:
    """Choose a square of this side at random, or all along axes that are shorter."""
    starts = [int(rng.integers(max(0, length - side) + 1)) for length in shape]
    return slice(starts[0], starts[0] + side), slice(starts[1], starts[1] + side)


def _enlarged(area: Area, scale: int) -> Area:
    rows, columns = (slice(part.start * scale, part.stop * scale) for part in area)
    return rows, columns


def _tensor(layer: NDArray[np.float32]) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(layer))[None, None]


def _renewed(model: ATGVNet, network: LowNetwork) -> ATGVNet:
    """Give the same weights in a network whose layers for the spread are new."""
    kept = {name: value for name, value in model.network.state_dict().items() if not name.startswith("spread_tail")}
    network.load_state_dict(network.state_dict() | kept)
    return ATGVNet(network, model.solver)


def _learn(network: LowNetwork, samples: Sequence[Sample], steps: int) -> None:
    parameters = [value for name, value in network.named_parameters() if name.startswith("spread_tail")]
    optimiser = torch.optim.AdamW(parameters, lr=RATE, weight_decay=0)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    rng = np.random.default_rng(SEED)
    for _ in range(steps):
        batch = [samples[k] for k in rng.integers(len(samples), size=BATCH)]
        features, told, error = (torch.cat(column).clone() for column in zip(*batch, strict=True))
        optimiser.zero_grad()
        _pinball(network, Sample(features, told, error)).backward()
        optimiser.step()
        schedule.step()


def _pinball(network: LowNetwork, batch: Sample) -> Tensor:
    with torch.autocast("cpu", torch.bfloat16, enabled=native_bfloat16(torch.device("cpu"))):
        spread, error = cast(Tensor, network.spread(batch.features, batch.told)), batch.error
    known = torch.isfinite(error)
    excess = torch.log(error[known] + LEAST_ERROR) - torch.log(spread[known])
    return torch.maximum(INTERVAL * excess, (INTERVAL - 1) * excess).mean()


@torch.inference_mode()
def _factor(network: LowNetwork, samples: Sequence[Sample]) -> float:
    """Give the factor with which exactly 68 % of these errors are below the spread."""
    ratios = []
    for features, told, error in samples:
        spread = cast(Tensor, network.spread(features, told))
        ratios.append((error / spread)[torch.isfinite(error)])
    return float(np.quantile(torch.cat(ratios).numpy(), INTERVAL))
