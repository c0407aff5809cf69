"""How fast `atgvnet upscale` is: a stream of files against the model alone, a cold start, memory over sizes.

500 frames of 160×120 → 640×480, PNG in and out: the whole command, and in the same run the model alone, which is one
map after another through network, solver and refinement, by all threads, with nothing read, estimated or written.
The two take turns; the best of each counts. The cold start is one whole command, files and JIT cache warm. Each
size's peak of memory is that of a command of its own. Run alone:

    .venv/bin/python benchmarks/upscale.py [stream] [cold] [memory] [--frames 500] [--rounds 3]
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from matplotlib.figure import Figure
from numpy.typing import NDArray

import atgvnet
from atgvnet.cli import main as command
from atgvnet.inference import Inference, Inputs
from atgvnet.prepare import Range
from atgvnet.refine import mixing
from atgvnet.weights import load

LOW, SCALE, THREADS = (120, 160), 4, 2
MEGAPIXELS = (0.1, 1.0, 4.0, 16.0, 64.0)
PICTURE = Path(__file__).parents[1] / "docs" / "figures" / "upscale-memory.png"
PEAK = """
import sys
from pathlib import Path
from atgvnet.cli import main
if main(["upscale", *sys.argv[1:]]):
    raise SystemExit(1)
print(next(line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if line[:6] == "VmHWM:"))
"""

Floats = NDArray[np.float32]


def frame(number: int, size: tuple[int, int] = LOW) -> atgvnet.DepthMap:
    """Measure a ball before a slanted wall, in millimetres: means over pixels, noise that grows as z²."""
    height, width = (SCALE * side for side in size)
    y, x = np.ogrid[:height, :width]
    ball = np.hypot(y - height / 2, x - width / 4 - 4 * number % (width // 2)) < height / 4
    exact = np.where(ball, 1500, 2500 + 800.0 * x / width + 400.0 * y / height)
    low = exact.reshape(size[0], SCALE, size[1], SCALE).mean(axis=(1, 3))
    rng = np.random.default_rng(number)
    return atgvnet.DepthMap(low + 3e-6 * low**2 * rng.standard_normal(low.shape), unit="mm")


def streamed(folder: Path) -> float:
    """Give the frames per second of the whole command."""
    start = time.perf_counter()
    status = command(["upscale", str(folder / "in"), "-o", str(folder / "out"), "--scale", str(SCALE), "--force"])
    seconds = time.perf_counter() - start
    if status:
        raise SystemExit(status)
    return len(list((folder / "out").iterdir())) / seconds


def alone(run: Inference, count: int = 100) -> float:
    """Give the frames per second of the model alone."""
    depth = frame(0)
    model = load("universal", scale=SCALE).model
    low = torch.from_numpy(Range.of(depth.values, depth.valid).apply(depth.values))[None, None]
    given = Inputs(low, torch.full_like(low, 0.01), torch.ones_like(low))
    run(model, given)
    start = time.perf_counter()
    for _ in range(count):
        run(model, given)
    return count / (time.perf_counter() - start)


def compare(frames: int, rounds: int) -> dict[str, float]:
    """Time the stream and the model alone in turns."""
    first = frame(0)
    mixed = mixing(Range.of(first.values, first.valid).apply(first.values), first.valid)
    whole, network = Inference(details=False, mixed=mixed), Inference(details=False)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in").mkdir()
        for number in range(frames):
            frame(number).save(folder / "in" / f"{number:04}.png")
        parts: list[Callable[[], float]] = [lambda: streamed(folder), lambda: alone(whole), lambda: alone(network)]
        rows = [[part() for part in parts] for _ in range(rounds)]
    stream, model, unrefined = (max(column) for column in zip(*rows, strict=True))
    print(f"{THREADS} threads, {frames} frames of {LOW[1]}×{LOW[0]}, ×{SCALE}, PNG to PNG: {stream:.1f} frames/s")
    print(f"the model alone {model:.1f} frames/s: the stream reaches {stream / model:.3f} of it")
    print(f"its network and solver without refinement {unrefined:.1f} frames/s: {stream / unrefined:.3f}")
    return {"stream_fps": stream, "model_fps": model, "stream_share": stream / model, "network_fps": unrefined}


def cold_start(times: int = 4) -> float:
    """Give the least seconds of one whole command."""
    with tempfile.TemporaryDirectory() as name:
        source, out = Path(name) / "in.png", Path(name) / "out.png"
        frame(0).save(source)
        line = [sys.executable, "-m", "atgvnet", "upscale", str(source), "-o", str(out), "--force"]
        seconds = []
        for _ in range(times):
            start = time.perf_counter()
            subprocess.run(line, check=True)
            seconds.append(time.perf_counter() - start)
    print(f"one command: {min(seconds):.2f} s (all: {', '.join(f'{each:.2f}' for each in seconds)})")
    return min(seconds)


def peak(megapixels: float) -> float:
    """Give the peak memory in MiB of a command that makes a map of so many megapixels, PNG to PNG."""
    height = round((megapixels * 1e6 * 3 / 4) ** 0.5 / SCALE)
    with tempfile.TemporaryDirectory() as name:
        source, out = Path(name) / "in.png", Path(name) / "out.png"
        frame(0, (height, 4 * height // 3)).save(source)
        line = [sys.executable, "-c", PEAK, str(source), "-o", str(out), "--scale", str(SCALE)]
        done = subprocess.run(line, check=True, capture_output=True, text=True)
    mebibytes = float(done.stdout) / 1024
    print(f"{megapixels:6} megapixels: peak {mebibytes:.0f} MiB", flush=True)
    return mebibytes


def draw(peaks: list[float], path: Path) -> None:
    """Plot memory over size."""
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.loglog(MEGAPIXELS, peaks, "o-")
    axes.axhline(3 * 1024, color="0.6", linestyle="--", label="3 GiB")
    axes.set(xlabel="megapixels of the result", ylabel="peak memory in MiB", title="atgvnet upscale, ×4, PNG to PNG")
    axes.grid(alpha=0.3, which="both")
    axes.legend()
    figure.savefig(path, dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help="stream, cold, memory; by default all")
    parser.add_argument("--frames", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    parts = set(options.parts) or {"stream", "cold", "memory"}
    torch.set_num_threads(THREADS)
    figures: dict[str, float] = {}
    if "stream" in parts:
        figures |= compare(options.frames, options.rounds)
    if "cold" in parts:
        figures["cold_start_s"] = cold_start()
    if "memory" in parts:
        peaks = [peak(size) for size in MEGAPIXELS]
        draw(peaks, PICTURE)
        figures["peak_mib_at_64_megapixel"] = peaks[-1]
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
