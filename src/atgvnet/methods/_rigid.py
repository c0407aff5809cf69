"""The search of `hornacek`: for every point of a depth map, a rigid motion that takes its surroundings onto others.

A patch S(x) is all points within a radius of the point P(x). A motion g = (R, t) takes it to the surroundings of
g(P(x)); how well is the mean squared distance of moved points to the nearest points there, and of the points there,
moved back, to the nearest points here. Nearest points are looked for around the pixel that a point projects to.
Only motions are allowed towards at least as many points, as only denser samples can add detail, and away from the
patch itself.

The field of motions is found as PatchMatch does: random motions at first, then in alternating order every pixel
tries the motions of its neighbours and random changes, ever smaller, of its own.

Points are samples: a patch that lies tilted through the surface that it is moved onto may be as near to the points of
that surface as one that lies in it. So every motion found is turned and shifted, by least squares on the distances to
the tangents there, until the patch lies in the surface (Chen and Medioni 1992; the publication has no such step).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["Cloud", "find_motions", "lesser_steps"]

Doubles = NDArray[np.float64]
Pixels = NDArray[np.int64]
_CHANGES = 4
_BANDS = 16
_REACH = 16  # pixels of a patch to either side, at most
_MOST_POINTS = (2 * _REACH + 1) ** 2
_LAID = 8  # steps of least squares
_DAMPING = 1e-5


@dataclass(frozen=True, kw_only=True, eq=False)
class Cloud:
    """A map's points (H, W, 3), NaN where missing, by pixel; the focal length in pixels; the radius of a patch.

    The principal point is the centre of the image.
    """

    points: Doubles
    focal: float
    radius: float

    @classmethod
    def of(cls, z: Doubles, focal: float, radius: float) -> "Cloud":
        """Back-project a map of z."""
        rows, columns = np.indices(z.shape)
        x, y = columns - (z.shape[1] - 1) / 2, rows - (z.shape[0] - 1) / 2
        return cls(points=np.stack([x * z / focal, y * z / focal, z], axis=-1), focal=focal, radius=radius)


def find_motions(cloud: Cloud, turns: int, seed: int, progress: Callable[[float], None]) -> tuple[Doubles, Doubles]:
    """Give each pixel's motion (H, W, 3, 4), R beside t, and its cost in squared radii; inf where none was found."""
    points = cloud.points
    motions = np.zeros((*points.shape[:2], 3, 4))
    costs = np.full(points.shape[:2], np.inf)
    normals = _normals(points)
    ahead = np.where(np.isfinite(normals), normals, np.array([0.0, 0.0, 1.0]))
    known = np.argwhere(np.isfinite(points[..., 2]))
    rng = np.random.default_rng(seed)
    for turn in range(turns):
        step = -1 if turn % 2 else 1
        for part, band in enumerate(np.array_split(known[::step], _BANDS)):
            _improve(band, known, points, ahead, cloud.focal, cloud.radius, motions, costs, step, rng)
            progress((turn + (part + 1) / _BANDS) / turns)
    _lay(points, normals, cloud.focal, cloud.radius, motions, costs)
    return motions, costs


def lesser_steps(values: Doubles, axis: int) -> Doubles:
    """Smaller of the differences to both neighbours, so that edges do not count; NaN without any.

    Which is smaller is judged by the last channel.
    """
    step = np.diff(values, axis=axis)
    edge = np.full_like(np.take(values, [0], axis=axis), np.nan)
    before, after = np.concatenate([edge, step], axis=axis), np.concatenate([step, edge], axis=axis)
    sizes = [np.nan_to_num(np.abs(side[..., -1:]), nan=np.inf) for side in (before, after)]
    return np.where(sizes[0] < sizes[1], before, after)


def _normals(points: Doubles) -> Doubles:
    """Cross product of the steps in x and y; NaN where there is none."""
    normals = np.cross(lesser_steps(points, 1), lesser_steps(points, 0))
    with np.errstate(invalid="ignore"):
        normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return normals


@njit(cache=True, nogil=True)
def _pixel(p: Doubles, focal: float, height: int, width: int) -> tuple[int, int]:
    """Pixel that a point projects to; (-1, -1) outside."""
    if not p[2] > 0:
        return -1, -1
    x = p[0] * focal / p[2] + (width - 1) / 2
    y = p[1] * focal / p[2] + (height - 1) / 2
    if not (-0.5 <= x < width - 0.5 and -0.5 <= y < height - 0.5):
        return -1, -1
    return math.floor(y + 0.5), math.floor(x + 0.5)


@njit(cache=True, nogil=True)
def _nearest(points: Doubles, p: Doubles, focal: float, most: float) -> float:
    """Squared distance to the nearest point around the pixel that p projects to, at most `most`."""
    height, width, _ = points.shape
    y, x = _pixel(p, focal, height, width)
    best = most
    if y < 0:
        return best
    for j in range(max(0, y - 1), min(height, y + 2)):
        for i in range(max(0, x - 1), min(width, x + 2)):
            dx, dy, dz = points[j, i, 0] - p[0], points[j, i, 1] - p[1], points[j, i, 2] - p[2]
            squared = dx * dx + dy * dy + dz * dz
            if squared < best:
                best = squared
    return best


