"""The command line: one file per command, whose `run` takes arguments, calls the library and prints.

The first paragraph of `run`'s docstring is the command's help. At the top of these files nothing is imported but
Typer and the standard library, so that `atgvnet --help` and shell completion answer at once.
"""

import sys
from collections.abc import Sequence
from importlib import import_module

import typer

from atgvnet.errors import AtgvnetError

__all__ = ["COMMANDS", "main"]

COMMANDS = ("upscale", "evaluate", "compare", "render", "degrade", "calibrate", "train", "list", "info")
FAILED = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit status; what goes wrong is one line on stderr."""
    try:
        status = typer.main.get_command(_build()).main(arguments, prog_name="atgvnet", standalone_mode=False)
    except typer.TyperException as error:
        return _complain(f"{error.format_message().rstrip('.')}. See atgvnet --help.", FAILED)
    except (AtgvnetError, OSError) as error:
        return _complain(str(error), FAILED)
    except (MemoryError, RecursionError) as error:
        return _complain(f"{type(error).__name__}: {error}; try a smaller map", FAILED)
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", INTERRUPTED)
    return status if isinstance(status, int) else 0


def _build() -> typer.Typer:
    app = typer.Typer(
        help="Accurate depth super-resolution: small, noisy depth maps in, sharp ones out, from the depth alone.",
        epilog="Example: atgvnet upscale tof.png -o tof_x4.png --scale 4",
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    for name in COMMANDS:
        module = import_module(f"atgvnet.cli.{name}")
        app.command(name, epilog=f"Example: {module.EXAMPLE}")(module.run)
    return app


def _complain(message: str, status: int) -> int:
    print("atgvnet:", " ".join(message.split()), file=sys.stderr)
    return status
