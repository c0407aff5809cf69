"""A sensor on a depth map of any unit, and back: what `atgvnet degrade` does to each file.

Sensors in millimetres see the map's depths. Those in disparities of 0…255 see disparities as they are; depths are
stretched over 70…218, near being large, as the paper's authors made their training data, and stretched back.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from atgvnet.depthmap import DepthMap
from atgvnet.errors import InputError
from atgvnet.resample import fill
from atgvnet.sensors import SENSORS, Sensor, ToFMark
from atgvnet.sensors.sampling import reduce

__all__ = ["degrade", "find_sensor"]

Floats = NDArray[np.float32]
FARTHEST, NEAREST = 70.0, 218.0


def degrade(depth: DepthMap, sensor: str, scale: int, key: Sequence[int]) -> DepthMap:
    """Let a sensor measure a map, cut to a multiple of the scale; a function of map, sensor, scale and key.

    Readings of 0 or less are missing, as are pixels that see anything missing. The key is whole numbers from 0.
    """
    if min(key) < 0:
        raise InputError(f"seed is {min(key)}; give a whole number from 0")
    model, cut = find_sensor(sensor), _cut(depth, scale)
    seen = cut.to_unit("mm") if model.unit == "mm" else cut
    if not seen.valid.any():
        raise InputError("no pixel of the map is known; there is nothing to measure")
    truth, undo = _stretched(seen) if model.unit == "disparity" != cut.unit else (fill(seen.values), _same)
    measured = model.measure(truth, scale, np.random.default_rng(key))
    values = undo(measured.low)
    valid = measured.valid & (values > 0) & _known(seen.valid, values.shape, scale)
    # a disparity keeps its scale: it is still counted in pixels of the large map
    result = DepthMap(values, valid, seen.unit, seen.kind, cut.camera).to_unit(cut.unit)
    return cut.with_values(result.values, result.valid & (result.values > _least(cut)))


def find_sensor(name: str) -> Sensor | ToFMark:
    """Give a sensor by its name."""
    if name not in SENSORS:
        raise InputError(f"sensor is {name!r}; give one of {', '.join(SENSORS)}")
    return SENSORS[name]


def _cut(depth: DepthMap, scale: int) -> DepthMap:
    """Leave out what does not fill a pixel at the right and at the bottom."""
    if scale < 1 or scale > min(depth.shape):
        raise InputError(f"scale is {scale}, the map {depth.shape[0]}×{depth.shape[1]}; give 1 to {min(depth.shape)}")
    height, width = (side // scale * scale for side in depth.shape)
    part = (slice(height), slice(width))
    return DepthMap(depth.values[part], depth.valid[part], depth.unit, depth.kind, depth.camera, depth.encoding)


def _stretched(depth: DepthMap) -> tuple[Floats, Callable[[Floats], Floats]]:
    """Give depths without holes as disparities, and the way back."""
    truth = fill(depth.values)
    near, far = float(truth.min()), float(truth.max())
    slope = np.float32((FARTHEST - NEAREST) / max(far - near, 1e-6))
    return NEAREST + slope * (truth - np.float32(near)), lambda values: near + (values - NEAREST) / slope


def _same(values: Floats) -> Floats:
    return values


def _known(valid: NDArray[np.bool_], shape: tuple[int, ...], scale: int) -> NDArray[np.bool_]:
    """Say for each reported pixel whether all of its area is known."""
    if valid.all():
        return np.ones(shape, dtype=bool)
    return valid if shape == valid.shape else reduce(valid.astype(np.float32), scale, "area") > 1 - 0.5 / scale**2


def _least(depth: DepthMap) -> float:
    """Give what a file of integers would round to 0, which there means missing."""
    form = depth.encoding
    return 0.5 / form.depth_scale if form is not None and not form.dtype.startswith("float") else 0.0
