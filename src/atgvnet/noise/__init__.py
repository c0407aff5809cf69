"""How noisy a map is: laws of the standard deviation over the value, and their estimation from one map."""

from atgvnet.noise._estimate import estimate
from atgvnet.noise._law import LAWS, Kind, NoiseLaw, load, parse, save

__all__ = ["LAWS", "Kind", "NoiseLaw", "estimate", "load", "parse", "save"]
