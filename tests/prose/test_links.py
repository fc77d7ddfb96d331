"""Links: what a reader sees of them, where that stands, and where they lead."""

from __future__ import annotations

import pytest

from flopkb.arithmetic.prose import Link, Target, TargetError, read_prose

from .marked import marked


def only(text: str) -> Link:
    (link,) = read_prose(text).links
    return link


def test_a_plain_link() -> None:
    #             0         1         2         3
    #             0123456789012345678901234567890123456
    link = only("a cache sits [295x](fig:gap) below it")
    assert (link.text, link.text_start, link.text_end) == ("295x", 14, 18)
    assert (link.start, link.end) == (13, 28)
    assert (link.scheme, link.target, link.target_start) == ("fig", "fig:gap", 20)
    assert link.parsed == Target("fig", None, "gap", 24)
    assert not link.code
    assert not link.math
    assert (link.plain_start, link.plain_end) == (13, 17)


@pytest.mark.parametrize("scheme", ["fig:a", "in:a.b", "fact:a.b", "lit:year", "claim:a"])
def test_every_scheme(scheme: str) -> None:
    link = only(f"[2]({scheme})")
    assert link.scheme == scheme.partition(":")[0]
    assert isinstance(link.parsed, Target)


@pytest.mark.parametrize("target", ["https://a.b", "gap", "#fig:gap", "mailto:fig:a", "fig"])
def test_other_destinations_are_no_links_of_ours_and_their_numbers_are_bare(target: str) -> None:
    reading = read_prose(f"[295x]({target})")
    assert reading.links == ()
    assert [number.text for number in reading.bare] == ["295x"]


@pytest.mark.parametrize(
    "target", ["figs:gap", "FIG:gap", "facts:gpu.memory", "Fact:gpu.memory", "figure:gap", "clam:a"]
)
def test_a_misspelt_scheme_is_a_link_that_says_so(target: str) -> None:
    assert isinstance(only(f"[295x]({target})").parsed, TargetError)


def test_a_bad_target_is_still_a_link() -> None:
    link = only("[2](lit:why)")
    assert link.parsed == TargetError("lit", link.parsed.reason, 8)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "source",
    [
        "[«295x»](fig:g)",
        "[**«295x»**](fig:g)",
        "**[«295x»](fig:g)**",
        "[_«295x»_](fig:g)",
        "[***«295x»***](fig:g)",
        "[ «295x» ](fig:g)",
        '[«295x»](fig:g "a title")',
        "[«295x»](<fig:g>)",
        "[«295x»]( fig:g )",
        "[«295x»](\nfig:g\n)",
        "![an image](u.png)[«295x»](fig:g)",
        "![[«295x»](fig:g)](u.png)",
        "[a] [«295x»](fig:g) [b]",
        "[[«295x»](fig:g)]",
        "# [«295x»](fig:g) #",
        "> [«295x»](fig:g)",
        "- [«295x»](fig:g)",
        "1. - > [«295x»](fig:g)",
        "| h |\n|---|\n| [«295x»](fig:g) |",
        "[^n]: [«295x»](fig:g)",
        "[^n]: one\n\n    [«295x»](fig:g)",
        "price $a [«295x»](fig:g) and $b",
        "a < b [«295x»](fig:g) > c",
        "`code` [«295x»](fig:g) `code`",
        "![«295x»][r] [«295x»][r]\n\n[r]: fig:g".replace("![«295x»]", "![x]"),
        "[«295x»]\n\n[295X]: fig:g",
        "[«295x»][]\n\n[295x]: <fig:g> 'title'",
        "[«295x»][the label]\n\n[The\n  Label]:\n  fig:g\n",
        "> [r]: fig:g\n\n[«295x»][r]",
    ],
)
def test_the_text_is_found_whatever_surrounds_it(source: str) -> None:
    text, ((start, end),) = marked(source)
    link = only(text)
    assert (link.text, link.text_start, link.text_end) == ("295x", start, end)
    assert text[link.target_start :].startswith(link.target)
    assert link.target == "fig:g"
    assert read_prose(text).bare == ()


@pytest.mark.parametrize(
    "source",
    [
        r"\[295x](fig:g)",
        r"[295x\](fig:g)",
        "`[295x](fig:g)`",
        "``[295x](fig:g) ` x``",
        "    [295x](fig:g)",
        "```\n[295x](fig:g)\n```",
        "~~~\n[295x](fig:g)",
        "<!-- [295x](fig:g) -->",
        "[295x] (fig:g)",
        "[295x](fig:g h)",
        "[295x](fig:g",
        "[295x](fig:g 'title)",
        "[295x\n\n](fig:g)",
        '<a title="[295x](fig:g)">',
        "<div>\n[295x](fig:g)\n</div>",
        "[295x][r]",
        "[295x][r]\n\n`[r]: fig:g`",
        "text\n[r]: fig:g\n\n[295x][r]",
        "![295x](fig:g)",
    ],
)
def test_what_only_looks_like_a_link(source: str) -> None:
    assert read_prose(source).links == ()


def test_links_do_not_nest_the_inner_one_counts() -> None:
    text, ((start, end),) = marked("[a [«4»](fig:in) b](fig:out)")
    link = only(text)
    assert (link.target, link.text_start, link.text_end) == ("fig:in", start, end)


