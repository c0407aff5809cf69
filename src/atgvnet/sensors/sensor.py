"""Whole sensors: a way of sampling, a noise, steps and holes, drawn from a generator and applied in that order.

A sensor counts in disparities of 0…255, as the paper's benchmarks do, or in millimetres of depth; so do its noise
and its steps. `atgvnet.sensors.degrade` brings maps of other units there and back.
"""

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from atgvnet.noise import NoiseLaw
from atgvnet.sensors.flying import mix_edges
from atgvnet.sensors.gaussian import add_noise
from atgvnet.sensors.holes import edge_holes, random_holes, region_holes
from atgvnet.sensors.quantise import quantise
from atgvnet.sensors.sampling import Sampling, reduce

__all__ = ["CLEAN", "Measurement", "Phase", "Sensor", "SensorUnit"]

Floats = NDArray[np.float32]
Phase = Literal["central", "middle", "any"]
SensorUnit = Literal["disparity", "mm"]
CLEAN = NoiseLaw(kind="none", coefficient=0.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Measurement:
    """What a sensor reports: values (meaningless where not valid), the mask, each pixel's noise level."""

    low: Floats
    valid: NDArray[np.bool_]
    sigma: Floats


@dataclass(frozen=True, kw_only=True)
class Sensor:
    """One kind of sensor; where several ways are given, each map draws one.

    Parameters
    ----------
    unit
        What values, noise and steps are in.
    samplings, laws, steps
        Ways of sampling, laws of the noise, steps of the quantisation of what is reported.
    most
        The largest value that can be reported; above it the sensor saturates.
    loudness
        Range of a factor on the noise, drawn evenly on a logarithmic scale.
    phase
        Decimation by the phase ρ/2, as the benchmarks do it, by one of the two middle ones, or by any.
    flying
        Largest share of pixels at edges that report a depth between both sides; every other map has none.
    holes
        Largest shares of missing pixels: anywhere, at edges, in regions.
    """

    unit: SensorUnit = "disparity"
    samplings: tuple[Sampling, ...] = ("bicubic",)
    laws: tuple[NoiseLaw, ...] = (CLEAN,)
    loudness: tuple[float, float] = (1.0, 1.0)
    steps: tuple[float, ...] = (0.0,)
    most: float = math.inf
    phase: Phase = "central"
    flying: float = 0.0
    holes: tuple[float, float, float] = field(default=(0.0, 0.0, 0.0))

    def measure(self, truth: Floats, scale: int, rng: np.random.Generator) -> Measurement:
        """Measure a map whose sides are multiples of the scale."""
        sampling = self.samplings[rng.integers(len(self.samplings))]
        exact = reduce(truth, scale, sampling, self._phase(scale, rng))
        spread = float(exact.max() - exact.min())
        flying = rng.uniform(0, self.flying) if self.flying and rng.random() < 0.5 else 0.0
        mixed = mix_edges(exact, 0.05 * spread, flying, rng) if flying else exact
        law = self._law(rng)
        step = self.steps[rng.integers(len(self.steps))]
        low = np.minimum(quantise(add_noise(mixed, law, rng), step), np.float32(self.most))
        return Measurement(low=low, valid=self._valid(exact, spread, rng), sigma=law.sigma(exact))

    def _phase(self, scale: int, rng: np.random.Generator) -> tuple[int, int]:
        if self.phase == "any":
            return int(rng.integers(scale)), int(rng.integers(scale))
        first = max(scale // 2 - (int(rng.integers(2)) if self.phase == "middle" else 0), 0)
        return first, first

    def _law(self, rng: np.random.Generator) -> NoiseLaw:
        law = self.laws[rng.integers(len(self.laws))]
        factor = float(np.exp(rng.uniform(*np.log(self.loudness))))
        return NoiseLaw(kind=law.kind, coefficient=law.coefficient * factor)

    def _valid(self, exact: Floats, spread: float, rng: np.random.Generator) -> NDArray[np.bool_]:
        anywhere, at_edges, in_regions = self.holes
        shape = exact.shape[0], exact.shape[1]
        valid = np.ones(shape, dtype=bool)
        if anywhere and rng.random() < 0.5:
            valid &= random_holes(shape, anywhere * rng.random() ** 4, rng)
        if at_edges and rng.random() < 0.5:
            valid &= edge_holes(exact, 0.05 * spread, at_edges * rng.random(), rng)
        if in_regions and rng.random() < 0.5:
            valid &= region_holes(shape, in_regions * rng.random() ** 2, rng.uniform(4, 24), rng)
        return valid
