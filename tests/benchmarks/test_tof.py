"""The ToF geometry: ToFMark's files, as we write them, and the synthetic benchmark."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from atgvnet.benchmarks import BENCHMARKS, Case, evaluate
from atgvnet.benchmarks.case import as_is
from atgvnet.errors import FormatError, InputError
from atgvnet.sensors.tofmark import draw_rig

FROM_ONE = np.array([[1.0, 0, 1], [0, 1, 1], [0, 0, 1]])  # MATLAB counts pixels from 1


@pytest.fixture(scope="module")
def synthetic() -> Case:
    return BENCHMARKS["synthetic"].load(Path(), 5, "cuboids")


def recording(size: tuple[int, int] = (9, 12), target: tuple[int, int] = (46, 61)) -> dict[str, np.ndarray]:
    """A small scene: two surfaces before a rig of ToFMark's form, some pixels not valid."""
    generator = np.random.default_rng(7)
    ranges = np.where(np.arange(size[1]) < 5, 500.0, 800.0) + generator.normal(0, 3, size)
    flags = (generator.random(size) < 0.9).astype(np.uint8)
    focal = target[1] * 1.2
    camera = FROM_ONE @ np.array([[focal, 0, target[1] / 2], [0, focal, target[0] / 2], [0, 0, 1]])
    lens = np.array([[size[1] * 1.1, 0, size[1] / 2], [0, size[1] * 1.1, size[0] / 2], [0, 0, 1]])
    shift = np.array([[1.0, 0.01, -0.02, 40], [-0.01, 1, 0.01, 5], [0.02, -0.01, 1, -8]])
    return {
        "P_TOF": FROM_ONE @ lens @ shift,
        "K_GRAY": camera,
        "dtof": np.where(flags == 1, ranges, 9e4),
        "flags_tof": flags,
        "gt": np.where(generator.random(target) < 0.9, 650.0, 0.0),
        "gray": generator.integers(0, 255, target).astype(np.uint8),
    }


def write(folder: Path, scene: str, matrices: dict[str, np.ndarray], name: str = "{}.mat") -> Path:
    folder.mkdir(exist_ok=True)
    savemat(folder / name.format(scene), matrices)
    return folder


def warped_by_definition(file: dict[str, np.ndarray]) -> np.ndarray:
    """Warp point by point, in the files' own convention."""
    left, column = file["P_TOF"][:, :3], file["P_TOF"][:, 3]
    eye = -np.linalg.inv(left) @ column
    target = np.full(file["gt"].shape, np.nan)
    for row, col in zip(*np.nonzero(file["flags_tof"] == 1), strict=True):
        ray = np.linalg.inv(left) @ np.array([col + 1.0, row + 1.0, 1.0])
        point = eye + ray / np.linalg.norm(ray) * file["dtof"][row, col]
        image = file["K_GRAY"] @ point
        x, y = (math.floor(v / image[2] + 0.5) - 1 for v in image[:2])
        if 0 <= y < target.shape[0] and 0 <= x < target.shape[1]:
            target[y, x] = np.fmin(target[y, x], point[2])
    return target


def test_ranges_are_warped_as_the_benchmark_says(tmp_path: Path) -> None:
    file = recording()
    write(tmp_path / "tofmark", "books", file)
    case = BENCHMARKS["tofmark"].load(tmp_path, 5, "books")
    problem = case.problem()
    expected = warped_by_definition(file)
    assert 20 < np.isfinite(expected).sum() < 108
    np.testing.assert_array_equal(problem.weight, np.isfinite(expected))
    np.testing.assert_allclose(np.where(problem.weight > 0, problem.values, np.nan), expected, rtol=1e-6)
    assert np.isfinite(problem.values).all()
    assert problem.unit == "mm"
    np.testing.assert_array_equal(case.truth.valid, file["gt"] > 0)
    np.testing.assert_allclose(problem.guide, file["gray"][..., None].repeat(3, axis=-1) / 255, rtol=1e-6)


def test_files_are_told_apart_by_name_or_shape(tmp_path: Path) -> None:
    file = recording((120, 160), (610, 810))
    whole = BENCHMARKS["tofmark"].load(write(tmp_path / "tofmark", "devil", file).parent, 5, "devil")
    other = tmp_path / "split"
    (other / "tofmark").mkdir(parents=True)
    write(other / "tofmark", "calibration", {"M1": file["P_TOF"], "M2": file["K_GRAY"]})
    write(other / "tofmark", "Devil", {"r": file["dtof"], "flags": file["flags_tof"]}, "{}_tof.mat")
    write(other / "tofmark", "Devil", {"scan": file["gt"]}, "{}_scan.mat")
    write(other / "tofmark", "Shark", {"scan": file["gt"] * 2}, "{}_scan.mat")
    split = BENCHMARKS["tofmark"].load(other, 5, "devil")
    np.testing.assert_array_equal(split.low.values, whole.low.values)
    np.testing.assert_array_equal(split.truth.values, whole.truth.values)
    assert split.guide is None


