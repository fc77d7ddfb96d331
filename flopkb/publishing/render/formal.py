"""Formulas of the base in a document: as mathematics, worked with numbers, derived step by step, as Python; and its claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import FormulaError, Name, Rational, names, parse
from flopkb.arithmetic.text.joints import relations
from flopkb.arithmetic.units import parse_unit
from flopkb.base.claims import claims_of
from flopkb.base.claims.verdicts import Proved, Tested
from flopkb.base.document import Scalar
from flopkb.base.equations.derivation import Names, UnknownHere, put
from flopkb.base.evaluate import Evaluation
from flopkb.base.evaluate.inputs import Inputs
from flopkb.base.evaluate.values import choices
from flopkb.base.faults import Fault, Stopped, did_you_mean
from flopkb.base.link import Computation, FormulaRef
from flopkb.base.link.expressions import resolve
from flopkb.base.link.frames import ROOT
from flopkb.base.link.targets import LinkedExpr, Target
from flopkb.base.model import Claim, Record
from flopkb.checking.api import Base
from flopkb.publishing.pages import mathematics
from flopkb.publishing.pages.inlines import Math
from flopkb.publishing.pages.mathematics import Notation
from flopkb.publishing.render import asking, listings
from flopkb.publishing.render.listings import Flat, flat
from flopkb.publishing.render.objects import EquationThing, ListingThing
from flopkb.publishing.render.template_text import Bad
from flopkb.publishing.render.values import Form, shown_unit, tex_number, written

_RELATIONS = {"at_most": "<=", "at_least": ">=", "equals": "=="}
LONGEST = 2000


def named(
    base: Base, target: object, what: str, parts: Callable[[Record], Iterable[str]], rule: str = "template"
) -> tuple[Record, str]:
    """The record and the name in it of ``record.name``, one of its ``parts``; else :class:`Bad` with the fault ``rule``.

    ``what`` is what messages call such a part.
    """
    if not isinstance(target, str) or len(target) > 300:
        raise Bad(f"name a {what} as record.name", 0)
    id, _, name = target.rpartition(".")
    record = base.records.get(id)
    if record is None:
        raise Bad(f"there is no record {id or target}{did_you_mean(id, base.records)}", 0, rule=rule)
    known = parts(record)
    if name not in known:
        raise Bad(f"{id} has no {what} {name}{did_you_mean(name, known)}", 0, len(id) + 1, rule)
    return record, name


def ref_of(base: Base, target: object) -> FormulaRef:
    """The formula ``record.name``; raises :class:`Bad` where there is none."""
    record, name = named(base, target, "formula", lambda record: record.formulas, "unknown-figure")
    return FormulaRef(record.id, name)


def right_side(flattened: Flat, notation: Notation, *, inline: bool) -> str:
    """The TeX of an expression."""
    return mathematics.tex(flattened.expr, lambda name: notation.name(name, flattened.targets.get(name)), inline=inline)


def framed(name: Name, target: Target | None, notation: Notation) -> str:
    """The TeX of a name; one that is read in a part of a model has that beside it, since another has a value of its own."""
    tex, part = notation.name(name, target), str(getattr(target, "frame", None) or "")
    return rf"{tex}^{{\mathrm{{({part.replace('_', chr(92) + '_')})}}}}" if part.isidentifier() else tex


def formula(base: Base, notation: Notation, target: object, side: str, expand: bool) -> Math:
    """A formula inline: both sides, or one."""
    ref = ref_of(base, target)
    if side == "left":
        return Math(notation.formula(ref))
    right = right_side(flat(ref, base.evaluation.kb, expand=expand), notation, inline=True)
    if side not in ("both", "right"):
        raise Bad("side is both, left or right")
    return Math(right if side == "right" else f"{notation.formula(ref)} = {right}")


def equation(
    base: Base,
    notation: Notation,
    target: object,
    label: str | None,
    expand: bool,
    own: str,
    unit: bool,
    inputs: Mapping[str, object],
) -> EquationThing:
    """A formula displayed; ``own`` is the right side as the writer puts it, proved to be the same.

    Where ``inputs`` say of what (a model, a type of layer), its case is chosen and its sums are written out.
    """
    ref = ref_of(base, target)
    kb = base.evaluation.kb
    linked = kb.formulas[ref]
    asked = environment(base, asking.computation(base, str(target), inputs)) if inputs else None
    if linked.body is None and linked.cases and not (own or expand or asked):
        return EquationThing(f"{notation.formula(ref)} = {mathematics.formula_tex(linked, notation)}", label)
    flattened = flat(ref, kb, expand=expand or asked is not None, env=asked)
    if own:
        side = read_side(own, 0, 0, ref, base.evaluation)
        env = asked or Inputs(kb, ref, "", asking.HERE, {})
        if form_of(side, env, base.evaluation, 0) != put(
            base.evaluation.evaluator.forms.formula(ref, env), env, base.evaluation
        ):
            raise Bad(f"`{own}` is not the same as {ref} = {kb.formulas[ref].formula.text}", rule="derivation")
        flattened = Flat(side.expr, side.targets)
    right = mathematics.tex(flattened.expr, lambda name: framed(name, flattened.targets.get(name), notation))
    name = kb.formulas[ref].unit.text
    tail = rf"\ \text{{{'bytes' if name == 'byte' else name}}}" if unit and name not in ("", "1") else ""
    return EquationThing(f"{notation.formula(ref)} = {right}{tail}", label)


def environment(base: Base, computation: Computation) -> Inputs:
    """The bindings of a computation that is no set."""
    found = list(choices(computation))
    if len(found) != 1 or computation.over:
        raise Bad("a derivation takes one value for each input", 0)
    return Inputs(base.evaluation.kb, computation.formula, "", asking.HERE, found[0][0])


def read_chain(text: str, ref: FormulaRef, base: Evaluation) -> tuple[list[LinkedExpr], list[str]]:
    """The sides of ``I = 2*m*n*b / (2*m*n + 2*b*(m + n)) <= b`` and, between them, ``= <= >= < > !=``."""
    if len(text) > LONGEST:
        raise Bad(f"a derivation has at most {LONGEST} characters", 1)
    signs = relations(text)
    if not signs:
        raise Bad("a derivation has sides with = or <= between them", 1)
    for found in signs:
        if found.sign in ("", "≈"):
            raise Bad(f"{found.text} in a derivation cannot be proved: say in words what is meant", 1, found.start)
    begins, ends = [0, *(found.end for found in signs)], [*(found.start for found in signs), len(text)]
    sides = [read_side(text[at:stop], at, 1, ref, base) for at, stop in zip(begins, ends, strict=True)]
    return sides, ["==" if found.equal else found.sign for found in signs]


def read_side(text: str, offset: int, argument: int, ref: FormulaRef, base: Evaluation) -> LinkedExpr:
    """One side, parsed, in the names of the record of ``ref``; its column is its place in the argument."""
    offset += len(text) - len(text.lstrip())
    known = Names.of(base.kb.records[ref.record], base)
    try:
        expr = parse(text.strip())
        targets = {name: known.target(name) for name in names(expr)}
    except FormulaError as error:
        raise Bad(str(error), argument, offset + error.offset) from None
    except UnknownHere as unknown:
        raise Bad(str(unknown.fault), argument, offset + unknown.name.offset) from None
    return LinkedExpr(ref.record, Scalar(Location("", 1, offset + 1), text.strip(), text.strip()), expr, targets)


def form_of(side: LinkedExpr, env: Inputs, base: Evaluation, argument: int) -> Rational:
    """The normal form of a side, with what the environment binds put in."""
    try:
        return put(base.evaluator.forms.expression(env.put_in(side, ROOT), env), env, base)
    except Stopped as stopped:
        raise Bad(str(stopped.fault), argument, side.source.location.column - 1) from None


def check_step(sign: str, left: LinkedExpr, right: LinkedExpr, asked: Computation, base: Evaluation) -> None:
    """Raise :class:`Bad` at the right side unless the step is proved."""
    verdict = claims_of(base).checker.comparison(sign, left, right, asked.bindings, right.source)
    if not isinstance(verdict, Proved):
        shown = f"`{left.source.text} {sign} {right.source.text}` is not proved: {verdict}"
        raise Bad(shown[:280], 1, right.source.location.column - 1, "derivation")


def derivation(
    base: Base,
    notation: Notation,
    target: str,
    text: object,
    label: str | None,
    inline: bool,
    inputs: Mapping[str, object],
) -> EquationThing | Math:
    """A chain of sides; the first is the formula, and every step is proved."""
    if not isinstance(text, str):
        raise Bad("a derivation is a text in quotes", 1)
    asked = asking.computation(base, target, inputs)
    env, known = environment(base, asked), base.evaluation
    sides, signs = read_chain(text, asked.formula, known)
    forms = [form_of(side, env, known, 1) for side in sides]
    for index, sign in enumerate(signs):
        if sign != "==" or forms[index] != forms[index + 1]:
            check_step(sign, sides[index], sides[index + 1], asked, known)
    if forms[0] != put(known.evaluator.forms.formula(asked.formula, env), env, known):
        raise Bad(f"`{sides[0].source.text}` is not {asked.formula} with these inputs", 1, rule="derivation")
    parts = [right_side(Flat(side.expr, side.targets), notation, inline=inline) for side in sides]
    tex = parts[0] + "".join(f" {mathematics.relation(op)} {part}" for op, part in zip(signs, parts[1:], strict=True))
    return Math(tex) if inline and label is None else EquationThing(tex, label)


def worked(
    base: Base,
    notation: Notation,
    target: str,
    form: Form,
    label: str | None,
    display: bool,
    inputs: Mapping[str, object],
) -> EquationThing | Math:
    """``2 · 32 · 32 · 128 · 2 = 512 KiB/token``: the formula with numbers for its names, in its own order."""
    answer = asking.figure(base, target, inputs)
    value = answer.value
    assert value is not None
    side = asking.side_of(value)
    flattened = flat(value.computation.formula, base.evaluation.kb, expand=True, env=side.env)

    def number(name: Name) -> str:
        found = side.target(flattened.targets[name])
        unit = side.unit(flattened.targets[name])
        scale, text = shown_unit(found, unit, Form(unit=unit.text or "1"))
        plain = mathematics.number(found / scale)
        return (
            plain
            if not text or text in ("byte", "token", "sequence", "layer", "head", "element")
            else rf"{plain}\,\text{{{text}}}"
        )

    left = mathematics.tex(flattened.expr, number, inline=not (display or label))
    right = tex_number(written(answer.values, answer.unit, form))
    tex = f"{left} = {right}"
    return EquationThing(tex, label) if display or label else Math(tex)


def symbol(base: Base, notation: Notation, target: object) -> Math:
    """A symbol ``record.name``; a role's recorded value ``accelerator.memory_bandwidth``."""
    if not isinstance(target, str):
        raise Bad("name a symbol as record.name", 0)
    record_id, _, name = target.partition(".")
    record = base.records.get(record_id)
    if record is None:
        raise Bad(f"there is no record {record_id}{did_you_mean(record_id, base.records)}", 0)
    if name in record.formulas:
        return Math(notation.formula(FormulaRef(record_id, name)))
    scope = base.evaluation.kb.scope
    atom = scope.symbol(name, record_id)
    if atom is None:
        known = {*scope.symbols(record), *record.formulas}
        raise Bad(f"{record_id} has no symbol {name}{did_you_mean(name, known)}", 0, len(record_id) + 1)
    return Math(notation.of(record_id, name))


