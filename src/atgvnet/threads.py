"""Sharing PyTorch's threads out among the maps that are upscaled at once."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from threading import Lock

import torch

__all__ = ["Threads"]

SMALL = 1 << 21  # pixels of a result that one thread is enough for


class Threads:
    """PyTorch's threads, shared out among maps.

    One thread for each of several small maps does more in a second than all threads for one map after another. Large
    maps would need memory for several, so there is never more than one of them at a time, and it has all threads.
    """

    def __init__(self) -> None:
        self.count = torch.get_num_threads()
        self._one_large = Lock()

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Give them all back at the end."""
        try:
            yield
        finally:
            torch.set_num_threads(self.count)

    @contextmanager
    def for_map(self, pixels: int) -> Iterator[None]:
        """Set how many threads the calling one may use for a result of so many pixels."""
        large = pixels > SMALL
        with self._one_large if large else nullcontext():
            torch.set_num_threads(self.count if large else 1)
            yield
