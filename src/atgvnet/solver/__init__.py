"""The paper's energy and its solvers: unrolled and learnable (`Solver`), or run to convergence (`minimise`)."""

from atgvnet.solver.converged import Minimum, minimise
from atgvnet.solver.unrolled import Solver

__all__ = ["Minimum", "Solver", "minimise"]
