"""Curved surfaces: cylinders, cones, rings, ellipsoids, open shells and wavy sheets."""

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.layout import sheet
from atgvnet.scenes.scene import Solids, View
from atgvnet.scenes.stage import Stage
from atgvnet.scenes.things import ROUND
from atgvnet.scenes.things.curved import ripples

__all__ = ["curved"]


def curved(draw: Draw, view: View) -> Solids:
    """Put 8–30 curved things, some large, before a wall or a wavy sheet."""
    stage = Stage.indoors(draw, view, floor=0.5)
    parts = [_relief(draw, view)] if draw.chance(0.5) else []
    count = draw.integer(8, 30)
    things = [stage.put(draw, draw.pick(ROUND), draw.uniform(0.35, 0.97), draw.log(0.1, 1.0)) for _ in range(count)]
    return stage.furnished(parts + things)


def _relief(draw: Draw, view: View) -> Solids:
    """Draw a wavy sheet larger than the image."""
    z = draw.uniform(0.6, 0.85)
    wide = 1.6 * view.reach(1.0)
    waves = ripples(draw, draw.uniform(0.5, 2.5))
    return Solids.of([sheet((0.0, 0.0, z), (wide, wide, draw.uniform(0.02, 0.12)), waves)])
