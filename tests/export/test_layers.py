"""Formulas with cases and models of several layers, as pages and the terminal show them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import NEUTRAL, TinyBase
from layers.stacks import CACHE, MODEL, VOCABULARY, WINDOWS, base_of

from flopkb.arithmetic.formula import parse_case
from flopkb.base.link import FormulaRef
from flopkb.commands.main import main
from flopkb.publishing.pages.mathematics import Notation, condition_tex, formula_tex, math, spelled


@pytest.fixture
def layered(base: TinyBase) -> TinyBase:
    base.write("vocabularies/words.yaml", VOCABULARY.lstrip())
    base.write("formulas/keeps.yaml", CACHE.lstrip().replace("id: cache", "id: keeps"))
    base.formula("bounded", "formulas:\n  f: {expr: L, unit: token, requires: [{that: L <= 9, else: it is long}]}\n")
    base.write("models/windows.yaml", MODEL.format(id="windows") + WINDOWS)
    return base


def ran(*arguments: str) -> str:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    return done.output


def test_the_terminal_shows_the_layers_in_order_and_what_each_part_is(layered: TinyBase) -> None:
    shown = ran("show", "windows", "--records", str(layered.records))
    rows = [line.split() for line in shown.partition("LAYERS\n")[2].splitlines()]
    assert rows == [
        ["1", "full", "dense"],
        ["2", "times:", "2", "local", "routed"],
        ["then", "1", "again", "routed"],
        ["1", "none", "dense"],
        ["full", "full_attention", "1"],
        ["local", "sliding_attention", "4"],
        ["again", "full_attention", "2", "reuses:", "full"],
        ["dense", "gated", "2"],
        ["routed", "mixture_of_experts", "6", "experts:", "gated"],
    ]


def test_each_case_and_each_requirement_has_a_line_of_its_own(layered: TinyBase) -> None:
    lines = [line.strip() for line in ran("show", "keeps", "--records", str(layered.records)).splitlines()]
    at = next(place for place, line in enumerate(lines) if line.startswith("kept "))
    assert lines[at].split() == ["kept", "by", "case:", "token"]
    assert lines[at + 1 : at + 3] == [
        "L where mixer_type in [full_attention, latent_attention]",
        "min(L, window) where mixer_type == sliding_attention",
    ]
    assert "    requires L <= 9, else: it is long" in ran("show", "bounded", "--records", str(layered.records))


def test_the_site_shows_a_brace_and_no_field_twice(layered: TinyBase, tmp_path: Path) -> None:
    ran("export", "html", "--records", str(layered.records), "--output", str(tmp_path / "site"))
    formulas = (tmp_path / "site/formulas/keeps.html").read_text(encoding="utf-8")
    cased = [name for name, formula in base_of().kb.records["cache"].formulas.items() if len(formula.cases) > 1]
    assert formulas.count("<mtable") == len(cased)
    model = (tmp_path / "site/models/windows.html").read_text(encoding="utf-8")
    assert "mixers full type" not in model
    assert "<code>sliding_attention</code>" in model


CONDITIONS = {
    "t == latent_attention": r"t = \text{latent attention}",
    "t in [gated, plain]": r"t \in \{\mathrm{gated},\, \mathrm{plain}\}",
    "t in keeps_kv and not a": r"t \in \text{keeps kv} \text{ and } \text{not } a",
    "not (a or has(b))": r"\text{not } (a \text{ or } \text{has } b)",
    "a and (b or L <= 2*c)": r"a \text{ and } (b \text{ or } L \le 2 c)",
}


@pytest.mark.parametrize("text", CONDITIONS)
def test_a_condition_as_tex(text: str) -> None:
    made = condition_tex(parse_case(text), lambda name: spelled(str(name)))
    assert made == CONDITIONS[text]
    assert math(made) is not None


def test_cases_as_tex_have_a_brace() -> None:
    kb = base_of().kb
    made = formula_tex(kb.formulas[FormulaRef("weights", "matrices")], Notation(kb, {}))
    experts = r"\text{if } \mathrm{experts} ="
    assert made == rf"\begin{{cases}} 3 & {experts} \mathrm{{gated}} \\ 2 & {experts} \mathrm{{plain}} \end{{cases}}"


def test_the_fields_of_neutral_records_stay(tmp_path: Path) -> None:
    ran("export", "markdown", "--records", str(NEUTRAL / "records"), "--output", str(tmp_path / "pages"))
    page = (tmp_path / "pages/models/llm.md").read_text(encoding="utf-8")
    assert "| developer |" in page
