"""The networks as methods: a map in any unit and range in, the network's range and back.

Each method chooses its weights by benchmark and scale. Off the benchmarks, models without weights of their own for
any map (all but ``universal``) use those for noisy-middlebury, and the map is brought to the range they know.
"""

import math
from copy import copy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
import torch
from numpy.typing import NDArray

from atgvnet.errors import InputError, WeightsError
from atgvnet.inference import Inference, Inputs
from atgvnet.methods.problem import Estimate, Problem, silent
from atgvnet.model import ATGVNet
from atgvnet.prepare import Range, bulk, fill_nearest
from atgvnet.refine import mixing
from atgvnet.resample import imresize
from atgvnet.weights import Loaded, load, scales
from atgvnet.weights.store import SHIPPED

__all__ = ["Fast", "NetworkMethod", "Paper", "PaperAtgv", "PaperCnn", "Universal", "gather"]

Floats = NDArray[np.float32]
FALLBACK = "noisy-middlebury"
FALLBACK_RANGE = (70.0, 218.0)
FULL_SCALE = 255.0
SPARSE_SIDE = 2
WORTH_LOADING = 1 << 20  # pixels
OUTSIDE = 0.02  # of the span: what lies farther outside the bulk no longer belongs to it


@dataclass(frozen=True, kw_only=True)
class NetworkMethod:
    """A trained model; `weights` is its name, or a folder or file of weights.

    Called only `once`, it does small maps without the compiled kernels, which take longer to load than they save.
    """

    guided: ClassVar[bool] = False
    source: ClassVar[str] = "this package"

    weights: str = "universal"
    run: Inference = field(default_factory=Inference)
    once: bool = False

    def __call__(self, problem: Problem, /) -> Estimate:
        """Upscale by the next larger factor that there are weights for, then resample to the size wanted."""
        if not problem.valid.any():
            return Estimate(values=np.full(problem.size, np.nan, dtype=np.float32))
        loaded = self._choose(problem)
        if not loaded.manifest.for_any_sensor:
            return self._run(loaded, self.run, problem, _range(loaded, problem))
        dense = gather(problem)
        found = self._in_layers(self._choose(dense), dense)
        return found if dense is problem else _cropped(found, problem.size)

    def _in_layers(self, loaded: Loaded, problem: Problem) -> Estimate:
        """Upscale the map, and where values lie so far outside that they dwarf all else, that by itself too."""
        near = bulk(problem.values, problem.valid, problem.sigma)
        own = Range.of(problem.values, problem.valid)
        if near is None:
            return self._refined(loaded, problem, own)
        values, weight = np.where(near, problem.values, np.float32(np.nan)), np.where(near, problem.weight, 0)
        inner = replace(problem, values=values, weight=weight.astype(np.float32), progress=silent)
        span, whole = Range.of(values, near), Range.whole(problem.values, problem.valid)
        return _composed(self._refined(loaded, problem, whole), self._refined(loaded, inner, span), span, whole)

    def _refined(self, loaded: Loaded, problem: Problem, span: Range) -> Estimate:
        mixed = mixing(span.apply(problem.values), problem.valid)
        return self._run(loaded, replace(self.run, mixed=mixed), problem, span)

    def _run(self, loaded: Loaded, run: Inference, problem: Problem, span: Range) -> Estimate:
        if run.ensemble and not loaded.manifest.recipe.get("data", {}).get("turned", True):
            raise InputError("ensemble: these weights are for a sampling with a phase, which turning would change")
        model = _uncompiled(loaded.model) if self.once and math.prod(problem.size) <= WORTH_LOADING else loaded.model
        out = run(model, _inputs(problem, span), problem.progress)
        size = problem.size
        first = None if out.first is None else _fit(span.undo(_plane(out.first)), size)
        edges = (
            None
            if out.edges is None
            else np.stack([_fit(span.undo_differences(part), size) for part in _numpy(out.edges)])
        )
        spread = None
        if out.spread is not None:
            spread = _fit(span.undo_differences(_plane(out.spread), loaded.manifest.spread_factor), size, "bilinear")
        return Estimate(values=_fit(span.undo(_plane(out.u)), size), first=first, edges=edges, spread=spread)

    def _choose(self, problem: Problem) -> Loaded:
        place = Path(self.weights) if Path(self.weights).exists() else SHIPPED
        return _chosen(self.weights, problem.benchmark, max(problem.scale), place.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _chosen(weights: str, named: str | None, wanted: float, changed: int) -> Loaded:
    """Load the weights of the next larger factor; `changed` is when their folder or file last did."""
    del changed
    for benchmark in (named, FALLBACK, None):
        there = scales(weights, benchmark)
        if there:
            break
    else:
        raise WeightsError(f"weights: none are shipped for {weights!r}; atgvnet list models shows all")
    larger = [scale for scale in there if scale >= wanted - 1e-6]
    return load(weights, benchmark=benchmark, scale=larger[0] if larger else there[-1])


def _uncompiled(model: ATGVNet) -> ATGVNet:
    """Give the same model with a solver that does without compiled kernels."""
    solver = copy(model.solver)
    if solver is not None:
        solver.fused = False
    return ATGVNet(model.network, solver).eval()


def _range(loaded: Loaded, problem: Problem) -> Range:
    """Give the range that the weights know: the map's own, the benchmark's, or the map's brought to it."""
    manifest = loaded.manifest
    at_home = manifest.benchmark is not None and manifest.benchmark == problem.benchmark
    if at_home and problem.unit == "disparity" and not manifest.normalise:
        return Range(low=0.0, high=FULL_SCALE)
    own = Range.of(problem.values, problem.valid)
    if manifest.normalise:
        return own
    step = own.span / (FALLBACK_RANGE[1] - FALLBACK_RANGE[0])
    low = own.low - FALLBACK_RANGE[0] * step
    return Range(low=low, high=low + FULL_SCALE * step)


def gather(problem: Problem) -> Problem:
    """Gather a sparse map on a coarser grid, so that a network whose view is made for dense ones sees enough.

    Blocks of 2, 4 or 8 pixels square become their known pixels' mean; at least about every second one is known.
    """
    known = problem.valid & (problem.weight > 0)
    side = 2 ** min(3, math.floor(math.log2(1 / math.sqrt(max(float(known.mean()), 1e-6)))))
    if side < SPARSE_SIDE:
        return problem
    padding = [(0, -length % side) for length in known.shape]
    blocks = [
        np.pad(layer, padding).reshape(-(-known.shape[0] // side), side, -1, side).sum(axis=(1, 3))
        for layer in (known, np.where(known, problem.values, 0), np.where(known, problem.sigma, 0) ** 2)
    ]
    count, total, variance = blocks
    with np.errstate(invalid="ignore", divide="ignore"):
        values, sigma = total / count, np.sqrt(variance) / count
    size = [round(side * length * scale) for length, scale in zip(count.shape, problem.scale, strict=True)]
    return replace(
        problem,
        values=values.astype(np.float32),
        sigma=np.where(count > 0, sigma, 0).astype(np.float32),
        weight=(count > 0).astype(np.float32),
        size=(size[0], size[1]),
        guide=None,
    )


def _inputs(problem: Problem, span: Range) -> Inputs:
    """Fill, normalise, make tensors; a doubtful pixel counts as one with more noise, one of weight 0 as missing."""
    low = span.apply(fill_nearest(np.where(problem.valid, problem.values, np.float32(0)), problem.valid))
    doubt = 1 / np.sqrt(np.clip(problem.weight, 1e-2, 1))
    sigma = np.where(problem.valid, problem.sigma * doubt / np.float32(span.span), 0).astype(np.float32)
    layers = (low, sigma, (problem.valid & (problem.weight > 0)).astype(np.float32))
    return Inputs(*(torch.from_numpy(np.ascontiguousarray(layer))[None, None] for layer in layers))


def _numpy(tensor: torch.Tensor) -> Floats:
    return np.asarray(tensor[0].float().numpy())


def _plane(tensor: torch.Tensor) -> Floats:
    return np.asarray(_numpy(tensor)[0])


def _fit(values: Floats, size: tuple[int, int], kernel: Literal["bilinear", "bicubic"] = "bicubic") -> Floats:
    """Resample a result of the network's factor to the size wanted."""
    return values if values.shape == size else np.asarray(imresize(values, size=size, method=kernel))


def _composed(whole: Estimate, inner: Estimate, near: Range, span: Range) -> Estimate:
    """Take the inner result where the whole one lies in its range or nearly, and blend over to the whole one."""
    with np.errstate(over="ignore"):
        outside = np.maximum(near.low - whole.values, whole.values - near.high) / np.float32(span.span)
    share = np.clip(outside / OUTSIDE - 1, 0, 1, dtype=np.float32)

    def blend(one: Floats, other: Floats) -> Floats:
        return np.asarray(one * (1 - share) + other * share, dtype=np.float32)

    def maybe(one: Floats | None, other: Floats | None) -> Floats | None:
        return None if one is None or other is None else blend(one, other)

    return Estimate(
        values=blend(inner.values, whole.values),
        first=maybe(inner.first, whole.first),
        edges=maybe(inner.edges, whole.edges),
        spread=maybe(inner.spread, whole.spread),
    )


def _cropped(found: Estimate, size: tuple[int, int]) -> Estimate:
    part = (..., slice(size[0]), slice(size[1]))
    first, edges, spread = (
        None if layer is None else layer[part] for layer in (found.first, found.edges, found.spread)
    )
    return Estimate(values=found.values[part], first=first, edges=edges, spread=spread)


@dataclass(frozen=True, kw_only=True)
class Universal(NetworkMethod):
    """Ours, for any sensor."""

    weights: str = "universal"


@dataclass(frozen=True, kw_only=True)
class Fast(NetworkMethod):
    """Ours, for the benchmarks' sensors."""

    weights: str = "fast"


@dataclass(frozen=True, kw_only=True)
class Paper(NetworkMethod):
    """ATGV-Net, end to end."""

    source: ClassVar[str] = "Riegler, Rüther, Bischof: ATGV-Net: Accurate Depth Super-Resolution, ECCV 2016"

    weights: str = "paper"


@dataclass(frozen=True, kw_only=True)
class PaperCnn(NetworkMethod):
    """The paper's network alone."""

    source: ClassVar[str] = Paper.source

    weights: str = "paper-cnn"


@dataclass(frozen=True, kw_only=True)
class PaperAtgv(NetworkMethod):
    """The paper's network with the variational part on top, not trained jointly."""

    source: ClassVar[str] = Paper.source

    weights: str = "paper-atgv"
