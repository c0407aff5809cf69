"""Total variation on the input, then bicubic: the simplest variational denoiser, with the noise level as its measure.

The problem, over the input's pixels with values f and noise σ,

    min over u of  Σ w (u - f)² / (2 σ²)  +  κ Σ |∇u|_ε / σ,

where w is the confidence (0 where missing, so that holes are filled) and |·|_ε is Huber's norm: quadratic up to ε σ,
so that slopes do not turn into stairs. Both terms are free of units: κ and ε hold for any sensor. They were chosen on
synthetic scenes (`atgvnet.scenes`) with the noise of the paper.

The iteration (Chambolle and Pock, JMIV 2011), for step sizes with s t ≤ 1/8,

    p <- prox(p + s ∇ū),    u⁺ <- prox(u + t div p),    ū <- 2 u⁺ - u.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from atgvnet.errors import InputError
from atgvnet.methods.problem import Estimate, Problem
from atgvnet.resample import fill, imresize, resize_and_fill

__all__ = ["TotalVariation", "denoise", "minimise"]

Floats = NDArray[np.float32]
_STEP = 0.35  # s = t; its square is below 1/8


@dataclass(frozen=True, kw_only=True)
class TotalVariation:
    """Huber-TV denoising.

    Parameters
    ----------
    strength
        κ: how much the variation counts.
    slope
        ε: up to how many σ per pixel a slope costs little.
    iterations
        Steps of the iteration.
    """

    strength: float = 1.2
    slope: float = 0.1
    iterations: int = 200

    guided: ClassVar[bool] = False
    source: ClassVar[str] = "Rudin, Osher and Fatemi, Physica D 1992; Chambolle and Pock, JMIV 2011"
    plane_tolerance: ClassVar[float] = 0.1

    def __post_init__(self) -> None:
        if not self.strength >= 0 or not self.slope >= 0 or self.iterations < 1:
            raise InputError(f"{self}: give strength ≥ 0, slope ≥ 0, iterations ≥ 1")

    def __call__(self, problem: Problem, /) -> Estimate:
        """Denoise where there is noise, then resize."""
        if not (problem.valid & (problem.sigma > 0)).any():
            return Estimate(values=resize_and_fill(problem.values, problem.size))
        return Estimate(values=imresize(denoise(problem, self), size=problem.size))


def denoise(problem: Problem, parameters: TotalVariation) -> Floats:
    """Denoise and fill on the input's grid."""
    noisy = problem.valid & (problem.sigma > 0)
    unit, offset = problem.sigma[noisy].max(), np.median(problem.values[problem.valid])
    level = np.where(noisy, problem.sigma / unit, 1).astype(np.float32)
    trust = np.where(problem.valid, problem.weight, 0) / np.where(problem.sigma > 0, level, 1e-3) ** 2
    target = (fill(problem.values) - offset) / unit
    u = minimise(target, trust.astype(np.float32), level, parameters, problem)
    return np.asarray(offset + unit * u, dtype=np.float32)


def minimise(target: Floats, trust: Floats, level: Floats, parameters: TotalVariation, problem: Problem) -> Floats:
    """Minimise Σ trust (u - target)² / 2 + κ Σ |∇u|_ε / level."""
    u, mean, dual = target.copy(), target.copy(), np.zeros((2, *target.shape), np.float32)
    bound = (parameters.strength / level).astype(np.float32)
    # The conjugate of Huber's norm: ε level |p|² / (2 bound) within |p| ≤ bound.
    curve = (parameters.slope * level / np.maximum(bound, 1e-20)).astype(np.float32)
    rounds = 20
    for done in range(0, parameters.iterations, rounds):
        for _ in range(min(rounds, parameters.iterations - done)):
            _ascend(mean, bound, curve, dual)
            _descend(dual, target, trust, u, mean)
        problem.progress(min(1.0, (done + rounds) / parameters.iterations))
    return u


@njit(cache=True, nogil=True)
def _ascend(mean: Floats, bound: Floats, curve: Floats, dual: Floats) -> None:
    height, width = mean.shape
    for y in range(height):
        below = min(y + 1, height - 1)
        for x in range(width):
            shrink = 1 + _STEP * curve[y, x]
            px = (dual[0, y, x] + _STEP * (mean[y, min(x + 1, width - 1)] - mean[y, x])) / shrink
            py = (dual[1, y, x] + _STEP * (mean[below, x] - mean[y, x])) / shrink
            length = np.sqrt(px * px + py * py)
            share = bound[y, x] / length if length > bound[y, x] else 1.0
            dual[0, y, x], dual[1, y, x] = share * px, share * py


@njit(cache=True, nogil=True)
def _descend(dual: Floats, target: Floats, trust: Floats, u: Floats, mean: Floats) -> None:
    height, width = u.shape
    for y in range(height):
        for x in range(width):
            divergence = dual[0, y, x] + dual[1, y, x]
            if x > 0:
                divergence -= dual[0, y, x - 1]
            if y > 0:
                divergence -= dual[1, y - 1, x]
            old, weight = u[y, x], _STEP * trust[y, x]
            u[y, x] = (old + _STEP * divergence + weight * target[y, x]) / (1 + weight)
            mean[y, x] = 2 * u[y, x] - old
