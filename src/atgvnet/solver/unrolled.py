"""The variational half of ATGV-Net: a fixed number of primal-dual steps that lower the paper's energy.

    E(u, v) = α1 ‖T(h)(∇u − v)‖₁ + α0 ‖∇v‖₁ + λ/2 ‖√ω (u − g)‖²

g is the network's estimate, h its discontinuities, ω ≥ 0 a weight of the data per pixel (0: missing). Chambolle
and Pock's iteration starts from u = g and v = p = q = 0; with equation numbers of the paper's section 3.1:

    p ← proj(p + σp α1 T(∇ū − v̄))                              dual of the first term      (6)
    q ← proj(q + σq α0 ∇v̄)                                     dual of the second          (7)
    u ← (u + τu (α1 div T p + λ ω g)) / (1 + τu λ ω)           the map                     (8)
    v ← v + τv (α0 div q + α1 T p)                             its slope                   (9)
    ū, v̄ ← (1 + θ)(u, v) − θ (previous u, v)                   over-relaxation             (10, 11)

It converges for θ = 1 and steps that satisfy Pock and Chambolle's condition, which the starting values do: as no
eigenvalue of T exceeds 1, σp α1 = 1/3, σq α0 = 1/2, τu = 1/(4 α1) and τv = 1/(α1 + 4 α0) are enough. Every iteration
has its own parameters; β, γ and the scale of h, which make T, are shared by all, as T is computed once. The values
start where a map scaled to 0…1 needs them.

| symbol | shape | meaning | | symbol | meaning |
|---|---|---|---|---|---|
| u, g, ω | (B, 1, H, W) | map, estimate, weight of the data | | λ, α1, α0 | weights of the three terms |
| v, h | (B, 2, H, W) | slope, discontinuities | | β, γ | magnitude and sharpness of T |
| p, q | (B, 2 and 4, H, W) | dual variables, in the unit ball | | σp, σq, τu, τv | steps |
| T | (B, 3, H, W) | symmetric diffusion tensor | | θ | over-relaxation, 0…1 |
"""

import math
from typing import Generic, NamedTuple, TypeVar

import torch
from torch import Tensor, nn

from atgvnet.errors import InputError
from atgvnet.solver.operators import divergence, gradient, project, vector_divergence, vector_gradient
from atgvnet.solver.tensor import apply, diffusion_tensor

__all__ = ["Solver", "Step", "iterate"]

Number = TypeVar("Number")
MOST_FUSED = 96


class Step(NamedTuple, Generic[Number]):
    """The products of parameters that one iteration uses; each a number, or one value per iteration."""

    dual_p: Number
    """σp α1"""
    dual_q: Number
    """σq α0"""
    smooth_u: Number
    """τu α1"""
    data_u: Number
    """τu λ"""
    smooth_v: Number
    """τv α0"""
    couple_v: Number
    """τv α1"""
    theta: Number
    """θ"""


def iterate(g: Tensor, T: Tensor, weight: Tensor, steps: Tensor) -> Tensor:
    """Run the iteration in plain PyTorch; `steps` holds one `Step` per row."""
    u = u_bar = g
    v = v_bar = p = torch.zeros_like(T[:, :2])
    q = vector_gradient(v)
    for row in steps:
        step = Step(*row)
        p = project(p + step.dual_p * apply(T, gradient(u_bar) - v_bar))
        q = project(q + step.dual_q * vector_gradient(v_bar))
        Tp, u_old, v_old, data = apply(T, p), u, v, step.data_u * weight
        u = (u + step.smooth_u * divergence(Tp) + data * g) / (1 + data)
        v = v + step.smooth_v * vector_divergence(q) + step.couple_v * Tp
        u_bar = u + step.theta * (u - u_old)
        v_bar = v + step.theta * (v - v_old)
    return u


