"""Each constraint of each schema has a fixture that breaks it, and only it, and a message of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from flopkb.base.document import Document, plain
from flopkb.base.loading import load_text
from flopkb.base.schema import validate
from flopkb.base.schema.files import DOCUMENT, filled
from flopkb.base.schema.validate import compiled, declaration_findings, kind_of

from .constraints import Constraint, all_files, constraints

FOLDER = Path(__file__).parent / "fixtures" / "invalid"
ALL = {constraint.name: constraint for constraint in constraints()}
IN_CODE = {name for name, c in ALL.items() if c.keyword == "const" or (c.keyword, c.detail) == ("required", "kind")}
"""The kind chooses the schema, so it is judged before any schema is."""

IN_COMPANY = {"common/peak.oneOf.several", "model/layers.item.oneOf.several"}
"""A value needs a basis, and ``absent`` bars one: who writes both breaks two constraints (and reads of one).

So it is with a count of layers beside the repetition of a pattern.
"""


def fixture(name: str) -> tuple[Document, str]:
    """The record of a fixture, and the finding that its first line states."""
    source = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    document = load_text(source, "a.yaml")
    assert isinstance(document, Document), document
    return document, source.split("\n", 1)[0].removeprefix("# ")


def test_every_constraint_has_a_fixture_and_every_fixture_a_constraint() -> None:
    fixtures = {path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.yaml")}
    assert fixtures == set(ALL)


@pytest.mark.parametrize("name", ALL)
def test_the_fixture_has_one_finding(name: str) -> None:
    document, expected = fixture(name)
    judged = [f.diagnostic for f in declaration_findings(document.root)] if is_declaration(name) else validate(document)
    found = [f"{d.location.line}:{d.location.column}: {d.message}" for d in judged]
    assert found == [expected]


def is_declaration(name: str) -> bool:
    """Whether a fixture is no record, but what a document declares."""
    return name.startswith(f"{DOCUMENT}/")


@pytest.mark.parametrize("name", sorted(set(ALL) - IN_CODE - IN_COMPANY))
def test_without_the_constraint_it_has_none(name: str) -> None:
    document, _ = fixture(name)
    kind = kind_of(document)
    assert is_declaration(name) or kind is not None
    assert errors_without(ALL[name], document, kind.value if kind is not None else DOCUMENT) == []


def errors_without(constraint: Constraint, document: Document, schema_name: str) -> list[str]:
    """What jsonschema says of the document once the constraint is taken out of the schema.

    A group of alternative keys is not looked at in what is no mapping: its type is what is wrong there.
    """
    schema = filled(schema_name, constraint.removed(all_files()))
    errors = compiled(schema).iter_errors(plain(document.root))
    return [e.message for e in errors if e.validator != "oneOf" or isinstance(e.instance, dict)]
