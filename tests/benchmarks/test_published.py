"""The paper's tables, compared with the paper itself where it is at hand."""

import re
from pathlib import Path

import pytest

from atgvnet.benchmarks import BENCHMARKS
from atgvnet.benchmarks.published import label, order, printed

TABLES = {
    "results_mb2_laserscan": ("rmse", [("clean-middlebury", 2, 4), ("clean-middlebury", 4, 4), ("laserscan", 4, 3)]),
    "results_noisy_mb": ("rmse", [("noisy-middlebury", 2, 3), ("noisy-middlebury", 4, 3)]),
    "results_tofmark": ("rmse", [("tofmark", 5, 3)]),
    "results_noisy_mb_sad": ("mae", [("noisy-middlebury", 2, 3), ("noisy-middlebury", 4, 3)]),
    "results_tofmark_sad": ("mae", [("tofmark", 5, 3)]),
}


def rows_of(tex: str, name: str) -> tuple[list[str], list[list[str]]]:
    table = next(t for t in re.findall(r"\\begin\{table\}.*?\\end\{table\}", tex, re.DOTALL) if f"tab:{name}}}" in t)
    lines = [
        [cell.strip() for cell in line.split("&")] for line in re.sub(r"\\&", "and", table).split("\n") if "&" in line
    ]
    head, *body = [line for line in lines if not any("multicolumn" in cell for cell in line)]
    return [re.split(r"\\\\", cell)[0].lower() for cell in head[1:]], body


@pytest.mark.parametrize("name", TABLES)
def test_every_digit_is_the_paper_s(name: str, data: Path) -> None:
    source = data.parent / "paper" / "atgv-net.tex"
    if not source.is_file():
        pytest.skip(f"the paper's source is not at {source}")
    metric, groups = TABLES[name]
    scenes, body = rows_of(source.read_text(), name)
    columns = [(benchmark, scale) for benchmark, scale, count in groups for _ in range(count)]
    books = {benchmark: printed(benchmark, metric) for benchmark, _ in columns}
    methods = list(books[columns[0][0]])
    assert len(body) == len(methods)
    for line, method in zip(body, methods, strict=True):
        for cell, scene, (benchmark, scale) in zip(line[1:], scenes, columns, strict=True):
            found = books[benchmark].get(method, {}).get((scale, scene))
            digits = re.search(r"\d+\.\d+", cell)
            assert (found.digits if found else None) == (digits.group() if digits else None), (method, scene)


def test_the_order_is_the_paper_s() -> None:
    assert order("noisy-middlebury") == [
        *("nearest", "bilinear", "yang", "he", "diebel-thrun", "chan", "park", "ferstl-2013"),
        *("paper-cnn", "paper-atgv", "paper"),
    ]
    assert order("clean-middlebury") == order("clean-middlebury-decimated")
    assert order("synthetic") == order("tofmark") == ["nearest", "bilinear", "kopf", "he", "ferstl-2013", "paper"]
    assert printed("synthetic", "rmse") == {}
    assert order("mine") == []
    assert label("paper") == "ATGV-Net"


def test_misprints_and_other_inputs_are_flagged() -> None:
    assert printed("clean-middlebury-decimated", "rmse")["timofte"][4, "cones"].caveat
    assert printed("noisy-middlebury", "mae")["nearest"][2, "books"].caveat
    assert printed("tofmark", "mae")["kopf"][5, "shark"].caveat
    assert printed("tofmark", "mae")["he"][5, "shark"].caveat
    for benchmark, comparable in (("clean-middlebury", "paper"), ("clean-middlebury-decimated", "zeyde")):
        free = {m for m, row in printed(benchmark, "rmse").items() if all(c.caveat is None for c in row.values())}
        assert comparable in free
        assert ("paper" in free) is (benchmark == "clean-middlebury")
    assert all(c.caveat for row in printed("laserscan", "rmse").values() for c in row.values())
    flags = [
        c.caveat for m in ("rmse", "mae") for row in printed("noisy-middlebury", m).values() for c in row.values()
    ]
    assert sum(flag is not None for flag in flags) == 1


@pytest.mark.parametrize("benchmark", [name for name in BENCHMARKS if name != "synthetic"])
def test_every_printed_cell_belongs_to_a_case(benchmark: str) -> None:
    known = BENCHMARKS[benchmark]
    for metric in ("rmse", "mae"):
        for row in printed(benchmark, metric).values():
            for scale, scene in row:
                assert scale in known.scales
                assert scene in known.scenes
