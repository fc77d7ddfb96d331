"""The inputs of a value, a line each: name, value, unit, basis, source, and place in the records."""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.arithmetic.amounts import readable
from flopkb.base.evaluate import Case
from flopkb.base.evaluate.inputs import BoundExpression, BoundNumber, Computed, Taken
from flopkb.base.evaluate.normal_forms import OverAtom
from flopkb.base.link import SymbolAtom, ValueAtom
from flopkb.base.model import Fact
from flopkb.checking.api import Base


def input_lines(case: Case, base: Base) -> Iterator[str]:
    """Every input that the case reads (one that cancels is marked); those that nothing binds are named last."""
    seen: dict[str, None] = {}
    for side in case.sides:
        for atom in side.targets:
            line = input_line(atom, side, base)
            if line is not None:
                seen[line if moves_with(case, atom, side) else f"{line}  (cancels)"] = None
    yield from seen
    free = sorted({str(atom) for side in case.sides for atom in side.picked})
    if free:
        yield f"does not depend on {', '.join(free)}"
    for fact_atom, fact in case.contested():
        yield contested_line(str(fact_atom), fact)


def moves_with(case: Case, atom: SymbolAtom | ValueAtom, side: Computed) -> bool:
    """Whether the value depends on an input; one bound to an expression stands for what is in it."""
    standing = side.env.standing(atom)
    if isinstance(standing, BoundNumber):
        over = isinstance(atom, SymbolAtom) and case.form.depends_on(OverAtom(atom))
        return over or case.form.depends_on(atom)
    return not isinstance(standing, Taken) or case.form.depends_on(standing.atom)


def input_line(atom: SymbolAtom | ValueAtom, side: Computed, base: Base) -> str | None:
    """One input, or None for one that nothing binds (it cancels)."""
    standing = side.env.standing(atom)
    number = readable(side.targets[atom], side.unit(atom))
    if isinstance(standing, Taken):
        return f"{named(atom, side)} = {number}{evidence(standing, base)}"
    if isinstance(standing, BoundExpression):
        return f"{atom} = {standing.body.source.text} = {number}"
    if isinstance(standing, BoundNumber):
        text = side.env.bound.get(atom.name) if isinstance(atom, SymbolAtom) else None
        constant = side.env.symbol(atom).value if isinstance(atom, SymbolAtom) else None
        place = text or constant
        return f"{atom} = {number}" + (f"  ({place.location})" if place is not None and place.location.path else "")
    return None


def named(atom: SymbolAtom | ValueAtom, side: Computed) -> str:
    """A symbol with what it is taken from, or the recorded value itself."""
    if isinstance(atom, ValueAtom):
        return str(atom)
    source = side.env.symbol(atom).source
    return f"{atom} = {source.text}" if source is not None else str(atom)


def evidence(taken: Taken, base: Base) -> str:
    """Basis, source and place of a recorded value."""
    fact = taken.fact
    parts = [fact.value.text if fact.value is not None else "", fact.basis.value]
    parts += [reference.target.text for reference in fact.sources]
    if fact.as_printed is not None and fact.as_printed is not fact.value:
        printed = f"printed {fact.as_printed.text!r}"
        parts.append(f"{printed} read as {fact.reading.text}" if fact.reading is not None else printed)
    if fact.formula is not None:
        parts.append(f"from {fact.formula.text}")
    return f"  [{taken.atom}: {', '.join(part for part in parts if part)}]  ({fact.location})"


def contested_line(name: str, fact: Fact) -> str:
    """What other sources state, and why the value used stands."""
    others = ", ".join(
        f"{other.value.text} ({', '.join(r.target.text for r in other.sources)})"
        for other in fact.disputed
        if other.value
    )
    reason = f"; preferred: {' '.join(fact.preferred.text.split())}" if fact.preferred is not None else ""
    return f"{name} is contested: others state {others}{reason}"
