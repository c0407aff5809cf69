"""The ToF camera of the ToFMark benchmark: a small range camera beside the camera whose view is wanted.

The world is the frame of the target camera (x to the right, y down, z away, any unit of length). A `Rig` holds the
target's 3×3 camera matrix and the range camera's 3×4 projection matrix, as the benchmark's files do. A depth map of
the target view is measured in three steps: `project_to_tof` gives the ranges along the range camera's rays,
`warp_to_target` moves every measured point back to the pixel of the target that it falls in, where the nearest wins,
and `inpaint` interpolates the few hit pixels over the whole target.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from atgvnet.errors import InputError
from atgvnet.noise import NoiseLaw
from atgvnet.sensors.gaussian import add_noise
from atgvnet.sensors.interpolate import inpaint
from atgvnet.sensors.sensor import Measurement, SensorUnit

__all__ = [
    "TOFMARK_NOISE",
    "Observation",
    "Rig",
    "ToFMark",
    "draw_rig",
    "inpaint",
    "observe",
    "project_to_tof",
    "warp_to_target",
]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Mask = NDArray[np.bool_]

TOF_SIZE = (120, 160)
TARGET_SIZE = (610, 810)
SCALE = 5
# Millimetres over millimetres squared: 6 mm at 700 mm, as short-range ToF cameras have it.
TOFMARK_NOISE = NoiseLaw("quadratic", 1.2e-5)


@dataclass(frozen=True, kw_only=True, eq=False)
class Rig:
    """Both cameras.

    Parameters
    ----------
    projection
        3×4 matrix from homogeneous points of the target camera's frame to the range camera's pixels.
    camera
        3×3 matrix from points to the target's pixels.
    tof_size, target_size
        Height and width of both.
    first
        Coordinate of the first pixel's centre in these matrices' convention: 0, or 1 where they come from MATLAB.
    """

    projection: Doubles
    camera: Doubles
    tof_size: tuple[int, int] = TOF_SIZE
    target_size: tuple[int, int] = TARGET_SIZE
    first: float = 0.0

    def __post_init__(self) -> None:
        for name, shape in (("projection", (3, 4)), ("camera", (3, 3))):
            matrix = np.array(getattr(self, name), np.float64)
            if matrix.shape != shape or not np.isfinite(matrix).all():
                raise InputError(f"rig: {name} is {matrix.tolist()}; give {shape[0]}×{shape[1]} finite numbers")
            if abs(np.linalg.det(matrix[:, :3])) < 1e-12:
                raise InputError(f"rig: {name} is {matrix.tolist()}, which has no inverse; check the calibration")
            object.__setattr__(self, name, matrix)
        if min(*self.tof_size, *self.target_size) < 1:
            raise InputError(f"rig: sizes are {self.tof_size} and {self.target_size}; give at least 1×1")

    def resized(self, target_size: tuple[int, int], tof_size: tuple[int, int]) -> "Rig":
        """Give the same cameras with other resolutions."""
        return Rig(
            projection=_resizing(self.tof_size, tof_size, self.first) @ self.projection,
            camera=_resizing(self.target_size, target_size, self.first) @ self.camera,
            tof_size=tof_size,
            target_size=target_size,
            first=self.first,
        )

    @cached_property
    def eye(self) -> Doubles:
        """The range camera's centre."""
        return np.asarray(-np.linalg.solve(self.projection[:, :3], self.projection[:, 3]))

    @cached_property
    def rays(self) -> Doubles:
        """Unit vectors (H, W, 3) along the range camera's pixels, away from it."""
        directions = _through_pixels(self.projection[:, :3], self.tof_size, self.first)
        return np.asarray(directions / np.linalg.norm(directions, axis=-1, keepdims=True))


def _resizing(before: tuple[int, int], after: tuple[int, int], first: float) -> Doubles:
    """Give the matrix that takes pixels of an image to those of the same image in another size."""
    y, x = after[0] / before[0], after[1] / before[1]
    shift = 0.5 - first
    return np.array([[x, 0, (x - 1) * shift], [0, y, (y - 1) * shift], [0, 0, 1]])


