"""Each operator against its adjoint, the projection and the diffusion tensor against what defines them."""

from typing import NamedTuple

import pytest
import torch

from atgvnet.solver.operators import divergence, gradient, project, vector_divergence, vector_gradient
from atgvnet.solver.tensor import FLOOR, apply, diffusion_tensor

SHAPES = [(1, 1), (1, 7), (7, 1), (2, 2), (5, 9)]


def random_tensor(height, width, batch=2):
    h = torch.randn(batch, 2, height, width, dtype=torch.float64, generator=torch.Generator().manual_seed(3))
    return diffusion_tensor(h, beta=2.0, gamma=0.8)


class Pair(NamedTuple):
    """An operator, its adjoint, and the channels that they lead from and to."""

    name: str
    forward: object
    adjoint: object
    channels: tuple[int, int]


PAIRS = [
    Pair("gradient", gradient, lambda p: -divergence(p), (1, 2)),
    Pair("vector gradient", vector_gradient, lambda q: -vector_divergence(q), (2, 4)),
    Pair(
        "tensor",
        lambda p: apply(random_tensor(*p.shape[2:]), p),
        lambda p: apply(random_tensor(*p.shape[2:]), p),
        (2, 2),
    ),
    Pair(
        "first term",
        lambda u: apply(random_tensor(*u.shape[2:]), gradient(u)),
        lambda p: -divergence(apply(random_tensor(*p.shape[2:]), p)),
        (1, 2),
    ),
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_adjoint(pair, shape):
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(2, pair.channels[0], *shape, dtype=torch.float64, generator=generator)
    y = torch.randn(2, pair.channels[1], *shape, dtype=torch.float64, generator=generator)
    torch.testing.assert_close((pair.forward(x) * y).sum(), (x * pair.adjoint(y)).sum(), rtol=1e-13, atol=1e-13)


def test_gradient_is_the_difference_of_neighbours_and_zero_across_the_border():
    u = torch.tensor([[1.0, 4.0, 9.0], [2.0, 6.0, 12.0]])[None, None]
    assert gradient(u)[0].tolist() == [[[3, 5, 0], [4, 6, 0]], [[1, 2, 3], [0, 0, 0]]]


@pytest.mark.parametrize("channels", [2, 4])
def test_projection_is_the_nearest_point_of_the_ball(channels):
    generator = torch.Generator().manual_seed(1)
    points = 1.5 * torch.randn(40, channels, 1, 1, dtype=torch.float64, generator=generator)
    # All of the ball, finely: directions times radii, and the point itself where it is inside.
    ways = torch.nn.functional.normalize(torch.randn(100_000, channels, dtype=torch.float64, generator=generator))
    ball = ways * torch.rand(100_000, 1, dtype=torch.float64, generator=generator) ** (1 / channels)
    found = project(points)[..., 0, 0]
    given = points[..., 0, 0]
    assert found.norm(dim=1).max() <= 1 + 1e-12
    best = torch.cdist(given, torch.cat([ball, ways])).min(dim=1).values
    distance = (found - given).norm(dim=1)
    assert (distance <= best + 1e-12).all()
    assert (best - distance).max() < 0.15
    inside = given.norm(dim=1) <= 1
    assert inside.any()
    assert torch.equal(found[inside], given[inside])


@pytest.mark.parametrize("gamma", [0.5, 0.85, 1.0, 2.0])
@pytest.mark.parametrize("length", [0.0, 1e-9, 1e-3, 0.1, 1.0, 10.0])
def test_eigenvalues_of_the_tensor(length, gamma):
    beta, angle = 9.0, torch.tensor(0.7, dtype=torch.float64)
    normal = torch.stack([angle.cos(), angle.sin()])
    h = (length * normal).reshape(1, 2, 1, 1)
    xx, xy, yy = diffusion_tensor(h, beta, gamma).flatten()
    matrix = torch.stack([xx, xy, xy, yy]).reshape(2, 2)
    across = torch.exp(torch.tensor(-beta * length**gamma, dtype=torch.float64))
    values = torch.linalg.eigvalsh(matrix)
    # Below FLOOR the tensor is held between its value there and the identity.
    tolerance = 1e-12 if length == 0 or length > FLOOR else beta * FLOOR**gamma
    torch.testing.assert_close(values, torch.stack([across, torch.ones_like(across)]), rtol=0, atol=tolerance)
    if length > FLOOR:
        torch.testing.assert_close(matrix @ normal, across * normal, rtol=0, atol=1e-12)


def test_without_discontinuity_the_tensor_is_the_identity_and_its_slope_zero():
    h = torch.zeros(1, 2, 1, 1, dtype=torch.float64, requires_grad=True)
    tensor = diffusion_tensor(h, 9.0, 0.85)
    assert tensor.flatten().tolist() == [1, 0, 1]
    (slope,) = torch.autograd.grad(tensor.sum(), h)
    assert slope.abs().max() == 0
