"""Findings as SARIF 2.1.0, for code scanning: rules with their documentation, stable fingerprints, fixes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import quote

from flopkb import __version__
from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.checking.check import CheckResult
from flopkb.checking.findings import Rule
from flopkb.checking.report.text import line_of
from flopkb.checking.rules import RULES

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_report(result: CheckResult, source: Callable[[str], str | None]) -> str:
    """One run with every finding; ``source`` gives a file's text by its reported path."""
    run = {
        "tool": {"driver": driver(RULES)},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation(result)],
        "results": list(results(result.diagnostics, source)),
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2) + "\n"


def driver(rules: Iterable[Rule]) -> dict[str, object]:
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


def invocation(result: CheckResult) -> dict[str, object]:
    """Whether the run went through, with what crashed."""
    notices = [{"level": "error", "message": {"text": str(crash)}} for crash in result.crashes]
    return {"executionSuccessful": not result.crashes, "toolExecutionNotifications": notices}


def results(diagnostics: Iterable[Diagnostic], source: Callable[[str], str | None]) -> Iterable[dict[str, object]]:
    """Each finding; equal ones on equal lines are told apart by a running number in their fingerprints."""
    seen: dict[str, int] = {}
    index = {rule.id: position for position, rule in enumerate(RULES)}
    for found in diagnostics:
        text = source(found.location.path)
        line = line_of(text, found.location.line) if text is not None else None
        print_ = fingerprint(found, line)
        seen[print_] = seen.get(print_, 0) + 1
        yield one_result(found, f"{print_}/{seen[print_]}", index)


def one_result(found: Diagnostic, print_: str, index: Mapping[str, int]) -> dict[str, object]:
    """A finding with its place; the rule's index where it has a documentation."""
    where = found.location
    region = {"startLine": where.line, "startColumn": where.column, "endColumn": where.column + found.length}
    row: dict[str, object] = {
        "ruleId": found.rule,
        "level": found.severity.value,
        "message": {"text": found.message},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri(where.path)}, "region": region}}],
        "partialFingerprints": {"flopkb/v1": print_},
    }
    if found.rule in index:
        row["ruleIndex"] = index[found.rule]
    if found.replacement is not None:
        row["fixes"] = [fix(found)]
    return row


def fix(found: Diagnostic) -> dict[str, object]:
    """What to write in place of the quoted number."""
    where = found.location
    region = {"startLine": where.line, "startColumn": where.column, "endColumn": where.column + found.length}
    change = {"deletedRegion": region, "insertedContent": {"text": found.replacement}}
    return {
        "description": {"text": f"Write {found.replacement}"},
        "artifactChanges": [{"artifactLocation": {"uri": uri(where.path)}, "replacements": [change]}],
    }


def uri(path: str) -> str:
    """A path as a relative reference."""
    return quote(path.replace("\\", "/"), errors="surrogateescape")


def fingerprint(found: Diagnostic, line: str | None) -> str:
    """The same for the same fault when lines move: rule, path, and the text of the line without its numbers' places."""
    parts = (found.rule, found.location.path, " ".join((line or "").split()), found.quoted or found.message)
    return hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
