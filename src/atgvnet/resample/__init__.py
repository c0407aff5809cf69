"""Every up- and downsampling, and the one pixel-centre rule: MATLAB's `imresize`, and the filling of holes."""

from atgvnet.resample._fill import fill, resize_and_fill
from atgvnet.resample._imresize import imresize
from atgvnet.resample._taps import Interpolation

__all__ = ["Interpolation", "fill", "imresize", "resize_and_fill"]
