"""The paper's claims, tested with the shipped weights on the benchmarks: tables in Markdown.

    .venv/bin/python tools/claims.py --data data [--loss-on-h WITH WITHOUT]

Order: does the whole system beat its network alone, and does the variational part alone lie between?
Solver: what g, the network's own result, is without the solver on top of it.
Discontinuities: how well |h| and |∇g| rank the pixels where the truth steps, as average precision (1: all steps
first). `--loss-on-h` takes two folders of weights, trained alike but for the loss on h, and compares their g.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from atgvnet.benchmarks import evaluate
from atgvnet.benchmarks.case import Run
from atgvnet.benchmarks.selection import Selection, find
from atgvnet.methods import get
from atgvnet.methods.networks import NetworkMethod
from atgvnet.methods.problem import Estimate, Problem
from atgvnet.weights import scales

PAPER = ("paper-cnn", "paper-atgv", "paper")
OURS = ("fast", "universal")
PLACES = (
    ("noisy-middlebury", (2, 4, 8, 16)),
    ("clean-middlebury", (2, 4)),
    ("clean-middlebury-decimated", (2, 4)),
    ("laserscan", (4,)),
)
STEP = 5.0  # in the maps' units, 0…255: what counts as a discontinuity of the truth

Floats = NDArray[np.float32]


def mean_rmse(benchmark: str, scale: int, data: Path, method: str | Run) -> float:
    """Average over the scenes, as the paper's means."""
    rows = evaluate(benchmark, data=data, scales=[scale], methods={"it": run(method)})
    return float(np.mean([row.rmse for row in rows]))


def run(method: str | Run) -> Run:
    return get(method) if isinstance(method, str) else method


def first_estimate(method: str) -> Run:
    """Give the method without its solver: the network's g."""
    inner = get(method)

    def answer(problem: Problem) -> Estimate:
        found = inner(problem)
        return replace(found, values=found.values if found.first is None else found.first)

    return answer


def there(method: str, benchmark: str, scale: int) -> bool:
    return scale in (scales(method, benchmark) or scales(method))


def order(data: Path) -> Iterator[str]:
    yield "| mean RMSE | " + " | ".join(PAPER) + " | paper / paper-cnn |"
    yield "|---|" + "---|" * (len(PAPER) + 1)
    for benchmark, factors in PLACES:
        for scale in factors:
            if all(there(method, benchmark, scale) for method in PAPER):
                means = [mean_rmse(benchmark, scale, data, method) for method in PAPER]
                cells = " | ".join(f"{mean:.3f}" for mean in means)
                yield f"| {benchmark} ×{scale} | {cells} | {means[-1] / means[0]:.3f} |"


def solver(data: Path) -> Iterator[str]:
    yield "| mean RMSE | model | network alone (g) | with its solver (u) |"
    yield "|---|---|---|---|"
    for benchmark, factors in PLACES:
        for scale in factors:
            for method in (*OURS, "paper"):
                if there(method, benchmark, scale):
                    g, u = (mean_rmse(benchmark, scale, data, one) for one in (first_estimate(method), method))
                    yield f"| {benchmark} ×{scale} | {method} | {g:.3f} | {u:.3f} |"


def discontinuities(data: Path) -> Iterator[str]:
    yield "| average precision | by \\|h\\| | by \\|∇g\\| |"
    yield "|---|---|---|"
    for method in ("paper-cnn", "paper", "fast"):
        if not there(method, "noisy-middlebury", 4):
            continue
        inner, scores = get(method), []
        for case in Selection(find("noisy-middlebury"), data, [4.0], None):
            found = inner(case.problem())
            if found.edges is None or found.first is None:
                continue
            height, width = case.truth.shape
            steps = size(difference(case.truth.values)) > STEP  # NaN is no step
            layers = [size(found.edges), size(difference(found.first))]
            scores.append([average_precision(layer[:height, :width], steps) for layer in layers])
        if scores:
            h, g = np.mean(scores, axis=0)
            yield f"| {method}, noisy-middlebury ×4 | {h:.3f} | {g:.3f} |"


def difference(values: Floats) -> Floats:
    """Forward differences in x and y, zero at the far borders."""
    return np.stack(
        [np.diff(values, axis=1, append=values[:, -1:]), np.diff(values, axis=0, append=values[-1:])]
    ).astype(np.float32)


def size(vectors: Floats) -> Floats:
    length: Floats = np.hypot(vectors[0], vectors[1])
    return length


def average_precision(score: Floats, wanted: NDArray[np.bool_]) -> float:
    hits = wanted.ravel()[np.argsort(-score, axis=None, kind="stable")]
    ranks = np.flatnonzero(hits) + 1
    return float(np.mean(np.arange(1, len(ranks) + 1) / ranks))


def loss_on_h(data: Path, folders: list[str]) -> Iterator[str]:
    for folder, words in zip(folders, ("with", "without"), strict=True):
        mean = mean_rmse("noisy-middlebury", 4, data, NetworkMethod(weights=folder))
        yield f"- network alone, {words} the loss on h: mean RMSE {mean:.3f} (noisy-middlebury ×4)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("data"), help="folder of the benchmarks")
    parser.add_argument("--loss-on-h", nargs=2, metavar="DIR", help="weights trained with and without it")
    options = parser.parse_args()
    for name, table in (("Order", order), ("Solver", solver), ("Discontinuities", discontinuities)):
        print(f"\n**{name}**\n", flush=True)
        for line in table(options.data):
            print(line, flush=True)
    for line in loss_on_h(options.data, options.loss_on_h or []) if options.loss_on_h else ():
        print(line, flush=True)


if __name__ == "__main__":
    main()
