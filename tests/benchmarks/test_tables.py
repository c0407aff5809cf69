"""Tables: the order, the ranks, the notes, and each format."""

import csv
import io
import json

import pytest
from rich.console import Console

from atgvnet.benchmarks.evaluate import Row
from atgvnet.benchmarks.layout import lay_out
from atgvnet.benchmarks.tables import render
from atgvnet.errors import InputError


def row(
    method: str,
    rmse: float,
    *,
    scale: float = 4,
    scene: str = "art",
    benchmark: str = "noisy-middlebury",
    **rest: object,
) -> Row:
    figures = {"mae": 1.0, "rmse_edge": 3.0, "flying": 0.125, "seconds": 0.5, **rest}
    return Row(benchmark=benchmark, scale=scale, scene=scene, method=method, rmse=rmse, **figures)


def test_the_paper_s_rows_stand_beside_ours_in_its_order() -> None:
    table = lay_out([row("fast", 2.5), row("bilinear", 5.621)])[0]
    assert table.title == "noisy-middlebury, RMSE"
    assert table.columns == (("×4", "Art"),)
    names = [(line.name, line.origin, line.cells[0].text) for line in table.lines]
    assert names[:3] == [("NN", "paper", "7.48"), ("bilinear", "ours", "5.62"), ("Bilinear", "paper", "5.62")]
    assert names[-2:] == [("ATGV-Net", "paper", "2.98"), ("fast", "ours", "2.50")]
    assert len(table.lines) == 11 + 2


def test_ranks_are_among_all_rows_and_equal_digits_share_them() -> None:
    table = lay_out([row("fast", 2.9849), row("nlm", 2.976), row("tv", 9.0)])[0]
    ranks = {(line.name, line.origin): line.cells[0].rank for line in table.lines}
    assert ranks["fast", "ours"] == ranks["nlm", "ours"] == ranks["ATGV-Net", "paper"] == 1
    assert ranks["CNN + ATGV-L2", "paper"] == 2
    assert sum(ranks.values()) == 5


def test_cells_not_to_compare_with_take_no_rank_and_say_why() -> None:
    table = lay_out([row("bicubic", 9.0, benchmark="clean-middlebury", scene="venus")])[0]
    by_name = {line.name: line.cells[0] for line in table.lines}
    assert by_name["ATGV-Net"].rank == 1
    assert by_name["Ferstl et al. 2013"].mark == "*"
    assert by_name["Ferstl et al. 2013"].rank == 0
    assert table.notes == ("* from decimated input; not ranked",)


def test_a_result_with_gaps_takes_no_rank() -> None:
    table = lay_out([row("gappy", 0.1, coverage=0.5), row("fast", 2.0)])[0]
    cells = {line.name: line.cells[0] for line in table.lines}
    assert (cells["gappy"].mark, cells["gappy"].rank, cells["fast"].rank) == ("*", 0, 1)


def test_metrics_without_a_value_are_dashes() -> None:
    tables = {table.title: table for table in lay_out([row("fast", 1.0, rmse_edge=None), row("tv", 1.0)])}
    lines = tables["noisy-middlebury, RMSE within 3 px of discontinuities"].lines
    assert [(line.name, line.cells[0].text) for line in lines] == [("tv", "3.00")]
    assert tables["noisy-middlebury, flying pixels there, %"].lines[0].cells[0].text == "12.5"
    assert {cell.rank for line in tables["noisy-middlebury, seconds"].lines for cell in line.cells} == {0}


def test_many_scenes_are_averaged() -> None:
    rows = [row("fast", float(n), benchmark="mine", scene=f"s{n}", scale=2) for n in range(1, 21)]
    table = lay_out([*rows, *(row("tv", 1.0, benchmark="mine", scene=f"s{n}", scale=2) for n in range(1, 20))])[0]
    assert table.columns == (("×2", "mean of 20"),)
    assert [(line.name, line.cells[0].text) for line in table.lines] == [("fast", "10.5")]


def test_small_numbers_keep_three_digits() -> None:
    table = lay_out([row("fast", 0.012345, benchmark="mine"), row("tv", 4.0, benchmark="mine")])[0]
    assert [line.cells[0].text for line in table.lines] == ["0.0123", "4.0000"]


def test_markdown_has_the_best_bold_and_the_second_italic() -> None:
    text = render([row("fast", 2.5)], format="markdown")
    assert "| fast | ours | **2.50** |" in text
    assert "| ATGV-Net | paper | *2.98* |" in text


def test_csv_has_our_rows_and_the_paper_s() -> None:
    lines = list(csv.DictReader(io.StringIO(render([row("fast", 2.5)], format="csv"))))
    assert (lines[0]["from"], lines[0]["method"], lines[0]["rmse"]) == ("ours", "fast", "2.5")
    paper = {line["method"]: line for line in lines if line["from"] == "paper"}
    assert (paper["paper"]["rmse"], paper["paper"]["mae"]) == ("2.98", "1.26")
    assert len(paper) == 11


def test_json_is_the_list_of_rows_that_scripts_rely_on() -> None:
    (found,) = json.loads(render([row("fast", 2.5, rmse_edge=None)], format="json"))
    promised = ["benchmark", "scale", "scene", "method", "rmse", "mae", "rmse_edge", "flying", "seconds"]
    assert list(found)[: len(promised)] == promised
    assert found["rmse_edge"] is None


def printed_on(width: int, **options: object) -> str:
    console = Console(width=width, file=io.StringIO(), **options)
    console.print(
        render([row("fast", 2.5, scale=scale, scene=scene) for scale in (2, 4) for scene in ("art", "books")])
    )
    return console.file.getvalue()


def test_a_terminal_gets_one_table_per_scale_where_both_do_not_fit() -> None:
    wide, narrow = printed_on(100), printed_on(52)
    assert wide.count("ATGV-Net") == 2  # RMSE and MAE
    assert narrow.count("ATGV-Net") == 4
    assert "…" not in narrow


def test_a_terminal_gets_bold_and_italics() -> None:
    text = printed_on(100, force_terminal=True, color_system="standard")
    assert "\x1b[1m2.50\x1b[0m" in text
    assert "\x1b[3m2.98\x1b[0m" in text


def test_other_formats_are_refused() -> None:
    with pytest.raises(InputError, match="'xml'; give one of rich, markdown, csv, json"):
        render([], format="xml")