def listing(
    base: Base,
    target: str,
    label: str,
    caption: str,
    function: str,
    unit: str | None,
    names: Mapping[str, str],
    defaults: object,
    inputs: Mapping[str, object],
) -> ListingThing:
    """The listing of a formula."""
    answer = asking.figure(base, target, inputs)
    value = answer.value
    assert value is not None
    chosen = [defaults] if isinstance(defaults, str) else defaults
    if not isinstance(chosen, (list, tuple)) or not all(isinstance(name, str) for name in chosen):
        raise Bad("defaults is a list of parameters")
    if not isinstance(names, Mapping) or not all(
        isinstance(text, str) and text.isidentifier() and text.isascii() for text in names.values()
    ):
        raise Bad("names maps parameters to names in Python")
    ref = value.computation.formula
    if function and not (isinstance(function, str) and function.isidentifier() and function.isascii()):
        raise Bad("function is a name in Python")
    shape = listings.Shape(function or ref.name, names, list(chosen))
    scale, name = shown_unit(answer.values[0], answer.unit, Form(unit=unit))
    shown = replace(parse_unit(name) if name else parse_unit("1"), scale=Fraction(scale))
    code = listings.listing(ref, shape, asking.side_of(value), answer.values[0], shown, name, base.evaluation.kb)
    return ListingThing(code, label, (caption,), answer.sources)


