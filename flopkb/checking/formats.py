"""Findings for programs: JSON, GitHub's workflow commands, SARIF 2.1.0 and JUnit's XML.

Each takes the result of a check and gives a string; nothing here prints, and equal results give equal bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from flopkb import __version__
from flopkb.arithmetic.diagnostics import Diagnostic, Severity
from flopkb.checking.check import CheckResult
from flopkb.checking.findings import Rule
from flopkb.checking.rules import RULES
from flopkb.checking.text_report import Counts, TextStyle, line_of, summary


def json_report(result: CheckResult, counts: Counts) -> str:
    """``findings`` in the order of the text report, ``crashes``, and a ``summary``."""
    document = {
        "findings": [finding(found) for found in result.diagnostics],
        "crashes": [{"rule": c.rule, "record": c.subject, "error": c.error} for c in result.crashes],
        "summary": {
            "records": counts.records,
            "documents": counts.documents,
            "figures_recomputed": counts.recomputed,
            "claims": dict(counts.claims),
            "errors": result.errors,
            "warnings": len(result.diagnostics) - result.errors,
        },
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def finding(found: Diagnostic) -> dict[str, object]:
    """One finding with stable keys; ``quoted`` and ``computed`` only where it is about a number."""
    row: dict[str, object] = {
        "rule": found.rule,
        "severity": found.severity.value,
        "path": found.location.path,
        "line": found.location.line,
        "column": found.location.column,
        "message": found.message,
    }
    if found.quoted is not None:
        row["quoted"] = found.quoted
    if found.computed is not None:
        row["computed"] = found.computed
    return row


_MESSAGE = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_MESSAGE, ":": "%3A", ",": "%2C"}


def github_report(result: CheckResult, summary: str) -> str:
    """An annotation a finding; crashes are errors without a place; the sum is a plain line of the log."""
    lines = [annotation(found) for found in result.diagnostics]
    lines += [f"::error title=flopkb crash::{escaped(str(crash), _MESSAGE)}" for crash in result.crashes]
    return "\n".join([*lines, escaped(summary, _MESSAGE)]) + "\n"


def annotation(found: Diagnostic) -> str:
    """One finding as a workflow command."""
    where = found.location
    properties = {
        "file": where.path,
        "line": str(where.line),
        "col": str(where.column),
        "endColumn": str(where.column + found.length),
        "title": f"flopkb {found.rule}",
    }
    listed = ",".join(f"{name}={escaped(value, _PROPERTY)}" for name, value in properties.items())
    return f"::{found.severity.value} {listed}::{escaped(found.message, _MESSAGE)}"


def escaped(text: str, table: dict[str, str]) -> str:
    """``text`` with the characters that a workflow command would take for its own (``%`` first)."""
    return "".join(table.get(character, character) for character in text)


SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_report(result: CheckResult, source: Callable[[str], str | None]) -> str:
    """One run with every finding; ``source`` gives a file's text by its reported path."""
    run = {
        "tool": {"driver": sarif_driver(RULES)},
        "columnKind": "unicodeCodePoints",
        "invocations": [sarif_invocation(result)],
        "results": list(sarif_results(result.diagnostics, source)),
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2) + "\n"


def sarif_driver(rules: Iterable[Rule]) -> dict[str, object]:
    """The tool with the documentation of its rules."""
    return {
        "name": "flopkb",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [
            {
                "id": rule.id,
                "shortDescription": {"text": rule.title},
                "fullDescription": {"text": rule.documentation},
                "help": {"text": rule.documentation, "markdown": rule.documentation.replace("``", "`")},
            }
            for rule in rules
        ],
    }


def sarif_invocation(result: CheckResult) -> dict[str, object]:
    """Whether the run went through, with what crashed."""
    notices = [{"level": "error", "message": {"text": str(crash)}} for crash in result.crashes]
    return {"executionSuccessful": not result.crashes, "toolExecutionNotifications": notices}


def sarif_results(
    diagnostics: Iterable[Diagnostic], source: Callable[[str], str | None]
) -> Iterable[dict[str, object]]:
    """Each finding; equal ones on equal lines are told apart by a running number in their fingerprints."""
    seen: dict[str, int] = {}
    index = {rule.id: position for position, rule in enumerate(RULES)}
    for found in diagnostics:
        text = source(found.location.path)
        line = line_of(text, found.location.line) if text is not None else None
        print_ = fingerprint(found, line)
        seen[print_] = seen.get(print_, 0) + 1
        yield sarif_result(found, f"{print_}/{seen[print_]}", index)


