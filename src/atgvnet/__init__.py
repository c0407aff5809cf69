"""Accurate depth super-resolution: small, noisy depth maps in, sharp ones out, from the depth alone."""

__version__ = "0.1.0"
