"""What `atgvnet upscale` writes beside the map: confidence, preview, points."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from atgvnet.cli.batch import Job
from atgvnet.errors import InputError

if TYPE_CHECKING:
    from atgvnet.depthmap import DepthMap
    from atgvnet.upscaler import Result

__all__ = ["Extras"]

FULL = 65535


@dataclass(frozen=True, kw_only=True)
class Extras:
    """Files to write for one input; of several inputs, each path is a folder."""

    confidence: Path | None = None
    preview: Path | None = None
    points: Path | None = None
    several: bool = False

    def write(self, before: "DepthMap", result: "Result", job: Job) -> None:
        """Write what is asked for."""
        if self.confidence is not None:
            _write_confidence(result, self._path(self.confidence, job, job.target.suffix))
        if self.preview is not None:
            from atgvnet.report.preview import draw_preview

            draw_preview(before, result.depth, result.edges, self._path(self.preview, job, ".png"))
        if self.points is not None:
            from atgvnet.points import point_cloud, write_ply

            write_ply(point_cloud(result.depth), self._path(self.points, job, ".ply"))

    def _path(self, path: Path, job: Job, suffix: str) -> Path:
        if not self.several:
            return path
        path.mkdir(parents=True, exist_ok=True)
        return path / f"{job.source.stem}{suffix}"


def _write_confidence(result: "Result", path: Path) -> None:
    from atgvnet.depthmap import DepthMap
    from atgvnet.io import write

    if result.confidence is None:
        raise InputError("--confidence: this method knows none; leave --method out or take a network")
    write(DepthMap(result.confidence), path, depth_scale=FULL if path.suffix.lower() == ".png" else None)
