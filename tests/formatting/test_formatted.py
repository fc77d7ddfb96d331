"""The usual form of a record: what is changed, and above all what is not."""

from __future__ import annotations

import pytest

from flopkb.base.document import Document
from flopkb.base.loading import load_text
from flopkb.editing.fmt import Formatted, formatted

HEAD = "id: x\nkind: formula\nname: X\nstatus: draft\nupdated: 2026-01-05\n"
PART = "id: x\nkind: accelerator\nname: X\nstatus: draft\nupdated: 2026-01-05\nvendor: V\n"


def result(source: str) -> Formatted:
    document = load_text(source, "x.yaml")
    assert isinstance(document, Document), document
    return formatted(document)


def after(source: str) -> str:
    """The formatted source; formatting it again changes nothing."""
    found = result(source)
    assert not found.left
    assert result(found.source) == found
    return found.source


WORDS = "w" * 40

CHANGED = {
    "keys of the record": (
        "kind: formula\nid: x\nupdated: 2026-01-05\nstatus: draft\nname: X\n",
        HEAD,
    ),
    "comments go with their key": (
        "kind: formula  # what it is\n# of the record\nid: x\nname: X\nupdated: 2026-01-05\n  # below\nstatus: draft\n",
        "# of the record\nid: x\nkind: formula  # what it is\nname: X\nstatus: draft\nupdated: 2026-01-05\n  # below\n",
    ),
    "the modeline stays at the top": (
        "# yaml-language-server: $schema=x.json\nkind: formula\nid: x\nname: X\nstatus: draft\nupdated: 2026-01-05\n",
        f"# yaml-language-server: $schema=x.json\n{HEAD}",
    ),
    "a comment apart stays at the top": (
        "# of the file\n\nkind: formula\nid: x\nname: X\nstatus: draft\nupdated: 2026-01-05\n",
        f"# of the file\n\n{HEAD}",
    ),
    "keys of a symbol": (
        f"{HEAD}symbols:\n  B:\n    unit: token\n    meaning: batch\n",
        f"{HEAD}symbols:\n  B:\n    meaning: batch\n    unit: token\n",
    ),
    "keys in brackets": (
        HEAD + "figures:\n  f: {at: p, with: {L: 1, B: 2}, formula: ai}\n",
        HEAD + "figures:\n  f: {formula: ai, with: {L: 1, B: 2}, at: p}\n",
    ),
    "keys behind a dash": (
        f"{HEAD}claims:\n  - formula: ai\n    id: c\n    equals: 1\n",
        f"{HEAD}claims:\n  - id: c\n    formula: ai\n    equals: 1\n",
    ),
    "a block moves whole": (
        f"{HEAD}notes: |\n  # a heading\n\n    more  \n\nderivation: d\n",
        f"{HEAD}\nderivation: d\nnotes: |\n  # a heading\n\n    more  \n",
    ),
    "a block that keeps its blank lines moves with them": (
        f"{HEAD}notes: |+\n  text\n\n\nderivation: d\n",
        f"{HEAD}derivation: d\nnotes: |+\n  text\n\n\n",
    ),
    "blanks in brackets": (
        HEAD + "points:\n  p: { L : 1,B:   2 , }\n",
        HEAD + "points:\n  p: {L: 1, B: 2}\n",
    ),
    "brackets below their key": (
        HEAD + "points:\n  p:\n    {L: 1}\n",
        HEAD + "points:\n  p: {L: 1}\n",
    ),
    "brackets over several lines": (
        HEAD + "sources: [a,\n  b\n  ]\n",
        HEAD + "sources: [a, b]\n",
    ),
    "a mapping that is too long for a line": (
        HEAD + f"symbols:\n  B: {{meaning: {WORDS} {WORDS} {WORDS}, domain: {{integer: [1, 2]}}}}\n",
        HEAD + f"symbols:\n  B:\n    meaning: {WORDS} {WORDS} {WORDS}\n    domain: {{integer: [1, 2]}}\n",
    ),
    "a list that is too long for a line": (
        HEAD + f"sources: [{WORDS}, {WORDS}x, {WORDS}y]\n",
        HEAD + f"sources:\n  - {WORDS}\n  - {WORDS}x\n  - {WORDS}y\n",
    ),
    "a mapping behind a dash that is too long": (
        HEAD + f"history:\n  - {{change: {WORDS} {WORDS} {WORDS}, date: 2026-01-05}}\n",
        HEAD + f"history:\n  - date: 2026-01-05\n    change: {WORDS} {WORDS} {WORDS}\n",
    ),
    "blanks around a colon": (HEAD.replace("id: x", "id :   x"), HEAD),
    "blanks behind a dash": (HEAD + "sources:\n  -   a\n", HEAD + "sources:\n  - a\n"),
    "blanks at the end of a line": (HEAD.replace("X\n", "X  \n"), HEAD),
    "blank lines in a row": (HEAD + "\n\n\nnotes: n\n", HEAD + "\nnotes: n\n"),
    "blank lines at both ends": ("\n\n" + HEAD + "\n\n", HEAD),
    "no newline at the end": (HEAD.rstrip("\n"), HEAD),
    "no newline at the end of a block": (HEAD + "notes: |\n  text", HEAD + "notes: |\n  text\n"),
    "windows line ends": (
        (HEAD + "notes: |\n  a\n  b\nsources: [ a ]").replace("\n", "\r\n"),
        (HEAD + "sources: [a]\nnotes: |\n  a\n  b\n").replace("\n", "\r\n"),
    ),
    "a byte order mark": ("\ufeffkind: formula\nid: x\n", "\ufeffid: x\nkind: formula\n"),
    "a number without a digit before its point": (HEAD + "confidence: .5\n", None),
    "an amount without a blank": (PART + "tdp: {value: 700W, basis: unverified}\n", None),
    "a plus and a large E": (PART + "tdp: {value: +7.00E+02 W, basis: unverified}\n", None),
}
CHANGED["a number without a digit before its point"] = (
    HEAD.replace("status", "confidence: .50\nstatus"),
    HEAD.replace("updated", "confidence: 0.50\nupdated"),
)
CHANGED["an amount without a blank"] = (
    PART + "tdp: {value: 700W, basis: unverified}\n",
    PART + "tdp: {value: 700 W, basis: unverified}\n",
)
CHANGED["a plus and a large E"] = (
    PART + 'tdp: {value: "+7.00E+02W", basis: unverified}\n',
    PART + 'tdp: {value: "7.00e+2 W", basis: unverified}\n',
)

