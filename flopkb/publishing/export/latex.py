"""LaTeX: one file of macros, from which a document takes every number by its key, printed through siunitx.

A number is taken as the base's own prose quotes it, digits and unit; where prose quotes it only in words, with a
qualifier or not at all, it is the value in plain decimals, in the declared unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from flopkb.arithmetic.numbers import Quoted, ReadError, decimal_text, read
from flopkb.arithmetic.numbers.reading import Ending
from flopkb.arithmetic.unit_table import NAMED
from flopkb.arithmetic.units import UnitError, parse_amount, parse_unit
from flopkb.publishing.export.data_tables import every_figure
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.resolved import ResolvedBase, ResolvedFact, ResolvedFigure, ResolvedQuote
from flopkb.publishing.export.seal import UNSEALED
from flopkb.publishing.export.tex import escaped

MARK = "% Numbers of a flopkb base."
_AMOUNT = re.compile(r"([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)\s*(.*)", re.DOTALL)
_ATOM = re.compile(r"([A-Za-zµμ%$×]+)(?:\^?([0-9]+))?")


@dataclass(frozen=True, slots=True)
class Shown:
    """How a key prints: ``kind`` is number, range, list or none; ``unit`` is for siunitx, ``words`` for bookmarks."""

    kind: str
    first: str
    last: str
    unit: str
    words: str


def latex_export(base: ResolvedBase) -> str:
    """The file of macros: what they do, the units, a line for each key."""
    entries = list(lines(base))
    units = sorted({unit for entry in entries for unit in re.findall(r"\\flopkb([A-Za-z]+)", entry.split("}{", 1)[1])})
    head = [
        f"{MARK} Version {base.version.digest} ({base.version.records} records, last updated {base.version.updated}).",
        f"% {UNSEALED}",
        Path(__file__).with_name("macros.tex").read_text(encoding="utf-8").rstrip("\n"),
        *(
            f"\\DeclareSIUnit{{\\flopkb{unit}}}{{{declared(unit)}}}"
            for unit in units
            if unit not in ("times", "percent")
        ),
    ]
    return "\n".join([*head, *entries, r"\endinput"]) + "\n"


def declared(unit: str) -> str:
    """The text of a unit that siunitx does not know."""
    return r"\$" if unit == "dollar" else unit


def lines(base: ResolvedBase) -> Iterator[str]:
    """The entries: figures, then recorded values and what other sources state in their place."""
    quoted: dict[str, list[ResolvedQuote]] = {}
    for quote in base.quotes:
        if quote.verdict == "ok" and not quote.is_math:
            quoted.setdefault(quote.key, []).append(quote)
    for figure in every_figure(base):
        if figure.name:
            yield entry(figure.key, figure_shown(figure, quoted.get(figure.key, [])), figure.values)
    for fact in base.facts:
        yield entry(fact.key, fact_shown(fact), (fact.value,) if fact.value is not None else ())


def entry(key: str, shown: Shown, values: tuple[Exact, ...]) -> str:
    """The line of a key."""
    digits = ";".join(value.decimal for value in values)
    measure = unit_macros(values[0].unit) if values else ""
    return (
        f"\\flopkbentry{{{key}}}{{{shown.kind}}}{{{shown.first}}}{{{shown.last}}}{{{shown.unit}}}"
        f"{{{digits}}}{{{measure}}}{{{escaped(shown.words)}}}"
    )


def figure_shown(figure: ResolvedFigure, quotes: list[ResolvedQuote]) -> Shown:
    """A figure as its own record quotes it, else as another does, else its value."""
    if figure.fault:
        return Shown("none", "", "", "", figure.fault)
    own = sorted(quotes, key=lambda quote: quote.record != figure.record)
    plain = [shown for quote in own if (shown := as_quoted(quote.text)) is not None]
    if plain:
        return next((shown for shown in plain if shown.unit), with_unit(plain[0], figure.unit))
    values = figure.values
    numbers = list(dict.fromkeys(decimal_text(value.value) for value in values))
    words = ", ".join(value.short for value in values)
    return Shown("number" if len(values) == 1 else "list", ";".join(numbers), "", unit_macros(figure.unit), words)


def with_unit(shown: Shown, unit: str) -> Shown:
    """A quote that leaves the unit out has the declared one; what only counts (tokens) stays out."""
    return replace(shown, unit=unit_macros(unit)) if parse_unit(unit).dimension else shown


def as_quoted(text: str) -> Shown | None:
    """A quote that is a plain number or a range; None for words, bounds, qualifiers and suffixes."""
    try:
        found = read(text)
    except ReadError:
        return None
    if found.qualifier or found.bound or found.number is None or found.number.suffix:
        return None
    if found.end is not None and found.end.suffix:
        return None
    unit = quoted_unit(text, found)
    if unit is None:
        return None
    first, last = digits(found.number), digits(found.end) if found.end is not None else ""
    return None if first is None or last is None else Shown("range" if last else "number", first, last, unit, text)


def digits(ending: Ending) -> str | None:
    """The digits as siunitx reads them; None for a power such as ``2^34``."""
    if ending.numeral.exact:
        return None
    plain = re.sub(r"[,\s\u2009\u202f\u00a0]", "", ending.numeral.text)
    if not re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", plain):
        return None
    return f"-{plain}" if ending.negative else plain


def quoted_unit(text: str, found: Quoted) -> str | None:
    """The unit as the quote writes it, in siunitx's macros; None where it is written before the number."""
    last = found.end or found.number
    assert last is not None
    tail = text[last.stop :].strip()
    if text.lstrip().startswith("$"):
        return None
    return unit_macros(tail) if tail else ""


def fact_shown(fact: ResolvedFact) -> Shown:
    """A recorded value as its record writes it."""
    if fact.value is None or fact.written is None:
        why = fact.fault or fact.absence or "none"
        return Shown("none", "", "", "", why)
    match = _AMOUNT.fullmatch(fact.written.strip())
    try:
        parse_amount(fact.written)
    except UnitError:
        match = None
    if match is None:
        return Shown("number", fact.value.decimal, "", unit_macros(fact.value.unit), fact.value.short)
    return Shown("number", match[1], "", unit_macros(match[2]), fact.written)


def unit_macros(unit: str) -> str:
    """A unit in siunitx's macros, each part as it is written; empty for a plain number."""
    unit = unit.strip()
    if unit in ("", "1"):
        return ""
    over, *under = re.split(r"/|\bper\b", unit)
    parts = [atom_macros(over)] + [f"\\per{atom_macros(part)}" for part in under]
    return "".join(parts)


def atom_macros(text: str) -> str:
    """``TFLOP`` as ``\\tera\\flopkbFLOP``; a product's parts one after the other."""
    found = []
    for match in _ATOM.finditer(text):
        power = {None: "", "2": r"\squared", "3": r"\cubed"}.get(match[2], f"\\tothe{{{match[2]}}}")
        found.append(single(match[1]) + power)
    return "".join(found)


def single(name: str) -> str:
    """One name, with its prefix; what siunitx does not know is declared by the file of macros."""
    known = NAMED.get(name)
    return known.latex if known is not None and known.latex else "\\flopkb" + re.sub(r"[^A-Za-z]", "", name)
