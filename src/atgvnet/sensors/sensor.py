"""Whole sensors: a way of sampling, a noise, steps and holes, drawn from a generator and applied in that order.

Values are in the range 0…255 of the paper's benchmarks; a scene's depth becomes such values by `draw_values`.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from atgvnet.noise import NoiseLaw
from atgvnet.sensors.flying import mix_edges
from atgvnet.sensors.gaussian import add_noise
from atgvnet.sensors.holes import edge_holes, random_holes, region_holes
from atgvnet.sensors.quantise import quantise
from atgvnet.sensors.sampling import Sampling, reduce

__all__ = ["Measurement", "Sensor"]

Floats = NDArray[np.float32]
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
    samplings, laws, steps
        Ways of sampling, laws of the noise, steps of the quantisation of what is reported.
    loudness
        Range of a factor on the noise, drawn evenly on a logarithmic scale.
    central_phase
        Decimation by the phase ρ/2, as the benchmarks do it; otherwise by either of the two middle phases.
    flying
        Largest share of pixels at edges that report a depth between both sides.
    holes
        Largest shares of missing pixels: anywhere, at edges, in regions.
    """

    samplings: tuple[Sampling, ...] = ("bicubic",)
    laws: tuple[NoiseLaw, ...] = (CLEAN,)
    loudness: tuple[float, float] = (1.0, 1.0)
    steps: tuple[float, ...] = (0.0,)
    central_phase: bool = True
    flying: float = 0.0
    holes: tuple[float, float, float] = field(default=(0.0, 0.0, 0.0))

    def measure(self, truth: Floats, scale: int, rng: np.random.Generator) -> Measurement:
        """Measure a map whose sides are multiples of the scale."""
        sampling = self.samplings[rng.integers(len(self.samplings))]
        first = scale // 2 - (0 if self.central_phase else int(rng.integers(2)))
        exact = reduce(truth, scale, sampling, (max(first, 0), max(first, 0)))
        spread = float(exact.max() - exact.min())
        mixed = exact if self.flying == 0 else mix_edges(exact, 0.05 * spread, rng.uniform(0, self.flying), rng)
        law = self._law(rng)
        step = self.steps[rng.integers(len(self.steps))]
        low = quantise(add_noise(mixed, law, rng), step)
        return Measurement(low=low, valid=self._valid(exact, spread, rng), sigma=law.sigma(exact))

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
