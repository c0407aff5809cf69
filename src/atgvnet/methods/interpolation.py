"""Interpolation: MATLAB's nearest, bilinear and bicubic, with missing pixels filled by their nearest neighbours.

The bicubic kernel is that of R. Keys, Cubic convolution interpolation for digital image processing, IEEE Transactions
on Acoustics, Speech and Signal Processing, 1981.
"""

from dataclasses import dataclass
from typing import ClassVar

from atgvnet.methods.problem import Estimate, Problem
from atgvnet.resample import Interpolation, resize_and_fill

__all__ = ["Bicubic", "Bilinear", "Nearest"]


@dataclass(frozen=True, kw_only=True)
class _Kernel:
    kernel: ClassVar[Interpolation]
    guided: ClassVar[bool] = False
    source: ClassVar[str] = "Keys 1981, as MATLAB's imresize"
    # Error that a plane may show away from the border, as a share of its slope per input pixel.
    plane_tolerance: ClassVar[float] = 1e-4

    def __call__(self, problem: Problem, /) -> Estimate:
        return Estimate(values=resize_and_fill(problem.values, problem.size, self.kernel))


@dataclass(frozen=True, kw_only=True)
class Nearest(_Kernel):
    """Every output pixel takes the nearest input pixel."""

    kernel: ClassVar[Interpolation] = "nearest"
    plane_tolerance: ClassVar[float] = 0.5 + 1e-4


@dataclass(frozen=True, kw_only=True)
class Bilinear(_Kernel):
    """Linear between neighbouring pixel centres."""

    kernel: ClassVar[Interpolation] = "bilinear"


@dataclass(frozen=True, kw_only=True)
class Bicubic(_Kernel):
    """Keys' cubic, a = -0.5."""

    kernel: ClassVar[Interpolation] = "bicubic"
