"""What a document declares: in its header, in a comment that no renderer shows, or for a folder in ``flopkb.yaml``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from flopkb.arithmetic.diagnostics import Diagnostic, Severity
from flopkb.arithmetic.prose import read_prose
from flopkb.base.document import Mapping as MappingNode
from flopkb.base.document import Scalar
from flopkb.base.loading import parse_fragment
from flopkb.base.model import Claim, Figure, Formula, FormulaCase
from flopkb.base.schema.sections import bindings, claims, entries, scalar
from flopkb.base.schema.validate import RULE, declaration_findings, without

SHARED = "flopkb.yaml"
"""The file that declares for every document of its folder and below."""

_COMMENT = re.compile(r"<!--\s*flopkb:(.*)-->", re.DOTALL | re.IGNORECASE)
_STRICT = re.compile(r"\s*(?:every number is linked|strict)\s*", re.IGNORECASE)
_HEADER = re.compile(r"\ufeff?---[ \t]*\r?\n(?P<body>.*?)^(?:---|\.\.\.)[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_OWN_DATA = re.compile(
    r"^data:[ \t]*(?:#.*)?\r?\n(?:[ \t].*\n)*?[ \t]+\w+:[ \t]*(?:\{[ \t]*)?"
    r"(?:file:|\S+\.(?:json|jsonl|csv|tsv|ya?ml|toml|xml)\b)",
    re.MULTILINE,
)
_HEADER_KEY = re.compile(r"^flopkb:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Datum:
    """A declared name of data: a file, or with ``at`` a value in it, or with ``aggregate`` what is made of many."""

    name: Scalar
    file: Scalar
    at: Scalar | None = None
    unit: Scalar | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    aggregate: str = ""
    format: str = ""
    query: str = ""


@dataclass(frozen=True, slots=True)
class Declared:
    """What one document, or one ``flopkb.yaml``, declares; ``path`` is how it is reported, ``file`` where it is."""

    path: str
    file: Path
    data: tuple[Datum, ...] = ()
    formulas: Mapping[str, Formula] = field(default_factory=dict)
    figures: Mapping[str, Figure] = field(default_factory=dict)
    claims: Mapping[str, Claim] = field(default_factory=dict)
    strict: bool | None = None
    """None where nothing is said of it, so that a file above decides."""
    root: MappingNode | None = None
    dropped: frozenset[str] = frozenset()

    @property
    def names(self) -> Iterator[Scalar]:
        """Every name that is declared, with its place."""
        yield from (datum.name for datum in self.data)
        yield from (formula.key for formula in self.formulas.values())
        yield from (figure.key for figure in self.figures.values())


def declared_in(source: str, path: str, file: Path) -> tuple[Declared, list[Diagnostic]]:
    """What the text of a document declares, and what is wrong with it."""
    roots: list[MappingNode] = []
    found: list[Diagnostic] = []
    strict: bool | None = None
    for text, line, column in fragments(source):
        if _STRICT.fullmatch(text):
            strict = True
            continue
        # Put where it stands in the file, so that places (also those in messages) are true.
        root = parse_fragment("\n" * (line - 1) + " " * (column - 1) + text, path, 1, 1)
        if isinstance(root, list):
            found += root
        elif isinstance(root, MappingNode):
            roots.append(root)
        elif not isinstance(root, Scalar) or "\n" in root.text.strip():
            message = "what a document declares is a mapping: write data: and figures: below each other"
            found.append(Diagnostic(root.location, Severity.ERROR, RULE, message))
    if not roots:
        return Declared(path, file, strict=strict), found
    whole = MappingNode(roots[0].location, tuple(entry for root in roots for entry in root.entries))
    twice = _twice(whole)
    if twice is not None:
        found.append(twice)
        whole = roots[0]
    declared, more = declared_by(whole, path, file)
    return replace(declared, strict=declared.strict if strict is None else strict), [*found, *more]


def _twice(root: MappingNode) -> Diagnostic | None:
    """A section that two comments (or the header and a comment) have."""
    seen: dict[str, Scalar] = {}
    for key, _ in root.entries:
        first = seen.setdefault(key.text, key)
        if first is not key:
            message = f"{key.text}: stands in this document twice, first on line {first.location.line}: keep one"
            return Diagnostic(key.location, Severity.ERROR, RULE, message, length=len(key.text))
    return None


def fragments(source: str) -> Iterator[tuple[str, int, int]]:
    """The texts of a document that declare something, each with the line and column where it begins."""
    header = _HEADER.match(source)
    if header is not None and _HEADER_KEY.search(header["body"]):
        yield from _header_part(header["body"])
    elif header is not None and _OWN_DATA.search(header["body"]):
        yield from _header_sections(header["body"])
    if not re.search(r"<!--\s*flopkb:", source, re.IGNORECASE):
        return
    text = source.removeprefix("\ufeff")
    for comment in read_prose(text, front_matter=True).comments:
        match = _COMMENT.fullmatch(comment.text)
        if match is not None:
            start = comment.start + match.start(1)
            line = text.count("\n", 0, start) + 1
            yield match[1], line, start - (text.rfind("\n", 0, start) + 1) + 1


def _header_part(body: str) -> Iterator[tuple[str, int, int]]:
    """The value of ``flopkb:`` in a header: what stands behind it, and the lines below that are indented."""
    lines = body.split("\n")
    first = next(n for n, line in enumerate(lines) if line.startswith("flopkb:"))
    end = first + 1
    while end < len(lines) and (not lines[end].strip() or lines[end][0] in " \t"):
        end += 1
    behind = lines[first].removeprefix("flopkb:").split(" #")[0].strip().strip("\"'")
    if _STRICT.fullmatch(behind):
        yield behind, first + 2, len("flopkb:") + 1
    else:
        yield "\n".join([lines[first].removeprefix("flopkb:"), *lines[first + 1 : end]]), first + 2, len("flopkb:") + 1


def _header_sections(body: str) -> Iterator[tuple[str, int, int]]:
    """The sections of a header that are ours though no ``flopkb:`` stands above them, each line where it is."""
    kept, ours = [], False
    for line in body.split("\n"):
        if line[:1].strip() and not line.startswith("#"):
            ours = line.split(":")[0] in ("data", "figures", "claims")
        kept.append(line if ours else "")
    yield "\n".join(kept), 2, 1


def declared_by(root: MappingNode, path: str, file: Path) -> tuple[Declared, list[Diagnostic]]:
    """What a mapping declares, without the entries that its schema refuses, and what is wrong with them."""
    findings = declaration_findings(root)
    dropped = {finding.dropped for finding in findings if finding.dropped is not None}
    kept = without(root, dropped)
    strict = scalar(kept, "strict")
    data = kept.get("data")
    figures = list(entries(kept.get("figures")))
    declared = Declared(
        path,
        file,
        tuple(_datum(key, value) for key, value in (data.entries if isinstance(data, MappingNode) else ())),
        {key.text: _formula(key, node) for key, node in figures if node.get("expr") is not None},
        {key.text: _figure(key, node) for key, node in figures if node.get("expr") is None},
        claims(kept.get("claims")),
        strict.value is True if strict is not None else None,
        root,
        frozenset(".".join(map(str, place)) for place in dropped),
    )
    return declared, [finding.diagnostic for finding in findings]


def _datum(key: Scalar, node: object) -> Datum:
    if isinstance(node, Scalar):
        return Datum(key, node)
    assert isinstance(node, MappingNode)
    query = scalar(node, "query")
    file, aggregate, form, units = (
        scalar(node, "file"),
        scalar(node, "aggregate"),
        scalar(node, "format"),
        node.get("units"),
    )
    assert file is not None, "the schema asks for it"
    named = units.entries if isinstance(units, MappingNode) else ()
    return Datum(
        key,
        file,
        scalar(node, "at"),
        scalar(node, "unit"),
        {name.text: unit.text for name, unit in named if isinstance(unit, Scalar)},
        aggregate.text if aggregate is not None else "",
        form.text if form is not None else "",
        query.text if query is not None else "",
    )


def _formula(key: Scalar, node: MappingNode) -> Formula:
    expr, unit, aggregate = (scalar(node, field) for field in ("expr", "unit", "aggregate"))
    assert expr is not None
    return Formula(
        key.text,
        key,
        (FormulaCase(expr),),
        unit if unit is not None else Scalar(key.location, "1", "1"),
        aggregate=aggregate.text if aggregate is not None else "",
    )


def _figure(key: Scalar, node: MappingNode) -> Figure:
    formula = scalar(node, "formula")
    assert formula is not None, "the schema asks for one of the two"
    return Figure(key.text, key, formula, bindings(node.get("with")), None, bindings(node.get("over")))
