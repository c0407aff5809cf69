"""The recipes, by name: functions of a benchmark's name (None: any sensor) and a scale."""

from collections.abc import Callable
from dataclasses import replace

from atgvnet.errors import InputError
from atgvnet.training.recipes import Data, Network, Recipe, Stage

__all__ = ["RECIPES", "recipe"]

NOISY, TOFMARK = "noisy-middlebury", "tofmark"
DECIMATED = {"clean-middlebury-decimated", "laserscan"}
PAPER_FAMILIES = ("authors", "cuboids")
FAST_PATCH = {2: 96, 4: 192, 8: 320, 16: 512}


def _data(benchmark: str | None, scale: int) -> Data:
    """Describe what each benchmark's sensor sees: its range, its steps, its way of sampling (facts.md)."""
    if benchmark is None:
        return Data(
            scale=scale,
            sensor="any",
            value_range=(10.0, 245.0),
            near_large=0.5,
            truth_steps=(0.0, 0.0, 0.0, 1.0, 2.0, 4.0, 8.0),
            normalise=True,
            distant=0.2,
            doubt=0.15,
        )
    if benchmark == "laserscan":
        return Data(scale=scale, sensor=benchmark, truth_steps=(0.0,), turned=False, near_large=0.25)
    if benchmark == NOISY:
        return Data(scale=scale, sensor=benchmark)
    if benchmark == TOFMARK:
        if scale != 1:
            raise InputError(f"recipe: scale is {scale}, but {TOFMARK}'s maps are interpolated beforehand; give -x1")
        depths = Data(scale=scale, sensor=benchmark, sensor_scale=5, value_range=(400.0, 1000.0), normalise=True)
        return replace(depths, random_range=0.0, near_large=0.0, truth_steps=(0.0,))
    if benchmark in {"clean-middlebury", "clean-middlebury-decimated"}:
        steps = (1.0, 1.0, 4.0, 8.0, 16.0)
        turned = benchmark not in DECIMATED
        return Data(scale=scale, sensor=benchmark, value_range=(24.0, 224.0), truth_steps=steps, turned=turned)
    raise InputError(f"recipe: there is no sensor for {benchmark!r}; atgvnet list benchmarks shows them")


def fast(benchmark: str | None, scale: int) -> Recipe:
    """Give the recipe of our network for one benchmark's sensor."""
    patch = FAST_PATCH.get(scale, 48 * scale)
    benchmark = benchmark or NOISY
    alone = Stage(
        solver=False, patch=patch, batch=16, share=1.0, rate=2e-3, optimiser="muon", clip_norm=1.0, edges=0.3,
        spread=1e-3,
    )  # fmt: skip
    joint = replace(
        alone,
        solver=True,
        batch=16 if scale <= 4 else 8,
        share=0.2,
        rate=5e-4,
        solver_rate=3e-3,
        edges=0.1,
        warm_up=50,
    )
    return Recipe(
        name="fast",
        model="fast",
        benchmark=benchmark,
        network=Network(kind="low", options={"widths": [32, 64, 128], "blocks": [3, 5, 6], "conditioned": False}),
        data=_data(benchmark, scale),
        stages=(replace(alone, share=0.8), joint),
    )


def universal(benchmark: str | None, scale: int) -> Recipe:
    """Give the recipe of our network for any sensor."""
    del benchmark
    base = fast(None, scale)
    return replace(
        base,
        name="universal",
        model="universal",
        benchmark=None,
        network=replace(base.network, options=base.network.options | {"conditioned": True}),
        data=_data(None, scale),
        stages=tuple(replace(stage, balanced=True) for stage in base.stages),
    )


