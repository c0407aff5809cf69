"""The unrolled iteration: compiled against plain, both against finite differences, and its theory."""

import math

import pytest
import torch
from torch.func import jacrev

from atgvnet.errors import InputError
from atgvnet.solver import Solver
from atgvnet.solver.operators import gradient, vector_gradient
from atgvnet.solver.tensor import apply, diffusion_tensor
from atgvnet.solver.unrolled import iterate

# One pixel, one row, one column, images side by side in one window, bands of rows, tiles of columns.
SHAPES = [(1, 1, 1), (1, 1, 7), (1, 9, 1), (2, 5, 9), (17, 6, 129), (1, 90, 20), (1, 10, 1600)]


def setting(shape, iterations, dtype):
    """A solver whose iterations all differ, and what to give it: h 0 here and there, some pixels missing."""
    generator = torch.Generator().manual_seed(5)

    def random(channels, draw=torch.rand):
        return draw(shape[0], channels, *shape[1:], dtype=torch.float64, generator=generator)

    solver = Solver(iterations).to(torch.float64)
    with torch.no_grad():
        solver.log_theta.sub_(0.3)
        for parameter in solver.parameters():
            parameter.add_(0.1 * torch.randn(parameter.shape, dtype=torch.float64, generator=generator))
    h = 0.3 * random(2, torch.randn) * (random(1) < 0.3)
    weight = random(1) * (random(1) < 0.9)
    given = [x.to(dtype).requires_grad_() for x in (random(1), h, weight)]
    return solver.to(dtype), given, random(1, torch.randn).to(dtype)


def value_and_gradients(shape, iterations, dtype, *, fused):
    solver, given, by_u = setting(shape, iterations, dtype)
    solver.fused = fused
    u = solver(*given)
    u.backward(by_u)
    names = ["u", "g", "h", "weight", *(name for name, _ in solver.named_parameters())]
    found = [u.detach(), *(x.grad for x in (*given, *solver.parameters()))]
    return dict(zip(names, found, strict=True))


@pytest.mark.parametrize("iterations", [1, 10])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_compiled_path_is_the_plain_one(shape, iterations):
    plain = value_and_gradients(shape, iterations, torch.float64, fused=False)
    fused = value_and_gradients(shape, iterations, torch.float64, fused=True)
    for name, wanted in plain.items():
        torch.testing.assert_close(
            fused[name], wanted, rtol=1e-9, atol=1e-11, msg=lambda m, name=name: f"{name}: {m}"
        )


def test_in_float32_they_agree_to_its_rounding():
    """Each is as far from float64 as the other: what differs is the order of additions."""
    exact = value_and_gradients((2, 50, 70), 10, torch.float64, fused=False)
    for fused in (False, True):
        found = value_and_gradients((2, 50, 70), 10, torch.float32, fused=fused)
        assert (found["u"] - exact["u"]).abs().max() < 1e-6
        for name, wanted in exact.items():
            assert (found[name] - wanted).norm() <= 2e-5 * wanted.norm(), (name, fused)


