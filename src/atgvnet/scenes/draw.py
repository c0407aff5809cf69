"""Random numbers of one scene, a function of its key alone: a counter-based generator read in blocks.

Families draw hundreds of single numbers; one at a time from NumPy they would cost more than the rendering.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["Draw"]

Item = TypeVar("Item")
BLOCK = 1024


class Draw:
    """Draws for the key, whole numbers from 0."""

    def __init__(self, *key: int) -> None:
        self._next: Callable[[], float] = self._numbers(key).__next__

    @staticmethod
    def _numbers(key: tuple[int, ...]) -> Iterator[float]:
        generator = np.random.Generator(np.random.Philox(np.random.SeedSequence(key)))
        while True:
            yield from generator.random(BLOCK).tolist()

    def uniform(self, low: float, high: float) -> float:
        """Draw evenly between two numbers."""
        return float(low + (high - low) * self._next())

    def log(self, low: float, high: float) -> float:
        """Draw between two positive numbers, evenly on a logarithmic scale."""
        return float(low * (high / low) ** self._next())

    def integer(self, low: int, high: int) -> int:
        """Draw a whole number, both ends included."""
        return low + int((high - low + 1) * self._next())

    def chance(self, share: float) -> bool:
        """Say yes that often."""
        return self._next() < share

    def pick(self, items: Sequence[Item]) -> Item:
        """Draw one of the items; repeat an item to have it more often."""
        return items[int(len(items) * self._next())]

    def point(self, low: float, high: float) -> tuple[float, float]:
        """Draw a point of a square."""
        return self.uniform(low, high), self.uniform(low, high)

    def rotation(self) -> NDArray[np.float64]:
        """Draw evenly among all rotations (Shoemake's unit quaternion)."""
        share, a, b = self._next(), math.tau * self._next(), math.tau * self._next()
        x, y = math.sqrt(1 - share) * math.sin(a), math.sqrt(1 - share) * math.cos(a)
        z, w = math.sqrt(share) * math.sin(b), math.sqrt(share) * math.cos(b)
        return np.array(
            (
                (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
                (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
                (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
            )
        )
