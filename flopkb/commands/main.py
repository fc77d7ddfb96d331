"""The command line: parses arguments, calls a command, prints its text, exits with its code (the only click import).

Each command's work is in ``flopkb.commands``, imported when it runs, so that ``flopkb --help`` starts fast.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import click

from flopkb import __version__

_RECORDS = click.option(
    "--records",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The base to use (default: the nearest records/ upward, else the installed one).",
)


def run(command: Callable[[], Any]) -> NoReturn:
    """Print what a command returns and exit with its code; a bug becomes one line and exit code 3."""
    from flopkb.commands import Outcome, UsageFault

    try:
        outcome: Outcome = command()
    except UsageFault as fault:
        click.echo(f"flopkb: {fault}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        click.echo("flopkb: interrupted", err=True)
        sys.exit(130)
    except Exception as error:
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


class Commands(click.Group):
    """The commands of flopkb: a page of help that cannot be written ends as any other output does."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command that the arguments name."""
        try:
            return super().main(*args, **extra)
        except OSError as failed:
            not_written(failed)


def wants_colour() -> bool:
    """Colour only on a terminal, and not where NO_COLOR is set."""
    return on_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def on_terminal() -> bool:
    """Whether standard output is a terminal (it may be closed)."""
    return sys.stdout is not None and sys.stdout.isatty()


def escape_what_cannot_be_shown() -> None:
    """Characters that the encoding of a stream lacks are written as escapes: no output ends in a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def terminal_width() -> int:
    """The width of the terminal, or 0 where there is none."""
    return shutil.get_terminal_size((80, 24)).columns if on_terminal() else 0


def style() -> Any:
    """How text is printed here: in colour or not, and how wide."""
    from flopkb.checking.report.text import Style

    return Style(wants_colour(), terminal_width())


def print_page(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print docs/cli.md, if ``--markdown`` asks for it."""
    if wanted:
        from flopkb.commands.cli_page import cli_page

        click.echo(cli_page(main, context), nl=False)
        context.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="flopkb")
@click.option("--markdown", is_flag=True, is_eager=True, expose_value=False, hidden=True, callback=print_page)
def main() -> None:
    """A knowledge base of what LLM inference costs, in which no number can rot."""
    escape_what_cannot_be_shown()


@main.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@_RECORDS
@click.option("--format", "form", type=click.Choice(["text", "json", "github", "sarif", "junit"]), default="text")
@click.option("--select", multiple=True, metavar="RULE", help="Run only this rule (repeat for several).")
@click.option("--ignore", multiple=True, metavar="RULE", help="Leave this rule out (repeat for several).")
@click.option("--fail-on", type=click.Choice(["error", "warning"]), default="error", help="What makes the exit code 1.")
@click.option("--claims", type=click.Choice(["usual", "thorough"]), default="usual", help="How hard claims are tried.")
@click.option("--no-claims", is_flag=True, help="Leave claims undecided (the last line says so).")
@click.option("--since", metavar="REV", help="Report only what is new against this revision.")
def check(**options: Any) -> None:
    """Recompute every figure and run every rule.

    PATHs narrow what is reported: records, folders of records.

    Exit code: 0 clean or warnings only, 1 findings, 2 usage or an unreadable base, 3 a fault of flopkb itself.
    """
    from flopkb.commands.check import CheckOptions, check_command

    run(lambda: check_command(CheckOptions(style=style(), **options)))


@main.command()
@click.argument("rule", required=False, metavar="[RULE]")
@click.option("--markdown", is_flag=True, help="All pages as one Markdown document (docs/rules.md).")
def rules(rule: str | None, markdown: bool) -> None:
    """List the rules, or print the documentation of one with a failing and a passing example."""
    from flopkb.commands.rules import rules_command

    run(lambda: rules_command(rule, markdown=markdown))


@main.command(name="show")
@click.argument("id", metavar="ID")
@_RECORDS
def show_record(id: str, records: Path | None) -> None:
    """Show a record for a person: its prose, its values, its figures with what they are now."""
    from flopkb.commands.show import show_command

    run(lambda: show_command(id, records))


@main.command()
@click.argument("figure", metavar="FIGURE")
@_RECORDS
def explain(figure: str, records: Path | None) -> None:
    """Explain a figure: formula, inputs, steps, sources, and every place that quotes it.

    FIGURE is record.name, or a link target such as 'decode_attention.ai?model=llama_3_8b&kv_dtype=bf16'.
    """
    from flopkb.commands.explain import explain_command

    run(lambda: explain_command(figure, records))


