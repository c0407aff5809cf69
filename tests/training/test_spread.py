"""A spread that is learned anew holds 68 % of the errors and leaves the estimate as it was."""

import numpy as np
import pytest
import torch

from atgvnet.errors import TrainingError
from atgvnet.model import ATGVNet
from atgvnet.network import LowNetwork, MidNetwork
from atgvnet.training.recipes import Data
from atgvnet.training.spread import Sample, learn_spread, sample
from atgvnet.weights import Loaded, Manifest

OPTIONS = {"scale": 2, "widths": [4, 6], "blocks": [1, 1], "conditioned": True}
NETWORK = {"kind": "low", "options": OPTIONS}


def loaded() -> Loaded:
    torch.manual_seed(0)
    model = ATGVNet(LowNetwork(**OPTIONS), None).eval()  # type: ignore[arg-type]
    return Loaded(model, Manifest(model="tiny", benchmark=None, scale=2, network=NETWORK, iterations=None))


def made_up(count: int) -> list[Sample]:
    """Errors that are normal, with a standard deviation that follows from the features and the noise told."""
    generator = torch.Generator().manual_seed(1)
    features = torch.randn(count, 4, 16, 16, generator=generator)
    told = torch.rand(count, 2, 16, 16, generator=generator)
    low = 0.02 * torch.exp(features.abs().mean(dim=1, keepdim=True) + told[:, :1])
    level = low.repeat_interleave(2, -1).repeat_interleave(2, -2)
    errors = (level * torch.randn(level.shape, generator=generator)).abs()
    return [Sample(features[k : k + 1], told[k : k + 1], errors[k : k + 1]) for k in range(count)]


def test_the_spread_follows_the_error_and_the_estimate_stays() -> None:
    before, samples = loaded(), made_up(60)
    after = learn_spread(before, samples[:50], steps=300)
    spreads, errors = [], []
    for features, told, error in samples[50:]:
        spread = after.model.network.spread(features, told)
        spreads.append(after.manifest.spread_factor * spread.detach().flatten())
        errors.append(error.flatten())
    spread, error = torch.cat(spreads), torch.cat(errors)
    for part in torch.tensor_split(torch.argsort(spread), 3):
        assert 0.63 < float((error <= spread)[part].float().mean()) < 0.73
    low = torch.rand(1, 1, 8, 8)
    assert torch.equal(before.model(low).u, after.model(low).u)
    assert after.manifest.network["options"]["spread_features"] > 0


def test_a_sample_is_a_piece_of_a_map() -> None:
    found = sample(loaded().model, Data(scale=2, sensor="any", normalise=True, sides=(128, 160)), 0)
    assert found.features.shape == (1, 4, 64, 64)
    assert found.error.shape == (1, 1, 128, 128)
    assert np.nanmax(found.error) > 0


def test_what_predicts_no_spread_is_refused() -> None:
    with pytest.raises(TrainingError, match="MidNetwork predicts none"):
        sample(ATGVNet(MidNetwork(scale=2, features=4), None), Data(scale=2, sensor="any"), 0)
    with pytest.raises(TrainingError, match="at least two"):
        learn_spread(loaded(), made_up(1), steps=1)
