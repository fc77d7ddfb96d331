"""Every rule against its fixtures: tiny bases with the findings that are right, each written out in full.

A case is a folder ``tests/fixtures/<rule>/invalid/<what is wrong>/`` or ``.../valid/<what only looks wrong>/`` with
a ``records/`` folder, or with documents and their data, laid over the neutral records. An invalid one has an ``expected.txt``: every finding of the
base, in order. A valid one has no finding at all.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from flopkb.arithmetic.diagnostics import Severity
from flopkb.base.evaluate import Evaluation
from flopkb.checking.check import check
from flopkb.checking.findings import Finding, Rule
from flopkb.checking.rules import RULES

FIXTURES = Path(__file__).parents[1] / "fixtures"
LONGEST = 300


def cases(kind: str) -> dict[str, Path]:
    """The cases of a kind by name: ``cycle/two-formulas``."""
    folders = sorted({file.parent for name in ("records", "*.md") for file in FIXTURES.glob(f"*/**/{kind}/*/{name}")})
    return {f"{rule_of(folder)}/{folder.name}": folder for folder in folders}


def rule_of(case: Path) -> str:
    """The rule that a case is about."""
    return case.relative_to(FIXTURES).parts[0]


INVALID, VALID = cases("invalid"), cases("valid")


@pytest.fixture(scope="session")
def evaluated(tmp_path_factory: pytest.TempPathFactory):
    """Each case as an evaluated base, made once."""
    from conftest import NEUTRAL, TinyBase

    @cache
    def evaluate(case: Path) -> Evaluation:
        folder = tmp_path_factory.mktemp("case")
        shutil.copytree(NEUTRAL / "records", folder / "records")
        base = TinyBase(folder)
        base.overlay(case)
        return base.evaluate(base.documents())

    return evaluate


def lines(base: Evaluation, rules: tuple[Rule, ...] = RULES) -> list[str]:
    """All findings, each on one line."""
    result = check(base, rules)
    assert not result.crashes
    return [f"{d.location}: {d.severity.value}: {d.rule}: {d.message}" for d in result.diagnostics]


def expected(case: Path) -> list[str]:
    """The findings that are right."""
    return (case / "expected.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", INVALID)
def test_what_is_wrong_is_found_where_it_stands(name: str, evaluated) -> None:
    assert lines(evaluated(INVALID[name])) == expected(INVALID[name])


@pytest.mark.parametrize("name", VALID)
def test_what_only_looks_wrong_passes(name: str, evaluated) -> None:
    assert lines(evaluated(VALID[name])) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_that_finds_nothing_fails_its_fixtures(rule: Rule, evaluated) -> None:
    def nothing(*_: object) -> tuple[Finding, ...]:
        return ()

    gutted = tuple(replace(other, run=nothing) if other is rule else other for other in RULES)
    for case in INVALID.values():
        if rule_of(case) == rule.id:
            assert lines(evaluated(case), gutted) != expected(case), case


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_has_cases_of_both_kinds(rule: Rule) -> None:
    wrong = [case for case in INVALID.values() if rule_of(case) == rule.id]
    right = [case for case in VALID.values() if rule_of(case) == rule.id]
    assert wrong and len(right) >= 2
    for case in wrong:
        assert any(f": {rule.id}: " in line for line in expected(case)), case


@pytest.mark.parametrize("name", INVALID)
def test_messages_are_short_and_on_one_line(name: str, evaluated) -> None:
    for found in check(evaluated(INVALID[name])).diagnostics:
        assert 0 < len(found.message) < LONGEST
        assert found.message == " ".join(found.message.split())
        assert found.location.line >= 1 and found.location.column >= 1 and found.length >= 1


@pytest.mark.parametrize("name", INVALID)
def test_the_caret_stays_on_its_line(name: str, evaluated) -> None:
    """``length`` is what the text report underlines: it must end where the line does."""
    base = evaluated(INVALID[name])
    sources = {r.path: r.document.source.split("\n") for r in (*base.kb.records.values(), *base.kb.twins)}
    for found in check(base).diagnostics:
        if found.location.path in sources:
            line = sources[found.location.path][found.location.line - 1]
            assert found.location.column - 1 + found.length <= len(line), (found, line)


@pytest.mark.parametrize(
    "name", sorted(set(INVALID) & {f"{rule.id}/{c.name}" for rule in RULES for c in INVALID.values()})
)
def test_in_a_draft_the_same_is_a_warning(name: str, tmp_path: Path) -> None:
    """Whatever record holds a finding: once it is a draft, nothing of it is an error."""
    from conftest import NEUTRAL, TinyBase

    shutil.copytree(NEUTRAL / "records", tmp_path / "records")
    base = TinyBase(tmp_path)
    base.overlay(INVALID[name])
    unread = {line.split(":")[0] for line in expected(INVALID[name]) if ": yaml: " in line or ": file: " in line}
    for file in base.records.rglob("*.yaml"):
        text = file.read_bytes().decode("utf-8", "surrogateescape")
        file.write_bytes(text.replace("status: verified", "status: draft").encode("utf-8", "surrogateescape"))
    for found in base.check().diagnostics:
        if found.location.path not in unread and "unknown-kind" not in name:
            assert found.severity is Severity.WARNING, found
