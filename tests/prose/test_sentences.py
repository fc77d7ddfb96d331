"""The plain text, its sentences, and where an effect stands."""

from __future__ import annotations

import pytest

from flopkb.arithmetic.prose import read_prose


def sentences(text: str) -> list[str]:
    reading = read_prose(text)
    return [reading.plain[start:end] for start, end in reading.sentences]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("It is 2.3x. Then 4.0 flop/byte.", ["It is 2.3x.", "Then 4.0 flop/byte."]),
        ("See e.g. this, i.e. that vs. those, cf. them.", ["See e.g. this, i.e. that vs. those, cf. them."]),
        ("As Fig. 3 and Eq. (2) show. Done", ["As Fig. 3 and Eq. (2) show.", "Done"]),
        ("The answer is no. Then", ["The answer is no.", "Then"]),
        ("Bytes, etc. are read. And more, etc. Then", ["Bytes, etc. are read.", "And more, etc.", "Then"]),
        ("He said “so.” Then (so.) Then", ["He said “so.”", "Then (so.)", "Then"]),
        ("It is **so.** Then", ["It is so.", "Then"]),
        ("Linear in L. Then 5. Then", ["Linear in L.", "Then 5.", "Then"]),
        ("One\ntwo. Three\n\nFour", ["One two.", "Three", "Four"]),
        ("# Head\nText\n- item\n- item", ["Head", "Text", "item", "item"]),
        ("| a. b | c |\n|---|---|\n| d | e |", ["a.", "b", "c", "d", "e"]),
        ("> quote\n\n[^1]: note", ["quote", "note"]),
        ("a.b and v0.3. Done", ["a.b and v0.3.", "Done"]),
    ],
)
def test_where_sentences_end(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_sentence_at() -> None:
    reading = read_prose("One two. Three four.\n\nFive")
    assert reading.sentence_at(0) == (0, 8)
    assert reading.sentence_at(7) == (0, 8)
    assert reading.sentence_at(10) == (9, 20)
    assert reading.sentence_at(22) == (21, 25)


def test_plain_is_what_a_reader_sees() -> None:
    text = (
        "# A *b*  c #\n\nA [295x](fig:a) `x  y`,\n\t$z_1$ &amp; \\* <b>d</b><br>e[^1] ![alt](u) [@c].<!-- f -->\n\n"
        "```\ncode\n```\n\n[^1]: note"
    )
    assert read_prose(text).plain == "A b c\nA 295x x y, z_1 & * d e alt.\nnote"


def test_every_plain_character_leads_back_to_the_source() -> None:
    text = "> A **b** &times; \\[ `c`\n> d\n\n| e | f\\|g |\n|---|---|\n"
    reading = read_prose(text)
    assert reading.plain == "A b × [ c d\ne\nf|g"
    for offset, char in enumerate(reading.plain):
        seen = text[reading.source_at(offset)]
        assert seen == char or char in " \n" or (char, seen) == ("×", "&")


TEXT = (
    "Decode is slow. An MHA cache sits [295x](fig:mha) below the ridge, GQA-8 [37x](fig:gqa). "
    "It is *not* [4](fig:x) fine.\n\n"
    "An MHA cache is [512 KiB](fig:kv) large; `n_q` counts."
)


@pytest.mark.parametrize(
    ("effect", "targets"),
    [
        ("An MHA cache sits …", ["fig:mha", "fig:gqa"]),
        ("An MHA cache sits...", ["fig:mha", "fig:gqa"]),
        ("below the ridge …", ["fig:gqa"]),
        ("An MHA cache sits 295x below the ridge, GQA-8 37x.", ["fig:mha", "fig:gqa"]),
        ("GQA-8 37x. It is not 4 fine.", ["fig:mha", "fig:gqa", "fig:x"]),
        ("An MHA cache sits [295x](fig:mha) below", ["fig:mha", "fig:gqa"]),
        ("It is *not* …", ["fig:x"]),
        ("It  is\nnot 4 fine.", ["fig:x"]),
        ("large; `n_q` counts.", ["fig:kv"]),
        ("Decode is slow.", []),
        ("Decode is slow. …", []),
    ],
)
def test_find(effect: str, targets: list[str]) -> None:
    (passage,) = read_prose(TEXT).find(effect)
    assert [link.target for link in passage.links] == targets


def test_find_gives_the_place() -> None:
    reading = read_prose(TEXT)
    (passage,) = reading.find("An MHA cache sits …")
    assert reading.plain[passage.start : passage.end] == "An MHA cache sits 295x below the ridge, GQA-8 37x."
    assert TEXT[passage.source_start : passage.source_end] == (
        "An MHA cache sits [295x](fig:mha) below the ridge, GQA-8 [37x](fig:gqa)."
    )


@pytest.mark.parametrize(
    ("effect", "count"), [("An MHA cache …", 2), ("MHA", 2), ("n MHA", 0), ("MHA cach …", 0), ("", 0), ("…", 0)]
)
def test_find_counts_whole_words(effect: str, count: int) -> None:
    assert len(read_prose(TEXT).find(effect)) == count


def test_find_takes_unbreakable_spaces_for_spaces() -> None:
    assert len(read_prose("It is 512\u00a0KiB&nbsp;large").find("512 KiB large")) == 1
