"""Things with many parallel parts and gaps."""

import math

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.layout import along, box, frustum, turned
from atgvnet.scenes.scene import Solid

__all__ = ["blinds", "fence", "piled_books", "row_of_books", "shelf"]


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
