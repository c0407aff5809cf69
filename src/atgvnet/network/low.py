"""Our network: residual blocks on the low-resolution map and its halves and quarters, a sub-pixel layer at the end.

The paper's network works on ρ² interpolated pixels for every measured one and sees 21 × 21 of them. This one works
on the measured pixels: a layer costs ρ² times less and sees ρ times farther. Two coarser levels widen the view to
what a large noisy plane needs, for a quarter and a sixteenth of a full layer's work:

    level 0 (h × w)       head ── blocks ──────────────────────── + ── blocks ── sub-pixel tail ── g_r, h, log spread
    level 1 (h/2 × w/2)        └─ down ── blocks ──────── + ── blocks ── up ┘
    level 2 (h/4 × w/4)                 └─ down ── blocks ── up ┘

    g = g_r + bilinear upsampling of the map

The tail ends in 3 ρ² channels at the low resolution, rearranged into ρ × ρ pixels each; the spread has its own.
"""

from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from atgvnet.network.mid import initialise
from atgvnet.network.output import DepthNetwork, NetworkOutput
from atgvnet.resample import imresize

__all__ = ["LowNetwork"]

TYPICAL_LOG_SPREAD = -4.0
LOG_SPREADS = (-11.0, 1.0)


class Residual(nn.Module):
    """x + conv(relu(conv(x)))."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(features, features, 3, padding=1)
        self.second = nn.Conv2d(features, features, 3, padding=1)

    def damp(self) -> None:
        """Start close to the identity, so that many blocks in a row do not blow the features up."""
        with torch.no_grad():
            self.second.weight.mul_(0.1)

    def forward(self, x: Tensor) -> Tensor:
        """Refine the features."""
        return x + cast(Tensor, self.second(functional.relu(self.first(x), inplace=True)))


def enlarged(layer: nn.Conv2d, x: Tensor, factor: int) -> Tensor:
    """Give `pixel_shuffle` of what the layer makes of x.

    Its outputs are put in another order first, so that whole pixels move rather than single numbers.
    """
    weight = layer.weight.unflatten(0, (-1, factor**2)).transpose(0, 1).flatten(0, 1)
    bias = cast(Tensor, layer.bias).unflatten(0, (-1, factor**2)).transpose(0, 1).flatten()
    out = functional.conv2d(x, weight, bias, padding=layer.padding)
    cells: Tensor = out.permute(0, 2, 3, 1).unflatten(3, (factor, factor, -1)).transpose(2, 3)
    return cells.flatten(3, 4).flatten(1, 2).permute(0, 3, 1, 2)


class Level(nn.Module):
    """One resolution: blocks, the coarser level if there is one, blocks again."""

    def __init__(self, widths: Sequence[int], blocks: Sequence[int]) -> None:
        super().__init__()
        width, *coarser = widths
        half = -(-blocks[0] // 2) if coarser else blocks[0]
        self.before = nn.Sequential(*(Residual(width) for _ in range(half)))
        self.after = nn.Sequential(*(Residual(width) for _ in range(blocks[0] - half)))
        self.down = nn.Conv2d(width, coarser[0], 2, stride=2) if coarser else None
        self.coarser = Level(coarser, blocks[1:]) if coarser else None
        self.up = nn.Conv2d(coarser[0], 4 * width, 1) if coarser else None

    def forward(self, x: Tensor) -> Tensor:
        """Refine the features, here and below."""
        x = cast(Tensor, self.before(x))
        if self.down is None or self.coarser is None or self.up is None:
            return x
        below = enlarged(self.up, self.coarser(self.down(x)), 2)
        return cast(Tensor, self.after(x + below))


def _spread_tail(width: int, hidden: int, outputs: int) -> nn.Module:
    """Give the layers from features to the logarithm of the spread."""
    if not hidden:
        return nn.Conv2d(width, outputs, 3, padding=1)
    first, second = nn.Conv2d(width, hidden, 3, padding=1), nn.Conv2d(hidden, hidden, 3, padding=1)
    return nn.Sequential(first, nn.ReLU(), second, nn.ReLU(), nn.Conv2d(hidden, outputs, 1))


class LowNetwork(DepthNetwork):
    """Ours.

    Parameters
    ----------
    scale
        Factor ρ.
    widths, blocks
        Features and residual blocks of each level, finest first.
    conditioned
        Whether the noise level and the mask of valid pixels are inputs too.
    spread
        Whether the network predicts the spread of its own error.
    spread_features
        Hidden features of that prediction, which is then told the conditions too; with 0 it is linear in the
        network's own.
    """

    def __init__(
        self,
        *,
        scale: int,
        widths: Sequence[int] = (32, 64, 128),
        blocks: Sequence[int] = (3, 5, 6),
        conditioned: bool = False,
        spread: bool = True,
        spread_features: int = 0,
    ) -> None:
        super().__init__()
        self.scale = scale
        self.conditioned = conditioned
        self.stride = 2 ** (len(widths) - 1)
        self.head = nn.Conv2d(3 if conditioned else 1, widths[0], 3, padding=1)
        self.body = Level(widths, blocks)
        self.tail = nn.Conv2d(widths[0], 3 * scale**2, 3, padding=1)
        self.told = 2 if conditioned and spread_features else 0
        self.spread_tail = _spread_tail(widths[0] + self.told, spread_features, scale**2) if spread else None
        self.reach = 3 + sum(2 * count * 2**level for level, count in enumerate(blocks)) + self.stride
        initialise(self, self.tail)
        if self.spread_tail is not None:
            nn.init.normal_([*self.spread_tail.parameters()][-2], std=1e-3)
        for module in self.modules():
            if isinstance(module, Residual):
                module.damp()

    def forward(
        self, low: Tensor, noise: Tensor | None = None, valid: Tensor | None = None, *, spread: bool = True
    ) -> NetworkOutput:
        """Predict g, h and the spread from a map (B, 1, h, w); where `valid` is 0 the map holds any finite fill."""
        features = self.features(low, noise, valid)
        told = self.conditions(low, noise, valid)
        return self.heads(low, features, self.spread(features, told) if spread else None)

    def features(self, low: Tensor, noise: Tensor | None = None, valid: Tensor | None = None) -> Tensor:
        """Give the last features (B, C, h, w)."""
        inputs = torch.cat([low, self.conditions(low, noise, valid)], dim=1)
        height, width = low.shape[-2:]
        padding = (0, -width % self.stride, 0, -height % self.stride)
        with torch.autocast(low.device.type, enabled=False):
            padded = functional.pad(inputs.float(), padding, mode="replicate")
            features = self.head(padded)
        lowered = torch.is_autocast_enabled(low.device.type)  # sums of both kinds would be widened
        dtype = torch.get_autocast_dtype(low.device.type) if lowered else features.dtype
        features = features.to(dtype, memory_format=torch.channels_last)
        return cast(Tensor, self.body(features).narrow(-2, 0, height).narrow(-1, 0, width))

    def heads(self, low: Tensor, features: Tensor, spread: Tensor | None = None) -> NetworkOutput:
        """Turn the features into g and h."""
        base = imresize(low, scale=self.scale, method="bilinear")
        residual, edges = enlarged(self.tail, features, self.scale).float().split([1, 2], dim=1)
        return NetworkOutput(base + residual, edges, spread)

    def spread(self, features: Tensor, told: Tensor) -> Tensor | None:
        """Predict the spread from conditions, and features that it may read but not shape."""
        if self.spread_tail is None:
            return None
        seen = torch.cat([features.detach(), told[:, : self.told]], dim=1)
        logarithm = functional.pixel_shuffle(self.spread_tail(seen).float(), self.scale)
        return torch.exp((logarithm + TYPICAL_LOG_SPREAD).clamp(*LOG_SPREADS))

    def conditions(self, low: Tensor, noise: Tensor | None, valid: Tensor | None) -> Tensor:
        """Give what the network is told beside the map (B, 0 or 2, h, w): noise and validity."""
        if not self.conditioned:
            return low[:, :0]
        noise = torch.zeros_like(low) if noise is None else noise.expand_as(low)
        valid = torch.ones_like(low) if valid is None else valid.to(low.dtype).expand_as(low)
        return torch.cat([noise * 10, valid], dim=1)
