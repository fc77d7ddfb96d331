"""Pages that are made from the program say what it says now."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner
from conftest import REPOSITORY

from flopkb.base.model import Kind
from flopkb.base.schema.files import kind_schema, schema_file, subschemas
from flopkb.commands.main import SUMMARIES, loaded, main

from .fields import with_lists


def text(page: str) -> str:
    return (REPOSITORY / page).read_text(encoding="utf-8")


class TestCommands:
    def test_the_page_is_what_the_commands_say(self) -> None:
        made = CliRunner().invoke(main, ["--markdown"])
        assert made.exit_code == 0
        assert text("docs/cli.md") == made.output, "run make docs"

    def test_it_tells_every_command_and_option(self) -> None:
        """Counted from click, not from what the page is made of."""
        sections = re.split(r"^## flopkb ", text("docs/cli.md"), flags=re.MULTILINE)[1:]
        assert [section.split("\n")[0] for section in sections] == list(main.commands)
        for section, command in zip(sections, map(loaded, main.commands), strict=True):
            options = [option for parameter in command.params for option in parameter.opts if option.startswith("-")]
            for option in options:
                assert re.search(rf"^- `.*{option}\b", section, re.MULTILINE), (command.name, option)

    @pytest.mark.parametrize("name", SUMMARIES)
    def test_the_list_of_commands_says_what_the_command_does(self, name: str) -> None:
        command = loaded(name)
        assert command.name == name
        assert " ".join((command.help or "").split("\n\n")[0].split()) == SUMMARIES[name]


class TestFields:
    PAGE = "docs/record_format.md"

    def test_the_lists_are_what_the_schemas_say(self) -> None:
        assert text(self.PAGE) == with_lists(text(self.PAGE)), "run make docs"

    def test_every_field_of_every_kind_is_told(self) -> None:
        """Down to the last key, wherever it may stand."""
        told = set(re.findall(r"^- `(\w+)`", text(self.PAGE), re.MULTILINE))
        files = [kind_schema(kind) for kind in Kind] + [schema_file("common")]
        properties = {name for file in files for _, part in subschemas(file) for name in part.get("properties", {})}
        assert properties - told == set()

    def test_every_kind_has_a_section_and_an_example(self) -> None:
        for kind in Kind:
            assert f"## {kind.value}\n" in text(self.PAGE)
            assert f"```yaml {kind.value}\n" in text(self.PAGE)
