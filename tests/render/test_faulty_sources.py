"""References to source records that the check refuses: they are printed with what they have."""

from __future__ import annotations

import pytest
from conftest import TinyBase

import flopkb
from flopkb.publishing.pages.bibliography import csl

FAULTY = {
    "no year": "title: T\n",
    "a year in words": "title: T\nyear: soon\n",
    "a list for a year": "title: T\nyear: [2025]\n",
    "a locator that is a list": "title: T\nyear: 2025\nlocator: [x]\n",
    "authors in one text": "title: T\nyear: 2025\nauthors: Doe, J.\n",
    "a date that is none": "title: T\nyear: 2025\naccessed: yesterday\n",
    "no title": "year: 2025\n",
}


@pytest.mark.parametrize("body", FAULTY.values(), ids=FAULTY.keys())
def test_a_faulty_source_is_an_item(body: str, base: TinyBase) -> None:
    head = "id: odd\nkind: source\nname: Odd\nstatus: draft\nupdated: 2026-01-05\n"
    base.write("sources/odd.yaml", head + body)
    assert isinstance(csl(flopkb.load(base.records).records["odd"]), dict)
