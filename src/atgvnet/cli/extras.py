"""What `atgvnet upscale` writes beside the map: confidence, preview, points."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from atgvnet.cli.batch import Job, make_folder, refuse_existing
from atgvnet.errors import InputError

if TYPE_CHECKING:
    from atgvnet.depthmap import DepthMap
    from atgvnet.upscaler import Result

__all__ = ["Extras"]

FULL = 65535


@dataclass(frozen=True, kw_only=True)
class Extras:
    """Files to write for one input; of several inputs, or where it is one already, each path is a folder."""

    confidence: Path | None = None
    preview: Path | None = None
    points: Path | None = None
    several: bool = False

    def check(self, jobs: Sequence[Job], suffixes: Collection[str], *, overwrite: bool) -> None:
        """Raise an error, before anything is computed, if these files could not be what they are called."""
        named = {"--confidence": (self.confidence, suffixes), "--preview": (self.preview, [".png"])}
        for option, (path, allowed) in (named | {"--points": (self.points, [".ply"])}).items():
            if path is not None and self._one(path) and path.suffix.lower() not in allowed:
                raise InputError(f"{option} is {path}; give a name that ends in {', '.join(sorted(allowed))}")
            if path is not None and not self._one(path) and path.is_file():
                raise InputError(f"{option} is {path}, which is a file; for several inputs give a folder")
        taken = {path.resolve() for job in jobs for path in (job.source, job.target)}
        paths = [path for job in jobs for path in self.paths(job).values()]
        for path in paths:
            if path.resolve() in taken:
                raise InputError(f"{path} would be written twice, or over an input; give another name")
            taken.add(path.resolve())
        if not overwrite:
            refuse_existing(paths)

    def paths(self, job: Job) -> dict[str, Path]:
        """Give the files for one input, by what they hold."""
        wanted = {"confidence": (self.confidence, job.target.suffix), "preview": (self.preview, ".png")}
        return {
            name: path if self._one(path) else path / f"{job.source.stem}{suffix}"
            for name, (path, suffix) in (wanted | {"points": (self.points, ".ply")}).items()
            if path is not None
        }

    def _one(self, path: Path) -> bool:
        return not (self.several or path.is_dir())

    def write(self, before: "DepthMap", result: "Result", job: Job) -> None:
        """Write what is asked for."""
        paths = self.paths(job)
        for path in paths.values():
            make_folder(path.parent)
        if "confidence" in paths:
            _write_confidence(result, paths["confidence"])
        if "preview" in paths:
            from atgvnet.report.preview import draw_preview

            draw_preview(before, result.depth, result.edges, paths["preview"])
        if "points" in paths:
            from atgvnet.points import point_cloud, write_ply

            write_ply(point_cloud(result.depth), paths["points"])


def _write_confidence(result: "Result", path: Path) -> None:
    from atgvnet.depthmap import DepthMap
    from atgvnet.io import write

    if result.confidence is None:
        raise InputError("--confidence: this method knows none; leave --method out or take a network")
    if path.suffix.lower() == ".png":
        write(DepthMap(result.confidence), path, depth_scale=FULL, invalid=math.nan)  # 0 is a confidence
    else:
        write(DepthMap(result.confidence), path)
