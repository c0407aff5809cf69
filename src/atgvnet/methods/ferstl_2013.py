"""`ferstl-2013`: total generalised variation that the guide's edges steer.

D. Ferstl, C. Reinbacher, R. Ranftl, M. Rüther, H. Bischof: Image Guided Depth Upsampling using Anisotropic Total
Generalized Variation. ICCV 2013.

The problem: depths u on the guide's grid, made of slanted planes that may break where the guide has an edge, and only
there along it:

    minimise over u, v   α₁ Σ |T (∇u - v)|  +  α₀ Σ |∇v|  +  λ/2 Σ_l ω_l (u_l - z_l)²,
    T = exp(-β |∇I|^γ) n nᵀ + n⊥ n⊥ᵀ,    n = ∇I / |∇I|,

with the measurements z, scaled to 0…1, on the target's pixels that they fall on, and I the guide's lightness (0…1),
its gradient summed over 2×2 pixels after a slight blur. It is run to convergence by `atgvnet.solver.minimise`.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from atgvnet.errors import InputError
from atgvnet.methods._guide import guide_of, measured, nothing_known
from atgvnet.methods._least_squares import Samples
from atgvnet.methods.problem import Estimate, Problem
from atgvnet.prepare import Range
from atgvnet.resample import resize_and_fill
from atgvnet.solver import minimise
from atgvnet.solver.tensor import diffusion_tensor

__all__ = ["Ferstl2013", "slopes"]

Floats = NDArray[np.float32]
_LIGHTNESS = np.array([0.2989, 0.587, 0.114], np.float32)


@dataclass(frozen=True, kw_only=True)
class Ferstl2013:
    """α₁, α₀, λ, β and γ are `smoothness`, `straightness`, `fidelity`, `steepness` and `exponent`.

    All are those of the authors' example, but that it sets β = 9 and γ = 0.85 and their function never reads them: it
    computes with 10 and 0.75. For exact measurements α₁ and α₀ are multiplied by `exact_share`, as there.
    """

    guided: ClassVar[bool] = True
    source: ClassVar[str] = "Ferstl et al., Image Guided Depth Upsampling using Anisotropic TGV, 2013"
    plane_tolerance: ClassVar[float] = 0.5

    smoothness: float = 1.2
    straightness: float = 17.0
    fidelity: float = 40.0
    steepness: float = 10.0
    exponent: float = 0.75
    exact_share: float = 1 / 600
    tolerance: float = 1e-3
    iterations: int = 1000

    def __post_init__(self) -> None:
        strengths = self.smoothness, self.straightness, self.fidelity, self.steepness, self.exponent, self.exact_share
        if not min(strengths) > 0 or not self.tolerance >= 0 or self.iterations < 1:
            raise InputError(f"{self}: give tolerance ≥ 0, iterations ≥ 1, and all others above 0")

    def __call__(self, problem: Problem, /) -> Estimate:
        """Upscale."""
        guide = guide_of(problem, "ferstl-2013")
        valid = problem.valid
        if not valid.any():
            return nothing_known(problem)
        spread = _range(problem.values[valid])
        start = resize_and_fill(problem.values, problem.size, "bilinear")
        values, weight = placed(problem, start)
        share = 1.0 if np.median(problem.sigma[valid]) > 0 else self.exact_share
        found = minimise(
            spread.apply(values),
            self._tensor(guide),
            weight,
            lam=self.fidelity,
            alpha1=share * self.smoothness,
            alpha0=share * self.straightness,
            tolerance=self.tolerance,
            iterations=self.iterations,
            progress=problem.progress,
        )
        return Estimate(values=spread.undo(found.u))

    def _tensor(self, guide: Floats) -> Floats:
        """T as (3, H, W)."""
        steps = torch.from_numpy(slopes(guide @ _LIGHTNESS))[None]
        return np.asarray(diffusion_tensor(steps, self.steepness, self.exponent)[0])


def _range(known: Floats) -> Range:
    """From the least to the largest value, as published; never empty."""
    low, high = float(known.min()), float(known.max())
    return Range(low=low, high=high if high > low else low + max(1.0, abs(low)))


def placed(problem: Problem, start: Floats) -> tuple[Floats, Floats]:
    """Put each measurement on the pixel that its position is nearest to; the start elsewhere, with the weight 0."""
    samples = Samples.of_map(problem.values, measured(problem), problem.size)
    at = tuple(np.floor(samples.position + 0.5).astype(np.intp).clip(max=np.array(problem.size) - 1).T)
    weight, weighted = np.zeros(problem.size), np.zeros(problem.size)
    np.add.at(weight, at, samples.weight)
    np.add.at(weighted, at, samples.weight * samples.value)
    values = np.where(weight > 0, weighted / np.where(weight > 0, weight, 1), start)
    return values.astype(np.float32), weight.astype(np.float32)


def slopes(light: Floats) -> Floats:
    """Gradient of a picture (x, y): differences summed over squares of 2×2 pixels."""
    calm = np.pad(gaussian_filter(light, 0.5, radius=1, mode="nearest"), ((0, 1), (0, 1)), mode="edge")
    across, down = np.diff(calm, axis=1), np.diff(calm, axis=0)
    return np.stack([across[:-1] + across[1:], down[:, :-1] + down[:, 1:]])
