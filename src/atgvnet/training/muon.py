"""Muon (K. Jordan, 2024): steepest descent of matrices under the spectral norm.

The momentum M of a hidden layer's weights, as a matrix, is replaced by the nearest semi-orthogonal one: with its
singular value decomposition M = U S Vᵀ the step is U Vᵀ, so that rare directions learn as fast as the dominant ones.
A few steps of Newton and Schulz's iteration find it by products alone. Scaled by 0.2 √max(rows, columns), its entries
are as large as AdamW's, whose rates then serve here too (J. Liu et al., 2025).
"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

__all__ = ["Muon", "orthogonalise"]

MOMENTUM = 0.95
# Polynomials that lift every singular value in 0.01…1 to about 1 in five steps.
QUINTIC, TIMES = (3.4445, -4.7750, 2.0315), 5


def orthogonalise(matrix: Tensor) -> Tensor:
    """Bring all singular values of a matrix that are not tiny to 1, within a quarter."""
    a, b, c = QUINTIC
    wide = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T
    x = wide / (wide.norm() + 1e-12)
    for _ in range(TIMES):
        square = x @ x.T
        x = a * x + (b * square + c * square @ square) @ x
    return x if wide is matrix else x.T


class Muon(torch.optim.AdamW):
    """AdamW whose groups with ``orthogonal=True`` take Muon's steps instead."""

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> Any:
        """Step; AdamW passes over what has no gradient left."""
        for group in self.param_groups:
            if group.get("orthogonal", False):
                for parameter in group["params"]:
                    if parameter.grad is not None:
                        self._descend(parameter, group["lr"])
                        parameter.grad = None
        return super().step(closure)  # type: ignore[arg-type]

    def _descend(self, parameter: Tensor, rate: float) -> None:
        gradient, state = parameter.grad, self.state[parameter]
        assert gradient is not None  # noqa: S101
        if not state:
            state["step"] = torch.zeros(())
            state["momentum_buffer"] = torch.zeros_like(gradient)
        momentum = state["momentum_buffer"].lerp_(gradient, 1 - MOMENTUM)
        update = orthogonalise(gradient.lerp(momentum, MOMENTUM).flatten(1))
        size = 0.2 * math.sqrt(max(update.shape))
        parameter.add_(update.reshape(parameter.shape), alpha=-rate * size)
