"""The intensity image of a scene: Lambert's law on solids with colours and patterns of their own.

Colours come from a small palette, so that neighbours may look alike where the depth jumps, and patterns put edges
where it does not: a guide is a help, not the answer.
"""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.raycaster import BALL, BOX, FIELD, FRUSTUM, PLANE, TORUS
from atgvnet.scenes.scene import Scene
from atgvnet.scenes.traced import rise

__all__ = ["shade"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Integers = NDArray[np.int64]

PLAIN, CHECKS, STRIPES, MARBLE = range(4)


def shade(scene: Scene, depth: Floats, names: Integers) -> Floats:
    """Give the image (H, W, 3) in 0…1 of a scene that was cast with names."""
    draw = Draw(scene.look)
    count = len(scene.solids.kinds)
    palette = [_colour(draw) for _ in range(draw.integer(3, 12))]
    # the last one is the background's
    colours = np.array([(draw.pick(palette), draw.pick(palette)) for _ in range(count + 1)])
    patterns = np.array([_pattern(draw, scene.view.half) for _ in range(count + 1)])
    light = np.array([draw.uniform(-1, 1), -draw.uniform(0.2, 1), -draw.uniform(0.4, 1)])
    light *= draw.uniform(0.6, 1.0) / np.linalg.norm(light)
    solids, view = scene.solids, scene.view
    image = np.empty((*depth.shape, 3), np.float32)
    frames = np.linalg.inv(solids.axes).astype(np.float64)
    lengths = np.sqrt((solids.axes**2).sum(axis=1))
    geometry = (solids.kinds, solids.centres, frames, lengths, solids.shapes)
    _fill(image, depth, names, geometry, colours, patterns, light, view.pinhole, view.half)
    return image


def _colour(draw: Draw) -> tuple[float, float, float]:
    grey, tint = draw.uniform(0.1, 0.95), draw.uniform(0, 0.4)
    red, green, blue = (min(1.0, max(0.03, grey + tint * draw.uniform(-1, 1))) for _ in range(3))
    return red, green, blue


def _pattern(draw: Draw, half: float) -> tuple[float, float, float]:
    """Draw a kind, periods per unit length and strength."""
    kind = draw.pick((PLAIN, PLAIN, CHECKS, STRIPES, MARBLE, MARBLE, MARBLE))
    return float(kind), draw.log(2, 30) / half, draw.uniform(0.1, 1.0)


@njit(cache=True, nogil=True, error_model="numpy")
def _fill(
    image: Floats,
    depth: Floats,
    names: Integers,
    geometry: tuple[Integers, Doubles, Doubles, Doubles, Doubles],
    colours: Doubles,
    patterns: Doubles,
    light: Doubles,
    pinhole: bool,
    half: float,
) -> None:
    kinds, centres, frames, lengths, shapes = geometry
    height, width = depth.shape
    pixel = 2.0 / max(height, width)
    point, place, normal = np.empty(3), np.empty(3), np.empty(3)
    for row in range(height):
        for column in range(width):
            k, z = names[row, column], float(depth[row, column])
            reach = half * z if pinhole else half
            point[0] = (column - (width - 1) / 2) * pixel * reach
            point[1] = (row - (height - 1) / 2) * pixel * reach
            point[2] = z
            bright = 0.8
            place[:] = point
            if k >= 0:
                place[:] = _times(frames[k], point - centres[k])
                _normal(kinds[k], place, shapes[k], normal)
                bright = _lambert(_times(frames[k].T, normal), point, light, pinhole)
                place *= lengths[k]
            share = patterns[k, 2] * _texture(int(patterns[k, 0]), place * patterns[k, 1])
            for channel in range(3):
                albedo = colours[k, 0, channel] * (1 - share) + colours[k, 1, channel] * share
                image[row, column, channel] = min(1.0, albedo * bright)


@njit(cache=True, nogil=True, error_model="numpy")
def _times(matrix: Doubles, vector: Doubles) -> Doubles:
    result = np.zeros(3)
    for i in range(3):
        for j in range(3):
            result[i] += matrix[i, j] * vector[j]
    return result


@njit(cache=True, nogil=True, error_model="numpy")
def _lambert(normal: Doubles, point: Doubles, light: Doubles, pinhole: bool) -> float:
    """Give the brightness of the side that one sees."""
    length = math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2)
    away = normal[2] if not pinhole else normal[0] * point[0] + normal[1] * point[1] + normal[2] * point[2]
    facing = -(normal[0] * light[0] + normal[1] * light[1] + normal[2] * light[2]) / max(length, 1e-12)
    return float(0.35 + max(0.0, facing if away > 0 else -facing))


