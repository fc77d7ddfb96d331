"""What a reader of plain prose sees that nothing stands behind: numbers, and words that multiply.

A word that begins with a letter is an identifier, one that begins with a digit a quantity. Dates, URLs, DOIs, arXiv
numbers, "Equation 2" and the names of records are no quantities. Half, twice and an order of magnitude multiply, but
most such words also mean something else (half precision, a third party, double buffering), so each family says in which
company it multiplies. Where that is unclear it does not: a false alarm costs more than a miss.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from flopkb.arithmetic.numbers.reading import APPROXIMATELY, BOUNDS
from flopkb.arithmetic.numbers.words import ADDED, CARDINAL, PART, SPELLED, cardinal
from flopkb.arithmetic.numeral import SUPERSCRIPTS
from flopkb.arithmetic.units import UnitError, parse_unit

HOLE = "\ufffc"
"""Stands in the scanned text for what is no prose: code, the text of a link."""

_FRACTIONS = "\u00bc-\u00be\u2150-\u215e"
_SIGNS = "Ⅰ-ↈ①-⒛⓪-⓿❶-➓"
"""Roman and circled numerals, which are one character each."""
_LETTER = rf"[^\W\d_{SUPERSCRIPTS}\u2080-\u2089{_FRACTIONS}{_SIGNS}]"
_HYPHEN = r"[-\u2010\u2011]"
_FOREIGN = rf"(?:(?![0-9])[\d{_SIGNS}])+"
"""Digits of other scripts, which a reader takes for a number."""
_DIGITS = r"[0-9](?:[0-9]|[.,\u2009\u202f](?=[0-9])|[\u00a0](?=[0-9]{3}(?![0-9]))|_(?=[0-9]))*+"
_POWER = rf"(?:(?:\^|\*\*)\{{?[-+−]?[0-9]+\}}?|[{SUPERSCRIPTS}]+)"
_TIMES_TEN = rf"(?:[ \u2009\u00a0]?[×x·⋅*][ \u2009\u00a0]?10{_POWER})"
_TAIL = rf"(?:%|×(?! ?[0-9])|{_LETTER}\w*+)?+"
_ONE = (
    rf"(?:(?:(?<![\w.)]){re.escape('.')})?{_DIGITS}(?:[{_FRACTIONS}]|[eE][-+−]?[0-9]++(?!\w)|{_TIMES_TEN}|{_POWER})?+{_TAIL}"
    rf"|[{_FRACTIONS}]|{_FOREIGN}\w*+)"
)
_NUMBER = rf"(?:(?<![\w)\]{HOLE}.])[-−–+±](?=[$€£.0-9]))?(?:[$€£](?=[.0-9]))?{_ONE}(?:[-–—−][$€£]?{_ONE})?"
_N = r"\(?[0-9]{1,3}+(?:\.[0-9]{1,3}+)*+[a-h]?+\)?(?!\w|[.,%]?[0-9%]|[-–][0-9]*[g-zA-Z])"
_GAP = r"[ \u00a0]?"
_ONE_PLACE = (
    r"Equation|Eqn?\.|eqn?\.|Eqn?|Table|Tab\.|tab\.|Figure|Fig\.|fig\.|Fig|Section|Sec\.|sec\.|Appendix|Chapter"
)
_PLACES = r"Equations|Eqn?s\.?|eqn?s\.|Tables|Tabs\.|Figures|Figs\.?|figs\.|Sections|Secs\.|secs\.|Chapters"
_REFERENCE = (
    rf"(?:{_ONE_PLACE}|§){_GAP}{_N}|(?:{_PLACES}|§§){_GAP}{_N}(?:(?:, and|, or|,| and| or| to| &|[-–]){_GAP}{_N})*+"
)
_ARXIV = (
    r"(?i:arxiv(?:\.org/(?:abs|pdf)/|(?:[ \u00a0](?:preprint|e-print|number|id|no\.))*[: \u00a0]+))"
    r"(?:arXiv:)?(?:[0-9]{4}\.[0-9]{4,5}|[a-z-]+(?:\.[A-Z]{2})?/[0-9]{7})(?:v[0-9]+)?(?![0-9])"
)
_DOI = r"10\.[0-9]{4,9}/(?=[^\s<>\"]*[A-Za-z]|[^\s<>\"]{5})[^\s<>\"]*[\w/-]|doi:10\.[0-9]{4,9}/[^\s<>\"]*\w"
_CLOCK = r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
_SKIPPED = r"(?:(?!(?i:arxiv|eq|fig|tab|sec|app|chap))[A-Za-z][a-z]++(?![\w:/\u2010\u2011-]|\.\w)(?:[ ,;()\n]|\.(?![\w.]))*+)++"
_TOKEN = re.compile(
    rf"{_SKIPPED}|(?P<url>(?:https?|ftp)://[^\s<>\"{HOLE}]+|www\.[^\s<>\"{HOLE}]+\.[^\s<>\"{HOLE}]+)"
    rf"|(?P<doi>{_DOI})|(?P<arxiv>{_ARXIV})|(?P<reference>(?<!\w)(?:{_REFERENCE}))"
    rf"|(?P<date>(?<![\w.-])[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:[T ]{_CLOCK})?(?![\w-]|\.[0-9]))"
    rf"|(?P<multiplier>(?<![\w.)\]{HOLE}])(?:(?<![0-9)\]{HOLE}] )×|(?<![0-9] )x)\.?{_DIGITS}(?!\w|{_HYPHEN}\w))"
    rf"|(?P<part>(?<=[\w{HOLE}][-\u2010\u2011]){_LETTER}\w*+)"
    rf"|(?P<name>{_LETTER}\w*+(?:(?:{_HYPHEN}|(?<=[0-9])\.(?=[0-9]))\w+)*+)"
    rf"|(?P<number>{_NUMBER})"
)
_NOT_MULTIPLIERS = frozenset(["x0", "x1", "x32", "x64", "x86"])
_VARIABLES = re.compile(r"(?<!\w)x[01](?!\w|\.[0-9])")
_LANES = re.compile(r"(?:PCIe?|Gen|lanes?|link|slot)[^\n]{0,12}$")
_FIRST_DIGITS = re.compile(r"[0-9]+")
_UNBREAKABLE = str.maketrans("\u00a0\u2009\u202f\u2007", "    ")


def bare_numbers(
    scanned: str, breaks: Sequence[int], names: frozenset[str] = frozenset()
) -> Iterator[tuple[int, int, bool]]:
    """The quantities in ``scanned``: start, end, and whether it is a multiplier such as ``x2``.

    At ``breaks`` markup was removed within a word; what stands on either side is read on its own.
    """
    known = _Names(scanned, names)
    variables = _VARIABLES.search(scanned) is not None
    at = 0
    for stop in (*breaks, len(scanned)):
        for token in _TOKEN.finditer(scanned, at, stop):
            kind = token.lastgroup
            if kind == "number" or (kind == "date" and not _is_date(token[0])):
                if not known.cover(*token.span()):
                    yield (*token.span(), False)
            elif kind == "multiplier" and not _is_name(token, variables):
                yield (*token.span(), True)
        at = stop


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True


def _is_name(token: re.Match[str], variables: bool) -> bool:
    """Whether ``x2`` is a variable, ``x86`` a machine or ``x16`` a number of lanes."""
    if token[0][0] != "x":
        return False
    before = token.string[max(0, token.start() - 24) : token.start()]
    return variables or token[0] in _NOT_MULTIPLIERS or _LANES.search(before) is not None


class _Names:
    """The names in which a word begins with a digit (RTX 4090), found from that digit."""

    def __init__(self, scanned: str, names: frozenset[str]) -> None:
        self.index = _by_digits(names)
        self.text = _lower(scanned.translate(_UNBREAKABLE)) if self.index else ""

    def cover(self, start: int, end: int) -> bool:
        """Whether the quantity is part of a name."""
        digits = _FIRST_DIGITS.search(self.text, start, end) if self.index else None
        if digits is None:
            return False
        for before, name in self.index.get(digits[0], ()):
            first = digits.start() - before
            last = first + len(name)
            if first >= 0 and last >= end and self.text.startswith(name, first) and self.stands_alone(first, last):
                return True
        return False

    def stands_alone(self, first: int, last: int) -> bool:
        before = self.text[first - 1] if first else " "
        after = self.text[last] if last < len(self.text) else " "
        return not (before.isalnum() or before == "_" or after.isalnum() or after == "_")


@lru_cache(maxsize=8)
def _by_digits(names: frozenset[str]) -> dict[str, list[tuple[int, str]]]:
    index: dict[str, list[tuple[int, str]]] = {}
    for name in names:
        lower = _lower(" ".join(name.split()).translate(_UNBREAKABLE))
        for digits in _FIRST_DIGITS.finditer(lower):
            if not digits.start() or not (lower[digits.start() - 1].isalnum() or lower[digits.start() - 1] == "_"):
                index.setdefault(digits[0], []).append((digits.start(), lower))
    return index


def _lower(text: str) -> str:
    """In lower case, with every character at its place."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


