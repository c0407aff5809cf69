"""Sparse coding: a sample as a sum of few atoms, by orthogonal matching pursuit."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["sparse_code"]

Floats = NDArray[np.float32]
_RIDGE = 1e-6


def sparse_code(atoms: Floats, samples: Floats, count: int) -> tuple[NDArray[np.intp], Floats]:
    """Orthogonal matching pursuit: which atoms (N, count), and their coefficients.

    Each step takes the atom (of unit length) that correlates best with what is left of the sample, then solves
    for all coefficients anew.
    """
    chosen = np.zeros((len(samples), count), np.intp)
    coefficients = np.zeros((len(samples), count), np.float32)
    _pursue(samples @ atoms.T, atoms @ atoms.T, chosen, coefficients)
    return chosen, coefficients


@njit(cache=True, nogil=True)
def _pursue(correlation: Floats, gram: Floats, chosen: NDArray[np.intp], coefficients: Floats) -> None:
    for n in range(len(correlation)):
        left = correlation[n].copy()
        for step in range(chosen.shape[1]):
            chosen[n, step] = np.abs(left).argmax()
            taken = chosen[n, : step + 1]
            coefficients[n, : step + 1] = _solved(gram, taken, correlation[n])
            left[:] = correlation[n]
            for k in range(step + 1):
                left -= coefficients[n, k] * gram[taken[k]]


@njit(cache=True, nogil=True)
def _solved(gram: Floats, taken: NDArray[np.intp], correlation: Floats) -> Floats:
    """Least squares over the atoms taken; a little ridge, for one may be taken twice where nothing is left."""
    products = np.empty((len(taken), len(taken)), np.float32)
    for k in range(len(taken)):
        for m in range(len(taken)):
            products[k, m] = gram[taken[k], taken[m]]
        products[k, k] += _RIDGE
    return np.linalg.solve(products, correlation[taken])
