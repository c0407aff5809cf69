"""Training: recipes, the endless stream of patches, the stages, checkpoints, several processes."""