@pytest.mark.parametrize("fused", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("shape", [(1, 3, 4), (2, 4, 3)], ids=str)
def test_gradients_are_those_of_finite_differences(fused, shape):
    solver, given, _ = setting(shape, 4, torch.float64)
    solver.fused = fused
    names, parameters = zip(*solver.named_parameters(), strict=True)

    def run(g, h, weight, *values):
        return torch.func.functional_call(solver, dict(zip(names, values, strict=True)), (g, h, weight))

    # Away from h = 0, where T is a parabola no wider than FLOOR.
    h = given[1].detach() + torch.where(given[1].detach() == 0, 0.2, 0)
    assert torch.autograd.gradcheck(run, (given[0], h.requires_grad_(), given[2], *parameters))


@pytest.mark.parametrize("fused", [False, True], ids=["plain", "compiled"])
def test_affine_maps_are_fixed_points_in_the_interior(fused):
    y, x = torch.meshgrid(torch.arange(40).double(), torch.arange(50).double(), indexing="ij")
    plane = (0.2 + 0.01 * x - 0.005 * y)[None, None]
    h = torch.tensor([0.05, 0.1], dtype=torch.float64).reshape(1, 2, 1, 1).expand(1, 2, 40, 50)
    iterations = 12
    u = Solver(iterations, fused=fused).double()(plane, h)
    inner = slice(iterations, -iterations)
    torch.testing.assert_close(u[..., inner, inner], plane[..., inner, inner], rtol=0, atol=1e-14)
    assert (u - plane).abs().max() > 1e-6


def test_no_change_of_a_pixel_without_weight_is_paid_for():
    """Where the weight is 0, the energy does not depend on g: only the start does."""
    solver, (g, h, weight), _ = setting((1, 9, 11), 200, torch.float64)
    weight = torch.ones_like(weight)
    weight[..., 3:6, 4:7] = 0
    other = torch.where(weight > 0, g, g + 0.3)
    apart = (solver(g, h, weight) - solver(other, h, weight)).abs().max()
    assert apart < 0.05 * 0.3


@pytest.mark.parametrize("magnitude", [0.0, 0.1, 1.0])
def test_the_steps_start_where_the_iteration_provably_converges(magnitude):
    """Pock and Chambolle: it does for θ = 1 where the preconditioned operator has no norm above 1."""
    solver, shape = Solver(3), (6, 7)
    h = magnitude * torch.randn(1, 2, *shape, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    value = {name.removeprefix("log_"): parameter.exp().double() for name, parameter in solver.named_parameters()}
    assert torch.equal(value["theta"], torch.ones(3, dtype=torch.float64))
    tensor = diffusion_tensor(h * value["scale"], value["beta"], value["gamma"])
    alpha1, alpha0 = value["alpha1"][0], value["alpha0"][0]

    def operator(uv):
        u, v = uv[:, :1], uv[:, 1:]
        first = alpha1 * apply(tensor, gradient(u * value["tau_u"][0].sqrt()) - v * value["tau_v"][0].sqrt())
        second = alpha0 * vector_gradient(v * value["tau_v"][0].sqrt())
        return torch.cat([first * value["sigma_p"][0].sqrt(), second * value["sigma_q"][0].sqrt()], dim=1)

    size = 3 * math.prod(shape)
    matrix = jacrev(operator)(torch.zeros(1, 3, *shape, dtype=torch.float64)).reshape(2 * size, size)
    norm = torch.linalg.matrix_norm(matrix, 2)
    assert norm <= 1 + 1e-7
    assert magnitude > 0 or norm > 0.9


def test_every_parameter_stays_positive_whatever_is_learned():
    solver = Solver(4)
    with torch.no_grad():
        for parameter in solver.parameters():
            parameter.copy_(torch.linspace(-20, 3, max(1, parameter.numel())).reshape(parameter.shape))
    assert (solver.steps() > 0).all()
    assert (solver.steps()[:, -1] <= 1).all()


def test_theta_can_leave_its_bound():
    solver, given, by_u = setting((1, 9, 9), 3, torch.float64)
    with torch.no_grad():
        solver.log_theta.fill_(0.5)
    solver(*given).backward(by_u)
    assert (solver.log_theta.grad[:-1] != 0).all()


def test_nothing_but_the_plain_path_is_traced():
    solver, given, _ = setting((1, 6, 6), 2, torch.float32)
    with torch.no_grad():
        program = torch.export.export(solver, tuple(x.detach() for x in given))
        torch.testing.assert_close(program.module()(*given), solver(*given))


def test_many_iterations_need_no_more_than_the_map():
    """More than the windows of the compiled path have halos for."""
    solver, given, _ = setting((1, 4, 900), 500, torch.float64)
    tensor = diffusion_tensor(given[1] * solver.log_scale.exp(), solver.log_beta.exp(), solver.log_gamma.exp())
    with torch.no_grad():
        wanted = iterate(given[0], tensor, given[2], solver.steps())
        torch.testing.assert_close(solver(*given), wanted, rtol=0, atol=1e-10)


def test_half_precision_is_computed_in_float32():
    solver, given, _ = setting((1, 8, 8), 3, torch.float32)
    assert solver(*(x.bfloat16() for x in given)).dtype == torch.float32


@pytest.mark.parametrize(
    ("g", "h", "weight"),
    [
        ((1, 2, 4, 4), (1, 2, 4, 4), None),
        ((1, 1, 0, 4), (1, 2, 0, 4), None),
        ((1, 1, 4, 4), (1, 2, 4, 5), None),
        ((1, 1, 4, 4), (1, 2, 4, 4), (1, 1, 1, 1)),
    ],
)
def test_shapes_that_do_not_fit_are_refused(g, h, weight):
    with pytest.raises(InputError, match="solver"):
        Solver(2)(torch.zeros(g), torch.zeros(h), None if weight is None else torch.zeros(weight))


def test_no_iterations_are_refused():
    with pytest.raises(InputError, match="at least 1"):
        Solver(0)
