"""How fast the solver is: compiled against plain, over sizes of maps, and against deepinv's TGV.

One run, two threads, ten iterations, float32, best of several; memory in processes of their own. Run alone:

    .venv/bin/python benchmarks/solver.py [--plot docs/figures/solver-scaling.png]
"""

import argparse
import importlib
import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from atgvnet.solver import Solver, minimise
from timing import best

THREADS, ITERATIONS = 2, 10
VGA, BATCH = (1, 480, 640), (32, 128, 128)
SIDES = [(272, 368), (384, 512), (480, 640), (720, 960), (1024, 1024), (1152, 1536), (1600, 2000), (2304, 3472)]
# An iteration reads and writes u, ū, v, v̄, p and q, and reads g, ω and T: floats per pixel.
STATE, CONSTANT = 12, 5
# What must come from memory and go there in any case: g, h, ω; u.
LEAST = 5
NOISE, STRENGTH, WITHIN = 0.05, 1.0, 1e-3
PATIENCE = 30.0
Step = Callable[[], object]


def deepinv_tgv() -> Any:
    """Import deepinv's class, and of its package no more: the rest needs a torchvision made for this very torch."""
    found = importlib.util.find_spec("deepinv")
    assert found is not None
    assert found.origin is not None, "run `make bench`"
    for name, *inner in (("deepinv",), ("deepinv.models", "models")):
        package = ModuleType(name)
        package.__path__ = [str(Path(found.origin).parent.joinpath(*inner))]
        sys.modules[name] = package
    return importlib.import_module("deepinv.models.tgv").TGVDenoiser


def work(shape: tuple[int, int, int], iterations: int, *, fused: bool) -> tuple[Step, Step]:
    """Give what does the forward pass, and what does forward and backward with respect to everything."""
    torch.manual_seed(0)
    batch, *size = shape
    solver = Solver(iterations, fused=fused)
    given = [torch.rand(batch, 1, *size), 0.1 * torch.randn(batch, 2, *size), torch.rand(batch, 1, *size)]
    by_u = torch.randn(batch, 1, *size)
    for x in given:
        x.requires_grad_()

    @torch.no_grad()
    def forward() -> Tensor:
        return solver(*given)

    def training() -> None:
        solver.zero_grad()
        for x in given:
            x.grad = None
        solver(*given).backward(by_u)

    return forward, training


def peak(fused: bool) -> float:
    """Give by how many MiB a process grows, at its peak, while one forward and backward pass runs."""
    command = [sys.executable, __file__, "--grow", "fused" if fused else "plain"]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def grow(*, fused: bool) -> None:
    """Print how much this process grows; a first run of few iterations loads all code, but no memory for ten."""
    work((1, 64, 64), 3, fused=fused)[1]()
    training = work(VGA, ITERATIONS, fused=fused)[1]
    Path("/proc/self/clear_refs").write_text("5")
    before = _status("VmRSS")
    training()
    print((_status("VmHWM") - before) / 1024)


def _status(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))


def copying() -> float:
    """Bytes per second, read and written, of the faster of two plain copies: of the state's size, and of far more."""
    rates = []
    for floats in (STATE * VGA[1] * VGA[2], 1 << 26):
        source = torch.rand(floats)
        target = torch.empty_like(source)
        rates.append(8 * floats / best(lambda a=source, b=target: b.copy_(a), 10))
    return max(rates)


def compare() -> tuple[dict[str, float], float]:
    """Compiled against plain; give the figures and the seconds of the compiled forward pass."""
    figures: dict[str, float] = {}
    names = {VGA: ("forward_speedup", "training_speedup"), BATCH: ("batch_forward_speedup", "batch_training_speedup")}
    seconds: dict[str, float] = {}
    for shape, keys in names.items():
        fused, plain = (work(shape, ITERATIONS, fused=which) for which in (True, False))
        for key, quick, slow in zip(keys, fused, plain, strict=True):
            seconds[key], other = best(quick, 40), best(slow, 5)
            figures[key] = other / seconds[key]
            print(f"{shape!s:16} {key:24} {1e3 * other:8.1f} ms  {1e3 * seconds[key]:7.2f} ms  {figures[key]:6.1f}")
    grown = {fused: peak(fused) for fused in (False, True)}
    figures["training_memory_ratio"] = grown[True] / grown[False]
    print(f"peak memory of forward and backward: plain {grown[False]:.0f} MiB, compiled {grown[True]:.0f} MiB")
    return figures, seconds["forward_speedup"]


def bandwidth(seconds: float) -> dict[str, float]:
    """Relate the forward pass to a plain copy, by what iterations read and write, and by what memory has to move."""
    copy, pixels = copying(), VGA[1] * VGA[2]
    moved = 4 * pixels * ITERATIONS * (2 * STATE + CONSTANT) / seconds
    least = 4 * pixels * LEAST / seconds
    print(f"plain copy {copy / 1e9:.1f} GB/s; iterations read and write {moved / 1e9:.1f} GB/s (in the cache), ")
    print(f"of which memory moves {least / 1e9:.1f} GB/s: given maps in, the result out")
    return {"bandwidth_share": moved / copy, "least_bandwidth_share": least / copy}


