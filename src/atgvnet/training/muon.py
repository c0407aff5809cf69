"""Muon (K. Jordan, 2024): steepest descent of matrices under the spectral norm.

The momentum M of a hidden layer's weights, as a matrix, is replaced by the nearest semi-orthogonal one: with its
singular value decomposition M = U S Vᵀ the step is U Vᵀ, so that rare directions learn as fast as the dominant ones.
A few steps of Newton and Schulz's iteration find it by products alone. Scaled by 0.2 √max(rows, columns), its entries
are as large as AdamW's, whose rates then serve here too (J. Liu et al., 2025).
"""

import math
from collections.abc import Callable
from itertools import groupby
from typing import Any, cast

import torch
from torch import Tensor

__all__ = ["Muon", "orthogonalise"]

MOMENTUM = 0.95
# Polynomials that lift every singular value in 0.01…1 to about 1 in five steps.
QUINTIC, TIMES = (3.4445, -4.7750, 2.0315), 5


def orthogonalise(matrices: Tensor) -> Tensor:
    """Bring all singular values that are not tiny of a stack of matrices (N, rows, columns) to 1, within a third.

    Every step multiplies x by a polynomial of x xᵀ, so it is enough to follow the product of the polynomials and
    x xᵀ itself, which are small where x is wide.
    """
    a, b, c = QUINTIC
    tall = matrices.shape[1] > matrices.shape[2]
    x = matrices.mT if tall else matrices
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-12)
    square, product = x @ x.mT, torch.eye(x.shape[1], dtype=x.dtype, device=x.device).expand(len(x), -1, -1)
    for _ in range(TIMES):
        factor = torch.baddbmm(b * square, square, square, alpha=c)
        factor.diagonal(dim1=1, dim2=2).add_(a)
        product = factor @ product
        square = factor @ square @ factor
    result: Tensor = product @ x
    return result.mT if tall else result


class Muon(torch.optim.AdamW):
    """AdamW whose groups with ``orthogonal=True`` take Muon's steps instead."""

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> Any:
        """Step; AdamW passes over what has no gradient left."""
        for group in self.param_groups:
            if group.get("orthogonal", False):
                given = [parameter for parameter in group["params"] if parameter.grad is not None]
                for _, alike in groupby(sorted(given, key=_shape), key=_shape):
                    self._descend(list(alike), group["lr"])
        return super().step(closure)

    def _descend(self, parameters: list[Tensor], rate: float) -> None:
        """Step along parameters of one shape."""
        updates = orthogonalise(torch.stack([self._momentum(parameter) for parameter in parameters]))
        size = 0.2 * math.sqrt(max(updates.shape[1:]))
        for parameter, update in zip(parameters, updates, strict=True):
            parameter.add_(update.reshape(parameter.shape), alpha=-rate * size)
            parameter.grad = None

    def _momentum(self, parameter: Tensor) -> Tensor:
        """Give Nesterov's momentum of the gradient as a matrix."""
        gradient, state = cast(Tensor, parameter.grad), self.state[parameter]
        if not state:
            state["step"] = torch.zeros(())
            state["momentum_buffer"] = torch.zeros_like(gradient)
        momentum = state["momentum_buffer"].lerp_(gradient, 1 - MOMENTUM)
        return gradient.lerp(momentum, MOMENTUM).flatten(1)


def _shape(parameter: Tensor) -> tuple[int, ...]:
    return tuple(parameter.shape)
