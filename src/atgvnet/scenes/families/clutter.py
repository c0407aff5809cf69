"""An indoor scene: a slanted wall, often a table or floor, and many objects of every kind and size, many hidden."""

import numpy as np

from atgvnet.scenes.layout import ball, bowl, box, cup, frustum, look, plane, rod, rotation, upright
from atgvnet.scenes.scene import Scene, Solid, View

__all__ = ["clutter"]


def clutter(rng: np.random.Generator, view: View) -> Scene:
    """Put objects from large to small between the near plane and the wall; half of the scenes stand on a table."""
    tilt = rng.uniform(0.05, 0.6)
    solids = [_wall(rng, view)]
    if rng.random() < 0.6:
        solids.append(plane(view.point([0, rng.uniform(0.3, 1.0)], 0.75), [0, -np.cos(tilt), -np.sin(tilt)]))
    for _ in range(rng.integers(15, 70)):
        z = rng.uniform(0.3, 0.95)
        size = view.reach(z) * np.exp(rng.uniform(np.log(0.02), np.log(0.5)))
        frame = upright(rng, tilt) if rng.random() < 0.6 else rotation(rng)
        solids += _thing(rng, view.point(rng.uniform(-1.1, 1.1, 2), z), size, frame)
    return Scene.of(view, solids, look=look(rng))


def _wall(rng: np.random.Generator, view: View) -> Solid:
    slant = rng.uniform(-0.5, 0.5, 2) * 0.3 / max(view.half, 0.1)
    return plane([0, 0, rng.uniform(0.85, 1.0)], [*slant, -1])


def _thing(rng: np.random.Generator, place: np.ndarray, size: float, frame: np.ndarray) -> list[Solid]:
    kind = rng.choice(6, p=[0.42, 0.13, 0.15, 0.15, 0.05, 0.10])
    if kind == 0:
        return [box(place, size * np.exp(rng.uniform(-2.2, 0.3, 3)), frame)]
    if kind == 1:
        return [ball(place, size * np.exp(rng.uniform(-0.7, 0.0, 3)), frame)]
    if kind == 2:
        return [frustum(place, size * rng.uniform(0.1, 0.8), size, frame, rng.uniform(0, 1.0))]
    if kind == 3:
        end = place + frame[:, 2] * size * rng.uniform(1, 4)
        return [rod(place, end, size * rng.uniform(0.01, 0.1))]
    if kind == 4:
        return [bowl(place, size * rng.uniform(0.5, 1.0), frame, rng.uniform(-0.5, 0.5))]
    radius = size * rng.uniform(0.3, 0.8)
    shell = [cup(place, radius, size * rng.uniform(0.5, 1), frame)]
    pencils = rng.integers(0, 7)
    for _ in range(pencils):
        foot = place + frame[:, :2] @ rng.uniform(-0.5, 0.5, 2) * radius
        tip = place + frame[:, :2] @ rng.uniform(-1.2, 1.2, 2) * radius + frame[:, 2] * size * rng.uniform(1, 2.2)
        shell.append(rod(foot, tip, size * rng.uniform(0.02, 0.07)))
    return shell
