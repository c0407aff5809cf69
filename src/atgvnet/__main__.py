"""`python -m atgvnet` is the command `atgvnet`."""

import sys

from atgvnet.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    sys.exit(main())