@njit(cache=True, nogil=True)
def _gather(points: Doubles, y: int, x: int, centre: Doubles, focal: float, radius: float, patch: Doubles) -> int:
    """Copy the points around a centre that projects to (y, x); how many."""
    height, width, _ = points.shape
    reach = min(math.ceil(radius * focal / centre[2]), _REACH)
    count = 0
    for j in range(max(0, y - reach), min(height, y + reach + 1)):
        for i in range(max(0, x - reach), min(width, x + reach + 1)):
            p = points[j, i]
            away = (p[0] - centre[0]) ** 2 + (p[1] - centre[1]) ** 2 + (p[2] - centre[2]) ** 2
            if away <= radius * radius:
                patch[count] = p
                count += 1
    return count


@njit(cache=True, nogil=True)
def _misfit(points: Doubles, patch: Doubles, motion: Doubles, focal: float, radius: float, limit: float) -> float:
    """Mean squared distance of a moved patch, in squared radii; inf where it reaches the limit."""
    total, most = 0.0, limit * len(patch) * radius * radius
    moved = np.empty(3)
    for n in range(len(patch)):
        for k in range(3):
            moved[k] = motion[k, 0] * patch[n, 0] + motion[k, 1] * patch[n, 1] + motion[k, 2] * patch[n, 2]
            moved[k] += motion[k, 3]
        total += _nearest(points, moved, focal, radius * radius)
        if total >= most:
            return np.inf
    return total / (len(patch) * radius * radius)


@njit(cache=True, nogil=True)
def _apply(motion: Doubles, p: Doubles) -> Doubles:
    moved = motion[:, 3].copy()
    for k in range(3):
        moved += motion[:, k] * p[k]
    return moved


@njit(cache=True, nogil=True)
def _inverse(motion: Doubles) -> Doubles:
    result = np.empty((3, 4))
    for k in range(3):
        for m in range(3):
            result[k, m] = motion[m, k]
        result[k, 3] = -(motion[0, k] * motion[0, 3] + motion[1, k] * motion[1, 3] + motion[2, k] * motion[2, 3])
    return result


@njit(cache=True, nogil=True)
def _cost(
    points: Doubles, y: int, x: int, patch: Doubles, motion: Doubles, focal: float, radius: float, limit: float
) -> float:
    """Mean of both ways; inf where it reaches the limit or the motion is not allowed."""
    height, width, _ = points.shape
    target = _apply(motion, points[y, x])
    to_y, to_x = _pixel(target, focal, height, width)
    if to_y < 0 or (abs(to_y - y) <= 1 and abs(to_x - x) <= 1):
        return np.inf
    forward = _misfit(points, patch, motion, focal, radius, 2 * limit)
    if forward == np.inf:
        return np.inf
    others = np.empty((_MOST_POINTS, 3))
    count = _gather(points, to_y, to_x, target, focal, radius, others)
    if count < len(patch):
        return np.inf
    return (forward + _misfit(points, others[:count], _inverse(motion), focal, radius, 2 * limit - forward)) / 2


@njit(cache=True, nogil=True)
def _rotation(axis: Doubles, angle: float) -> Doubles:
    x, y, z = axis / max(1e-12, math.sqrt(axis[0] ** 2 + axis[1] ** 2 + axis[2] ** 2))
    c, s = math.cos(angle), math.sin(angle)
    d = 1 - c
    return np.array(
        [
            [c + x * x * d, x * y * d - z * s, x * z * d + y * s],
            [y * x * d + z * s, c + y * y * d, y * z * d - x * s],
            [z * x * d - y * s, z * y * d + x * s, c + z * z * d],
        ]
    )


@njit(cache=True, nogil=True)
def _onto(rotation: Doubles, start: Doubles, end: Doubles) -> Doubles:
    """Give the motion with this rotation that takes one point to another."""
    motion = np.empty((3, 4))
    motion[:, :3] = rotation
    for k in range(3):
        motion[k, 3] = end[k] - (rotation[k, 0] * start[0] + rotation[k, 1] * start[1] + rotation[k, 2] * start[2])
    return motion


@njit(cache=True, nogil=True)
def _random(points: Doubles, normals: Doubles, y: int, x: int, rng: np.random.Generator, known: Pixels) -> Doubles:
    """Give a motion onto a random point that aligns the normals and spins about them at random."""
    j, i = known[rng.integers(0, len(known))]
    here, there = normals[y, x], normals[j, i]
    cross = np.array(
        [
            here[1] * there[2] - here[2] * there[1],
            here[2] * there[0] - here[0] * there[2],
            here[0] * there[1] - here[1] * there[0],
        ]
    )
    cosine = here[0] * there[0] + here[1] * there[1] + here[2] * there[2]
    sine = math.sqrt(cross[0] ** 2 + cross[1] ** 2 + cross[2] ** 2)
    tilt = _rotation(cross, math.atan2(sine, cosine)) if sine > 1e-9 else np.eye(3)
    return _onto(_rotation(there, rng.uniform(-math.pi, math.pi)) @ tilt, points[y, x], points[j, i])


