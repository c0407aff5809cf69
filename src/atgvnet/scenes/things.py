"""Things put together from solids, in their own frame: z up, standing on z = 0, of a size of about 1."""

import math
from collections.abc import Callable
from itertools import pairwise

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.layout import along, ball, bowl, box, cup, frustum, rod, sheet, torus, turned
from atgvnet.scenes.scene import Solid

__all__ = ["FLAT", "ROUND", "STACKED", "THIN", "Thing"]

Thing = Callable[[Draw], list[Solid]]
Vector = tuple[float, float, float]


def crate(draw: Draw) -> list[Solid]:
    """Give a cuboid of any proportions."""
    halves = draw.log(0.1, 0.7), draw.log(0.1, 0.7), draw.log(0.05, 0.7)
    return [box((0.0, 0.0, halves[2]), halves)]


def board(draw: Draw) -> list[Solid]:
    """Give a thin panel, leaning."""
    halves = draw.uniform(0.2, 0.7), draw.log(0.004, 0.04), draw.uniform(0.2, 0.7)
    frame = along((0.0, draw.uniform(-0.5, 0.5), 1.0)) @ turned(draw.uniform(-0.2, 0.2))
    return [box((0.0, 0.0, halves[2]), halves, frame)]


def stairs(draw: Draw) -> list[Solid]:
    """Give steps, each behind and above the one before."""
    count, rise, tread = draw.integer(3, 8), draw.uniform(0.04, 0.15), draw.uniform(0.05, 0.2)
    return [box((0.0, tread * k, rise * (k + 1) / 2), (0.5, tread / 2, rise * (k + 1) / 2)) for k in range(count)]


def table(draw: Draw) -> list[Solid]:
    """Give a top on four legs."""
    a, b, height = draw.uniform(0.4, 0.8), draw.uniform(0.3, 0.6), draw.uniform(0.4, 0.8)
    top = box((0.0, 0.0, height), (a, b, draw.log(0.01, 0.05)))
    return [top, *_legs(draw.log(0.01, 0.05), 0.9 * a, 0.9 * b, height)]


def piled_books(draw: Draw) -> list[Solid]:
    """Give books lying on each other."""
    solids, height = [], 0.0
    for _ in range(draw.integer(2, 8)):
        halves = draw.uniform(0.25, 0.6), draw.uniform(0.2, 0.45), draw.log(0.015, 0.1)
        place = (draw.uniform(-0.1, 0.1), draw.uniform(-0.1, 0.1), height + halves[2])
        solids.append(box(place, halves, turned(draw.uniform(-0.4, 0.4))))
        height += 2 * halves[2]
    return solids


def row_of_books(draw: Draw) -> list[Solid]:
    """Give books upright side by side, of unlike heights and depths, with gaps here and there."""
    solids, place = [], -0.8
    for _ in range(draw.integer(4, 14)):
        halves = draw.log(0.015, 0.09), draw.uniform(0.2, 0.4), draw.uniform(0.25, 0.5)
        place += draw.uniform(0.05, 0.3) if draw.chance(0.15) else 0.004
        lean = along((draw.uniform(-0.3, 0.3), 0.0, 1.0)) if draw.chance(0.1) else None
        solids.append(box((place + halves[0], draw.uniform(-0.08, 0.08), halves[2]), halves, lean))
        place += 2 * halves[0]
    return solids


def fence(draw: Draw) -> list[Solid]:
    """Give many parallel bars, square or round, between two rails."""
    count, thick, height = draw.integer(6, 24), draw.log(0.008, 0.05), draw.uniform(0.5, 1.0)
    step, flat = 2.0 / count, draw.uniform(0.2, 1.0)
    places = [-1.0 + step * (k + 0.5) for k in range(count)]
    thick = min(thick, 0.4 * step)
    if draw.chance(0.5):
        bars = [box((x, 0.0, height / 2), (thick, thick * flat, height / 2)) for x in places]
    else:
        bars = [frustum((x, 0.0, height / 2), thick, height / 2) for x in places]
    rails = [
        box((0.0, 0.0, height * z), (1.0, thick * flat, thick)) for z in (draw.uniform(0, 0.3), draw.uniform(0.7, 1))
    ]
    return bars + rails if draw.chance(0.8) else bars


def blinds(draw: Draw) -> list[Solid]:
    """Give slats above each other, all turned alike."""
    count, angle = draw.integer(6, 24), draw.uniform(-1.2, 1.2)
    step = 1.4 / count
    frame = along((0.0, math.sin(angle), math.cos(angle)))
    halves = (draw.uniform(0.4, 1.0), step * draw.uniform(0.3, 0.8), draw.log(0.003, 0.01))
    return [box((0.0, 0.0, step * (k + 0.5)), halves, frame) for k in range(count)]


def shelf(draw: Draw) -> list[Solid]:
    """Give boards and sides of a rack, and boxes on the boards."""
    floors, depth, width = draw.integer(2, 5), draw.uniform(0.15, 0.3), draw.uniform(0.4, 0.9)
    thick, step = draw.log(0.01, 0.03), 1.6 / floors
    solids = [box((0.0, 0.0, step * k), (width, depth, thick)) for k in range(floors + 1)]
    solids += [box((side * width, 0.0, 0.8), (thick, depth, 0.8)) for side in (-1.0, 1.0)]
    for k in range(floors):
        for _ in range(draw.integer(0, 5)):
            halves = draw.log(0.02, 0.15), draw.uniform(0.05, depth), step * draw.uniform(0.1, 0.48)
            solids.append(box((draw.uniform(-0.9, 0.9) * width, 0.0, step * k + halves[2]), halves))
    return solids


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
        *_legs(thick, 0.9 * width, 0.9 * width, seat),
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


