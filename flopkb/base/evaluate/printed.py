"""What a source prints, and how that is read: an expression in ``printed``, or a reading that has a name."""

from __future__ import annotations

from fractions import Fraction

from flopkb.arithmetic.formula import FormulaError, Name, TooLargeError, ZeroDenominator, evaluate, parse
from flopkb.arithmetic.numbers import Quoted, ReadError, read, read_printed
from flopkb.arithmetic.rounding import is_rounding
from flopkb.arithmetic.units import parse_unit
from flopkb.base.document import Scalar
from flopkb.base.evaluate.facts import amount_in_base, counted
from flopkb.base.faults import BadExpression, BadInput, Fault, UnitMismatch
from flopkb.base.model import Fact, Record
from flopkb.base.quantities import NAMED_READINGS

_FLOP, _FLOP_PER_SECOND = parse_unit("flop").powers, parse_unit("flop/s").powers
_BYTE_PER_SECOND = parse_unit("byte/s").dimension
_TIMES = {"sparse": 2, "both_directions": 2}
"""How many times the value a named reading prints."""


def printed_value(fact: Fact, record: Record) -> Fraction | Fault:
    """What the source prints (``as_printed``, which must be there), through the fact's reading, in base units."""
    assert fact.as_printed is not None
    misused = misused_name(fact, record)
    if misused is not None:
        return misused
    found = printed_quote(fact.as_printed, fact, record)
    return found if isinstance(found, Fault) else through(fact, found[0], record)


def agrees(fact: Fact, value: Fraction, record: Record) -> bool:
    """Whether a value, in base units, is what is printed: exactly, or rounded, where a reading computes it.

    A rounded value must also lie within the rounding of what is printed: 186 GB of 13.4 TB over 72.
    """
    assert fact.as_printed is not None and fact.value is not None
    printed = printed_value(fact, record)
    if printed == value:
        return True
    found = printed_quote(fact.as_printed, fact, record)
    try:
        own = read(fact.value.text)
    except ReadError:
        return False
    if fact.reading is None or isinstance(found, Fault) or not isinstance(printed, Fraction):
        return False
    unit = counted(own.unit, parse_unit(fact.unit)) if own.unit is not None else parse_unit(fact.unit)
    number, place = found
    ends = [through(fact, number + sign * place / 2, record) for sign in (-1, 1)]
    low, high = (end for end in ends if isinstance(end, Fraction))
    within = min(low, high) <= value <= max(low, high)
    return within and is_rounding(value, own.place * unit.scale, printed)


def misused_name(fact: Fact, record: Record) -> BadExpression | None:
    """The fault of a named reading of a quantity that it says nothing of."""
    reading = fact.reading
    if reading is None or reading.text not in NAMED_READINGS:
        return None
    unit = parse_unit(fact.unit)
    fits = {
        "binary": dict(unit.dimension).get("byte") == 1,
        "sparse": unit.powers == _FLOP_PER_SECOND,
        "both_directions": unit.dimension == _BYTE_PER_SECOND,
    }
    if fits[reading.text]:
        return None
    reason = f"{fact.path} is in {fact.unit}, and a reading `{reading.text}` is one of {NAMED_READINGS[reading.text]}"
    return BadExpression(*reading.whole(record.id), reason=reason)


def printed_quote(text: Scalar, fact: Fact, record: Record) -> tuple[Fraction, Fraction] | Fault:
    """The number in the printed text and the worth of its last digit, in base units (its own, or the fact's unit)."""
    try:
        reading = read_printed(text.text, binary=fact.reading is not None and fact.reading.text == "binary")
    except ReadError as error:
        return BadInput(*text.whole(record.id), reason=str(error))
    scale = printed_scale(reading, fact)
    if scale is None:
        return UnitMismatch(*text.whole(record.id), found=str(reading.unit), wanted=fact.unit, what=fact.path)
    return reading.value * scale, reading.place * scale


def printed_scale(reading: Quoted, fact: Fact) -> Fraction | None:
    """What one printed unit is worth; None where it does not measure the quantity."""
    declared = parse_unit(fact.unit)
    if reading.unit is None:
        return declared.scale
    if (reading.unit.powers, declared.powers) == (_FLOP, _FLOP_PER_SECOND):
        return reading.unit.scale  # "197 TFLOPs" of a data sheet is a rate, whatever it is short for
    stated = counted(reading.unit, declared)
    return stated.scale if stated.dimension == declared.dimension else None


def through(fact: Fact, printed: Fraction, record: Record) -> Fraction | Fault:
    """The fact's reading, an expression in ``printed`` or a named one, at the printed number."""
    reading = fact.reading
    if reading is None or reading.text in NAMED_READINGS:
        return printed / (_TIMES.get(reading.text, 1) if reading is not None else 1)

    def resolve(name: Name) -> Fraction:
        if name.parts == ("printed",) and name.index is None:
            return printed
        raise KeyError(str(name))

    try:
        return evaluate(parse(reading.text), resolve)
    except FormulaError as error:
        return BadExpression(reading.at(error.offset), record.id, reason=str(error))
    except (ZeroDenominator, TooLargeError) as error:
        return BadExpression(reading.location, record.id, reason=str(error))
    except KeyError as error:
        reason = f"a reading is an expression in printed alone, not in {error.args[0]}, or one of {', '.join(NAMED_READINGS)}"
        return BadExpression(*reading.whole(record.id), reason=reason)


def is_constant(fact: Fact, record: Record) -> bool:
    """Whether the fact's reading gives the same for another printed number: then nothing is compared."""
    if fact.reading is None or fact.as_printed is None or fact.reading.text in NAMED_READINGS:
        return False
    found = printed_quote(fact.as_printed, fact, record)
    if isinstance(found, Fault):
        return False
    one, other = through(fact, found[0], record), through(fact, 2 * found[0], record)
    return isinstance(one, Fraction) and one == other


def stated_value(fact: Fact, record: Record) -> Fraction | None:
    """The amount that a fact states as written, in base units; None where there is none or it cannot be read."""
    found = amount_in_base(fact.value, fact.unit, record.id, fact.path) if fact.value is not None else None
    return found if isinstance(found, Fraction) else None
