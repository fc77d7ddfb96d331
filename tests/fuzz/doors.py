"""The ways in. Each takes any bytes and must answer: with a value, a finding or a refusal, never with a fault of its own."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from conftest import NEUTRAL, line_of

from flopkb.arithmetic.formula import FormulaError, parse_case, parse_conditions, parse_formula, to_text
from flopkb.arithmetic.numbers import ReadError, read
from flopkb.arithmetic.prose import read_prose
from flopkb.arithmetic.text import Markup, scan_text
from flopkb.arithmetic.units import UnitError, parse_unit
from flopkb.base.data.files import FORMATS, DataFolder
from flopkb.base.document import Document
from flopkb.base.evaluate import Evaluation
from flopkb.base.loading.json_text import load_json
from flopkb.base.pipeline import PageText, evaluated
from flopkb.base.revisions import loaded
from flopkb.checking.api import Base
from flopkb.checking.check import check
from flopkb.editing.hf_config.model import model_shape
from flopkb.editing.hf_config.reader import ConfigRefused
from flopkb.publishing.render.rendering import render
from flopkb.review.difference import compare, state_of

SENTINEL = "id: sentinel\nkind: formula\nname: Sentinel\nstatus: verified\nupdated: 2026-01-05\n"
SENTINEL += 'formulas:\n  six: {expr: 2*3, unit: "1"}\nderivation: |\n  It is [7](fig:six).\n'
FOUND = "records/formulas/sentinel.yaml:9:10: error: figure-mismatch: 7 is wrong: six is 6, 1 off; write 6"
"""A fault in another record, which no input may hide."""
PLACE = "records/formulas/fuzz.yaml"


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "replace")


@cache
def neutral() -> Mapping[str, bytes]:
    """The small base of the tests, with a fault in one record."""
    files = sorted(NEUTRAL.rglob("*.yaml"))
    own = {file.relative_to(NEUTRAL).as_posix(): file.read_bytes() for file in files}
    return {**own, "records/formulas/sentinel.yaml": SENTINEL.encode()}


def held(base: Evaluation) -> None:
    """No rule crashes, every finding has a place and a short sentence on one line, and the known fault is among them."""
    result = check(base)
    assert not result.crashes, result.crashes
    lines = [line_of(found) for found in result.diagnostics]
    assert any(line.startswith(FOUND) for line in lines)
    for found in result.diagnostics:
        assert found.location.line >= 1 and found.location.column >= 1
        assert found.message and len(found.message) <= 300 and "\n" not in found.message


def numbers(data: bytes) -> None:
    text = text_of(data)
    try:
        read(text)
    except ReadError as refused:
        assert str(refused)
    try:
        parse_unit(text)
    except UnitError as refused:
        assert str(refused)


def formulas(data: bytes) -> None:
    text = text_of(data)
    for parse in (parse_formula, parse_case, parse_conditions):
        try:
            tree = parse(text)
        except FormulaError as refused:
            assert str(refused)
        else:
            if parse is parse_formula:
                parse_formula(to_text(tree))


def prose(data: bytes) -> None:
    text = text_of(data)
    reading = read_prose(text)
    for link in reading.links:
        assert 0 <= link.start <= link.end <= len(text)
    for bare in reading.bare:
        assert 0 <= bare.start < bare.end <= len(text)


def arithmetic(data: bytes) -> None:
    text = text_of(data)
    kinds = list(Markup)
    found = scan_text(text, "f", kinds[len(data) % len(kinds)], comparisons=len(data) % 2 == 0)
    assert not [unread for unread in found.unread if "fault of flopkb" in unread.reason]


def records(data: bytes) -> None:
    held(evaluated(loaded({**neutral(), PLACE: data})))


def documents(data: bytes) -> None:
    page = PageText(Path("d.md"), "d.md", text_of(data))
    held(evaluated(loaded(dict(neutral())), [page]))


def data_files(data: bytes) -> None:
    """The first byte chooses the format, the rest is the file."""
    endings = sorted(FORMATS)
    ending = endings[data[0] % len(endings)] if data else ".json"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / f"in{ending}").write_bytes(data[1:])
        header = f"<!-- flopkb:\ndata:\n  a: {{file: in{ending}}}\n  b: {{file: in{ending}, at: 'x[0].y'}}\n-->\n"
        page = PageText(folder / "d.md", "d.md", header + "[7](fact:a.x) and [8](fact:a.x.y) and [9](fact:b)\n")
        held(evaluated(loaded(dict(neutral())), [page], folder=DataFolder(folder)))


def configs(data: bytes) -> None:
    document = load_json(text_of(data), "config.json")
    if isinstance(document, Document):
        try:
            model_shape(document.root)
        except ConfigRefused as refused:
            assert refused.location.path == "config.json" and str(refused)


@cache
def base() -> Base:
    return Base(evaluated(loaded(dict(neutral()))))


def templates(data: bytes) -> None:
    made = render(text_of(data), "t.md.j2", base())
    assert made.document is not None or made.diagnostics


def revisions(data: bytes) -> None:
    """The input as a record of an earlier revision."""
    before = evaluated(loaded({**neutral(), PLACE: data}))
    compare(state_of(before), state_of(base().evaluation))


Door = Callable[[bytes], None]

DOORS: Mapping[str, Door] = {
    "numbers": numbers,
    "formulas": formulas,
    "prose": prose,
    "arithmetic": arithmetic,
    "records": records,
    "documents": documents,
    "data files": data_files,
    "config.json": configs,
    "templates": templates,
    "revisions": revisions,
}
GUIDED = ("numbers", "formulas", "prose", "arithmetic")
"""The readers of text: what an input reaches in them is followed, and inputs that reach something new are kept."""


def config_seed() -> bytes:
    return json.dumps(
        {"model_type": "llama", "num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 64}
    ).encode()
