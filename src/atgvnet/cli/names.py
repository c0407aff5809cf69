"""What can be named: the explicit dicts of the package, for `atgvnet list` and for shell completion."""

from collections.abc import Callable
from importlib import import_module

__all__ = ["KINDS", "complete", "names"]

# Where each dict is; a room that has none yet names nothing.
KINDS: dict[str, tuple[str, str]] = {
    "methods": ("atgvnet.methods", "METHODS"),
    "models": ("atgvnet.weights", "MODELS"),
    "sensors": ("atgvnet.sensors", "SENSORS"),
    "benchmarks": ("atgvnet.benchmarks", "BENCHMARKS"),
    "recipes": ("atgvnet.training", "RECIPES"),
    "families": ("atgvnet.scenes", "FAMILIES"),
}


def names(kind: str) -> list[str]:
    """Give the names of one kind.

    >>> "nearest" in names("methods")
    True
    """
    room, name = KINDS[kind]
    return list(getattr(import_module(room), name, {}))


def complete(kind: str) -> Callable[[str], list[str]]:
    """Complete what was typed to names of one kind."""
    return lambda incomplete: [name for name in names(kind) if name.startswith(incomplete)]
