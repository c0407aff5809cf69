"""Recipes: everything that decides what a training gives, kept as JSON beside the weights."""

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from atgvnet.errors import InputError

__all__ = ["Data", "Network", "Recipe", "Stage"]


@dataclass(frozen=True, kw_only=True)
class Network:
    """Which network: ``mid`` is the paper's, ``low`` ours; `options` are its constructor's."""

    kind: Literal["mid", "low"]
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Data:
    """What the endless stream yields.

    `families` are drawn evenly (name one twice to see it twice as often); `sensor` is one of `atgvnet.sensors`;
    `value_range` is the truth's in 0…255, drawn within it for the share `random_range` of the maps; `near_large` is
    the share of maps in which near is large; `truth_steps` are the truth's own quantisations; patches flatter than
    `flat` are dropped (facts.md: standard deviation below 5); `per_map` patches are cut from each map, whose side
    is drawn from `sides`. `pinhole` is the share of maps by a pinhole camera, `disparity` the share of those whose
    values are linear in 1/z. `turned`: patches are turned and mirrored, which a sampling with a phase forbids.
    `normalise`: each map by its own range, as `prepare.Range` does it at inference. `truths` is a folder of
    somebody's own depth maps, which then take the place of rendered scenes. `sensor_scale` is the sensor's own factor
    where that is not the network's, as what ToF cameras report is interpolated to the truth's size beforehand.
    `distant` is the share of maps whose background is up to ten times as far as all else; `doubt` how wrong the noise
    level is that the network is told: the standard deviation of its logarithm.
    """

    scale: int
    sensor: str
    families: tuple[str, ...] = ("cuboids", "authors", "thin", "curved", "planes", "stacks", "clutter", "clutter")
    value_range: tuple[float, float] = (70.0, 218.0)
    random_range: float = 0.5
    near_large: float = 0.75
    truth_steps: tuple[float, ...] = (1.0,)
    flat: float = 5.0
    per_map: int = 8
    sides: tuple[int, int] = (256, 640)
    pinhole: float = 0.7
    disparity: float = 0.7
    turned: bool = True
    normalise: bool = False
    truths: str | None = None
    sensor_scale: int | None = None
    distant: float = 0.0
    doubt: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Stage:
    """One stage of training.

    `patch` is the truth's side; `share` the part of the time there is; `edges` and `spread` weigh the losses on h
    and on the predicted error beside the squared error of g (or, with the solver, of u); `balanced` gives each patch
    the same say, however hard it is; `bfloat16` is for machines that multiply such numbers natively.
    """

    solver: bool
    patch: int
    batch: int
    share: float
    rate: float
    solver_rate: float = 0.0
    network_frozen: bool = False
    optimiser: Literal["muon", "adamw", "sgd"] = "adamw"
    momentum: float = 0.9
    warm_up: int = 200
    clip_norm: float | None = 0.1
    clip_value: float | None = None
    edges: float = 1.0
    spread: float = 0.0
    balanced: bool = False
    bfloat16: bool = True


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A whole training. `model` and `benchmark` name the weights that it makes; `init` those that it starts from."""

    name: str
    model: str
    benchmark: str | None
    network: Network
    data: Data
    stages: tuple[Stage, ...]
    iterations: int = 10
    minutes: float = 30.0
    init: str | None = None

    @property
    def weights_name(self) -> str:
        """Stem of the files of the weights."""
        return "-".join([self.model, *([self.benchmark] if self.benchmark else []), f"x{self.data.scale}"])

    def to_json(self) -> str:
        """Write what `from_json` reads."""
        return json.dumps(asdict(self), indent=1)

    @classmethod
    def from_json(cls, text: str) -> "Recipe":
        """Read a recipe."""
        try:
            raw = json.loads(text)
            data: dict[str, Any] = {
                key: tuple(value) if isinstance(value, list) else value for key, value in raw.pop("data").items()
            }
            stages = tuple(Stage(**stage) for stage in raw.pop("stages"))
            return cls(**raw | {"network": Network(**raw["network"]), "data": Data(**data), "stages": stages})
        except (KeyError, TypeError, json.JSONDecodeError) as error:
            raise InputError(f"recipe: {error}; give the JSON that Recipe.to_json writes") from error
