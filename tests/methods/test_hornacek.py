"""Rigid self-similarity: a known motion is recovered, and what is merged without motion is the surface itself."""

import numpy as np
import pytest

from atgvnet.errors import InputError
from atgvnet.methods import Problem
from atgvnet.methods._rigid import Cloud, _cost, _gather, _inverse, _lay, _normals, _rotation, find_motions
from atgvnet.methods.hornacek import Hornacek, merge
from atgvnet.methods.problem import silent

FOCAL = 60.0
SHAPE = 36, 84
CENTRES = (-0.9, 0.0, 2.4), (0.75, 0.1, 2.0)  # of a bump and of the same one, nearer


def bump(x, y):
    """Give a shape that no rotation about the line of sight maps to itself."""
    return 0.25 * np.exp(-(x**2 + y**2) / 0.03) + 0.2 * np.exp(-((x - 0.2) ** 2 + (y - 0.08) ** 2) / 0.01)


def two_bumps():
    """See one shape twice, on walls at two distances; found by iterating on z."""
    rows, columns = np.indices(SHAPE)
    x, y = (columns - (SHAPE[1] - 1) / 2) / FOCAL, (rows - (SHAPE[0] - 1) / 2) / FOCAL
    at = np.where(columns < SHAPE[1] / 2, 0, 1)
    centre = np.array(CENTRES)[at]
    z = centre[..., 2].copy()
    for _ in range(60):
        z = 0.5 * z + 0.5 * (centre[..., 2] - bump(x * z - centre[..., 0], y * z - centre[..., 1]))
    return z


def pixel_of(point):
    return (
        round(point[1] * FOCAL / point[2] + (SHAPE[0] - 1) / 2),
        round(point[0] * FOCAL / point[2] + (SHAPE[1] - 1) / 2),
    )


def top(k):
    return np.array(CENTRES[k]) - [0, 0, 0.25]


def cost(cloud, pixel, motion):
    patch = np.empty((33**2, 3))
    centre = cloud.points[pixel]
    count = _gather(cloud.points, *pixel, centre, cloud.focal, cloud.radius, patch)
    return _cost(cloud.points, *pixel, patch[:count], motion, cloud.focal, cloud.radius, np.inf)


@pytest.fixture(scope="module")
def cloud():
    return Cloud.of(two_bumps(), FOCAL, 0.2)


def test_a_known_motion_is_recovered(cloud):
    """The far bump's surroundings are found on the near one, not turned."""
    motions, costs = find_motions(cloud, 8, 0, silent)
    y, x = pixel_of(top(0))
    around = slice(y - 2, y + 3), slice(x - 2, x + 3)
    best = np.unravel_index(costs[around].argmin(), (5, 5))
    motion, start = motions[around][best], cloud.points[around][best]
    expected = start + top(1) - top(0)
    pitch = expected[2] / FOCAL
    assert np.linalg.norm(motion[:, :3] @ start + motion[:, 3] - expected) < 1.5 * pitch
    assert np.degrees(np.arccos((np.trace(motion[:, :3]) - 1) / 2)) < 20
    np.testing.assert_allclose(motion[:, :3] @ motion[:, :3].T, np.eye(3), atol=1e-9)


def test_the_true_motion_costs_least(cloud):
    """Both the points and the orientation count."""
    pixel = pixel_of(top(0))
    true = np.column_stack([np.eye(3), top(1) - top(0)])
    least = cost(cloud, pixel, true)
    assert least < 0.01
    start = cloud.points[pixel]
    for angle in (-0.8, 0.8, 3.1):
        turn = _rotation(np.array([0.0, 0.0, 1.0]), angle)
        turned = np.column_stack([turn, top(1) - top(0) + start - turn @ start])
        assert cost(cloud, pixel, turned) > 2 * least
    for shift in ([0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]):
        assert cost(cloud, pixel, true + np.column_stack([np.zeros((3, 3)), shift])) > 2 * least


