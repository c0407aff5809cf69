"""Leaves on twigs before a slope; no training draws from it, so that it can tell how weights generalise."""

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.layout import ball, rod
from atgvnet.scenes.scene import Solid, Solids, View
from atgvnet.scenes.stage import Stage

__all__ = ["foliage"]


def foliage(draw: Draw, view: View) -> Solids:
    """Put 8–30 twigs, each with 5–25 leaves of one size."""
    stage = Stage.indoors(draw, view, floor=0.8)
    count, size = draw.integer(8, 30), draw.log(0.4, 1.4)
    twigs = [stage.put(draw, _twig, draw.uniform(0.3, 0.95), size * draw.uniform(0.5, 1)) for _ in range(count)]
    return stage.furnished(twigs)


def _twig(draw: Draw) -> list[Solid]:
    tip = (*draw.point(-0.6, 0.6), draw.uniform(0.5, 1.2))
    leaf, slim = draw.log(0.04, 0.25), draw.uniform(0.25, 0.8)
    solids = [rod((0.0, 0.0, 0.0), tip, draw.log(0.005, 0.03), 0.4)]
    for _ in range(draw.integer(5, 25)):
        share = draw.uniform(0.2, 1.0)
        x, y, z = (share * part + draw.uniform(-leaf, leaf) for part in tip)
        solids.append(ball((x, y, z), (leaf, slim * leaf, 0.05 * leaf), draw.rotation()))
    return solids
