"""What a value is a bound of: a time at the rates that parts reach at most is a least one, a rate a greatest."""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Case
from flopkb.base.evaluate.computing import Computed
from flopkb.base.link import SymbolAtom, ValueAtom
from flopkb.base.model import ROLES, Kind

SHARES = ("mfu", "mbu")
"""With these an asker says which share of a rate is reached: then the value is no bound."""
_PARTS = (Kind.ACCELERATOR, Kind.INTERCONNECT)


def bound_words(case: Case) -> str:
    """What the value is a bound of, and by what; empty where it is none."""
    env = case.upper.env
    power = dict(env.kb.formulas[env.formula].unit.dimension).get("second", 0)
    if not power or case.lower is not None or case.sought:
        return ""
    names = {atom.name for atom in case.upper.targets if isinstance(atom, SymbolAtom)}
    rates = list(dict.fromkeys(rates_read(case.upper)))
    if not rates or not names.isdisjoint(SHARES):
        return ""
    return f"{'a lower' if power > 0 else 'an upper'} bound, at full {' and '.join(rates)}"


def rates_read(side: Computed) -> Iterator[str]:
    """The symbols that stand for rates of parts: bytes or operations in a second."""
    kb = side.env.kb
    for atom in side.targets:
        if not isinstance(atom, SymbolAtom):
            continue
        source = kb.sources.get(atom.plain)
        of_part = isinstance(source, ValueAtom) and ROLES.get(source.holder) in _PARTS
        if of_part and dict(side.unit(atom).dimension).get("second", 0) < 0:
            yield atom.name
