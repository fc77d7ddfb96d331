"""What bare numbers could quote: proposed best first, put in only where it is clear."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import TinyBase

from flopkb.base.loading import load_base
from flopkb.checking.check import check
from flopkb.commands.link import LinkOptions, link_command
from flopkb.editing.files import Files
from flopkb.editing.link import Proposal, proposals

RECORD = """symbols:
  n: {meaning: KV heads, from: model.num_key_value_heads, domain: {integer: [1, 64]}}
  s: {meaning: steps, domain: {integer: [1, 100000]}}
formulas:
  work: {expr: 100*n*s, unit: flop}
  share: {expr: 1 / (n*n), unit: "1"}
  ridge: {expr: cache.ridge*1, unit: flop/byte}
points:
  llm: {model: llm}
figures:
  long: {formula: work, with: {s: 4096}, at: llm}
derivation: |
  Long runs take [3276800 flop](fig:long), [4,096](in:long.s) steps and [1.6%](fig:share?llm).
"""


def found(base: TinyBase, prose: str) -> list[Proposal]:
    """The proposals for a sentence."""
    base.formula("speed", f"{RECORD}  {prose}\n")
    evaluation = base.evaluate()
    return list(proposals(evaluation.kb.records["speed"], evaluation))


@pytest.mark.parametrize(
    ("prose", "link"),
    [
        ("That is 3,276,800 in all.", "[3,276,800](fig:long)"),
        ("That is about 3.3M.", "[about 3.3M](fig:long)"),
        ("After 4096 steps.", "[4096](in:long.s)"),
        ("A part has 400 TFLOP/s.", "[400 TFLOP/s](fact:gpu.peak_flops.bf16)"),
        ("A part reads 2 TB/s.", "[2 TB/s](fact:gpu.memory_bandwidth)"),
        ("A model has 30 layers.", "[30](fact:llm.num_hidden_layers)"),
        ("With A part and BF16 it is 200 flop/byte.", "[200 flop/byte](fig:ridge?accelerator=gpu&dtype=bf16)"),
    ],
)
def test_the_likeliest_comes_first(base: TinyBase, prose: str, link: str) -> None:
    (proposal,) = found(base, prose)
    first = proposal.matches[0]
    assert f"[{first.quantity.text}]({first.candidate.target})" == link
    assert first.reason


@pytest.mark.parametrize("prose", ["There are 8 of them.", "It is 2 here.", "It is 777.", "Take 4 steps."])
def test_small_numbers_and_unknown_ones_are_not_clear(base: TinyBase, prose: str) -> None:
    (proposal,) = found(base, prose)
    assert proposal.clear is None and proposal.edit() is None


def test_a_record_without_bare_numbers_has_no_proposals(base: TinyBase) -> None:
    assert found(base, "Nothing more.") == []


def linked(base: TinyBase, record: str, *, write: bool) -> tuple[str, int]:
    """What the command says."""
    outcome = link_command(LinkOptions(record, base.records, write))
    assert not outcome.error
    return outcome.text, outcome.code


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_clear_links_are_written_and_nothing_else(base: TinyBase, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(base.folder)
    file = base.formula("speed", f"{RECORD}  In all 3,276,800 *over*   4096 steps; 8 heads.\n# end\n")
    old = file.read_bytes().replace(b"\n", end.encode())
    file.write_bytes(old)
    text, code = linked(base, "speed", write=False)
    assert code == 0 and file.read_bytes() == old
    assert "* [3,276,800](fig:long)" in text and "3 bare numbers, 2 with a clear link" in text
    text, code = linked(base, "records/formulas/speed.yaml", write=True)
    wanted = old.replace(b"In all 3,276,800", b"In all [3,276,800](fig:long)").replace(
        b"  4096", b"  [4096](in:long.s)"
    )
    assert file.read_bytes() == wanted
    assert "2 links written, 1 bare number left" in text
    linked(base, "speed", write=True)
    assert file.read_bytes() == wanted


def test_a_link_that_would_break_the_file_is_not_written(base: TinyBase) -> None:
    """In a plain flow scalar a bracket has a meaning of its own."""
    file = base.formula("speed", RECORD + "history:\n  - {date: 2026-01-05, change: now 3276800}\n")
    old = file.read_bytes()
    outcome = link_command(LinkOptions("speed", base.records, True))
    assert file.read_bytes() == old
    assert "0 links written, 1 bare number left" in outcome.text
    assert Files(load_base(base.records, base.folder)).evaluated().kb.records["speed"]


def test_an_unknown_record_is_a_usage_fault(base: TinyBase) -> None:
    from flopkb.commands import UsageFault

    base.formula("speed", RECORD)
    with pytest.raises(UsageFault, match="did you mean speed"):
        link_command(LinkOptions("sped", base.records))
    with pytest.raises(UsageFault, match="does not exist"):
        link_command(LinkOptions("speed", Path("/nowhere/records")))


@pytest.mark.parametrize(
    ("prose", "wanted"),
    [
        ("It holds more than 80 GB.", "It holds more than 80 GB."),
        ("It holds more than 79 GB.", "It holds [more than 79 GB](fact:gpu.memory_capacity)."),
        ("It holds *more than* 80 GB.", "It holds *more than* 80 GB."),
        ("It holds *more* than 79 GB.", "It holds *more* than 79 GB."),
        ("It moves 80 GB per second.", "It moves 80 GB per second."),
        ("It moves 80 GB a second.", "It moves 80 GB a second."),
        ("It moves 80 GB/s.", "It moves 80 GB/s."),
        ("It moves 80 GB per month.", "It moves 80 GB per month."),
        ("It reads over 2 TB/s.", "It reads over 2 TB/s."),
        ("It reads over 1,9 TB/s.", "It reads over 1,9 TB/s."),
        ("It reads over 1.9 TB/s.", "It reads [over 1.9 TB/s](fact:gpu.memory_bandwidth)."),
        ("It reads up to 2 TB/s.", "It reads [up to 2 TB/s](fact:gpu.memory_bandwidth)."),
        ("It reads at least 1-2 TB/s.", "It reads at least 1-2 TB/s."),
        ("It holds about 80 GB.", "It holds [about 80 GB](fact:gpu.memory_capacity)."),
        ("It holds **about 80** GB.", "It holds **about 80** GB."),
        ("It holds -80 GB.", "It holds -80 GB."),
        ("That is 16 GB less than 80 GB.", "That is 16 GB less than [80 GB](fact:gpu.memory_capacity)."),
    ],
)
def test_a_quantity_is_linked_whole_or_not_at_all(base: TinyBase, prose: str, wanted: str) -> None:
    file = base.formula("speed", f"{RECORD}  A part: {prose}\n")
    linked(base, "speed", write=True)
    assert wanted in file.read_text(encoding="utf-8")
    assert not [d for d in check(base.evaluate()).diagnostics if d.rule in ("partial-quantity", "unreadable-number")]
