"""A number with its unit as a source prints it: with footnote marks, remarks in brackets, words before and behind."""

from __future__ import annotations

import re

from flopkb.arithmetic.numbers.reading import Quoted, ReadError, read

_MARKS = re.compile(r"[*†‡§¶#]+|(?<=[A-Za-z])[⁰¹²³⁴-⁹]+(?![A-Za-z0-9/])")
_ASIDE = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_NUMBER = re.compile(r"[0-9](?:[0-9.,'\u2009\u202f\u00a0’]| (?=[0-9]{3}(?![0-9])))*(?:[eE][+-]?[0-9]+)?")
_COMMA = re.compile(r"([0-9]+),([0-9]{1,2}|[0-9]{4,})")
_LARGE_BYTES = re.compile(r"(?<![A-Za-z])([kKMGTPE])(?:B|[Bb]ytes?)(?![A-Za-z])|([KMGTPE])Bps\b")
_SPELLED = re.compile(r"\b(?:Kilo|Mega|Giga|Tera|Peta|Exa)(?=[A-Za-z])")
_LONGEST_UNIT = 4
"""A unit has so many words at most: ``GB per second``."""


def read_printed(text: str, *, binary: bool = False) -> Quoted:
    """The one number of a printed text, with its unit where one follows; raise :class:`ReadError`.

    ``3,958 teraFLOPS**``, ``Up to 700W (configurable)``, ``256 GB HBM3E`` and ``3,35 TB/s`` (a decimal comma) are read.
    With ``binary`` prefixes of bytes are powers of 1024, whatever is printed: ``80 GB`` is 80 GiB.
    """
    plain = _ASIDE.sub("", _MARKS.sub("", text)).strip()
    found = _NUMBER.search(plain)
    if found is None:
        raise ReadError(text, "has no number", 0, "the number as the source prints it")
    digits = found[0].rstrip(".,")
    rest = _SPELLED.sub(lambda m: m[0].lower(), plain[found.start() + len(digits) :].rstrip(".,;"))
    before = plain[: found.start()].rstrip()
    digits = re.sub(r"[ '’\u2009\u202f\u00a0]", "", digits)
    comma = _COMMA.fullmatch(digits)
    digits = f"{comma[1]}.{comma[2]}" if comma else digits
    if binary:
        rest = _as_binary(text, rest)
    sign = "-" if before.endswith(("-", "−")) and not before[:-1].endswith(tuple("0123456789")) else ""
    return _with_unit(text, sign + digits, rest)


def _as_binary(text: str, rest: str) -> str:
    """The unit with its prefix as a power of 1024."""
    changed = _LARGE_BYTES.sub(lambda m: f"{m[1].upper()}iB" if m[1] else f"{m[2]}iBps", rest, count=1)
    if changed == rest:
        raise ReadError(text, "has no unit such as GB that could be binary", 0)
    return changed


def _with_unit(text: str, digits: str, rest: str) -> Quoted:
    """The number with the longest run of words behind it that is a unit; more numbers behind it are refused."""
    words = [match.end() for match in re.finditer(r"\S+", rest)]
    fault: ReadError | None = None
    for count in range(min(len(words), _LONGEST_UNIT), 0, -1):
        end = words[count - 1]
        try:
            reading = read(f"{digits}{rest[:end]}")
        except ReadError as error:
            fault = error
            continue
        if reading.unit is None and reading.number is not None and not reading.number.suffix:
            continue
        _refuse_numbers(text, rest[end:])
        return reading
    if fault is not None and re.match(r"\s?[kKMGTP](?:b|B|bit)\b", rest):
        raise ReadError(text, fault.reason, 0, fault.suggestion)  # KB, Gb: what to write is known
    _refuse_numbers(text, rest)
    return read(digits)


def _refuse_numbers(text: str, rest: str) -> None:
    """A second number makes the text no number."""
    if re.search(r"(?<![A-Za-z0-9.])(?<![A-Za-z]-)[0-9]", rest):
        raise ReadError(text, "is not one number; as_printed holds the number as the source prints it")
