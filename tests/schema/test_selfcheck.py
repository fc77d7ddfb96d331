"""The schemas themselves: typos in them are found, and they are what an editor needs."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from flopkb.arithmetic.units import parse_unit
from flopkb.base.document import plain
from flopkb.base.layers import PARTS
from flopkb.base.model import Kind
from flopkb.base.quantities import DTYPE, HARDWARE, MODEL, QUANTITIES, QuantityForm
from flopkb.base.schema import SchemaError, check_schemas
from flopkb.base.schema.files import filled, kind_schema, schema_file, schema_names, subschemas
from flopkb.base.schema.layering import FLAT, layer_types, part_fields
from flopkb.base.schema.sections import RELATIONS
from flopkb.base.schema.validate import compiled

from .constraints import all_files
from .reading import VALID, document

DEFINITIONS = schema_file("common")["$defs"]


def test_the_schemas_have_no_fault() -> None:
    assert check_schemas() == []


def problems(change: Callable[[dict[str, Any]], None]) -> list[str]:
    files = copy.deepcopy(all_files())
    change(files)
    return check_schemas(files)


class TestFaults:
    def test_a_misspelt_keyword(self) -> None:
        def change(files: dict[str, Any]) -> None:
            files["common"]["$defs"]["figure"]["requried"] = files["common"]["$defs"]["figure"].pop("required")

        where = "common.schema.json#/$defs/figure"
        assert problems(change) == [f"{where}: `requried` is no keyword; did you mean required?"]

    def test_a_misspelt_keyword_in_a_property(self) -> None:
        def change(files: dict[str, Any]) -> None:
            files["source"]["properties"]["locator"]["properties"]["url"]["patern"] = "^x$(?!\\n)"

        where = "source.schema.json#/properties/locator/properties/url"
        assert problems(change) == [f"{where}: `patern` is no keyword; did you mean pattern?"]

    def test_an_unused_definition(self) -> None:
        def change(files: dict[str, Any]) -> None:
            files["common"]["$defs"]["spare"] = {"type": "string"}

        assert problems(change) == ["common.schema.json#/$defs/spare: nothing refers to it"]

    @pytest.mark.parametrize(
        ("reference", "reason"),
        [
            ("https://example.org/s.json", "only `#/$defs/x` and `y.schema.json#/$defs/x` are followed"),
            ("file:///etc/passwd", "only `#/$defs/x` and `y.schema.json#/$defs/x` are followed"),
            ("../secret.schema.json#/$defs/id", "only `#/$defs/x` and `y.schema.json#/$defs/x` are followed"),
            ("other.schema.json#/$defs/id", "which does not exist"),
            ("common.schema.json#/$defs/idd", "which does not exist"),
        ],
    )
    def test_a_reference_that_leads_nowhere_or_out(self, reference: str, reason: str) -> None:
        def change(files: dict[str, Any]) -> None:
            files["model"]["properties"]["id"] = {"$ref": reference}

        (problem,) = problems(change)
        assert problem.startswith("model.schema.json#/properties/id: model.schema.json refers to `" + reference)
        assert problem.endswith(reason)
        files = copy.deepcopy(all_files())
        change(files)
        with pytest.raises(SchemaError):
            filled("model", files)

    def test_a_circle(self) -> None:
        def change(files: dict[str, Any]) -> None:
            files["common"]["$defs"]["prose"]["items"] = {"$ref": "#/$defs/prose"}

        (problem,) = problems(change)
        assert problem.endswith("common#prose -> common#prose refers to itself")

    def test_a_pattern_that_lets_a_newline_follow(self) -> None:
        def change(files: dict[str, Any]) -> None:
            files["common"]["$defs"]["id"]["pattern"] = "^[a-z]+$"

        (problem,) = problems(change)
        assert "does not end with `$(?!\\n)`" in problem

    def test_a_pattern_that_is_none(self) -> None:
        def change(files: dict[str, Any]) -> None:
            files["common"]["$defs"]["condition"]["pattern"] = "(<="

        (problem,) = problems(change)
        assert "does not compile" in problem

    def test_a_required_key_that_is_no_property(self) -> None:
        def change(files: dict[str, Any]) -> None:
            files["dtype"]["required"].append("byts")

        assert problems(change) == ["dtype.schema.json#: `byts` is required but is no property; did you mean bytes?"]

    def test_a_mapping_that_takes_any_key(self) -> None:
        def change(files: dict[str, Any]) -> None:
            del files["common"]["$defs"]["figure"]["additionalProperties"]

        (problem,) = problems(change)
        assert "lacks `additionalProperties: false`" in problem

    def test_a_constraint_beside_a_reference_that_has_it_too(self) -> None:
        def change(files: dict[str, Any]) -> None:
            files["model"]["properties"]["developer"]["maxLength"] = 5

        (problem,) = problems(change)
        assert problem.startswith("model.schema.json#/properties/developer: `maxLength` beside `$ref`")


def properties() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every property of every kind, with what stands behind references filled in."""
    for kind in Kind:
        for pointer, part in subschemas(dict(kind_schema(kind))):
            for name, below in part.get("properties", {}).items():
                if isinstance(below, dict):
                    yield f"{kind.value}#{pointer}/{name}", below


ALL_PROPERTIES = dict(properties())


