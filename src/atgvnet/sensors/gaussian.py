"""Gaussian noise whose standard deviation follows a law of the depth (`atgvnet.noise`)."""

import numpy as np
from numpy.typing import NDArray

from atgvnet.noise import NoiseLaw

__all__ = ["add_noise"]

Floats = NDArray[np.float32]


def add_noise(values: Floats, law: NoiseLaw, rng: np.random.Generator) -> Floats:
    """Add N(0, law(values))."""
    return values + law.sigma(values) * rng.standard_normal(values.shape, dtype=np.float32)
