"""The stage of an indoor scene: a wall, perhaps a floor and more planes, and places where things can be put."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.layout import along, box, standing, turned
from atgvnet.scenes.scene import Solid, Solids, View
from atgvnet.scenes.things import Thing

__all__ = ["Stage", "ground", "plane", "slanted_wall"]

Vector = tuple[float, float, float]


def plane(view: View, depth: float, slope: tuple[float, float]) -> Solid:
    """Give the plane whose depth in the image's middle is `depth`, and whose depth falls with u and v by the slopes.

    For a pinhole 1 / z = (1 + slope · (u, v)) / depth, for parallel rays z = depth (1 - slope · (u, v)).
    """
    tilt = 1 / view.half if view.pinhole else depth / view.half
    normal = (-slope[0] * tilt, -slope[1] * tilt, -1.0)
    return Solid("plane", (0.0, 0.0, depth), along(normal))


@dataclass(frozen=True, eq=False, kw_only=True)
class Stage:
    """Planes around the things; `floor` holds a point and the upward normal of the one they stand on, if any."""

    view: View
    planes: tuple[Solid, ...]
    floor: tuple[Vector, Vector] | None = None

    @classmethod
    def indoors(cls, draw: Draw, view: View, *, floor: float = 0.6) -> "Stage":
        """Draw a wall, more or less slanted, and with the given probability a floor or table top before it."""
        wall = slanted_wall(draw, view)
        if not draw.chance(floor):
            return cls(view=view, planes=(wall,))
        return cls.on(view, ground(draw, view), wall)

    @classmethod
    def on(cls, view: View, floor: Solid, *others: Solid) -> "Stage":
        """Give the stage of a floor and other planes."""
        x, y, z = np.asarray(floor.centre).tolist()
        a, b, c = np.asarray(floor.axes)[:, 2].tolist()
        return cls(view=view, planes=(*others, floor), floor=((x, y, z), (a, b, c)))

    def depth(self, uv: tuple[float, float]) -> float:
        """Give the depth of the nearest plane seen at (u, v), at most 1."""
        depths = [_depth_at(solid, self.view, uv) for solid in self.planes]
        return min([1.0, *(depth for depth in depths if depth > 0)])

    def spot(self, draw: Draw, share: float) -> tuple[Vector, NDArray[np.float64]]:
        """Draw a place before the planes, at that share of their depth, and a frame; mostly on the floor, if any."""
        uv = draw.point(-1.05, 1.05)
        place = self.view.point(uv, share * self.depth(uv))
        if self.floor is None:
            return place, draw.rotation() if draw.chance(0.4) else standing(draw, _upwards(draw))
        dropped = self._dropped(place, *self.floor)
        if dropped is None or draw.chance(0.2):
            return place, draw.rotation()
        return dropped, standing(draw, self.floor[1])

    def _dropped(self, place: Vector, point: Vector, up: Vector) -> Vector | None:
        """Move a place along the image's vertical onto the floor, unless that is far outside the image."""
        if abs(up[1]) < 0.05:
            return None
        low = point[1] - (up[0] * (place[0] - point[0]) + up[2] * (place[2] - point[2])) / up[1]
        return (place[0], low, place[2]) if abs(low) < 1.6 * self.view.reach(place[2]) else None

    def put(self, draw: Draw, thing: Thing, share: float, size: float) -> Solids:
        """Draw a thing of that size, as a share of half the image, and put it at that share of the planes' depth."""
        place, frame = self.spot(draw, share)
        return Solids.of(thing(draw)).placed(place, frame * (size * self.view.reach(place[2])))

    def hung(self, draw: Draw, count: int) -> list[Solids]:
        """Draw panels a little before the wall, nearly parallel to it."""
        wall = np.asarray(self.planes[0].axes)
        (_, _, depth), normal = np.asarray(self.planes[0].centre), wall[:, 2]
        parts = []
        for _ in range(count):
            u, v = self.view.point(draw.point(-1, 1), depth)[:2]
            place = (u, v, float(depth - (u * normal[0] + v * normal[1]) / normal[2]))
            unit = self.view.reach(depth)
            panel = box((0.0, 0.0, 0.0), (draw.log(0.05, 0.6), draw.log(0.05, 0.6), draw.log(0.004, 0.1)))
            parts.append(Solids.of([panel]).placed(place, unit * wall @ turned(draw.uniform(-0.3, 0.3))))
        return parts

    def furnished(self, parts: Sequence[Solids]) -> Solids:
        """Join the planes and the things."""
        return Solids.join([Solids.of(self.planes), *parts])


def _depth_at(solid: Solid, view: View, uv: tuple[float, float]) -> float:
    (_, _, depth), normal = np.asarray(solid.centre), np.asarray(solid.axes)[:, 2]
    across = (uv[0] * normal[0] + uv[1] * normal[1]) * view.half
    if view.pinhole:
        return float(depth * normal[2] / (across + normal[2]))
    return float(depth - across / normal[2])


def slanted_wall(draw: Draw, view: View, steepest: float = 0.4) -> Solid:
    """Draw a wall that is nowhere in the image farther than the background."""
    slant = steepest * draw.uniform(0, 1) ** 2
    angle = draw.uniform(0, math.tau)
    a, b = slant * math.cos(angle), slant * math.sin(angle)
    spread = abs(a) + abs(b)
    far = draw.uniform(0.8, 1.0)
    return plane(view, far * (1 - spread) if view.pinhole else far / (1 + spread), (a, b))


def ground(draw: Draw, view: View) -> Solid:
    """Draw a floor that is near at the image's lower border and reaches the far end somewhere in the image."""
    near, horizon, sideways = draw.uniform(0.25, 0.6), draw.uniform(-0.3, 0.6), draw.uniform(-0.1, 0.1)
    if view.pinhole:
        ratio = min(1 / near, 0.9 / max(horizon, 0.01))
        slope = (ratio - 1) / (1 - ratio * horizon)
        return plane(view, near * (1 + slope), (sideways, slope))
    slope = (1 - near) / (1 - near * horizon)
    return plane(view, near / (1 - slope), (sideways, slope))


def _upwards(draw: Draw) -> Vector:
    """Draw a direction within some degrees of the image's vertical, leaning to the viewer."""
    return draw.uniform(-0.15, 0.15), -1.0, -draw.uniform(0.0, 0.6)
