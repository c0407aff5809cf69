"""How fast training is: its floating-point rate against its bare convolutions', the stream against the trainer.

One run, two threads, the recipe `fast-noisy-middlebury-x4`, first stage, best of several. Run alone:

    .venv/bin/python benchmarks/training.py
"""

import json
import time

import torch
from torch import Tensor, nn

from atgvnet.inference import native_bfloat16
from atgvnet.training.catalogue import recipe
from atgvnet.training.losses import loss
from atgvnet.training.optimiser import clip, make_optimiser
from atgvnet.training.stream import Batch, Stream
from atgvnet.training.trainer import build
from timing import best

THREADS = 2
RECIPE = recipe("fast-noisy-middlebury-x4")
STAGE = RECIPE.stages[0]
NATIVE = native_bfloat16(torch.device("cpu"))


def training_step(batch: Batch) -> tuple[float, list[tuple[nn.Conv2d, Tensor]]]:
    """Time a whole step, and give the convolutions that it runs with what they see."""
    torch.manual_seed(0)
    model = build(RECIPE)
    optimiser = make_optimiser(model, STAGE)

    def step() -> None:
        with torch.autocast("cpu", torch.bfloat16, enabled=STAGE.bfloat16 and NATIVE):
            out = model(batch.low, batch.sigma, batch.valid, solve=False)
        total = loss(out, batch.truth, STAGE)
        optimiser.zero_grad(set_to_none=True)
        total.backward()
        clip(optimiser, STAGE)
        optimiser.step()

    seconds = best(step, 8)
    seen: list[tuple[nn.Conv2d, Tensor]] = []
    for module in model.modules():
        if isinstance(module, nn.Conv2d):
            module.register_forward_hook(lambda conv, args, _out: seen.append((conv, args[0].detach())))
    step()
    return seconds, seen


def bare_convolutions(seen: list[tuple[nn.Conv2d, Tensor]]) -> float:
    """Sum the times of each convolution's forward and backward alone."""
    dtype = torch.bfloat16 if NATIVE else torch.float32
    done: dict[tuple[object, ...], float] = {}
    total = 0.0
    for conv, x in seen:
        key = (conv.in_channels, conv.out_channels, conv.kernel_size, tuple(x.shape))
        if key not in done:
            alone = nn.Conv2d(
                conv.in_channels, conv.out_channels, conv.kernel_size, conv.stride, conv.padding, dtype=dtype
            ).to(memory_format=torch.channels_last)
            values = torch.rand(x.shape, dtype=dtype).contiguous(memory_format=torch.channels_last)
            values.requires_grad_(conv.in_channels > 1)
            ones = torch.ones_like(alone(values))
            done[key] = best(lambda alone=alone, values=values, ones=ones: alone(values).backward(ones), 5)
        total += done[key]
    return total


def main() -> None:
    torch.set_num_threads(THREADS)
    stream = Stream(data=RECIPE.data, seed=0, patch=STAGE.patch, batch=STAGE.batch)
    batch = stream[0]
    seconds, seen = training_step(batch)
    convolutions = bare_convolutions(seen)
    torch.set_num_threads(1)
    start = time.perf_counter()
    for number in range(1, 21):
        stream[number]
    yielded = 20 * STAGE.batch / (time.perf_counter() - start)
    eaten = STAGE.batch / seconds
    print(f"{THREADS} threads, {RECIPE.weights_name}, batches of {STAGE.batch} patches of {STAGE.patch}²")
    print(f"training step          {1e3 * seconds:8.1f} ms   {eaten:7.1f} patches/s")
    print(f"its convolutions alone {1e3 * convolutions:8.1f} ms")
    print(f"stream, one thread                  {yielded:7.1f} patches/s")
    figures = {
        "convolution_share": convolutions / seconds,
        "patches_per_second": eaten,
        "stream_over_trainer": yielded / eaten,
        "threads": THREADS,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
