"""The stream is a function of its number, a killed training goes on bit for bit, two processes equal one."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from atgvnet.errors import InputError, TrainingError
from atgvnet.resample import imresize
from atgvnet.training import RECIPES
from atgvnet.training.catalogue import recipe
from atgvnet.training.checkpoint import Checkpoint
from atgvnet.training.recipes import Data, Network, Recipe, Stage
from atgvnet.training.schedule import factor
from atgvnet.training.session import train
from atgvnet.training.stream import Stream
from atgvnet.training.trainer import Trainer
from atgvnet.training.validation import validate, validation_maps
from atgvnet.weights import load

DATA = Data(scale=2, sensor="noisy-middlebury", families=("cuboids",), sides=(96, 128), per_map=4)
STAGES = (
    Stage(solver=False, patch=32, batch=8, share=0.5, rate=1e-3, warm_up=2, spread=1e-3),
    Stage(solver=True, patch=32, batch=8, share=0.5, rate=1e-4, solver_rate=1e-3, warm_up=2, optimiser="muon"),
)
TINY = Recipe(
    name="tiny",
    model="tiny",
    benchmark=None,
    network=Network(kind="low", options={"widths": [8, 12], "blocks": [1, 1]}),
    data=DATA,
    stages=STAGES,
    iterations=2,
)


def state(recipe: Recipe = TINY, steps: tuple[int, int] = (6, 4)) -> Checkpoint:
    return Checkpoint(recipe=recipe.to_json(), seed=3, minutes=1.0, steps=list(steps))


def test_a_batch_is_a_function_of_its_number_whoever_makes_it() -> None:
    alone = Stream(data=DATA, seed=1, patch=32, batch=8)
    shares = [Stream(data=DATA, seed=1, patch=32, batch=8, rank=rank, world=2) for rank in range(2)]
    for number in (7, 0, 7):
        together = [torch.cat(layers) for layers in zip(*(share[number] for share in shares), strict=True)]
        for one, other in zip(alone[number], together, strict=True):
            assert torch.equal(one, other)
    assert not torch.equal(alone[0].truth, alone[1].truth)


@pytest.mark.parametrize(
    "name",
    ["fast-x4", "universal-x2", "paper-clean-middlebury-decimated-x4", "fast-laserscan-x4", "paper-tofmark-x1"],
)
def test_every_sensor_s_patches_are_finite_and_not_flat(name: str) -> None:
    data = recipe(name).data
    batch = Stream(data=data, seed=2, patch=32 * data.scale, batch=8)[0]
    for layer in batch:
        assert bool(torch.isfinite(layer).all())
    assert float(batch.truth.std(dim=(1, 2, 3)).min()) > 0.01
    assert batch.truth.shape[-1] == data.scale * batch.low.shape[-1]


def test_recipes_survive_json_and_unknown_ones_are_named() -> None:
    for name in RECIPES:
        assert Recipe.from_json(recipe(name).to_json()) == replace(recipe(name))
    with pytest.raises(InputError, match="fastest"):
        recipe("fastest-x4")
    with pytest.raises(InputError, match="give the JSON"):
        Recipe.from_json("{}")


def test_the_rate_rises_and_falls_to_zero() -> None:
    rates = [factor(step, 100, 10) for step in range(100)]
    assert rates[0] < rates[5] < rates[9] > rates[50] > rates[99] < 1e-3


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return Checkpoint.load(folder / "checkpoint.pt").model


def test_a_training_that_stops_at_any_step_goes_on_bit_for_bit(tmp_path: Path) -> None:
    whole = Trainer(state(), tmp_path / "whole", workers=0)
    whole.run()
    for stop in (2, 7):
        out = tmp_path / f"stopped{stop}"
        stopped = Trainer(state(), out, workers=0)
        done = 0
        take = stopped._step

        def step(*arguments: object, take: object = take, stopped: Trainer = stopped, stop: int = stop) -> float:
            nonlocal done
            if done == stop:
                raise KeyboardInterrupt
            done += 1
            return take(*arguments)  # type: ignore[operator, no-any-return]

        stopped._step = step  # type: ignore[method-assign]
        stopped.save_seconds = 0.0
        with pytest.raises(KeyboardInterrupt):
            stopped.run()
        Trainer(Checkpoint.load(out / "checkpoint.pt"), out, workers=0).run()
        for name, value in weights(tmp_path / "whole").items():
            assert torch.equal(value, weights(out)[name]), name


def test_a_loss_that_is_not_a_number_stops_and_keeps_the_last_checkpoint(tmp_path: Path) -> None:
    trainer = Trainer(state(), tmp_path, workers=0)
    trainer.save_seconds = 0.0
    with torch.no_grad():
        next(trainer.model.network.parameters()).fill_(float("nan"))
    with pytest.raises(TrainingError, match="the loss is nan at step 0"):
        trainer.run()


def test_a_full_disk_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = state()
    kept.save(tmp_path / "checkpoint.pt")
    before = (tmp_path / "checkpoint.pt").read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(torch, "save", full)
    with pytest.raises(TrainingError, match="No space left"):
        kept.save(tmp_path / "checkpoint.pt")
    assert (tmp_path / "checkpoint.pt").read_bytes() == before


def test_resuming_nothing_or_a_broken_checkpoint_is_said(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="no checkpoint"):
        Checkpoint.load(tmp_path / "checkpoint.pt")
    (tmp_path / "checkpoint.pt").write_bytes(b"not a checkpoint")
    with pytest.raises(TrainingError, match="not a checkpoint"):
        Checkpoint.load(tmp_path / "checkpoint.pt")


def test_own_truths_replace_scenes_and_their_holes_are_not_learned(tmp_path: Path) -> None:
    ramp = np.add.outer(np.arange(200.0), np.arange(180.0)).astype(np.float32)
    ramp[50:60, 50:60] = np.nan
    np.save(tmp_path / "ramp.npy", ramp)
    batch = Stream(data=replace(DATA, truths=str(tmp_path)), seed=0, patch=32, batch=4)[0]
    assert bool(torch.isfinite(batch.truth).all())
    with pytest.raises(TrainingError, match="holds no depth map"):
        Stream(data=replace(DATA, truths=str(tmp_path / "none")), seed=0, patch=32, batch=4)[0]


SCRIPT = """
import sys
from pathlib import Path
import torch
sys.path.insert(0, {tests!r})
from test_training import state
from atgvnet.training.trainer import Trainer
torch.set_num_threads(1)
Trainer(state(steps=(6, 4)), Path(sys.argv[1]), workers=0).run()
"""


@pytest.mark.slow
def test_two_processes_follow_the_loss_curve_of_one(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(SCRIPT.format(tests=str(Path(__file__).parent)))
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node"]
    curves = []
    for world in (1, 2):
        out = tmp_path / f"out{world}"
        subprocess.run(
            [*command, str(world), str(script), str(out)], check=True, env=os.environ | {"OMP_NUM_THREADS": "1"}
        )
        curves.append(weights(out))
    for name, value in curves[0].items():
        torch.testing.assert_close(value, curves[1][name], rtol=1e-3, atol=1e-4, msg=name)


@pytest.mark.slow
def test_a_killed_command_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "run"
    path = tmp_path / "recipe.json"
    path.write_text(TINY.to_json())
    command = [sys.executable, "-m", "atgvnet", "train", str(path), "--out", str(out), "--minutes", "1"]
    started = subprocess.Popen(command)
    while not (out / "checkpoint.pt").exists():
        time.sleep(0.5)
        assert started.poll() is None
    started.send_signal(signal.SIGKILL)
    started.wait()
    subprocess.run([*command, "--resume"], check=True)
    assert list(out.glob("*.safetensors"))


@pytest.mark.slow
def test_five_minutes_from_scratch_learn_to_upscale(tmp_path: Path) -> None:
    data = recipe("fast-noisy-middlebury-x4").data
    path = train(recipe("fast-noisy-middlebury-x4"), tmp_path, minutes=5, seed=5)
    maps = validation_maps(data)
    learned = validate(load(str(path), scale=4).model, maps, bfloat16=False).rmse
    squares = [
        ((imresize(batch.low, scale=4, method="bicubic") - batch.truth) ** 2).mean().sqrt().item() for batch in maps
    ]
    interpolated = 255 * float(np.sqrt(np.mean(np.square(squares))))
    assert learned < 0.75 * interpolated, (learned, interpolated)
