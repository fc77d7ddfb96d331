"""Configs that are cut, swapped and twisted: each is a record that passes the schema, or is refused at a place of the file."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from flopkb.base.document import Document
from flopkb.base.loading import load_text
from flopkb.base.loading.json_text import load_json
from flopkb.base.schema import validate
from flopkb.editing.fmt import formatted
from flopkb.editing.hf_config.model import model_shape
from flopkb.editing.hf_config.reader import ConfigRefused
from flopkb.editing.hf_config.writing import record_text
from importing.test_mechanisms import CASES, HEAD

ODD = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        1,
        -1,
        3,
        7,
        2.5,
        10**15,
        "",
        "x",
        "auto",
        [],
        [1],
        [0, 1],
        ["full_attention"],
        {},
        {"a": 1},
        [[]],
        1e300,
    ]
)
KEYS = sorted({key for given_, _ in CASES.values() for key in given_} - {"model_type"})


@st.composite
def twisted(draw: st.DrawFn) -> dict[str, Any]:
    """A config of a case with some keys gone, changed or come."""
    data = json.loads(json.dumps(CASES[draw(st.sampled_from(sorted(CASES)))][0]))
    for _ in range(draw(st.integers(1, 4))):
        place = data
        while draw(st.booleans()) and any(isinstance(value, dict) for value in place.values()):
            place = draw(st.sampled_from([value for value in place.values() if isinstance(value, dict)]))
        key = draw(st.sampled_from(sorted(place) or ["x"]) | st.sampled_from(KEYS))
        if draw(st.booleans()):
            place.pop(key, None)
        else:
            place[key] = copy.deepcopy(draw(ODD))
    return data


@settings(max_examples=400, deadline=None)
@given(twisted())
def test_a_record_or_a_reason(data: dict[str, Any]) -> None:
    document = load_json(json.dumps(data, indent=1), "config.json")
    assert isinstance(document, Document)
    try:
        text = record_text(model_shape(document.root), HEAD)
    except ConfigRefused as fault:
        assert fault.location.path == "config.json"
        assert 0 < len(str(fault)) < 300
        return
    made = load_text(text, "small.yaml")
    assert isinstance(made, Document), text
    assert validate(made) == [], text
    assert not formatted(made).left
