"""JSON and JSON Lines: the whole resolved base under stable names, described by ``export.schema.json``.

Numbers that must stay exact are texts: a JSON number is a double in most readers. A key that has nothing to say is
there all the same, as an empty text, list or null, so that no reader has to ask whether it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from flopkb.base.document import Mapping as MappingNode
from flopkb.base.document import Node, Scalar
from flopkb.base.verdicts import CorrectionVerdicts, Invalid, Proved, Refuted, Tested, Verdict
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.resolved import (
    ResolvedBase,
    ResolvedCase,
    ResolvedClaim,
    ResolvedCorrection,
    ResolvedFact,
    ResolvedFigure,
    ResolvedQuote,
    ResolvedRecord,
    ResolvedRow,
)
from flopkb.publishing.export.resolved.model import ResolvedTable

SCHEMA_VERSION = "1.0"
"""Grows with the schema: the second number where something was added, the first where a reader may stumble."""

Json = Mapping[str, Any]
_VERDICTS = {Proved: "proved", Tested: "tested", Refuted: "refuted", Invalid: "invalid"}


@cache
def export_schema() -> Json:
    """The JSON Schema of what is written here."""
    text = Path(__file__).with_name("export.schema.json").read_text(encoding="utf-8")
    schema = json.loads(text)
    assert isinstance(schema, dict)
    return schema


def json_export(base: ResolvedBase) -> str:
    """One JSON object: what it is, then the records."""
    document = {**head(base), **body(base)}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def jsonl_export(base: ResolvedBase) -> str:
    """A line that says what it is, then a line for each record and each formula with inputs that prose quotes."""
    lines: list[Json] = [{"type": "base", **head(base)}]
    lines += [{"type": "record", **record_json(record)} for record in base.records.values()]
    lines += [{"type": "computation", **figure_json(figure)} for figure in base.computations.values()]
    return "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)


def head(base: ResolvedBase) -> Json:
    """What the file is: the version of its schema, of flopkb and of the base."""
    version = base.version
    return {
        "schema_version": SCHEMA_VERSION,
        "generator": {"name": "flopkb", "version": version.package},
        "base": {
            "digest": version.digest,
            "updated": version.updated,
            "records": version.records,
            "unread_faults": base.unread,
        },
    }


def body(base: ResolvedBase) -> Json:
    """The records, and the formulas with inputs that their prose quotes."""
    return {
        "records": [record_json(record) for record in base.records.values()],
        "computations": [figure_json(figure) for figure in base.computations.values()],
    }


def record_json(record: ResolvedRecord) -> Json:
    """One record."""
    return {
        "id": record.id,
        "kind": record.kind.value,
        "name": record.name,
        "aliases": list(record.aliases),
        "status": record.status.value,
        "confidence": record.confidence or None,
        "updated": record.updated or None,
        "file": record.file,
        "sources": list(record.sources),
        "fields": {name: plain(node) for name, node in record.fields.items()},
        "prose": [{"field": p.field, "markdown": p.markdown, "line": p.place.line} for p in record.prose],
        "citations": list(record.citations),
        "symbols": [
            {
                "name": s.name,
                "meaning": s.meaning,
                "unit": s.unit,
                "from": s.source,
                "value": s.value,
                "domain": s.domain,
            }
            for s in record.symbols
        ],
        "formulas": [
            {"name": f.name, "expr": f.expr, "unit": f.unit, "written": list(f.written), "line": f.place.line}
            for f in record.formulas
        ],
        "points": [{"name": name, "inputs": dict(inputs)} for name, inputs in record.points],
        "figures": [figure_json(figure) for figure in record.figures],
        "claims": [claim_json(claim) for claim in record.claims],
        "facts": [fact_json(fact) for fact in record.facts],
        "hardware_rows": [row_json(row) for row in record.rows],
        "affected_by_hardware": list(record.products),
        "corrections": [correction_json(correction) for correction in record.corrections],
        "history": [{"date": date, "change": change} for date, change in record.history],
        "quotes": [quote_json(quote) for quote in record.quotes],
        "tables": [table_json(table) for table in record.tables],
    }


def plain(node: Node) -> Any:
    """A field as plain data; numbers with a fraction as they are written."""
    if isinstance(node, Scalar):
        return node.value if isinstance(node.value, bool | int) else node.text
    if isinstance(node, MappingNode):
        return {key.text: plain(value) for key, value in node}
    return [plain(item) for item in node]


def exact_json(value: Exact | None) -> Json | None:
    """A value: exact as a fraction in lowest terms, decimal, with its unit."""
    if value is None:
        return None
    return {
        "numerator": value.numerator,
        "denominator": value.denominator,
        "decimal": value.decimal,
        "decimal_is_exact": value.decimal_is_exact,
        "unit": value.unit,
    }


def fact_json(fact: ResolvedFact) -> Json:
    """A recorded value, with what other sources state in its place."""
    shared = {
        "key": fact.key,
        "path": fact.path,
        "written": fact.written,
        "value": exact_json(fact.value),
        "unit": fact.unit,
        "basis": fact.basis.value,
        "sources": list(fact.sources),
        "as_printed": fact.as_printed,
        "reading": fact.reading,
        "note": fact.note,
        "line": fact.place.line,
    }
    if fact.disputes:
        return shared
    return {
        **shared,
        "formula": fact.formula,
        "absent": fact.absent,
        "dtype": fact.dtype,
        "sparsity": fact.sparsity,
        "accumulate": fact.accumulate,
        "method": fact.method,
        "device": fact.device,
        "date": fact.date,
        "disputed": [fact_json(other) for other in fact.disputed],
        "preferred": fact.preferred,
        "fault": fact.fault,
    }


def figure_json(figure: ResolvedFigure) -> Json:
    """A figure with everything behind it; its values are those of its cases."""
    return {
        "key": figure.key,
        "name": figure.name,
        "formula": figure.formula,
        "expr": figure.expr,
        "unit": figure.unit,
        "at": figure.at,
        "inputs": dict(figure.bindings),
        "over": dict(figure.over),
        "cases": [case_json(case) for case in figure.cases],
        "depends_on": list(figure.facts),
        "contested_inputs": list(figure.contested),
        "fault": figure.fault,
        "line": figure.place.line,
    }


def case_json(case: ResolvedCase) -> Json:
    """One choice of the listed inputs."""
    return {
        "choice": dict(case.choice),
        "value": exact_json(case.value),
        "inputs": [
            {
                "name": i.name,
                "meaning": i.meaning,
                "given": i.given,
                "fact": i.fact,
                "side": i.side,
                "value": exact_json(i.value),
            }
            for i in case.inputs
        ],
        "steps": [
            {"formula": s.formula, "expr": s.expr, "value": exact_json(s.value), "form": s.form, "unit": s.unit}
            for s in case.steps
        ],
        "cancels": list(case.cancels),
    }


def row_json(row: ResolvedRow) -> Json:
    """A hardware row."""
    return {
        "parameter": row.parameter,
        "effect": row.effect,
        "sentence": row.sentence,
        "basis": row.basis.value,
        "magnitude": list(row.magnitude),
        "values_for": list(row.values_for),
        "sources": list(row.sources),
        "as_printed": row.as_printed,
        "method": row.method,
        "device": row.device,
        "date": row.date,
        "demand": row.demand,
        "moves": row.moves,
        "cost": row.cost,
        "elasticity": dict(row.elasticity),
        "line": row.place.line,
    }


def claim_json(claim: ResolvedClaim) -> Json:
    """A claim, and how it ended."""
    return {
        "id": claim.id,
        "relation": claim.relation,
        "formula": claim.formula,
        "terms": [{"term": term, "exponent": exponent or None} for term, exponent in claim.terms],
        "given": dict(claim.given),
        "where": list(claim.where),
        "over": dict(claim.over),
        "options": dict(claim.options),
        "limits": dict(claim.limits),
        "statement": claim.statement,
        "conditions": claim.conditions,
        "verdict": verdict_json(claim.verdict),
        "note": claim.note,
        "line": claim.place.line,
    }


def verdict_name(verdict: Verdict) -> str:
    """proved, tested, refuted or invalid."""
    return _VERDICTS[type(verdict)]


def verdict_json(verdict: Verdict | None) -> Json | None:
    """How a claim ended, as a word and as a sentence."""
    if verdict is None:
        return None
    return {
        "result": verdict_name(verdict),
        "text": str(verdict),
        "points": verdict.points if isinstance(verdict, Tested) else None,
    }


def correction_json(correction: ResolvedCorrection) -> Json:
    """A correction."""
    return {
        "date": correction.date,
        "stated": correction.stated,
        "given": dict(correction.given),
        "holds_when": correction.holds_when,
        "counterexamples": [dict(bound) for bound in correction.counterexamples],
        "now": correction.now,
        "now_claim": correction.now_claim,
        "note": correction.note,
        "verdicts": None if correction.verdicts is None else correction_verdicts(correction.verdicts),
        "line": correction.place.line,
    }


def correction_verdicts(verdicts: CorrectionVerdicts) -> Json:
    """How each counterexample stands against what was stated, what was stated where it holds, and what stands now."""
    return {
        "counterexamples": [verdict_json(verdict) for verdict in verdicts.counterexamples],
        "holds_when": verdict_json(verdicts.holds_when),
        "now": verdict_json(verdicts.now),
    }


def quote_json(quote: ResolvedQuote) -> Json:
    """A link in prose."""
    return {
        "field": quote.field,
        "line": quote.place.line,
        "column": quote.place.column,
        "text": quote.text,
        "kind": quote.kind,
        "key": quote.key,
        "target": quote.target,
        "values": [exact_json(value) for value in quote.values],
        "verdict": quote.verdict,
        "is_math": quote.is_math,
        "fault": quote.fault,
    }


def table_json(table: ResolvedTable) -> Json:
    """A table of figures in prose, its cells row by row."""
    return {
        "formula": table.formula,
        "unit": table.unit,
        "rows": list(table.rows),
        "columns": list(table.columns),
        "caption": table.caption,
        "cells": list(cells(table)),
    }


def cells(table: ResolvedTable) -> Iterator[Json]:
    """The cells, from left to right and row by row."""
    for row in table.cells:
        for cell in row:
            yield {"inputs": dict(cell.inputs), "value": exact_json(cell.value), "fault": cell.fault}
