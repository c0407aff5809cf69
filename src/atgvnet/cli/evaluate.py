"""`atgvnet evaluate`: methods over a benchmark, as the paper's tables with its own rows beside ours."""

import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from atgvnet.cli.names import complete
from atgvnet.cli.options import JsonFile, write_json
from atgvnet.cli.progress import progress

if TYPE_CHECKING:
    from atgvnet.benchmarks import Row
    from atgvnet.report import Gallery

__all__ = ["EXAMPLE", "run"]

EXAMPLE = "atgvnet evaluate noisy-middlebury --data data --scale 4 --method bicubic --method nlm"
WIDE = 200


def run(
    benchmark: Annotated[
        str,
        typer.Argument(
            metavar="BENCHMARK|DIR",
            help="Name, or folder of input and truth pairs.",
            autocompletion=complete("benchmarks"),
        ),
    ],
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DIR", help="Folder that holds the benchmarks' data.")
    ] = None,
    scales: Annotated[list[float] | None, typer.Option("--scale", metavar="S", help="Only this scale.")] = None,
    scenes: Annotated[list[str] | None, typer.Option("--scene", metavar="NAME", help="Only this scene.")] = None,
    methods: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            metavar="NAME|FILE.py",
            help="Only this method; also your own.",
            autocompletion=complete("methods"),
        ),
    ] = None,
    table: Annotated[
        Literal["rich", "markdown", "csv", "json"], typer.Option("--format", help="How tables are printed.")
    ] = "rich",
    json_file: JsonFile = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="DIR", help="Write a page of tables and pictures there.")
    ] = None,
) -> None:
    """Run methods over a benchmark and print tables with the paper's own rows beside ours."""
    from atgvnet.benchmarks import evaluate

    gallery = None if report is None else _gallery(report)
    with progress("evaluating", total=100, noun="%") as advance:
        rows = evaluate(
            benchmark,
            data=data,
            scales=scales or None,
            scenes=scenes or None,
            methods=methods or None,
            progress=lambda share, text: advance(100 * share, text),
            keep=None if gallery is None else gallery.keep,
        )
    _print(rows, table)
    if json_file is not None:
        write_json(json_file, [asdict(row) for row in rows])
    if report is not None and gallery is not None:
        from atgvnet.report import write_page

        print(write_page(report, rows, gallery, command=shlex.join(["atgvnet", *sys.argv[1:]])), file=sys.stderr)


def _gallery(folder: Path) -> "Gallery":
    from atgvnet.report import Gallery, prepare_folder

    prepare_folder(folder)
    return Gallery()


def _print(rows: "list[Row]", table: Literal["rich", "markdown", "csv", "json"]) -> None:
    from atgvnet.benchmarks.tables import render

    if table != "rich":
        print(render(rows, table), end="")
        return
    from rich.console import Console

    console = Console() if sys.stdout.isatty() else Console(width=WIDE)
    console.print(render(rows))
