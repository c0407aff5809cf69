"""`atgvnet train`: one recipe from scenes to weights."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atgvnet.cli.names import complete

if TYPE_CHECKING:
    from rich.progress import Progress

    from atgvnet.training.log import Row

__all__ = ["EXAMPLE", "run"]

EXAMPLE = "atgvnet train fast-noisy-middlebury-x4 --out runs/fast --minutes 30"


def run(
    recipe: Annotated[
        str,
        typer.Argument(
            metavar="RECIPE",
            help="Name, name-BENCHMARK-xSCALE, or a JSON file.",
            autocompletion=complete("recipes"),
        ),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for checkpoint, log and weights.")],
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", metavar="M", help="Time there is; the recipe's own by default.", min=0.01),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where a killed training stopped.")] = False,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", help="Seed of the weights and of the stream.", min=0)
    ] = 0,
    init: Annotated[
        str | None,
        typer.Option("--init", metavar="MODEL", help="Weights to start from: a model, a folder or a file."),
    ] = None,
    truths: Annotated[
        Path | None, typer.Option("--truths", metavar="DIR", help="Train on your own depth maps instead of scenes.")
    ] = None,
) -> None:
    """Train a network; a killed training goes on with --resume. Many processes: torchrun -m atgvnet train …."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from atgvnet.training.catalogue import recipe as named
    from atgvnet.training.recipes import Recipe
    from atgvnet.training.session import train

    chosen = Recipe.from_json(Path(recipe).read_text()) if recipe.endswith(".json") else named(recipe)
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[state]}"), TimeElapsedColumn()
    with Progress(*columns) as bar:
        bar.add_task(f"training {chosen.weights_name}", total=None, state="warming up")
        path = train(
            chosen,
            out,
            minutes=minutes,
            seed=seed,
            resume=resume,
            init=init,
            truths=truths,
            watch=lambda row: _show(bar, row),
        )
    print(path)


def _show(bar: "Progress", row: "Row") -> None:
    """Show rate, loss, the last validation and the time left."""
    left = "" if row.seconds_left is None else f", {row.seconds_left / 60:.0f} min left in stage {row.stage + 1}"
    state = f"{row.rate:.0f} patches/s, loss {row.loss:.5f}{left}"
    if row.rmse is not None:
        bar.console.print(f"stage {row.stage + 1}, step {row.step}: validation RMSE {row.rmse:.3f}")
    bar.update(bar.task_ids[0], completed=row.step, total=row.steps, state=state)
