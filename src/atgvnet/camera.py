"""Pinhole geometry: rays, points, range along the ray against z, rescaled intrinsics.

The pixel-centre rule of the whole package: pixel (0, 0) is a square of side 1 whose centre has the coordinates
(0, 0); the image spans [-0.5, width - 0.5]. Resampling by s keeps the spanned area, so a point x of the small
image lies at s (x + 0.5) - 0.5 of the large one. Rays are not normalised: they reach z = 1.
"""

import json
import math
from dataclasses import asdict, dataclass, fields
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from atgvnet.errors import InputError

__all__ = ["Camera"]

Array = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, slots=True)
class Camera:
    """Intrinsics in pixels; the baseline, where a disparity is to be converted, in metres."""

    fx: float
    fy: float
    cx: float
    cy: float
    baseline: float | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None or field.name != "baseline":
                object.__setattr__(self, field.name, _finite(field.name, value))
        if self.fx <= 0 or self.fy <= 0:
            raise InputError(f"camera: focal lengths are {self.fx} and {self.fy}; give positive pixels")
        if self.baseline is not None and self.baseline <= 0:
            raise InputError(f"camera: baseline is {self.baseline}; give positive metres")

    @classmethod
    def from_json(cls, text: str) -> "Camera":
        """Read the JSON object that `to_json` writes: fx, fy, cx, cy and, if wanted, baseline.

        >>> Camera.from_json('{"fx": 500, "fy": 500, "cx": 319.5, "cy": 239.5}').fx
        500.0
        """
        try:
            return cls(**json.loads(text))
        except InputError:
            raise
        except (TypeError, ValueError, RecursionError) as error:
            raise InputError(f"camera: {error}; give a JSON object of fx, fy, cx, cy, baseline") from error

    def to_json(self) -> str:
        """Write the object that `from_json` reads."""
        return json.dumps({key: value for key, value in asdict(self).items() if value is not None})

    def rescaled(self, scale_y: float, scale_x: float) -> "Camera":
        """Give the camera of the map resampled by these factors.

        >>> Camera(fx=100, fy=100, cx=79.5, cy=59.5).rescaled(4, 4)
        Camera(fx=400.0, fy=400.0, cx=319.5, cy=239.5, baseline=None)
        """
        return Camera(
            fx=self.fx * scale_x,
            fy=self.fy * scale_y,
            cx=(self.cx + 0.5) * scale_x - 0.5,
            cy=(self.cy + 0.5) * scale_y - 0.5,
            baseline=self.baseline,
        )

    def rays(self, shape: tuple[int, int]) -> NDArray[np.float64]:
        """Directions (H, W, 3) through the pixel centres, reaching z = 1."""
        y, x = self._slopes(shape)
        result = np.ones((*shape, 3))
        result[..., 0], result[..., 1] = x, y
        return result

    def points(self, z: Array) -> NDArray[np.float64]:
        """Points (H, W, 3) of a z map, x to the right, y down, z away from the camera."""
        return self.rays((z.shape[0], z.shape[1])) * z[..., None].astype(np.float64)

    def range_per_z(self, shape: tuple[int, int]) -> NDArray[np.float64]:
        """Distance along each pixel's ray for a z of 1."""
        y, x = self._slopes(shape)
        return np.asarray(np.sqrt(x * x + (y * y + 1)))

    def flip_disparity(self, values: Array) -> Array:
        """Metres from disparity or disparity from metres: both are fx · baseline over the other.

        What is not positive has no counterpart, and becomes NaN: a disparity of 0 is infinitely far.
        """
        if self.baseline is None:
            raise InputError("camera: it has no baseline; give one in metres to convert disparities")
        positive = np.where(values > 0, values, np.float32(np.nan))
        with np.errstate(over="ignore"):
            return np.asarray(np.float64(self.fx * self.baseline) / positive, dtype=np.float32)

    def _slopes(self, shape: tuple[int, int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Give the rays' y as a column and x as a row."""
        y = (np.arange(shape[0], dtype=np.float64) - self.cy) / self.fy
        return y[:, None], (np.arange(shape[1], dtype=np.float64) - self.cx) / self.fx


def _finite(name: str, value: object) -> float:
    try:
        number = float(value) if isinstance(value, Real) else math.nan
    except OverflowError:  # an integer beyond all floats
        number = math.inf
    if isinstance(value, bool) or not math.isfinite(number):
        raise InputError(f"camera: {name} is {value!r}; give a finite number")
    return number