def _through_pixels(matrix: Doubles, size: tuple[int, int], first: float) -> Doubles:
    """Give directions that the matrix takes to the pixels, with positive depth before its camera."""
    y, x = np.mgrid[: size[0], : size[1]] + first
    pixels = np.stack([x, y, np.ones(size)], axis=-1)
    return np.asarray(pixels @ np.linalg.inv(matrix).T * np.sign(np.linalg.det(matrix)))


def draw_rig(rng: np.random.Generator | None = None) -> Rig:
    """Give a rig of the benchmark's form, in millimetres; a plausible one, or one drawn around it.

    The target sees about four fifths of the range camera's width; the cameras stand a hand's breadth apart.
    """
    amount = np.zeros(8) if rng is None else rng.uniform(-1, 1, 8)
    focal, wide = 1000 * (1 + 0.05 * amount[0]), 158 * (1 + 0.05 * amount[1])
    camera = np.array([[focal, 0, 404.5], [0, focal, 304.5], [0, 0, 1]])
    lens = np.array([[wide, 0, 79.5], [0, wide, 59.5], [0, 0, 1]])
    x, y, z = np.radians([1.0, -3.5, 0.5] + 1.5 * amount[2:5])
    turn = np.array([[1, -z, y], [z, 1, -x], [-y, x, 1]])
    left, _, right = np.linalg.svd(turn)
    shift = np.array([45.0, 4.0, -8.0]) + amount[5:8] * np.array([15.0, 10.0, 10.0])
    return Rig(projection=lens @ np.column_stack([left @ right, shift]), camera=camera)


def project_to_tof(depth: ArrayLike, rig: Rig, *, mixed: bool = True) -> Floats:
    """Give the ranges (NaN where nothing is seen) of a z map of the target view.

    Each pixel is split in quarters, and each of these sees the nearest point in it. The pixel reports their mean, as
    one that collects light over its area, or the nearest to the mean if it is not `mixed`.
    """
    values = np.asarray(depth, np.float64)
    if values.shape != rig.target_size:
        raise InputError(f"depth map: the shape is {values.shape}; this rig's target is {rig.target_size}")
    sign = float(np.sign(np.linalg.det(rig.projection[:, :3])))
    fine = np.full((2 * rig.tof_size[0], 2 * rig.tof_size[1]), np.inf)
    _look(values, np.asarray(np.linalg.inv(rig.camera), np.float64), sign * rig.projection, rig.eye, rig.first, fine)
    quarters = np.stack([fine[i::2, j::2] for i in (0, 1) for j in (0, 1)])
    return _collect(np.where(np.isfinite(quarters), quarters, np.nan), mixed=mixed)


@njit(cache=True, nogil=True, error_model="numpy")
def _look(depth: Doubles, inverse: Doubles, projection: Doubles, eye: Doubles, first: float, fine: Doubles) -> None:
    """Lower the quarter of the range camera's pixel that each point of the map falls in to the point's range."""
    height, width = depth.shape
    for row in range(height):
        for column in range(width):
            x, y = column + first, row + first
            scale = depth[row, column] / (inverse[2, 0] * x + inverse[2, 1] * y + inverse[2, 2])
            px = (inverse[0, 0] * x + inverse[0, 1] * y + inverse[0, 2]) * scale
            py = (inverse[1, 0] * x + inverse[1, 1] * y + inverse[1, 2]) * scale
            pz = depth[row, column]
            u = projection[0, 0] * px + projection[0, 1] * py + projection[0, 2] * pz + projection[0, 3]
            v = projection[1, 0] * px + projection[1, 1] * py + projection[1, 2] * pz + projection[1, 3]
            w = projection[2, 0] * px + projection[2, 1] * py + projection[2, 2] * pz + projection[2, 3]
            if pz > 0 and w > 0:
                distance = math.sqrt((px - eye[0]) ** 2 + (py - eye[1]) ** 2 + (pz - eye[2]) ** 2)
                # a quarter's centre lies a quarter of a pixel beside the pixel's
                _lower(fine, 2 * (u / w - first) + 0.5, 2 * (v / w - first) + 0.5, distance)