# -- claims -----------------------------------------------------------------------------------------------------------
def claim_of(base: Base, target: object) -> tuple[Claim, Record]:
    """The claim ``record.name`` and its record; raises :class:`Bad` where there is none."""
    record, name = named(base, target, "claim", lambda record: record.claims)
    return record.claims[name], record


def claim_verdict(base: Base, claim: Claim, record: Record) -> str:
    """How the claim stands: ``proved`` or ``tested``; raises :class:`Bad` for one that does not hold."""
    found = claims_of(base.evaluation).checker.claim(claim, record)
    if isinstance(found, Proved | Tested):
        return found.word
    raise Bad(f"the claim {record.id}.{claim.name} does not hold: {found}"[:280], rule="claim")


def claims_checked(base: Base, targets: object) -> str:
    """A sentence on the claims that a proposition rests on; empty where it names none."""
    wanted = [targets] if isinstance(targets, str) else targets
    if not isinstance(wanted, (list, tuple)) or len(wanted) > 20:
        raise Bad("claims is a list of claims, as record.name")
    told = []
    for target in wanted:
        claim, record = claim_of(base, target)
        told.append(f"{record.id}.{claim.name} ({claim_verdict(base, claim, record)})")
    return ", ".join(told)


def claim_stated(base: Base, notation: Notation, target: object) -> Math:
    """What a claim states, for the relations that are one comparison."""
    found, record = claim_of(base, target)
    op = _RELATIONS.get(found.relation.text)
    if op is None:
        raise Bad(f"a claim that is {found.relation.text} has no short form: say it in words", 0)
    word = claim_verdict(base, found, record)
    terms = [term for term, _ in found.terms]
    left = [found.formula] if found.formula is not None and len(terms) == 1 else []
    sides = [claim_side(text, record, base, notation) for text in (*left, *terms) if text is not None]
    tail = rf"\ \text{{({word})}}" if word == Tested.word else ""
    return Math(f" {mathematics.relation(op)} ".join(sides) + tail)


def claim_side(text: Scalar, record: Record, base: Base, notation: Notation) -> str:
    """One side of a comparison as TeX."""
    try:
        expr = parse(text.text)
    except FormulaError as error:
        raise Bad(str(error)) from None
    targets = {name: resolve(name, record, base.evaluation.kb.scope, asking.HERE) for name in names(expr)}

    def written(name: Name) -> str:
        target = targets[name]
        return notation.name(name, None if isinstance(target, Fault) else target)

    return mathematics.tex(expr, written, inline=True)
