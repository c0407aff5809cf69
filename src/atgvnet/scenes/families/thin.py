"""Thin, long structures at many depths before a plain background: what the paper's data lack and its nets lose."""

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.scene import Solids, View
from atgvnet.scenes.stage import Stage
from atgvnet.scenes.things import FLAT, ROUND, THIN

__all__ = ["thin"]


def thin(draw: Draw, view: View) -> Solids:
    """Put some large solids behind and 6–30 thin things before them."""
    stage = Stage.indoors(draw, view, floor=0.5)
    parts = [
        stage.put(draw, draw.pick(FLAT + ROUND), draw.uniform(0.7, 0.95), draw.uniform(0.3, 0.8)) for _ in range(4)
    ]
    count = draw.integer(6, 24)
    things = [stage.put(draw, draw.pick(THIN), draw.uniform(0.3, 0.95), draw.log(0.2, 1.0)) for _ in range(count)]
    return stage.furnished(parts + things)
