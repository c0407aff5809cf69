"""From a depth map to what a method is given, and from a method's answer back to a depth map.

A method fills the whole target. What of it counts as known is decided here, by how much of each output pixel the
known input pixels cover.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from atgvnet.depthmap import DepthMap, Kind, Unit
from atgvnet.errors import GuideError, InputError
from atgvnet.methods.problem import Estimate, Method, Problem
from atgvnet.noise import NoiseLaw, estimate, parse
from atgvnet.prepare import Range
from atgvnet.resample import imresize

__all__ = ["DEFAULT_METHOD", "Prepared", "Result", "Upscaler", "configured", "known_pixels"]

DEFAULT_METHOD = "universal"
LARGEST_OUTPUT = 2**31
HALF_SURE = 0.01

Precision = Literal["auto", "float32", "bfloat16"]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class Result:
    """An upscaled map and what the method knows of it.

    Parameters
    ----------
    depth
        The map.
    estimate
        A network's estimate before its variational part.
    edges
        (2, H, W), a network's discontinuities in x and y.
    confidence
        (H, W), how sure a network is of each pixel: 1 for certain, 1/2 where it expects an error of 1 % of the
        map's range, that is 1 / (1 + spread / 1 %).
    spread
        (H, W), the standard deviation that a network expects of its own error, in the map's unit.
    """

    depth: DepthMap
    estimate: DepthMap | None = None
    edges: Floats | None = None
    confidence: Floats | None = None
    spread: Floats | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Prepared:
    """A map as z if that can be had, the kind that it came in, and what a method is given."""

    depth: DepthMap
    kind: Kind
    problem: Problem


@dataclass(frozen=True, kw_only=True, eq=False)
class Upscaler:
    """A method and all that is decided before a map is seen; parameters as in `atgvnet.upscale`."""

    method: Method
    scale: float = 4
    size: tuple[int, int] | None = None
    noise: NoiseLaw | str | float = "auto"
    holes: Literal["keep", "fill"] | int = "keep"

    def __post_init__(self) -> None:
        if self.size is None and not (math.isfinite(self.scale) and self.scale >= 1):
            raise InputError(f"scale is {self.scale}; give a number of at least 1")
        if self.holes not in ("keep", "fill") and not (isinstance(self.holes, int) and self.holes >= 0):
            raise InputError(f"holes is {self.holes!r}; give keep, fill or the largest hole to fill in pixels")

    def __call__(
        self,
        depth: DepthMap,
        *,
        guide: ArrayLike | None = None,
        weight: ArrayLike | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Result:
        """Upscale a map."""
        return self.finish(self.prepare(depth, guide=guide, weight=weight), progress)

    def prepare(
        self, depth: DepthMap, *, guide: ArrayLike | None = None, weight: ArrayLike | None = None
    ) -> "Prepared":
        """Do what needs no network, so that another thread may."""
        kind = depth.kind
        if kind == "range" and depth.camera is not None:  # planes are affine in z only, not along the rays
            depth = depth.to_kind("z")
        return Prepared(depth=depth, kind=kind, problem=self._problem(depth, self.target(depth.shape), guide, weight))

    def finish(self, prepared: "Prepared", progress: Callable[[float], None] | None = None) -> Result:
        """Upscale what was prepared."""
        depth, problem = prepared.depth, prepared.problem
        size = problem.size
        if progress is not None:
            problem = replace(problem, progress=progress)
        if not problem.valid.any():
            return _in_kind(self._nothing(depth, size), prepared.kind)
        answer = self.method(problem)
        if answer.values.shape != size:
            raise InputError(f"the method gave a map of {answer.values.shape}, not {size}; mend the method")
        return _in_kind(_result(depth, answer, known_pixels(problem.valid, size, self.holes)), prepared.kind)

    def _nothing(self, depth: DepthMap, size: tuple[int, int]) -> Result:
        """Give the result of a map without a valid pixel, of which a network is not sure at all."""
        result = Result(depth=depth.with_values(np.full(size, np.nan, np.float32)))
        if not getattr(getattr(self.method, "run", None), "details", False):
            return result
        confidence, spread = np.zeros(size, np.float32), np.full(size, np.inf, np.float32)
        return replace(result, confidence=confidence, spread=spread)

    @property
    def on_processor(self) -> bool:
        """Whether a network computes on the processor, where several maps may be upscaled at once."""
        run = getattr(self.method, "run", None)
        return run is not None and (run.device or "cpu").startswith("cpu")

    def once(self) -> "Upscaler":
        """Give the same for a single map, for which not all that speeds up many is worth loading."""
        method = replace(cast(Any, self.method), once=True) if hasattr(self.method, "once") else self.method
        return replace(self, method=method)

    def target(self, shape: tuple[int, int]) -> tuple[int, int]:
        """Give the height and width of the result for a map of this shape."""
        size = self.size or (round(shape[0] * self.scale), round(shape[1] * self.scale))
        if size[0] < shape[0] or size[1] < shape[1]:
            raise InputError(f"size is {size[0]}x{size[1]}, the map has {shape[0]}x{shape[1]}; give a larger one")
        if size[0] * size[1] > LARGEST_OUTPUT:
            raise InputError(f"size is {size[0]}x{size[1]}; give one of at most {LARGEST_OUTPUT} pixels")
        return size

    def _problem(
        self, depth: DepthMap, size: tuple[int, int], guide: ArrayLike | None, weight: ArrayLike | None
    ) -> Problem:
        weights = _weights(weight, depth.valid)
        values = np.where(weights > 0, depth.values, np.float32(np.nan))
        return Problem(
            values=values,
            size=size,
            sigma=_sigma(self.noise, values, weights > 0, depth.unit),
            weight=weights,
            guide=_guide(guide, size, self.method),
            unit=depth.unit,
        )


def configured(
    method: Method,
    *,
    tile: int | None,
    precision: Precision,
    ensemble: bool,
    device: str | None,
    details: bool = True,
) -> Method:
    """Tell a network how to compute; any other method only computes in float32, on the CPU, in one piece."""
    if tile is not None and tile < 1:
        raise InputError(f"tile is {tile}; give the side of an output tile in pixels, at least 1")
    if precision not in get_args(Precision):
        raise InputError(f"precision is {precision!r}; give one of {', '.join(get_args(Precision))}")
    run = getattr(method, "run", None)
    if run is not None:
        place = _device(device)
        inference = replace(run, tile=tile, precision=precision, ensemble=ensemble, device=place, details=details)
        return cast(Method, replace(cast(Any, method), run=inference))
    asked = {"tile": tile, "ensemble": ensemble or None, "precision": precision, "device": device}
    for name, value in asked.items():
        if value not in (None, "auto", "float32", "cpu"):
            raise InputError(f"{name} is {value!r}, but {type(method).__name__} is no network; leave it out")
    return method


def _device(name: str | None) -> str | None:
    if name is None:
        return None
    import torch

    try:
        torch.empty(0, device=name)
    except (AssertionError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"device is {name!r}: {reason}; give one that this PyTorch can use, such as cpu") from error
    return name


def known_pixels(valid: Mask, size: tuple[int, int], holes: Literal["keep", "fill"] | int) -> Mask:
    """Tell which output pixels count as known: those that known input, or holes to be filled, cover by half.

    >>> known_pixels(np.array([[True, False]]), (1, 4), "keep")
    array([[ True,  True, False, False]])
    """
    if holes == "fill" or valid.all():
        return np.ones(size, dtype=bool)
    counted = valid if holes == "keep" else valid | _small_holes(valid, int(holes))
    coverage = imresize(counted.astype(np.float32), size=size, method="bilinear", antialias=False)
    return np.asarray(coverage >= 0.5)


def _small_holes(valid: Mask, largest: int) -> Mask:
    from scipy.ndimage import label

    labels, _ = label(~valid)
    small = np.bincount(labels.ravel()) <= largest
    return np.asarray(small[labels] & ~valid)


def _result(depth: DepthMap, answer: Estimate, known: Mask) -> Result:
    confidence = None
    if answer.spread is not None:
        half = HALF_SURE * Range.of(depth.values, depth.valid).span
        confidence = (1 / (1 + answer.spread / half)).astype(np.float32)
    return Result(
        depth=depth.with_values(answer.values, known),
        estimate=None if answer.first is None else depth.with_values(answer.first, known),
        edges=answer.edges,
        confidence=confidence,
        spread=answer.spread,
    )


def _in_kind(result: Result, kind: Kind) -> Result:
    if result.depth.kind == kind:
        return result
    estimate = None if result.estimate is None else result.estimate.to_kind(kind)
    return replace(result, depth=result.depth.to_kind(kind), estimate=estimate)


def _weights(weight: ArrayLike | None, valid: Mask) -> Floats:
    """Confidence in 0…1, 0 where missing."""
    if weight is None:
        return valid.astype(np.float32)
    weights = np.array(weight, dtype=np.float32)
    if weights.shape != valid.shape:
        raise InputError(f"weight: the shape is {weights.shape}, the map's is {valid.shape}; give equal shapes")
    if not (np.isfinite(weights).all() and weights.min() >= 0):
        raise InputError("weight: it holds negative or non-finite values; give confidences from 0 up")
    return np.where(valid, weights / max(1.0, weights.max()), 0).astype(np.float32)


def _sigma(noise: NoiseLaw | str | float, values: Floats, valid: Mask, unit: Unit) -> Floats:
    law = noise if isinstance(noise, NoiseLaw) else parse(str(noise))
    law = estimate(values, valid) if isinstance(law, str) else law.in_unit(unit)
    return np.where(valid, law.sigma(np.where(valid, values, 1)), 0).astype(np.float32)


def _guide(guide: ArrayLike | None, size: tuple[int, int], method: Method) -> Floats | None:
    if guide is None:
        if getattr(method, "guided", False):
            raise GuideError(f"{type(method).__name__} needs a guide; give a colour image of {size[0]}x{size[1]}")
        return None
    image = np.asarray(guide)
    image = image.astype(np.float32) / np.float32(255 if image.dtype == np.uint8 else 1)
    if image.shape != (*size, 3):
        raise GuideError(
            f"the guide is {image.shape}; give height x width x 3 of the wanted size {size[0]}x{size[1]}"
        )
    return image
