"""Large slanted planes: rooms with corners, tables, leaning boards, posters a hair's breadth before a wall."""

import math

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.scene import Solid, Solids, View
from atgvnet.scenes.stage import Stage, ground, plane, slanted_wall
from atgvnet.scenes.things import FLAT, ROUND, STACKED

__all__ = ["planes"]


def planes(draw: Draw, view: View) -> Solids:
    """Put few things into a room of up to five planes."""
    stage = _room(draw, view)
    parts = stage.hung(draw, draw.integer(2, 12))
    for _ in range(draw.integer(0, 10)):
        thing = draw.pick(FLAT * 3 + STACKED + ROUND)
        parts.append(stage.put(draw, thing, draw.uniform(0.4, 0.95), draw.log(0.1, 1.0)))
    return stage.furnished(parts)


def _room(draw: Draw, view: View) -> Stage:
    others = [slanted_wall(draw, view, 0.6)]
    angle = draw.uniform(0, math.tau)
    others += [_side(draw, view, angle + k * math.pi / 2) for k in range(draw.integer(0, 3))]
    return Stage.on(view, ground(draw, view), *others) if draw.chance(0.7) else Stage(view=view, planes=tuple(others))


def _side(draw: Draw, view: View, angle: float) -> Solid:
    """Draw a plane that comes nearer towards one side of the image."""
    steep, depth = draw.uniform(0.3, 3.0), draw.uniform(0.8, 1.6)
    if not view.pinhole:
        steep = steep / (1 + steep)
    return plane(view, depth, (steep * math.cos(angle), steep * math.sin(angle)))
