"""Every exception of the package.

::

    AtgvnetError                something that a caller can mend; the command line prints it and exits 2
    ├── InputError              a value, a map or an option that cannot be used (also a ValueError)
    │   ├── UnitError           an operation that needs another unit or a camera
    │   └── GuideError          a guide image that is missing or does not fit
    ├── FileError               a file that cannot be read or written (also an OSError)
    │   └── FormatError         a file whose content is not what its format promises
    ├── WeightsError            weights that are missing, damaged or made for something else
    └── TrainingError           a training that cannot start or go on

A message says what is wrong, which value it was, and what to do.
"""

__all__ = [
    "AtgvnetError",
    "FileError",
    "FormatError",
    "GuideError",
    "InputError",
    "TrainingError",
    "UnitError",
    "WeightsError",
]


class AtgvnetError(Exception):
    """Root of all errors that the package raises on purpose."""


class InputError(AtgvnetError, ValueError):
    """A value, a map or an option cannot be used."""


class UnitError(InputError):
    """An operation needs another unit, or a camera to convert by."""


class GuideError(InputError):
    """A guide image is missing or does not fit."""


class FileError(AtgvnetError, OSError):
    """A file cannot be read or written."""


class FormatError(FileError):
    """A file's content is not what its format promises."""


class WeightsError(AtgvnetError):
    """Weights are missing, damaged or made for something else."""


class TrainingError(AtgvnetError):
    """A training cannot start or go on."""
