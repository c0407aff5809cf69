"""Things with flat faces."""

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.layout import along, box, turned
from atgvnet.scenes.scene import Solid

__all__ = ["board", "crate", "legs", "stairs", "table"]


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
    return [top, *legs(draw.log(0.01, 0.05), 0.9 * a, 0.9 * b, height)]


def legs(thick: float, a: float, b: float, height: float) -> list[Solid]:
    """Give four posts at the corners of a rectangle."""
    corners = [(x, y) for x in (-a, a) for y in (-b, b)]
    return [box((x, y, height / 2), (thick, thick, height / 2)) for x, y in corners]
