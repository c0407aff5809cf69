"""Muon against the singular value decomposition that its iteration stands for."""

import math

import pytest
import torch

from atgvnet.training.muon import Muon, orthogonalise


@pytest.mark.parametrize("shape", [(8, 8), (6, 40), (40, 6)])
def test_the_iteration_lifts_all_singular_values_to_about_one(shape: tuple[int, int]) -> None:
    torch.manual_seed(0)
    left, _, right = torch.linalg.svd(torch.randn(shape, dtype=torch.float64), full_matrices=False)
    values = torch.logspace(0, -1.5, min(shape), dtype=torch.float64)
    matrix = left * values @ right
    (found,) = orthogonalise(7 * matrix[None])
    raised = torch.linalg.svdvals(found)
    assert 0.65 < float(raised.min()) <= float(raised.max()) < 1.25
    # The nearest semi-orthogonal matrix is left @ right: the step points the same way.
    cosine = (found * (left @ right)).sum() / math.sqrt(min(shape)) / found.norm()
    assert float(cosine) > 0.97


def test_a_step_is_as_large_as_adamw_s_and_blind_to_the_gradient_s_size() -> None:
    steps = []
    for size in (1e-3, 1e3):
        torch.manual_seed(1)
        weights = torch.nn.Parameter(torch.zeros(32, 16, 3, 3))
        weights.grad = size * torch.randn(32, 16, 3, 3)
        Muon([{"params": [weights], "orthogonal": True}], lr=0.01, weight_decay=0.0).step()
        steps.append(weights.detach())
    torch.testing.assert_close(steps[0], steps[1], rtol=1e-3, atol=1e-6)
    assert 0.1 < float(steps[0].square().mean().sqrt()) / 0.01 < 0.4


def test_groups_that_are_not_orthogonal_take_adamw_s_own_step() -> None:
    weights, same = (torch.nn.Parameter(torch.ones(4, 3)) for _ in range(2))
    options = {"lr": 0.1, "weight_decay": 0.0}
    for parameter, kind in ((weights, Muon), (same, torch.optim.AdamW)):
        parameter.grad = torch.arange(12.0).reshape(4, 3)
        kind([parameter], **options).step()
    assert torch.equal(weights, same)


def test_its_state_survives_a_checkpoint() -> None:
    torch.manual_seed(2)
    runs = []
    for stop in (False, True):
        weights = torch.nn.Parameter(torch.eye(5))
        optimiser = Muon([{"params": [weights], "orthogonal": True}], lr=0.01, weight_decay=0.0)
        for step in range(4):
            if stop and step == 2:
                kept = optimiser.state_dict()
                optimiser = Muon([{"params": [weights], "orthogonal": True}], lr=0.01, weight_decay=0.0)
                optimiser.load_state_dict(kept)
            weights.grad = torch.sin(torch.arange(25.0) * (step + 1)).reshape(5, 5)
            optimiser.step()
        runs.append(weights.detach().clone())
    assert torch.equal(*runs)
