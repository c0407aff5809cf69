"""`atgvnet info`: what a model's weights are and how they came to be."""

from dataclasses import asdict
from typing import Annotated

import typer

from atgvnet.cli.names import complete

__all__ = ["EXAMPLE", "run"]

EXAMPLE = "atgvnet info universal-x4"


def run(
    model: Annotated[
        str,
        typer.Argument(metavar="MODEL", help="Name, folder or file of weights.", autocompletion=complete("models")),
    ],
) -> None:
    """Show the manifests of a model's weights: recipe, seed, commit, minutes, scores, checksum."""
    import json

    from atgvnet.weights import manifests

    print(json.dumps([asdict(manifest) for manifest in manifests(model)], indent=1))
