"""Weights come back as they were stored, and damaged ones do not come back at all."""

import json
from pathlib import Path

import pytest
import torch

from atgvnet.errors import WeightsError
from atgvnet.model import ATGVNet
from atgvnet.network import LowNetwork
from atgvnet.solver import Solver
from atgvnet.weights import Manifest, load, manifests, names, save, scales
from atgvnet.weights.store import SHIPPED

OPTIONS = {"scale": 2, "widths": [4, 6], "blocks": [1, 1], "conditioned": True}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    torch.manual_seed(0)
    manifest = Manifest(
        model="tiny", benchmark=None, scale=2, network={"kind": "low", "options": OPTIONS}, iterations=3
    )
    save(ATGVNet(LowNetwork(**OPTIONS), Solver(iterations=3)), manifest, tmp_path)  # type: ignore[arg-type]
    return tmp_path


def test_a_model_comes_back_to_half_precision(folder: Path) -> None:
    torch.manual_seed(0)
    original = ATGVNet(LowNetwork(**OPTIONS), Solver(iterations=3)).eval()  # type: ignore[arg-type]
    loaded = load(str(folder), scale=2)
    low = torch.rand(1, 1, 8, 8)
    torch.testing.assert_close(loaded.model(low).u, original(low).u, rtol=0, atol=2e-3)
    assert scales(str(folder)) == [2]
    assert names(folder) == ["tiny-x2"]
    assert not loaded.model.training
    assert ATGVNet.from_pretrained(str(folder), scale=2) is loaded.model
    assert [one.model for one in manifests(str(folder))] == ["tiny"]


def test_one_flipped_byte_is_noticed(folder: Path) -> None:
    path = folder / "tiny-x2.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises(WeightsError, match="damaged"):
        load(str(path))


@pytest.mark.parametrize(
    ("change", "message"), [({"format": 99}, "format 99"), ({"surprise": 1}, "cannot be read"), (None, "no manifest")]
)
def test_a_manifest_that_does_not_fit_is_named(folder: Path, change: dict[str, int] | None, message: str) -> None:
    path = folder / "tiny-x2.json"
    if change is None:
        path.unlink()
    else:
        path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(WeightsError, match=message):
        load(str(folder / "tiny-x2.safetensors"))


def test_unknown_weights_are_named() -> None:
    with pytest.raises(WeightsError, match="there are none for 'nobody'"):
        load("nobody", scale=4)


@pytest.mark.parametrize("name", names())
def test_shipped_weights_load_and_say_what_they_are(name: str) -> None:
    manifest = load(str(SHIPPED / f"{name}.safetensors")).manifest
    assert manifest.name == name
    assert manifest.recipe["data"]["scale"] == manifest.scale
    assert manifest.checksum
