"""The training loop: stages of a recipe, checkpoints, validation, one or many processes.

Batch n of a stage is a function of (seed, stage, n), the optimiser's state is in the checkpoint, and so is the
number of steps once it is known: a run that is killed and resumed gives bit for bit what it would have given.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader

from atgvnet.errors import TrainingError
from atgvnet.inference import native_bfloat16
from atgvnet.model import ATGVNet, channels_last
from atgvnet.network import NETWORKS
from atgvnet.solver import Solver
from atgvnet.training.checkpoint import Checkpoint
from atgvnet.training.log import Log, Row
from atgvnet.training.losses import loss
from atgvnet.training.optimiser import clip, make_optimiser
from atgvnet.training.processes import Processes
from atgvnet.training.recipes import Recipe, Stage
from atgvnet.training.schedule import Clock, factor
from atgvnet.training.stream import Batch, Stream
from atgvnet.training.validation import Scores, validate, validation_maps

__all__ = ["Trainer", "build", "ignore"]

AVERAGE_EVERY, AVERAGE_KEEP = 10, 0.95
SAVE_SECONDS, VALIDATE_SECONDS, TELL_EVERY = 60.0, 120.0, 20
ENDLESS = 1_000_000_000


def ignore(row: Row) -> None:
    """Watch nothing."""
    del row


def build(recipe: Recipe) -> ATGVNet:
    """Build the model of a recipe, with a solver if any stage trains one."""
    network = NETWORKS[recipe.network.kind](**{"scale": recipe.data.scale} | recipe.network.options)
    solver = Solver(iterations=recipe.iterations) if any(stage.solver for stage in recipe.stages) else None
    return channels_last(ATGVNet(network, solver))


class Trainer:
    """Trains one recipe into one folder; `watch` sees every row of the log."""

    def __init__(
        self,
        state: Checkpoint,
        out: Path,
        *,
        init: ATGVNet | None = None,
        workers: int = 1,
        watch: Callable[[Row], None] = ignore,
    ) -> None:
        self.state, self.out, self.workers, self.watch = state, out, workers, watch
        self.recipe = Recipe.from_json(state.recipe)
        self.processes = Processes.join()
        torch.manual_seed(state.seed)
        self.model = build(self.recipe)
        if init is not None:
            start_from(self.model, init)
        if state.model:
            self.model.load_state_dict(state.model)
        out.mkdir(parents=True, exist_ok=True)
        self.log = Log(out / "log.csv", keep=(state.stage, state.step))
        self.maps = validation_maps(self.recipe.data)
        self.save_seconds = SAVE_SECONDS

    def run(self) -> Scores:
        """Train the stages that are left; the model then has the averaged weights, whose scores are given."""
        for number in range(self.state.stage, len(self.recipe.stages)):
            self._run_stage(number, self.recipe.stages[number])
            self.state.stage, self.state.step = number + 1, 0
            self._save(self.model)
        if self.processes.first:
            self.log.draw(self.out / "loss.png")
        return self._validate(self.model, self.recipe.stages[-1])

    def _run_stage(self, number: int, stage: Stage) -> None:
        optimiser = make_optimiser(self.model, stage)
        average = AveragedModel(self.model, multi_avg_fn=get_ema_multi_avg_fn(AVERAGE_KEEP))
        if self.state.step:
            average.load_state_dict(self.state.average)
            optimiser.load_state_dict(self.state.optimiser)
        shared = self.processes.share(self.model)
        clock = Clock(self.state, 60 * self.state.minutes * stage.share)
        losses: list[float] = []
        for step, batch in self._batches(number, stage):
            if self.state.steps[number] is None:
                self.state.steps[number] = self.processes.agree(clock.steps())
            steps = self.state.steps[number]
            if steps is not None and step >= steps:
                break
            for group in optimiser.param_groups:
                group["lr"] = group["peak"] * factor(step, steps, stage.warm_up)
            losses.append(self._step(shared, batch, stage, optimiser))
            if step % AVERAGE_EVERY == 0:
                average.update_parameters(self.model)
            self.state.step = step + 1
            clock.tick()
            if clock.due("save", self.save_seconds):
                self._save(self.model, average, optimiser)
            if (step + 1) % TELL_EVERY == 0:
                rmse = self._validate(average.module, stage).rmse if clock.due("validate", VALIDATE_SECONDS) else None
                self._tell(clock, optimiser.param_groups[0]["lr"], sum(losses) / len(losses), rmse)
                losses.clear()
        average.update_parameters(self.model)
        self.model.load_state_dict(average.module.state_dict())

    def _batches(self, number: int, stage: Stage) -> Iterator[tuple[int, Batch]]:
        stream = Stream(
            data=self.recipe.data,
            seed=self.state.seed * len(self.recipe.stages) + number,
            patch=stage.patch,
            batch=stage.batch,
            rank=self.processes.rank,
            world=self.processes.world,
        )
        first = self.state.step
        loader = DataLoader(
            stream,
            batch_size=None,
            sampler=range(first, ENDLESS),
            num_workers=self.workers,
            multiprocessing_context="spawn" if self.workers else None,
            prefetch_factor=4 if self.workers else None,
        )
        return enumerate(loader, first)

    def _step(self, model: nn.Module, batch: Batch, stage: Stage, optimiser: torch.optim.Optimizer) -> float:
        with torch.autocast("cpu", torch.bfloat16, enabled=self._bfloat16(stage)):
            out = model(batch.low, batch.sigma, batch.valid, solve=stage.solver)
        total = loss(out, batch.truth, stage)
        value = float(total.detach())
        if not torch.isfinite(total):
            raise TrainingError(
                f"training: the loss is {value} at step {self.state.step} of stage {self.state.stage}; "
                f"lower the rate and --resume from {self.out}"
            )
        optimiser.zero_grad(set_to_none=True)
        total.backward()
        clip(optimiser, stage)
        optimiser.step()
        return value

    def _bfloat16(self, stage: Stage) -> bool:
        return stage.bfloat16 and native_bfloat16(self.model.device)

    def _validate(self, model: nn.Module, stage: Stage) -> Scores:
        return validate(model, self.maps, bfloat16=self._bfloat16(stage), solve=stage.solver)

    def _save(
        self, model: ATGVNet, average: AveragedModel | None = None, optimiser: torch.optim.Optimizer | None = None
    ) -> None:
        if not self.processes.first:
            return
        self.state.model = model.state_dict()
        self.state.average = {} if average is None else average.state_dict()
        self.state.optimiser = {} if optimiser is None else optimiser.state_dict()
        self.state.save(self.out / "checkpoint.pt")

    def _tell(self, clock: Clock, rate: float, mean_loss: float, rmse: float | None) -> None:
        if not self.processes.first:
            return
        state, stage = self.state, self.recipe.stages[self.state.stage]
        steps = state.steps[state.stage]
        row = Row(
            stage=state.stage,
            step=state.step,
            steps=steps,
            seconds=round(state.seconds, 1),
            seconds_left=None if steps is None else round((steps - state.step) / clock.rate, 1),
            rate=round(clock.rate * stage.batch, 1),
            learning_rate=rate,
            loss=mean_loss,
            rmse=rmse,
        )
        self.log.add(row)
        self.watch(row)


def start_from(model: ATGVNet, init: ATGVNet) -> None:
    """Take over every weight of another model that fits: a further scale starts from another one's body.

    A first layer that sees more than the other's did takes over what there is, and begins by ignoring the rest.
    """
    mine, theirs = model.state_dict(), init.state_dict()
    fitting = {name: _widened(value, mine[name]) for name, value in theirs.items() if name in mine}
    fitting = {name: value for name, value in fitting.items() if mine[name].shape == value.shape}
    if not fitting:
        raise TrainingError("training: nothing of the weights to start from fits this recipe's model")
    model.load_state_dict(fitting, strict=False)


def _widened(kernel: Tensor, wanted: Tensor) -> Tensor:
    missing = wanted.shape[1] - kernel.shape[1] if kernel.ndim == wanted.ndim == 4 else 0
    return functional.pad(kernel, (0, 0, 0, 0, 0, missing)) if missing > 0 else kernel