def scaling(plot: Path | None) -> dict[str, list[float]]:
    """Time maps of 0.1 to 8 megapixels."""
    rows = []
    for size in SIDES:
        forward, training = work((1, *size), ITERATIONS, fused=True)
        repeats = max(3, min(20, 10_000_000 // (size[0] * size[1])))
        rows.append((size[0] * size[1] / 1e6, 1e3 * best(forward, repeats), 1e3 * best(training, repeats)))
    print("megapixels   forward ms/MP   forward and backward ms/MP")
    for pixels, forward_ms, training_ms in rows:
        print(f"{pixels:10.2f}   {forward_ms / pixels:13.2f}   {training_ms / pixels:26.2f}")
    if plot is not None:
        _draw(rows, plot)
    return {
        "megapixels": [row[0] for row in rows],
        "forward_ms_per_megapixel": [row[1] / row[0] for row in rows],
        "training_ms_per_megapixel": [row[2] / row[0] for row in rows],
    }


def _draw(rows: list[tuple[float, float, float]], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.6), layout="constrained")
    axes = figure.subplots()
    pixels = [row[0] for row in rows]
    for column, name in ((2, "forward and backward"), (1, "forward")):
        times = [row[column] for row in rows]
        (line,) = axes.loglog(pixels, times, "o-", label=name)
        axes.loglog(pixels, [times[2] / pixels[2] * x for x in pixels], ":", color=line.get_color(), linewidth=1)
    axes.set(xlabel="megapixels", ylabel="ms", title="Ten iterations, two threads; dotted: linear through 640×480")
    axes.legend()
    axes.grid(visible=True, which="both", alpha=0.2)
    figure.savefig(path, dpi=120)


def against_deepinv() -> dict[str, float]:
    """Seconds until the energy, each of its own discretisation, is within 1e-3 of the least one."""
    denoiser, noisy = deepinv_tgv(), _noisy()
    alpha1, alpha0 = 0.1 * STRENGTH, 0.15 * STRENGTH  # what deepinv makes of its parameter
    settings = {"lam": 1.0, "alpha1": alpha1, "alpha0": alpha0}
    exact = minimise(noisy.astype(np.float64), **settings, tolerance=1e-5, iterations=6000)
    least = exact.energy * (1 - exact.gap)
    count = next(
        n
        for n in range(10, 2000, 10)
        if minimise(noisy, **settings, tolerance=0, iterations=n).energy <= (1 + WITHIN) * least
    )
    ours = best(lambda: minimise(noisy, **settings, tolerance=0, iterations=count), 5)
    # deepinv orders a slope y, x.
    u, slope = (torch.from_numpy(x.astype(np.float32)) for x in (exact.u, np.moveaxis(exact.v[::-1], 0, -1)))
    # That of our solution is no less than deepinv's least energy, so that its time is never overstated.
    bound = (1 + WITHIN) * _deepinv_energy(denoiser, torch.from_numpy(noisy), u, slope, alpha1, alpha0)
    race = _deepinv(denoiser, noisy, alpha1, alpha0)
    theirs, done, energy = next((seconds, n, e) for seconds, n, e in race if e <= bound or seconds > PATIENCE)
    reached = energy <= bound
    print(f"to within {WITHIN:g} of the least energy: this {1e3 * ours:.1f} ms, {count} iterations;")
    print(
        f"deepinv {'' if reached else 'not within '}{theirs:.1f} s, {done} iterations of {1e3 * theirs / done:.0f} ms"
    )
    return {"deepinv_speedup": theirs / ours, "deepinv_reached": float(reached)}


def _noisy() -> NDArray[np.float32]:
    """Make a map of a step between two slopes, and noise."""
    y, x = np.mgrid[: VGA[1], : VGA[2]] / VGA[2]
    clean = np.where(x + 0.3 * y < 0.6, 0.2 + 0.5 * y, 0.9 - 0.4 * x)
    return (clean + np.random.default_rng(0).normal(0, NOISE, clean.shape)).astype(np.float32)


def _deepinv(
    denoiser: Any, noisy: NDArray[np.float32], alpha1: float, alpha0: float
) -> Iterator[tuple[float, int, float]]:
    """Run its iteration; give the seconds so far, the number done and the energy, now and then."""
    model, y = denoiser(n_it_max=1, crit=0), torch.from_numpy(noisy)[None, None]
    seconds, done, look = 0.0, 0, 8
    while True:
        start = time.perf_counter()
        for _ in range(look - done):
            model(y, STRENGTH)
        seconds, done, look = seconds + time.perf_counter() - start, look, int(1.15 * look) + 1
        u, slope = model.x2[0, 0], denoiser.nabla(model.x2)[0, 0] - model.r2[0, 0]
        yield seconds, done, _deepinv_energy(denoiser, y[0, 0], u, slope, alpha1, alpha0)


def _deepinv_energy(denoiser: Any, y: Tensor, u: Tensor, slope: Tensor, alpha1: float, alpha0: float) -> float:
    excess = denoiser.nabla(u[None, None])[0, 0] - slope
    bend = denoiser.epsilon(slope[None, None])[0, 0]
    total = (u - y).double().square().sum() / 2 + alpha1 * excess.double().norm(dim=-1).sum()
    return float(total + alpha0 * bend.double().norm(dim=-1).sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plot", type=Path, help="where to draw the time over the size of maps")
    parser.add_argument("--grow", choices=["plain", "fused"], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    torch.set_num_threads(THREADS)
    if arguments.grow:
        grow(fused=arguments.grow == "fused")
        return
    print(f"{THREADS} threads, {ITERATIONS} iterations: plain, compiled, times as fast")
    figures, seconds = compare()
    result = {**figures, **bandwidth(seconds), **scaling(arguments.plot), **against_deepinv(), "threads": THREADS}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
