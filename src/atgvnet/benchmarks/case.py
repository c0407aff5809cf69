"""One map of a benchmark: the problem that a method is given, and the truth that its answer is compared with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from atgvnet.depthmap import DepthMap
from atgvnet.errors import InputError
from atgvnet.methods.problem import Estimate, Problem
from atgvnet.noise import NoiseLaw

__all__ = ["EXACT", "Benchmark", "Case", "Column", "Run", "as_is", "as_uint8", "pad_to"]

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Run = Callable[[Problem], Estimate]
Column = tuple[float, str]  # scale and scene

EXACT = NoiseLaw("constant", 0.0)


def as_is(values: Floats) -> Floats:
    """Leave a result as the method gave it."""
    return values


def as_uint8(values: Floats) -> Floats:
    """Round to the integers 0…255, halves up, as MATLAB's uint8 does."""
    return np.asarray(np.clip(np.floor(values + np.float32(0.5)), 0, 255), dtype=np.float32)


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """One map to upscale, and what the result is compared with.

    Parameters
    ----------
    benchmark, scale, scene
        What names it; the scene is lower case.
    low
        The input.
    truth
        What the result should be, NaN where unknown; at most of the wanted size.
    size
        Height and width that a method is asked for; the result is cropped to the truth's.
    noise
        The sensor's noise, the same for all scenes of a benchmark.
    weight
        Confidence of each input pixel in 0…1; by default 1 where it is valid.
    counted
        Where the error counts; by default wherever the truth is known.
    guide
        Colour image of the wanted size (height × width × 3, 0…1).
    finish
        What the protocol does to a result before it is compared.
    own
        Methods that the protocol itself defines, in place of the package's of these names.
    """

    benchmark: str
    scale: float
    scene: str
    low: DepthMap
    truth: DepthMap
    size: tuple[int, int]
    noise: NoiseLaw
    weight: Floats | None = None
    counted: Mask | None = None
    guide: Floats | None = None
    finish: Callable[[Floats], Floats] = as_is
    own: Mapping[str, Run] = field(default_factory=dict)

    def __post_init__(self) -> None:
        where = f"{self.benchmark} {self.scene} ×{self.scale:g}"
        if any(side > wanted for side, wanted in zip(self.truth.shape, self.size, strict=True)):
            raise InputError(f"{where}: the truth is {self.truth.shape}, larger than {self.size}; check the files")
        if self.guide is not None and self.guide.shape != (*self.size, 3):
            raise InputError(f"{where}: the guide is {self.guide.shape}, not {(*self.size, 3)}; check the files")

    def problem(self, progress: Callable[[float], None] | None = None) -> Problem:
        """Give what a method sees of it."""
        valid = self.low.valid
        sigma = np.zeros(self.low.shape, dtype=np.float32)
        sigma[valid] = self.noise.sigma(self.low.values[valid])
        problem = {"progress": progress} if progress else {}
        return Problem(
            values=self.low.values,
            size=self.size,
            sigma=sigma,
            weight=valid.astype(np.float32) if self.weight is None else self.weight,
            guide=self.guide,
            unit=self.low.unit,
            benchmark=self.benchmark,
            **problem,
        )

    def result(self, values: Floats) -> Floats:
        """Crop and finish a method's answer as the protocol says."""
        if values.shape != self.size:
            raise InputError(f"the method gave {values.shape} for {self.size}; it must fill the size it is asked for")
        height, width = self.truth.shape
        return self.finish(np.asarray(values, dtype=np.float32)[:height, :width])


def _everywhere(_folder: Path, _scene: str) -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """A named set of cases.

    `load` reads one of them from the data folder; `at_hand` tells whether a scene's files can be expected there, for
    scenes that are left out unless asked for by name.
    """

    name: str
    summary: str
    scales: tuple[float, ...]
    scenes: tuple[str, ...]
    load: Callable[[Path, float, str], Case]
    at_hand: Callable[[Path, str], bool] = _everywhere
    needs_data: bool = True


def pad_to(image: Floats, size: tuple[int, int]) -> Floats:
    """Enlarge an image (H, W, …) to a size by repeating its last row and column."""
    missing = [(0, side - have) for side, have in zip(size, image.shape, strict=False)]
    return np.pad(image, [*missing, *[(0, 0)] * (image.ndim - 2)], mode="edge")
