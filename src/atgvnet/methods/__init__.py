"""Ways of upscaling: one file per method, listed in one dict, loaded when asked for.

>>> get("bicubic")
Bicubic()
"""

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import cast

from atgvnet.errors import InputError
from atgvnet.methods.problem import Estimate, Method, Problem

__all__ = ["METHODS", "Estimate", "Method", "Problem", "get"]

METHODS: dict[str, str] = {
    # Without a guide.
    "nearest": "atgvnet.methods.interpolation:Nearest",
    "bilinear": "atgvnet.methods.interpolation:Bilinear",
    "bicubic": "atgvnet.methods.interpolation:Bicubic",
    "nlm": "atgvnet.methods.nlm:NonLocalMeans",
    "tv": "atgvnet.methods.tv:TotalVariation",
    "tgv": "atgvnet.methods.tgv:TotalGeneralizedVariation",
    # What the paper compares with.
    "diebel-thrun": "atgvnet.methods.diebel_thrun:DiebelThrun",
    "kopf": "atgvnet.methods.kopf:Kopf",
    "yang": "atgvnet.methods.yang:Yang",
    "chan": "atgvnet.methods.chan:Chan",
    "he": "atgvnet.methods.he:He",
    "park": "atgvnet.methods.park:Park",
    "ferstl-2013": "atgvnet.methods.ferstl_2013:Ferstl2013",
    "fbs": "atgvnet.methods.fbs:FastBilateralSolver",
    "zeyde": "atgvnet.methods.zeyde:Zeyde",
    "timofte": "atgvnet.methods.timofte:Timofte",
    "aodha": "atgvnet.methods.aodha:Aodha",
    "hornacek": "atgvnet.methods.hornacek:Hornacek",
    "ferstl-2015": "atgvnet.methods.ferstl_2015:Ferstl2015",
    # Networks.
    "paper-cnn": "atgvnet.methods.networks:PaperCnn",
    "paper-atgv": "atgvnet.methods.networks:PaperAtgv",
    "paper": "atgvnet.methods.networks:Paper",
    "fast": "atgvnet.methods.networks:Fast",
    "universal": "atgvnet.methods.networks:Universal",
}


@cache
def get(name: str) -> Method:
    """Give the method of that name with its parameters as published."""
    if name not in METHODS:
        near = get_close_matches(name, METHODS) or list(METHODS)
        raise InputError(f"method is {name!r}; give {' or '.join(near)}, or the path of a Python file")
    module, attribute = METHODS[name].split(":")
    return cast(Method, getattr(import_module(module), attribute)())
