"""Things put together from solids, in their own frame: z up, standing on z = 0, of a size of about 1."""

from collections.abc import Callable

from atgvnet.scenes.draw import Draw
from atgvnet.scenes.scene import Solid
from atgvnet.scenes.things.curved import cloth, cone, dish, head, mug, ring, stone, vase
from atgvnet.scenes.things.flat import board, crate, stairs, table
from atgvnet.scenes.things.stacked import blinds, fence, piled_books, row_of_books, shelf
from atgvnet.scenes.things.thin import bar, chair, cup_of_pencils, frame, ladder, plant, pole, sticks, tripod, wire

__all__ = ["FLAT", "ROUND", "STACKED", "THIN", "Thing"]

Thing = Callable[[Draw], list[Solid]]

FLAT: tuple[Thing, ...] = (crate, crate, board, table, stairs)
STACKED: tuple[Thing, ...] = (piled_books, row_of_books, fence, blinds, shelf)
THIN: tuple[Thing, ...] = (pole, bar, wire, sticks, cup_of_pencils, frame, chair, tripod, ladder, plant)
ROUND: tuple[Thing, ...] = (vase, cone, dish, stone, head, ring, mug, cloth)
