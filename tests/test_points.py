"""Points lie where the camera saw them, planes are planar, and other tools read the file."""

from pathlib import Path

import numpy as np
import pytest

from atgvnet import Camera, DepthMap
from atgvnet.errors import UnitError
from atgvnet.points import point_cloud, write_ply

CAMERA = Camera(fx=60, fy=55, cx=19.5, cy=14.5)
NORMAL = np.array([0.2, -0.1, -1.0]) / np.linalg.norm([0.2, -0.1, -1.0])


def plane(distance: float = 2.0) -> np.ndarray:
    """Depth of the plane n · p = −distance."""
    return -distance / (CAMERA.rays((30, 40)) @ NORMAL)


def test_a_plane_stays_a_plane_with_one_normal_towards_the_camera() -> None:
    cloud = point_cloud(DepthMap(plane(), camera=CAMERA))
    assert len(cloud.points) == 30 * 40
    np.testing.assert_allclose(cloud.points @ NORMAL, -2, atol=1e-5)
    np.testing.assert_allclose(cloud.normals, np.tile(NORMAL, (1200, 1)), atol=1e-3)


def test_normals_beside_an_edge_belong_to_their_own_side() -> None:
    z = plane()
    z[:, 20:] = plane(3.0)[:, 20:]
    np.testing.assert_allclose(point_cloud(DepthMap(z, camera=CAMERA)).normals, np.tile(NORMAL, (1200, 1)), atol=1e-3)


def test_holes_have_no_points_and_range_becomes_z() -> None:
    z = plane().astype(np.float32)
    valid = np.ones(z.shape, bool)
    valid[5:9, 5:9] = False
    as_range = DepthMap(z, valid, camera=CAMERA).to_kind("range")
    cloud = point_cloud(as_range)
    assert len(cloud.points) == valid.sum()
    np.testing.assert_allclose(cloud.points @ NORMAL, -2, atol=1e-5)


def test_other_tools_read_the_file(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    cloud = point_cloud(DepthMap(plane(), camera=CAMERA))
    write_ply(cloud, tmp_path / "cloud.ply")
    read = trimesh.load(tmp_path / "cloud.ply", process=False)
    np.testing.assert_array_equal(read.vertices.astype(np.float32), cloud.points)
    np.testing.assert_array_equal(read.colors[:, :3], cloud.colours)


def test_without_a_camera_there_are_no_points() -> None:
    with pytest.raises(UnitError, match="no camera"):
        point_cloud(DepthMap([[1.0]]))
