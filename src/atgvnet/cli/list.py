"""`atgvnet list`: what can be named."""

import json
from importlib import import_module
from typing import Annotated, Literal

import typer

__all__ = ["EXAMPLE", "run"]

EXAMPLE = "atgvnet list methods --json"

Kind = Literal["methods", "models", "sensors", "benchmarks", "recipes"]

# Where each explicit dict is; a room that has none yet lists nothing.
_DICTS: dict[str, tuple[str, str]] = {
    "methods": ("atgvnet.methods", "METHODS"),
    "models": ("atgvnet.weights", "MODELS"),
    "sensors": ("atgvnet.sensors", "SENSORS"),
    "benchmarks": ("atgvnet.benchmarks", "BENCHMARKS"),
    "recipes": ("atgvnet.training", "RECIPES"),
}


def run(
    kind: Annotated[Kind | None, typer.Argument(help="What to list; by default everything.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object of lists instead.")] = False,
) -> None:
    """List methods, models, sensors, benchmarks and recipes by name."""
    names = {each: _names(each) for each in ([kind] if kind else _DICTS)}
    if as_json:
        print(json.dumps(names, indent=2))
        return
    for each, found in names.items():
        print(f"{each}: {' '.join(found) or 'none yet'}")


def _names(kind: str) -> list[str]:
    room, name = _DICTS[kind]
    return list(getattr(import_module(room), name, {}))
