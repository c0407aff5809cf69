"""A small folder of data in the form of the benchmarks', and methods that need nothing."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from scipy.io import savemat

from atgvnet.methods.problem import Estimate, Problem
from atgvnet.resample import imresize

Run = Callable[[Problem], Estimate]


def interpolation(kernel: str) -> Run:
    def run(problem: Problem) -> Estimate:
        values = imresize(problem.values.astype(np.float64), size=problem.size, method=kernel)
        return Estimate(values=values.astype(np.float32))

    run.__name__ = kernel
    return run


@pytest.fixture(scope="session")
def kernels() -> dict[str, Run]:
    return {kernel: interpolation(kernel) for kernel in ("nearest", "bilinear", "bicubic")}


def picture(path: Path, values: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.clip(np.rint(values), 0, 255).astype(np.uint8)).save(path)


def a_scene(height: int, width: int) -> np.ndarray:
    values = np.add.outer(np.linspace(80, 100, height), np.linspace(0, 20, width))
    values[height // 4 : height // 2, width // 3 : 2 * width // 3] = 200
    return np.rint(values)


@pytest.fixture
def small_data(tmp_path: Path) -> Path:
    """All files of Art, Cones and Scan42, small."""
    truth = a_scene(64, 96)
    for index in (1, 2, 3, 4):
        picture(tmp_path / f"middlebury2005_noisy/art/depth_{index}_n.png", imresize(truth, scale=0.5**index))
    picture(tmp_path / "middlebury2005_noisy/art/art_big.png", truth)
    picture(tmp_path / "middlebury2005_noisy/art/guide.png", np.repeat(truth[..., None], 3, axis=-1))
    filled = a_scene(43, 61)
    raw = np.where(np.arange(61) % 9 == 0, 0, filled)
    picture(tmp_path / "middlebury_clean/filled/cones.png", filled)
    picture(tmp_path / "middlebury_clean/raw/cones_disp2.png", np.repeat(raw[..., None], 3, axis=-1))
    picture(tmp_path / "middlebury_clean/guide/cones.png", np.repeat(filled[..., None], 3, axis=-1))
    for scale in (2, 4):
        picture(
            tmp_path / f"middlebury_clean/lr_x{scale}/cones.png", imresize(filled, scale=1 / scale, method="nearest")
        )
    (tmp_path / "laserscan/gt").mkdir(parents=True)
    (tmp_path / "laserscan/lr_x4").mkdir()
    savemat(tmp_path / "laserscan/gt/scan042_cave_statue.mat", {"D": truth / 100})
    savemat(tmp_path / "laserscan/lr_x4/scan042_cave_statue_smNN.mat", {"D": truth[2::4, 2::4] / 100})
    return tmp_path