_FEW = 20
"""Below this a number in words is one to link where a unit follows it; ``two ways`` are none."""
_CARDINAL = re.compile(rf"(?<![\w.\-{HOLE}])(?<![0-9{HOLE}][ \u00a0]){CARDINAL}", re.IGNORECASE)
_NAMED_UNIT = re.compile(r"[ \u00a0](?:per[ \u00a0]cent|[A-Za-zµμ%][\w%]*(?:/\w+)?)")
_CALENDAR = frozenset("day days week weeks month months year years minutes hours".split())  # noqa: SIM905


def spelled_numbers(scanned: str, taken: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The numbers in words that are as good as digits: large ones, and those of a unit; not what is ``taken``."""
    for found in _CARDINAL.finditer(scanned):
        value = cardinal(found[0])
        if value is None or any(start < found.end() and found.start() < end for start, end in taken):
            continue
        tail = scanned[found.end() : found.end() + 1]
        if value > 1 and (tail != "-" if value >= _FEW else _measured(scanned, found.end())):
            yield found.span()


def _measured(scanned: str, at: int) -> bool:
    """Whether a unit that is no calendar's follows."""
    word = _NAMED_UNIT.match(scanned, at)
    if word is None or word[0].strip().lower() in _CALENDAR:
        return False
    try:
        unit = parse_unit(word[0])
    except UnitError:
        return False
    return bool(unit.dimension) or unit.scale != 1


_WORD = re.compile(
    r"(?<![\w.])(?:"
    r"(?P<order>(?:an?|one|two|three|four|five|six)[ \u00a0-](?:full[ \u00a0])?orders?[ \u00a0-]of[ \u00a0-]magnitude)"
    rf"|(?P<part>(?:an?|{CARDINAL})[ \u00a0-](?:{PART})s?)"
    rf"|(?P<fold>{SPELLED}[ -]?fold)"
    rf"|(?P<times>{CARDINAL}(?:{ADDED})?[ \u00a0]times)"
    rf"|(?P<factor>(?:an?[ \u00a0])?factors?[ \u00a0]of[ \u00a0]{CARDINAL}(?:{ADDED})?)"
    r"|(?P<half>half)|(?P<halves>halves)|(?P<halved>halve|halved|halving)"
    r"|(?P<double>double|triple|quadruple|quintuple)|(?P<doubles>doubles)|(?P<triples>(?:tripl|quadrupl|quintupl)es)"
    r"|(?P<doubled>(?:doubl|tripl|quadrupl|quintupl)(?:ed|ing))"
    r"|(?P<quarter>quarters?)|(?P<quartered>quarter(?:ed|ing))|(?P<twice>twice|thrice))(?!\w)",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"([\w'’]+)([ \u00a0]+|-)$")
_AFTER = re.compile(r"([ \u00a0]+|-)([\w'’]+)")


@dataclass(frozen=True, slots=True)
class _Context:
    """The words on either side (in lower case, empty at a mark or the end), and whether a hyphen joins them."""

    word: str
    earlier: str
    previous: str
    following: str
    joined_before: bool
    joined_after: bool
    tail: str


def multiplying_words(scanned: str) -> Iterator[tuple[int, int]]:
    """Where a word multiplies in ``scanned``."""
    for match in _WORD.finditer(scanned):
        kind = match.lastgroup
        assert kind is not None
        if _MULTIPLIES[kind](_context(scanned, match)):
            yield match.span()


def _context(scanned: str, match: re.Match[str]) -> _Context:
    before = scanned[max(0, match.start() - 60) : match.start()]
    tail = scanned[match.end() : match.end() + 40]
    previous, after = _BEFORE.search(before), _AFTER.match(tail)
    earlier = _BEFORE.search(before[: previous.start()]) if previous else None
    return _Context(
        match[0].lower(),
        earlier[1].lower() if earlier else "",
        previous[1].lower() if previous else "",
        after[2].lower() if after else "",
        bool(previous and previous[2] == "-") or before.endswith("-"),
        bool(after and after[1] == "-") or tail.startswith("-"),
        tail,
    )


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_DETERMINERS = _set(
    "the that this these those its their our his her your my what whose every all each both any it them"
)
_OF = _DETERMINERS | _set("of as so a an")
_COMPARED = _set(
    "more less fewer larger smaller higher lower faster slower longer shorter bigger greater cheaper as the that "
    "what its wider deeper better worse farther further hotter denser heavier lighter"
)
_MODALS = _set(
    "to would will can could may might must should shall than then is are was were be been exactly not cannot only "
    "just barely at by becomes become"
) | (_set(" ".join(phrase.split()[-1] for phrase in (*BOUNDS, *APPROXIMATELY))) - _set("of as"))
"""What stands before a factor: verbs, and the last words of qualifiers."""
_LEAD = _MODALS | _set("into takes needs costs around")

_HALF_NOUNS = _set(
    "precision float floats type types duplex way time open life lives word words warp warps plane space integer "
    "integers step steps up even down marathon moon adder adders bridge band full empty baked hearted dozen "
    "floating brother sister"
)
_ONE_OF_TWO = _set(
    "both first second other either each latter former top bottom upper lower left right better every this that "
    "the same which whose its their back front remaining last latest next early late northern southern another"
)
_DOUBLE_NOUNS = _set(
    "precision check checks checked checking buffer buffers buffered buffering word words quote quotes quoted "
    "quoting count counts counted counting descent negative negatives pass float floats type types dash dashes "
    "quantization quantisation quantized quantised quantize ended spaced spacing blind sided stranded linked "
    "click clicks tap duty booking booked hash hashing hashed edged speak digit digits blank backtick backticks "
    "backslash slash colon star underscore bracket brackets brace braces bond bonds integral store loop product "
    "nested point role roles standard jeopardy take header"
)
_NOUN_DOUBLES = _set(
    "in of as using use uses bit mixed the two both these those with from into or store stores stored storing "
    "floats singles fp64 float64 ieee c long load loads marshal convert converts"
)
_NOUN_HALVES = _set(
    "both two the these those into in its their equal separate different three four upper lower first second left "
    "right across between of as matching other all"
)
_ALGORITHMS = _set("recursive successive distance vector pointer")
_ORDINALS = _set("first second third fourth last this next per each every fiscal previous current past same")
_IDIOM_NOUNS = _set(
    "purpose purposes reason reasons problem goal goals objective role aim aims benefit benefits cross contribution"
)
_LINKS = _set(
    "at and but or by for from if in on per so to than when where which while with again because compared once "
    "only whenever every each is are was were"
)
_FACTORS = _set("at is are by over than") | _set(" ".join(APPROXIMATELY))
_OFTEN = _set("per a an each every in on once")
_ESTIMATES = _set("estimate estimates calculation calculations analysis argument arguments check reasoning accuracy")


def _half(c: _Context) -> bool:
    if c.joined_after or c.following in _HALF_NOUNS:
        return False
    if c.joined_before:
        return c.previous in ("one", "a")
    if (
        c.previous in _ONE_OF_TWO
        or c.previous.endswith(("'s", "’s"))
        or (c.following == "a" and c.tail.lower().startswith(" a dozen"))
    ):
        return False
    if c.following in _OF:
        return True
    return not c.following or c.following in _LINKS if c.previous in ("in", "a", "one") else c.previous in _MODALS


def _halves(c: _Context) -> bool:
    noun = c.previous in _NOUN_HALVES or c.following in ("of", "are", "were", "is")
    return not (noun or c.joined_before or c.joined_after)


def _verb(c: _Context) -> bool:
    """Halved, doubling: a factor, but for the algorithms of that name."""
    return not (c.joined_before or c.joined_after or c.previous in _ALGORITHMS or c.following in ("up", "algorithm"))


def _double(c: _Context) -> bool:
    if c.joined_before or c.joined_after or c.following in _DOUBLE_NOUNS:
        return False
    return c.following in _DETERMINERS or (c.previous in _MODALS and c.following != "as")


def _doubles(c: _Context) -> bool:
    noun = c.previous in _NOUN_DOUBLES or c.previous.isdigit() or (c.previous == "and" and c.earlier in _NOUN_DOUBLES)
    if noun or c.joined_before or c.joined_after:
        return False
    return not c.following or c.following in _DETERMINERS or c.following in _LINKS


def _triples(c: _Context) -> bool:
    return not (c.joined_before or c.joined_after) and c.following in _DETERMINERS


def _twice(c: _Context) -> bool:
    """Twice the bytes, or at twice: a factor; to read something twice is not."""
    if c.joined_before or c.joined_after or c.following in _OFTEN:
        return False
    number = c.tail.lstrip(" \u00a0~≈$")[:1]
    return c.following in _COMPARED | _DETERMINERS or number.isdigit() or number == HOLE or c.previous in _FACTORS


def _times(c: _Context) -> bool:
    return c.following in _COMPARED


def _part(c: _Context) -> bool:
    """A third, two thirds: a fraction, but "a third party" is another one, and two quarters are half a year."""
    *counts, noun = re.split(r"[ \u00a0-]", c.word)
    count = counts[0]
    single = count in ("a", "an", "one")
    if single == noun.endswith("s") or c.joined_before or c.joined_after:
        return False
    if noun == "quarters" and count != "three":
        return False
    if "-" in c.word or not (single or noun == "quarters"):
        return c.following not in ("party", "parties")
    follows = c.following in _COMPARED or c.following in ("of", "their", "this", "these", "those")
    return follows or (not c.following and c.previous in _LEAD)


def _quarter(c: _Context) -> bool:
    if c.joined_before or c.joined_after or c.following not in ("the", "its", "their"):
        return False
    return (
        c.previous in _MODALS if c.word == "quarter" else c.previous not in _ORDINALS | _set("two three four head the")
    )


def _fold(c: _Context) -> bool:
    idiom = c.previous in ("is", "are", "was", "were", "be") and not c.following and "-" not in c.word
    few = c.word.startswith(("two", "three", "four"))
    return not (idiom and few) and c.following not in _IDIOM_NOUNS and not c.joined_after


def _factor(c: _Context) -> bool:
    return not c.joined_after


def _order(c: _Context) -> bool:
    return c.following not in _ESTIMATES


_MULTIPLIES: dict[str, Callable[[_Context], bool]] = {
    "half": _half,
    "halves": _halves,
    "halved": _verb,
    "double": _double,
    "doubles": _doubles,
    "triples": _triples,
    "doubled": _verb,
    "quarter": _quarter,
    "quartered": _verb,
    "twice": _twice,
    "times": _times,
    "part": _part,
    "fold": _fold,
    "factor": _factor,
    "order": _order,
}
