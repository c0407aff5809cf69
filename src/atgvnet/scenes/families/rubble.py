"""A heap of debris; no training draws from it, so that it can tell how weights generalise."""

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.layout import ball, box, frustum
from atgvnet.scenes.scene import Solid, Solids, View
from atgvnet.scenes.stage import Stage

__all__ = ["rubble"]


def rubble(draw: Draw, view: View) -> Solids:
    """Pile 60–160 broken pieces, their sizes from a power law, over the whole image."""
    stage = Stage.indoors(draw, view, floor=1.0)
    count, largest = draw.integer(60, 160), draw.log(0.2, 0.6)
    sizes = [largest / (1 + k) ** 0.4 for k in range(count)]
    return stage.furnished([stage.put(draw, _piece, draw.uniform(0.4, 0.98), size) for size in sizes])


def _piece(draw: Draw) -> list[Solid]:
    frame, middle = draw.rotation(), (0.0, 0.0, 0.2)
    halves = draw.uniform(0.3, 1.0), draw.uniform(0.2, 0.8), draw.log(0.05, 0.6)
    return [
        draw.pick(
            (
                box(middle, halves, frame),
                box(middle, halves, frame),
                ball(middle, halves, frame),
                frustum(middle, halves[1], halves[0], draw.uniform(0.3, 1.0), frame),
            )
        )
    ]