@main.command(name="eval")
@click.argument("formula", metavar="FORMULA")
@click.argument("inputs", nargs=-1, metavar="[NAME=VALUE]...")
@_RECORDS
def evaluate(formula: str, inputs: tuple[str, ...], records: Path | None) -> None:
    """Evaluate a formula: value and unit first, then what it was computed from.

    Inputs are record ids for roles (model=llama_3_8b), numbers with units ("L=32768"), or names of points.
    """
    from flopkb.commands.evaluate import eval_command

    run(lambda: eval_command(formula, inputs, records))


@main.command(name="list")
@click.argument("kind", metavar="KIND")
@click.option(
    "--where", "conditions", multiple=True, metavar="FIELD=VALUE", help="Only records whose field is (or holds) VALUE."
)
@_RECORDS
def list_records(kind: str, conditions: tuple[str, ...], records: Path | None) -> None:
    """List the records of a kind: workload_class, formula, accelerator, model, dtype, source."""
    from flopkb.commands.list import list_command

    run(lambda: list_command(kind, conditions, records))


@main.command()
@click.argument("revisions", nargs=-1, required=True, metavar="REV [REV]")
@click.option("--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True)
@_RECORDS
def diff(revisions: tuple[str, ...], form: str, records: Path | None) -> None:
    """Show what a change moves: records, values, figures with every quote of them, claims, findings.

    Compares REV with the work tree, or with a second REV. The work tree is not touched.

    Exit code: 0, or 1 where an id is gone that others used.
    """
    from flopkb.commands import UsageFault
    from flopkb.commands.diff import diff_command

    def command() -> Any:
        if len(revisions) > 2:
            raise UsageFault("diff takes one or two revisions")
        return diff_command(revisions, records, form, style())

    run(command)


@main.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@_RECORDS
@click.option("--diff", is_flag=True, help="Show a unified diff; write nothing.")
@click.option(
    "--check", "only_check", is_flag=True, help="Only say what is stale; write nothing, exit 1 if anything is."
)
def fix(paths: tuple[Path, ...], **options: Any) -> None:
    """Rewrite stale numbers to the recomputed value, in the form in which they are written.

    PATHs are records, folders of records, Markdown documents; without any, the whole base is mended. A range, a bound,
    a word or a sign that no longer holds is reported, not rewritten.

    Exit code: 0 nothing is left, 1 findings are left, 2 usage, or a file that could not be written.
    """
    from flopkb.commands.fix import FixOptions, fix_command

    run(lambda: fix_command(FixOptions(paths, style=style(), **options)))


@main.command()
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Run only N mutants, chosen by the seed.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--min", "least", default="", metavar="GROUP=SHARE,...", help="Exit 1 below, as quotes=1,formulas=0.95,claims=0.9."
)
@_RECORDS
def mutate(sample: int | None, seed: int, least: str, records: Path | None) -> None:
    """Measure how many slips the checks catch: changed digits, operators, symbols and claims."""
    from flopkb.commands.mutate import mutate_command

    run(lambda: mutate_command(records, sample, seed, least))


@main.command()
@click.argument("fact", metavar="FACT")
@click.option("--set", "new", metavar="VALUE", help="Suppose another value and show what it would move and break.")
@_RECORDS
def impact(fact: str, new: str | None, records: Path | None) -> None:
    """Show what depends on a recorded value, as nvidia_h100_sxm.memory_bandwidth. Nothing is written."""
    from flopkb.commands.impact import impact_command

    run(lambda: impact_command(fact, new, records, style()))


@main.command()
@click.argument("record", metavar="RECORD")
@_RECORDS
@click.option("--write", is_flag=True, help="Put in the links that are clear.")
def link(record: str, **options: Any) -> None:
    """Propose what each bare number of a record could quote: figures, facts, inputs, formulas, best first.

    RECORD is an id or a file. Those marked with * are clear; --write puts them in.

    Exit code: 0, or 2 usage, or a file that could not be written.
    """
    from flopkb.commands.link import LinkOptions, link_command

    run(lambda: link_command(LinkOptions(record, style=style(), **options)))


@main.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@_RECORDS
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit 1 if a file is not in the usual form.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change as a unified diff.")
@click.option("--drop-hints", is_flag=True, help="Also take out the hints that new wrote, and the fields left unused.")
def fmt(paths: tuple[Path, ...], **options: Any) -> None:
    """Bring records into the usual form: order of keys, wrapping, style of numbers, blanks. The meaning never changes.

    PATHs are records and folders of records (default: the base). Comments, quotes, digits and | blocks stay as they are.

    Exit code: 0, 1 a file that cannot be read (with --check: or is not in the usual form), 2 usage, or a failed write.
    """
    from flopkb.commands.fmt import FmtOptions, fmt_command

    run(lambda: fmt_command(FmtOptions(paths, style=style(), **options)))