def _collect(quarters: Doubles, *, mixed: bool) -> Floats:
    seen = np.isfinite(quarters)
    count = seen.sum(axis=0)
    mean = np.divide(
        np.where(seen, quarters, 0).sum(axis=0), count, out=np.full(count.shape, np.nan), where=count > 0
    )
    if mixed:
        return np.asarray(mean, np.float32)
    away = np.where(seen, np.abs(quarters - mean), np.inf)
    return np.asarray(np.take_along_axis(quarters, away.argmin(axis=0)[None], axis=0)[0], np.float32)


def warp_to_target(ranges: ArrayLike, rig: Rig, valid: ArrayLike | None = None) -> Floats:
    """Give the z map of the target view, NaN but where a measured point falls in the pixel; the nearest wins."""
    values = np.asarray(ranges, np.float64)
    if values.shape != rig.tof_size:
        raise InputError(f"range image: the shape is {values.shape}; this rig's is {rig.tof_size}")
    measured = np.isfinite(values) & (values > 0)
    if valid is not None:
        measured &= np.asarray(valid, bool)
    points = rig.eye + rig.rays[measured] * values[measured][:, None]
    image = points @ rig.camera.T
    target = np.full(rig.target_size, np.inf)
    depth = points[:, 2]
    _splat(image[:, :2] / image[:, 2:] - rig.first, np.where(image[:, 2] > 0, depth, np.nan), target)
    return np.where(np.isfinite(target), target, np.nan).astype(np.float32)


@njit(cache=True, nogil=True, error_model="numpy")
def _splat(places: Doubles, values: Doubles, image: Doubles) -> None:
    """Lower the pixel that each place (column, row) falls in to its value."""
    for k in range(values.size):
        _lower(image, places[k, 0], places[k, 1], values[k])


@njit(cache=True, nogil=True, error_model="numpy")
def _lower(image: Doubles, x: float, y: float, value: float) -> None:
    """Lower the pixel round (x, y) to the value, if there is one and the pixel is inside."""
    column, row = np.floor(x + 0.5), np.floor(y + 0.5)
    if value > 0 and 0 <= column < image.shape[1] and 0 <= row < image.shape[0]:
        image[int(row), int(column)] = min(image[int(row), int(column)], value)


@dataclass(frozen=True, kw_only=True, eq=False, slots=True)
class Observation:
    """What the range camera saw: its noisy ranges, the few hit pixels of the target, and all of them inpainted."""

    ranges: Floats
    sparse: Floats
    dense: Floats

    @property
    def valid(self) -> Mask:
        """Where the range camera measured."""
        return np.isfinite(self.ranges)


def observe(depth: ArrayLike, rig: Rig, law: NoiseLaw, rng: np.random.Generator) -> Observation:
    """Measure a z map of the target view by the rig's range camera, with noise."""
    ranges = add_noise(project_to_tof(depth, rig), law, rng)
    sparse = warp_to_target(ranges, rig)
    return Observation(ranges=ranges, sparse=sparse, dense=inpaint(sparse))


@dataclass(frozen=True, kw_only=True)
class ToFMark:
    """The rig as a sensor of maps of any size: what it reports has the map's own size, all of it inpainted.

    Each map draws a rig of its own. At scale 5 the range camera has the benchmark's share of the target's pixels.
    """

    unit: ClassVar[SensorUnit] = "mm"
    law: NoiseLaw = TOFMARK_NOISE

    def measure(self, truth: Floats, scale: int, rng: np.random.Generator) -> Measurement:
        """Measure a z map."""
        height, width = truth.shape
        shares = height / TARGET_SIZE[0] * SCALE / scale, width / TARGET_SIZE[1] * SCALE / scale
        rows, columns = (max(1, round(side * share)) for side, share in zip(TOF_SIZE, shares, strict=True))
        rig = draw_rig(rng).resized((height, width), (rows, columns))
        dense = observe(truth, rig, self.law, rng).dense
        return Measurement(low=dense, valid=np.ones(truth.shape, dtype=bool), sigma=self.law.sigma(dense))
