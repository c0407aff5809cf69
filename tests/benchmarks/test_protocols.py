"""The protocols: their digits on the real data, their geometry on small files of the same form."""

import math
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from atgvnet.benchmarks import BENCHMARKS, Case, evaluate
from atgvnet.benchmarks.case import as_uint8, pad_to
from atgvnet.benchmarks.published import printed
from atgvnet.errors import InputError

# A disparity is stored times this.
FACTORS = {"cones": 4, "teddy": 4, "tsukuba": 16, "venus": 8}


def half_up(value: float, decimals: int) -> str:
    return f"{math.floor(value * 10**decimals + 0.5) / 10**decimals:.{decimals}f}"


def test_noisy_middlebury_gives_the_digits_of_tables_2_and_4(data: Path) -> None:
    rows = evaluate("noisy-middlebury", data=data, scales=[2, 4], methods=["nearest", "bilinear"])
    assert len(rows) == 12
    rmse, mae = printed("noisy-middlebury", "rmse"), printed("noisy-middlebury", "mae")
    assert {(r.method, r.scale, r.scene): half_up(r.rmse, 2) for r in rows} == {
        (r.method, r.scale, r.scene): rmse[r.method][r.scale, r.scene].digits for r in rows
    }
    differing = {
        (r.method, r.scale, r.scene): (half_up(r.mae, 3), mae[r.method][r.scale, r.scene].digits)
        for r in rows
        if half_up(r.mae, 2) != mae[r.method][r.scale, r.scene].digits
    }
    assert differing == {
        ("nearest", 2, "books"): ("4.601", "4.30"),  # a misprint
        ("bilinear", 2, "books"): ("2.917", "2.91"),
        ("bilinear", 2, "art"): ("3.085", "3.09"),
    }


def test_clean_middlebury_decimated_gives_the_digits_of_table_1(data: Path) -> None:
    rows = evaluate("clean-middlebury-decimated", data=data, methods=["nearest", "bicubic"])
    assert len(rows) == 16
    table = printed("clean-middlebury-decimated", "rmse")
    for row in rows:
        factor = FACTORS[row.scene]
        in_disparities = float(half_up(row.rmse / factor, 4))
        assert f"{in_disparities * factor:.4f}" == table[row.method][row.scale, row.scene].digits, row


def test_clean_middlebury_antialiased_bicubic(data: Path) -> None:
    rows = evaluate("clean-middlebury", data=data, methods=["bicubic"])
    assert {row.scale: [half_up(r.rmse, 3) for r in rows if r.scale == row.scale] for row in rows} == {
        2: ["2.543", "1.981", "5.938", "1.335"],
        4: ["3.773", "2.903", "8.772", "1.956"],
    }


def test_laserscan_is_decimated_and_not_the_paper_s(data: Path) -> None:
    rows = evaluate("laserscan", data=data, methods=["nearest", "bicubic"])
    assert [(row.scene, half_up(row.rmse, 4)) for row in rows] == [("scan42", "0.0446"), ("scan42", "0.0364")]
    case = BENCHMARKS["laserscan"].load(data, 4, "scan42")
    np.testing.assert_array_equal(case.low.values, case.truth.values[2::4, 2::4])


def load(folder: Path, name: str, scale: float, scene: str) -> Case:
    return BENCHMARKS[name].load(folder, scale, scene)


