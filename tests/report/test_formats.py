"""Report formats: what must be escaped is, and published schemas accept what is written."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import xmlschema

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity
from flopkb.checking.check import CheckResult, Crash
from flopkb.checking.formats import annotation, fingerprint, github_report, json_report, junit_report, sarif_report
from flopkb.checking.text_report import Counts, TextStyle, text_report

SCHEMAS = Path(__file__).parents[3] / "shared" / "report_schemas"
needs_schemas = pytest.mark.skipif(
    not SCHEMAS.is_dir(), reason="the published report schemas are not beside the checkout"
)
REPORT_SCHEMA = Path(__file__).parents[2] / "flopkb" / "checking" / "check_report.schema.json"

WRONG = Diagnostic(
    Location("records/a b.yaml", 3, 5),
    Severity.ERROR,
    "figure-mismatch",
    "290x is wrong: gap is 295.373x, 5.37313x off; write 295x",
    quoted="290x",
    computed="295.373x",
    length=4,
    replacement="295x",
)
HOSTILE = Diagnostic(
    Location("evil,line=9::hi.yaml", 1, 2), Severity.WARNING, "loose-bound", "100% of\r\n<b>a:b,c</b>\x01 & \ud83d"
)
RESULT = CheckResult((WRONG, HOSTILE), (Crash("cycle", "kv_cache", "KeyError: 'x'"),))
SOURCE = {"records/a b.yaml": "id: a\nnotes: |\n  is 290x(fig) here\n"}.get
COUNTS = Counts(records=2, recomputed=7, seconds=0.25)


def test_an_annotation_escapes_what_would_end_it() -> None:
    assert annotation(HOSTILE) == (
        "::warning file=evil%2Cline=9%3A%3Ahi.yaml,line=1,col=2,endColumn=3,title=flopkb loose-bound"
        "::100%25 of%0D%0A<b>a:b,c</b>\x01 & \ud83d"
    )


def test_each_finding_is_one_line_for_github() -> None:
    assert len(github_report(RESULT, "2 records").splitlines()) == 4


def test_json_has_the_contract_keys() -> None:
    report = json.loads(json_report(RESULT, COUNTS))
    assert report["findings"][0] == {
        "rule": "figure-mismatch",
        "severity": "error",
        "path": "records/a b.yaml",
        "line": 3,
        "column": 5,
        "message": WRONG.message,
        "quoted": "290x",
        "computed": "295.373x",
    }
    assert "quoted" not in report["findings"][1]
    assert report["crashes"] == [{"rule": "cycle", "record": "kv_cache", "error": "KeyError: 'x'"}]
    assert report["summary"] == {
        "records": 2,
        "documents": 0,
        "figures_recomputed": 7,
        "claims": {},
        "errors": 1,
        "warnings": 1,
    }


def test_json_keeps_to_its_published_schema() -> None:
    schema = json.loads(REPORT_SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(json_report(RESULT, COUNTS)), schema)


@needs_schemas
def test_sarif_keeps_to_the_published_schema() -> None:
    schema = json.loads((SCHEMAS / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(sarif_report(RESULT, SOURCE)), schema)


@needs_schemas
def test_junit_keeps_to_the_published_schema() -> None:
    schema = xmlschema.XMLSchema(str(SCHEMAS / "JUnit.xsd"))
    schema.validate(junit_report(RESULT))
    schema.validate(junit_report(CheckResult(())))


def test_sarif_carries_documentation_place_and_fix() -> None:
    run = json.loads(sarif_report(RESULT, SOURCE))["runs"][0]
    result = run["results"][0]
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert rule["id"] == "figure-mismatch" and "half of its last digit" in rule["help"]["text"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "records/a%20b.yaml"
    assert place["region"] == {"startLine": 3, "startColumn": 5, "endColumn": 9}
    change = result["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert change["insertedContent"] == {"text": "295x"}
    assert run["invocations"][0]["executionSuccessful"] is False


def test_a_fingerprint_stays_when_lines_move_and_differs_for_other_faults() -> None:
    moved = Diagnostic(Location("records/a b.yaml", 9, 5), WRONG.severity, WRONG.rule, WRONG.message, quoted="290x")
    other = Diagnostic(WRONG.location, WRONG.severity, "figure-truncated", WRONG.message, quoted="290x")
    line = "  is 290x(fig) here"
    assert fingerprint(WRONG, line) == fingerprint(moved, line)
    assert fingerprint(WRONG, line) != fingerprint(other, line)


def test_two_equal_findings_have_fingerprints_of_their_own() -> None:
    twice = CheckResult((WRONG, WRONG))
    prints = [
        r["partialFingerprints"]["flopkb/v1"] for r in json.loads(sarif_report(twice, SOURCE))["runs"][0]["results"]
    ]
    assert len(set(prints)) == 2


def test_text_points_at_the_number_and_sums_up() -> None:
    report = text_report(CheckResult((WRONG,)), COUNTS, SOURCE, TextStyle())
    assert report.splitlines() == [
        "records/a b.yaml:3:5: error: figure-mismatch: 290x is wrong: gap is 295.373x, 5.37313x off; write 295x",
        "      is 290x(fig) here",
        "        ^^^^",
        "",
        "2 records, 7 figures recomputed, 1 finding in 0.2 s",
    ]


def test_text_is_cut_to_the_terminal_around_the_fault() -> None:
    long = {"a.yaml": "x" * 200 + "290x" + "y" * 200}.get
    found = Diagnostic(Location("a.yaml", 1, 201), Severity.ERROR, "r", "m", length=4)
    _, line, caret, *_ = text_report(CheckResult((found,)), COUNTS, long, TextStyle(width=80)).splitlines()
    assert len(line) <= 80
    assert line[caret.index("^") : caret.rindex("^") + 1] == "290x"


def test_colour_only_where_it_is_wanted() -> None:
    result = CheckResult((WRONG,))
    assert "\x1b[" in text_report(result, COUNTS, SOURCE, TextStyle(colour=True))
    assert "\x1b[" not in text_report(result, COUNTS, SOURCE, TextStyle())


def test_control_characters_of_a_file_do_not_reach_the_terminal() -> None:
    evil = {"a.yaml": "a\x1b[31mb"}.get
    found = Diagnostic(Location("a.yaml", 1, 1), Severity.ERROR, "r", "m")
    assert "\x1b" not in text_report(CheckResult((found,)), COUNTS, evil, TextStyle())
