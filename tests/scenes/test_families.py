"""Families: what they promise, and that a map is a function of family, seed and index alone."""

import multiprocessing

import numpy as np
import pytest

from atgvnet.errors import InputError
from atgvnet.scenes import FAMILIES, KINDS, View, draw_scene, render
from atgvnet.scenes.draw import Draw

SIZE = (48, 64)
EVERY = sorted(FAMILIES)


def test_the_same_bits_in_any_order_and_any_process() -> None:
    orders = [(family, 11, index, SIZE) for family in EVERY for index in range(3)]
    here = [render(*order).depth.tobytes() for order in orders]
    assert [render(*order).depth.tobytes() for order in reversed(orders)] == here[::-1]
    assert len(set(here)) == len(here)
    # other processes import the package, not this file
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        there = pool.starmap(render, orders[::-1], chunksize=4)
    assert [rendering.depth.tobytes() for rendering in there] == here[::-1]


@pytest.mark.parametrize("family", EVERY)
def test_depths_are_between_the_camera_and_the_background(family: str) -> None:
    flat = 0
    for index in range(12):
        depth = render(family, 3, index, SIZE).depth
        assert depth.dtype == np.float32
        assert depth.shape == SIZE
        assert depth.min() > 0
        assert depth.max() <= 1
        flat += depth.std() < 0.01
    assert flat <= 1


@pytest.mark.parametrize("family", EVERY)
def test_solids_stay_in_the_cube_that_bounds_them(family: str) -> None:
    for index in range(20):
        solids = draw_scene(family, 1, index).solids
        first, kinds = solids.shapes[:, 0], solids.kinds
        assert np.isfinite(solids.centres).all()
        assert (np.abs(np.linalg.det(solids.axes)) > 0).all()
        assert (first[kinds == KINDS["frustum"]] <= 1).all()
        assert (first[kinds == KINDS["torus"]] <= 0.5).all()
        field = kinds == KINDS["field"]
        assert (np.abs(solids.shapes[field][:, [0, 3, 6]]).sum(axis=1) <= 1 + 1e-9).all()


@pytest.mark.parametrize("family", EVERY)
@pytest.mark.parametrize("camera", ["pinhole", "orthographic"])
def test_both_cameras_look_at_every_family(family: str, camera: str) -> None:
    rendering = render(family, 0, 0, SIZE, camera=camera)
    assert rendering.scene.view.projection == camera
    assert (rendering.depth < 1).any()


def test_the_papers_counts() -> None:
    for family, boxes, balls in (("cuboids", (24, 42), (0, 3)), ("authors", (16, 32), (0, 4))):
        kinds = [draw_scene(family, 2, index).solids.kinds for index in range(300)]
        for kind, (least, most) in (("box", boxes), ("ball", balls)):
            counts = {int((k == KINDS[kind]).sum()) for k in kinds}
            assert counts == set(range(least, most + 1))


def test_parallel_rays_start_before_every_solid() -> None:
    for index in range(50):
        solids = draw_scene("authors", 4, index).solids
        assert (solids.centres[:, 2] - np.abs(solids.axes[:, 2]).sum(axis=1)).min() >= -1e-9


def test_a_larger_image_shows_the_same_scene() -> None:
    small, large = (render("clutter", 5, 1, size).depth for size in ((45, 61), (135, 183)))
    # three times as many pixels a side: the middle one of each three has the same ray
    assert (np.abs(large[1::3, 1::3] - small) > 1e-5).sum() <= 2


def test_sizes_without_a_middle_and_of_one_pixel() -> None:
    for size in ((1, 1), (1, 50), (50, 1), (7, 3)):
        assert render("cuboids", 0, 0, size).depth.shape == size


def test_scenes_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        draw_scene("authors", 0, 0).solids.centres[0] = 0


def test_wrong_names_seeds_and_sizes() -> None:
    with pytest.raises(InputError, match="cuboids"):
        render("cubes", 0, 0, SIZE)
    with pytest.raises(InputError, match="-1"):
        render("cuboids", -1, 0, SIZE)
    with pytest.raises(InputError, match="at least 1"):
        render("cuboids", 0, 0, (0, 4))
    with pytest.raises(InputError, match="fisheye"):
        render("cuboids", 0, 0, SIZE, camera="fisheye")
    with pytest.raises(InputError, match="half"):
        View(half=0)


def test_numbers_are_drawn_evenly() -> None:
    draw = Draw(1)
    numbers = np.array([draw.uniform(2, 4) for _ in range(4000)])
    assert 2 <= numbers.min() < 2.01
    assert 3.99 < numbers.max() <= 4
    assert abs(numbers.mean() - 3) < 0.05
    logs = np.log([draw.log(0.01, 100) for _ in range(4000)])
    assert abs(logs.mean()) < 0.2
    assert {draw.integer(3, 5) for _ in range(100)} == {3, 4, 5}


def test_rotations_are_drawn_evenly_among_rotations() -> None:
    draw = Draw(2)
    turns = np.array([draw.rotation() for _ in range(4000)])
    np.testing.assert_allclose(turns @ turns.transpose(0, 2, 1), np.broadcast_to(np.eye(3), turns.shape), atol=1e-12)
    np.testing.assert_allclose(np.linalg.det(turns), 1)
    # the mean of R is 0 and of each squared entry 1/3 only for the even distribution's first moments
    assert np.abs(turns.mean(axis=0)).max() < 0.04
    assert np.abs((turns**2).mean(axis=0) - 1 / 3).max() < 0.03
