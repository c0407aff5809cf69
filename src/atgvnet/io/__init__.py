"""Files of depth maps and colour images; the only place where 0, NaN, inf or 65535 mean "missing"."""

from atgvnet.io._files import atomic
from atgvnet.io._maps import FORMATS, Format, read, write
from atgvnet.io.image import read_image

__all__ = ["FORMATS", "Format", "atomic", "read", "read_image", "write"]