@njit(cache=True, nogil=True, error_model="numpy")
def _normal(kind: int, place: Doubles, shape: Doubles, normal: Doubles) -> None:
    """Give the gradient of a solid's equation in its own frame."""
    x, y, z = place
    if kind == BALL:
        normal[:] = place
    elif kind == FRUSTUM:
        slope = (shape[0] - 1) / 2
        radius = (1 + shape[0]) / 2 + slope * z
        on_side = abs(math.sqrt(x * x + y * y) - radius) < 1 - abs(z)
        normal[0], normal[1], normal[2] = (x, y, -radius * slope) if on_side else (0.0, 0.0, z)
    elif kind == TORUS:
        inward = (1 - shape[0]) / max(math.sqrt(x * x + y * y), 1e-12)
        normal[0], normal[1], normal[2] = x * (1 - inward), y * (1 - inward), z
    elif kind == FIELD:
        _slopes(x, y, shape, normal)
    elif kind == PLANE:
        normal[0], normal[1], normal[2] = 0.0, 0.0, 1.0
    elif kind == BOX:
        largest = max(abs(x), abs(y), abs(z))
        for i in range(3):
            normal[i] = place[i] if abs(place[i]) == largest else 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def _slopes(x: float, y: float, shape: Doubles, normal: Doubles) -> None:
    """Give the gradient of z - Σ waves."""
    normal[0], normal[1], normal[2] = 0.0, 0.0, 1.0
    for i in range(3):
        phase = shape[3 * i + 1] * x + shape[3 * i + 2] * y
        slope = shape[3 * i] * rise(phase)
        normal[0] -= slope * shape[3 * i + 1]
        normal[1] -= slope * shape[3 * i + 2]


@njit(cache=True, nogil=True, error_model="numpy")
def _texture(kind: int, place: Doubles) -> float:
    """Give 0…1 at a place measured in periods."""
    if kind == CHECKS:
        return float((math.floor(place[0]) + math.floor(place[1]) + math.floor(place[2])) % 2)
    if kind == STRIPES:
        return float(math.floor(2 * (place[0] + 0.6 * place[1] + 0.2 * place[2])) % 2)
    if kind == MARBLE:
        return 0.6 * _lattice(place) + 0.3 * _lattice(2.1 * place) + 0.1 * _lattice(4.3 * place)
    return 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def _lattice(place: Doubles) -> float:
    """Interpolate random numbers on the lattice of whole numbers."""
    x, y, z = math.floor(place[0]), math.floor(place[1]), math.floor(place[2])
    fx, fy, fz = place[0] - x, place[1] - y, place[2] - z
    total = 0.0
    for i in range(2):
        for j in range(2):
            for k in range(2):
                weight = (fx if i else 1 - fx) * (fy if j else 1 - fy) * (fz if k else 1 - fz)
                total += weight * _hash(int(x) + i, int(y) + j, int(z) + k)
    return float(total)


@njit(cache=True, nogil=True, error_model="numpy")
def _hash(x: int, y: int, z: int) -> float:
    """Give a number in 0…1 that looks random."""
    word = (x * 73856093) ^ (y * 19349663) ^ (z * 83492791)
    word = (word ^ (word >> 13)) * 1274126177
    return float((word ^ (word >> 16)) & 0xFFFF) / 0xFFFF
