"""Briefly, through every way in: arbitrary bytes, spoilt texts that are real, and trees where records belong."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fuzz.doors import DOORS, records
from fuzz.found import FOUND
from fuzz.making import record_of, seeds, spoilt

QUICK = {"records": 12, "documents": 12, "data files": 20, "revisions": 6, "templates": 60}

KEYS = st.sampled_from(
    [
        "formulas",
        "symbols",
        "figures",
        "claims",
        "points",
        "requires",
        "assumes",
        "notes",
        "derivation",
        "sources",
        "aliases",
        "cases",
        "expr",
        "unit",
        "when",
        "that",
        "else",
        "formula",
        "with",
        "at",
        "over",
        "domain",
        "integer",
        "value",
        "meaning",
        "from",
        "id",
        "independent_of",
        "given",
        "where",
        "repeat",
        "count",
        "layers",
    ]
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12) | KEYS
TREES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=20
)


@pytest.mark.parametrize("door", DOORS)
def test_spoilt_texts_are_answered(door: str) -> None:
    @settings(max_examples=QUICK.get(door, 150), deadline=None, derandomize=True, database=None)
    @given(data=st.binary(max_size=200) | st.integers(0, 2**32).map(lambda seed: made(door, seed)))
    def run(data: bytes) -> None:
        DOORS[door](data)

    run()


def made(door: str, seed: int) -> bytes:
    choose = random.Random(seed)
    return spoilt(choose.choice(seeds(door)), choose, seeds(door))


@settings(max_examples=15, deadline=None, derandomize=True, database=None)
@given(tree=st.dictionaries(KEYS, TREES, max_size=6))
@example(tree={"formulas": {"a": {"expr": "a", "unit": "1"}}})
def test_any_tree_is_answered_as_a_record(tree: object) -> None:
    records(record_of(tree))


@pytest.mark.parametrize(("door", "data"), FOUND)
def test_what_once_crashed_is_answered(door: str, data: bytes) -> None:
    DOORS[door](data)
