"""The diffusion tensor T(h) = exp(−β|h|^γ) n nᵀ + n⊥ n⊥ᵀ with n = h / |h|.

It smooths along the discontinuities that h predicts and little across them. Written as 1 + f(|h|²) h hᵀ with
f(s) = (exp(−β s^(γ/2)) − 1) / s, it needs no normal vector and is the identity where h = 0. For γ < 1 the slope of
|h|^γ has no bound near 0, so f is held constant below |h| = `FLOOR`: there T is a parabola of h, with slope 0 at 0.
"""

import torch
from torch import Tensor

__all__ = ["FLOOR", "apply", "diffusion_tensor"]

FLOOR = 1e-6


def diffusion_tensor(h: Tensor, beta: Tensor | float, gamma: Tensor | float) -> Tensor:
    """T of h (B, 2, H, W): its entries xx, xy, yy as (B, 3, H, W)."""
    x, y = h[:, :1], h[:, 1:]
    squared = (x * x + y * y).clamp_min(FLOOR**2)
    factor = torch.expm1(-beta * squared ** (gamma / 2)) / squared
    return torch.cat([1 + factor * x * x, factor * x * y, 1 + factor * y * y], dim=1)


def apply(tensor: Tensor, p: Tensor) -> Tensor:
    """T p for every pixel: (B, 3, H, W) and (B, 2, H, W) -> (B, 2, H, W)."""
    xx, xy, yy = tensor.chunk(3, dim=1)
    x, y = p.chunk(2, dim=1)
    return torch.cat([xx * x + xy * y, xy * x + yy * y], dim=1)
