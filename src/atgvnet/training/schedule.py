"""The learning rate over a stage, and its clock: how many steps fit into its minutes, its rate, what is due."""

import math
import time

from atgvnet.training.checkpoint import Checkpoint

__all__ = ["Clock", "factor"]

LEAST_SECONDS, LEAST_SHARE = 30.0, 0.05
UNCOUNTED_STEPS, LEAST_STEPS = 2, 5


def factor(step: int, steps: int | None, warm_up: int) -> float:
    """Linear warm-up, then half a cosine to zero; while the number of steps is not known, only the warm-up.

    >>> [round(factor(step, 300, 100), 2) for step in (0, 99, 200, 299)]
    [0.01, 0.75, 0.25, 0.0]
    """
    rise = min(1.0, (step + 1) / warm_up) if warm_up else 1.0
    return rise if steps is None else rise * 0.5 * (1 + math.cos(math.pi * min(1.0, step / steps)))


class Clock:
    """The time of one stage, from now on. The first steps, which compile, do not count."""

    def __init__(self, state: Checkpoint, seconds: float) -> None:
        self.state, self.seconds = state, seconds
        self.began = time.monotonic()
        self.counted_from: tuple[int, float] | None = None
        self.first = state.step
        self.earlier = state.seconds
        self.last: dict[str, float] = {}

    def tick(self) -> None:
        """Note that a step is done."""
        now = time.monotonic()
        self.state.seconds = self.earlier + now - self.began
        if self.counted_from is None and self.state.step - self.first >= UNCOUNTED_STEPS:
            self.counted_from = (self.state.step, now)

    @property
    def rate(self) -> float:
        """Steps per second."""
        step, since = self.counted_from or (self.first, self.began)
        return max(self.state.step - step, 1) / max(time.monotonic() - since, 1e-9)

    def steps(self) -> int | None:
        """Say how many steps fit into the stage, once enough is measured."""
        if self.counted_from is None:
            return None
        measured = time.monotonic() - self.counted_from[1]
        enough = measured >= min(LEAST_SECONDS, LEAST_SHARE * self.seconds)
        if not enough or self.state.step - self.counted_from[0] < LEAST_STEPS:
            return None
        return self.state.step + max(1, round(self.rate * (self.seconds - measured)))

    def due(self, what: str, every: float) -> bool:
        """Say whether it is time again."""
        now = time.monotonic()
        if now - self.last.setdefault(what, self.began) < every:
            return False
        self.last[what] = now
        return True
