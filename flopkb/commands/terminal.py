"""What every command shares with a terminal: the option that names the base, colour and width, printing, exit codes."""

from __future__ import annotations

import functools
import io
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, ParamSpec

import click

from flopkb.base.writing import WriteFault
from flopkb.checking.report.text import TextStyle
from flopkb.commands import Outcome, UsageFault, missing_extra

P = ParamSpec("P")

RECORDS = click.option(
    "--records",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The base to use (default: the nearest records/ upward, else the installed one).",
)


def answered(command: Callable[P, Outcome]) -> Callable[P, NoReturn]:
    """Print what a command returns and exit with its code; 2 for what cannot be done, one line and 3 for a bug."""

    @functools.wraps(command)
    def run(*arguments: P.args, **options: P.kwargs) -> NoReturn:
        try:
            outcome = command(*arguments, **options)
        except (UsageFault, WriteFault) as fault:
            click.echo(f"flopkb: {fault}", err=True)
            sys.exit(2)
        except KeyboardInterrupt:
            click.echo("flopkb: interrupted", err=True)
            sys.exit(130)
        except Exception as error:
            lacking = missing_extra(error) if isinstance(error, ModuleNotFoundError) else None
            if lacking:
                click.echo(f"flopkb: {lacking}", err=True)
                sys.exit(2)
            if os.environ.get("FLOPKB_TRACEBACK"):
                raise
            click.echo(
                f"flopkb: a fault of flopkb itself: {type(error).__name__}: {error}; please report it "
                "(FLOPKB_TRACEBACK=1 shows where)",
                err=True,
            )
            sys.exit(3)
        show(outcome.text, outcome.error)
        sys.exit(outcome.code)

    return run


def show(text: str, error: str) -> None:
    """Write text to standard output and an error message to standard error; a closed pipe ends quietly."""
    try:
        if text:
            click.echo(text, nl=not text.endswith("\n"))
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as failed:
        not_written(failed)
    if error:
        click.echo(error, err=True, nl=not error.endswith("\n"))


def not_written(failed: OSError) -> NoReturn:
    """Say that the output could not be written, and exit."""
    click.echo(f"flopkb: the output could not be written: {failed.strerror}", err=True)
    sys.exit(2)


def escape_what_cannot_be_shown() -> None:
    """Characters that the encoding of a stream lacks are written as escapes: no output ends in a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def style() -> TextStyle:
    """How text is printed here: in colour (on a terminal, and not where NO_COLOR is set) or not, and how wide."""
    terminal = sys.stdout is not None and sys.stdout.isatty()  # it may be closed
    colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return TextStyle(colour, shutil.get_terminal_size((80, 24)).columns if terminal else 0)
