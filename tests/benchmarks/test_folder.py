"""Folders of pairs: both layouts, the scale from the sizes, and what is told when a pair is not one."""

from pathlib import Path

import numpy as np
import pytest

from atgvnet.benchmarks import evaluate
from atgvnet.depthmap import DepthMap
from atgvnet.errors import InputError
from atgvnet.methods.problem import Estimate, Problem


def write(path: Path, shape: tuple[int, int], unit: str = "m") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    DepthMap(np.linspace(1, 2, shape[0] * shape[1]).reshape(shape), unit=unit).save(path)


def ones(problem: Problem) -> Estimate:
    return Estimate(values=np.ones(problem.size, np.float32))


def test_two_folders_with_equal_names(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    write(folder / "input/Desk.png", (10, 15), "mm")
    write(folder / "truth/Desk.png", (40, 60), "mm")
    write(folder / "input/chair.mat", (10, 15))
    write(folder / "truth/chair.mat", (20, 30))
    (folder / "input/notes.txt").write_text("not a map")
    rows = evaluate(folder, methods=[ones])
    assert [(row.benchmark, row.scale, row.scene) for row in rows] == [("mine", 2, "chair"), ("mine", 4, "desk")]
    assert [row.scene for row in evaluate(folder, methods=[ones], scales=[4])] == ["desk"]
    assert [row.scene for row in evaluate(str(folder), methods=[ones], scenes=["chair"])] == ["chair"]


def test_one_folder_with_endings_and_a_guide(tmp_path: Path) -> None:
    from PIL import Image

    write(tmp_path / "a_lr.mat", (10, 15))
    write(tmp_path / "a_hr.mat", (25, 38))
    Image.fromarray(np.full((25, 38, 3), 255, np.uint8)).save(tmp_path / "a_guide.png")
    seen: list[Problem] = []

    def guided(problem: Problem) -> Estimate:
        seen.append(problem)
        return ones(problem)

    (row,) = evaluate(tmp_path, methods=[guided])
    assert row.scale == 2.52
    assert seen[0].guide is not None
    assert seen[0].guide.shape == (25, 38, 3)
    assert seen[0].benchmark == tmp_path.name


def test_missing_truth_does_not_count(tmp_path: Path) -> None:
    write(tmp_path / "a_lr.mat", (2, 2))
    DepthMap([[1.0, np.nan, 3.0, 1.0]] * 4).save(tmp_path / "a_hr.mat")
    (row,) = evaluate(tmp_path, methods=[ones])
    assert row.mae == pytest.approx(2 / 3)


@pytest.mark.parametrize("sizes", [((94, 113), (375, 450), 4), ((10, 10), (10, 10), 1), ((3, 1), (48, 16), 16)])
def test_the_scale_is_whole_but_for_a_cropped_border(tmp_path: Path, sizes: tuple) -> None:
    low, high, scale = sizes
    write(tmp_path / "a_lr.mat", low)
    write(tmp_path / "a_hr.mat", high)
    (row,) = evaluate(tmp_path, methods=[ones])
    assert row.scale == scale


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "holds no pairs; give DIR/input/NAME"),
        ({"a_lr.mat": (2, 2)}, "a_lr.mat has no partner"),
        ({"a_lr.mat": (2, 2), "a_hr.mat": (4, 4), "b_hr.mat": (4, 4)}, "b_hr.mat has no partner"),
        ({"a_lr.mat": (4, 4), "a_hr.mat": (2, 2)}, "one factor of at least 1"),
        ({"a_lr.mat": (10, 10), "a_hr.mat": (20, 80)}, "one factor of at least 1"),
        ({"a_lr.mat": (2, 2), "a_lr.png": (2, 2), "a_hr.mat": (4, 4)}, "have the same name"),
        ({"a_lr.png": (2, 2), "a_hr.mat": (4, 4)}, "give both alike"),
    ],
)
def test_what_is_no_pair_is_named(tmp_path: Path, files: dict, message: str) -> None:
    for name, shape in files.items():
        write(tmp_path / name, shape, "mm" if name.endswith("png") else "m")
    with pytest.raises(InputError) as caught:
        evaluate(tmp_path, methods=[ones])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
