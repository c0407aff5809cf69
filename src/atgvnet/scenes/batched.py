"""The ray-caster in PyTorch: many scenes at once on any device, every solid tried on every pixel.

The formulas are those of `shapes` and `traced`, written for whole maps (B, H, W). A ray is a pair of tensors
(B, 3, H, W), its start and its direction in the solid's frame; both are linear in the pixel's u and v with
coefficients (B, 2, 3, 3) for start or direction, for the constant, u and v, and for the component.
"""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from atgvnet.errors import InputError
from atgvnet.scenes.scene import KINDS, Scene
from atgvnet.scenes.traced import BEYOND, CLOSE, CURVATURE, REACHED, STEEPNESS, STEPS

__all__ = ["cast_batch"]

MISS = float("inf")
TINY = 1e-20


def cast_batch(
    scenes: Sequence[Scene],
    size: tuple[int, int],
    *,
    device: str | torch.device = "cpu",
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """Give the depth maps (B, 1, H, W) of scenes."""
    if not scenes or min(size) < 1:
        raise InputError(f"{len(scenes)} scenes of size {size}: give at least one of each, and at least one pixel")
    u, v = (axis.to(device, dtype) for axis in _pixels(size))
    depth = torch.tensor([scene.background for scene in scenes], device=device, dtype=dtype)
    depth = depth[:, None, None].expand(-1, *size).contiguous()
    for kind, number in KINDS.items():
        chosen = [np.flatnonzero(scene.solids.kinds == number) for scene in scenes]
        for k in range(max(len(indices) for indices in chosen)):
            arrays = [_one(scene, indices, k) for scene, indices in zip(scenes, chosen, strict=True)]
            rays, shifts, shapes = (torch.as_tensor(np.stack(a)).to(device, dtype) for a in zip(*arrays, strict=True))
            start, way = (rays[:, i, 0] + u * rays[:, i, 1] + v * rays[:, i, 2] for i in (0, 1))
            found = DISTANCES[kind](start, way, shapes) + shifts
            depth = torch.where((found > 0) & (found < depth), found, depth)
    return depth[:, None]


def _pixels(size: tuple[int, int]) -> tuple[Tensor, Tensor]:
    height, width = size
    pixel = 2.0 / max(size)
    u = (torch.arange(width, dtype=torch.float64) - (width - 1) / 2) * pixel
    v = (torch.arange(height, dtype=torch.float64) - (height - 1) / 2) * pixel
    return u, v[:, None]


def _one(scene: Scene, indices: NDArray[np.int64], k: int) -> tuple[NDArray[np.float64], ...]:
    """Give the coefficients, the shift and the shape of a scene's k-th solid of a kind, or one that no ray hits."""
    solids, pinhole, half = scene.solids, scene.view.pinhole, scene.view.half
    if k >= len(indices):
        return np.zeros((2, 3, 3, 1, 1)), np.full((1, 1), MISS), np.zeros((solids.shapes.shape[1], 1, 1))
    i = indices[k]
    shift = max(float(solids.centres[i, 2]), 0.0)
    world = np.zeros((2, 3, 3))
    world[0, 0] = np.array([0.0, 0.0, shift]) - solids.centres[i]
    world[0, 1, 0] = world[0, 2, 1] = half * shift if pinhole else half
    world[1, 0, 2] = 1.0
    world[1, 1, 0] = world[1, 2, 1] = half if pinhole else 0.0
    local = world @ np.linalg.inv(solids.axes[i]).T
    return local[..., None, None], np.full((1, 1), shift), solids.shapes[i][:, None, None]


def _dot(a: Tensor, b: Tensor) -> Tensor:
    return (a * b).sum(dim=1)


def _box(start: Tensor, way: Tensor, _shapes: Tensor) -> Tensor:
    inverse = 1 / (way + TINY)
    middle, half = -start * inverse, inverse.abs()
    enter, leave = (middle - half).amax(dim=1), (middle + half).amin(dim=1)
    return torch.where(enter <= leave, enter, MISS)


def _ball(start: Tensor, way: Tensor, shapes: Tensor) -> Tensor:
    speed = 1 / (_dot(way, way) + TINY)
    middle = -_dot(start, way) * speed
    point = start + middle[:, None] * way
    square = 1 - _dot(point, point)
    half = (square.clamp(min=0) * speed).sqrt()
    cut, height, climb = shapes[:, 0], point[:, 2], half * way[:, 2]
    first = torch.where(height - climb <= cut, middle - half, MISS)
    second = torch.where(height + climb <= cut, middle + half, MISS)
    return torch.where(square >= 0, torch.minimum(first, second), MISS)


def _frustum(start: Tensor, way: Tensor, shapes: Tensor) -> Tensor:
    top, capped = shapes[:, 0], shapes[:, 1] < 1
    shift = -_dot(start[:, :2], way[:, :2]) / (_dot(way[:, :2], way[:, :2]) + TINY)
    point = start + shift[:, None] * way
    slope = (top - 1) / 2
    radius, grow = (1 + top) / 2 + slope * point[:, 2], slope * way[:, 2]
    a = _away_from_zero(_dot(way[:, :2], way[:, :2]) - grow * grow)
    b, c = radius * grow, _dot(point[:, :2], point[:, :2]) - radius * radius
    square = b * b - a * c
    root = square.clamp(min=0).sqrt()
    larger = _away_from_zero(torch.where(b >= 0, b + root, b - root))
    nearest = torch.full_like(shift, MISS)
    for t in (larger / a, c / larger):
        valid = ((point[:, 2] + t * way[:, 2]).abs() <= 1) & (square >= 0)
        nearest = torch.minimum(nearest, torch.where(valid, t, MISS))
    for height, limit in ((-1.0, torch.ones_like(top)), (1.0, top)):
        t = (height - point[:, 2]) / (way[:, 2] + TINY)
        disc = point[:, :2] + t[:, None] * way[:, :2]
        nearest = torch.minimum(nearest, torch.where(capped & (_dot(disc, disc) <= limit * limit), t, MISS))
    return nearest + shift


def _away_from_zero(values: Tensor) -> Tensor:
    return torch.where(values.abs() > TINY, values, TINY)


def _plane(start: Tensor, way: Tensor, _shapes: Tensor) -> Tensor:
    return -start[:, 2] / (way[:, 2] + TINY)


def _torus(start: Tensor, way: Tensor, shapes: Tensor) -> Tensor:
    tube = shapes[:, 0]
    large = (1 - tube) ** 2
    excess = large - tube**2
    flat_speed = _dot(way[:, :2], way[:, :2])
    bend = (8 * large * flat_speed - 4 * excess * _dot(way, way)).clamp(min=0)

    def measure(point: Tensor) -> tuple[Tensor, Tensor]:
        flat, flat_slope = _dot(point[:, :2], point[:, :2]), _dot(point[:, :2], way[:, :2])
        inner = _dot(point, point) + excess
        slope = 4 * inner * _dot(point, way) - 8 * large * flat_slope
        return inner * inner - 4 * large * flat, slope

    return _traced(start, way, measure, bend)


def _field(start: Tensor, way: Tensor, shapes: Tensor) -> Tensor:
    heights, across, down = (shapes[:, i:9:3] for i in range(3))
    rates = across * way[:, :1] + down * way[:, 1:2]
    bend = float(CURVATURE) * _dot(heights.abs(), rates * rates)

    def measure(point: Tensor) -> tuple[Tensor, Tensor]:
        phases = across * point[:, :1] + down * point[:, 1:2]
        phases = phases - (phases + 0.5).floor()
        above = point[:, 2] - _dot(heights, float(STEEPNESS) * phases * (1 - 2 * phases.abs()))
        climb = way[:, 2] - _dot(heights, rates * float(STEEPNESS) * (1 - 4 * phases.abs()))
        gap = above.abs()
        return torch.where(gap < float(CLOSE), 0, gap), torch.where(above > 0, climb, -climb)

    return _traced(start, way, measure, bend)


def _traced(start: Tensor, way: Tensor, measure: Callable[[Tensor], tuple[Tensor, Tensor]], bend: Tensor) -> Tensor:
    """Step safely from the cube's side; `measure` gives the function's value and its slope along the ray."""
    t = _box(start, way, start)
    for step in range(STEPS + 1):
        point = start + t[:, None] * way
        value, slope = measure(point)
        lost = (point.abs().amax(dim=1) > float(BEYOND)) | t.isinf() | ((value > float(REACHED)) & (step == STEPS))
        root = (slope * slope + 2 * bend * value).clamp(min=0).sqrt()
        ahead = torch.where(slope < 0, 2 * value / (root - slope + TINY), (slope + root) / (bend + TINY))
        t = torch.where(lost, MISS, t + torch.where(value == 0, 0, ahead))
        if bool((lost | (value < float(CLOSE))).all()):
            break
    return t


Distance = Callable[[Tensor, Tensor, Tensor], Tensor]
DISTANCES: dict[str, Distance] = {
    "box": _box,
    "ball": _ball,
    "frustum": _frustum,
    "torus": _torus,
    "field": _field,
    "plane": _plane,
}