def test_no_motion_towards_fewer_points(cloud):
    back = _inverse(np.column_stack([np.eye(3), top(1) - top(0)]))
    assert cost(cloud, pixel_of(top(1)), back) == np.inf
    assert cost(cloud, pixel_of(top(1)), np.eye(3, 4)) == np.inf


def test_an_inverse_undoes_its_motion():
    rng = np.random.default_rng(0)
    motion = np.column_stack([_rotation(rng.normal(size=3), 1.2), rng.normal(size=3)])
    inverse, p = _inverse(motion), rng.normal(size=3)
    moved = motion[:, :3] @ p + motion[:, 3]
    np.testing.assert_allclose(inverse[:, :3] @ moved + inverse[:, 3], p, atol=1e-12)


def test_a_patch_that_lies_tilted_is_laid_into_its_plane():
    """Motions that are right but for a turn by 20° and a shift by a third of the radius."""
    slanted = Cloud.of(1 / (0.5 + 0.01 * np.arange(20) - 0.005 * np.arange(16)[:, None]), 20.0, 0.3)
    normals = _normals(slanted.points)
    start, normal = slanted.points[8, 10], normals[8, 10]
    motions, costs = np.broadcast_to(np.eye(3, 4), (16, 20, 3, 4)).copy(), np.full((16, 20), np.inf)
    turn = _rotation(np.array([1.0, 2.0, 0.0]), 0.35)
    motions[8, 10] = np.column_stack([turn, start - turn @ start + 0.1 * normal])
    costs[8, 10] = 0
    _lay(slanted.points, normals, slanted.focal, slanted.radius, motions, costs)
    np.testing.assert_allclose(np.abs(motions[8, 10, :, :3] @ normal @ normal), 1, atol=1e-9)
    np.testing.assert_allclose((motions[8, 10, :, :3] @ start + motions[8, 10, :, 3] - start) @ normal, 0, atol=1e-6)


def test_patches_that_stay_are_the_surface():
    """The inverse depth of a plane is linear in the image, and so is what is merged."""
    inverse = 0.5 + 0.01 * np.arange(20)[None, :] - 0.005 * np.arange(16)[:, None]
    cloud = Cloud.of(1 / inverse, 20.0, 0.3)
    motions = np.broadcast_to(np.eye(3, 4), (16, 20, 3, 4)).copy()
    found = merge(cloud, motions, np.ones((16, 20)), (32, 40))
    y, x = (np.mgrid[:32, :40] + 0.5) / 2 - 0.5
    inner = slice(6, -6)
    np.testing.assert_allclose(found[inner, inner], (0.5 + 0.01 * x - 0.005 * y)[inner, inner], rtol=1e-6)


def test_a_match_brings_its_surface_back():
    """A patch moved along a plane in space brings back the plane."""
    inverse = 0.5 + 0.004 * np.arange(30)[None, :] * np.ones((24, 1))
    cloud = Cloud.of(1 / inverse, 30.0, 0.25)
    along = cloud.points[12, 20] - cloud.points[12, 8]
    motions = np.broadcast_to(np.column_stack([np.eye(3), along]), (24, 30, 3, 4)).copy()
    weights = np.zeros((24, 30))
    weights[9:16, 5:12] = 1
    found = merge(cloud, motions, weights, (48, 60))
    x = (np.arange(60) + 0.5) / 2 - 0.5
    np.testing.assert_allclose(found[20:30, 14:20], np.broadcast_to(0.5 + 0.004 * x[14:20], (10, 6)), rtol=2e-3)


def test_depths_at_or_behind_the_camera_are_refused():
    values = np.full((5, 6), -1, np.float32)
    given = Problem(values=values, size=(10, 12), sigma=0 * values, weight=values + 2, unit="m")
    with pytest.raises(InputError, match="-1"):
        Hornacek()(given)


@pytest.mark.parametrize("options", [{"radius": 0.0}, {"width": 0.0}, {"turns": 0}, {"view": 180.0}])
def test_wrong_parameters_are_refused(options):
    with pytest.raises(InputError):
        Hornacek(**options)
