"""What a data file holds at a place, as an exact number with its unit, or why it is none (a leaf)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from flopkb.arithmetic.diagnostics import shortened
from flopkb.arithmetic.unit_table import SUFFIXES
from flopkb.arithmetic.units import Unit, UnitError, parse_unit
from flopkb.base.data.trees import NUMBER, Element, NumberText, Tree

_COUNTED = frozenset(
    "tok toks tokens reqs requests ops samples rows items images imgs queries messages records words chars files steps "  # noqa: SIM905
    "iters iterations batches seqs sequences frames kb mb gb tb kib mib gib tib bytes bits kbit mbit gbit flop flops "
    "mflop mflops gflop gflops tflop tflops pflop pflops mops gops tops".split()
)
"""Behind these a unit of time is one of a rate: ``prefill_tok_s``; a latency is of one (``step_ms``, ``per_tok_ms``)."""

LONGEST_NUMBER = 400
"""A number that is written with more characters is refused."""

ENDINGS: Mapping[str, str] = MappingProxyType(
    {
        **{name: name for name in ("s", "ms", "us", "ns")},
        **{"bytes": "byte", "kib": "KiB", "mib": "MiB", "gib": "GiB", "pct": "%"},
    }
)
"""The units that the ending of a key states: ``p50_ms`` is in ms."""


_SCALES = {word: scales[0] for word, scales in SUFFIXES.items() if len(word) > 2}
_LETTERS = {"k": "thousand", "K": "thousand", "M": "million", "bn": "billion"}


@dataclass(frozen=True, slots=True)
class DataNumber:
    """A number in a data file: ``value`` counts in ``unit``, ``text`` is as the file writes it."""

    value: Fraction
    unit: str
    text: str


class NoNumber(ValueError):
    """What stands there is no number; the text says what it is (to follow ``it``)."""


def unit_of_key(key: str) -> str | None:
    """The unit that the ending of a key states, if it states one."""
    before, _, ending = key.lower().rpartition("_")
    words = before.split("_")
    counted = words[-1] in _COUNTED and words[-2:-1] != ["per"]
    rate = words[-1] == "per" or counted  # tokens_per_s and mb_s count no seconds
    return ENDINGS.get(ending) if before and not rate else None


def stated_unit(text: str) -> tuple[int, Unit]:
    """What a declared unit multiplies by (``million``, ``thousand token``), and the unit itself; raises UnitError."""
    head, _, rest = text.strip().partition(" ")
    if head in _SCALES:
        return _SCALES[head], parse_unit(rest or "1")
    try:
        return 1, parse_unit(text)
    except UnitError as error:
        if head not in _LETTERS:
            raise
        raise UnitError(text, "is no unit", f"{_LETTERS[head]} {rest}".rstrip()) from error


def contradicted(key: str, unit: str) -> str | None:
    """The unit that a key states by its ending, where a declared unit says another; ``1`` gives the key's own up.

    A rate may count by the time in its key: ``steps_s`` in ``step/s``. Raises UnitError where the unit is none.
    """
    (scale, declared), own = stated_unit(unit), unit_of_key(key)
    if own is None:
        return None
    stated = parse_unit(own)
    if (scale == declared.scale == 1 and not declared.powers) or (own == "%" and not declared.dimension):
        return None
    if declared.dimension == stated.dimension:
        return None if scale * declared.scale == stated.scale else own
    return None if any(power == -1 and (name, 1) in stated.powers for name, power in declared.powers) else own


def number_of(leaf: Tree, unit: str | None) -> DataNumber:
    """The number in a leaf, in ``unit`` (None: in that which a text names, else without one); raises :class:`NoNumber`."""
    if unit is not None and unit.partition(" ")[0] in _SCALES:
        scale, counted = stated_unit(unit)
        number = number_of(leaf, str(counted))
        return DataNumber(number.value * scale, number.unit, number.text)
    if isinstance(leaf, Element):
        leaf = _text_of(leaf)
    if isinstance(leaf, NumberText):
        if not NUMBER.fullmatch(leaf):
            raise NoNumber(f"is {shortened(leaf, 20)}, which is no finite number")
        if len(leaf) > LONGEST_NUMBER:
            raise NoNumber(f"is a number of {len(leaf)} characters; {LONGEST_NUMBER} are the most")
        return DataNumber(Fraction(leaf), unit or "1", leaf)
    if isinstance(leaf, str):
        return _read(leaf, unit)
    raise NoNumber(_kind(leaf))


def _text_of(element: Element) -> str:
    if any(not key.startswith("@") for key in element):
        raise NoNumber("is an element with others in it; go on to one of them, or to an @attribute")
    text = element.text.strip()
    return NumberText(text) if NUMBER.fullmatch(text) else text


def _kind(leaf: Tree) -> str:
    if leaf is None:
        return "is null"
    if isinstance(leaf, bool):
        return f"is {str(leaf).lower()}"
    return "is a list" if isinstance(leaf, list) else "is an object with keys of its own"


def _read(text: str, unit: str | None) -> DataNumber:
    """The number that a text states, as the reader of numbers reads it."""
    from flopkb.arithmetic.numbers import ReadError, read

    if not text:
        raise NoNumber("is empty")
    shown = shortened(text, 40)
    try:
        reading = read(text.strip())
    except ReadError:
        hint = " (its comma groups no three digits; decimals take a point)" if re.search("[0-9],[0-9]", text) else ""
        raise NoNumber(f"is the text `{shown}`, which is no number{hint}") from None
    if reading.number is None or reading.end is not None or reading.bound or reading.approximate:
        raise NoNumber(f"is the text `{shown}`, which is not one number")
    own = reading.unit
    if own is None or unit is None:
        return DataNumber(reading.value, unit or (str(own) if own is not None else "1"), text)
    try:
        declared = parse_unit(unit)
    except UnitError as error:
        raise NoNumber(str(error)) from None
    if own.dimension != declared.dimension:
        raise NoNumber(f"is {shown}, which is no amount in {unit}")
    return DataNumber(reading.value * own.scale / declared.scale, unit, text)
