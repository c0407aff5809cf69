"""Both implementations agree, in float32 and with float64."""

from collections.abc import Iterator

import numpy as np
import pytest
import torch

from atgvnet.errors import InputError
from atgvnet.scenes import FAMILIES, render
from atgvnet.scenes.batched import cast_batch

SIZE = (30, 40)


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_both_ray_casters_agree(family: str) -> None:
    renderings = [render(family, 9, index, SIZE) for index in range(3)]
    kernel = np.stack([rendering.depth for rendering in renderings])
    scenes = [rendering.scene for rendering in renderings]
    for dtype in (torch.float32, torch.float64):
        batch = cast_batch(scenes, SIZE, dtype=dtype)
        assert batch.shape == (3, 1, *SIZE)
        grazing = np.abs(batch[:, 0].numpy() - kernel) > 1e-4
        assert grazing.sum() <= 1


def test_a_batch_is_its_scenes_one_by_one() -> None:
    scenes = [render(family, 9, 0, (2, 2)).scene for family in ("cuboids", "curved")]
    together = cast_batch(scenes, SIZE)
    for scene, depth in zip(scenes, together, strict=True):
        torch.testing.assert_close(cast_batch([scene], SIZE)[0], depth, atol=1e-5, rtol=0)


def test_an_empty_batch() -> None:
    with pytest.raises(InputError, match="at least one"):
        cast_batch([], SIZE)
