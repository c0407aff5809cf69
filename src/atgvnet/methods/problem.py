"""What every method is given, and what it gives back.

A method is a frozen dataclass of its parameters, callable on a `Problem`. It fills the whole target: which of
its pixels count as known is decided by `atgvnet.upscale`, not by methods.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from atgvnet.depthmap import Unit

__all__ = ["Estimate", "Method", "Problem", "silent"]

Floats = NDArray[np.float32]


def silent(done: float) -> None:
    """Take the share of work done, and ignore it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Problem:
    """One map to upscale.

    Parameters
    ----------
    values
        Height × width, float32, NaN where missing.
    size
        Height and width wanted; both grids span the same area (`atgvnet.camera` has the pixel-centre rule).
    sigma
        Standard deviation of each pixel's noise, in the map's unit; 0 where it is exact.
    weight
        Confidence of each pixel in 0…1; 0 where missing.
    guide
        Colour image of the wanted size (height × width × 3, float32, 0…1) if there is one.
    unit
        The values' unit.
    benchmark
        Name of the benchmark that asks, for parameters or weights fixed per benchmark.
    progress
        Called now and then with the share of work done, 0…1.
    """

    values: Floats
    size: tuple[int, int]
    sigma: Floats
    weight: Floats
    guide: Floats | None = None
    unit: Unit = "m"
    benchmark: str | None = None
    progress: Callable[[float], None] = silent

    @property
    def valid(self) -> NDArray[np.bool_]:
        """Where a value is known."""
        return np.isfinite(self.values)

    @property
    def scale(self) -> tuple[float, float]:
        """Factors in y and x."""
        return self.size[0] / self.values.shape[0], self.size[1] / self.values.shape[1]


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimate:
    """A method's answer: values of the wanted size (NaN only where nothing can be said) and what else it knows.

    `first` is the network's estimate before the variational part, `edges` (2, H, W) its discontinuities in x and
    y, and `spread` the standard deviation that it expects of its own error.
    """

    values: Floats
    first: Floats | None = None
    edges: Floats | None = None
    spread: Floats | None = None


class Method(Protocol):
    """A way of upscaling. `guided`: it cannot do without a guide image; `source`: the publication."""

    guided: ClassVar[bool]
    source: ClassVar[str]

    def __call__(self, problem: Problem, /) -> Estimate:
        """Upscale."""
        ...
