"""`atgvnet evaluate`, `compare` and `list`."""

import json
from pathlib import Path

import numpy as np
import pytest

from atgvnet import DepthMap
from atgvnet.cli import main
from atgvnet.methods import METHODS

ROW = ["benchmark", "scale", "scene", "method", "rmse", "mae", "rmse_edge", "flying", "seconds"]


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """A folder of one pair whose truth is what nearest neighbours give."""
    low = np.float32([[1000, 1400], [1800, 2200]]).repeat(4, 0).repeat(4, 1)
    folder = tmp_path / "pairs"
    for name, values in (("input", low), ("truth", low.repeat(2, 0).repeat(2, 1))):
        (folder / name).mkdir(parents=True)
        DepthMap(values, unit="mm").save(folder / name / "Shelf.png")
    return folder


def test_evaluate_prints_tables_and_writes_rows(
    pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "rows.json"
    methods = ["--method", "nearest", "--method", "bilinear"]
    assert main(["evaluate", str(pairs), *methods, "--json", str(rows)]) == 0
    assert "pairs, RMSE" in capsys.readouterr().out
    nearest, bilinear = json.loads(rows.read_text(encoding="utf-8"))
    assert set(nearest) >= set(ROW)
    assert (nearest["scene"], nearest["scale"], nearest["method"]) == ("shelf", 2, "nearest")
    assert nearest["rmse"] == 0 < bilinear["rmse"]


@pytest.mark.parametrize(
    ("form", "sign"), [("markdown", "|---|"), ("csv", "from,benchmark,scale"), ("json", '"rmse": 0')]
)
def test_evaluate_prints_other_forms(form: str, sign: str, pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(pairs), "--method", "nearest", "--format", form]) == 0
    assert sign in capsys.readouterr().out


def test_evaluate_takes_a_method_of_ones_own(pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text(
        "import numpy as np\ndef upscale(p): return np.ones(p.size)\n", encoding="utf-8"
    )
    assert main(["evaluate", str(pairs), "--method", str(tmp_path / "mine.py"), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["method"] == "mine"


def test_evaluate_reproduces_a_cell_of_the_paper(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--scale", "2", "--scene", "art", "--method", "nearest", "--format", "json"]
    assert main(["evaluate", "noisy-middlebury", "--data", str(data), *chosen]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert f"{row['rmse']:.2f}" == "6.55"


@pytest.mark.parametrize(
    "wrong", [["--scale", "3"], ["--scene", "dragon"], ["--method", "magic"], ["--data", "none"]]
)
def test_evaluate_refuses_what_it_does_not_have(
    wrong: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "noisy-middlebury", "--data", str(tmp_path), *wrong]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_compare_measures_in_the_truth_s_unit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    DepthMap([[1.0, 2.0]], unit="m").save(tmp_path / "result.npy")
    DepthMap([[1003.0, 2004.0]], unit="mm").save(tmp_path / "truth.png")
    rows = tmp_path / "rows.json"
    assert main(["compare", str(tmp_path / "result.npy"), str(tmp_path / "truth.png"), "--json", str(rows)]) == 0
    out = capsys.readouterr().out
    assert "mae        3.5 mm" in out
    assert json.loads(rows.read_text(encoding="utf-8"))[0]["rmse"] == pytest.approx(np.sqrt(12.5), rel=1e-4)


def test_compare_refuses_other_sizes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    DepthMap([[1.0, 2.0]]).save(tmp_path / "a.npy")
    DepthMap([[1.0]]).save(tmp_path / "b.npy")
    assert main(["compare", str(tmp_path / "a.npy"), str(tmp_path / "b.npy")]) == 2
    assert "1×2" in capsys.readouterr().err


def test_list_names_what_the_package_has(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "methods", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"methods": list(METHODS)}
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    kinds = ["methods", "models", "sensors", "benchmarks", "recipes", "families"]
    assert [line.partition(":")[0] for line in lines] == kinds
