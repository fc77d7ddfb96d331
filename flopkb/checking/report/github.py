"""Findings as GitHub workflow commands: annotations on the lines of a pull request."""

from __future__ import annotations

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.checking.check import CheckResult

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
