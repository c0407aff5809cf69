"""`atgvnet list`: what can be named."""

import json
from typing import Annotated, Literal

import typer

from atgvnet.cli.names import KINDS, names

__all__ = ["EXAMPLE", "run"]

EXAMPLE = "atgvnet list methods --json"


def run(
    kind: Annotated[
        Literal["methods", "models", "sensors", "benchmarks", "recipes", "families"] | None,
        typer.Argument(help="What to list; by default everything."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object of lists instead.")] = False,
) -> None:
    """List methods, models, sensors, benchmarks, recipes and families of scenes by name."""
    found = {each: names(each) for each in ([kind] if kind else KINDS)}
    if as_json:
        print(json.dumps(found, indent=2))
        return
    for each, entries in found.items():
        print(f"{each}: {' '.join(entries) or 'none yet'}")
