"""The endless stream of training patches: batch number n is a function of (data, seed, n), whoever computes it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import Dataset

from atgvnet.prepare import Range, fill_nearest
from atgvnet.scenes import render
from atgvnet.sensors import SENSORS
from atgvnet.sensors.quantise import quantise
from atgvnet.training.recipes import Data
from atgvnet.training.truths import own_truth

__all__ = ["Batch", "Layers", "Stream", "draw_map"]

Floats = NDArray[np.float32]
FULL_SCALE = 255.0
TRIES_PER_PATCH = 4


class Layers(NamedTuple):
    """A map or a patch in the network's range; `low`, `valid` and `sigma` at the low resolution."""

    low: Floats
    valid: Floats
    sigma: Floats
    truth: Floats


class Batch(NamedTuple):
    """Tensors (B, 1, H, W) of the same."""

    low: torch.Tensor
    valid: torch.Tensor
    sigma: torch.Tensor
    truth: torch.Tensor


@dataclass(frozen=True, kw_only=True)
class Stream(Dataset[Batch]):
    """Batches by number, for a DataLoader without a batch size of its own.

    `rank` and `world` split each batch among processes: each makes its own share of the maps only.
    """

    data: Data
    seed: int
    patch: int
    batch: int
    rank: int = 0
    world: int = 1

    def __getitem__(self, number: int) -> Batch:
        """Make batch `number`."""
        maps = range(self.rank, -(-self.batch // self.data.per_map), self.world)
        patches = [patch for index in maps for patch in self._patches(number, index)]
        return Batch(*(torch.from_numpy(np.stack(column)[:, None]) for column in zip(*patches, strict=True)))

    def _patches(self, number: int, index: int) -> list[Layers]:
        rng = np.random.default_rng([self.seed, number, index])
        patches: list[Layers] = []
        while len(patches) < self.data.per_map:
            layers = draw_map(self.data, rng, self.patch)
            patches += _cut(layers, self.data, self.patch, self.data.per_map - len(patches), rng)
        return patches


def draw_map(data: Data, rng: np.random.Generator, least: int) -> Layers:
    """Draw a scene of a random family and size, and measure it by the recipe's sensor."""
    depth, known, inverse = _scene(data, rng, least)
    truth = _values(depth, inverse, data, rng)
    measured = SENSORS[data.sensor].measure(truth, data.sensor_scale or data.scale, rng)
    span = Range(low=0.0, high=FULL_SCALE)
    if data.normalise and measured.valid.any():
        span = Range.of(measured.low, measured.valid)
    low = fill_nearest(np.where(measured.valid, measured.low, np.float32(0)), measured.valid)
    told = np.exp(data.doubt * rng.standard_normal()) / span.span if data.doubt else 1 / span.span
    sigma = (measured.sigma * np.float32(told)).astype(np.float32)
    target = np.where(known, span.apply(truth), np.float32(np.nan))
    return Layers(span.apply(low), measured.valid.astype(np.float32), sigma, target)


def _scene(data: Data, rng: np.random.Generator, least: int) -> tuple[Floats, NDArray[np.bool_] | np.bool_, bool]:
    """Give depth in 0…1, where it is known, and whether the values shall be linear in its inverse."""
    family = data.families[rng.integers(len(data.families))]
    sides = rng.integers(max(least, data.sides[0]), max(least, data.sides[1]) + 1, size=2)
    height, width = (int(-(-side // data.scale) * data.scale) for side in sides)
    if data.truths is not None:
        return *own_truth(data.truths, (height, width), data.scale, rng), False
    camera: Literal["pinhole", "orthographic"] = "pinhole" if rng.random() < data.pinhole else "orthographic"
    depth = render(family, int(rng.integers(2**31)), 0, (height, width), camera=camera).depth
    inverse = camera == "pinhole" and bool(rng.random() < data.disparity)
    if data.distant and not inverse and rng.random() < data.distant:
        depth = np.where(depth < depth.max(), depth, depth * np.float32(rng.uniform(1, 10)))
    return depth, np.True_, inverse


def _values(depth: Floats, disparity: bool, data: Data, rng: np.random.Generator) -> Floats:
    """Turn depth in 0…1 into values of the recipe's range, linear in the depth or in its inverse."""
    near, far = float(depth.min()), float(depth.max())
    share = (depth - near) / max(far - near, 1e-6)
    if disparity and near > 0:
        share = 1 - (1 / depth - 1 / far) / max(1 / near - 1 / far, 1e-6)
    if rng.random() < data.near_large:
        share = 1 - share
    low, high = data.value_range
    if rng.random() < data.random_range:
        ends = rng.uniform(low * 0.3, min(high * 1.15, FULL_SCALE), size=2)
        low, high = float(ends.min()), min(FULL_SCALE, max(float(ends.max()), float(ends.min()) + 30))
    values = np.asarray(low + (high - low) * share, dtype=np.float32)
    return quantise(values, data.truth_steps[rng.integers(len(data.truth_steps))])


def _cut(layers: Layers, data: Data, patch: int, count: int, rng: np.random.Generator) -> Iterator[Layers]:
    """Cut up to `count` patches that are not flat, each turned and mirrored at random."""
    side, scale = patch // data.scale, data.scale
    rows, columns = (length - side + 1 for length in layers.low.shape)
    spread = data.flat / FULL_SCALE
    for _ in range(TRIES_PER_PATCH * count):
        if count == 0:
            return
        y, x = int(rng.integers(rows)), int(rng.integers(columns))
        truth = layers.truth[y * scale :, x * scale :][:patch, :patch]
        if not truth.std() >= spread:  # also where own truths have holes
            continue
        count -= 1
        turns, mirror = (int(rng.integers(4)), bool(rng.integers(2))) if data.turned else (0, False)
        lows = (layer[y : y + side, x : x + side] for layer in layers[:3])
        yield Layers(*(_turned(layer, turns, mirror) for layer in (*lows, truth)))


def _turned(layer: Floats, turns: int, mirror: bool) -> Floats:
    turned = np.rot90(layer, turns)
    return np.ascontiguousarray(turned[:, ::-1] if mirror else turned)
