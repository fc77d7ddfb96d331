"""What a verdict says besides: of which symbols a claim says nothing; and that a claim is only tested."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from conftest import TinyBase

from claims.claiming import verdict
from flopkb.base.claims import claims_of
from flopkb.base.claims.verdicts import Invalid, Proved
from flopkb.commands.main import main


@pytest.mark.parametrize(
    ("expr", "names", "unread"),
    [
        ("x*v/v", "v", ""),  # it cancels: that is something to say
        ("x*v/v", "v, big", "big"),
        ("x*v/v", "v, big, r", "big, r"),
        ("x + 0*z", "z", ""),
    ],
)
def test_symbols_that_a_formula_cannot_contain_do_not_count(base: TinyBase, expr: str, names: str, unread: str) -> None:
    found = verdict(base, f"formula: f, independent_of: [{names}]", expr)
    assert isinstance(found, Proved)
    assert found.note == (f"it says nothing of {unread}: f does not read them" if unread else "")


def test_a_claim_on_nothing_but_such_symbols_is_none(base: TinyBase) -> None:
    found = verdict(base, "formula: f, independent_of: [big, r]", "x*v/v")
    assert isinstance(found, Invalid)
    assert str(found) == "f does not read big, r at all, so this says nothing; leave it out"


TESTED = """symbols:
  x: {meaning: a number, domain: {integer: [1, 1000]}}
  v: {meaning: another, domain: {integer: [1, 1000]}}
formulas:
  f: {expr: x*v, unit: "1"}
claims:
  - {id: near_miss, at_most: ["0", "(ceil(x/2)*v - 853493)**2"]}
  - {id: sure, at_most: ["0", f]}
derivation: |
  It is [never so](claim:near_miss), and [always positive](claim:sure).
"""


def test_a_link_to_a_claim_that_is_only_tested_shows_it(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(base.folder)
    base.formula("speed", TESTED)
    monkeypatch.setattr("flopkb.arithmetic.prover.solver.available", lambda: False)
    shown = CliRunner().invoke(main, ["show", "speed"]).output
    assert "never so (tested), and always positive." in shown
    assert "of 1,000,000 points" in shown
    for form, file in (("markdown", "formulas/speed.md"), ("html", "formulas/speed.html")):
        assert CliRunner().invoke(main, ["export", form, "--output", form]).exit_code == 0
        page = next(base.folder.glob(f"{form}/**/speed.{file[-2:] if form == 'markdown' else 'html'}")).read_text(
            "utf-8"
        )
        assert "(tested)" in page and page.count("(tested)") == 1


PART = """id: {id}
kind: accelerator
name: Part {id}
status: verified
updated: 2026-01-05
vendor: Maker
memory_bandwidth: {{value: {bandwidth} GB/s, basis: recorded, source: sheet, as_printed: {bandwidth} GB/s}}
memory_capacity: {{value: 80 GB, basis: recorded, source: sheet, as_printed: 80 GB}}
"""
NAMED = """symbols:
  x: {meaning: bytes read, unit: byte, domain: {integer: [1, 1000]}}
  bandwidth: {meaning: bandwidth, unit: byte/s, from: accelerator.memory_bandwidth}
formulas:
  f: {expr: x/bandwidth, unit: s}
claims:
  - {id: named, at_most: [f, "BOUND"], given: {accelerator: gpu}}
"""


@pytest.mark.parametrize(
    ("bound", "other", "general"),
    [
        ("1000/(2*10**12)", 3000, True),  # the other part is faster, so it holds there too
        ("1000/(2*10**12)", 1000, False),
        ("1000/(2*10**12)", None, False),  # there is no other part
    ],
)
def test_a_claim_that_holds_for_the_whole_kind_says_so(
    base: TinyBase, bound: str, other: int | None, general: bool
) -> None:
    base.formula("t", NAMED.replace("BOUND", bound))
    if other is not None:
        base.write("accelerators/rival.yaml", PART.format(id="rival", bandwidth=other))
    found = claims_of(base.evaluate()).told("t", "named")
    assert isinstance(found, Proved)
    note = "it holds for every other accelerator of the base that it can be asked of, so it says nothing of gpu"
    assert found.note == (note if general else "")


def test_a_rendered_document_shows_it_too(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flopkb.arithmetic.prover.solver.available", lambda: False)
    base.formula("speed", TESTED)
    template = base.folder / "page.md.j2"
    text = "---\ntitle: A page\n---\n\nIt is [never so](claim:speed.near_miss), and [positive](claim:speed.sure).\n"
    template.write_text(text, encoding="utf-8")
    page = base.folder / "page.md"
    made = CliRunner().invoke(main, ["render", str(template), "-o", str(page), "--records", str(base.records)])
    assert made.exit_code == 0, made.output
    assert "never so (tested), and positive." in page.read_text("utf-8")