def test_an_equation_in_backticks_is_the_text_within_them() -> None:
    text, ((start, end),) = marked("so [`«2*32*32 = 2 KiB/token»`](fig:kv) it is")
    link = only(text)
    assert link.code
    assert (link.text, link.text_start, link.text_end) == ("2*32*32 = 2 KiB/token", start, end)
    reading = read_prose(text)
    assert reading.equations == ()
    assert reading.plain == "so 2*32*32 = 2 KiB/token it is"


@pytest.mark.parametrize("source", ["[`` «2 = 2» ``](fig:kv)", "[**`«2 = 2»`**](fig:kv)", "[ `«2 = 2»` ](fig:kv)"])
def test_backticks_may_be_doubled_padded_or_emphasised(source: str) -> None:
    text, ((start, end),) = marked(source)
    link = only(text)
    assert (link.code, link.text_start, link.text_end) == (True, start, end)


def test_mathematics_is_the_text_within_the_dollars() -> None:
    text, ((start, end),) = marked(r"[$«2 \cdot 3 = 6»$](fig:kv)")
    link = only(text)
    assert (link.code, link.math, link.text) == (False, True, r"2 \cdot 3 = 6")
    assert (link.text_start, link.text_end) == (start, end)


def test_a_text_with_more_than_code_is_no_code() -> None:
    link = only("[`a` is 4](fig:kv)")
    assert (link.code, link.text) == (False, "a is 4")


def test_a_line_break_in_the_text_is_a_space() -> None:
    text, ((start, end),) = marked("> sits [«about\n> 295x»](fig:g) below")
    link = only(text)
    assert (link.text, link.text_start, link.text_end) == ("about 295x", start, end)


def test_a_link_split_over_lines_between_text_and_target() -> None:
    text, ((start, end),) = marked("sits [«295x»](\n  fig:g?h100&L=4) below")
    link = only(text)
    assert (link.text_start, link.text_end, link.target) == (start, end, "fig:g?h100&L=4")


def test_escapes_and_entities_in_the_text() -> None:
    text, ((start, end),) = marked(r"[«2\*3 &times; &#52; \[a\]»](fig:g)")
    link = only(text)
    assert link.text == "2*3 × 4 [a]"
    assert (link.text_start, link.text_end) == (start, end)


def test_escaped_pipes_in_a_table_are_part_of_the_cell() -> None:
    text = "| a | b |\n|---|---|\n| [4](fig:g?x=a\\|b) | 2\\|3 |\n"
    reading = read_prose(text)
    (link,) = reading.links
    assert link.target == "fig:g?x=a|b"
    assert isinstance(link.parsed, Target)
    assert link.parsed.inputs[0].value == "a|b"
    assert [(number.text, number.start) for number in reading.bare] == [
        ("2", text.index("2")),
        ("3", text.index("3 |")),
    ]


def test_angle_brackets_let_a_target_hold_spaces() -> None:
    link = only("[4](<fig:g?L=16 Ki>)")
    assert link.target == "fig:g?L=16 Ki"
    assert isinstance(link.parsed, Target)
    assert link.parsed.inputs[0].value == "16 Ki"


def test_the_target_is_raw_and_its_escapes_are_resolved_when_it_is_parsed() -> None:
    link = only(r"[4](fig:g?x=a\)b)")
    assert link.target == r"fig:g?x=a\)b"
    assert isinstance(link.parsed, Target)
    assert link.parsed.inputs[0].value == "a)b"


def test_parentheses_balance_in_a_target() -> None:
    link = only("([4](fig:g?L=2*(3+1)))")
    assert link.target == "fig:g?L=2*(3+1)"


def test_an_empty_text_has_its_place() -> None:
    link = only("see [](fig:g)")
    assert (link.text, link.text_start, link.text_end) == ("", 5, 5)


def test_an_autolink_shows_its_target() -> None:
    link = only("see <fig:gap>")
    assert (link.text, link.text_start, link.text_end, link.target) == ("fig:gap", 5, 12, "fig:gap")


def test_links_are_in_the_order_of_the_text_and_twins_keep_their_places() -> None:
    text, spans = marked("| a |\n|---|\n| [«4»](fig:g) |\n\n[«4»](fig:g), [«4»](fig:g)\n> [«5»](fig:g)")
    assert [(link.text_start, link.text_end) for link in read_prose(text).links] == spans


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_all_line_endings(newline: str) -> None:
    text, spans = marked("# a\n\n> b [«295x»](fig:g)\n> and [«37x\n> more»](fig:h)\n".replace("\n", newline))
    links = read_prose(text).links
    assert [(link.text_start, link.text_end) for link in links] == spans
    assert [link.text for link in links] == ["295x", "37x more"]


def test_citations() -> None:
    text, spans = marked(
        "as KIVI [@«kivi_2024»] and others [@«a»; @«b», p. 7] say, [see @«c»]; me@home.org [@x](https://y.z)"
    )
    reading = read_prose(text)
    assert [(c.start, c.end) for c in reading.citations] == spans
    assert [c.id for c in reading.citations] == ["kivi_2024", "a", "b", "c"]
    assert reading.plain.startswith("as KIVI and others [@a; @b, p. 7] say")


@pytest.mark.parametrize("source", ["[me@home.org]", "`[@a]`", "[@]", "[@a and more words]", r"\[@a]", "[@a"])
def test_what_is_no_citation(source: str) -> None:
    assert read_prose(source).citations == ()
