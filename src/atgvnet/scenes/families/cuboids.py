"""The paper's scenes: 24–42 cuboids scaled and rotated at random and up to 3 spheres before an empty background."""

import numpy as np

from atgvnet.scenes.layout import ball, box, look, rotation
from atgvnet.scenes.scene import Scene, View

__all__ = ["cuboids"]


def cuboids(rng: np.random.Generator, view: View) -> Scene:
    """Spread cuboids evenly over the image and over the depths; sizes follow the view, so they fill it alike."""
    solids = []
    for _ in range(rng.integers(24, 43)):
        z = rng.uniform(0.25, 0.95)
        edges = rng.uniform(0.02, 0.9, 3) * view.reach(z)
        solids.append(box(view.point(rng.uniform(-1.1, 1.1, 2), z), edges / 2, rotation(rng)))
    for _ in range(rng.integers(0, 4)):
        z = rng.uniform(0.3, 0.95)
        solids.append(ball(view.point(rng.uniform(-1, 1, 2), z), rng.uniform(0.08, 0.4) * view.reach(z)))
    return Scene.of(view, solids, look=look(rng))
