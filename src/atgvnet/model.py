"""`ATGVNet`: a network that predicts g and h, and the variational part that turns them into u.

    g, h = network(s)                                            (Sec. 3.2)
    u ≈ argmin_u R(u, h) + e^{w_λ}/2 ‖u − g‖²                    (Eq. LL), by a fixed number of primal-dual steps

Without a solver the model's result is g itself ("CNN only").
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from atgvnet.network import DepthNetwork, NetworkOutput
from atgvnet.solver import Solver

__all__ = ["ATGVNet", "ModelOutput", "channels_last"]


class ModelOutput(NamedTuple):
    """The result u (B, 1, H, W) and what the network said."""

    u: Tensor
    network: NetworkOutput


class ATGVNet(nn.Module):
    """Network and solver."""

    def __init__(self, network: DepthNetwork, solver: Solver | None) -> None:
        super().__init__()
        self.network = network
        self.solver = solver

    def forward(
        self,
        low: Tensor,
        noise: Tensor | None = None,
        valid: Tensor | None = None,
        weight: Tensor | None = None,
        *,
        solve: bool = True,
        spread: bool = True,
    ) -> ModelOutput:
        """Upscale maps (B, 1, h, w) in the network's range; `weight` is the data term's, at the high resolution."""
        out: NetworkOutput = self.network(low, noise, valid, spread=spread)
        if self.solver is None or not solve:
            return ModelOutput(out.estimate, out)
        return ModelOutput(self.solver(out.estimate, out.edges, weight), out)

    @classmethod
    def from_pretrained(cls, model: str, *, benchmark: str | None = None, scale: int = 4) -> "ATGVNet":
        """Load shipped weights by name, or anybody's from a folder or file."""
        from atgvnet.weights import load

        return load(model, benchmark=benchmark, scale=scale).model

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.parameters()).device


def channels_last(model: ATGVNet) -> ATGVNet:
    """Lay the convolutions' weights out as the fast kernels want them."""
    for parameter in model.parameters():
        if parameter.ndim == 4:
            parameter.data = parameter.data.contiguous(memory_format=torch.channels_last)
    return model
