"""Stand-in until the estimator lands: a constant level from the median absolute second difference."""

import numpy as np
from numpy.typing import ArrayLike

from atgvnet.noise.law import NoiseLaw

__all__ = ["estimate"]


def estimate(values: ArrayLike, valid: ArrayLike | None = None) -> NoiseLaw:
    """Estimate the noise of one map."""
    array = np.asarray(values, np.float64)
    array = np.where(np.isfinite(array) if valid is None else valid, array, np.nan)
    if min(array.shape) < 8:
        return NoiseLaw("none")
    second = np.diff(np.diff(array, 2, axis=0), 2, axis=1)
    second = np.abs(second[np.isfinite(second)])
    return NoiseLaw("constant", float(np.median(second)) / 0.6745 / 6) if second.size else NoiseLaw("none")
