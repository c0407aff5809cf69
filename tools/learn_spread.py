"""Learn how far trained weights err, without touching what they give: the spread behind `--confidence`.

    .venv/bin/python tools/learn_spread.py universal --scale 4 --out runs/universal

Reads weights by name, folder or file, and writes them with another spread and its factor. Minutes on one core.
"""

import argparse
import json
from pathlib import Path

from rich.progress import track

from atgvnet.training.recipes import Recipe
from atgvnet.training.spread import learn_spread, sample
from atgvnet.weights import load, save


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="name, folder or file of weights")
    parser.add_argument("--scale", type=int, default=4, help="their factor")
    parser.add_argument("--out", type=Path, required=True, help="folder of the new weights")
    parser.add_argument("--maps", type=int, default=400, help="synthetic maps to learn from")
    parser.add_argument("--steps", type=int, default=2000, help="steps of the optimiser")
    options = parser.parse_args()
    loaded = load(options.model, scale=options.scale)
    data = Recipe.from_json(json.dumps(loaded.manifest.recipe)).data
    samples = [sample(loaded.model, data, number) for number in track(range(options.maps), "maps")]
    learned = learn_spread(loaded, samples, steps=options.steps)
    options.out.mkdir(parents=True, exist_ok=True)
    path = save(learned.model, learned.manifest, options.out)
    print(f"{path}: 68 % of the errors are below {learned.manifest.spread_factor:.3f} of what was learned")


if __name__ == "__main__":
    main()
