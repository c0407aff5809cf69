"""The intensity image: in range, of the same scene, neither blind to depth edges nor made of them alone."""

import numpy as np
import pytest

from atgvnet.scenes import FAMILIES, Scene, Solids, View, depth_of, render
from atgvnet.scenes.layout import ball, box
from atgvnet.scenes.shading import shade

SIZE = (60, 80)


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_guide_does_not_change_the_depth(family: str) -> None:
    plain, guided = (render(family, 6, 1, SIZE, guide=guide) for guide in (False, True))
    np.testing.assert_array_equal(plain.depth, guided.depth)
    assert plain.guide is None
    assert guided.guide.shape == (*SIZE, 3)
    assert guided.guide.dtype == np.float32
    assert 0 <= guided.guide.min() <= guided.guide.max() <= 1
    np.testing.assert_array_equal(render(family, 6, 1, SIZE, guide=True).guide, guided.guide)


def test_edges_of_depth_are_mostly_edges_of_the_image_and_not_its_only_ones() -> None:
    shares = []
    for index in range(10):
        rendering = render("cuboids", 8, index, (120, 160), guide=True)
        depth_edge = np.abs(np.diff(rendering.depth, axis=1)) > 0.05
        image_step = np.abs(np.diff(rendering.guide, axis=1)).max(axis=-1)
        shares.append(((image_step > 0.03)[depth_edge].mean(), (image_step > 0.03)[~depth_edge].mean()))
    at_edges, elsewhere = np.mean(shares, axis=0)
    assert 0.6 < at_edges < 1
    assert 0.005 < elsewhere < at_edges / 2


def test_a_ball_is_brightest_where_it_faces_the_light() -> None:
    scene = Scene(view=View(), solids=Solids.of([ball((0.0, 0.0, 0.6), 0.2)]), look=3)
    depth, names = depth_of(scene, (101, 101), named=True)
    image = shade(scene, depth, names).mean(axis=-1)
    rows = np.argwhere(names == 0)[:, 0]
    upper, lower = (image[(names == 0) & mask] for mask in _halves(rows.mean(), image.shape))
    # the light always comes from above
    assert upper.mean() > lower.mean()


def _halves(middle: float, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    rows = np.arange(shape[0])[:, None] * np.ones(shape)
    return rows < middle, rows > middle


def test_a_face_is_evenly_lit() -> None:
    for look in range(40):
        scene = Scene(view=View(), solids=Solids.of([box((0.0, 0.0, 0.6), (0.1, 0.1, 0.1))]), look=look)
        depth, names = depth_of(scene, (50, 50), named=True)
        front = shade(scene, depth, names)[names == 0]
        assert len(np.unique(front.round(4), axis=0)) in (1, 2) or front.std() < 0.3
