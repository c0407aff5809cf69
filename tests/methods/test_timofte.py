"""Anchored regression: closed form against brute force, anchors reproduced."""

import numpy as np
import pytest

from atgvnet.errors import InputError
from atgvnet.methods._dictionary import Dictionary
from atgvnet.methods.timofte import Timofte, anchored_regressions


@pytest.fixture
def dictionary():
    rng = np.random.default_rng(0)
    low = rng.normal(size=(50, 30))
    return Dictionary(
        scale=2,
        axes=np.eye(144, 30, dtype=np.float32),
        low=(low / np.linalg.norm(low, axis=1, keepdims=True)).astype(np.float32),
        high=rng.normal(size=(50, 36)).astype(np.float32),
        edges=np.zeros((50, 72), np.float32),
    )


def test_anchors_are_reproduced(dictionary):
    """With fewer neighbours than dimensions and next to no ridge, each anchor's detail comes back."""
    regressions = anchored_regressions(dictionary, 12, 1e-5)
    found = np.einsum("ak,akd->ad", dictionary.low, regressions)
    np.testing.assert_allclose(found, dictionary.high, atol=0.02)


def test_so_is_the_detail_of_scaled_anchors_whatever_their_sign(dictionary):
    lengths = np.random.default_rng(1).choice([-3, 0.5, 2], 50).astype(np.float32)[:, None]
    found = Timofte(neighbours=12, ridge=1e-5)._detail(dictionary, lengths * dictionary.low)
    np.testing.assert_allclose(found, lengths * dictionary.high, atol=0.06)


def test_the_regression_is_ridge_regression(dictionary):
    """The weights w of the neighbours minimise ‖x − wᵀ N_low‖² + λ ‖w‖²; stacked least squares says the same."""
    ridge, sample = 0.3, np.random.default_rng(2).normal(size=30)
    regressions = anchored_regressions(dictionary, 7, ridge)
    for anchor in (0, 17):
        near = np.argsort(-np.abs(dictionary.low @ dictionary.low[anchor]))[:7]
        stacked = np.vstack([dictionary.low[near].T, np.sqrt(ridge) * np.eye(7)])
        weights = np.linalg.lstsq(stacked, np.concatenate([sample, np.zeros(7)]), rcond=None)[0]
        expected = (1 + ridge) * weights @ dictionary.high[near]
        np.testing.assert_allclose(sample @ regressions[anchor], expected, atol=1e-4)


@pytest.mark.parametrize("options", [{"neighbours": 0}, {"ridge": 0.0}])
def test_wrong_parameters_are_refused(options):
    with pytest.raises(InputError):
        Timofte(**options)