class TestEditors:
    """What a language server shows."""

    def test_every_property_says_what_it_is(self) -> None:
        bare = [w for w, p in ALL_PROPERTIES.items() if not all(p.get(k) for k in ("title", "description", "examples"))]
        assert bare == []

    def test_descriptions_are_sentences(self) -> None:
        ends = {where: part["description"][-1] for where, part in ALL_PROPERTIES.items()}
        assert set(ends.values()) == {"."}

    def test_every_value_that_can_be_wrong_says_what_to_write(self) -> None:
        said = {w: p.get("errorMessage") or p.get("wanted", "") for w, p in ALL_PROPERTIES.items() if "enum" not in p}
        assert [where for where, words in said.items() if not words] == []
        assert max(map(len, said.values())) <= 130

    def test_mappings_leave_the_words_on_their_keys_to_the_editor(self) -> None:
        assert [w for w, p in ALL_PROPERTIES.items() if "properties" in p and "errorMessage" in p] == []

    def test_examples_are_right(self) -> None:
        wrong = []
        for where, part in ALL_PROPERTIES.items():
            validator = compiled(part)
            wrong += [where for example in part["examples"] if not validator.is_valid(example)]
        assert wrong == []

    def test_no_schema_has_an_id_or_leaves_the_folder(self) -> None:
        for name in schema_names():
            for _, part in subschemas(dict(schema_file(name))):
                assert "$id" not in part
                assert not str(part.get("$ref", "")).startswith(("http", "/", ".."))

    def test_the_valid_fixtures_use_every_property(self) -> None:
        schemas = {kind.value: dict(kind_schema(kind)) for kind in Kind}
        every = {use for schema in schemas.values() for _, part in subschemas(schema) for use in _uses(part)}
        used: set[Use] = set()
        for path in VALID.glob("*.yaml"):
            value: Any = plain(document(path.read_text(encoding="utf-8")).root)
            used |= set(_used(value, schemas[value["kind"]]))
        assert every - used == set()


def form_of(part: dict[str, Any]) -> QuantityForm | None:
    """How a field of a model is written, where it is an amount."""
    forms = {
        "recorded_flag": QuantityForm.FLAG,
        "arithmetic": QuantityForm.ARITHMETIC,
        "count": QuantityForm.NUMBER,
    }
    wanted = {DEFINITIONS[name]["wanted"]: form for name, form in forms.items()}
    return wanted.get(part.get("wanted", ""))


Use = tuple[frozenset[str], str]
"""A property, and all those of its mapping (the same mapping may stand in several places)."""


def _uses(part: Any) -> Iterator[Use]:
    names = [name for name, below in part.get("properties", {}).items() if below is not False]
    yield from ((frozenset(names), name) for name in names)


def _used(value: Any, part: Any) -> Iterator[Use]:
    if isinstance(value, list):
        for item in value:
            yield from _used(item, part.get("items", {}))
    elif isinstance(value, dict):
        yield from (use for use in _uses(part) if use[1] in value)
        for key, item in value.items():
            below = part.get("properties", {}).get(key, part.get("additionalProperties"))
            typed = [branch for branch in (below or {}).get("oneOf", ()) if _of_type(branch, item)] if below else []
            yield from _used(item, typed[0] if typed else below if isinstance(below, dict) else {})


def _of_type(branch: dict[str, Any], item: Any) -> bool:
    types = branch.get("properties", {}).get("type", {}).get("enum", ())
    return isinstance(item, dict) and item.get("type") in types


class TestQuantities:
    """The tables of quantities and the schemas list the same names."""

    def test_hardware(self) -> None:
        assert DEFINITIONS["hardware_row"]["properties"]["parameter"]["enum"] == list(HARDWARE)
        assert set(HARDWARE) <= set(schema_file("accelerator")["properties"])

    def test_models(self) -> None:
        known = kind_schema(Kind.MODEL)["properties"]
        assert [name for name in known if form_of(known[name]) is not None] == list(MODEL)
        assert {name: form_of(known[name]) for name in MODEL} == {name: each.form for name, each in MODEL.items()}
        counted = [name for name, each in MODEL.items() if each.form is QuantityForm.NUMBER]
        assert known["disputed"]["propertyNames"]["enum"] == counted

    @pytest.mark.parametrize("role", PARTS)
    def test_what_layers_have_a_model_with_equal_layers_says_beside_its_own(self, role: str) -> None:
        known = kind_schema(Kind.MODEL)["properties"]
        assert known[FLAT[role]]["enum"] == list(layer_types(role))
        assert part_fields(role) - {"type", "reuses"} <= set(known)  # nothing is there to be reused

    def test_number_formats(self) -> None:
        measured = [n for n, p in schema_file("dtype")["properties"].items() if p.get("$ref", "").endswith("/measure")]
        assert [*measured, "scales_left_out"] == list(DTYPE)  # a yes or a no, which formulas read as 1 or 0

    @pytest.mark.parametrize("kind", QUANTITIES)
    def test_descriptions_are_the_same(self, kind: Kind) -> None:
        known = kind_schema(kind)["properties"]
        for name, quantity in QUANTITIES[kind].items():
            assert quantity.name == name
            assert known[name]["description"].startswith(quantity.description)

    def test_units_are_units(self) -> None:
        for table in QUANTITIES.values():
            for quantity in table.values():
                assert parse_unit(quantity.unit)
        assert dict(parse_unit(HARDWARE["memory_bandwidth"].unit).dimension) == {"byte": 1, "second": -1}
        assert dict(parse_unit(HARDWARE["memory_bus_width"].unit).counts) == {"pin": 1}  # a bit at a time each

    def test_relations(self) -> None:
        group = [branch["required"] for branch in DEFINITIONS["claim"]["oneOf"]]
        assert group == [[relation] for relation in RELATIONS]
