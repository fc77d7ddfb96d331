"""The page on the commands (docs/cli.md), from what the command line itself knows of them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping

import click

_HEAD = """\
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
    return "\n".join([_HEAD, *contents, *sections]) + "\n"


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
