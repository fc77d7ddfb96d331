"""The base as data that a page can compute with: its formulas as trees, and the recorded values that they can ask for.

Numbers are texts, in base units, since a number of JSON is a double in most readers: ``"3350000000000"``, ``"19/7"``.
Every node of a tree but a number is a list whose first item says what it is: ``["*", "2", ["s", "inference.L"]]``.
``evaluate.js`` is the other side; what either can say of a value, the other can.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import (
    Among,
    Binary,
    Call,
    Compare,
    Condition,
    Expr,
    Flag,
    Has,
    Joined,
    Name,
    Number,
    Opposite,
    Rebound,
    Sum,
    Unary,
    to_text,
)
from flopkb.arithmetic.formula.polynomial import MAX_BITS
from flopkb.arithmetic.numbers.writing import ladders
from flopkb.base.evaluate.asked import is_amount
from flopkb.base.evaluate.domains import domain_text, value_set
from flopkb.base.evaluate.facts import amount_in_base, find_fact, is_of
from flopkb.base.evaluate.inputs import recorded_value
from flopkb.base.evaluate.parts import counts_of, parts_of
from flopkb.base.evaluate.requirements import shown_unit
from flopkb.base.faults import Fault
from flopkb.base.layers import PARTS, LayerPart
from flopkb.base.link import KnowledgeBase
from flopkb.base.link.expressions import SUMS, words_of
from flopkb.base.link.formulas import unit_of
from flopkb.base.link.targets import (
    NO_FALLBACK,
    Computation,
    FormulaRef,
    LinkedCondition,
    LinkedExpr,
    LinkedFormula,
    LinkedRequirement,
    SymbolAtom,
    Target,
    ValueAtom,
)
from flopkb.base.model import ROLES, Binding, Domain, Fact, Kind, Record
from flopkb.base.quantities import quantity_of
from flopkb.base.schema.layering import part_fields
from flopkb.publishing.export.resolved import ResolvedBase

Tree: TypeAlias = "str | list[Tree]"
Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json] | None"

VERSION = 1
_LAYERS = ValueAtom("model", "num_hidden_layers")
_NOWHERE = Location("", 1, 1)


def program_file(base: ResolvedBase) -> bytes:
    """The program as a script that sets it, so that a page opened from a file can load it."""
    made = Program(base.base.evaluation.kb).made()
    return b"window.flopkbProgram = " + json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode() + b";\n"


@dataclass(frozen=True)
class Program:
    """What is written of a base."""

    kb: KnowledgeBase

    def made(self) -> dict[str, Json]:
        """The program as plain data."""
        formulas = {str(ref): self.formula(linked) for ref, linked in self.kb.formulas.items() if linked.cases}
        symbols = {str_of(atom): self.symbol(atom) for atom in self.symbols}
        records = {record.id: self.record(record) for record in self.kb.records.values() if record.kind in self.kinds}
        return {
            "version": VERSION,
            "bits": MAX_BITS,
            "ladders": {name: [[unit, str(scale)] for unit, scale in steps] for name, steps in ladders().items()},
            "roles": {role: kind.value if kind is not None else PARTS[role] for role, kind in ROLES.items()},
            "layers": next((str_of(atom) for atom, value in self.kb.sources.items() if value == _LAYERS), None),
            "formulas": formulas,
            "symbols": symbols,
            "narrowed": self.narrowed(),
            "records": records,
            "pages": {record.id: record.kind.folder for record in self.kb.records.values() if record.formulas},
            "presets": {id: made for id in self.kb.records if (made := [*self.presets(id)])},
        }

    # -- what there is ------------------------------------------------------------------------------------------------
    @cached_property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of records that fill roles."""
        return frozenset(kind for kind in ROLES.values() if kind is not None)

    @cached_property
    def symbols(self) -> tuple[SymbolAtom, ...]:
        """Every symbol that can be read."""
        own = (SymbolAtom(record.id, name) for record in self.kb.records.values() for name in record.symbols)
        return tuple(own)

    @cached_property
    def taken(self) -> tuple[ValueAtom, ...]:
        """The recorded values that formulas and symbols can ask for."""
        found = dict.fromkeys(value for value in self.kb.sources.values() if isinstance(value, ValueAtom))
        for rest in self.kb.fallbacks.values():
            found.update(dict.fromkeys(rest.later if not isinstance(rest, Fault) else ()))
        for linked in self.kb.formulas.values():
            read = [*linked.targets, *(t for asked in (*linked.requires, *linked.assumes) for t in asked.targets)]
            found.update(dict.fromkeys(target for target in read if isinstance(target, ValueAtom)))
        return tuple(found)

    # -- formulas -----------------------------------------------------------------------------------------------------
    def formula(self, linked: LinkedFormula) -> dict[str, Json]:
        """A formula: its cases, what it requires and assumes, the symbol that it seeks."""
        made: dict[str, Json] = {
            "unit": linked.unit.text or "1",
            "scale": str(linked.unit.scale),
            "cases": [[condition(case.when) if case.when else None, tree(case.body)] for case in linked.cases],
            "texts": [case.body.source.text for case in linked.cases],
            "reads": self.bindable(linked, self.kb.reach(linked.ref).symbols),
            "asks": self.bindable(linked, self.asked(linked)),
            "parts": [*sorted(self.kb.reach(linked.ref).roles)],
        }
        if not linked.unit.dimension and [power for _, power in linked.unit.counts] == [1]:
            made["counts"] = True
        if linked.requires:
            made["requires"] = [self.requirement(asked) for asked in linked.requires]
        if linked.assumes:
            made["assumes"] = [self.requirement(asked) for asked in linked.assumes]
        if linked.sought is not None and linked.sought_symbol is not None:
            made["seeks"] = [str_of(linked.sought_symbol), self.requirement(linked.sought)]
        return made

    def bindable(self, linked: LinkedFormula, found: Iterable[SymbolAtom]) -> list[Json]:
        """Those symbols that the asker of a formula can bind."""
        own = (atom for atom in found if self.kb.scope.symbol(atom.name, linked.ref.record) == atom)
        return [*sorted(map(str_of, own))]

    def asked(self, linked: LinkedFormula) -> set[SymbolAtom]:
        """The symbols that requirements and searches on the way read, besides those that the value is made of."""
        found = set[SymbolAtom]()
        for ref in self.kb.order(linked.ref):
            on_way = self.kb.formulas[ref]
            sought = (on_way.sought,) if on_way.sought is not None else ()
            for asked in (*sought, *on_way.requires, *on_way.assumes):
                for target in asked.targets:
                    found |= self.kb.reach(target).symbols
        return found - self.kb.reach(linked.ref).symbols

    def presets(self, record: str) -> Iterator[Json]:
        """Where one can start from: the figures and points of a record that are made of records and amounts alone."""
        for (holder, name), figure in self.kb.figures.items():
            if holder == record and isinstance(figure, Computation) and figure.formula.record == record:
                given = self.given(figure.bindings, record)
                if given is not None and not figure.over:
                    yield {"title": name, "formula": str(figure.formula), "given": given}
        for point in self.kb.records[record].points.values():
            given = self.given(point.bindings, record)
            if given is not None:
                yield {"title": point.name, "given": given}

    def given(self, bindings: Iterable[Binding], record: str) -> dict[str, Json] | None:
        """Inputs as a reader would type them; None where one is a list or an expression."""
        made: dict[str, Json] = {}
        for binding in bindings:
            atom = self.kb.scope.symbol(binding.name, record)
            if binding.is_list or (
                atom is not None and words_of(atom, self.kb.scope) is None and not is_amount(binding.values[0])
            ):
                return None
            made[binding.name] = binding.values[0].text
        return made

    def requirement(self, asked: LinkedRequirement) -> dict[str, Json]:
        """What must hold."""
        made: dict[str, Json] = {"text": asked.body.source.text, "words": asked.words}
        if asked.types is not None:
            made["types"] = condition(asked.types)
        parts: list[Json] = []
        for part in asked.parts:
            sides = [
                [self.node(side, asked.body), to_text(side), *self.shown(side, asked)]
                for side in (part.left, part.right)
            ]
            parts.append([part.op, *sides])
        made["parts"] = parts
        if asked.each:
            made["each"] = asked.each
        if asked.when is not None:
            made["when"] = condition(asked.when)
        return made

    def node(self, side: Expr, body: LinkedExpr) -> Tree:
        return node(side, body.targets, body)

    def shown(self, side: Expr, asked: LinkedRequirement) -> list[str]:
        """The unit in which a side is told, and its scale."""
        unit = shown_unit(side, asked, self.kb.scope)
        return [unit.text or "1", str(unit.scale)]

    def narrowed(self) -> dict[str, Json]:
        """What records leave of the domains of symbols, for what their formulas read."""
        made: dict[str, Json] = {}
        for record in self.kb.records.values():
            own: dict[str, Json] = {}
            for name, narrowing in record.domains.items():
                atom = self.kb.scope.symbol(name, record.id)
                if atom is not None:
                    own[str_of(atom)] = self.domain(narrowing.domain, atom, record.id) | {"in": record.id}
            if own:
                made[record.id] = own
        return made

    # -- symbols ------------------------------------------------------------------------------------------------------
    def symbol(self, atom: SymbolAtom) -> dict[str, Json]:
        """A symbol: its unit, what gives it its value, the values that it may take."""
        symbol, unit = self.kb.scope.records[atom.record].symbols[atom.name], unit_of(atom, self.kb.scope)
        made: dict[str, Json] = {
            "name": atom.name,
            "meaning": symbol.meaning.text,
            "unit": unit.text or "1",
            "scale": str(unit.scale),
        }
        if self.kb.records[atom.record].kind is Kind.VOCABULARY:
            made["shared"] = True
        if symbol.value is not None:
            value = amount_in_base(symbol.value, symbol.unit_text, atom.record, atom.name)
            made["value"] = str(value) if isinstance(value, Fraction) else None
        words = words_of(atom, self.kb.scope)
        if words is not None:
            made["words"] = [*words]
        made |= self.sources(atom)
        if symbol.domain is not None:
            made["domain"] = self.domain(symbol.domain, atom, atom.record)
        return made

    def sources(self, atom: SymbolAtom) -> dict[str, Json]:
        """The recorded values that a symbol stands for, in their order, and the definition after them."""
        first, rest = self.kb.sources.get(atom), self.kb.fallbacks.get(atom, NO_FALLBACK)
        if not isinstance(first, ValueAtom) or isinstance(rest, Fault):
            return {}
        made: dict[str, Json] = {"from": [leaf(value) for value in (first, *rest.later)]}
        return made | ({"else": tree(rest.otherwise)} if rest.otherwise is not None else {})

    def domain(self, domain: Domain, atom: SymbolAtom, record: str) -> dict[str, Json]:
        """The values that a symbol may take, in base units; ``of`` is the symbol that they are multiples of."""
        values = value_set(domain, unit_of(atom, self.kb.scope).scale)
        made: dict[str, Json] = {"text": domain_text(domain)}
        if domain.one_of is not None:
            made["one_of"] = [str(value) for value in values.values]
        else:
            made |= {"from": str(values.low), "to": str(values.high)}
            if values.step is not None:
                made["step"] = str(values.step)
        of = self.kb.scope.symbol(domain.parent.text, record) if domain.parent is not None else None
        return made | ({"of": str_of(of)} if of is not None else {})

    # -- records ------------------------------------------------------------------------------------------------------
    def record(self, record: Record) -> dict[str, Json]:
        """What can be asked of a record that fills a role, and of the parts of a model."""
        asked = [value for value in self.taken if value.holder == record.id or ROLES.get(value.holder) is record.kind]
        own = [path for path in record.facts if quantity_of(path) == path]
        fields = [field for role in PARTS for field in part_fields(role)] if record.kind is Kind.MODEL else []
        facts = {path: self.fact(record, path) for path in (*own, *fields)}
        for value in asked:
            for index in self.dtypes if value.index else ("",):
                facts[f"{value.path}.{index}" if index else value.path] = self.fact(record, value.path, index)
        made: dict[str, Json] = {
            "kind": record.kind.value,
            "name": record.name,
            "aliases": [alias.text for alias in record.aliases],
            "facts": {path: value for path, value in facts.items() if value is not None},
        }
        for role in PARTS if record.kind is Kind.MODEL else ():
            made[role] = self.parts(record, role)
        if record.kind is Kind.DTYPE:
            made["codes"] = [*codes_alone(record)]
        return made

    @cached_property
    def dtypes(self) -> tuple[str, ...]:
        """The number formats by which rows are found."""
        return tuple(record.id for record in self.kb.records.values() if record.kind is Kind.DTYPE)

    def fact(self, record: Record, path: str, index: str = "") -> Json:
        """A recorded value; why there is none; None where the record simply does not have it."""
        found = find_fact(record, path, index, _NOWHERE, record.id)
        if isinstance(found, Fault):
            absent = not any(is_of(each, path) for each in record.facts)
            rows = bool(index) and not any(each.startswith(f"{path}.{index}") for each in record.facts)
            return None if absent or rows else {"no": str(found)}
        return self.value(found[1], record)

    def value(self, fact: Fact, record: Record) -> Json:
        """The exact value, in base units, or why there is none."""
        value = recorded_value(fact, record, self.kb)
        return {"no": str(value)} if isinstance(value, Fault) else str(value)

    def parts(self, record: Record, role: str) -> Json:
        """The parts of a model that can fill a role, by name."""
        found = parts_of(record, role, (_NOWHERE, record.id, 1))
        if isinstance(found, Fault):
            return str(found)
        counts = counts_of(record, role) if found else {}
        return {name: self.part(record, part, counts.get(name)) for name, part in found.items()}

    def part(self, record: Record, part: LayerPart, count: str | None) -> dict[str, Json]:
        """A part: its type, how many layers have it, its fields."""
        own = {
            path.removeprefix(part.prefix): fact for path, fact in record.facts.items() if path.startswith(part.prefix)
        }
        read = {value.path for value in self.taken if value.holder in PARTS}
        facts = {
            path: self.value(fact, record) for path, fact in own.items() if path in read and fact.value is not None
        }
        words = {name: text.text for name, text in part.words.items()}
        made: dict[str, Json] = {"type": part.type.text, "facts": dict(facts), "words": dict(words)}
        return made | (
            {"count": self.value(record.facts[count], record), "counted": count} if count is not None else {}
        )


