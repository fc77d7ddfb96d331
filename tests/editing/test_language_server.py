"""Editors with the YAML language server show what `check` shows, while one types: the real server is asked."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY

from flopkb.base.document import Document, Mapping, Scalar
from flopkb.base.loading import load_file, load_text
from flopkb.base.model import Kind
from flopkb.base.schema import validate
from flopkb.base.schema.files import kind_schema
from flopkb.editing.fmt.nodes import parts as parts_of

from .language_server import LanguageServer, missing, running

pytestmark = pytest.mark.slow

SCHEMA = REPOSITORY / "schema"
FIXTURES = REPOSITORY / "tests" / "schema" / "fixtures"
RULE_FIXTURES = REPOSITORY / "tests" / "fixtures" / "schema"
RECORDS = sorted((REPOSITORY / "records").rglob("*.yaml"))

ELSEWHERE = {
    # Of several keys of which one may stand, the server names the beginning of their mapping, `check` the second key.
    "claim.oneOf.several.yaml",
    "oneOf.several.yaml",
    "peak.oneOf.several.yaml",
    # The server does not compare mappings.
    "correction.counterexample.uniqueItems.yaml",
    "requirements.uniqueItems.yaml",
}
"""Fixtures whose fault the server does not show on the line of `check`."""


@pytest.fixture(scope="module")
def server() -> Iterator[LanguageServer]:
    """A running server; without one the tests are skipped, except in CI, which has to have it."""
    why = missing()
    if why and os.environ.get("CI") == "true":
        pytest.fail(why)
    if why:
        pytest.skip(why)
    with running() as started:
        yield started


def with_modeline(text: str, kind: str) -> str:
    """A record with a first line that names its schema."""
    return f"# yaml-language-server: $schema={(SCHEMA / f'{kind}.schema.json').as_uri()}\n{text}"


def kind_of(text: str, default: str) -> str:
    """The kind that a record states, if it is one."""
    stated = re.search(r"^kind: *(\w+)", text, re.MULTILINE)
    kinds = {kind.folder: kind.value for kind in Kind}
    return stated[1] if stated and stated[1] in kinds.values() else kinds.get(default, default)


def reported(text: str) -> set[int]:
    """The lines on which `check` reports faults of the schema."""
    document = load_text(text, "x.yaml")
    assert isinstance(document, Document), document
    return {found.location.line for found in validate(document)}


def lines(found: list[dict[str, Any]]) -> set[int]:
    """The lines on which the server reports faults."""
    return {fault["range"]["start"]["line"] + 1 for fault in found}


def compared(files: list[Path], server: LanguageServer) -> dict[str, tuple[set[int], set[int]]]:
    """The lines of `check` and those of the server for each file, where they differ."""
    texts = {}
    for file in files:
        text = file.read_text(encoding="utf-8")
        texts[file] = with_modeline(text, kind_of(text, file.parent.name))
    found = server.faults(texts)
    pairs = {file: (reported(text), lines(found[file])) for file, text in texts.items()}
    return {file.relative_to(REPOSITORY).as_posix(): pair for file, pair in pairs.items() if pair[0] != pair[1]}


class TestFaults:
    def test_the_schema_fixtures(self, server: LanguageServer) -> None:
        # What a document declares stands in a comment or a header of it: no editor opens that as a record.
        files = [file for file in sorted((FIXTURES / "invalid").rglob("*.yaml")) if file.parent.name != "document"]
        assert len(files) > 300
        assert {Path(name).name for name in compared(files, server)} == ELSEWHERE

    def test_one_key_too_many_is_shown_at_its_mapping(self, server: LanguageServer) -> None:
        files = [file for file in (FIXTURES / "invalid").rglob("*.several.yaml") if file.name in ELSEWHERE]
        for name, (ours, theirs) in compared(files, server).items():
            assert len(ours) == 1 and theirs, name
            assert min(theirs) < min(ours), name

    def test_the_fixtures_of_the_rule(self, server: LanguageServer) -> None:
        files = sorted(RULE_FIXTURES.glob("**/invalid/*/records/*/*.yaml"))
        assert len(files) > 5
        differing = compared(files, server)
        # Of a record of no known kind the server also says which keys a record of its folder's kind would need.
        assert [Path(name).parts[5] for name in differing] == ["unknown-kind"]
        assert all(ours < theirs for ours, theirs in differing.values())

    def test_right_records(self, server: LanguageServer) -> None:
        files = [*(FIXTURES / "valid").glob("*.yaml"), *RULE_FIXTURES.glob("**/valid/*/records/*/*.yaml")]
        assert len(files) > 7
        assert compared(files, server) == {}

    def test_every_record_of_the_base(self, server: LanguageServer) -> None:
        """By its own modeline, as an editor opens it."""
        found = server.faults({file: file.read_text(encoding="utf-8") for file in RECORDS})
        assert {file.name: faults for file, faults in found.items() if faults} == {}

    def test_a_slip_in_a_record_of_the_base(self, server: LanguageServer) -> None:
        text = (REPOSITORY / "records" / "accelerators" / "nvidia_h100_sxm.yaml").read_text(encoding="utf-8")
        slip = text.replace("memory_capacity:", "memory_capcity:").replace("vendor: NVIDIA\n", "")
        line = slip[: slip.index("memory_capcity")].count("\n") + 1
        file = REPOSITORY / "records" / "accelerators" / "slip.yaml"
        shown = {fault["message"]: fault["range"]["start"] for fault in server.faults({file: slip})[file]}
        assert shown == {
            'Missing property "vendor".': {"line": 1, "character": 0},
            "Property memory_capcity is not allowed.": {"line": line - 1, "character": 0},
        }


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)
def test_every_record_names_its_schema(file: Path) -> None:
    way = re.match(r"# yaml-language-server: \$schema=(\S+)\n", file.read_text(encoding="utf-8"))
    assert way is not None
    document = load_file(file, file.name)
    assert isinstance(document, Document)
    kind = document.root.get("kind")
    assert kind is not None
    assert (file.parent / way[1]).resolve() == SCHEMA / f"{getattr(kind, 'text', '')}.schema.json"


def bare(shown: str) -> str:
    """Text without blanks and without what Markdown adds to it."""
    return re.sub(r"[\\`]|&nbsp;|\s+", "", shown)


def described(document: Document) -> Iterator[tuple[Scalar, dict[str, Any]]]:
    """Every key of a record that its schema knows, with what the schema says of it."""
    parts = {id(node): part for node, part in parts_of(document)}
    for node, part in parts_of(document):
        for key, value in node if isinstance(node, Mapping) else ():
            if key.text in part.get("properties", {}):
                yield key, dict(parts.get(id(value)) or part["properties"][key.text])


class TestHelp:
    @pytest.mark.parametrize("kind", [kind.value for kind in Kind])
    def test_hovering_over_a_field_shows_what_it_is(self, server: LanguageServer, kind: str) -> None:
        properties = kind_schema(Kind(kind))["properties"]
        text = with_modeline("".join(f"{name}:\n" for name in properties), kind)
        file = REPOSITORY / "records" / f"hover_{kind}.yaml"
        server.open(file, text)
        for line, (name, part) in enumerate(properties.items(), 2):
            shown = server.at("hover", file, line, 2)["contents"]["value"]
            assert bare(part["title"]) in bare(shown) and bare(part["description"]) in bare(shown), (name, shown)
        server.close(file)

    @pytest.mark.parametrize("name", sorted(file.stem for file in (FIXTURES / "valid").glob("everything_*.yaml")))
    def test_hovering_over_any_key_shows_what_it_is(self, server: LanguageServer, name: str) -> None:
        text = (FIXTURES / "valid" / f"{name}.yaml").read_text(encoding="utf-8")
        text = with_modeline(text, kind_of(text, ""))
        file = REPOSITORY / "records" / f"{name}.yaml"
        server.open(file, text)
        document = load_text(text, name)
        assert isinstance(document, Document)
        keys = list(described(document))
        assert len(keys) > 10
        for key, part in keys:
            shown = server.at("hover", file, key.location.line, key.location.column + 1)["contents"]["value"]
            assert bare(part["description"]) in bare(shown), (key.text, shown)
        server.close(file)

    @pytest.mark.parametrize("kind", [kind.value for kind in Kind])
    def test_an_empty_line_offers_every_field(self, server: LanguageServer, kind: str) -> None:
        properties = kind_schema(Kind(kind))["properties"]
        file = REPOSITORY / "records" / f"complete_{kind}.yaml"
        server.open(file, with_modeline("\n", kind))
        answer = server.at("completion", file, 2, 1)
        offered = {item["label"]: item for item in answer["items"]}
        assert set(properties) <= set(offered)
        for name, part in properties.items():
            told = offered[name]["documentation"]
            assert part["description"] in (told if isinstance(told, str) else told["value"]), name
        server.close(file)

    def test_values_are_offered_where_they_are_closed(self, server: LanguageServer) -> None:
        file = REPOSITORY / "records" / "complete_values.yaml"
        server.open(file, with_modeline("id: x\nkind: workload_class\nbound_by: \n", "workload_class"))
        answer = server.at("completion", file, 4, 11)
        assert {"memory", "compute", "interconnect", "depends"} <= {item["label"] for item in answer["items"]}
        server.close(file)