KEPT = {
    "what a source prints": PART + "tdp: {value: 700 W, basis: recorded, source: s, as_printed: +.7E3}\n",
    "zeros that were written": PART + "tdp: {value: 700.000 W, basis: unverified}\n",
    "quotes": HEAD.replace("name: X", "name: 'X'") + "sources: [\"a\", 'b', c]\n",
    "a number in quotes": HEAD + 'symbols:\n  B: {meaning: b, unit: "1"}\n',
    "inputs in the order of the editor": HEAD + "points:\n  p: {L: 1, B: 2}\n  a: {x: 1}\n",
    "a list a key to a line": HEAD + "sources:\n  - a\n  - b\n",
    "a list without indentation": HEAD + "sources:\n- a\n- b\n",
    "four blanks of indentation": HEAD + "symbols:\n    B:\n        meaning: b\n",
    "keys in line behind a wide dash": HEAD + "claims:\n  -   id: c\n      formula: ai\n      equals: 1\n",
    "a long line of prose": HEAD + f"notes: {WORDS} {WORDS} {WORDS} {WORDS}\n",
    "plain text over several lines": HEAD + "notes: one\n  two\n\n  three\n",
    "quoted text over several lines": HEAD + 'notes: "one   \n  two  \n\n  three"\n',
    "a comment in brackets": HEAD + "sources: [a,  # why\n  b]\n",
    "long brackets with a comment behind": HEAD + f"sources: [{WORDS}, {WORDS}x, {WORDS}y]  # why\n",
    "long brackets below a comment": HEAD + f"sources:  # why\n  [{WORDS}, {WORDS}x, {WORDS}y]\n",
    "an empty value": HEAD + "notes:\n",
    "an empty value in brackets": HEAD + "points:\n  p: {L: , B: 2}\n",
    "unknown keys": "kind: formula\nid: x\nnmae: X\n",
    "blank lines between sections": HEAD + "\nsources: [a]\n\nnotes: n\n",
    "a hash in text": HEAD + "notes: a#b\n",
    "hexadecimal": "id: x\nkind: model\nnum_hidden_layers: 0x20\n",
    "a domain of tokens in Ki": HEAD + "symbols:\n  L: {meaning: l, value: 32Ki token}\n",
    "an indicator of indentation": HEAD + "notes: |2\n    indented\n  text\n",
    "a folded block": HEAD + "notes: >-\n  one\n  two\n",
}


@pytest.mark.parametrize("name", CHANGED)
def test_changed(name: str) -> None:
    before, wanted = CHANGED[name]
    assert after(before) == wanted


@pytest.mark.parametrize("name", KEPT)
def test_kept(name: str) -> None:
    assert after(KEPT[name]) == KEPT[name]


@pytest.mark.parametrize("name", CHANGED)
def test_the_usual_form_is_kept(name: str) -> None:
    assert after(CHANGED[name][1]) == CHANGED[name][1]


class TestLeftAlone:
    def test_another_file(self) -> None:
        source = "repos:\n-   repo: local\n"
        assert result(source) == Formatted(source, "it is no record: it has no `kind` that flopkb knows")

    def test_a_file_in_brackets(self) -> None:
        source = "{kind: formula, id:   x}\n"
        assert result(source) == Formatted(source, "the whole of it stands in brackets")

    def test_a_name_that_would_get_a_newline(self) -> None:
        source = "id: x\nkind: formula\nname: |\n  X"
        assert result(source) == Formatted(source, "another form of it might not mean the same")

    def test_a_comment_that_has_no_place_behind_a_dash(self) -> None:
        source = f"{HEAD}claims:\n  - formula: ai\n    # why\n    id: c\n    equals: 1\n"
        assert after(source) == source


def test_a_line_of_120_characters_is_no_line_too_long() -> None:
    fits = HEAD + f"sources: [{'a' * 54}, {'b' * 53}]\n"
    assert len(fits.splitlines()[-1]) == 120
    assert after(fits) == fits
    longer = fits.replace("b]", "bb]")
    assert after(longer) == HEAD + f"sources:\n  - {'a' * 54}\n  - {'b' * 54}\n"
