"""From a map with holes in any range to what a network eats, and back.

A network is trained on values around 0…1, without NaN, with its noise level and mask beside. `Range` holds the one
affine change of values and undoes it exactly in float64; `fill_nearest` gives every missing pixel the value of the
nearest valid one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Range", "fill_nearest"]

Floats = NDArray[np.float32]
QUANTILES = (0.005, 0.995)


@dataclass(frozen=True, kw_only=True, slots=True)
class Range:
    """The affine change value → (value − low) / (high − low)."""

    low: float
    high: float

    @classmethod
    def of(cls, values: Floats, valid: NDArray[np.bool_]) -> "Range":
        """Span nearly all valid values, so that a few wild ones do not set it; never empty.

        >>> Range.of(np.float32([[2, 4]]), np.array([[True, True]]))
        Range(low=2.01, high=3.99)
        """
        known = values[valid].astype(np.float64)
        if known.size == 0:
            return cls(low=0.0, high=1.0)
        low, high = np.quantile(known, QUANTILES)
        if high - low <= 1e-6 * max(abs(low), abs(high)):
            low, high = known.min(), known.max()
        if high - low <= 1e-6 * max(abs(low), abs(high)):
            high = low + max(1.0, abs(low))
        return cls(low=float(low), high=float(high))

    @property
    def span(self) -> float:
        """How many units of the map are 1 for the network."""
        return self.high - self.low

    def apply(self, values: Floats) -> Floats:
        """Change to the network's range."""
        return np.asarray((values.astype(np.float64) - self.low) / self.span, dtype=np.float32)

    def undo(self, values: Floats) -> Floats:
        """Change back."""
        return np.asarray(values.astype(np.float64) * self.span + self.low, dtype=np.float32)


def fill_nearest(values: Floats, valid: NDArray[np.bool_]) -> Floats:
    """Give each missing pixel the value of the nearest valid one; all missing gives zeros.

    >>> fill_nearest(np.float32([[1, np.nan, np.nan, 4]]), np.array([[True, False, False, True]]))
    array([[1., 1., 4., 4.]], dtype=float32)
    """
    if valid.all():
        return values
    if not valid.any():
        return np.zeros_like(values)
    from scipy.ndimage import distance_transform_edt

    rows, columns = distance_transform_edt(~valid, return_distances=False, return_indices=True)
    return np.asarray(values[rows, columns])
