"""The recipes, by name: functions of a benchmark's name and a scale."""

from collections.abc import Callable

from atgvnet.errors import InputError
from atgvnet.training.recipes import Data, Network, Recipe, Stage

__all__ = ["RECIPES", "recipe"]

FAST = {"widths": [64, 96, 128], "blocks": [3, 2, 3]}


def _data(benchmark: str | None, scale: int) -> Data:
    """Describe what each benchmark's sensor sees: its range, its steps, its way of sampling (facts.md)."""
    decimated = benchmark in {"clean-middlebury-decimated", "laserscan"}
    if benchmark is None:
        return Data(
            scale=scale,
            sensor="any",
            value_range=(10.0, 245.0),
            near_large=0.5,
            truth_steps=(0.0, 0.0, 1.0),
            normalise=True,
        )
    if benchmark == "laserscan":
        return Data(scale=scale, sensor=benchmark, truth_steps=(0.0,), turned=False, near_large=0.0)
    if benchmark == "noisy-middlebury":
        return Data(scale=scale, sensor=benchmark)
    if benchmark in {"clean-middlebury", "clean-middlebury-decimated"}:
        steps = (1.0, 1.0, 4.0, 8.0, 16.0)
        return Data(scale=scale, sensor=benchmark, value_range=(24.0, 224.0), truth_steps=steps, turned=not decimated)
    raise InputError(f"recipe: there is no sensor for {benchmark!r}; give one of atgvnet list benchmarks")


def fast(benchmark: str | None, scale: int) -> Recipe:
    """Ours, for one benchmark's sensor."""
    patch = max(32, {2: 48, 4: 48, 8: 40, 16: 32}.get(scale, 48)) * scale
    return Recipe(
        name="fast",
        model="fast" if benchmark else "universal",
        benchmark=benchmark,
        network=Network(kind="low", options={**FAST, "conditioned": benchmark is None}),
        data=_data(benchmark, scale),
        stages=(
            Stage(solver=False, patch=patch, batch=32, share=0.75, rate=1.2e-3, spread=1e-3),
            Stage(
                solver=True, patch=patch, batch=32, share=0.25, rate=3e-4, solver_rate=3e-3, edges=0.1, spread=1e-3
            ),
        ),
    )


def universal(benchmark: str | None, scale: int) -> Recipe:
    """Ours, for any sensor."""
    del benchmark
    return fast(None, scale)


RECIPES: dict[str, Callable[[str | None, int], Recipe]] = {"fast": fast, "universal": universal}


def recipe(name: str) -> Recipe:
    """Find a recipe by its full name: RECIPE, RECIPE-xSCALE or RECIPE-BENCHMARK-xSCALE.

    >>> recipe("fast-noisy-middlebury-x4").data.sensor
    'noisy-middlebury'
    """
    stem, _, scale = name.rpartition("-x")
    if not stem or not scale.isdigit():
        stem, scale = name, "4"
    for known, make in sorted(RECIPES.items(), key=lambda item: -len(item[0])):
        if stem == known or stem.startswith(f"{known}-"):
            return make(stem[len(known) + 1 :] or None, int(scale))
    raise InputError(f"recipe is {name!r}; give one of {', '.join(RECIPES)}, followed by -BENCHMARK-xSCALE")