def sarif_result(found: Diagnostic, print_: str, index: Mapping[str, int]) -> dict[str, object]:
    """A finding with its place; the rule's index where it has a documentation."""
    row: dict[str, object] = {
        "ruleId": found.rule,
        "level": found.severity.value,
        "message": {"text": found.message},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri(found)}, "region": region(found)}}],
        "partialFingerprints": {"flopkb/v1": print_},
    }
    if found.rule in index:
        row["ruleIndex"] = index[found.rule]
    if found.replacement is not None:
        row["fixes"] = [sarif_fix(found)]
    return row


def sarif_fix(found: Diagnostic) -> dict[str, object]:
    """What to write in place of the quoted number."""
    change = {"deletedRegion": region(found), "insertedContent": {"text": found.replacement}}
    return {
        "description": {"text": f"Write {found.replacement}"},
        "artifactChanges": [{"artifactLocation": {"uri": uri(found)}, "replacements": [change]}],
    }


def uri(found: Diagnostic) -> str:
    """The file of a finding as a relative reference."""
    return quote(found.location.path.replace("\\", "/"), errors="surrogateescape")


def region(found: Diagnostic) -> dict[str, int]:
    """Where a finding stands in its file; lines and columns count from 1, the end is behind the last character."""
    where = found.location
    return {"startLine": where.line, "startColumn": where.column, "endColumn": where.column + found.length}


def fingerprint(found: Diagnostic, line: str | None) -> str:
    """The same for the same fault when lines move: rule, path, and the text of the line without its numbers' places."""
    parts = (found.rule, found.location.path, " ".join((line or "").split()), found.quoted or found.message)
    return hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


_EPOCH = "1970-01-01T00:00:00"


def junit_report(result: CheckResult) -> str:
    """One suite; warnings are told as output of a case that passes. The same bytes from run to run."""
    by_rule: defaultdict[str, list[Diagnostic]] = defaultdict(list)
    for found in result.diagnostics:
        by_rule[found.rule].append(found)
    crashed = {crash.rule: str(crash) for crash in result.crashes}
    names = dict.fromkeys([*(rule.id for rule in RULES), *by_rule, *crashed])
    cases = [junit_case(name, by_rule[name], crashed.get(name)) for name in names]
    failures = sum(1 for name in names if name not in crashed and errors(by_rule[name]))
    return junit_suite(cases, failures, len(crashed))


def junit_suite(cases: list[str], failures: int, crashes: int) -> str:
    """The document of some cases."""
    head = (
        f'<testsuite name="flopkb" package="flopkb" id="0" timestamp="{_EPOCH}" hostname="localhost" time="0" '
        f'tests="{len(cases)}" failures="{failures}" errors="{crashes}">'
    )
    inner = ["<properties/>", *cases, "<system-out/>", "<system-err/>"]
    return "\n".join(
        ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", head, *inner, "</testsuite>", "</testsuites>", ""]
    )


def errors(found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings that are errors."""
    return [item for item in found if item.severity is Severity.ERROR]


def junit_case(name: str, found: list[Diagnostic], crash: str | None) -> str:
    """The case of one rule."""
    head = f'<testcase classname="flopkb" name={quoteattr(name)} time="0"'
    if crash is not None:
        return f'{head}><error type="crash" message={quoteattr(xml_safe(crash))}/></testcase>'
    failing = errors(found)
    if not failing:
        return f"{head}/>"
    count = f"{len(failing)} finding" + ("" if len(failing) == 1 else "s")
    lines = escape("\n".join(xml_safe(f"{item.location}: {item.message}") for item in failing))
    return f"{head}><failure type={quoteattr(name)} message={quoteattr(count)}>{lines}</failure></testcase>"


def xml_safe(text: str) -> str:
    """``text`` without the characters that XML 1.0 cannot hold."""
    return "".join(
        c if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c >= "\U00010000" else "�"
        for c in text
    )


REPORTS: Mapping[str, Callable[[CheckResult, Counts, Callable[[str], str | None]], str]] = {
    "json": lambda result, counts, _: json_report(result, counts),
    "github": lambda result, counts, _: github_report(result, summary(result, counts, TextStyle())),
    "sarif": lambda result, _, source: sarif_report(result, source),
    "junit": lambda result, _, __: junit_report(result),
}
"""The formats by name: each takes the result, what was counted, and a way to the source of a file."""
