"""Things of rods, bars and leaves."""

import math
from itertools import pairwise

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.layout import along, ball, box, cup, frustum, rod, turned
from atgvnet.scenes.scene import Solid
from atgvnet.scenes.things.flat import legs

__all__ = ["bar", "chair", "cup_of_pencils", "frame", "ladder", "plant", "pole", "sticks", "tripod", "wire"]

Vector = tuple[float, float, float]


def pole(draw: Draw) -> list[Solid]:
    """Give one long rod, leaning or upright."""
    lean = draw.uniform(-1, 1) ** 3, draw.uniform(-1, 1) ** 3, 1.0
    length = draw.uniform(0.8, 2.5)
    return [rod((0.0, 0.0, 0.0), _times(lean, length), draw.log(0.004, 0.06), draw.uniform(0.5, 1))]


def bar(draw: Draw) -> list[Solid]:
    """Give one long square bar."""
    halves = draw.log(0.004, 0.05), draw.log(0.004, 0.05), draw.uniform(0.4, 1.3)
    lean = along((draw.uniform(-1, 1) ** 3, draw.uniform(-1, 1) ** 3, 1.0))
    return [box((0.0, 0.0, halves[2]), halves, lean)]


def wire(draw: Draw) -> list[Solid]:
    """Give a curve of short rods."""
    radius, turn, wander = draw.log(0.004, 0.02), draw.uniform(0, math.tau), draw.uniform(0.2, 0.9)
    points: list[Vector] = [(0.0, 0.0, 0.0)]
    slope = draw.uniform(-0.5, 1.5)
    for _ in range(draw.integer(6, 16)):
        turn += draw.uniform(-wander, wander)
        slope += draw.uniform(-wander, wander)
        x, y, z = points[-1]
        points.append((x + 0.15 * math.cos(turn), y + 0.15 * math.sin(turn), z + 0.15 * math.sin(slope)))
    return [rod(a, b, radius) for a, b in pairwise(points)]


def sticks(draw: Draw) -> list[Solid]:
    """Give a bundle of rods thrown together."""
    radius = draw.log(0.008, 0.04)
    return [rod(_anywhere(draw), _anywhere(draw), radius * draw.uniform(0.6, 1.4)) for _ in range(draw.integer(3, 9))]


def cup_of_pencils(draw: Draw) -> list[Solid]:
    """Give an open cylinder and pencils that lean in it."""
    radius, height = draw.uniform(0.12, 0.3), draw.uniform(0.3, 0.6)
    solids = [cup((0.0, 0.0, height / 2), radius, height / 2, draw.uniform(0.9, 1.3))]
    for _ in range(draw.integer(1, 9)):
        foot, tip = draw.uniform(0, math.tau), draw.uniform(0, math.tau)
        low = (0.6 * radius * math.cos(foot), 0.6 * radius * math.sin(foot), 0.02)
        high = (1.1 * radius * math.cos(tip), 1.1 * radius * math.sin(tip), height * draw.uniform(1.2, 2.4))
        solids.append(rod(low, high, draw.log(0.01, 0.035)))
    return solids


def frame(draw: Draw) -> list[Solid]:
    """Give a picture frame or window, perhaps with glazing bars."""
    a, b, thick, deep = draw.uniform(0.3, 0.8), draw.uniform(0.3, 0.8), draw.log(0.01, 0.08), draw.log(0.01, 0.05)
    solids = [box((side * a, 0.0, b), (thick, deep, b + thick)) for side in (-1.0, 1.0)]
    solids += [box((0.0, 0.0, b + side * b), (a, deep, thick)) for side in (-1.0, 1.0)]
    upright, level = draw.integer(0, 3), draw.integer(0, 3)
    solids += [box((a * (2 * (k + 1) / (upright + 1) - 1), 0.0, b), (thick / 2, deep / 2, b)) for k in range(upright)]
    solids += [box((0.0, 0.0, b * 2 * (k + 1) / (level + 1)), (a, deep / 2, thick / 2)) for k in range(level)]
    return solids


def chair(draw: Draw) -> list[Solid]:
    """Give a seat on four legs and a back of slats."""
    width, seat, back = draw.uniform(0.25, 0.4), draw.uniform(0.4, 0.6), draw.uniform(0.4, 0.7)
    thick, count = draw.log(0.01, 0.04), draw.integer(2, 7)
    solids = [
        box((0.0, 0.0, seat), (width, width, draw.log(0.01, 0.05))),
        *legs(thick, 0.9 * width, 0.9 * width, seat),
    ]
    for k in range(count):
        x = width * (2 * k / (count - 1) - 1)
        solids.append(box((x, width, seat + back / 2), (thick, thick / 2, back / 2)))
    return [*solids, box((0.0, width, seat + back), (width, thick / 2, draw.uniform(0.02, 0.1)))]


def tripod(draw: Draw) -> list[Solid]:
    """Give three legs that meet under a ball or box."""
    height, spread, radius = draw.uniform(0.6, 1.2), draw.uniform(0.2, 0.6), draw.log(0.008, 0.03)
    angles = [math.tau * k / 3 for k in range(3)]
    feet = [(spread * math.cos(angle), spread * math.sin(angle), 0.0) for angle in angles]
    top = (0.0, 0.0, height)
    head = ball(top, draw.uniform(0.05, 0.2)) if draw.chance(0.5) else box(top, (0.15, 0.1, 0.1))
    return [head, *(rod(foot, top, radius) for foot in feet)]


def ladder(draw: Draw) -> list[Solid]:
    """Give two rails and rungs."""
    width, height, radius, rungs = (
        draw.uniform(0.1, 0.3),
        draw.uniform(1, 1.8),
        draw.log(0.01, 0.03),
        draw.integer(4, 11),
    )
    rails = [rod((side * width, 0.0, 0.0), (side * width, 0.3, height), 1.5 * radius) for side in (-1.0, 1.0)]
    shares = [(k + 0.5) / rungs for k in range(rungs)]
    return rails + [rod((-width, 0.3 * s, height * s), (width, 0.3 * s, height * s), radius) for s in shares]


def plant(draw: Draw) -> list[Solid]:
    """Give a pot, a stem and leaves."""
    pot, stem = draw.uniform(0.1, 0.25), draw.uniform(0.5, 1.0)
    solids = [frustum((0.0, 0.0, 0.15), pot, 0.15, 1.3), rod((0.0, 0.0, 0.2), (0.0, 0.0, stem), 0.015)]
    for _ in range(draw.integer(5, 15)):
        turn, reach = draw.uniform(0, math.tau), draw.uniform(0.15, 0.45)
        way = (math.cos(turn), math.sin(turn), draw.uniform(-0.3, 0.9))
        foot = (0.0, 0.0, draw.uniform(0.4, 1.0) * stem)
        tip = (foot[0] + reach * way[0], foot[1] + reach * way[1], foot[2] + reach * way[2])
        solids.append(
            ball(tip, (draw.uniform(0.03, 0.1), 0.008, reach * 0.5), along(way) @ turned(draw.uniform(0, 3)))
        )
    return solids


def _anywhere(draw: Draw) -> Vector:
    return draw.uniform(-0.8, 0.8), draw.uniform(-0.8, 0.8), draw.uniform(0.0, 1.2)


def _times(vector: Vector, factor: float) -> Vector:
    return vector[0] * factor, vector[1] * factor, vector[2] * factor
