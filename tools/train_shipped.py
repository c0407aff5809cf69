"""Train all that is shipped, in two lanes of one core each: how the files in `src/atgvnet/weights` came to be.

    OMP_NUM_THREADS=1 .venv/bin/python tools/train_shipped.py runs --lane any
    OMP_NUM_THREADS=1 .venv/bin/python tools/train_shipped.py runs --lane ours

Finished trainings are passed over, interrupted ones go on. A training whose start is another's result waits for it.
Most go on from the weights that are shipped already, whose manifests tell what they started from in turn.
The paper's models are compared at equal cost: from one network per benchmark, `paper` goes on with its solver and
`paper-cnn` without, asked for the same minutes; `paper-atgv` then sets its solver on top of the frozen `paper-cnn`.
"""

import argparse
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

from atgvnet import weights
from atgvnet.training.catalogue import recipe as named
from atgvnet.training.log import Row
from atgvnet.training.recipes import Recipe
from atgvnet.training.session import train

SHIPPED = Path(weights.__file__).parent
SEED = 1
AGAIN, GENTLE = 1.2e-3, 1e-3


@dataclass(frozen=True)
class Job:
    """A training: a recipe's name, its minutes, and what it starts from: another one's folder, or shipped weights.

    `only`: one stage of the recipe alone, at a rate of `rate`, since it goes on from what is trained already.
    """

    recipe: str
    minutes: float
    init: str
    only: int | None = None
    rate: float = GENTLE

    @property
    def name(self) -> str:
        """Name of its folder."""
        return self.made().weights_name

    def made(self) -> Recipe:
        """Give the whole recipe."""
        recipe = named(self.recipe)
        if self.only is None:
            return recipe
        stage = replace(recipe.stages[self.only], share=1.0, rate=self.rate, warm_up=100)
        return replace(recipe, stages=(stage,))


def again(recipe: str, minutes: float) -> Job:
    """Go on with one of ours, network and solver together."""
    return Job(recipe, minutes, recipe, only=1, rate=AGAIN)


def paper(benchmark: str, scale: int, minutes: float) -> list[Job]:
    """Go on with the paper's three models for one benchmark."""
    case = f"{benchmark}-x{scale}"
    return [
        Job(f"paper-cpu-{case}", minutes, f"paper-{case}", only=1),
        Job(f"paper-cnn-{case}", minutes, f"paper-cnn-{case}", only=0),
        Job(f"paper-atgv-{case}", max(1.0, minutes / 8), f"paper-cnn-{case}/"),
    ]


LANES = {
    "ours": [
        again("fast-noisy-middlebury-x4", 58),
        Job("fast-noisy-middlebury-x2", 14, "fast-noisy-middlebury-x4/"),
        Job("fast-clean-middlebury-x2", 10, "fast-noisy-middlebury-x2/"),
        Job("fast-noisy-middlebury-x8", 5, "fast-noisy-middlebury-x4/"),
        Job("fast-noisy-middlebury-x16", 7, "fast-noisy-middlebury-x8/"),
        again("fast-clean-middlebury-x4", 12),
    ],
    "any": [
        again("universal-x4", 55),
        Job("universal-x2", 12, "universal-x4/"),
        Job("universal-x8", 6, "universal-x4/"),
        *paper("noisy-middlebury", 4, 8),
        Job("universal-x16", 5, "universal-x8/"),
        *paper("laserscan", 4, 2.5),
        *paper("noisy-middlebury", 2, 3.5),
    ],
}


def result(folder: Path) -> Path | None:
    """Give the weights in a folder, if its training is done: the manifest is written last."""
    return next((path.with_suffix(".safetensors") for path in folder.glob("*-x*.json")), None)


def run(job: Job, runs: Path) -> bool:
    """Run one training, from where it stands; tell whether there was anything left to do."""
    out = runs / job.name
    if result(out):
        return False
    start = SHIPPED / f"{job.init}.safetensors"
    if job.init.endswith("/"):  # another training's folder
        while not (made := result(runs / job.init)):
            time.sleep(5)
        start = made
    train(
        job.made(),
        out,
        minutes=job.minutes,
        seed=SEED,
        resume=(out / "checkpoint.pt").exists(),
        init=str(start),
        watch=tell,
    )
    return True


def tell(row: Row) -> None:
    """Print what validation said."""
    if row.rmse is not None:
        left = f"{(row.seconds_left or 0) / 60:.1f} minutes left"
        print(f"  stage {row.stage + 1}, step {row.step} of {row.steps}: {row.rmse:.3f}, {left}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, help="folder of the trainings")
    parser.add_argument("--lane", choices=LANES, required=True, help="which list to work off")
    parser.add_argument("--job", help="one training of it only")
    options = parser.parse_args()
    for job in LANES[options.lane]:
        if options.job is None:  # each in a process of its own
            print(job.name, flush=True)
            subprocess.run([sys.executable, __file__, *sys.argv[1:], "--job", job.name], check=False)
        elif options.job == job.name:
            trained = run(job, options.runs)
            made = result(options.runs / job.name)
            if trained and made:
                for path in (made, made.with_suffix(".json")):
                    shutil.copy(path, SHIPPED / path.name)


if __name__ == "__main__":
    main()
