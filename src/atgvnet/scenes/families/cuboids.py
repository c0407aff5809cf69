"""The paper's scenes: 24–42 cuboids scaled and rotated at random and up to 3 spheres before an empty background."""

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.layout import ball, box
from atgvnet.scenes.scene import Solid, Solids, View

__all__ = ["cuboids"]


def cuboids(draw: Draw, view: View) -> Solids:
    """Spread them evenly over image and depth; sizes follow the view, so that every focal length is filled alike."""
    boxes = [_cuboid(draw, view) for _ in range(draw.integer(24, 42))]
    balls = [_sphere(draw, view) for _ in range(draw.integer(0, 3))]
    return Solids.of(boxes + balls)


def _cuboid(draw: Draw, view: View) -> Solid:
    z = draw.uniform(0.25, 0.95)
    unit = view.reach(z)
    halves = draw.uniform(0.01, 0.45) * unit, draw.uniform(0.01, 0.45) * unit, draw.uniform(0.01, 0.45) * unit
    return box(view.point(draw.point(-1.1, 1.1), z), halves, draw.rotation())


def _sphere(draw: Draw, view: View) -> Solid:
    z = draw.uniform(0.3, 0.95)
    return ball(view.point(draw.point(-1, 1), z), draw.uniform(0.08, 0.4) * view.reach(z))
