"""The scenes of the authors' code: 16–32 cuboids and 0–4 spheres in the unit square, seen by parallel rays."""

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.layout import ball, box
from atgvnet.scenes.scene import Solid, Solids, View

__all__ = ["authors"]


def authors(draw: Draw, view: View) -> Solids:
    """Draw edges from U(0.01, 0.6), centres from U(0, 1)² × U(0.2, 1), radii from U(0.1, 0.3)."""
    boxes = [_cuboid(draw, view) for _ in range(draw.integer(16, 32))]
    balls = [ball(_centre(draw, view), draw.uniform(0.1, 0.3)) for _ in range(draw.integer(0, 4))]
    return Solids.of(boxes + balls)


def _centre(draw: Draw, view: View) -> tuple[float, float, float]:
    return view.point(draw.point(-1, 1), draw.uniform(0.2, 1))


def _cuboid(draw: Draw, view: View) -> Solid:
    halves = draw.uniform(0.005, 0.3), draw.uniform(0.005, 0.3), draw.uniform(0.005, 0.3)
    return box(_centre(draw, view), halves, draw.rotation())
