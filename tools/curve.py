"""Draw accuracy against time, every method that was measured: `docs/figures/accuracy-time.png`.

    .venv/bin/python tools/curve.py [--benchmark noisy-middlebury] [--scale 4] --data data

Prints the methods by time, and those that no other beats in both.
"""

import argparse
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from atgvnet.benchmarks.selection import Selection, find
from ledger import Ledger

DOCS = Path(__file__).parents[1] / "docs"
OUT, LEDGER = DOCS / "figures/accuracy-time.png", DOCS / "results.json"
OURS = ("fast", "universal")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmark", default="noisy-middlebury")
    parser.add_argument("--scale", type=float, default=4)
    parser.add_argument("--data", type=Path, default=Path("data"))
    given = parser.parse_args()
    cases = Selection(find(given.benchmark), given.data, [given.scale], None)
    megapixels = sum(case.size[0] * case.size[1] for case in cases) / 1e6
    points = {
        entry.method: (
            sum(row.seconds for row in entry.rows) / megapixels,
            float(np.mean([row.rmse for row in entry.rows])),
        )
        for entry in Ledger.read(LEDGER).entries.values()
        if (entry.benchmark, entry.scale) == (given.benchmark, given.scale)
    }
    for method, (seconds, rmse) in sorted(points.items(), key=lambda item: item[1]):
        beaten = [other for other, (s, r) in points.items() if s < seconds and r < rmse]
        print(f"{method:14} {1e3 * seconds:10.1f} ms/MP  RMSE {rmse:.3f}" + ("" if beaten else "  no other beats it"))
    draw(points, f"{given.benchmark} ×{given.scale:g}")


def draw(points: dict[str, tuple[float, float]], title: str) -> None:
    """One labelled point for each method."""
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot(
        xscale="log", xlabel="seconds per megapixel of the result", ylabel="mean RMSE", title=title
    )
    for method, (seconds, rmse) in points.items():
        ours = method in OURS
        axes.plot(seconds, rmse, "o", color="crimson" if ours else "0.4")
        axes.annotate(
            method,
            (seconds, rmse),
            (4, 4),
            textcoords="offset points",
            fontsize=8,
            weight="bold" if ours else "normal",
        )
    axes.grid(visible=True, alpha=0.3)
    figure.savefig(OUT, dpi=110)


if __name__ == "__main__":
    main()