def test_the_error_counts_where_the_scan_has_a_depth(tmp_path: Path) -> None:
    file = recording()
    write(tmp_path / "tofmark", "shark", file)
    near, linear = evaluate("tofmark", data=tmp_path, scenes=["shark"], methods=["nearest", "bilinear"])
    assert (near.scale, near.benchmark) == (5, "tofmark")
    case = BENCHMARKS["tofmark"].load(tmp_path, 5, "shark")
    error = case.low.values[case.truth.valid].astype(np.float64) - 650
    assert linear.rmse == pytest.approx(np.sqrt(np.mean(error**2)))
    assert near.rmse != linear.rmse


@pytest.mark.parametrize("lacking", ["P_TOF", "K_GRAY", "dtof", "gt"])
def test_a_lacking_matrix_is_named_with_what_is_there(tmp_path: Path, lacking: str) -> None:
    file = recording()
    del file[lacking]
    write(tmp_path / "tofmark", "books", file)
    with pytest.raises(InputError, match=rf"name it '{lacking.lower()}'") as caught:
        BENCHMARKS["tofmark"].load(tmp_path, 5, "books")
    assert "flags_tof (9, 12)" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_are_not_there_or_broken(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"tofmark/books\*\.mat is missing; get it from the ToFMark page"):
        evaluate("tofmark", data=tmp_path, methods=["nearest"])
    (tmp_path / "tofmark").mkdir()
    (tmp_path / "tofmark/books.mat").write_bytes(b"no matrices" * 50)
    with pytest.raises(FormatError, match=r"books\.mat"):
        evaluate("tofmark", data=tmp_path, methods=["nearest"])


def test_synthetic_has_tofmark_s_geometry(synthetic: Case) -> None:
    assert synthetic.size == synthetic.truth.shape == (610, 810)
    assert synthetic.scale == 5
    assert synthetic.finish is as_is
    assert 0.022 < synthetic.problem().weight.mean() < 0.028
    assert 400 <= synthetic.truth.values.min() < synthetic.truth.values.max() <= 1000
    measured = synthetic.problem().weight > 0
    error = synthetic.low.values[measured] - synthetic.truth.values[measured]
    assert np.median(np.abs(error)) == pytest.approx(
        0.6745 * 1.2e-5 * np.median(synthetic.truth.values) ** 2, rel=0.3
    )


def test_synthetic_is_the_same_each_time(synthetic: Case) -> None:
    again = BENCHMARKS["synthetic"].load(Path("elsewhere"), 5, "cuboids")
    np.testing.assert_array_equal(again.low.values, synthetic.low.values)
    np.testing.assert_array_equal(again.truth.values, synthetic.truth.values)


def test_interpolations_are_those_of_the_hit_pixels(synthetic: Case) -> None:
    problem = synthetic.problem()
    measured = problem.weight > 0
    nearest, linear = (synthetic.own[name](problem).values for name in ("nearest", "bilinear"))
    np.testing.assert_array_equal(linear, synthetic.low.values)
    for values in (nearest, linear):
        np.testing.assert_array_equal(values[measured], problem.values[measured])
    assert set(np.unique(nearest)) <= set(np.unique(problem.values[measured]))


def test_synthetic_as_tofmark_files_is_the_same_case(synthetic: Case, tmp_path: Path) -> None:
    from atgvnet.benchmarks.synthetic import observed

    rig = draw_rig()
    _, seen = observed("cuboids", rig)
    matrices = {"P_TOF": FROM_ONE @ rig.projection, "K_GRAY": FROM_ONE @ rig.camera, "gt": synthetic.truth.values}
    write(tmp_path / "tofmark", "books", {**matrices, "dtof": np.nan_to_num(seen.ranges), "flags_tof": seen.valid})
    case = BENCHMARKS["tofmark"].load(tmp_path, 5, "books")
    same = case.problem().weight == synthetic.problem().weight
    assert same.mean() > 0.9999  # but for points between two pixels, to rounding
    np.testing.assert_allclose(case.low.values[same].mean(), synthetic.low.values[same].mean(), rtol=1e-5)
    assert case.low.camera is not None
    assert case.low.camera.cx == pytest.approx(synthetic.low.camera.cx)
