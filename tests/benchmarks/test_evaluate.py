"""Running methods over benchmarks: what is asked for, what is reported, what is refused."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from atgvnet.benchmarks import BENCHMARKS, Case, compare, evaluate
from atgvnet.benchmarks.metrics import measure
from atgvnet.depthmap import DepthMap
from atgvnet.errors import GuideError, InputError, UnitError, WeightsError
from atgvnet.methods import METHODS
from atgvnet.methods.problem import Estimate, Problem

Kernels = dict


def test_one_row_for_each_map_and_method(small_data: Path, kernels: Kernels) -> None:
    rows = evaluate("noisy-middlebury", data=small_data, scales=[4, 2], scenes=["Art"], methods=kernels)
    assert [(row.scale, row.scene, row.method) for row in rows] == [
        (scale, "art", method) for scale in (2, 4) for method in ("nearest", "bilinear", "bicubic")
    ]
    assert all(row.benchmark == "noisy-middlebury" and row.seconds > 0 and row.coverage == 1 for row in rows)


def test_methods_are_names_callables_or_both(small_data: Path, kernels: Kernels) -> None:
    def mine(problem: Problem) -> Estimate:
        return kernels["nearest"](problem)

    rows = evaluate("laserscan", data=small_data, methods=["nearest", mine])
    assert [row.method for row in rows] == ["nearest", "mine"]
    assert rows[0].rmse == rows[1].rmse > 0


def test_a_python_file_is_a_method(small_data: Path, tmp_path: Path) -> None:
    path = tmp_path / "fifty.py"
    path.write_text("import numpy as np\n\ndef upscale(problem):\n    return np.full(problem.size, 50.0)\n")
    (row,) = evaluate("laserscan", data=small_data, methods=[str(path)])
    assert row.method == "fifty"
    assert row.mae == pytest.approx(48.8, abs=1)


def test_results_are_kept_as_they_are_measured(small_data: Path, kernels: Kernels) -> None:
    kept: list[tuple[Case, str, np.ndarray]] = []
    rows = evaluate(
        "clean-middlebury-decimated",
        data=small_data,
        scenes=["cones"],
        methods=kernels,
        keep=lambda case, method, values: kept.append((case, method, values)),
    )
    assert len(kept) == len(rows) == 6
    for row, (case, method, values) in zip(rows, kept, strict=True):
        assert (case.scale, case.scene, method) == (row.scale, row.scene, row.method)
        assert values.shape == case.truth.shape
        assert measure(values, case.truth.values, case.counted).rmse == row.rmse


def test_progress_grows_to_the_end_and_names_the_work(small_data: Path, kernels: Kernels) -> None:
    def slow(problem: Problem) -> Estimate:
        problem.progress(0.5)
        return kernels["nearest"](problem)

    seen: list[tuple[float, str]] = []
    evaluate(
        "noisy-middlebury", data=small_data, scales=[2, 4], scenes=["art"], methods={"slow": slow},
        progress=lambda share, text: seen.append((share, text)),
    )  # fmt: skip
    assert [share for share, _ in seen] == [0, 0.25, 0.5, 0.5, 0.75, 1]
    assert seen[0][1] == "noisy-middlebury ×2 art slow"


def test_only_what_is_at_hand_is_evaluated_by_default(small_data: Path, kernels: Kernels) -> None:
    assert {row.scene for row in evaluate("laserscan", data=small_data, methods=kernels)} == {"scan42"}
    with pytest.raises(InputError, match=r"scan021_cave_statue\.mat is missing"):
        evaluate("laserscan", data=small_data, scenes=["scan21"], methods=kernels)


def test_by_default_every_method_that_can_run(small_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_weights(problem: Problem) -> Estimate:
        raise WeightsError("paper: there are no weights for this")

    def without_guide(problem: Problem) -> Estimate:
        raise GuideError("he needs a guide")

    methods = {"nearest": lambda p: Estimate(values=np.ones(p.size)), "paper": without_weights, "he": without_guide}
    monkeypatch.setattr("atgvnet.methods.METHODS", dict.fromkeys(methods, ""))
    monkeypatch.setattr("atgvnet.methods.get", methods.__getitem__)
    assert [row.method for row in evaluate("laserscan", data=small_data)] == ["nearest"]
    for name, error in (("paper", WeightsError), ("he", GuideError)):
        with pytest.raises(error):
            evaluate("laserscan", data=small_data, methods=[name])
    monkeypatch.setattr("atgvnet.methods.METHODS", {"he": ""})
    with pytest.raises(InputError, match="none of the methods"):
        evaluate("laserscan", data=small_data)


def test_named_methods_are_warm_when_timed(small_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[tuple[int, ...]] = []

    def method(problem: Problem) -> Estimate:
        sizes.append(problem.values.shape)
        return Estimate(values=np.ones(problem.size, np.float32))

    monkeypatch.setattr("atgvnet.methods.get", {"nearest": method}.__getitem__)
    evaluate("noisy-middlebury", data=small_data, scales=[2], scenes=["art"], methods=["nearest", method])
    assert sizes == [(32, 48), (32, 48), (32, 48)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"benchmark": "noisy"}, "'noisy' is no benchmark and no folder; choose among noisy-middlebury, "),
        ({"scales": [3]}, "noisy-middlebury has no scale 3; choose among 2, 4, 8, 16"),
        ({"scenes": ["artt"]}, "noisy-middlebury has no scene artt; choose among art, books, moebius"),
        ({"methods": []}, "no method is given"),
        ({"methods": ["bicubik"]}, "bicubic"),
        ({"data": None}, "noisy-middlebury needs its data; give the folder"),
        ({"data": "nowhere"}, "nowhere is no folder"),
    ],
)
def test_wrong_use_is_told_in_one_line(small_data: Path, arguments: dict, message: str) -> None:
    call = {"benchmark": "noisy-middlebury", "data": small_data, "methods": ["nearest"], **arguments}
    with pytest.raises(InputError) as caught:
        evaluate(call.pop("benchmark"), **call)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_result_of_the_wrong_size_is_refused(small_data: Path) -> None:
    with pytest.raises(InputError, match=r"\(3, 3\) for \(64, 96\)"):
        evaluate("laserscan", data=small_data, methods={"bad": lambda _: Estimate(values=np.ones((3, 3)))})


def test_every_benchmark_says_what_it_is() -> None:
    for name, benchmark in BENCHMARKS.items():
        assert benchmark.name == name
        assert benchmark.summary
        assert benchmark.scales
        assert benchmark.scenes == tuple(scene.lower() for scene in benchmark.scenes)
    assert "nearest" in METHODS


def test_compare_in_the_truth_s_unit() -> None:
    truth = DepthMap([[1.0, 2.0], [3.0, np.nan]], unit="m")
    found = compare(DepthMap([[1000, 2100], [np.nan, 5.0]], unit="mm"), truth)
    assert found.mae == pytest.approx(0.05, rel=1e-5)
    assert found.coverage == pytest.approx(2 / 3)


def test_compare_refuses_what_it_cannot_convert() -> None:
    with pytest.raises(UnitError, match="disparity"):
        compare(DepthMap([[1.0]], unit="disparity"), DepthMap([[1.0]], unit="m"))
    with pytest.raises(InputError, match="the result is 1×1, the truth 1×2"):
        compare(DepthMap([[1.0]]), DepthMap([[1.0, 2.0]]))
    with pytest.raises(InputError, match="nothing can be compared"):
        compare(DepthMap([[np.nan]]), DepthMap([[1.0]]))


def test_listing_benchmarks_loads_nothing_heavy() -> None:
    heavy = ("torch", "numba", "scipy", "matplotlib", "rich")
    code = f"import sys, atgvnet.benchmarks; print([name for name in {heavy} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
