"""What every network is, and what it gives: g, h and, where it was trained to, the spread of its error."""

import copy
from typing import NamedTuple

import torch
from torch import nn

__all__ = ["DepthNetwork", "NetworkOutput"]


class NetworkOutput(NamedTuple):
    """Tensors (B, C, H, W) at the high resolution, float32, in the network's range.

    `estimate` is g, C = 1; `edges` is h, an estimate of the truth's gradient, C = 2 ordered x, y; `spread` the
    standard deviation that the network expects of its own error, C = 1.
    """

    estimate: torch.Tensor
    edges: torch.Tensor
    spread: torch.Tensor | None = None


class DepthNetwork(nn.Module):
    """What tiles and upscaling need to know of a network.

    `scale` is its factor; its inner grids repeat every `stride` input pixels; an output pixel depends on no input
    pixel farther than `reach` from the one that it lies in.
    """

    scale: int
    stride: int
    reach: int

    def lowered(self, dtype: torch.dtype) -> "DepthNetwork":
        """Copy the network, the weights that autocast would convert at every call converted once; the head's stay."""
        copied = copy.deepcopy(self)
        for name, module in copied.named_modules():
            if isinstance(module, nn.Conv2d) and name != "head":
                module.to(dtype)
        return copied
