"""One training from recipe to weights, as the command line runs it."""

import subprocess
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

from atgvnet.errors import TrainingError
from atgvnet.training.checkpoint import Checkpoint
from atgvnet.training.log import Row
from atgvnet.training.recipes import Recipe
from atgvnet.training.trainer import Trainer, ignore
from atgvnet.training.validation import Scores
from atgvnet.weights import Loaded, Manifest, load, save

__all__ = ["train"]


def train(
    recipe: Recipe,
    out: Path,
    *,
    minutes: float | None = None,
    seed: int = 0,
    resume: bool = False,
    init: str | None = None,
    truths: Path | None = None,
    workers: int = 1,
    watch: Callable[[Row], None] = ignore,
) -> Path:
    """Train, and write the weights with their manifest, the log and its picture into the folder."""
    path = out / "checkpoint.pt"
    if truths is not None:
        recipe = replace(recipe, data=replace(recipe.data, truths=str(truths)))
    if resume:
        state = Checkpoint.load(path)
    elif path.exists():
        raise TrainingError(f"training: {out} holds a training already; use --resume or another folder")
    else:
        state = Checkpoint(
            recipe=recipe.to_json(),
            seed=seed,
            minutes=recipe.minutes if minutes is None else minutes,
            steps=[None] * len(recipe.stages),
        )
    start = None if resume else _start(init or recipe.init, recipe)
    if start is not None:
        state.started_from = _origin(start.manifest)
    trainer = Trainer(state, out, init=start and start.model, workers=workers, watch=watch)
    scores = trainer.run()
    return save(trainer.model, describe(trainer, scores), out)


def _start(init: str | None, recipe: Recipe) -> Loaded | None:
    """Load the weights to start from: a file, or a shipped model for the recipe's benchmark."""
    return None if init is None else load(init, benchmark=recipe.benchmark, scale=recipe.data.scale)


def _origin(manifest: Manifest) -> str:
    """Name weights with all minutes that went into them."""
    before = f" after {manifest.started_from}" if manifest.started_from else ""
    return f"{manifest.name}, {manifest.minutes} minutes at {manifest.commit}{before}"


def describe(trainer: Trainer, scores: Scores) -> Manifest:
    """Write down what was trained, and how."""
    recipe, state = trainer.recipe, trainer.state
    return Manifest(
        model=recipe.model,
        benchmark=recipe.benchmark,
        scale=recipe.data.scale,
        network={"kind": recipe.network.kind, "options": {"scale": recipe.data.scale} | recipe.network.options},
        iterations=recipe.iterations if trainer.model.solver is not None else None,
        normalise=recipe.data.normalise,
        spread_factor=scores.spread_factor,
        recipe=asdict(recipe),
        seed=state.seed,
        commit=_commit(),
        minutes=round(state.seconds / 60, 1),
        started_from=state.started_from,
        scores={key: round(value, 4) for key, value in asdict(scores).items() if key.startswith("rmse")},
    )


def _commit() -> str:
    """Name the commit of the code, where there is one."""
    try:
        command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603 (fixed words)
    except (OSError, subprocess.CalledProcessError):
        return ""
