"""Findings for programs: a JSON object, alone on standard output."""

from __future__ import annotations

import json

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.checking.check import CheckResult
from flopkb.checking.report.text import Counts


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
