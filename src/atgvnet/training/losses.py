"""The loss of all stages: squared error of the result and of h, and the likelihood of the predicted spread."""

import torch
from torch import Tensor

from atgvnet.model import ModelOutput
from atgvnet.solver.operators import gradient
from atgvnet.training.recipes import Stage

__all__ = ["loss"]


def loss(out: ModelOutput, truth: Tensor, stage: Stage) -> Tensor:
    """L = ‖u − t‖² + edges ‖h − ∇t‖² + spread · (−log likelihood of |u − t| under Laplace's law).

    The likelihood sees the error as a constant, so that it teaches the spread and leaves the estimate alone.
    """
    error = out.u - truth
    total = error.square().mean()
    if stage.edges:
        total = total + stage.edges * (out.network.edges - gradient(truth)).square().sum(dim=1).mean()
    if stage.spread and out.network.spread is not None:
        width = out.network.spread
        total = total + stage.spread * (error.detach().abs() / width + torch.log(width)).mean()
    return total
