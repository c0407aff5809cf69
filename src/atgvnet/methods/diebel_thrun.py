"""`diebel-thrun`: a Markov random field between depths and the edges of a colour image.

J. Diebel, S. Thrun: An Application of Markov Random Fields to Range Sensing. NIPS 2005.

The problem: depths u on the guide's grid that agree with the measurements z and are smooth but where colour changes,

    minimise  k Σ_l ((S u)_l - z_l)²  +  Σ_{neighbours i, j} exp(-c ‖I_i - I_j‖²) (u_i - u_j)²

over the four neighbours of each pixel. It is quadratic and is solved by conjugate gradients, as published. Where the
publication puts a measurement on the pixel that it falls on, S reads u bilinearly at the centre of the input pixel,
which mostly lies between pixels. k and c were left open; those below are this package's, one k for noisy maps and
one for exact ones.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from atgvnet.methods._guide import guide_of, measured, nothing_known
from atgvnet.methods._least_squares import LeastSquares, Samples, neighbour
from atgvnet.methods.problem import Estimate, Problem
from atgvnet.resample import resize_and_fill

__all__ = ["DiebelThrun"]

Floats = NDArray[np.float32]
_OFFSETS = np.array([[0, 1], [1, 0]])


@dataclass(frozen=True, kw_only=True)
class DiebelThrun:
    """k is `fidelity` for noisy measurements and `exact_fidelity` for exact ones, c is `contrast` (guide in 0…1)."""

    guided: ClassVar[bool] = True
    source: ClassVar[str] = "Diebel & Thrun, An Application of Markov Random Fields to Range Sensing, 2005"

    fidelity: float = 1.0
    exact_fidelity: float = 4.0
    contrast: float = 30.0
    tolerance: float = 1e-4
    iterations: int = 2000

    def __call__(self, problem: Problem, /) -> Estimate:
        """Upscale."""
        guide = guide_of(problem, "diebel-thrun")
        if not problem.valid.any():
            return nothing_known(problem)
        start = resize_and_fill(problem.values, problem.size).astype(np.float64)
        u = self.equations(problem, guide).solve(
            start, tolerance=self.tolerance, iterations=self.iterations, progress=problem.progress
        )
        return Estimate(values=u.astype(np.float32))

    def equations(self, problem: Problem, guide: Floats) -> LeastSquares:
        """Set up the quadratic problem."""
        noisy = np.median(problem.sigma[problem.valid]) > 0
        weight = measured(problem) * np.float32(self.fidelity if noisy else self.exact_fidelity)
        return LeastSquares(
            samples=Samples.of_map(problem.values, weight, problem.size),
            offsets=_OFFSETS,
            weights=np.stack([self._alike(guide, (int(dy), int(dx))) for dy, dx in _OFFSETS]),
        )

    def _alike(self, guide: Floats, offset: tuple[int, int]) -> Floats:
        squared = ((guide - neighbour(guide, offset)) ** 2).sum(axis=-1)
        return np.asarray(np.exp(np.float32(-self.contrast) * squared))
