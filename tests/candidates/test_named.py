"""Which records a text names, found by the words of the text and not by going through all records."""

from __future__ import annotations

from conftest import TinyBase

from flopkb.base.matching import named_in


def test_names_stand_as_whole_words_in_either_case(base: TinyBase) -> None:
    records = base.evaluate().kb.records
    names = {id: record.name for id, record in records.items()}
    for id, name in names.items():
        for text in (f"the {name}'s", name.upper(), f"({id})", f"of\n{name.replace(' ', '-')}, so"):
            assert id in named_in(text, records), text
    assert named_in("nothing of it", records) == frozenset()


def test_many_names_and_many_numbers(base: TinyBase) -> None:
    """Two thousand aliases that begin with digits: each is found, by its own words alone."""
    aliases = ", ".join(f'"{n}abc{n} x"' for n in range(2000))
    base.formula("many", f'aliases: [{aliases}]\nformulas:\n  f: {{expr: 8*9, unit: "1"}}\n')
    records = base.evaluate().kb.records
    assert "many" in named_in("see 1999ABC1999-x there", records)
    assert "many" not in named_in("see 1999abc1999 y there, abc1999 x", records)
