"""Total generalized variation on the input, then bicubic: as `tv`, but slanted surfaces stay slanted, not stairs.

The problem, over the input's pixels with values f and noise σ, is to find u and its slope v with the least

    Σ w (u - f)² / (2 σ²)  +  κ1 Σ |∇u - v| / σ  +  κ0 Σ |∇v| / s,

where w is the confidence (0 where missing, so that holes are filled by planes) and s the median of σ. All terms are
free of units: κ1 and κ0 hold for any sensor. They were chosen on synthetic scenes (`atgvnet.scenes`) with the noise
of the paper. `atgvnet.solver.minimise` runs until the primal-dual gap is small.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from atgvnet.errors import InputError
from atgvnet.methods.problem import Estimate, Problem
from atgvnet.resample import fill, imresize, resize_and_fill

__all__ = ["TotalGeneralizedVariation", "denoise"]

Floats = NDArray[np.float32]
EXACT = 1e-3
LEAST_LEVEL = 0.1


@dataclass(frozen=True, kw_only=True)
class TotalGeneralizedVariation:
    """TGV of second order, minimised to convergence.

    Parameters
    ----------
    strength, bend
        κ1 and κ0: how much it counts that the slope differs from v, and that v changes.
    tolerance, iterations
        The relative gap to stop at, and the most iterations to do.
    """

    strength: float = 0.8
    bend: float = 2.4
    tolerance: float = 1e-3
    iterations: int = 2000

    guided: ClassVar[bool] = False
    source: ClassVar[str] = "Bredies, Kunisch and Pock, SIAM J. Imaging Sciences 2010; weights by atgvnet"
    plane_tolerance: ClassVar[float] = 0.05

    def __post_init__(self) -> None:
        if not (self.strength > 0 and self.bend > 0 and self.tolerance >= 0 and self.iterations >= 1):
            raise InputError(f"{self}: give strength > 0, bend > 0, tolerance ≥ 0, iterations ≥ 1")

    def __call__(self, problem: Problem, /) -> Estimate:
        """Denoise and fill where there is need, then resize."""
        valid = problem.valid
        if not (valid & (problem.weight > 0)).any() or (valid.all() and not (problem.sigma > 0).any()):
            return Estimate(values=resize_and_fill(problem.values, problem.size))
        return Estimate(values=imresize(denoise(problem, self), size=problem.size))


def denoise(problem: Problem, parameters: TotalGeneralizedVariation) -> Floats:
    """Denoise and fill on the input's grid."""
    from atgvnet.solver import minimise

    valid = problem.valid
    noisy, known = valid & (problem.sigma > 0), problem.values[valid]
    unit = float(np.median(problem.sigma[noisy])) if noisy.any() else EXACT * float(np.ptp(known)) or 1.0
    offset = float(np.median(known))
    level = fill(np.where(noisy, np.maximum(problem.sigma / unit, LEAST_LEVEL), np.nan)) if noisy.any() else 1.0
    exactness = np.where(noisy, level, EXACT)
    calm = (np.min(level) / level) * np.ones_like(problem.values)
    minimum = minimise(
        (problem.values - offset) / unit,
        np.stack([calm, 0 * calm, calm]),
        np.where(valid, problem.weight, 0) / exactness**2,
        lam=1.0,
        alpha1=parameters.strength / float(np.min(level)),
        alpha0=parameters.bend,
        tolerance=parameters.tolerance,
        iterations=parameters.iterations,
        progress=problem.progress,
    )
    return np.asarray(offset + unit * minimum.u, dtype=np.float32)
