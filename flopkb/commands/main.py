"""The command line: names every command and loads the one that is asked for.

Each command is a module of ``flopkb.commands``, its options beside its work. It is imported when it runs, so that
``flopkb --help`` starts fast: what that prints of each stands here.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from typing import Any

import click

from flopkb import __version__
from flopkb.commands import escape_what_cannot_be_shown, not_written

SUMMARIES = {
    "check": "Recompute every figure and run every rule.",
    "rules": "List the rules, or print the documentation of one with a failing and a passing example.",
    "show": "Show a record for a person: its prose, its values, its figures with what they are now.",
    "explain": "Explain a figure: formula, inputs, steps, sources, and every place that quotes it.",
    "eval": "Evaluate a formula: the value first, then what it was computed for and what it assumes.",
    "solve": "Turn a formula around: the input at which it reaches a value, or at which two formulas meet.",
    "list": "List the records of a kind: workload_class, formula, vocabulary, accelerator, interconnect, model, dtype, source.",
    "diff": "Show what a change moves: records, values, figures with every quote of them, claims, findings.",
    "fix": "Rewrite stale numbers to the recomputed value, in the form in which they are written.",
    "mutate": "Measure how many slips the checks catch: changed digits, operators, symbols and claims.",
    "impact": "Show what depends on a recorded value, as nvidia_h100_sxm.memory_bandwidth. Nothing is written.",
    "link": "Propose what each bare number of a record could quote: figures, facts, inputs, formulas, best first.",
    "track": "Propose the first links of a document: where its numbers stand in data files.",
    "fmt": "Bring records into the usual form: order of keys, wrapping, style of numbers, blanks. The meaning never changes.",
    "new": "Begin a record: a file in the folder of its kind, with every field in order and a hint on each.",
    "import": "Make the record of a model from the config.json that it is published with, or bring one up to date.",
    "scan": "Recompute the arithmetic in any text: Markdown, notebooks, LaTeX, HTML, plain text. No base is needed.",
    "export": "Write the whole base as data or as a site.",
    "render": "Render a document in Markdown with the base at hand to HTML, Markdown or LaTeX.",
    "plot": "Plot any formula over any of its inputs, or one of four views of the base.",
}
"""The commands in the order of docs/cli.md, with the first sentences of their help."""


def loaded(name: str) -> click.Command:
    """A command by its name; KeyError where there is none."""
    match name:
        case "check":
            from flopkb.commands.check import command
        case "rules":
            from flopkb.commands.rules import command
        case "show":
            from flopkb.commands.show import command
        case "explain":
            from flopkb.commands.explain import explain as command
        case "eval":
            from flopkb.commands.eval import evaluate as command
        case "solve":
            from flopkb.commands.solve import command
        case "list":
            from flopkb.commands.list import command
        case "diff":
            from flopkb.commands.diff import command
        case "fix":
            from flopkb.commands.fix import command
        case "mutate":
            from flopkb.commands.mutate import command
        case "impact":
            from flopkb.commands.impact import command
        case "link":
            from flopkb.commands.link import command
        case "track":
            from flopkb.commands.track import command
        case "fmt":
            from flopkb.commands.fmt import command
        case "new":
            from flopkb.commands.new import command
        case "import":
            from flopkb.commands.import_config import command
        case "scan":
            from flopkb.commands.scan import command
        case "export":
            from flopkb.commands.export import command
        case "render":
            from flopkb.commands.render import command
        case "plot":
            from flopkb.commands.plot import command
        case _:
            raise KeyError(name)
    return command


class Commands(click.Group):
    """The commands of flopkb: a page of help that cannot be written ends as any other output does."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command that the arguments name."""
        try:
            return super().main(*args, **extra)
        except OSError as failed:
            not_written(failed)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names, imported; in ``commands`` stand only names and summaries."""
        name, known, rest = super().resolve_command(ctx, args)
        return name, loaded(name) if name and known else None, rest


_PAGE_HEAD = """\
# Commands

Every command takes the base from `--records DIR`, else from the nearest `records/` in the working folder or above it, else
the one that flopkb was installed with. Findings go to standard output, what went wrong with the call to standard error.
Colour is used on terminals alone, and not where `NO_COLOR` is set.

This page is made from the commands themselves, by `make docs`.
"""


def cli_page(commands: Mapping[str, click.Command], context: click.Context) -> str:
    """The whole page on the commands, in their order; ``context`` is that of their group."""
    contents = [f"- [`{name}`](#flopkb-{name}): {_paragraphs(command)[0]}" for name, command in commands.items()]
    sections = [line for name, command in commands.items() for line in _section(name, command, context)]
    return "\n".join([_PAGE_HEAD, *contents, *sections]) + "\n"


def _section(name: str, command: click.Command, parent: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    yield from ("", f"## flopkb {name}", "", "```text", f"flopkb {usage}", "```")
    for paragraph in _paragraphs(command):
        yield from ("", paragraph)
    options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    if options:
        yield from ("", *(_row(option, context) for option in options))


def _paragraphs(command: click.Command) -> list[str]:
    text = inspect.cleandoc((command.help or "").replace("\b\n", ""))
    return [_marked(" ".join(paragraph.split())) for paragraph in text.split("\n\n")]


def _row(option: click.Option, context: click.Context) -> str:
    """An option: its names with what they take, what it is for, what holds without it."""
    takes = "" if option.is_flag else f" {option.make_metavar(context)}"
    default = str(option.default) if isinstance(option.default, (str, int)) and not option.is_flag else ""
    words = [f" {_marked(option.help)}" if option.help else "", f" Default: {default}." if default else ""]
    return f"- `{', '.join(option.opts)}{takes}`" + (f":{''.join(words)}" if any(words) else "")


def _marked(text: str) -> str:
    """Text of a help page as Markdown: options as code, nothing taken for a tag."""
    return re.sub(r"(?<![\w`-])(--[a-z][a-z-]*)", r"`\1`", text.replace("<", "&lt;"))


def print_page(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print docs/cli.md, if ``--markdown`` asks for it."""
    if wanted:
        commands = {name: loaded(name) for name in SUMMARIES}
        click.echo(cli_page(commands, context), nl=False)
        context.exit()


@click.group(
    cls=Commands,
    commands=[click.Command(name, help=text) for name, text in SUMMARIES.items()],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="flopkb")
@click.option("--markdown", is_flag=True, is_eager=True, expose_value=False, hidden=True, callback=print_page)
def main() -> None:
    """A knowledge base of what LLM inference costs, in which no number can rot."""
    escape_what_cannot_be_shown()
