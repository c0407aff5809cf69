"""Training: recipes, the endless stream of patches, the stages, checkpoints, several processes."""

from atgvnet.training.catalogue import RECIPES

__all__ = ["RECIPES"]
