"""`timofte`: anchored neighbourhood regression (ANR).

R. Timofte, V. De Smet, L. Van Gool: Anchored Neighborhood Regression for Fast Example-Based Super-Resolution.
ICCV 2013.

The problem: sparse coding (`atgvnet.methods.zeyde`) searches atoms anew for every patch. ANR does it once: each
atom of the same dictionary is an anchor; its 40 most correlated atoms N span the neighbourhood in which ridge
regression has a closed form, a matrix per anchor,

    P = (1 + λ) N_high (N_lowᵀ N_low + λ I)⁻¹ N_lowᵀ,   detail = P x

and a patch is given to the anchor that it correlates with best.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from atgvnet.errors import InputError
from atgvnet.methods._dictionary import Dictionary, enlarge
from atgvnet.methods.problem import Estimate, Problem

__all__ = ["Timofte", "anchored_regressions"]

Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Timofte:
    """Size of the neighbourhood and weight of the ridge, as the authors' code has them."""

    guided: ClassVar[bool] = False
    source: ClassVar[str] = "Timofte et al., Anchored Neighborhood Regression, ICCV 2013"

    neighbours: int = 40
    ridge: float = 0.01

    def __post_init__(self) -> None:
        if self.neighbours < 1 or not self.ridge > 0:
            raise InputError(f"{self}: give neighbours ≥ 1, ridge > 0")

    def __call__(self, problem: Problem, /) -> Estimate:
        """Upscale."""
        return Estimate(values=enlarge(problem, self._detail))

    def _detail(self, dictionary: Dictionary, described: Floats) -> Floats:
        regressions = anchored_regressions(dictionary, self.neighbours, self.ridge)
        anchors = np.abs(described @ dictionary.low.T).argmax(axis=1)
        detail = np.empty((len(described), dictionary.high.shape[1]), np.float32)
        order = np.argsort(anchors, kind="stable")
        starts = np.flatnonzero(np.diff(anchors[order], prepend=-1))
        for rows in np.split(order, starts[1:]):
            detail[rows] = described[rows] @ regressions[anchors[rows[0]]]
        return detail


@lru_cache(maxsize=4)
def anchored_regressions(dictionary: Dictionary, neighbours: int, ridge: float) -> Floats:
    """One matrix (K, 9 s²) per atom, from a description to the detail."""
    low, high = dictionary.low, dictionary.high
    near = np.argsort(-np.abs(low @ low.T), axis=1, kind="stable")[:, :neighbours]
    around = low[near]
    products = around @ around.transpose(0, 2, 1) + ridge * np.eye(near.shape[1], dtype=np.float32)
    weights = (1 + ridge) * np.linalg.solve(products, around)
    return np.asarray(weights.transpose(0, 2, 1) @ high[near], np.float32)
