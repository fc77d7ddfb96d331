"""The commands, one module each: arguments in, an :class:`Outcome` out. What several of them need stands here: the base
that they ask, the option that names it, colour and width of the terminal, printing, exit codes.
"""

from __future__ import annotations

import functools
import io
import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, ParamSpec

import click
from click.shell_completion import CompletionItem

from flopkb.base.writing import WriteFault
from flopkb.checking.text_report import TextStyle, counted

if TYPE_CHECKING:
    from flopkb.base.loading import LoadedBase
    from flopkb.base.model import Record
    from flopkb.checking.api import Base

P = ParamSpec("P")

RECORDS = click.option(
    "--records",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The base to use (default: the nearest records/ upward, else the installed one).",
)


FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    help="How it is written.",
    show_default=True,
)


def json_text(told: object) -> str:
    """What a command tells programs: JSON, indented, alone on standard output."""
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def completing(what: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """What a shell proposes for an argument: ``ids``, ``formulas``, ``inputs``, ``kinds``, ``facts`` or ``rules``."""

    def complete(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from flopkb.commands.completion import proposals

        return [CompletionItem(text, help=words) for text, words in proposals(what, context.params, incomplete)]

    return complete


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command gives: text for standard output, a message for standard error, the exit code."""

    text: str = ""
    code: int = 0
    error: str = ""


class UsageFault(Exception):
    """The command was called in a way that it cannot answer; the text says what to do. Exit code 2."""


EXTRAS = {
    "citeproc": "documents",
    "jinja2": "documents",
    "latex2mathml": "documents",
    "matplotlib": "plots",
}
"""The extra of the package that brings each library which checking does without (see pyproject.toml)."""


def missing_extra(error: ModuleNotFoundError) -> str | None:
    """The sentence that says which extra brings the library that an import did not find; None for any other module."""
    library = (error.name or "").partition(".")[0]
    extra = EXTRAS.get(library)
    return extra and f"this needs {library}, of the extra {extra}: pip install 'flopkb[{extra}]'"


def needs(*libraries: str) -> None:
    """Raises ModuleNotFoundError for the first library that is not installed: said before a base is read for nothing."""
    for library in libraries:
        if find_spec(library) is None:
            raise ModuleNotFoundError(f"No module named {library!r}", name=library)


def records_folder(records: Path | None) -> Path:
    """The folder of the base: the one named, else the nearest upward, else the installed one."""
    from flopkb.base.pipeline import BaseNotFound, find_records

    try:
        return records if records is not None else find_records(Path.cwd())
    except BaseNotFound as error:
        raise UsageFault(str(error)) from error


DATA_FROM = click.option(
    "--data-from",
    "allowed",
    multiple=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Let documents take data from this folder outside the repository (repeat for several).",
)


def records_beside(records: Path | None, paths: Sequence[Path]) -> Path | None:
    """The folder of the base for a run on some paths: documents are never held to the installed one (None: no base)."""
    from flopkb.base.pipeline import own_records as nearest

    return records if records is not None else nearest(Path.cwd()) or (None if paths else records_folder(None))


def paths_here(records: Path | None) -> tuple[Path, ...]:
    """What is meant where no path is named: the whole base, or, where there is none here, the documents below."""
    from flopkb.base.pipeline import own_records as nearest
    from flopkb.base.pipeline import pages_at

    here = Path.cwd()
    own = records is not None or nearest(here) is not None
    return () if own or next(pages_at(here), None) is None else (Path(),)


def loaded_records(root: Path | None, cwd: Path) -> LoadedBase:
    """The files of a base that commands work on in memory; those of no base where there is none."""
    from flopkb.base.loading import load_base
    from flopkb.base.pipeline import NO_BASE

    if root is None:
        return NO_BASE
    if not root.is_dir():
        raise UsageFault(f"{root} is not a folder" if root.exists() else f"{root} does not exist")
    return load_base(root, cwd)


def own_records(records: Path | None) -> Path:
    """The folder of a base that is there to be written: the one named, else the nearest upward, never the installed one."""
    from flopkb.base.pipeline import is_installed

    folder = records_folder(records)
    if not folder.is_dir():
        raise UsageFault(f"{folder} is not a folder" if folder.exists() else f"{folder} does not exist")
    if is_installed(folder):
        raise UsageFault("there is no records/ here or above: make that folder, or name another with --records DIR")
    return folder


def open_base(records: Path | None) -> Base:
    """The base, or the reason why there is none as a usage fault."""
    from flopkb.base.pipeline import BaseNotFound
    from flopkb.checking.api import load

    try:
        return load(records_folder(records))
    except BaseNotFound as error:
        raise UsageFault(str(error)) from error


def open_for_values(records: Path | None, question: Sequence[str] | None = None) -> Base:
    """The base with nothing computed but what is asked; of a question, the records that its words need."""
    from flopkb.base.pipeline import BaseNotFound
    from flopkb.checking.api import open_for_questions

    try:
        return open_for_questions(records_folder(records), question)
    except BaseNotFound as error:
        raise UsageFault(str(error)) from error


def record_named(name: str, base: Base) -> Record:
    """The record of an id, a name or an alias, or a usage fault that says what could be meant."""
    from flopkb.base.faults import did_you_mean
    from flopkb.base.link.aliases import called
    from flopkb.base.link.names import meant_record

    found = called(name, base.evaluation.kb.scope)
    if len(found) == 1:
        return base.records[found[0]]
    if found:
        raise UsageFault(f"{name} could be {' or '.join(found)}; name one of them")
    if name in base.evaluation.kb.scope.broken:
        raise UsageFault(f"there is no record {name} (a record of that name could not be read: run flopkb check)")
    meant = meant_record(name, base.evaluation.kb.scope)
    raise UsageFault(
        f"there is no record {name}{f'; did you mean {meant}?' if meant else did_you_mean(name, base.records)}"
    )


def names_no_formula(name: str, base: Base) -> str:
    """What to write in place of a record where a formula belongs."""
    from flopkb.base.link.aliases import called_one

    record = base.records.get(called_one(name, base.evaluation.kb.scope))
    if record is None:
        return f"{name} names no record; write RECORD.NAME, as decode_attention.ai"
    from flopkb.base.faults import listed

    names = [*record.formulas, *record.figures]
    if not names:
        return f"{record.id} is a record without formulas; flopkb show {record.id} prints it"
    return f"{record.id} is a record; write {record.id}.NAME with one of {listed(names, 12)}"


def unread(base: Base) -> str:
    """A warning where some records could not be read, so that an answer without them surprises nobody."""
    faults = [d for d in base.evaluation.diagnostics if d.rule in ("yaml", "file", "schema")]
    return (
        f"flopkb: {counted(len(faults), 'fault')} in the files of this base; flopkb check shows them" if faults else ""
    )


def answered(command: Callable[P, Outcome]) -> Callable[P, NoReturn]:
    """Print what a command returns and exit with its code; 2 for what cannot be done, one line and 3 for a bug."""

    @functools.wraps(command)
    def run(*arguments: P.args, **options: P.kwargs) -> NoReturn:
        try:
            with waiting():
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
        print_outcome(outcome.text, outcome.error)
        sys.exit(outcome.code)

    return run


TICK = 1.0
"""So many seconds pass before a command says that it is at work, and between two times that it does."""


@contextmanager
def waiting() -> Iterator[None]:
    """Say on a terminal's standard error which command is at work and for how long, until it is done; elsewhere nothing."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    context = click.get_current_context(silent=True)
    what = f"flopkb {context.info_name if context is not None else ''}"
    done, began = threading.Event(), time.monotonic()

    def tick() -> None:
        while not done.wait(TICK):
            click.echo(f"\r{what} ... {time.monotonic() - began:.0f} s", nl=False, err=True)

    clock = threading.Thread(target=tick, daemon=True)
    clock.start()
    try:
        yield
    finally:
        done.set()
        clock.join()
        if time.monotonic() - began >= TICK:
            click.echo("\r" + " " * (len(what) + 12) + "\r", nl=False, err=True)


def print_outcome(text: str, error: str) -> None:
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
