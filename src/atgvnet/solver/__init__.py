"""The paper's energy and its solvers: unrolled and learnable (`Solver`), or run to convergence (`tgv.minimise`)."""

from atgvnet.solver.unrolled import Solver

__all__ = ["Solver"]
