"""How fast the networks are: `fast` against the paper's, against its own bare convolutions, over sizes of maps.

One run, two threads, 160×120 → 640×480, shipped weights, no ensemble, best of several. Run alone:

    .venv/bin/python benchmarks/networks.py
"""

import json
import resource
import subprocess
import sys
from pathlib import Path

import torch

from atgvnet.inference import Inference, Inputs, native_bfloat16
from atgvnet.model import ATGVNet
from atgvnet.weights import load
from convolutions import alone as convolutions_alone
from timing import best

THREADS = 2
LOW = (120, 160)
SIZES = [(36, 36), (90, 120), (180, 240), (360, 480), (720, 960), (1080, 1200)]


def inputs(height: int, width: int) -> Inputs:
    low = torch.rand(1, 1, height, width)
    return Inputs(low, torch.full_like(low, 0.02), torch.ones_like(low))


def peak_alone() -> float:
    """Give the peak memory in MiB of a process of its own that loads `fast` and upscales one map."""
    code = "import sys, networks; networks.one_map(); print(networks.peak())"
    command = [sys.executable, "-c", code]
    return float(
        subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, check=True, text=True).stdout
    )


def one_map() -> None:
    torch.set_num_threads(THREADS)
    Inference(details=False)(load("fast", benchmark="noisy-middlebury", scale=4).model, inputs(*LOW))


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    alone_mib = peak_alone()  # first: a process inherits its parent's peak
    torch.set_num_threads(THREADS)
    models = {name: load(name, benchmark="noisy-middlebury", scale=4) for name in ("paper", "fast")}
    given, run = inputs(*LOW), Inference(details=False)
    seconds = {
        name: min(best(lambda model=loaded.model: run(model, given), 8) for _ in range(3))
        for name, loaded in models.items()
    }
    fast = models["fast"].model
    alone = ATGVNet(fast.network, None)
    network = best(lambda: run(alone, given), 15)
    convolutions = convolutions_alone(lambda: run(alone, given), backward=False)
    print(f"{THREADS} threads, {LOW[1]}×{LOW[0]} to four times that, bfloat16: {native_bfloat16(given.low.device)}")
    for name, value in seconds.items():
        print(f"{name:6} {1e3 * value:8.1f} ms  {1 / value:6.1f} frames/s")
    print(f"fast's network {1e3 * network:.1f} ms, its convolutions alone {1e3 * convolutions:.1f} ms")
    print("megapixels  ms per megapixel")
    linear = []
    for height, width in SIZES:
        pixels = 16 * height * width / 1e6
        value = best(lambda size=(height, width): run(fast, inputs(*size)), 3 if pixels < 3 else 1)
        linear.append(1e3 * value / pixels)
        print(f"{pixels:10.2f}  {linear[-1]:.1f}")
    print(f"peak memory: {alone_mib:.0f} MiB for one map, {peak():.0f} MiB for all of the above")
    figures = {
        "fast_speedup_over_paper": seconds["paper"] / seconds["fast"],
        "fast_fps": 1 / seconds["fast"],
        "convolution_share": convolutions / network,
        "ms_per_megapixel": linear,
        "peak_mib": alone_mib,
        "threads": THREADS,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
