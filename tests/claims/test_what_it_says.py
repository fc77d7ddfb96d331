"""What a verdict says besides: of which symbols a claim says nothing; and that a claim is only tested."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from conftest import TinyBase

from claims.claiming import verdict
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
