"""Where decoders' failures become one typed error that names the file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from atgvnet.errors import AtgvnetError, FormatError
from atgvnet.io._stored import Malformed

__all__ = ["malformed_is_named"]


@contextmanager
def malformed_is_named(path: Path) -> Iterator[None]:
    """Raise `FormatError` for whatever a decoder raises: third parties' know no bounds on damaged files."""
    try:
        yield
    except AtgvnetError:
        raise
    except Exception as error:
        reason = str(error) if isinstance(error, Malformed) else f"it is damaged ({type(error).__name__}: {error})"
        raise FormatError(f"{path}: {' '.join(reason.split())[:300]}") from error
