"""From a map with holes in any range to what a network eats, and back.

A network is trained on values around 0…1, without NaN, with its noise level and mask beside. `Range` holds the one
affine change of values and undoes it exactly in float64; `fill_nearest` gives every missing pixel the value of the
nearest valid one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Range", "bulk", "fill_nearest"]

Floats = NDArray[np.float32]
QUANTILES = (0.005, 0.995)
LARGEST = float(np.finfo(np.float32).max)
FEWEST = 64  # values of which a bulk can be told
BULK_SHARE, BULK_WIDTH = 0.5, 1.5
ENDS = 0.05  # of all values: so many equal ones at an end are a background
DWARFED, DWARFED_BY_FEW, FEW = 20.0, 6.0, 0.05
LEAST_OVER_NOISE = 10.0


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

    @classmethod
    def whole(cls, values: Floats, valid: NDArray[np.bool_]) -> "Range":
        """Span all valid values, of which there are at least two."""
        known = values[valid]
        return cls(low=float(known.min()), high=float(known.max()))

    @property
    def span(self) -> float:
        """How many units of the map are 1 for the network."""
        return self.high - self.low

    def apply(self, values: Floats) -> Floats:
        """Change to the network's range."""
        return np.asarray((values.astype(np.float64) - self.low) / self.span, dtype=np.float32)

    def undo(self, values: Floats) -> Floats:
        """Change back."""
        return self._wide(values, self.span, self.low)

    def undo_differences(self, values: Floats, times: float = 1.0) -> Floats:
        """Change differences of values back, so many times as large."""
        return self._wide(values, self.span * times, 0.0)

    @staticmethod
    def _wide(values: Floats, factor: float, offset: float) -> Floats:
        wide = values.astype(np.float64)
        wide *= factor
        wide += offset
        return np.clip(wide, -LARGEST, LARGEST, out=wide).astype(np.float32)


def bulk(values: Floats, valid: NDArray[np.bool_], sigma: Floats) -> NDArray[np.bool_] | None:
    """Find the values that lie near each other where the others are so far away that they would dwarf them.

    A sky at 1e10, a forgotten 65535, few points far behind a gap. None where the map is no such map.

    >>> depth = np.add.outer(np.zeros(10), np.linspace(1, 2, 10)).astype(np.float32)
    >>> depth[0, 0] = 1e10
    >>> int(bulk(depth, depth > 0, np.zeros_like(depth)).sum())
    99
    """
    known = np.sort(values[valid]).astype(np.float64)
    if known.size < FEWEST:
        return None
    inside = _without_ends(known)
    count = round(BULK_SHARE * inside.size)
    if count < FEWEST / 2:
        return None
    first = int(np.argmin(inside[count:] - inside[:-count]))
    low, high = inside[first], inside[first + count]
    reach = BULK_WIDTH * (high - low)
    near = valid & (values >= low - reach) & (values <= high + reach)
    share = np.count_nonzero(near) / known.size
    span = Range.of(values, near).span
    dwarfed = (known[-1] - known[0]) / span
    enough = DWARFED_BY_FEW if share > 1 - FEW else DWARFED
    noise = float(np.median(sigma[near]))
    return near if high > low and dwarfed > enough and span > LEAST_OVER_NOISE * noise else None


def _without_ends(ordered: NDArray[np.float64]) -> NDArray[np.float64]:
    """Leave out the least or the largest value where it is that of many pixels."""
    least = int(np.searchsorted(ordered, ordered[0], side="right"))
    most = int(np.searchsorted(ordered, ordered[-1], side="left"))
    first = least if least > ENDS * ordered.size else 0
    last = most if ordered.size - most > ENDS * ordered.size else ordered.size
    return ordered[first:last]


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
