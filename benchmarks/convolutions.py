"""What the convolutions of a computation take when each of them runs alone."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch.utils._python_dispatch import TorchDispatchMode

from atgvnet.inference import native_bfloat16
from timing import best

__all__ = ["alone"]

Call = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]

CONVOLUTIONS = {torch.ops.aten.convolution.default, torch.ops.aten.conv2d.default}  # with and without a graph


class Noting(TorchDispatchMode):
    """Notes the shapes of input and weight, strides and padding of every convolution inside of it."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch leaves it without types
        self.calls: list[Call] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func in CONVOLUTIONS:
            x, weight, _, stride, padding = (args + (None, None, None, (1, 1), (0, 0))[len(args) :])[:5]
            self.calls.append((tuple(x.shape), tuple(weight.shape), tuple(stride), tuple(padding)))
        return func(*args, **(kwargs or {}))


def alone(run: Callable[[], object], *, backward: bool) -> float:
    """Sum the times of the convolutions that `run` does, each in the machine's best number format and layout."""
    with Noting() as noting:
        run()
    seconds = {call: _time(*call, backward=backward) for call in set(noting.calls)}
    return sum(seconds[call] for call in noting.calls)


def _time(shape: Any, kernel: Any, stride: Any, padding: Any, *, backward: bool) -> float:
    dtype = torch.bfloat16 if native_bfloat16(torch.device("cpu")) else torch.float32
    layout = torch.channels_last
    x, weight = (torch.rand(size, dtype=dtype).contiguous(memory_format=layout) for size in (shape, kernel))
    bias = torch.rand(kernel[0], dtype=dtype)

    def convolve() -> Tensor:
        return functional.conv2d(x, weight, bias, stride, padding)

    if not backward:
        with torch.inference_mode():
            return best(convolve, 8)
    for tensor in (weight, bias, *([x] if shape[1] > 1 else [])):  # a network's input has no gradient
        tensor.requires_grad_()
    ones = torch.ones_like(convolve())
    return best(lambda: convolve().backward(ones), 5)
