"""Files of depth maps and colour images; the only place where 0, NaN, inf or 65535 mean "missing"."""

from atgvnet.io._files import atomic
from atgvnet.io._formats import FORMATS, Format
from atgvnet.io._read import read, read_image
from atgvnet.io._write import write

__all__ = ["FORMATS", "Format", "atomic", "read", "read_image", "write"]
