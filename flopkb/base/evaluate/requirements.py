"""What formulas require and assume of the thing that they are asked of, held against the inputs of a computation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import Among, Compare, Expr, Has, Name, Number, compares, dimension, to_text, walk
from flopkb.arithmetic.numbers import readable, short_text
from flopkb.arithmetic.units import Unit
from flopkb.base.evaluate.asked import Unbound
from flopkb.base.evaluate.cases import holds_in, put_side, word_of
from flopkb.base.evaluate.computing import Computed
from flopkb.base.evaluate.inputs import BoundExpression, Inputs, Taken
from flopkb.base.faults import WANTED, Blocked, MissingInput, NotApplicable, Stopped, listed
from flopkb.base.link.formulas import named_unit, unit_of
from flopkb.base.link.frames import ROOT, Frame
from flopkb.base.link.names import Scope
from flopkb.base.link.targets import FormulaRef, LinkedCondition, LinkedExpr, LinkedRequirement, SymbolAtom, ValueAtom
from flopkb.base.model import ROLES, Kind


@dataclass(frozen=True, slots=True)
class Beyond:
    """A symbol that is larger than an assumption has it (``L <= trained``): the limit in base units, and its words."""

    symbol: str
    limit: Fraction
    unit: Unit
    words: str

    def __str__(self) -> str:
        return f"{self.words}: at most {short_text(self.limit, self.unit)}"


@dataclass(frozen=True, slots=True)
class Examined:
    """What came of the requirements and assumptions behind one side of a value.

    ``unmet`` is the first requirement that keeps the value from being one; ``assumed`` are the lines that go with the
    value, ``beyond`` the symbols among them that are too large; ``read`` holds what was read to know it.
    """

    read: Computed
    unmet: NotApplicable | None = None
    assumed: tuple[str, ...] = ()
    beyond: tuple[Beyond, ...] = ()

    def limit_of(self, symbol: str) -> Beyond | None:
        """The least limit that an assumption sets to a symbol, where the symbol is beyond it."""
        return min((each for each in self.beyond if each.symbol == symbol), key=lambda each: each.limit, default=None)


@dataclass(frozen=True, slots=True)
class _Shortfall:
    """Why a condition is not met: the numbers, or what keeps one from knowing."""

    detail: str
    unknown: bool = False
    beyond: Beyond | None = None


def examined(env: Inputs, formulas: Iterable[FormulaRef]) -> Examined:
    """The requirements and assumptions of ``formulas``, and of those that are read for them, each once.

    One whose role nobody has filled is not asked: then nothing is said of a thing. One that lacks an input although the
    roles are filled is not known to hold.
    """
    read, assumed, unmet = Computed(env, {}), dict[str, None](), list[NotApplicable]()
    queue, seen = list(formulas), set[FormulaRef]()
    beyond = list[Beyond]()
    done: set[tuple[Location, Frame | None]] = set()
    while queue:
        ref = queue.pop(0)
        if ref in seen:
            continue
        seen.add(ref)
        linked = env.kb.formulas[ref.plain]
        sought = (linked.sought,) if linked.sought is not None else ()  # it holds, and what it reads is assumed too
        for asked in (*sought, *linked.requires, *linked.assumes):
            place = asked.body.source.location, ref.frame
            if place in done:
                continue
            done.add(place)
            for lack in _shortfalls(asked, ref.frame or ROOT, read):
                if any(asked is each for each in linked.requires):
                    unmet.append(_refusal(ref, asked, lack, env))
                else:
                    assumed[_line(asked, lack)] = None
                    beyond += [lack.beyond] if lack.beyond is not None else []
        queue += [named for named in read.formulas if named not in seen]
    return Examined(read, unmet[0] if unmet else None, tuple(assumed), tuple(beyond))


def _refusal(ref: FormulaRef, asked: LinkedRequirement, lack: _Shortfall, env: Inputs) -> NotApplicable:
    words = f"it is not known whether {asked.body.source.text}" if lack.unknown else asked.words
    of_type = asked.types is not None and not lack.unknown
    return NotApplicable(*env.place, formula=str(ref), words=words, detail=lack.detail, other_type=of_type)


def _line(asked: LinkedRequirement, lack: _Shortfall) -> str:
    if lack.unknown:
        return f"not known whether {asked.body.source.text} ({lack.detail}); if not: {asked.words}"
    return f"{asked.words} ({lack.detail})"


def _shortfalls(asked: LinkedRequirement, frame: Frame, read: Computed) -> Iterator[_Shortfall]:
    """Why a condition is not met, layers that fall short in one way together."""
    try:
        frames = list(frames_of(asked, frame, read.env))
    except Stopped as stopped:
        if isinstance(stopped.fault, Blocked):
            raise
        if not isinstance(stopped.fault, MissingInput) or not any(name in ROLES for name in stopped.fault.names):
            yield _Shortfall(str(stopped.fault), unknown=True)
        return
    found = dict[_Shortfall, list[str]]()
    for inner in frames:
        lack = _shortfall(asked, inner, read)
        if lack is not None:
            found.setdefault(lack, []).append(inner.part(asked.each) if asked.each else "")
    for lack, parts in found.items():
        named = listed([part for part in parts if part])
        yield replace(lack, detail=f"{lack.detail} ({asked.each} {named})" if named else lack.detail)


def frames_of(asked: LinkedRequirement, frame: Frame, env: Inputs) -> Iterator[Frame]:
    """The frames in which a condition must hold: of each layer it speaks of, or the one given; may raise :class:`Stopped`."""
    inner = [found for _, found in env.summed(asked.each, frame)] if asked.each else [frame]
    yield from (each for each in inner if asked.when is None or holds_in(asked.when, each, env))


def _shortfall(asked: LinkedRequirement, frame: Frame, read: Computed) -> _Shortfall | None:
    """Why a condition is not met, or None: it is, or it is not asked."""
    if asked.types is not None:
        return _of_another_type(asked.types, frame, read.env)
    sides = [put_side(side, asked.body, frame, read.env) for part in asked.parts for side in (part.left, part.right)]
    missing = tuple(dict.fromkeys(_missing(sides, read.env)))
    if any(name in ROLES for name in missing):
        return None
    if missing:
        return _Shortfall(f"that needs {listed(missing)}", unknown=True)
    try:
        return next((lack for part in asked.parts if (lack := _difference(part, asked, frame, read))), None)
    except Stopped as stopped:
        if isinstance(stopped.fault, Blocked):
            raise
        return _Shortfall(str(stopped.fault), unknown=True)


def _of_another_type(types: LinkedCondition, frame: Frame, env: Inputs) -> _Shortfall | None:
    """How what is asked for is not of a required type; where nothing says its type, that is not asked."""
    try:
        if holds_in(types, frame, env):
            return None
        tests = (part for part in walk(types.condition) if isinstance(part, Among))
        return _Shortfall(
            ", ".join(dict.fromkeys(f"{test.symbol} is {word_of(test, types, frame, env)}" for test in tests))
        )
    except Stopped as stopped:
        if isinstance(stopped.fault, Blocked):
            raise
        return None if isinstance(stopped.fault, MissingInput) else _Shortfall(str(stopped.fault), unknown=True)


def _missing(sides: Iterable[LinkedExpr], env: Inputs) -> Iterator[str]:
    """The inputs that would be needed to know whether a condition holds."""
    queue, seen = [target for side in sides for target in side.targets.values()], set[object]()
    while queue:
        target = queue.pop(0)
        if target in seen:
            continue
        seen.add(target)
        if isinstance(target, FormulaRef):
            queue += env.leaves(target)
            continue
        standing = env.standing(target)
        if isinstance(standing, Unbound):
            yield from standing.names
        elif isinstance(standing, BoundExpression):
            queue += standing.body.targets.values()


def _difference(part: Compare, asked: LinkedRequirement, frame: Frame, read: Computed) -> _Shortfall | None:
    """How a comparison fails, with both values; None where it holds."""
    sides = (part.left, part.right)
    left, right = (read.expression(put_side(side, asked.body, frame, read.env), to_text(side)) for side in sides)
    if compares(part.op, left, right):
        return None
    own, other = (shown_unit(side, asked, read.env.kb.scope) for side in sides)
    if isinstance(part.left, Has) and not left:
        return _Shortfall(f"nothing gives {part.left.symbol}")
    known = "" if isinstance(part.right, Number) else f", which is {readable(right, other)}"
    told = f"{to_text(part.left)} is {readable(left, own)}, not {WANTED[part.op]} {to_text(part.right)}{known}"
    limited = isinstance(part.left, Name) and part.op == "<="
    return _Shortfall(told, beyond=Beyond(to_text(part.left), right, own, asked.words) if limited else None)


def shown_unit(side: Expr, asked: LinkedRequirement, scope: Scope) -> Unit:
    """The unit in which a side is shown: that of its name, else a plain one of its dimension."""
    if isinstance(side, Name):
        return unit_of(asked.body.targets[side], scope)
    found = dimension(side, partial(named_unit, asked.body.targets, scope))
    return replace(found, text=found.base_text)


def below_nothing(value: Fraction, computed: Computed) -> NotApplicable | None:
    """The refusal of a count that comes out negative: of tokens, sequences or heads there are at least none."""
    env = computed.env
    unit = env.kb.formulas[env.formula].unit
    if value >= 0 or unit.dimension or [power for _, power in unit.counts] != [1]:
        return None
    shown = readable(value, unit)
    return NotApplicable(
        *env.place, formula=str(env.formula), words="there is no such count", detail=f"it would be {shown}"
    )


def facts_assumed(computed: Computed) -> Iterator[str]:
    """What is assumed with recorded values: a later source for lack of the first, formats without their scales."""
    for atom in computed.targets:
        standing = computed.env.standing(atom)
        if isinstance(standing, Taken):
            yield from _of_taken(atom, standing, computed)


def _of_taken(atom: SymbolAtom | ValueAtom, taken: Taken, computed: Computed) -> Iterator[str]:
    record, own = computed.env.kb.records[taken.atom.record], computed.env.own_dtype(taken.via)
    if own is not None and own != record.id:
        yield f"{taken.via.holder} is {record.id} as asked, where the model says {own}"
    if taken.instead_of is not None:
        yield f"{atom} is the {taken.atom.path} of {record.id}, which records no {taken.instead_of.path}"
    codes = taken.atom.path == "code_bytes" and "group_size" in record.facts
    left_out = record.facts.get("scales_left_out") if taken.atom.path == "bytes" else None
    says = left_out is not None and left_out.value is not None and left_out.value.value is True
    if record.kind is Kind.DTYPE and (codes or says):
        yield f"scales not counted: {taken.atom} is the code alone"