def codes_alone(record: Record) -> Iterator[str]:
    """The values of a format that do not count its scales."""
    left_out = record.facts.get("scales_left_out")
    if left_out is not None and left_out.value is not None and left_out.value.value is True:
        yield "bytes"
    if "group_size" in record.facts:
        yield "code_bytes"


def str_of(atom: SymbolAtom) -> str:
    """A symbol as the program names it."""
    return f"{atom.record}.{atom.name}"


def leaf(target: Target) -> Tree:
    """What a name stands for."""
    if isinstance(target, FormulaRef):
        return ["f", str(target.plain)]
    if isinstance(target, SymbolAtom):
        return ["s", str_of(target)]
    return ["v", target.holder, target.path, target.index]


def tree(body: LinkedExpr) -> Tree:
    """An expression."""
    return node(body.expr, body.targets, body)


def condition(when: LinkedCondition) -> Tree:
    """A condition."""
    return node(when.condition, when.targets, None)


def node(expr: Expr | Condition, targets: Mapping[Name, Target], body: LinkedExpr | None) -> Tree:
    """A part of an expression or condition, and all that is in it."""

    def inner(part: Expr | Condition) -> Tree:
        return node(part, targets, body)

    match expr:
        case Number():
            return str(expr.value)
        case Name():
            return leaf(targets[expr])
        case Unary():
            return ["-", inner(expr.operand)]
        case Binary() | Compare():
            return [expr.op, inner(expr.left), inner(expr.right)]
        case Call():
            return [expr.func, *map(inner, expr.args)]
        case Sum():
            return ["sum", SUMS[str(expr.over)], inner(expr.term)]
        case Rebound():
            assert body is not None, "conditions call nothing with inputs of its own"
            given: list[Tree] = [[str_of(atom), tree(value)] for atom, value in body.levels[expr].bindings]
            return ["call", str(targets[expr.formula]), *given]
        case Has():
            return ["has", *leaf(targets[expr.symbol])[1:]]
        case Among():
            return ["in", *leaf(targets[expr.symbol])[1:], [*expr.words]]
        case Flag():
            return ["flag", inner(expr.value)]
        case Opposite():
            return ["not", inner(expr.part)]
        case Joined():
            return [expr.op, *map(inner, expr.parts)]
