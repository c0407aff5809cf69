"""Checkpoints: all that a training needs to go on bit for bit, in one file that appears whole or not at all."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from atgvnet.errors import TrainingError
from atgvnet.io import atomic

__all__ = ["Checkpoint"]


@dataclass(kw_only=True)
class Checkpoint:
    """Where a training stands. `steps` holds each stage's number of steps, frozen once its rate is measured."""

    recipe: str
    seed: int
    minutes: float
    started_from: str = ""
    stage: int = 0
    step: int = 0
    seconds: float = 0.0
    steps: list[int | None] = field(default_factory=list)
    model: dict[str, Any] = field(default_factory=dict)
    average: dict[str, Any] = field(default_factory=dict)
    optimiser: dict[str, Any] = field(default_factory=dict)

    def save(self, path: Path) -> None:
        """Write; the last good checkpoint stays if this fails."""
        try:
            with atomic(path) as temporary:
                torch.save(vars(self), temporary)
        except (OSError, RuntimeError) as error:
            raise TrainingError(
                f"training: cannot write {path} ({error}); free some space and use --resume"
            ) from error

    @classmethod
    def load(cls, path: Path) -> "Checkpoint":
        """Read what `save` wrote."""
        try:
            return cls(**torch.load(path, map_location="cpu", weights_only=True))
        except FileNotFoundError as error:
            raise TrainingError(f"training: there is no checkpoint at {path}; start without --resume") from error
        except Exception as error:
            raise TrainingError(f"training: {path} is not a checkpoint of this version ({error})") from error
