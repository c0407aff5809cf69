"""The energy of `atgvnet.solver.unrolled`, and how far from its minimum a primal-dual pair can be.

The gap compares E(u, v) with the least value that the Lagrangian has at (p, q), p and q in the unit ball, among all
maps that differ from u, and slopes that differ from v, by R at most in every pixel: no such map has an energy that
is lower by more than the gap. As E is convex, one that is k R away could be lower by no more than k times the gap,
so that a gap of 0 means the minimum whatever R is. The bound R is needed where u or v is free, that is for v, and
for u where its weight is 0. Summed by parts, with e = T(∇u − v), the gap has no negative term and nothing cancels:

    Σ  α1 (|e| − ⟨e, p⟩) + α0 (|∇v| − ⟨∇v, q⟩) + huber(α1 div T p − λ ω (u − g)) + R |α0 div q + α1 T p|

where huber(r) = r² / (2 λ ω) as far as |r| ≤ λ ω R, then R |r| − λ ω R² / 2.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from atgvnet.solver.operators import divergence, gradient, project, vector_divergence, vector_gradient
from atgvnet.solver.tensor import apply

__all__ = ["Energy"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Energy:
    """E(u, v) = α1 ‖T(∇u − v)‖₁ + α0 ‖∇v‖₁ + λ/2 ‖√ω (u − g)‖², of maps (B, C, H, W)."""

    g: Tensor
    tensor: Tensor
    weight: Tensor
    lam: float
    alpha1: float
    alpha0: float

    def value(self, u: Tensor, v: Tensor) -> float:
        """E(u, v)."""
        misfit = _sum(self.weight * (u - self.g).square())
        bend = _sum(_length(vector_gradient(v)))
        return self.alpha1 * _sum(_length(self._excess(u, v))) + self.alpha0 * bend + self.lam / 2 * misfit

    def gap(self, u: Tensor, v: Tensor, p: Tensor, q: Tensor, reach: float) -> float:
        """Give the gap for R = `reach`, with the better of p and what brings it nearer to the condition on v."""
        coupled = project(p - apply(self.tensor, self._pull_v(p, q)) / self.alpha1)
        return min(self._gap(u, v, p, q, reach), self._gap(u, v, coupled, q, reach))

    def _gap(self, u: Tensor, v: Tensor, p: Tensor, q: Tensor, reach: float) -> float:
        excess, bend = self._excess(u, v), vector_gradient(v)
        slack_p, slack_q = _sum(_length(excess) - _dot(excess, p)), _sum(_length(bend) - _dot(bend, q))
        rate = self.lam * self.weight
        pull_u = (self.alpha1 * divergence(apply(self.tensor, p)) - rate * (u - self.g)).abs()
        far = pull_u > rate * reach
        huber = torch.where(far, reach * pull_u - rate * reach**2 / 2, pull_u.square() / (2 * rate))
        free = reach * _sum(_length(self._pull_v(p, q)))
        return self.alpha1 * slack_p + self.alpha0 * slack_q + _sum(huber.nan_to_num(0.0)) + free

    def _excess(self, u: Tensor, v: Tensor) -> Tensor:
        return apply(self.tensor, gradient(u) - v)

    def _pull_v(self, p: Tensor, q: Tensor) -> Tensor:
        return self.alpha0 * vector_divergence(q) + self.alpha1 * apply(self.tensor, p)


def _sum(x: Tensor) -> float:
    return x.sum(dtype=torch.float64).item()


def _dot(x: Tensor, y: Tensor) -> Tensor:
    return (x * y).sum(dim=1, keepdim=True)


def _length(x: Tensor) -> Tensor:
    return _dot(x, x).sqrt()
