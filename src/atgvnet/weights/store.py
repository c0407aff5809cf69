"""Weights on disk: ``NAME.safetensors`` and ``NAME.json`` beside it.

Loading needs no pickle and no network; it checks the format's version and the file's checksum. Convolutions are
stored as float16, which halves the files and moves no result by a visible digit; everything else as float32.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError
from safetensors.torch import load as parse_tensors
from safetensors.torch import save as format_tensors

from atgvnet.errors import WeightsError
from atgvnet.model import ATGVNet, channels_last
from atgvnet.network import NETWORKS
from atgvnet.solver import Solver

__all__ = ["Loaded", "Manifest", "find", "load", "manifests", "names", "read_manifest", "save", "scales"]

FORMAT = 1
SHIPPED = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What the weights are and how they came to be.

    `normalise`: the map is brought to 0…1 by its own range, otherwise divided by 255. `spread_factor` turns the
    predicted spread into the half-width of an interval that holds 68 % of the truth. `minutes` are this training's
    own, beside those of the weights it `started_from`.
    """

    model: str
    benchmark: str | None
    scale: int
    network: dict[str, Any]
    iterations: int | None
    normalise: bool = False
    spread_factor: float = 1.0
    recipe: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    commit: str = ""
    minutes: float = 0.0
    started_from: str = ""
    scores: dict[str, float] = field(default_factory=dict)
    checksum: str = ""
    format: int = FORMAT

    @property
    def name(self) -> str:
        """Stem of the files."""
        return "-".join([self.model, *([self.benchmark] if self.benchmark else []), f"x{self.scale}"])

    @property
    def for_any_sensor(self) -> bool:
        """Whether the network is told the noise and the missing pixels of a map."""
        return bool(self.network["options"].get("conditioned", False))


class Loaded(NamedTuple):
    """A model ready for inference, and its manifest."""

    model: ATGVNet
    manifest: Manifest


def save(model: ATGVNet, manifest: Manifest, folder: Path) -> Path:
    """Write both files, whole or not at all; the manifest goes last and carries the checksum."""
    from atgvnet.io import atomic

    tensors = {
        name: value.detach().to(torch.float16 if value.ndim >= 4 else torch.float32).contiguous()
        for name, value in model.state_dict().items()
    }
    content = format_tensors(tensors)
    filled = Manifest(**asdict(manifest) | {"checksum": hashlib.sha256(content).hexdigest()})
    path = folder / f"{manifest.name}.safetensors"
    with atomic(path) as temporary:
        temporary.write(content)
    with atomic(path.with_suffix(".json")) as temporary:
        temporary.write(json.dumps(asdict(filled), indent=1).encode() + b"\n")
    return path


def names(folder: Path = SHIPPED) -> list[str]:
    """Names of all weights in a folder."""
    return sorted(path.stem for path in folder.glob("*.safetensors"))


def _given(model: str) -> Path | None:
    """Give the folder or file of weights that is meant; names that are shipped mean no folder of the same name."""
    if model in names():
        return SHIPPED / f"{model}.safetensors"
    shipped = any(stem.startswith(f"{model}-") for stem in names())
    return None if shipped or not Path(model).exists() else Path(model)


def scales(model: str, benchmark: str | None = None) -> list[int]:
    """Give the factors that there are weights for, ascending; those of a folder or file by their manifests."""
    path = _given(model)
    if path is not None:
        files = [path] if path.is_file() else sorted(path.glob("*.safetensors"))
        return sorted({read_manifest(file).scale for file in files})
    prefix = "-".join([model, *([benchmark] if benchmark else [])]) + "-x"
    found = [stem.removeprefix(prefix) for stem in names() if stem.startswith(prefix)]
    return sorted(int(scale) for scale in found if scale.isdigit())


def manifests(model: str) -> list[Manifest]:
    """Give the manifests of a model's weights at all scales and benchmarks, or of a folder's or a file's."""
    path = _given(model)
    if path is not None and path.is_file():
        return [read_manifest(path)]
    folder = path or SHIPPED
    everything = [read_manifest(folder / f"{stem}.safetensors") for stem in names(folder)]
    found = [one for one in everything if path is not None or model in (one.model, one.name)]
    if not found:
        raise WeightsError(f"weights: there are none for {model!r}; there are {', '.join(names(folder)) or 'none'}")
    return found


def find(model: str, *, benchmark: str | None = None, scale: int = 4) -> Path:
    """Find the weights of a shipped model, a folder or a file."""
    path = _given(model)
    if path is not None and path.is_file():
        return path
    folder = path or SHIPPED
    for stem in names(folder):
        if folder == SHIPPED:
            fits = stem == "-".join([model, *([benchmark] if benchmark else []), f"x{scale}"])
        else:
            fits = stem.endswith(f"-x{scale}")
        if fits:
            return folder / f"{stem}.safetensors"
    raise WeightsError(
        f"weights: there are none for {model!r}, benchmark {benchmark!r}, x{scale}; "
        f"there are {', '.join(names(folder)) or 'none'}"
    )


def load(model: str, *, benchmark: str | None = None, scale: int = 4) -> Loaded:
    """Load a shipped model by name, or anybody's from a folder or file, on the CPU, in evaluation mode."""
    path = find(model, benchmark=benchmark, scale=scale)
    return _load(path, path.stat().st_mtime_ns if path.is_file() else 0)


@cache
def _load(path: Path, changed: int) -> Loaded:
    del changed
    manifest = read_manifest(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise WeightsError(f"weights: {path}: {error.strerror}; give a file that can be read") from error
    if hashlib.sha256(content).hexdigest() != manifest.checksum:
        raise WeightsError(f"weights: {path} is damaged (its checksum is not the manifest's); install it again")
    solver = None if manifest.iterations is None else Solver(iterations=manifest.iterations)
    network = NETWORKS[manifest.network["kind"]](**manifest.network["options"])
    built = ATGVNet(network, solver)
    try:
        built.load_state_dict(parse_tensors(content))
    except (SafetensorError, RuntimeError) as error:
        raise WeightsError(f"weights: {path} does not fit its manifest ({error})") from error
    built.eval().requires_grad_(requires_grad=False)
    return Loaded(channels_last(built), manifest)


def read_manifest(path: Path) -> Manifest:
    """Read the manifest beside a file of weights."""
    try:
        raw = json.loads(path.with_suffix(".json").read_text())
        manifest = Manifest(**raw)
    except OSError as error:
        raise WeightsError(f"weights: no manifest beside {path}; keep NAME.json with NAME.safetensors") from error
    except (TypeError, ValueError) as error:
        raise WeightsError(f"weights: the manifest of {path} cannot be read ({error})") from error
    if manifest.format != FORMAT:
        raise WeightsError(
            f"weights: {path} has format {manifest.format}, this version reads {FORMAT}; update atgvnet"
        )
    return manifest
