"""Shipped weights: one safetensors file and one manifest each, by model, benchmark and scale."""

from atgvnet.weights.store import Loaded, Manifest, find, load, manifests, names, read_manifest, save, scales

__all__ = ["MODELS", "Loaded", "Manifest", "find", "load", "manifests", "names", "read_manifest", "save", "scales"]

MODELS = tuple(names())
