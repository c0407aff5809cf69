"""The scenes of the authors' code: 16–32 cuboids and 0–4 spheres in the unit square, seen by parallel rays."""

import numpy as np

from atgvnet.scenes.layout import ball, box, look, rotation
from atgvnet.scenes.scene import Scene, Solid, View

__all__ = ["authors"]

REACH = 0.32


def authors(rng: np.random.Generator, view: View) -> Scene:
    """Edges U(0.01, 0.6), centres U(0, 1)² × U(0.2, 1), radii U(0.1, 0.3); background at 1."""
    boxes = [
        box(_centre(rng, view), rng.uniform(0.01, 0.6, 3) / 2, rotation(rng)) for _ in range(rng.integers(16, 33))
    ]
    balls = [ball(_centre(rng, view), rng.uniform(0.1, 0.3)) for _ in range(rng.integers(0, 5))]
    return Scene.of(view, [_pressed(solid) for solid in boxes + balls], look=look(rng))


def _centre(rng: np.random.Generator, view: View) -> np.ndarray:
    return view.point(rng.uniform(-1, 1, 2), rng.uniform(0.2, 1))


def _pressed(solid: Solid) -> Solid:
    """Press depths from [-REACH, 1] to [0, 1], as some solids reach behind the plane where parallel rays start."""
    press = np.array([1, 1, 1 / (1 + REACH)])
    centre = (np.asarray(solid.centre) + np.array([0, 0, REACH])) * press
    return Solid(solid.kind, centre, np.asarray(solid.axes) * press[:, None], solid.shape)
