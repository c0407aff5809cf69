"""The optimiser of a stage: one group for the network, one for the solver, each with its own rate."""

import torch

from atgvnet.model import ATGVNet
from atgvnet.training.recipes import Stage

__all__ = ["clip", "make_optimiser"]


def make_optimiser(model: ATGVNet, stage: Stage) -> torch.optim.Optimizer:
    """Make it, and freeze what the stage does not train."""
    model.network.requires_grad_(requires_grad=not stage.network_frozen)
    groups = [] if stage.network_frozen else [{"params": list(model.network.parameters()), "lr": stage.rate}]
    if model.solver is not None:
        model.solver.requires_grad_(requires_grad=stage.solver)
        if stage.solver:
            groups.append({"params": list(model.solver.parameters()), "lr": stage.solver_rate})
    for group in groups:
        group["peak"] = group["lr"]
    if stage.optimiser == "sgd":
        return torch.optim.SGD(groups, momentum=stage.momentum)
    return torch.optim.AdamW(groups, weight_decay=0.0)


def clip(optimiser: torch.optim.Optimizer, stage: Stage) -> None:
    """Clip the gradients as the stage says."""
    for group in optimiser.param_groups:
        if stage.clip_value is not None:
            torch.nn.utils.clip_grad_value_(group["params"], stage.clip_value)
        if stage.clip_norm is not None:
            torch.nn.utils.clip_grad_norm_(group["params"], stage.clip_norm)