class Solver(nn.Module):
    """`iterations` steps on the energy, every parameter learnable and stored as its logarithm.

    Parameters
    ----------
    iterations
        How many steps are unrolled.
    lam, alpha1, alpha0, beta, gamma, scale
        Starting values of λ, α1 (on T(∇u − v)), α0 (on ∇v), β, γ and the factor on h, for maps scaled to 0…1.
    fused
        Use the compiled kernels of `atgvnet.solver.fused` where they can run: on the CPU, outside of tracing, for
        `MOST_FUSED` iterations at most, as their tiles overlap by twice as many pixels.
    """

    def __init__(
        self,
        iterations: int = 10,
        *,
        lam: float = 2.55,
        alpha1: float = 1.2,
        alpha0: float = 17.0,
        beta: float = 9.0,
        gamma: float = 0.85,
        scale: float = 2.55,
        fused: bool = True,
    ) -> None:
        super().__init__()
        self.fused = fused
        if iterations < 1:
            raise InputError(f"solver: iterations is {iterations}; give at least 1")

        def log(value: float, count: int | None = iterations) -> nn.Parameter:
            return nn.Parameter(torch.full(() if count is None else (count,), math.log(value)))

        self.log_lambda, self.log_alpha1, self.log_alpha0 = log(lam), log(alpha1), log(alpha0)
        self.log_sigma_p, self.log_sigma_q = log(1 / (3 * alpha1)), log(1 / (2 * alpha0))
        self.log_tau_u, self.log_tau_v = log(1 / (4 * alpha1)), log(1 / (alpha1 + 4 * alpha0))
        self.log_theta = log(1.0)
        self.log_beta, self.log_gamma, self.log_scale = log(beta, None), log(gamma, None), log(scale, None)

    @property
    def iterations(self) -> int:
        """How many steps are unrolled."""
        return len(self.log_lambda)

    def steps(self) -> Tensor:
        """One `Step` per iteration: (iterations, 7).

        θ is held at most 1, but the gradient passes that bound: it starts there and must be able to leave.
        """
        alpha1, alpha0 = self.log_alpha1, self.log_alpha0
        step = Step(
            dual_p=self.log_sigma_p + alpha1,
            dual_q=self.log_sigma_q + alpha0,
            smooth_u=self.log_tau_u + alpha1,
            data_u=self.log_tau_u + self.log_lambda,
            smooth_v=self.log_tau_v + alpha0,
            couple_v=self.log_tau_v + alpha1,
            theta=self.log_theta - self.log_theta.clamp_min(0).detach(),
        )
        return torch.stack(step, dim=1).exp()

    def forward(self, g: Tensor, h: Tensor, weight: Tensor | None = None) -> Tensor:
        """Refine the estimate g (B, 1, H, W) along the discontinuities h (B, 2, H, W).

        `weight` (B, 1, H, W) multiplies λ per pixel; where it is 0, g is only the starting value.
        """
        _check(g, h, weight)
        dtype = torch.promote_types(g.dtype, torch.float32)
        with torch.autocast(g.device.type, enabled=False):
            g, h, steps = g.to(dtype), h.to(dtype), self.steps().to(dtype)
            weight = torch.ones_like(g) if weight is None else weight.to(dtype)
            form = torch.stack([self.log_scale, self.log_beta, self.log_gamma]).exp().to(dtype)
            if self.fused and self.iterations <= MOST_FUSED and _fusable(g):
                from atgvnet.solver.fused import unrolled

                return unrolled(g, h, weight, steps, form)
            scale, beta, gamma = form
            return iterate(g, diffusion_tensor(h * scale, beta, gamma), weight, steps)


def _fusable(g: Tensor) -> bool:
    tracing = torch.compiler.is_compiling() or torch.onnx.is_in_onnx_export()
    return g.device.type == "cpu" and g.dtype in {torch.float32, torch.float64} and not tracing


def _check(g: Tensor, h: Tensor, weight: Tensor | None) -> None:
    wanted = (len(g), 2, *g.shape[2:])
    if g.ndim != 4 or g.shape[1] != 1 or g.numel() == 0:
        raise InputError(f"solver: g is {tuple(g.shape)}; give (B, 1, H, W), none of them 0")
    if h.shape != wanted:
        raise InputError(f"solver: h is {tuple(h.shape)} where g is {tuple(g.shape)}; give {wanted}")
    if weight is not None and weight.shape != g.shape:
        raise InputError(f"solver: weight is {tuple(weight.shape)} where g is {tuple(g.shape)}; give the same")
