"""Discrete derivatives on a pixel grid, exactly adjoint in pairs, and the projection of the dual variables.

`gradient` takes forward differences with Neumann boundaries (zero across the last column and row); `divergence`,
the paper's ∇ᵀ, is minus its adjoint (Dirichlet boundaries), so that ⟨∇u, p⟩ = −⟨u, div p⟩ holds to rounding.
Channels of v and p are ordered x, y; those of q are ∂x vx, ∂y vx, ∂x vy, ∂y vy.
"""

import torch
from torch import Tensor
from torch.nn.functional import pad

__all__ = ["divergence", "gradient", "project", "vector_divergence", "vector_gradient"]


def gradient(u: Tensor) -> Tensor:
    """∇u: (B, 1, H, W) -> (B, 2, H, W)."""
    along_x = pad(u[..., :, 1:] - u[..., :, :-1], (0, 1, 0, 0))
    along_y = pad(u[..., 1:, :] - u[..., :-1, :], (0, 0, 0, 1))
    return torch.cat([along_x, along_y], dim=1)


def divergence(p: Tensor) -> Tensor:
    """∇ᵀp, minus the adjoint of `gradient`: (B, 2, H, W) -> (B, 1, H, W)."""
    px, py = pad(p[:, :1, :, :-1], (1, 1, 0, 0)), pad(p[:, 1:, :-1, :], (0, 0, 1, 1))
    return px[..., :, 1:] - px[..., :, :-1] + py[..., 1:, :] - py[..., :-1, :]


def vector_gradient(v: Tensor) -> Tensor:
    """∇v: (B, 2, H, W) -> (B, 4, H, W)."""
    return torch.cat([gradient(v[:, :1]), gradient(v[:, 1:])], dim=1)


def vector_divergence(q: Tensor) -> Tensor:
    """∇ᵀq, minus the adjoint of `vector_gradient`: (B, 4, H, W) -> (B, 2, H, W)."""
    return torch.cat([divergence(q[:, :2]), divergence(q[:, 2:])], dim=1)


def project(p: Tensor) -> Tensor:
    """Nearest point of the unit ball, pixel by pixel: p / max(1, |p|)."""
    return p * p.square().sum(dim=1, keepdim=True).clamp_min(1).rsqrt()