def paper(benchmark: str | None, scale: int) -> Recipe:
    """Give the paper's own recipe, each field with its source: the text (T) or the authors' code (C).

    30 and 5 epochs of 20 · 2048 maps are a week here, so `minutes` asks for that and `paper-cpu` is the one to run.
    """
    data = replace(
        _data(benchmark or NOISY, scale),  # C: ranges and rounding; T: noise of 651/s; C: antialiased reduction
        families=PAPER_FAMILIES,  # T: 24-42 cuboids and up to 3 spheres, C: 16-32 and up to 4
        sides=(512, 512),  # C
        random_range=0.0,  # C
        near_large=1.0,  # C
    )  # and flat=5, C: patches with a smaller standard deviation are dropped
    alone = Stage(
        solver=False,
        patch=32,  # T
        batch=128,  # C
        share=0.86,  # T: 30 epochs of 35
        rate=1e-3,  # T, C
        optimiser="sgd",  # T
        momentum=0.9,  # T, C
        warm_up=0,
        clip_norm=None,
        clip_value=0.1,  # C
        edges=1.0,  # T: loss on g and h; C: equally weighted
        bfloat16=False,
    )
    joint = replace(
        alone,
        solver=True,
        patch=128,  # T
        batch=32,  # C
        share=0.14,  # T: 5 epochs of 35
        rate=1e-4,  # C; T has 1e-3
        solver_rate=1e-4,  # C
        edges=0.0,  # T: the loss is on u alone
    )
    return Recipe(
        name="paper",
        model="paper",
        benchmark=benchmark or NOISY,
        network=Network(kind="mid"),  # T
        data=data,
        stages=(alone, joint),
        iterations=10,  # T
        minutes=7 * 24 * 60.0,
    )


def paper_cpu(benchmark: str | None, scale: int) -> Recipe:
    """Give the recipe that makes the paper's system better within an afternoon: our data, Muon, small batches."""
    benchmark = benchmark or NOISY
    alone = Stage(solver=False, patch=64, batch=16, share=0.7, rate=2e-3, optimiser="muon", clip_norm=1.0)
    joint = replace(
        alone, solver=True, patch=96, batch=8, share=0.3, rate=5e-4, solver_rate=3e-3, edges=0.1, warm_up=50
    )
    return Recipe(
        name="paper-cpu",
        model="paper",
        benchmark=benchmark,
        network=Network(kind="mid"),
        data=_data(benchmark, scale),
        stages=(alone, joint),
        minutes=60.0,
    )


def paper_cnn(benchmark: str | None, scale: int) -> Recipe:
    """Give the recipe of the network alone, for as long as both stages of `paper_cpu` take together."""
    base = paper_cpu(benchmark, scale)
    return replace(base, name="paper-cnn", model="paper-cnn", stages=(replace(base.stages[0], share=1.0),))


def paper_atgv(benchmark: str | None, scale: int) -> Recipe:
    """Give the recipe of the variational part alone, set on synthetic maps on top of a trained, frozen network."""
    base = paper_cpu(benchmark, scale)
    solver = replace(base.stages[1], share=1.0, network_frozen=True, optimiser="adamw", edges=0.0, warm_up=20)
    return replace(base, name="paper-atgv", model="paper-atgv", stages=(solver,), minutes=5.0)


RECIPES: dict[str, Callable[[str | None, int], Recipe]] = {
    "fast": fast,
    "universal": universal,
    "paper": paper,
    "paper-cpu": paper_cpu,
    "paper-cnn": paper_cnn,
    "paper-atgv": paper_atgv,
}


def recipe(name: str) -> Recipe:
    """Find a recipe by its full name: RECIPE, RECIPE-xSCALE or RECIPE-BENCHMARK-xSCALE.

    >>> recipe("paper-cpu-clean-middlebury-x2").data.sensor
    'clean-middlebury'
    """
    stem, _, scale = name.rpartition("-x")
    if not stem or not scale.isdigit() or int(scale) < 1:
        stem, scale = name, "4"
    for known in sorted(RECIPES, key=len, reverse=True):
        if stem == known or stem.startswith(f"{known}-"):
            return RECIPES[known](stem[len(known) + 1 :] or None, int(scale))
    raise InputError(f"recipe is {name!r}; give one of {', '.join(RECIPES)}, followed by -BENCHMARK-xSCALE")
