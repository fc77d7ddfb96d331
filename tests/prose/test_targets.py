"""The text behind a scheme, taken apart, with the place of each part."""

from __future__ import annotations

import pytest

from flopkb.arithmetic.prose import LITERAL_REASONS, Input, Target, TargetError, parse_target


def parsed(target: str, start: int = 0) -> Target:
    result = parse_target(target, start)
    assert isinstance(result, Target), result
    return result


def refused(target: str, start: int = 0) -> TargetError:
    result = parse_target(target, start)
    assert isinstance(result, TargetError), result
    return result


def test_figure_of_the_record_itself() -> None:
    assert parsed("fig:gap_mha") == Target("fig", None, "gap_mha", 4)


def test_figure_of_another_record() -> None:
    target = parsed("fig:other_record.gap")
    assert (target.record, target.name, target.offset) == ("other_record", "gap", 4)
    assert target.dotted == "other_record.gap"


def test_formula_with_inputs_and_points() -> None:
    #                  0         1         2
    #                  0123456789012345678901234567
    target = parsed("fig:gap?h100&model=llama_70b&L=8", 100)
    assert target.points == (("h100", 108),)
    assert target.inputs == (Input("model", "llama_70b", 113, 119), Input("L", "8", 129, 131))


def test_values_are_percent_decoded_and_keep_what_is_not_encoded() -> None:
    target = parsed("fig:size?L=16%20Ki&u=25%&e=8*n_kv&d=model.head_dim&x=a%3Db%26c&t=%C3%97")
    assert [(given.key, given.value) for given in target.inputs] == [
        ("L", "16 Ki"),
        ("u", "25%"),
        ("e", "8*n_kv"),
        ("d", "model.head_dim"),
        ("x", "a=b&c"),
        ("t", "×"),
    ]


def test_markdown_escapes_and_entities_are_resolved_and_offsets_stay_true() -> None:
    #                0         1         2
    #                012345678901234567890123456
    target = parsed(r"fig:n\_kv?h100&amp;B=2\*3", 10)
    assert target.name == "n_kv"
    assert target.points == (("h100", 20),)
    assert target.inputs == (Input("B", "2*3", 29, 31),)


@pytest.mark.parametrize(
    ("target", "record", "name"),
    [
        ("in:long.s", None, "long.s"),
        ("in:decode.gap_mqa.n_q", "decode", "gap_mqa.n_q"),
        ("fact:memory_bandwidth", None, "memory_bandwidth"),
        ("fact:nvidia_h100_sxm.peak_flops.bf16", "nvidia_h100_sxm", "peak_flops.bf16"),
        ("claim:below_the_roof", None, "below_the_roof"),
        ("claim:decode.below_the_roof", "decode", "below_the_roof"),
    ],
)
def test_the_record_is_the_first_name_where_there_is_one_more_than_needed(
    target: str, record: str | None, name: str
) -> None:
    result = parsed(target)
    assert (result.record, result.name) == (record, name)


def test_fact_as_a_source_states_it() -> None:
    target = parsed("fact:llama.num_heads@the_card", 7)
    assert (target.record, target.name) == ("llama", "num_heads")
    assert (target.at_source, target.source_offset) == ("the_card", 7 + len("fact:llama.num_heads@"))


@pytest.mark.parametrize("reason", LITERAL_REASONS)
def test_every_literal_reason(reason: str) -> None:
    assert parsed(f"lit:{reason}").reason == reason


@pytest.mark.parametrize(
    ("target", "offset", "says"),
    [
        ("fig:", 3, "fig:name"),
        ("fig:a.b.c", 4, "3 names"),
        ("fig:a..b", 6, "empty name"),
        ("fig:2x", 4, "where a name belongs"),
        ("fig:gap-mha", 7, "`-`"),
        ("fig:gap?", 8, "empty name"),
        ("fig:gap?B=", 10, "without a value"),
        ("fig:gap?B=%20", 10, "without a value"),
        ("fig:gap?B=1&B=2", 12, "twice"),
        ("fig:gap?h100&&B=1", 13, "empty name"),
        ("fig:gap?=1", 8, "empty name"),
        ("fig:gap@x", 7, "only fact:"),
        ("in:x", 3, "1 name"),
        ("in:a.b.c.d", 3, "4 names"),
        ("fact:a.b?c", 8, "only fig:"),
        ("fact:a.b@", 8, "no source"),
        ("fact:a.b@c d", 10, "` `"),
        ("lit:becuase", 4, "ordinal, year"),
        ("lit:", 3, "lit:reason"),
        ("claim:a.b.c", 6, "3 names"),
        ("figure:gap", 0, "fig:"),
    ],
)
def test_what_cannot_be_read_says_where_and_why(target: str, offset: int, says: str) -> None:
    error = refused(target, 50)
    assert error.offset == 50 + offset
    assert says in error.reason
