"""An indoor scene: a wall with things hung on it, often a table or floor, and many things of every kind and size."""

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.scene import Solids, View
from atgvnet.scenes.stage import Stage
from atgvnet.scenes.things import FLAT, ROUND, STACKED, THIN

__all__ = ["clutter"]

EVERYTHING = FLAT + FLAT + STACKED + THIN + ROUND + ROUND


def clutter(draw: Draw, view: View) -> Solids:
    """Put few large things far behind, then ever smaller ones nearer: most are partly hidden, few hide all."""
    stage = Stage.indoors(draw, view, floor=0.65)
    parts = stage.hung(draw, draw.integer(0, 4))
    count, largest = draw.integer(8, 32), draw.uniform(0.4, 1.0)
    for k in range(count):
        nearness = k / count
        place = draw.uniform(0.35, 0.97) if draw.chance(0.4) else 0.97 - 0.6 * nearness * draw.uniform(0.4, 1)
        size = largest * (1 - nearness) * draw.uniform(0.4, 1) + 0.05
        parts.append(stage.put(draw, draw.pick(EVERYTHING), place, size))
    return stage.furnished(parts)
