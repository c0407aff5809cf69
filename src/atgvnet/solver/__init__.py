"""The paper's energy and its solvers: unrolled and learnable (`Solver`), or run to convergence (`minimise`).

Only the second needs compiled kernels at once, which take long to load, and so is imported when it is asked for.
"""

from typing import TYPE_CHECKING

from atgvnet.solver.unrolled import Solver

if TYPE_CHECKING:
    from atgvnet.solver.converged import Minimum, minimise

__all__ = ["Minimum", "Solver", "minimise"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from atgvnet.solver import converged

    return getattr(converged, name)
