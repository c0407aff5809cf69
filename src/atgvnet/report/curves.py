"""How errors fall off with the distance from the truth's discontinuities."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atgvnet.benchmarks.metrics import discontinuities
from atgvnet.report.scales import Floats

__all__ = ["DISTANCES", "Rings"]

# A ring reaches from its distance up to the next; the first are the two pixels on either side of a discontinuity.
DISTANCES = (0, 1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64)


@dataclass(frozen=True, eq=False, slots=True)
class Rings:
    """The counted pixels of a truth, by their distance from its nearest discontinuity; -1 where none counts."""

    index: NDArray[np.int8]

    @classmethod
    def of(cls, truth: Floats, counted: NDArray[np.bool_]) -> "Rings":
        """Measure the distances, Euclidean, in pixels."""
        from scipy.ndimage import distance_transform_edt

        marked = discontinuities(truth)
        index = np.full(truth.shape, -1, dtype=np.int8)
        if marked.any():
            distance = np.asarray(distance_transform_edt(~marked))
            ring = np.searchsorted(DISTANCES, distance, side="right") - 1
            index[counted] = ring[counted]
        return cls(index)

    def rms(self, errors: Floats) -> list[float | None]:
        """Give the RMS error in each ring, None where it has no pixel; empty if there is no discontinuity."""
        known = (self.index >= 0) & np.isfinite(errors)
        if not known.any():
            return []
        ring = self.index[known]
        count = np.bincount(ring, minlength=len(DISTANCES))
        total = np.bincount(ring, np.square(errors[known], dtype=np.float64), minlength=len(DISTANCES))
        return [float(np.sqrt(t / n)) if n else None for t, n in zip(total, count, strict=True)]
