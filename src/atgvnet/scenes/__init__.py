"""Random scenes and the ray-caster that turns them into depth maps.

`render(family, seed, index, size)` is a pure function: the same arguments give the same map, bit for bit, in any
process and in any order. A family is one file of `families/` and one entry of `FAMILIES`.
"""

from atgvnet.scenes.families import FAMILIES, Family, draw_scene
from atgvnet.scenes.rendering import Rendering, depth_of, render
from atgvnet.scenes.scene import KINDS, Scene, Solid, Solids, View

__all__ = [
    "FAMILIES",
    "KINDS",
    "Family",
    "Rendering",
    "Scene",
    "Solid",
    "Solids",
    "View",
    "depth_of",
    "draw_scene",
    "render",
]
