"""How fast the ray-caster is: the paper's scenes at 512×512, against embree and itself without bounding boxes.

All three make the same maps of the same boxes, scene by scene in turn, and are compared by the processor time that
they take (embree's threads count); embree builds each scene's triangles and traces one ray per pixel, from rays
prepared beforehand. Then two processes render the whole family, spheres and the drawing of scenes included, by the
clock. The last line is a JSON object.
"""

import argparse
import json
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene
from numpy.typing import NDArray

from atgvnet.scenes import KINDS, Scene, Solids, depth_of, draw_scene, render

SIZE = (512, 512)
ALONE, PAPER_MAPS = 200, 40_000
CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
FACES = np.array([[(a, b, c), (a, c, d)] for a, b, c, d in SIDES]).reshape(-1, 3)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=40, help="scenes to compare on")
    parser.add_argument("--maps", type=int, default=8000, help="maps that two processes render")
    arguments = parser.parse_args()
    scenes = [_boxes(draw_scene("cuboids", 0, index)) for index in range(arguments.scenes)]
    seconds, unlike = _race(scenes)
    ours, unbounded, embree = (statistics.median(times) for times in seconds)
    print(f"boxes of the paper's scenes, {SIZE[0]}×{SIZE[1]}, one core, median of {len(scenes)} scenes")
    for name, value in (("this", ours), ("without bounding boxes", unbounded), ("embree, build and trace", embree)):
        print(f"  {name:26}{1 / value:8.1f} maps/s  {value / ours:6.2f} times the time")
    print(f"  pixels that differ from embree by more than 1e-4: {unlike} of {len(scenes) * SIZE[0] * SIZE[1]}")
    rate, minutes = _whole_family(arguments.maps)
    result = {
        "maps_per_second_per_core": rate,
        "speedup_over_embreex": embree / ours,
        "speedup_over_unbounded": unbounded / ours,
        "minutes_per_40000_maps_two_processes": minutes,
        "pixels_unlike_embreex": unlike,
    }
    print(json.dumps(result))


def _whole_family(maps: int) -> tuple[float, float]:
    """Give the maps per second of one core and the minutes that two processes take for the paper's 40,000."""
    one = _seconds(lambda: [render("cuboids", 1, i, SIZE) for i in range(ALONE)], time.process_time) / ALONE
    two = _two_processes(maps)
    minutes = PAPER_MAPS * two / maps / 60
    print(f"whole family, scenes drawn too: {1 / one:.1f} maps/s on one core")
    print(f"{maps} maps by two processes in {two:.1f} s, so {PAPER_MAPS} in {minutes:.2f} minutes")
    return 1 / one, minutes


def _boxes(scene: Scene) -> Scene:
    kept = scene.solids.kinds == KINDS["box"]
    solids = Solids(*(getattr(scene.solids, name)[kept] for name in Solids.__slots__))
    return Scene(view=scene.view, solids=solids)


def _race(scenes: list[Scene]) -> tuple[list[list[float]], int]:
    """Give the seconds per scene of the three, and the number of pixels where embree differs."""
    rays = {scene.view.half: _rays(scene) for scene in scenes}
    contenders: list[Callable[[Scene], Any]] = [
        lambda scene: depth_of(scene, SIZE)[0],
        lambda scene: depth_of(scene, SIZE, bounded=False)[0],
        lambda scene: _embree(scene, *rays[scene.view.half]),
    ]
    seconds: list[list[float]] = [[], [], []]
    unlike = 0
    for contender in contenders:
        contender(scenes[0])
    for scene in scenes:
        maps = []
        for contender, times in zip(contenders, seconds, strict=True):
            begin = time.process_time()
            maps.append(contender(scene))
            times.append(time.process_time() - begin)
        unlike += int((np.abs(maps[2].reshape(SIZE) - maps[0]) > 1e-4).sum())
    return seconds, unlike


def _rays(scene: Scene) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    v, u = (np.mgrid[: SIZE[0], : SIZE[1]] - (SIZE[0] - 1) / 2) * 2 / SIZE[0] * scene.view.half
    ways = np.stack([u, v, np.ones(SIZE)], axis=-1).reshape(-1, 3).astype(np.float32)
    return np.zeros_like(ways), ways


def _embree(scene: Scene, starts: NDArray[np.float32], ways: NDArray[np.float32]) -> NDArray[np.float32]:
    corners = scene.solids.centres[:, None] + CORNERS @ scene.solids.axes.transpose(0, 2, 1)
    tree = EmbreeScene()
    # the scene refers to the mesh, which has to outlive the query
    mesh = TriangleMesh(tree, corners[:, FACES].reshape(-1, 3, 3).astype(np.float32))
    distances: NDArray[np.float32] = tree.run(starts, ways, query="DISTANCE")
    del mesh
    return np.minimum(distances, np.float32(1))


def _seconds(work: Callable[[], Any], clock: Callable[[], float] = time.perf_counter) -> float:
    begin = clock()
    work()
    return clock() - begin


def _two_processes(count: int) -> float:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.map(_chunk, [range(1), range(1)], chunksize=1)
        chunks = [range(begin, min(begin + 50, count)) for begin in range(0, count, 50)]
        return _seconds(lambda: pool.map(_chunk, chunks, chunksize=1))


def _chunk(indices: range) -> float:
    return float(sum(render("cuboids", 2, index, SIZE).depth[0, 0] for index in indices))


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
