"""The ToF rig against geometry written out by hand, and inpainting against SciPy."""

import numpy as np
import pytest
from scipy.interpolate import LinearNDInterpolator
from scipy.spatial import cKDTree

from atgvnet.errors import InputError
from atgvnet.noise import NoiseLaw
from atgvnet.sensors.tofmark import Rig, ToFMark, draw_rig, inpaint, observe, project_to_tof, warp_to_target

CLEAN = NoiseLaw("none")


@pytest.fixture(scope="module")
def rig() -> Rig:
    return draw_rig()


def slanted(rig: Rig) -> np.ndarray:
    """Depth of the plane z = 700 + 0.2 x - 0.1 y in the target view, which is not linear in the pixels."""
    y, x = np.mgrid[: rig.target_size[0], : rig.target_size[1]]
    rays = np.stack([x, y, np.ones(x.shape)], -1) @ np.linalg.inv(rig.camera).T
    return 700 / (1 - 0.2 * rays[..., 0] + 0.1 * rays[..., 1])


def test_a_range_pixel_comes_back_where_its_ray_ends(rig: Rig) -> None:
    ranges = np.full(rig.tof_size, np.nan)
    ranges[50, 70] = 800.0
    [[row, column]] = np.argwhere(np.isfinite(sparse := warp_to_target(ranges, rig)))
    ray = np.linalg.inv(rig.projection[:, :3]) @ [70, 50, 1]
    point = -np.linalg.inv(rig.projection[:, :3]) @ rig.projection[:, 3] + 800 * ray / np.linalg.norm(ray)
    image = rig.camera @ point
    assert (column, row) == tuple(np.rint(image[:2] / image[2]))
    assert sparse[row, column] == pytest.approx(point[2], rel=1e-6)


def test_a_plane_survives_the_way_there_and_back(rig: Rig) -> None:
    truth = slanted(rig)
    sparse = warp_to_target(project_to_tof(truth, rig), rig)
    hit = np.isfinite(sparse)
    assert np.abs(sparse - truth)[hit].mean() < 0.5
    assert np.abs(inpaint(sparse) - truth).mean() < 0.5


def test_the_ranges_are_those_of_the_rays_and_the_plane(rig: Rig) -> None:
    normal, distance = np.array([-0.2, 0.1, 1.0]), 700.0
    exact = (distance - normal @ rig.eye) / (rig.rays @ normal)
    ranges = project_to_tof(slanted(rig), rig)
    inner = (slice(40, 80), slice(50, 110))
    np.testing.assert_allclose(ranges[inner], exact[inner], atol=2.0)
    assert abs((ranges - exact)[inner].mean()) < 0.5


def test_about_one_target_pixel_in_forty_is_hit() -> None:
    shares = [
        np.isfinite(observe(slanted(draw_rig()), r, CLEAN, np.random.default_rng(0)).sparse).mean() for r in _rigs()
    ]
    assert 0.02 < np.mean(shares) < 0.03


def _rigs() -> list[Rig]:
    return [draw_rig(np.random.default_rng(seed)) for seed in range(5)]


def test_the_nearest_point_wins() -> None:
    camera = np.array([[2.0, 0, 1.5], [0, 2.0, 1.5], [0, 0, 1]])
    lens = np.array([[50.0, 0, 20], [0, 50.0, 20], [0, 0, 1]])
    rig = Rig(projection=np.column_stack([lens, np.zeros(3)]), camera=camera, tof_size=(41, 41), target_size=(4, 4))
    ranges = np.where(np.arange(41)[:, None] % 2 == 0, 3.0, 2.0) * np.linalg.norm(
        rig.rays / rig.rays[..., 2:], axis=-1
    )
    sparse = warp_to_target(ranges, rig)
    np.testing.assert_allclose(sparse[np.isfinite(sparse)], 2.0, rtol=1e-6)
    ahead = warp_to_target(np.where(np.arange(41)[:, None] % 2 == 0, ranges, np.nan), rig)
    np.testing.assert_allclose(ahead[np.isfinite(ahead)], 3.0, rtol=1e-6)


@pytest.mark.parametrize("factor", [-1.0, 0.01])
def test_a_projection_matrix_has_no_scale(rig: Rig, factor: float) -> None:
    other = Rig(projection=factor * rig.projection, camera=rig.camera)
    truth = slanted(rig)
    np.testing.assert_allclose(project_to_tof(truth, other), project_to_tof(truth, rig), rtol=1e-6)
    ranges = np.full(rig.tof_size, 700.0)
    np.testing.assert_allclose(warp_to_target(ranges, other), warp_to_target(ranges, rig), rtol=1e-6)


def test_matlabs_first_pixel_is_one(rig: Rig) -> None:
    one = np.array([[1.0, 0, 1], [0, 1, 1], [0, 0, 1]])
    matlab = Rig(projection=one @ rig.projection, camera=one @ rig.camera, first=1.0)
    ranges = np.full(rig.tof_size, 700.0)
    np.testing.assert_allclose(warp_to_target(ranges, matlab), warp_to_target(ranges, rig), rtol=1e-6)
    truth = slanted(rig)
    np.testing.assert_allclose(project_to_tof(truth, matlab), project_to_tof(truth, rig), rtol=1e-6)


