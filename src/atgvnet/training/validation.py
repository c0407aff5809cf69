"""How good weights are on fixed synthetic maps that training never sees."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from atgvnet.training.recipes import Data
from atgvnet.training.stream import FULL_SCALE, Batch, draw_map

__all__ = ["Scores", "validate", "validation_maps"]

SEED = 2_147_483_629
INTERVAL = 0.6827
SPARSE = 4


@dataclass(frozen=True, kw_only=True)
class Scores:
    """Root mean square errors in 0…255 of u, of g and of the interpolated map; the factor for 68 % intervals."""

    rmse: float
    rmse_network: float
    rmse_bilinear: float
    spread_factor: float


def validation_maps(data: Data, count: int = 16) -> list[Batch]:
    """Draw the maps: the same ones for the same data, whatever is trained on it."""
    maps = [draw_map(data, np.random.default_rng([SEED, index]), data.sides[0]) for index in range(count)]
    return [Batch(*(torch.from_numpy(layer[None, None]) for layer in layers)) for layers in maps]


@torch.inference_mode()
def validate(model: nn.Module, maps: list[Batch], *, bfloat16: bool, solve: bool = True) -> Scores:
    """Measure over all pixels of all maps."""
    model.eval()
    squares, ratios, count = np.zeros(3), [], 0
    for batch in maps:
        with torch.autocast("cpu", torch.bfloat16, enabled=bfloat16):
            out = model(batch.low, batch.sigma, batch.valid, solve=solve)
        base = torch.nn.functional.interpolate(batch.low, size=batch.truth.shape[-2:], mode="bilinear")
        errors = [result - batch.truth for result in (out.u, out.network.estimate, base)]
        known = torch.isfinite(batch.truth)
        squares += [float(error[known].double().square().sum()) for error in errors]
        count += int(known.sum())
        if out.network.spread is not None:
            ratios.append((errors[0].abs() / out.network.spread)[known][::SPARSE])
    model.train()
    factor = float(np.quantile(torch.cat(ratios).float().numpy(), INTERVAL)) if ratios else 1.0
    rmse = FULL_SCALE * np.sqrt(squares / count)
    return Scores(
        rmse=float(rmse[0]), rmse_network=float(rmse[1]), rmse_bilinear=float(rmse[2]), spread_factor=factor
    )
