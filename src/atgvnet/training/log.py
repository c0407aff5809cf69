"""The log of a training: a CSV of what every so many steps cost and gave, and a picture of it."""

import csv
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import numpy as np

__all__ = ["Log", "Row"]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line: `rate` is patches per second, `loss` a mean since the last line, `rmse` the validation's in 0…255."""

    stage: int
    step: int
    steps: int | None
    seconds: float
    seconds_left: float | None
    rate: float
    learning_rate: float
    loss: float
    rmse: float | None


COLUMNS = [field.name for field in fields(Row)]


class Log:
    """Rows appended to a CSV; a resumed training drops those after its checkpoint."""

    def __init__(self, path: Path, keep: tuple[int, int] | None) -> None:
        self.path = path
        kept: list[list[str]] = []
        if keep is not None and path.is_file():
            with path.open(newline="") as file:
                kept = [row for row in list(csv.reader(file))[1:] if (int(row[0]), int(row[1])) <= keep]
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([COLUMNS, *kept])

    def add(self, row: Row) -> None:
        """Append one row."""
        with self.path.open("a", newline="") as file:
            csv.writer(file).writerow(["" if value is None else value for value in astuple(row)])

    def draw(self, picture: Path) -> None:
        """Draw loss and validation error over time."""
        from matplotlib.figure import Figure

        with self.path.open(newline="") as file:
            rows = list(csv.DictReader(file))
        minutes = np.array([float(row["seconds"]) / 60 for row in rows])
        losses = np.array([float(row["loss"]) for row in rows])
        validated = [(time, float(row["rmse"])) for time, row in zip(minutes, rows, strict=True) if row["rmse"]]
        figure = Figure(figsize=(8, 4), layout="constrained")
        axes = figure.subplots()
        axes.plot(minutes, losses, color="0.6", label="loss")
        axes.set(xlabel="minutes", ylabel="loss", yscale="log" if losses.size and losses.min() > 0 else "linear")
        right = axes.twinx()
        right.plot(*np.array(validated).reshape(-1, 2).T, "o-", color="tab:blue", label="validation RMSE")
        right.set_ylabel("validation RMSE (0…255)")
        figure.savefig(picture, dpi=110)
