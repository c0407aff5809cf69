"""Many parallel gaps: fences, gratings, blinds, shelves, rows and piles of books, also behind each other."""

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.scene import Solids, View
from atgvnet.scenes.stage import Stage
from atgvnet.scenes.things import FLAT, STACKED

__all__ = ["stacks"]


def stacks(draw: Draw, view: View) -> Solids:
    """Put 4–16 of them, some as large as the image."""
    stage = Stage.indoors(draw, view, floor=0.6)
    parts = stage.hung(draw, draw.integer(0, 4))
    for _ in range(draw.integer(6, 18)):
        thing = draw.pick(STACKED * 3 + FLAT)
        parts.append(stage.put(draw, thing, draw.uniform(0.35, 0.97), draw.log(0.15, 1.2)))
    return stage.furnished(parts)
