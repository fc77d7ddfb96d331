"""What a source prints, read as a value."""

from __future__ import annotations

from fractions import Fraction

from flopkb.arithmetic.formula import FormulaError, Name, TooLargeError, ZeroDenominator, evaluate, parse
from flopkb.arithmetic.numbers import Quoted, ReadError, read
from flopkb.arithmetic.units import parse_unit
from flopkb.base.document import Scalar
from flopkb.base.faults import BadExpression, BadInput, Fault, UnitMismatch
from flopkb.base.model import Fact, Record

_FLOP, _FLOP_PER_SECOND = parse_unit("flop").powers, parse_unit("flop/s").powers


def printed_value(fact: Fact, record: Record) -> Fraction | Fault:
    """The printed form of ``fact`` through its reading, in base units."""
    assert fact.as_printed is not None
    printed = printed_number(fact.as_printed, fact, record)
    if isinstance(printed, Fault) or fact.reading is None:
        return printed
    return through(fact.reading, printed, record)


def printed_number(text: Scalar, fact: Fact, record: Record) -> Fraction | Fault:
    """The number in the printed text in base units; without a unit it is in the fact's unit."""
    reading: Quoted | ReadError
    try:
        reading = read(text.text)
    except ReadError as error:
        return BadInput(location=text.at(error.offset), record=record.id, reason=str(error))
    if reading.number is None or reading.end is not None:
        reason = f"{text.text!r} is not one number; as_printed holds the number as the source prints it"
        return BadInput(location=text.location, record=record.id, length=len(text.text), reason=reason)
    declared = parse_unit(fact.unit)
    if reading.unit is None:
        return reading.value * declared.scale
    if (reading.unit.powers, declared.powers) == (_FLOP, _FLOP_PER_SECOND):
        return reading.value * reading.unit.scale  # "197 TFLOPs" of a data sheet is a rate, whatever it is short for
    if reading.unit.dimension != declared.dimension:
        return UnitMismatch(
            location=text.location,
            record=record.id,
            length=len(text.text),
            found=str(reading.unit),
            wanted=fact.unit,
            what=fact.path,
        )
    return reading.value * reading.unit.scale


def through(reading: Scalar, printed: Fraction, record: Record) -> Fraction | Fault:
    """The reading, an expression in ``printed``, at the printed number."""

    def resolve(name: Name) -> Fraction:
        if name.parts == ("printed",) and name.index is None:
            return printed
        raise KeyError(str(name))

    try:
        return evaluate(parse(reading.text), resolve)
    except FormulaError as error:
        return BadExpression(location=reading.at(error.offset), record=record.id, reason=str(error))
    except (ZeroDenominator, TooLargeError) as error:
        return BadExpression(location=reading.location, record=record.id, reason=str(error))
    except KeyError as error:
        reason = f"a reading is an expression in printed alone, not in {error.args[0]}"
        return BadExpression(location=reading.location, record=record.id, length=len(reading.text), reason=reason)