@pytest.mark.parametrize("scale", [2, 4, 8, 16])
def test_noisy_middlebury_has_its_sensor_s_noise(small_data: Path, scale: int) -> None:
    case = load(small_data, "noisy-middlebury", scale, "art")
    problem = case.problem()
    assert problem.values.shape == (64 // scale, 96 // scale)
    np.testing.assert_allclose(problem.sigma, 651 / case.low.values, rtol=1e-6)
    assert problem.benchmark == "noisy-middlebury"
    assert problem.unit == "disparity"
    assert problem.guide is not None
    assert problem.guide.shape == (64, 96, 3)
    assert case.counted is None


def test_noisy_middlebury_rounds_to_8_bits_halves_up(small_data: Path) -> None:
    case = load(small_data, "noisy-middlebury", 4, "art")
    values = np.linspace(-3, 300, 64 * 96, dtype=np.float32).reshape(64, 96)
    finished = case.result(values)
    assert finished.min() == 0
    assert finished.max() == 255
    np.testing.assert_array_equal(as_uint8(np.float32([0.5, 1.5, 2.49, -1, 256])), [1, 2, 2, 0, 255])


@pytest.mark.parametrize("scale", [2, 4])
def test_clean_middlebury_is_cropped_to_a_multiple(small_data: Path, scale: int) -> None:
    case = load(small_data, "clean-middlebury", scale, "cones")
    assert case.size == case.truth.shape == (43 - 43 % scale, 61 - 61 % scale)
    assert case.low.shape == (43 // scale, 61 // scale)
    assert not np.array_equal(case.low.values, np.rint(case.low.values))
    assert not case.problem().sigma.any()
    assert case.counted is not None
    assert case.counted.sum() == (case.size[0] - 20) * (case.size[1] - 20)


@pytest.mark.parametrize("scale", [2, 4])
def test_decimated_inputs_are_upsampled_beyond_the_truth_and_cropped(small_data: Path, scale: int) -> None:
    case = load(small_data, "clean-middlebury-decimated", scale, "cones")
    filled = np.asarray(Image.open(small_data / "middlebury_clean/filled/cones.png"), np.float32)
    taken = filled[scale // 2 :: scale, scale // 2 :: scale]  # a cut-off block repeats the last pixels
    np.testing.assert_array_equal(case.low.values[: taken.shape[0], : taken.shape[1]], taken)
    assert case.size == (-(-43 // scale) * scale, -(-61 // scale) * scale)
    assert case.truth.shape == (43, 61)
    assert case.guide is not None
    np.testing.assert_array_equal(case.guide, pad_to(case.guide[:43, :61], case.size))
    values = np.arange(math.prod(case.size), dtype=np.float32).reshape(case.size) + np.float32(0.3)
    np.testing.assert_array_equal(case.result(values), values[:43, :61])
    assert case.counted is not None
    assert not case.counted[:, np.arange(61) % 9 == 0].any()
    assert not case.counted[:10].any()
    assert case.counted[10:-10, 11:17].all()


def test_guides_are_padded_by_their_last_row_and_column() -> None:
    image = np.random.default_rng(0).random((3, 5, 3)).astype(np.float32)
    padded = pad_to(image, (4, 8))
    np.testing.assert_array_equal(padded[:3, :5], image)
    np.testing.assert_array_equal(padded[3, :5], image[2])
    np.testing.assert_array_equal(padded[:3, 5:], np.repeat(image[:, 4:5], 3, axis=1))


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("noisy-middlebury", "middlebury2005_noisy/art/depth_2_n.png"),
        ("noisy-middlebury", "middlebury2005_noisy/art/guide.png"),
        ("clean-middlebury", "middlebury_clean/filled/cones.png"),
        ("clean-middlebury-decimated", "middlebury_clean/raw/cones_disp2.png"),
        ("laserscan", "laserscan/lr_x4/scan042_cave_statue_smNN.mat"),
        ("laserscan", "laserscan/gt/scan042_cave_statue.mat"),
    ],
)
def test_a_missing_file_is_named_with_its_source(small_data: Path, name: str, file: str) -> None:
    (small_data / file).unlink()
    scene = {"laserscan": "scan42", "noisy-middlebury": "art"}.get(name, "cones")
    with pytest.raises(InputError, match=r"is missing; get it from .+\..+ \(docs/benchmarks\.md") as caught:
        evaluate(name, data=small_data, scales=[4], scenes=[scene], methods=["nearest"])
    assert str(small_data / file) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_of_another_size_are_refused(small_data: Path) -> None:
    Image.fromarray(np.zeros((9, 9, 3), np.uint8)).save(small_data / "middlebury2005_noisy/art/guide.png")
    with pytest.raises(InputError, match=r"noisy-middlebury art ×4: the guide is \(9, 9, 3\)"):
        load(small_data, "noisy-middlebury", 4, "art")


def test_a_colour_picture_is_no_disparity_map(small_data: Path) -> None:
    colours = np.arange(64 * 96 * 3).reshape(64, 96, 3).astype(np.uint8)
    Image.fromarray(colours).save(small_data / "middlebury2005_noisy/art/art_big.png")
    with pytest.raises(InputError, match=r"art_big\.png is a colour picture"):
        load(small_data, "noisy-middlebury", 4, "art")
