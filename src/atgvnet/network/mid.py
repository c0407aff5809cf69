"""The paper's network: ten 3×3 convolutions on the interpolated, mid-resolution map.

    s = bilinear upsampling of the low-resolution map            (Sec. 3)
    (g_r, h) = ten layers of s, 64 features each, ReLU between   (Sec. 3.2)
    g = g_r + s

g and h share all but the last layer: its three outputs are g_r, h_x and h_y. 297,795 parameters; every output
sees 21 × 21 pixels of s.
"""

from itertools import pairwise

import torch
from torch import Tensor, nn

from atgvnet.network.output import DepthNetwork, NetworkOutput
from atgvnet.resample import imresize

__all__ = ["MidNetwork", "initialise"]


class MidNetwork(DepthNetwork):
    """The paper's network. With ``scale=1`` the input is the mid-resolution map itself, as ToFMark needs it.

    >>> sum(weight.numel() for weight in MidNetwork(scale=4).parameters())
    297795
    """

    def __init__(self, *, scale: int, layers: int = 10, features: int = 64, batch_norm: bool = False) -> None:
        super().__init__()
        self.scale, self.stride, self.reach = scale, 1, -(-layers // scale) + 1
        widths = [1] + [features] * (layers - 1)
        body: list[nn.Module] = []
        for before, after in pairwise(widths):
            body += [nn.Conv2d(before, after, 3, padding=1), nn.ReLU(inplace=True)]
            body += [nn.BatchNorm2d(after)] if batch_norm else []
        self.head = body.pop(0)
        self.body = nn.Sequential(*body)
        self.tail = nn.Conv2d(features, 3, 3, padding=1)
        initialise(self, self.tail)

    def forward(
        self, low: Tensor, noise: Tensor | None = None, valid: Tensor | None = None, *, spread: bool = True
    ) -> NetworkOutput:
        """Predict g and h from a map (B, 1, h, w); the paper knows neither noise levels nor missing pixels."""
        del noise, valid, spread
        mid = low if self.scale == 1 else imresize(low, scale=self.scale, method="bilinear")
        with torch.autocast(low.device.type, enabled=False):
            features = self.head(mid.float()).contiguous(memory_format=torch.channels_last)
        residual, h_x, h_y = self.tail(self.body(features)).float().split(1, dim=1)
        return NetworkOutput(mid + residual, torch.cat([h_x, h_y], dim=1))


def initialise(network: nn.Module, last: nn.Conv2d) -> None:
    """Kaiming's initialisation, with a near-zero last layer: training starts at the interpolated map."""
    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
            nn.init.zeros_(module.bias) if module.bias is not None else None
    nn.init.normal_(last.weight, std=1e-3)
