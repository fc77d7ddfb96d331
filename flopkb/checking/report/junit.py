"""Findings as JUnit XML: a test case a rule that found something, and one for every rule that found nothing."""

from __future__ import annotations

from collections import defaultdict
from xml.sax.saxutils import escape, quoteattr

from flopkb.arithmetic.diagnostics import Diagnostic, Severity
from flopkb.checking.check import CheckResult
from flopkb.checking.rules import RULES

_EPOCH = "1970-01-01T00:00:00"


def junit_report(result: CheckResult) -> str:
    """One suite; warnings are told as output of a case that passes. The same bytes from run to run."""
    by_rule: defaultdict[str, list[Diagnostic]] = defaultdict(list)
    for found in result.diagnostics:
        by_rule[found.rule].append(found)
    crashed = {crash.rule: str(crash) for crash in result.crashes}
    names = dict.fromkeys([*(rule.id for rule in RULES), *by_rule, *crashed])
    cases = [case(name, by_rule[name], crashed.get(name)) for name in names]
    failures = sum(1 for name in names if name not in crashed and errors(by_rule[name]))
    head = (
        f'<testsuite name="flopkb" package="flopkb" id="0" timestamp="{_EPOCH}" hostname="localhost" time="0" '
        f'tests="{len(cases)}" failures="{failures}" errors="{len(crashed)}">'
    )
    inner = ["<properties/>", *cases, "<system-out/>", "<system-err/>"]
    return "\n".join(
        ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", head, *inner, "</testsuite>", "</testsuites>", ""]
    )


def errors(found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings that are errors."""
    return [item for item in found if item.severity is Severity.ERROR]


def case(name: str, found: list[Diagnostic], crash: str | None) -> str:
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
