"""Both implementations agree, in float32 and with float64."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
import torch

from atgvnet.errors import InputError
from atgvnet.scenes import FAMILIES, Scene, depth_of, draw_scene
from atgvnet.scenes.batched import cast_batch

SIZE = (30, 40)
TOLERANCE = 1e-4


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def differing(scenes: list[Scene], size: tuple[int, int], dtype: torch.dtype) -> np.ndarray:
    """Scene, row and column of the pixels on which both implementations differ."""
    kernel = np.stack([depth_of(scene, size)[0] for scene in scenes])
    batch = cast_batch(scenes, size, dtype=dtype)
    assert batch.shape == (len(scenes), 1, *size)
    return np.argwhere(np.abs(batch[:, 0].numpy() - kernel) > TOLERANCE)


def grazes(scene: Scene, size: tuple[int, int], row: int, column: int) -> bool:
    """Whether the depth at a pixel jumps when the solids move by a hundredth of a pixel."""
    step = 0.02 / max(size) * scene.view.half
    moves = [(x, y) for x in (-step, 0.0, step) for y in (-step, 0.0, step)]
    moved = [replace(scene, solids=scene.solids.placed((x, y, 0.0), np.eye(3))) for x, y in moves]
    depths = [float(depth_of(each, size)[0][row, column]) for each in moved]
    return max(depths) - min(depths) > TOLERANCE


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_both_ray_casters_agree(family: str) -> None:
    scenes = [draw_scene(family, 9, index) for index in range(5)]
    for dtype in (torch.float32, torch.float64):
        # one in six thousand here; one in ten thousand on many more pixels below
        assert len(differing(scenes, SIZE, dtype)) <= 1


@pytest.mark.slow
def test_a_thousand_scenes_agree_but_where_rays_graze_an_edge() -> None:
    size, batch, batches = (36, 48), 14, 8
    scenes_of_each = batch * batches
    differ = odd = 0
    for family in FAMILIES:
        found = 0
        for first in range(0, scenes_of_each, batch):
            scenes = [draw_scene(family, 77, first + k) for k in range(batch)]
            places = differing(scenes, size, torch.float32)
            found += len(places)
            odd += sum(not grazes(scenes[k], size, row, column) for k, row, column in places)
        print(f"{family}: {found} pixels differ", flush=True)
        assert found <= scenes_of_each * size[0] * size[1] / 10_000
        differ += found
    scenes_in_all = scenes_of_each * len(FAMILIES)
    assert scenes_in_all >= 1000
    print(f"{differ} of {scenes_in_all * size[0] * size[1]} pixels of {scenes_in_all} scenes, {odd} without an edge")
    assert odd == 0


def test_a_batch_is_its_scenes_one_by_one() -> None:
    scenes = [draw_scene(family, 9, 0) for family in ("cuboids", "curved")]
    together = cast_batch(scenes, SIZE)
    for scene, depth in zip(scenes, together, strict=True):
        torch.testing.assert_close(cast_batch([scene], SIZE)[0], depth, atol=1e-5, rtol=0)


def test_an_empty_batch() -> None:
    with pytest.raises(InputError, match="at least one"):
        cast_batch([], SIZE)
