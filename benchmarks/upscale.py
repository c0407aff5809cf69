"""How fast `atgvnet upscale` is: a stream of files against the model alone, a cold start, memory over sizes.

500 frames of 160×120 → 640×480, PNG in and out, both timed in this run, interleaved, best of several; the cold
start is one whole command with the JIT cache warm. Run alone:

    .venv/bin/python benchmarks/upscale.py
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import torch

import atgvnet
from atgvnet.cli import main as command
from atgvnet.inference import Inference, Inputs
from atgvnet.weights import load

FRAMES, LOW, THREADS = 500, (120, 160), 2
MEGAPIXELS = (0.1, 1, 4, 16, 64)
PEAK = """
import resource, sys, numpy as np, atgvnet
side = int(sys.argv[1])
depth = atgvnet.DepthMap(1 + np.add.outer(np.arange(side), np.arange(side)).astype(np.float32) / side, unit="m")
atgvnet.load(scale=4, details=False)(depth)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def frame(number: int) -> np.ndarray:
    rng = np.random.default_rng(number)
    y, x = np.mgrid[: LOW[0], : LOW[1]]
    values = 1500 + 4 * x + 2 * y + 900.0 * (np.hypot(y - 60, x - 40 - number % 80) < 30)
    return values + 10 * rng.standard_normal(LOW)


def stream(folder: Path) -> float:
    start = time.perf_counter()
    command(["upscale", str(folder / "in"), "-o", str(folder / "out"), "--scale", "4", "--force"])
    return FRAMES / (time.perf_counter() - start)


def alone(count: int = 100) -> float:
    model = load("universal", scale=4).model
    low = torch.rand(1, 1, *LOW)
    given, run = Inputs(low, 0.01 * torch.ones_like(low), torch.ones_like(low)), Inference(details=False)
    run(model, given)
    start = time.perf_counter()
    for _ in range(count):
        run(model, given)
    return count / (time.perf_counter() - start)


def cold_start(folder: Path) -> float:
    path = min((folder / "in").iterdir())
    line = [sys.executable, "-m", "atgvnet", "upscale", str(path), "-o", str(folder / "one.png"), "--force"]
    times = []
    for _ in range(4):
        start = time.perf_counter()
        subprocess.run(line, check=True)
        times.append(time.perf_counter() - start)
    return min(times)


def peak(megapixels: float) -> float:
    side = round(np.sqrt(megapixels * 1e6) / 4)
    done = subprocess.run([sys.executable, "-c", PEAK, str(side)], check=True, capture_output=True, text=True)
    return float(done.stdout)


def draw(peaks: list[float], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.loglog(MEGAPIXELS, peaks, "o-")
    axes.set(xlabel="megapixels of the result", ylabel="peak memory in MiB", title="atgvnet upscale, ×4")
    axes.grid(alpha=0.3, which="both")
    figure.savefig(path)


def main() -> None:
    torch.set_num_threads(THREADS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in").mkdir()
        for number in range(FRAMES):
            atgvnet.DepthMap(frame(number), unit="mm").save(folder / "in" / f"{number:04}.png")
        rates = [(stream(folder), alone()) for _ in range(3)]
        streamed, model = (max(column) for column in zip(*rates, strict=True))
        cold = cold_start(folder)
    peaks = [peak(size) for size in MEGAPIXELS]
    draw(peaks, Path("docs/images/upscale-memory.svg"))
    print(f"{THREADS} threads, {FRAMES} frames of {LOW[1]}×{LOW[0]}, ×4, PNG to PNG")
    print(f"stream {streamed:.1f} frames/s, model alone {model:.1f} frames/s; one cold command {cold:.2f} s")
    for size, value in zip(MEGAPIXELS, peaks, strict=True):
        print(f"{size:6} megapixels: peak {value:.0f} MiB")
    figures = {
        "stream_share": streamed / model,
        "fps_per_core": streamed / THREADS,
        "cold_start_s": cold,
        "peak_mib_at_64_megapixel": peaks[-1],
        "peak_mib_without_work": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
