"""A depth map as points in space, with normals and colours, and as a PLY file.

Points follow from the camera: x to the right, y down, z away from it, in the map's unit. A normal is the cross
product of the differences to the neighbours, each time the one whose depth is nearer, so that it belongs to the
pixel's own surface and not to the edge beside it; it points to the camera.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from atgvnet.depthmap import DepthMap
from atgvnet.errors import UnitError
from atgvnet.io import atomic

__all__ = ["PointCloud", "point_cloud", "write_ply"]

Floats = NDArray[np.float32]
LAYOUT = np.dtype(
    [(name, "<f4") for name in ("x", "y", "z", "nx", "ny", "nz")]
    + [(name, "u1") for name in ("red", "green", "blue")]
)
PLY_TYPES = {"<f4": "float", "|u1": "uchar"}


@dataclass(frozen=True, kw_only=True, eq=False)
class PointCloud:
    """Points and normals (N, 3), colours (N, 3) in 0…255."""

    points: Floats
    normals: Floats
    colours: NDArray[np.uint8]


def point_cloud(depth: DepthMap, colours: NDArray[np.uint8] | None = None) -> PointCloud:
    """Give the valid pixels' points; without colours (H, W, 3), near is bright."""
    if depth.camera is None:
        raise UnitError("points: the map has no camera; give one with fx, fy, cx and cy")
    metric = depth.to_unit("m") if depth.unit == "disparity" else depth
    z = metric.to_kind("z").values
    grid = depth.camera.points(z)
    normals = _normals(grid)
    colours = _shades(z) if colours is None else colours
    known = depth.valid & np.isfinite(z) & np.isfinite(normals).all(axis=-1)
    return PointCloud(
        points=grid[known].astype(np.float32), normals=normals[known].astype(np.float32), colours=colours[known]
    )


def write_ply(cloud: PointCloud, path: str | Path) -> None:
    """Write a binary PLY file, whole or not at all."""
    rows = np.empty(len(cloud.points), dtype=LAYOUT)
    for names, columns in (("xyz", cloud.points), (("nx", "ny", "nz"), cloud.normals)):
        for name, column in zip(names, columns.T, strict=True):
            rows[name] = column
    for name, column in zip(("red", "green", "blue"), cloud.colours.T, strict=True):
        rows[name] = column
    properties = [f"property {PLY_TYPES[LAYOUT[name].str]} {name}" for name in LAYOUT.names or ()]
    header = ["ply", "format binary_little_endian 1.0", f"element vertex {len(rows)}", *properties, "end_header", ""]
    with atomic(path) as stream:
        stream.write("\n".join(header).encode())
        stream.write(rows.tobytes())


def _normals(grid: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give unit normals (H, W, 3); NaN where a pixel has no neighbour in x or in y."""
    along_x, along_y = _nearer_difference(grid, 1), _nearer_difference(grid, 0)
    normals = np.cross(along_y, along_x)
    with np.errstate(invalid="ignore", divide="ignore"):
        normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return np.where((normals * grid).sum(axis=-1, keepdims=True) > 0, -normals, normals)


def _nearer_difference(grid: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """Difference to the next or from the previous point along an axis, whichever is nearer in depth."""
    step = np.diff(grid, axis=axis)
    gap = np.full_like(np.take(grid, [0], axis=axis), np.nan)
    after, before = np.concatenate([step, gap], axis=axis), np.concatenate([gap, step], axis=axis)
    jump_after, jump_before = (np.abs(each[..., 2:]) for each in (after, before))
    takes_after = ~(jump_before < np.where(np.isnan(jump_after), np.inf, jump_after))
    return np.where(takes_after, after, before)


def _shades(z: Floats) -> NDArray[np.uint8]:
    near, far = np.nanquantile(z, (0.01, 0.99)) if np.isfinite(z).any() else (0.0, 1.0)
    share = np.clip((far - np.nan_to_num(z, nan=far)) / max(far - near, 1e-9), 0, 1)
    return np.repeat((55 + 200 * share).astype(np.uint8)[..., None], 3, axis=-1)
