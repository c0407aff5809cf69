"""The ray-caster against brute force in float64: walk along each ray to where the equation changes sign."""

import numpy as np
import pytest
import trimesh

from atgvnet.scenes import KINDS, Scene, Solid, Solids, View, depth_of
from atgvnet.scenes.draw import Draw
from atgvnet.scenes.layout import ball, bowl, box, cup, frustum, rod, sheet, torus
from atgvnet.scenes.stage import plane

SIZE = (15, 20)
VIEWS = [View(projection="pinhole", half=0.4), View(projection="orthographic", half=0.5)]


def equation(kind: str, shape: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Give what is zero on the solid's surface."""
    x, y, z = np.moveaxis(p, -1, 0)
    if kind == "box":
        return np.abs(p).max(axis=-1) - 1
    if kind == "ball":
        return x * x + y * y + z * z - 1
    if kind == "frustum":
        side = np.hypot(x, y) - (1 + shape[0]) / 2 - (shape[0] - 1) / 2 * z
        return side if shape[1] == 1 else np.maximum(side, np.abs(z) - 1)
    if kind == "torus":
        return np.hypot(np.hypot(x, y) - (1 - shape[0]), z) - shape[0]
    if kind == "field":
        return z - sum(shape[i] * triangle_sine(shape[i + 1] * x + shape[i + 2] * y) for i in (0, 3, 6))
    return z


def triangle_sine(phase: np.ndarray) -> np.ndarray:
    """Two parabolas through 0, 1, 0, -1, 0 at the quarters of a period."""
    y = np.mod(phase + 0.5, 1) - 0.5
    return 16 * y * (0.5 - np.abs(y))


def inside_domain(kind: str, shape: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Where a zero of the equation is part of the surface."""
    if kind == "ball":
        return p[..., 2] <= shape[0]
    if kind == "frustum":
        return np.abs(p[..., 2]) <= 1 + 1e-9
    return (np.abs(p) <= 1).all(axis=-1) if kind == "field" else np.ones(p.shape[:-1], bool)


def brute_force(scene: Scene, size: tuple[int, int], samples: int = 3000) -> np.ndarray:
    """Depths of a scene of one solid."""
    solids, view = scene.solids, scene.view
    kind = next(name for name, number in KINDS.items() if number == solids.kinds[0])
    shape, frame = solids.shapes[0], np.linalg.inv(solids.axes[0])
    v, u = np.mgrid[: size[0], : size[1]].astype(float)
    u, v = ((a - (n - 1) / 2) * 2 / max(size) * view.half for a, n in ((u, size[1]), (v, size[0])))
    zero, one = np.zeros(size), np.ones(size)
    start, way = ((zero, zero, zero), (u, v, one)) if view.pinhole else ((u, v, zero), (zero, zero, one))
    start = (np.stack(start, -1).reshape(-1, 3) - solids.centres[0]) @ frame.T
    way = np.stack(way, -1).reshape(-1, 3) @ frame.T
    reach = np.abs(solids.axes[0][2]).sum()
    first, last = max(1e-9, solids.centres[0][2] - reach), min(1.0, solids.centres[0][2] + reach)
    if kind == "plane":
        first, last = 1e-9, 1.0
    t = np.linspace(first, last, samples)

    def negative(rays: np.ndarray, t: np.ndarray) -> np.ndarray:
        return np.signbit(equation(kind, shape, start[rays] + t[..., None] * way[rays]))

    changes = [np.flatnonzero(np.diff(negative(np.full(samples, ray), t))) for ray in range(len(start))]
    rays = np.repeat(np.arange(len(start)), [len(places) for places in changes])
    places = np.concatenate(changes)
    a, b = t[places], t[places + 1]
    for _ in range(45):
        same = negative(rays, (a + b) / 2) == negative(rays, a)
        a, b = np.where(same, (a + b) / 2, a), np.where(same, b, (a + b) / 2)
    hit = inside_domain(kind, shape, start[rays] + a[:, None] * way[rays])
    depths = np.ones(len(start))
    np.minimum.at(depths, rays[hit], a[hit])
    return depths.reshape(size)


def anything(kind: str, draw: Draw, view: View) -> Solid:
    """Draw a solid that fills much of the view."""
    z = draw.uniform(0.45, 0.7)
    place, size, turn = view.point(draw.point(-0.5, 0.5), z), 0.6 * view.reach(z), draw.rotation()
    some = draw.uniform(0.1, 1) * size, draw.uniform(0.1, 1) * size, draw.uniform(0.1, 1) * size
    made = {
        "box": lambda: box(place, some, turn),
        "ball": lambda: ball(place, some, turn),
        "bowl": lambda: bowl(place, some, draw.uniform(-0.8, 0.8), turn),
        "frustum": lambda: frustum(place, some[0], some[1], draw.uniform(0, 2), turn),
        "cup": lambda: cup(place, some[0], some[1], draw.uniform(0.5, 2), turn),
        "rod": lambda: rod(place, (place[0], place[1] + size, place[2] + some[1]), 0.5 * some[2]),
        "torus": lambda: torus(place, size, size * draw.uniform(0.05, 0.45), turn),
        "sheet": lambda: sheet(place, some, (0.5, 1.3, 0.2, 0.3, -0.4, 1.1, 0.2, 1.5, 1.5), turn),
        "plane": lambda: plane(view, z, draw.point(-0.6, 0.6)),
    }
    return made[kind]()


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.projection)
@pytest.mark.parametrize("kind", ["box", "ball", "bowl", "frustum", "cup", "rod", "torus", "sheet", "plane"])
def test_every_solid_is_where_its_equation_says(kind: str, view: View) -> None:
    wrong = hit = 0
    for seed in range(3):
        scene = Scene(view=view, solids=Solids.of([anything(kind, Draw(seed, 7), view)]))
        exact, (found, _) = brute_force(scene, SIZE), depth_of(scene, SIZE)
        wrong += int((np.abs(found - exact) > 2e-5).sum())
        hit += int((exact < 1).sum())
    assert hit > 20
    # the walk misses what is thinner than its step
    assert wrong <= 1


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.projection)
def test_boxes_are_the_triangles_of_their_meshes(view: View) -> None:
    scene = Scene(view=view, solids=Solids.of([anything("box", Draw(seed, 3), view) for seed in range(12)]))
    solids = scene.solids
    cubes = [trimesh.creation.box((2, 2, 2)) for _ in solids.kinds]
    for cube, centre, axes in zip(cubes, solids.centres, solids.axes, strict=True):
        cube.apply_transform(np.vstack([np.column_stack([axes, centre]), [0, 0, 0, 1]]))
    mesh = trimesh.util.concatenate(cubes)
    v, u = (np.mgrid[:40, :40] - 19.5) / 20 * view.half
    flat, z = np.stack([u, v, np.zeros_like(u)], -1).reshape(-1, 3), np.array([0, 0, 1])
    starts, ways = (0 * flat, flat + z) if view.pinhole else (flat, 0 * flat + z)
    depth = np.min([hit_triangle(starts, ways, *corners) for corners in mesh.triangles], axis=0, initial=1.0)
    np.testing.assert_allclose(depth_of(scene, (40, 40))[0].ravel(), depth, atol=1e-5)


def hit_triangle(starts: np.ndarray, ways: np.ndarray, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Give the distance along each ray to a triangle, infinite where missed."""
    unknowns = np.stack([-ways, np.broadcast_to(b - a, ways.shape), np.broadcast_to(c - a, ways.shape)], -1)
    t, one, two = np.moveaxis(np.linalg.solve(unknowns, (starts - a)[..., None])[..., 0], -1, 0)
    inside = (one >= -1e-12) & (two >= -1e-12) & (one + two <= 1 + 1e-12) & (t > 0)
    return np.where(inside, t, np.inf)


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.projection)
def test_bounding_boxes_change_nothing(view: View) -> None:
    kinds = ["box", "ball", "bowl", "frustum", "cup", "rod", "torus", "sheet"] * 3
    scene = Scene(view=view, solids=Solids.of([anything(kind, Draw(i, 5), view) for i, kind in enumerate(kinds)]))
    bounded, everywhere = (depth_of(scene, (75, 100), bounded=flag)[0] for flag in (True, False))
    assert (np.abs(bounded - everywhere) > 2e-5).sum() <= 1


def test_the_nearest_solid_is_named() -> None:
    view = VIEWS[0]
    behind, before = plane(view, 0.8, (0.1, 0.0)), ball((0.0, 0.0, 0.5), 0.1)
    depth, names = depth_of(Scene(view=view, solids=Solids.of([behind, before])), (30, 40), named=True)
    disc = depth < 0.55
    assert disc.any()
    assert (names == disc).all()
    assert (
        depth_of(Scene(view=view, solids=Solids.of([before])), (30, 40), named=True)[1] == np.where(disc, 0, -1)
    ).all()


def test_solids_behind_the_camera_are_not_seen() -> None:
    behind = [ball((0.0, 0.0, -0.5), 0.2), box((0.0, 0.0, -0.4), (0.1, 0.1, 0.1)), plane(VIEWS[0], -0.3, (0.0, 0.0))]
    for view in VIEWS:
        assert (depth_of(Scene(view=view, solids=Solids.of(behind)), (20, 20))[0] == 1).all()


def test_a_solid_around_the_camera_hides_nothing() -> None:
    around = Solids.of([box((0.0, 0.0, 0.0), (0.3, 0.3, 0.3)), ball((0.0, 0.0, 0.6), 0.1)])
    depth, _ = depth_of(Scene(view=VIEWS[0], solids=around), (21, 21))
    assert depth[10, 10] == pytest.approx(0.5, abs=1e-6)


def test_rays_parallel_to_faces_hit_them() -> None:
    wall = Scene(view=VIEWS[1], solids=Solids.of([box((0.0, 0.0, 0.6), (0.25, 0.25, 0.1))]))
    depth, _ = depth_of(wall, (64, 64))
    # the pixels whose centres are within a quarter of the view's width and height
    assert (depth < 1).sum() == 32 * 32
    np.testing.assert_allclose(depth[depth < 1], 0.5, atol=1e-6)


def test_an_empty_scene_is_all_background() -> None:
    depth, names = depth_of(Scene(view=VIEWS[0], solids=Solids.of([])), (1, 1), named=True)
    assert depth.tolist() == [[1.0]]
    assert names.tolist() == [[-1]]
