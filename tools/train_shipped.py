"""Train all that is shipped, in two lanes of one core each: how the files in `src/atgvnet/weights` came to be.

    OMP_NUM_THREADS=1 .venv/bin/python tools/train_shipped.py runs --lane paper
    OMP_NUM_THREADS=1 .venv/bin/python tools/train_shipped.py runs --lane ours

Finished trainings are passed over, interrupted ones go on. A training whose start is another's result waits for it.
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
GENTLE = 5e-4


@dataclass(frozen=True)
class Job:
    """A training: a recipe's name, its minutes, the folder it starts from, its own where it is not the weights' name.

    `only`: one stage of the recipe alone, with a gentle rate, since it goes on from what is trained already.
    """

    recipe: str
    minutes: float
    init: str | None = None
    folder: str | None = None
    only: int | None = None
    ship: bool = True

    @property
    def name(self) -> str:
        """Name of its folder."""
        return self.folder or self.made().weights_name

    def made(self) -> Recipe:
        """Give the whole recipe."""
        recipe = named(self.recipe)
        if self.only is None:
            return recipe
        stage = replace(recipe.stages[self.only], share=1.0, rate=GENTLE, warm_up=50)
        return replace(recipe, stages=(stage,))


def paper(benchmark: str, scale: int, start: str | None, first: float, second: float) -> list[Job]:
    """Give the paper's three models for one benchmark, from the network `start`."""
    case = f"{benchmark}-x{scale}"
    base = f"paper-{case}-base"
    return [
        Job(f"paper-cnn-{case}", first, start, folder=base, ship=False),
        Job(f"paper-cpu-{case}", second, base, only=1),
        Job(f"paper-cnn-{case}", second, base, only=0),
        Job(f"paper-atgv-{case}", max(0.7, second / 4), f"paper-cnn-{case}"),
    ]


PAPER_START = "paper-noisy-middlebury-x4-base"
LANES = {
    "paper": [
        *paper("noisy-middlebury", 4, None, 24, 11),
        *paper("noisy-middlebury", 2, PAPER_START, 5, 3.5),
        *paper("clean-middlebury", 4, PAPER_START, 3, 1.7),
        *paper("clean-middlebury", 2, PAPER_START, 3, 1.7),
        *paper("laserscan", 4, PAPER_START, 2, 1.2),
        *paper("clean-middlebury-decimated", 4, "paper-clean-middlebury-x4-base", 2, 1.2),
        *paper("clean-middlebury-decimated", 2, "paper-clean-middlebury-x2-base", 2, 1.2),
        *paper("tofmark", 1, PAPER_START, 2, 1.2),
        Job("fast-clean-middlebury-x2", 3, "fast-noisy-middlebury-x2"),
    ],
    "ours": [
        Job("fast-noisy-middlebury-x4", 40),
        Job("universal-x4", 40, "fast-noisy-middlebury-x4"),
        Job("universal-x2", 7, "universal-x4"),
        Job("universal-x8", 7, "universal-x4"),
        Job("fast-noisy-middlebury-x2", 6, "fast-noisy-middlebury-x4"),
        Job("fast-noisy-middlebury-x8", 5, "fast-noisy-middlebury-x4"),
        Job("fast-clean-middlebury-x4", 5, "fast-noisy-middlebury-x4"),
        Job("universal-x16", 3.5, "universal-x8"),
        Job("fast-noisy-middlebury-x16", 2.5, "fast-noisy-middlebury-x8"),
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
    start = runs / job.init if job.init else None
    while start and not result(start):
        time.sleep(5)
    train(
        job.made(),
        out,
        minutes=job.minutes,
        seed=SEED,
        resume=(out / "checkpoint.pt").exists(),
        init=str(result(start)) if start else None,
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
            if job.ship and trained and made:
                for path in (made, made.with_suffix(".json")):
                    shutil.copy(path, SHIPPED / path.name)


if __name__ == "__main__":
    main()
