"""Things with curved faces, closed and open."""

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.layout import along, ball, bowl, cup, frustum, sheet, torus
from atgvnet.scenes.scene import Solid

__all__ = ["cloth", "cone", "dish", "head", "mug", "ring", "ripples", "stone", "vase"]


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
    near, count = 0.4 * radius, draw.integer(0, 5)
    fruit = [ball((*draw.point(-near, near), 0.8 * height), draw.uniform(0.08, 0.2)) for _ in range(count)]
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