def test_a_rig_of_another_resolution_sees_the_same(rig: Rig) -> None:
    target, tof = (305, 405), (60, 80)
    small = rig.resized(target, tof)
    np.testing.assert_allclose(small.eye, rig.eye, atol=1e-9)
    # the centre of a pixel of twice the size is the corner of four: the mean of their rays, nearly
    rays = rig.rays.reshape(60, 2, 80, 2, 3).mean(axis=(1, 3))
    np.testing.assert_allclose(small.rays, rays, atol=1e-4)
    np.testing.assert_allclose(rig.resized((610, 810), (120, 160)).projection, rig.projection, rtol=1e-12)


def test_the_sensor_is_the_rig_at_the_map_s_own_size(rig: Rig) -> None:
    truth = slanted(rig)[::2, ::2]
    measured = ToFMark(law=CLEAN).measure(truth.astype(np.float32), 5, np.random.default_rng(2))
    assert measured.low.shape == truth.shape
    assert measured.valid.all()
    inner = (slice(30, -30), slice(40, -40))
    assert np.abs(measured.low - truth)[inner].mean() < 1.0


def test_pixels_flagged_as_wrong_do_not_come_back(rig: Rig) -> None:
    ranges = np.full(rig.tof_size, 700.0)
    none = warp_to_target(ranges, rig, valid=np.zeros(rig.tof_size, bool))
    assert np.isnan(none).all()
    assert np.isnan(warp_to_target(np.zeros(rig.tof_size), rig)).all()


def test_a_pixel_on_an_edge_mixes_or_decides(rig: Rig) -> None:
    truth = np.full(rig.target_size, 1000.0)
    truth[:, :400] = 500.0
    mixed, decided = project_to_tof(truth, rig), project_to_tof(truth, rig, mixed=False)
    between = (mixed * rig.rays[..., 2] > 560) & (mixed * rig.rays[..., 2] < 940)
    assert between.sum() > 20
    assert not np.any((decided * rig.rays[..., 2] > 600) & (decided * rig.rays[..., 2] < 900))


def test_noise_follows_its_law_and_the_generator(rig: Rig) -> None:
    truth = slanted(rig)
    clean, noisy = (
        project_to_tof(truth, rig),
        observe(truth, rig, NoiseLaw("constant", 5.0), np.random.default_rng(1)),
    )
    again = observe(truth, rig, NoiseLaw("constant", 5.0), np.random.default_rng(1))
    np.testing.assert_array_equal(noisy.dense, again.dense)
    assert np.nanstd(noisy.ranges - clean) == pytest.approx(5.0, rel=0.05)


def test_inpainting_is_scipys_linear_interpolation() -> None:
    rng = np.random.default_rng(0)
    sparse = np.full((40, 50), np.nan)
    sparse[rng.random(sparse.shape) < 0.03] = 1.0
    known = np.argwhere(np.isfinite(sparse))
    # of a plane every triangulation gives the same; of other values only one without ties
    for values in (known @ [0.3, -0.2] + 5, rng.random(len(known))):
        sparse[known[:, 0], known[:, 1]] = values
        pixels = np.argwhere(np.ones(sparse.shape))
        linear = LinearNDInterpolator(known, values)(pixels)
        nearest = values[cKDTree(known).query(pixels)[1]]
        filled = inpaint(sparse).ravel()
        inside = np.isfinite(linear)
        np.testing.assert_allclose(filled[inside], linear[inside], atol=1e-5)
        assert inside.mean() > 0.7
        np.testing.assert_allclose(filled[~inside], nearest[~inside], atol=1e-6)


def test_inpainting_by_the_nearest() -> None:
    sparse = np.full((3, 9), np.nan)
    sparse[1, 0], sparse[1, 8] = 1.0, 2.0
    np.testing.assert_array_equal(inpaint(sparse, method="nearest")[0], [1, 1, 1, 1, 1, 2, 2, 2, 2])


@pytest.mark.parametrize("known", [[(0, 0)], [(0, 0), (2, 2)], [(0, 0), (1, 1), (2, 2)]])
def test_inpainting_few_or_aligned_points(known: list[tuple[int, int]]) -> None:
    sparse = np.full((3, 3), np.nan)
    for place in known:
        sparse[place] = 7.0
    np.testing.assert_array_equal(inpaint(sparse), np.full((3, 3), 7.0))


def test_nothing_to_inpaint() -> None:
    with pytest.raises(InputError, match="no pixel is known"):
        inpaint(np.full((4, 5), np.nan))
    with pytest.raises(InputError, match="no pixel is known"):
        inpaint(np.zeros(3))


def test_wrong_matrices_and_sizes(rig: Rig) -> None:
    with pytest.raises(InputError, match="no inverse"):
        Rig(projection=np.zeros((3, 4)), camera=rig.camera)
    with pytest.raises(InputError, match="3×3"):
        Rig(projection=rig.projection, camera=rig.projection)
    with pytest.raises(InputError, match="1×1"):
        Rig(projection=rig.projection, camera=rig.camera, tof_size=(0, 3))
    with pytest.raises(InputError, match="target is"):
        project_to_tof(np.ones((3, 3)), rig)
    with pytest.raises(InputError, match="this rig's is"):
        warp_to_target(np.ones((3, 3)), rig)
