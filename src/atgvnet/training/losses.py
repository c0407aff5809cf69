"""The loss of all stages: squared error of the result and of h, and the likelihood of the predicted spread."""

import torch
from torch import Tensor

from atgvnet.model import ModelOutput
from atgvnet.solver.operators import gradient
from atgvnet.training.recipes import Stage

__all__ = ["loss"]

TYPICAL_ERROR, LEAST_ERROR = 0.03, 0.003


def loss(out: ModelOutput, truth: Tensor, stage: Stage) -> Tensor:
    """L = ‖u − t‖² + edges ‖h − ∇t‖² + spread · (−log likelihood of |u − t| under Laplace's law).

    The likelihood sees the error as a constant, so that it teaches the spread and leaves the estimate alone.
    """
    error = out.u - truth
    weight = _balance(error) if stage.balanced else error.new_ones(1)
    total = (weight * error.square()).mean()
    if stage.edges:
        misses = (out.network.edges - gradient(truth)).square().sum(dim=1, keepdim=True)
        total = total + stage.edges * (weight * misses).mean()
    if stage.spread and out.network.spread is not None:
        width = out.network.spread
        total = total + stage.spread * (error.detach().abs() / width + torch.log(width)).mean()
    return total


def _balance(error: Tensor) -> Tensor:
    """Weigh each patch by the inverse of its error: hopeless ones, all holes, must not drown the clean ones."""
    level = error.detach().square().mean(dim=(1, 2, 3), keepdim=True).sqrt() + LEAST_ERROR
    return TYPICAL_ERROR / level
