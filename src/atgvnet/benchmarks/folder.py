"""Any folder of pairs as a benchmark: inputs, their truths, and guides if there are any.

Two layouts are known, with any suffix that `atgvnet.io` reads (guides: any picture):

    DIR/input/NAME.*    DIR/truth/NAME.*    DIR/guide/NAME.*
    DIR/NAME_lr.*       DIR/NAME_hr.*       DIR/NAME_guide.*

Both maps of a pair span the same area, so the sizes tell the scale. The error counts wherever the truth is known;
the noise is estimated from each input.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from atgvnet.benchmarks.case import Benchmark, Case
from atgvnet.depthmap import DepthMap
from atgvnet.errors import InputError
from atgvnet.io import FORMATS, read, read_image

__all__ = ["folder_benchmark"]

_LAYOUT = "give DIR/input/NAME.* and DIR/truth/NAME.*, or DIR/NAME_lr.* and DIR/NAME_hr.* (docs/benchmarks.md)"
_PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".ppm", ".webp")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Pair:
    low: Path
    truth: Path
    guide: Path | None


def folder_benchmark(folder: Path) -> Benchmark:
    """Describe a folder's pairs; what is amiss with their names is told at once."""
    pairs = _pairs(folder)

    def load(_data: Path, _scale: float, scene: str) -> Case:
        return _load(folder.resolve().name, scene, pairs[scene])

    return Benchmark(
        name=folder.resolve().name,
        summary=f"the pairs in {folder}",
        scales=(),
        scenes=tuple(pairs),
        load=load,
        needs_data=False,
    )


def _pairs(folder: Path) -> dict[str, _Pair]:
    if (folder / "input").is_dir() and (folder / "truth").is_dir():
        lows, truths = _maps((folder / "input").iterdir(), ""), _maps((folder / "truth").iterdir(), "")
        guides = _named((folder / "guide").glob("*"), "", _PICTURES)
    else:
        lows, truths = _maps(folder.iterdir(), "_lr"), _maps(folder.iterdir(), "_hr")
        guides = _named(folder.iterdir(), "_guide", _PICTURES)
    if not lows and not truths:
        raise InputError(f"{folder} holds no pairs; {_LAYOUT}")
    if alone := sorted(lows.keys() ^ truths.keys()):
        raise InputError(f"{(lows | truths)[alone[0]]} has no partner; {_LAYOUT}")
    return {name: _Pair(low=lows[name], truth=truths[name], guide=guides.get(name)) for name in sorted(lows)}


def _maps(files: Iterable[Path], ending: str) -> dict[str, Path]:
    return _named(files, ending, tuple(FORMATS))


def _named(files: Iterable[Path], ending: str, suffixes: tuple[str, ...]) -> dict[str, Path]:
    """Give files by scene, the lower-case name without its ending."""
    found: dict[str, Path] = {}
    for file in sorted(files):
        if file.stem.endswith(ending) and file.suffix.lower() in suffixes and not file.name.startswith("."):
            scene = file.stem.removesuffix(ending).lower()
            if scene in found:
                raise InputError(f"{file} and {found[scene]} have the same name; keep one")
            found[scene] = file
    return found


def _load(benchmark: str, scene: str, pair: _Pair) -> Case:
    from atgvnet.noise import estimate

    low, truth = read(pair.low), read(pair.truth)
    if low.unit != truth.unit:
        raise InputError(f"{pair.low} is in {low.unit}, {pair.truth} in {truth.unit}; give both alike")
    return Case(
        benchmark=benchmark,
        scale=_scale(low, truth, pair),
        scene=scene,
        low=low,
        truth=truth,
        size=truth.shape,
        noise=estimate(low.values, low.valid),
        guide=None if pair.guide is None else read_image(pair.guide),
    )


def _scale(low: DepthMap, truth: DepthMap, pair: _Pair) -> float:
    """Give the factor between two sizes, whole if it is one but for a cropped border."""
    down, across = (big / small for big, small in zip(truth.shape, low.shape, strict=True))
    scale = float(np.sqrt(down * across))
    if scale < 1 or not all(abs(side - small * scale) <= max(scale, 1) for side, small in _sides(low, truth)):
        raise InputError(f"{pair.low} is {low.shape}, {pair.truth} {truth.shape}; give one factor of at least 1")
    whole = round(scale)
    is_whole = all(abs(side - small * whole) < whole for side, small in _sides(low, truth))
    return whole if is_whole else round(scale, 2)


def _sides(low: DepthMap, truth: DepthMap) -> Iterable[tuple[int, int]]:
    return zip(truth.shape, low.shape, strict=True)
