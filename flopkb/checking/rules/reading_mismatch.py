"""A recorded value is not what its as-printed form reads as.

``as_printed`` is what someone read in the source, letter for letter; ``reading`` says how that gives the value: an
expression in ``printed`` (``printed / 2``) or one of ``binary`` (GB that are GiB), ``sparse`` (a peak printed with
sparsity) and ``both_directions`` (a link with its two directions added). Without ``reading`` the printed number is the
value itself; a reading without ``printed``, or one that gives the same whatever is printed (``0*printed + 2e12``), would
compare nothing. A value that a reading computes may be
rounded, as far as what is printed is; else the two are compared exactly. The finding is at the value where quotes of it
no longer hold either, else at the printed form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from flopkb.arithmetic.numbers import decimal_text, with_unit
from flopkb.arithmetic.units import ONE, parse_amount, parse_unit
from flopkb.base.evaluate import Evaluation
from flopkb.base.evaluate.facts import FactAtom, amount_in_base
from flopkb.base.evaluate.printed import agrees, is_constant, printed_value
from flopkb.base.link import FactTarget, fact_of
from flopkb.base.model import Fact, Record
from flopkb.checking.findings import Finding, RecordRule, at, of_fault

_NAME = re.compile(r"(?<![\w.])[A-Za-z_]")
"""The beginning of a name: in a reading, that of ``printed`` (the parser refuses others)."""

_BARE = re.compile(r"[\d.,\s]+")
"""A printed number without its unit."""

_CURE = "correct the value, the printed form or the reading"
_UNIT_LEFT_OUT = "correct one of them, or, where the unit stands elsewhere, say so, as reading: printed * 10**12"


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every recorded value, and every disputed one, against its printed form."""
    for fact in record.facts.values():
        for stated in (fact, *fact.disputed):
            yield from _compare(stated, record, base)


def _compare(fact: Fact, record: Record, base: Evaluation) -> Iterator[Finding]:
    if fact.as_printed is None or fact.value is None or fact.is_flag:
        return
    if fact.reading is not None and (not _NAME.search(fact.reading.text) or is_constant(fact, record)):
        yield at(
            fact.reading, f"the reading of {fact.path} leaves out what is printed; write an expression in `printed`"
        )
        return
    printed = printed_value(fact, record)
    value = amount_in_base(fact.value, fact.unit, record.id, fact.path)
    if not isinstance(printed, Fraction):
        yield of_fault(printed)
    elif isinstance(value, Fraction) and not agrees(fact, value, record):
        reading = f" read as {fact.reading.text}" if fact.reading else ""
        yield at(
            fact.value if is_misquoted(fact, record, base) else fact.as_printed,
            f"{fact.path} is {fact.value.text}, but {fact.as_printed.text!r}{reading} is {in_unit_of(fact, printed)}; "
            + (_UNIT_LEFT_OUT if not fact.reading and _BARE.fullmatch(fact.as_printed.text) else _CURE),
        )


def is_misquoted(fact: Fact, record: Record, base: Evaluation) -> bool:
    """Whether a quote of the value, or of a figure that moves with it, is wrong: then the value was changed."""
    atom = FactAtom(record.id, fact.path)
    for result in (result for results in base.quotes.values() for result in results):
        if result.judgement is None or result.judgement.ok:
            continue
        target = result.quote.target
        if isinstance(target, FactTarget) and (target.record, target.path) == (record.id, fact.path):
            if fact_of(record.facts[fact.path], target.source) is fact:
                return True
        elif result.value is not None and fact is record.facts[fact.path] and result.value.depends_on(atom):
            return True
    return False


def in_unit_of(fact: Fact, amount: Fraction) -> str:
    """An amount in base units, in the unit that the value is written in."""
    assert fact.value is not None
    written = parse_amount(fact.value.text).unit if isinstance(fact.value.value, str) else ONE
    unit = written if written != ONE else parse_unit(fact.unit)
    return with_unit(decimal_text(amount / unit.scale), unit.text)


RULE = RecordRule(id="reading-mismatch", doc=__doc__, run=check)
