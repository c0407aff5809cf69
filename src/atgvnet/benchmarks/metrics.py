"""How far a map is from the truth, overall and where it matters: at the discontinuities.

RMSE and MAE are dominated by the large smooth surfaces; a blurred edge hides in them. Two more numbers look at the
edges alone. All that they need is one length, so that they mean the same in millimetres and in disparities:

- The *step* is a twentieth of the truth's range (between its 2nd and 98th percentile).
- Two neighbouring pixels (of four) whose truths differ by more than a step lie on two surfaces: a discontinuity.
- The *band* is the three pixels nearest to a discontinuity on each of its sides, along rows, columns and diagonals.
- A pixel of the band *flies* if its value lies between the smallest and the largest truth of the 7×7 window around it
  and is farther than a step from every truth in that window: on neither side of the edge, nor on anything between.

Missing truths bound no discontinuity. A value that the result lacks is in no mean; `coverage` tells how many it has.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from atgvnet.errors import InputError

__all__ = ["BAND", "STEP", "Metrics", "discontinuities", "edge_band", "measure", "step_height"]

BAND = 3
STEP = 0.05

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Metrics:
    """Errors in the truth's unit; what is measured at discontinuities is None where there are none.

    `rmse_edge` is the RMSE in the band, `flying` the share of flying pixels in it, and `coverage` the share of the
    counted pixels for which the result has a value.
    """

    rmse: float
    mae: float
    rmse_edge: float | None
    flying: float | None
    coverage: float


def measure(result: Floats, truth: Floats, counted: Mask | None = None) -> Metrics:
    """Compare a result with the truth (NaN where unknown), at the pixels that count.

    >>> truth = np.repeat([[1.0, 9.0]], 8, axis=0).repeat(4, axis=1).astype(np.float32)
    >>> blurred = truth.copy()
    >>> blurred[:, 4] = 5.0
    >>> measure(blurred, truth).flying
    0.16666666666666666
    """
    if result.shape != truth.shape:
        raise InputError(f"the result is {_text(result.shape)}, the truth {_text(truth.shape)}; give equal sizes")
    wanted = np.isfinite(truth) if counted is None else np.isfinite(truth) & counted
    known = wanted & np.isfinite(result)
    if not known.any():
        raise InputError("no pixel has both a result and a truth; nothing can be compared")
    step = step_height(truth)
    band = known & _band(truth, step)
    at_edges = bool(band.any())
    errors = result[known].astype(np.float64) - truth[known]
    return Metrics(
        rmse=_rms(errors),
        mae=float(np.abs(errors).mean()),
        rmse_edge=_rms(errors[band[known]]) if at_edges else None,
        flying=_count_flying(result, truth, band, step) / int(band.sum()) if at_edges else None,
        coverage=float(known.sum() / wanted.sum()),
    )


def step_height(truth: Floats) -> float:
    """Height from which a step between neighbours is a discontinuity."""
    known = truth[np.isfinite(truth)]
    if known.size == 0:
        return 0.0
    low, high = np.percentile(known, (2, 98))
    return STEP * float(high - low)


def discontinuities(truth: Floats) -> Mask:
    """Mark the pixels on either side of each discontinuity."""
    return _mark_steps(truth, step_height(truth))


def edge_band(truth: Floats) -> Mask:
    """Mark the pixels next to a discontinuity, `BAND` on each of its sides."""
    return _band(truth, step_height(truth))


def _band(truth: Floats, step: float) -> Mask:
    from scipy.ndimage import maximum_filter

    return np.asarray(maximum_filter(_mark_steps(truth, step), 2 * BAND - 1, mode="constant"), dtype=bool)


def _rms(errors: NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean(np.square(errors))))


def _text(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, shape))


@njit(cache=True, nogil=True)
def _mark_steps(truth: Floats, step: float) -> Mask:
    height, width = truth.shape
    marked = np.zeros((height, width), dtype=np.bool_)
    for y in range(height):
        for x in range(width):
            if y + 1 < height and abs(truth[y + 1, x] - truth[y, x]) > step:
                marked[y, x] = marked[y + 1, x] = True
            if x + 1 < width and abs(truth[y, x + 1] - truth[y, x]) > step:
                marked[y, x] = marked[y, x + 1] = True
    return marked


@njit(cache=True, nogil=True)
def _count_flying(result: Floats, truth: Floats, band: Mask, step: float) -> int:
    height, width = truth.shape
    count = 0
    for y in range(height):
        for x in range(width):
            if not band[y, x]:
                continue
            value, below, above, landed = result[y, x], False, False, False
            for row in range(max(y - BAND, 0), min(y + BAND + 1, height)):
                for column in range(max(x - BAND, 0), min(x + BAND + 1, width)):
                    offset = truth[row, column] - value
                    below |= offset < -step
                    above |= offset > step
                    landed |= abs(offset) <= step
            count += below and above and not landed
    return count
