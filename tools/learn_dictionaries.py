"""Learn the dictionaries that `zeyde`, `timofte`, `ferstl-2015` and `aodha` look things up in.

    .venv/bin/python tools/learn_dictionaries.py [--out FOLDER] [--only NAME]...

Everything is learned from this project's own synthetic scenes; nothing is downloaded. The same command gives the
same files, up to the rounding of the linear algebra library. It takes minutes on two cores.
"""

import argparse
import logging
from pathlib import Path

import numpy as np

from atgvnet.training.dictionaries import LEARNERS, Recipe

SHIPPED = Path(__file__).parents[1] / "src" / "atgvnet" / "methods" / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=SHIPPED, help="folder of the files")
    parser.add_argument("--only", action="append", choices=sorted(LEARNERS), help="file to learn; repeat for several")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.only or LEARNERS:
        logging.info("%s", name)
        arrays = LEARNERS[name](Recipe(), lambda line: logging.info("  %s", line))
        np.savez_compressed(options.out / f"{name}.npz", **arrays)


if __name__ == "__main__":
    main()
