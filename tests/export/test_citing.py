"""How sources are named in running text."""

from __future__ import annotations

from conftest import TinyBase

from export.bases import resolved
from flopkb.checking.api import load

HEAD = "kind: source\nstatus: draft\nupdated: 2026-01-05\nsource_kind: paper\ntitle: T\nlocator: {url: 'https://example.org'}\n"


def test_persons_are_named_with_the_year_and_all_else_by_the_name_of_the_record(base: TinyBase) -> None:
    for id, rest in {
        "one": "name: One\nauthors: ['Liu, Zirui']\nyear: 2024\n",
        "two": "name: Two\nauthors: ['Gu, Albert', 'Dao, Tri']\nyear: 2023\n",
        "three": "name: Three\nauthors: ['Liu, Zirui', 'B, C', 'D, E']\nyear: 2024\n",
        "four": "name: Four\nauthors: ['Liu, Ann', 'B, C', 'D, E']\nyear: 2024\n",
        "five": "name: A data sheet\norganisation: Maker\nyear: 2024\n",
    }.items():
        base.write(f"sources/{id}.yaml", f"id: {id}\n{HEAD}{rest}")
    labels = resolved(load(base.records), base.records).labels
    assert labels["one"] == "Liu 2024"
    assert labels["two"] == "Gu and Dao 2023"
    assert (labels["four"], labels["three"]) == ("Liu et al. 2024a", "Liu et al. 2024b")
    assert labels["five"] == "A data sheet"
    assert len(set(labels.values())) == len(labels)
