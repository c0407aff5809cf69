"""The optimiser of a stage: one group for the network, one for the solver, each with its own rate."""

import torch

from atgvnet.model import ATGVNet
from atgvnet.training.muon import Muon
from atgvnet.training.recipes import Stage

__all__ = ["clip", "make_optimiser"]

# A shorter memory of the squares than usual: a sudden steep batch then cannot throw the weights far.
BETAS = (0.9, 0.99)


def make_optimiser(model: ATGVNet, stage: Stage) -> torch.optim.Optimizer:
    """Make it, and freeze what the stage does not train."""
    model.network.requires_grad_(requires_grad=not stage.network_frozen)
    parts = {"hidden": [], "network": [], "spread": [], "solver": []}  # type: dict[str, list[torch.nn.Parameter]]
    for name, parameter in model.named_parameters():
        parts[_part(name, parameter)].append(parameter)
    for parameter in parts["solver"]:
        parameter.requires_grad_(stage.solver)
    rates = {"solver": stage.solver_rate}
    groups = [
        {
            "params": parameters,
            "lr": rates.get(part, stage.rate),
            "peak": rates.get(part, stage.rate),
            "orthogonal": part == "hidden",
        }
        for part, parameters in parts.items()
        if parameters and all(parameter.requires_grad for parameter in parameters)
    ]
    if stage.optimiser == "muon":
        return Muon(groups, weight_decay=0.0, betas=BETAS)
    if stage.optimiser == "sgd":
        return torch.optim.SGD(groups, momentum=stage.momentum)
    return torch.optim.AdamW(groups, weight_decay=0.0, betas=BETAS)


def _part(name: str, parameter: torch.nn.Parameter) -> str:
    """Name the group: the kernels between the first and the last layers are the hidden ones."""
    if "spread_tail" in name:
        return "spread"
    return "hidden" if ".body." in name and parameter.ndim == 4 else name.split(".", maxsplit=1)[0]


def clip(optimiser: torch.optim.Optimizer, stage: Stage) -> None:
    """Clip the gradients as the stage says."""
    for group in optimiser.param_groups:
        if stage.clip_value is not None:
            torch.nn.utils.clip_grad_value_(group["params"], stage.clip_value)
        if stage.clip_norm is not None:
            torch.nn.utils.clip_grad_norm_(group["params"], stage.clip_norm)
