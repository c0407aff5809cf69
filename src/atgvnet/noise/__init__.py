"""How noisy a map is: laws of the standard deviation over the value, and their estimation from one map."""

from atgvnet.noise._calibrate import calibrate
from atgvnet.noise._estimate import estimate
from atgvnet.noise._law import LAWS, Kind, NoiseLaw, load, parse, save

__all__ = ["LAWS", "Kind", "NoiseLaw", "calibrate", "estimate", "load", "parse", "save"]
