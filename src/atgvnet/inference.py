"""Running a model on whole maps: number format, tiles with the halo that the receptive field asks for, ensembles.

A tile's result is exact where the model sees no pixel outside the tile and its halo. What the model sees follows
from its parts: the network's reach in low-resolution pixels, and one high-resolution pixel per solver iteration.
Tiles start at multiples of the network's stride, so that its coarser levels fall on the same grid in every tile.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal, NamedTuple
from weakref import WeakKeyDictionary

import torch
from torch import Tensor

from atgvnet.methods.problem import silent
from atgvnet.model import ATGVNet
from atgvnet.refine import REACH, crisp, refined

__all__ = ["Inference", "Inputs", "Outputs", "crisp", "halo", "native_bfloat16"]

Precision = Literal["auto", "float32", "bfloat16"]
AUTO_TILE = 3072
Area = tuple[slice, slice]


class Inputs(NamedTuple):
    """Low-resolution tensors (1, 1, h, w) in the network's range."""

    low: Tensor
    sigma: Tensor
    valid: Tensor


class Outputs(NamedTuple):
    """High-resolution tensors (1, C, H, W): u, and g, h and the spread where they are asked for."""

    u: Tensor
    first: Tensor | None = None
    edges: Tensor | None = None
    spread: Tensor | None = None

    def layers(self) -> Iterator[tuple[str, Tensor]]:
        """Give what is there, by name."""
        return ((name, tensor) for name, tensor in self._asdict().items() if tensor is not None)


def halo(model: ATGVNet, *, refine: bool = True) -> int:
    """Low-resolution pixels around a tile that its result depends on, a multiple of the network's stride."""
    network = model.network
    behind = 0 if model.solver is None else model.solver.iterations + 1  # high-resolution pixels
    reach = network.reach - (-behind // network.scale) + (REACH if refine else 0)
    return -(-reach // network.stride) * network.stride


def native_bfloat16(device: torch.device) -> bool:
    """Whether the machine multiplies bfloat16 numbers natively, so that it pays."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    if device.type != "cpu":
        return False
    capabilities = torch.backends.cpu.get_cpu_capability()
    return "AVX512" in capabilities and bool(torch.cpu._is_avx512_bf16_supported())  # noqa: SLF001 (no public name)


_copies: WeakKeyDictionary[ATGVNet, tuple[list[int], ATGVNet]] = WeakKeyDictionary()


def _lowered(model: ATGVNet) -> ATGVNet:
    """Give the model with weights in bfloat16, made anew when they have changed."""
    state = [number for weight in model.parameters() for number in (weight.data_ptr(), weight._version)]  # noqa: SLF001 (no public name)
    known, copy = _copies.get(model, ([], model))
    if known != state:
        copy = ATGVNet(model.network.lowered(torch.bfloat16), model.solver).eval()
        _copies[model] = state, copy
    return copy


@dataclass(frozen=True, kw_only=True)
class Inference:
    """How to run.

    Side of an output tile (None: large maps only), number format, ensemble, place, all outputs, and `mixed` of
    `atgvnet.refine.refined` (None: the result is left as it is).
    """

    tile: int | None = None
    precision: Precision = "auto"
    ensemble: bool = False
    device: str | None = None
    details: bool = True
    mixed: float | None = None

    @torch.inference_mode()
    def __call__(self, model: ATGVNet, inputs: Inputs, progress: Callable[[float], None] = silent) -> Outputs:
        """Run the model over a map."""
        device = torch.device(self.device or "cpu")
        if model.device != device:
            model.to(device)
        height, width = inputs.low.shape[-2:]
        size = (height * model.network.scale, width * model.network.scale)
        layers: dict[str, Tensor] = {}
        tiles = list(self._tiles(model, height, width))
        for done, (outer, inner, place) in enumerate(tiles):
            outputs = self._refined(model, Inputs(*(tensor[..., *outer].to(device) for tensor in inputs)))
            for name, tensor in outputs.layers():
                if len(tiles) == 1:
                    layers[name] = tensor.cpu()
                    continue
                whole = layers.setdefault(name, torch.empty(0))
                if not whole.numel():
                    whole = layers[name] = torch.empty((1, tensor.shape[1], *size))
                whole[..., *place] = tensor[..., *inner].cpu()
            progress((done + 1) / len(tiles))
        return Outputs(**layers)

    def _tiles(self, model: ATGVNet, height: int, width: int) -> Iterator[tuple[Area, Area, Area]]:
        """Give for each tile what it reads (low resolution), its part of the result, and where that goes."""
        scale, stride, border = model.network.scale, model.network.stride, halo(model, refine=self.mixed is not None)
        small = height * width * scale**2 <= AUTO_TILE**2
        side = max(height, width) if self.tile is None and small else (self.tile or AUTO_TILE) // scale
        side = max(1, -(-side // stride)) * stride
        for top in range(0, height, side):
            for left in range(0, width, side):
                rows, columns = _span(top, side, border, height, scale), _span(left, side, border, width, scale)
                yield (rows[0], columns[0]), (rows[1], columns[1]), (rows[2], columns[2])

    def _refined(self, model: ATGVNet, inputs: Inputs) -> Outputs:
        out = self._averaged(model, inputs) if self.ensemble else self._once(model, inputs)
        return out if self.mixed is None else out._replace(u=refined(out.u, *inputs, self.mixed))

    def _once(self, model: ATGVNet, inputs: Inputs) -> Outputs:
        device = inputs.low.device
        bfloat16 = self.precision == "bfloat16" or (self.precision == "auto" and native_bfloat16(device))
        with torch.autocast(device.type, torch.bfloat16, enabled=bfloat16):
            out = (_lowered(model) if bfloat16 else model)(
                inputs.low, inputs.sigma, inputs.valid, spread=self.details
            )
        return Outputs(out.u, *out.network) if self.details else Outputs(out.u)

    def _averaged(self, model: ATGVNet, inputs: Inputs) -> Outputs:
        """Average over the eight flips and rotations, each undone."""
        totals: dict[str, Tensor] = {}
        for turns, mirror in product(range(4), (False, True)):
            turned = Inputs(*(_turn(tensor, turns, mirror) for tensor in inputs))
            for name, tensor in self._once(model, turned).layers():
                back = _turn_back(tensor, turns, mirror)
                back = _vectors_back(back, turns, mirror) if name == "edges" else back
                totals[name] = back / 8 if name not in totals else totals[name].add_(back, alpha=1 / 8)
        return Outputs(**totals)


def _span(start: int, side: int, border: int, length: int, scale: int) -> tuple[slice, slice, slice]:
    stop = min(start + side, length)
    first, last = max(0, start - border), min(length, stop + border)
    inner = slice((start - first) * scale, (stop - first) * scale)
    return slice(first, last), inner, slice(start * scale, stop * scale)


def _turn(tensor: Tensor, turns: int, mirror: bool) -> Tensor:
    turned = torch.rot90(tensor, turns, (-2, -1))
    return turned.flip(-1) if mirror else turned


def _turn_back(tensor: Tensor, turns: int, mirror: bool) -> Tensor:
    return torch.rot90(tensor.flip(-1) if mirror else tensor, -turns, (-2, -1))


def _vectors_back(edges: Tensor, turns: int, mirror: bool) -> Tensor:
    """Turn the vectors themselves: mirroring negates x; a quarter turn back takes (x, y) to (-y, x)."""
    x, y = edges[:, :1], edges[:, 1:]
    x = -x if mirror else x
    for _ in range(turns):
        x, y = -y, x
    return torch.cat([x, y], dim=1)