def vase(draw: Draw) -> list[Solid]:
    """Give cones on each other that share their rims; the uppermost is open."""
    solids, height, radius = [], 0.0, draw.uniform(0.1, 0.35)
    parts = draw.integer(2, 5)
    for k in range(parts):
        upper, half = draw.uniform(0.08, 0.4), draw.uniform(0.05, 0.3)
        make = cup if k == parts - 1 else frustum
        solids.append(make((0.0, 0.0, height + half), radius, half, upper / radius))
        height, radius = height + 2 * half, upper
    return solids


def cone(draw: Draw) -> list[Solid]:
    """Give a cone or a cylinder, upright or lying."""
    radius, half = draw.uniform(0.1, 0.5), draw.uniform(0.1, 0.6)
    top = draw.pick((0.0, 1.0, draw.uniform(0, 1)))
    if draw.chance(0.7):
        return [frustum((0.0, 0.0, half), radius, half, top)]
    return [frustum((0.0, 0.0, radius), radius, half, top, along((1.0, 0.0, 0.0)))]


def dish(draw: Draw) -> list[Solid]:
    """Give an open bowl, sometimes with fruit."""
    radius, height = draw.uniform(0.3, 0.6), draw.uniform(0.15, 0.5)
    solids = [bowl((0.0, 0.0, height), (radius, radius, height), draw.uniform(-0.5, 0.3))]
    near = 0.4 * radius
    fruit = [
        ball((*draw.point(-near, near), 0.8 * height), draw.uniform(0.08, 0.2)) for _ in range(draw.integer(0, 5))
    ]
    return solids + fruit


def stone(draw: Draw) -> list[Solid]:
    """Give a sphere or an ellipsoid."""
    a = draw.uniform(0.1, 0.6)
    if draw.chance(0.4):
        return [ball((0.0, 0.0, a), a)]
    return [ball((0.0, 0.0, a), (draw.uniform(0.1, 0.6), draw.uniform(0.1, 0.6), a))]


def head(draw: Draw) -> list[Solid]:
    """Give a bust: shoulders, neck, head, nose and ears."""
    wide, tall = draw.uniform(0.18, 0.26), draw.uniform(0.24, 0.34)
    middle = 0.75 + tall
    return [
        ball((0.0, 0.0, 0.25), (draw.uniform(0.4, 0.6), draw.uniform(0.2, 0.3), 0.35)),
        frustum((0.0, 0.0, 0.65), draw.uniform(0.1, 0.15), 0.2, 0.9),
        ball((0.0, 0.0, middle), (wide, draw.uniform(0.2, 0.3), tall)),
        ball((0.0, -0.26, middle - 0.05), (0.04, 0.08, 0.09)),
        ball((-wide, 0.0, middle), (0.03, 0.06, 0.09)),
        ball((wide, 0.0, middle), (0.03, 0.06, 0.09)),
        torus((0.0, 0.0, middle + 0.4 * tall), 1.2 * wide, 0.06),
    ]


def ring(draw: Draw) -> list[Solid]:
    """Give a ring, lying or on edge, or a few of them."""
    solids = []
    for _ in range(draw.integer(1, 3)):
        radius = draw.uniform(0.2, 0.6)
        place = (*draw.point(-0.3, 0.3), radius)
        solids.append(torus(place, radius, radius * draw.log(0.05, 0.45), draw.rotation()))
    return solids


def mug(draw: Draw) -> list[Solid]:
    """Give a cup with a handle."""
    radius, half = draw.uniform(0.2, 0.35), draw.uniform(0.2, 0.4)
    handle = torus((radius, 0.0, half), 0.7 * half, 0.12 * half, along((0.0, 1.0, 0.0)))
    return [cup((0.0, 0.0, half), radius, half, draw.uniform(0.9, 1.2)), handle]


def cloth(draw: Draw) -> list[Solid]:
    """Give a wavy sheet, upright or lying."""
    frame = along((draw.uniform(-0.5, 0.5), 1.0, draw.uniform(-0.5, 0.5))) if draw.chance(0.6) else None
    halves = draw.uniform(0.3, 0.8), draw.uniform(0.3, 0.8), draw.uniform(0.03, 0.2)
    return [sheet((0.0, 0.0, halves[1]), halves, ripples(draw, 1.6), frame)]


def ripples(draw: Draw, most: float) -> tuple[float, ...]:
    """Draw the three waves of a sheet, of up to so many periods per unit."""
    waves: list[float] = []
    for share in (0.5, 0.3, 0.2):
        waves += [share, draw.uniform(-most, most), draw.uniform(-most, most)]
    return tuple(waves)


def _legs(thick: float, a: float, b: float, height: float) -> list[Solid]:
    corners = [(x, y) for x in (-a, a) for y in (-b, b)]
    return [box((x, y, height / 2), (thick, thick, height / 2)) for x, y in corners]


def _anywhere(draw: Draw) -> Vector:
    return draw.uniform(-0.8, 0.8), draw.uniform(-0.8, 0.8), draw.uniform(0.0, 1.2)


def _times(vector: Vector, factor: float) -> Vector:
    return vector[0] * factor, vector[1] * factor, vector[2] * factor


FLAT: tuple[Thing, ...] = (crate, crate, board, table, stairs)
STACKED: tuple[Thing, ...] = (piled_books, row_of_books, fence, blinds, shelf)
THIN: tuple[Thing, ...] = (pole, bar, wire, sticks, cup_of_pencils, frame, chair, tripod, ladder, plant)
ROUND: tuple[Thing, ...] = (vase, cone, dish, stone, head, ring, mug, cloth)