@main.command()
@click.argument("kind", metavar="KIND")
@click.argument("id", metavar="ID")
@click.option("--source", "sources", multiple=True, metavar="ID", help="A source of the record (repeat for several).")
@_RECORDS
def new(kind: str, id: str, sources: tuple[str, ...], records: Path | None) -> None:
    """Begin a record: a file in the folder of its kind, with every field in order and a hint on each.

    KIND is workload_class, formula, accelerator, model, dtype or source. What is left blank is reported by check, with
    what goes there, until it is filled in. A file that exists is never touched.

    Exit code: 0, or 2 usage, or a file that could not be written.
    """
    from flopkb.commands.new import NewOptions, new_command

    run(lambda: new_command(NewOptions(kind, id, sources, records)))


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--only", multiple=True, metavar="VERDICT", help="Only equations that are ok, truncated, ambiguous or wrong."
)
def scan(files: tuple[Path, ...], **options: Any) -> None:
    """Recompute the arithmetic in any text: Markdown, HTML, LaTeX, plain text. No base is needed.

    FILEs may be folders; - is standard input. A comment "flopkb: ignore" beside an equation silences it.

    Exit code: 0, or 1 if any equation is wrong, 2 usage.
    """
    from flopkb.commands.scan import ScanOptions, scan_command

    run(lambda: scan_command(ScanOptions(files, style=style(), **options)))


@main.command()
@click.argument("form", metavar="FORMAT")
@click.option(
    "--output",
    required=True,
    metavar="PATH",
    help="The file, or the folder for csv, markdown and html; - prints a text.",
)
@_RECORDS
def export(form: str, output: str, records: Path | None) -> None:
    """Write the whole base as data or as a site.

    FORMAT is json, jsonl, csv, sqlite, markdown, html, latex or bibtex. What lies at PATH is replaced only if it is an
    earlier export.
    """
    from flopkb.commands.export import export_command

    run(lambda: export_command(form, output, records))


@main.command()
@click.argument("template", type=click.Path(path_type=Path), metavar="TEMPLATE")
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), metavar="FILE", help="The file to write."
)
@click.option(
    "--format", "form", type=click.Choice(["html", "markdown", "latex"]), help="By default that of FILE's ending."
)
@click.option(
    "--check", "only_check", is_flag=True, help="Only say whether FILE is current; write nothing, exit 1 if not."
)
@_RECORDS
def render(template: Path, output: Path, **options: Any) -> None:
    """Render a document in Markdown with the base at hand to HTML, Markdown or LaTeX.

    Nothing is written unless every figure, citation and cross-reference is right and no number is typed.
    docs/writing_documents.md tells how templates are written.

    Exit code: 0 written, 1 faults in the template, 2 usage, or a file that could not be written.
    """
    from flopkb.commands.render import RenderOptions, render_command

    run(lambda: render_command(RenderOptions(template, output, style=style(), **options)))


@main.command()
@click.argument("kind", metavar="KIND")
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), metavar="FILE", help="An .svg, .png or .pdf."
)
@click.option("--format", "form", type=click.Choice(["svg", "png", "pdf"]), help="By default that of FILE's ending.")
@click.option(
    "--data", type=click.Path(path_type=Path), metavar="FILE", help="Also write the values behind the plot, as CSV."
)
@click.option("--part", "parts", multiple=True, metavar="ID", help="An accelerator (repeat for several).")
@click.option("--precision", "precisions", multiple=True, metavar="ID", help="A number format of the arithmetic.")
@click.option("--model", "models", multiple=True, metavar="ID", help="A model.")
@click.option("--kv-dtype", metavar="ID", help="Number format of the KV cache.")
@click.option("--weight-dtype", metavar="ID", help="Number format of the weights.")
@click.option("--batch", "batches", multiple=True, metavar="N", help="A batch size (intensity: up to N).")
@click.option(
    "--context", "contexts", multiple=True, metavar="N", help="A context length (kv-cache, step-time: up to N)."
)
@click.option("--at", "at", multiple=True, metavar="[LABEL=]TARGET", help="roofline: a workload class with its inputs.")
@click.option("--title", metavar="TEXT", help="The title of the caption.")
@_RECORDS
def plot(kind: str, output: Path, form: str | None, data: Path | None, records: Path | None, **options: Any) -> None:
    """Plot the base: KIND is roofline, intensity, kv-cache or step-time.

    A workload class is named as in a link, with its operating point:
    --at "one sequence=decode_gemm.intensity?bf16&m=4096&n=4096&b=1"
    """
    from flopkb.commands.plot import PlotOptions, labelled, plot_command

    given = {**options, "at": labelled(options["at"])}
    run(lambda: plot_command(PlotOptions(kind, output, data, records, form, given)))