@njit(cache=True, nogil=True)
def _changed(motion: Doubles, p: Doubles, radius: float, size: float, rng: np.random.Generator) -> Doubles:
    """Turn and shift a motion at random, by at most `size` radians and radii."""
    axis = np.array([rng.normal(), rng.normal(), rng.normal()])
    rotation = _rotation(axis, rng.uniform(-size, size)) @ np.ascontiguousarray(motion[:, :3])
    end = _apply(motion, p)
    for k in range(3):
        end[k] += rng.uniform(-size, size) * radius
    return _onto(rotation, p, end)


@njit(cache=True, nogil=True)
def _improve(
    pixels: Pixels,
    known: Pixels,
    points: Doubles,
    normals: Doubles,
    focal: float,
    radius: float,
    motions: Doubles,
    costs: Doubles,
    step: int,
    rng: np.random.Generator,
) -> None:
    """Visit pixels in the given order; the neighbours visited before them are behind them in that order."""
    height, width = costs.shape
    surroundings = np.empty((_MOST_POINTS, 3))
    for n in range(len(pixels)):
        y, x = pixels[n]
        patch = surroundings[: _gather(points, y, x, points[y, x], focal, radius, surroundings)]
        for trial in range(3 + _CHANGES):
            if trial == 0:
                motion = _random(points, normals, y, x, rng, known)
            elif trial < 3:
                j, i = (y - step, x) if trial == 1 else (y, x - step)
                if not (0 <= j < height and 0 <= i < width and costs[j, i] < np.inf):
                    continue
                motion = motions[j, i]
            elif costs[y, x] < np.inf:
                motion = _changed(motions[y, x], points[y, x], radius, 0.5 ** (trial - 2), rng)
            else:
                continue
            cost = _cost(points, y, x, patch, motion, focal, radius, costs[y, x])
            if cost < costs[y, x]:
                costs[y, x] = cost
                motions[y, x] = motion


@njit(cache=True, nogil=True)
def _lay(points: Doubles, normals: Doubles, focal: float, radius: float, motions: Doubles, costs: Doubles) -> None:
    """Lay every moved patch into the surface that it was moved onto."""
    height, width = costs.shape
    surroundings = np.empty((_MOST_POINTS, 3))
    for y in range(height):
        for x in range(width):
            if costs[y, x] < np.inf:
                count = _gather(points, y, x, points[y, x], focal, radius, surroundings)
                for _ in range(_LAID):
                    _lay_once(points, normals, points[y, x], surroundings[:count], focal, radius, motions[y, x])


@njit(cache=True, nogil=True)
def _lay_once(
    points: Doubles, normals: Doubles, centre: Doubles, patch: Doubles, focal: float, radius: float, motion: Doubles
) -> None:
    """Turn and shift a motion by one damped step of least squares on the distances to the tangents at nearest points.

    Points farther from all there than half a radius do not count; nor does a step of more than one radius or radian.
    """
    target = _apply(motion, centre)
    products, sums, row = np.zeros((6, 6)), np.zeros(6), np.empty(6)
    for n in range(len(patch)):
        p = _apply(motion, patch[n])
        j, i = _nearest_pixel(points, p, focal, radius / 2)
        if j < 0 or math.isnan(normals[j, i, 0]):
            continue
        normal, arm = normals[j, i], (p - target) / radius
        for k in range(3):
            row[k] = arm[(k + 1) % 3] * normal[(k + 2) % 3] - arm[(k + 2) % 3] * normal[(k + 1) % 3]
            row[k + 3] = normal[k]
        away = ((points[j, i] - p) * normal).sum() / radius
        products += np.outer(row, row)
        sums += away * row
    weight = np.trace(products)
    if not weight > 0:
        return
    step = np.linalg.solve(products + _DAMPING * weight * np.eye(6), sums)
    if (step**2).sum() > 1:
        return
    turn = _rotation(step[:3], math.sqrt((step[:3] ** 2).sum()))
    motion[:] = _onto(turn @ np.ascontiguousarray(motion[:, :3]), centre, target + radius * step[3:])


@njit(cache=True, nogil=True)
def _nearest_pixel(points: Doubles, p: Doubles, focal: float, most: float) -> tuple[int, int]:
    """Pixel of the nearest point, less than `most` away, around the one that p projects to; (-1, -1) without any."""
    height, width, _ = points.shape
    y, x = _pixel(p, focal, height, width)
    found, best = (-1, -1), most * most
    if y < 0:
        return found
    for j in range(max(0, y - 1), min(height, y + 2)):
        for i in range(max(0, x - 1), min(width, x + 2)):
            squared = ((points[j, i] - p) ** 2).sum()
            if squared < best:
                found, best = (j, i), squared
    return found
