"""How fast training is: its floating-point rate against its bare convolutions', the stream against the trainer.

One run, two threads, the first stage of the recipes of the paper's network and ours, best of several. Run alone:

    .venv/bin/python benchmarks/training.py
"""

import json
import time

import torch

from atgvnet.inference import native_bfloat16
from atgvnet.training.catalogue import recipe
from atgvnet.training.losses import loss
from atgvnet.training.optimiser import clip, make_optimiser
from atgvnet.training.recipes import Recipe
from atgvnet.training.stream import Batch, Stream
from atgvnet.training.trainer import build
from convolutions import alone
from timing import best

THREADS = 2
RECIPES = ("paper-cpu-noisy-middlebury-x4", "fast-noisy-middlebury-x4")
NATIVE = native_bfloat16(torch.device("cpu"))


def training_step(plan: Recipe, batch: Batch) -> tuple[float, float]:
    """Time a whole step, and its convolutions alone."""
    torch.manual_seed(0)
    model, stage = build(plan), plan.stages[0]
    optimiser = make_optimiser(model, stage)

    def step() -> None:
        with torch.autocast("cpu", torch.bfloat16, enabled=stage.bfloat16 and NATIVE):
            out = model(batch.low, batch.sigma, batch.valid, solve=False)
        total = loss(out, batch.truth, stage)
        optimiser.zero_grad(set_to_none=True)
        total.backward()
        clip(optimiser, stage)
        optimiser.step()

    return best(step, 8), alone(step, backward=True)


def measure(plan: Recipe) -> dict[str, float]:
    stage = plan.stages[0]
    stream = Stream(data=plan.data, seed=0, patch=stage.patch, batch=stage.batch)
    torch.set_num_threads(THREADS)
    seconds, convolutions = training_step(plan, stream[0])
    torch.set_num_threads(1)
    start = time.perf_counter()
    for number in range(1, 21):
        stream[number]
    yielded, eaten = 20 * stage.batch / (time.perf_counter() - start), stage.batch / seconds
    print(f"{plan.name}, batches of {stage.batch} patches of {stage.patch}²")
    print(f"training step          {1e3 * seconds:8.1f} ms   {eaten:7.1f} patches/s")
    print(f"its convolutions alone {1e3 * convolutions:8.1f} ms")
    print(f"stream, one thread                  {yielded:7.1f} patches/s")
    return {"convolution_share": convolutions / seconds, "patches_per_second": eaten, "stream": yielded / eaten}


def main() -> None:
    print(f"{THREADS} threads")
    paper, ours = (measure(recipe(name)) for name in RECIPES)
    figures = {
        "convolution_share": paper["convolution_share"],
        "patches_per_second": paper["patches_per_second"],
        "fast_convolution_share": ours["convolution_share"],
        "fast_patches_per_second": ours["patches_per_second"],
        "stream_over_trainer": min(paper["stream"], ours["stream"]),
        "threads": THREADS,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
