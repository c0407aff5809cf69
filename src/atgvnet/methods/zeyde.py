"""`zeyde`: sparse coding over coupled dictionaries.

R. Zeyde, M. Elad, M. Protter: On Single Image Scale-Up Using Sparse-Representations. Curves and Surfaces 2010.

The problem: of the many detailed patches that look alike when made smaller, choose one. The assumption: a
description x of a patch (`atgvnet.methods._dictionary`) is a sum of a few atoms, and the detail is the sum of the
atoms' details with the same coefficients:

    q = argmin ‖x − A_low q‖²  with at most three coefficients (orthogonal matching pursuit),   detail = A_high q

A_low is learned by K-SVD; A_high is then the least-squares answer to the training patches' details.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from atgvnet.errors import InputError
from atgvnet.methods._dictionary import Dictionary, enlarge
from atgvnet.methods._sparse import sparse_code
from atgvnet.methods.problem import Estimate, Problem

__all__ = ["Zeyde"]

Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Zeyde:
    """Three atoms a patch, as published."""

    guided: ClassVar[bool] = False
    source: ClassVar[str] = "Zeyde et al., On Single Image Scale-Up Using Sparse-Representations, 2010"

    atoms: int = 3

    def __post_init__(self) -> None:
        if self.atoms < 1:
            raise InputError(f"{self}: give atoms ≥ 1")

    def __call__(self, problem: Problem, /) -> Estimate:
        """Upscale."""
        return Estimate(values=enlarge(problem, self._detail))

    def _detail(self, dictionary: Dictionary, described: Floats) -> Floats:
        chosen, coefficients = sparse_code(dictionary.low, described, self.atoms)
        detail = np.zeros((len(described), dictionary.high.shape[1]), np.float32)
        for atom, coefficient in zip(chosen.T, coefficients.T, strict=True):
            detail += coefficient[:, None] * dictionary.high[atom]
        return detail
