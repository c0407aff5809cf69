"""One process among all of a training; `torchrun` starts them, nothing here does."""

from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

__all__ = ["Processes"]


@dataclass(frozen=True, kw_only=True)
class Processes:
    """Rank and number of processes."""

    rank: int = 0
    world: int = 1

    @classmethod
    def join(cls) -> "Processes":
        """Join the group that torchrun has started; alone without it."""
        if not dist.is_available() or not dist.is_torchelastic_launched():
            return cls()
        if not dist.is_initialized():
            dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
        return cls(rank=dist.get_rank(), world=dist.get_world_size())

    @property
    def first(self) -> bool:
        """Whether this is the one that writes and reports."""
        return self.rank == 0

    def agree(self, number: int | None) -> int | None:
        """Give what the first process says."""
        if self.world == 1:
            return number
        box = [number]
        dist.broadcast_object_list(box, src=0)
        return box[0]

    def share(self, model: nn.Module) -> nn.Module:
        """Average the model's gradients over all processes."""
        return model if self.world == 1 else DistributedDataParallel(model)
