"""The page on the commands (docs/cli.md), from what the command line itself knows of them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

_HEAD = """\
# Commands

Every command takes the base from `--records DIR`, else from the nearest `records/` in the working folder or above it, else
the one that flopkb was installed with. Findings go to standard output, what went wrong with the call to standard error.
Colour is used on terminals alone, and not where `NO_COLOR` is set.

This page is made from the commands themselves, by `make docs`.
"""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command: its names with what they take, what it is for, what holds without it."""

    names: str
    help: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its name, how it is called, what its documentation says, its options."""

    name: str
    usage: str
    help: str
    options: Sequence[Option]


def cli_page(group: Any, context: Any) -> str:
    """The whole page on a group of commands of click, in their order; ``context`` is that of the group."""
    commands = [_described(name, command, context) for name, command in group.commands.items()]
    contents = [f"- [`{command.name}`](#flopkb-{command.name}): {_paragraphs(command)[0]}" for command in commands]
    return "\n".join([_HEAD, *contents, *(line for command in commands for line in _section(command))]) + "\n"


def _described(name: str, command: Any, parent: Any) -> Command:
    """What click knows of a command (which is not imported here: the command line is its only door)."""
    context = type(parent)(command, info_name=name, parent=parent)
    options = [_option(one, context) for one in command.params if one.param_type_name == "option" and not one.hidden]
    return Command(name, " ".join([name, *command.collect_usage_pieces(context)]), command.help or "", options)


def _option(option: Any, context: Any) -> Option:
    takes = "" if option.is_flag else f" {option.make_metavar(context)}"
    default = option.default if isinstance(option.default, (str, int)) and not option.is_flag else ""
    return Option(", ".join(option.opts) + takes, option.help or "", str(default))


def _section(command: Command) -> Iterator[str]:
    yield from ("", f"## flopkb {command.name}", "", "```text", f"flopkb {command.usage}", "```")
    for paragraph in _paragraphs(command):
        yield from ("", paragraph)
    if command.options:
        yield from ("", *(_row(option) for option in command.options))


def _paragraphs(command: Command) -> list[str]:
    text = inspect.cleandoc(command.help.replace("\b\n", ""))
    return [_marked(" ".join(paragraph.split())) for paragraph in text.split("\n\n")]


def _row(option: Option) -> str:
    """An option with what it is for and what holds without it."""
    words = [
        f" {_marked(option.help)}" if option.help else "",
        f" Default: {option.default}." if option.default else "",
    ]
    return f"- `{option.names}`" + (f":{''.join(words)}" if any(words) else "")


def _marked(text: str) -> str:
    """Text of a help page as Markdown: options as code, nothing taken for a tag."""
    return re.sub(r"(?<![\w`-])(--[a-z][a-z-]*)", r"`\1`", text.replace("<", "&lt;"))
