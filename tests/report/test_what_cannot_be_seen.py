"""Messages name what nobody sees, and say when quotes are all that is missing."""

from __future__ import annotations

import pytest
from conftest import TinyBase

from flopkb.arithmetic.diagnostics import on_one_line

NAMED = {
    "`8\u00a0`": "`8<U+00A0 no-break space>`",
    "`\u200b`": "`<U+200B zero width space>`",
    "soft\u00adhyphen": "soft<U+00AD soft hyphen>hyphen",
    "a\u202eb": "a<U+202E right-to-left override>b",
    "700\u00a0W": "700 W",
    "`700\u202fW`": "`700 W`",
    "plain": "plain",
}


@pytest.mark.parametrize(("text", "shown"), NAMED.items(), ids=ascii)
def test_invisible_characters_are_named_where_they_are_at_fault(text: str, shown: str) -> None:
    assert on_one_line(text, 99) == shown


@pytest.mark.parametrize(
    ("character", "name"),
    [("\u00a0", "U+00A0 no-break space"), ("\u200b", "U+200B zero width space"), ("\u202e", "U+202E right-to-left")],
    ids=ascii,
)
@pytest.mark.parametrize("field", ['{{expr: 8{0}*2, unit: "1"}}', '{{expr: "8", unit: "W{0}"}}'])
def test_a_finding_names_them(base: TinyBase, character: str, name: str, field: str) -> None:
    base.formula("z", f"formulas:\n  f: {field.format(character)}\n")
    (line,) = base.lines()
    assert name in line and character not in line


def test_a_number_where_text_belongs_goes_in_quotes(base: TinyBase) -> None:
    sheet = base.records / "sources/sheet.yaml"
    sheet.write_text(sheet.read_text(encoding="utf-8") + "number: 012\n", encoding="utf-8")
    (line,) = base.lines()
    assert line.endswith("schema: `number` is `012`, which is no text: put it in quotes")
