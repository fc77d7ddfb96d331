"""The company of a number in running text: which words before it qualify it, and what stands at it and is not read."""

from __future__ import annotations

import re

from flopkb.arithmetic.numbers.reading import APPROXIMATELY, BEHIND, BOUNDS, DEGREES
from flopkb.arithmetic.numbers.words import CARDINAL, MULTIPLIED, PART, PARTS, TENS, any_of
from flopkb.arithmetic.units import UnitError, parse_unit

SPACE = "[ \u00a0\u202f\u2009]"
_MARKS = r"[*_]{0,3}"
"""Emphasis that is none, since it stands between a bracket and a letter."""
_QUALIFYING = [word for word in (*BOUNDS, *APPROXIMATELY) if word[0].isalpha()]
QUALIFIER = re.compile(
    rf"(?:(?<!\w)(?:(?:{any_of(DEGREES)}){SPACE})?(?:{any_of(_QUALIFYING)}){SPACE}|[~≈<>≤≥]=?{SPACE}?"
    rf"|(?<![\w)\]}}.%])(?:[-–+]|−{SPACE}?)|(?<!\w)(?:minus|negative){SPACE}|(?<![\w$])\$)\Z",
    re.IGNORECASE,
)
BEHIND_IT = re.compile(
    rf"\+(?![\w(])|{SPACE}(?:{any_of(set(BEHIND) - {'+', 'plus'})})(?!{SPACE}(?:than|to)\b|{SPACE}?[0-9])", re.I
)
_NAMED = r"(W|[A-Za-zµ](?:[\w·^²³]|/(?=\w))+)"
"""What may be a unit; a letter alone, but for the watt, is mostly a symbol."""
_UNIT_IN_BRACKETS = re.compile(rf"{SPACE}?[(\[](?:in{SPACE})?{_NAMED}[)\]]")
_UNIT_BEHIND_BRACKET = re.compile(rf"\){SPACE}?{_NAMED}(?!\w)")
_PLUS = re.compile(rf"{SPACE}plus(?={SPACE}?(?:[.,;:)\n]|\Z))", re.IGNORECASE)
_OPERATION = (
    rf"(?<![\w.-])(?:(?:log(?:_?[0-9]+|[₀-₉]+)?|ln|lg|exp|sqrt|abs)(?:{SPACE}?\(|{SPACE}(?:of{SPACE})?)|one{SPACE}over{SPACE}"
    rf"|(?:square{SPACE}root|cube{SPACE}root|the{SPACE}(?:square|cube|inverse|reciprocal|logarithm|negative)){SPACE}of{SPACE})"
)
_SURE = rf"(?:(?:less|more|fewer|greater|lower|higher|larger|smaller){SPACE}than|at{SPACE}(?:most|least)|exceeding)"
"""Bounds that mean nothing else, whatever stands between them and the number."""
_FILLED = rf"\b{_SURE}(?:{SPACE}(?:(?:a{SPACE})?(?:mere|full|whole|whopping|total{SPACE}of)|some|merely){SPACE}|{SPACE}?[“‘\"'(\[])"
_MONEY = rf"(?-i:\b(?:US|CA|HK|NZ|[AC])\$|\b(?:USD|EUR|GBP|JPY|CNY|CHF){SPACE}?)"
_STRAY_BEFORE = re.compile(
    rf"(?:{_FILLED}|{_MONEY}|\b(?:sub|super|over|under|half|semi|{'|'.join(TENS)})-|\b(?:zero|{CARDINAL}){SPACE}point{SPACE}|(?<![\w)\]])[➖﹣－‐‑⁻]|(?<!\w)\([-−–+]\)|(?<![\w.-])(?:{MULTIPLIED}{SPACE}|[0-9][0-9.,]*(?:{SPACE}times{SPACE}|{SPACE}?(?:x{SPACE}|[–—-]|to{SPACE}))"
    rf"|[0-9][0-9.,]*{SPACE}[A-Za-z%$/]{{1,9}}{SPACE}to{SPACE}|\bbetween{SPACE}[0-9][\w.,/ %]{{0,12}}{SPACE}and{SPACE})"
    rf"|(?<![\w.-])(?!x\Z)[A-Za-z]{{1,12}}|(?<!\S)—|[±∓√∛∜€£¥₹≠≪≫≲≳∝¬]{SPACE}?|(?<=[A-Za-z,;:]{SPACE})×|{_OPERATION}|[0-9)%]{SPACE}?[×*·⋅÷/^]{SPACE}?"
    rf"|(?<![\w.-])(?:[A-Za-z]|\w*_\w*)(?:{SPACE}?[×*·⋅÷]{SPACE}?|{SPACE}x{SPACE})"
    rf"|\b(?:is|are|was|were|be|at|draws?|takes?|needs?|costs?|holds?|has|moves?|reads?|gives?|makes?|reach(?:es)?)"
    rf"{SPACE}-{{1,2}}{SPACE})\Z",
    re.IGNORECASE,
)
_SCALE = (
    r"(?:hundred|thousand|million|billion|trillion|dozen|lakh|crore)s?|(?-i:[kKMBT])|bn|mn|%|percent|[x×]\s?10\S{1,4}"
)
_STRAY_BEHIND = re.compile(
    rf"{_MARKS}(?:[²³¹⁰⁴-⁹⁻⁺]+|[°‰‱′″€£¥%]\w*|(?!(?:st|nd|rd|th)(?!\w))[^\W\d_][\w⁻²³¹⁰⁴-⁹]*)"
    rf"|[*·⋅×÷/^]{SPACE}?[\w(√]\S*(?<![.,;:)])"
    rf"|(?:{SPACE}|-)(?:(?:hundred|thousand|million|billion|trillion|dozen|lakh|crore)s?|bn|tn|mn|mio\.?|mln|mrd|pct)(?!\w)"
    rf"|{SPACE}?\\[A-Za-z,;]\S*|{SPACE}out{SPACE}of{SPACE}(?:[0-9]+|{CARDINAL})|{SPACE}to{SPACE}the{SPACE}(?:\w+{SPACE})?power\b"
    rf"|{SPACE}e[-−]?[0-9]+|{SPACE}milli\b|{SPACE}(?-i:m)(?![\w-])"
    rf"|{SPACE}(?-i:dB|[nµumck]m|[kmµ]g|K/W|psi|rpm|USD|EUR|GBP)(?!\w)|{SPACE}times{SPACE}(?:{CARDINAL})|{SPACE}twice{SPACE}over\b"
    rf"|{SPACE}per{SPACE}(?:hour|hr|minute|min|day|week|month|year)(?!\w)"
    rf"|{SPACE}(?-i:[A-Za-zµ]{{1,3}})[⁻¹²³⁴-⁹]+|[-–]per[-–]\w+|{SPACE}and{SPACE}an?{SPACE}(?:half|quarter)(?!\w|{SPACE}of\b)"
    rf"|{SPACE}(?:(?:{PART})s|per{SPACE}?mill?e|permille)(?!\w)|{SPACE}[€£¥₹‰‱]"
    rf"|{SPACE}(?-i:K)(?={SPACE}(?!(?:and|or|at|plus|give|V|heads?|caches?|vectors?|matri\w+|rows?|tiles?|blocks?|proj\w*)\b)[a-z])"
    rf"|{SPACE}?[(\[](?:in{SPACE})?(?:{_SCALE})[)\]]|[)\]]{SPACE}?[×x*·⋅]{SPACE}?[0-9][0-9.,^]*(?<![.,])\w*"
    rf"|{SPACE}(?:squared|cubed|pp|(?:percentage|basis){SPACE}points?|degrees?|°\w?|orders?{SPACE}of{SPACE}magnitude)(?!\w)"
    rf"|{SPACE}?(?:[–—-]{SPACE}?|(?:to|times|plus|minus){SPACE}|[×x*÷/^]{SPACE}?)[0-9][0-9.,]*(?<![.,])\w*",
    re.IGNORECASE,
)
_SUMMED = re.compile(rf"\b(?:add|sum|total|even|made|make|held|keep)\w*{SPACE}\Z", re.IGNORECASE)
"""Behind these ``up to`` names a sum, not a bound."""
_SPREAD = re.compile(
    r"\b(?:spread|split|divid|distribut|shar|averag|mean|sum|partition|amorti[sz]|scatter|strip|interleav|iterat|loop|"
    rf"integrat|replicat|cut|tak|broadcast|pool|rang|run)(?:e|es|ed|en|s|ing|ding|ting|med|ning|ped)?{SPACE}\Z",
    re.IGNORECASE,
)
_TALKED = re.compile(
    r"\b(?:talk|speak|think|care|worr|know|read|writ|learn|say|ask|argu|hear|wonder|tell|complain|lie|question|forget|"
    r"revolv|built|build|turn|cent(?:er|re)|wrap|work|get|way|spoke|thought|knew|told|said|wrote|wrapped|something|"
    rf"anything|nothing|more|all)(?:s|es|ed|en|d|ten|ing|ning|ting|y|ies|ied)?{SPACE}\Z",
    re.IGNORECASE,
)
_SETTLED = re.compile(
    r"\b(?:is|are|was|were|be|been|being|am|fell|sank|rose|went|sat|lay|stood|ran|came|got|grew|kept|stay|remain|fall|"
    r"drop|sink|dip|go|lie|sit|stand|rise|climb|keep|run|move|come|get|grow|push|bring|well|far|just|still|"
    rf"slightly|now|not|always|never|from)(?:s|es|ed|en|ing|ping|ting|ning)?{SPACE}\Z",
    re.IGNORECASE,
)
_MOVED = re.compile(
    rf"\b(?:went|ran|came|got|grew|rose|far|go|run|move|come|get|grow|push|rise|climb)(?:s|es|ed|ing|ting|ning)?{SPACE}\Z",
    re.IGNORECASE,
)
_NOUN = re.compile(
    rf"\b(?:(?:the|its|their|our|this|that){SPACE}(?!is\b|are\b|was\b|be\b|\w*ed\b)\w+|total|whole){SPACE}\Z", re.I
)
_ALONE = rf"[0-9][0-9.,]*(?:{SPACE}?[A-Za-z%×][\w/%·]*)?[.!?;]?(?:\s|\Z)(?<![0-9\w]\s)"
"""A number that ends the sentence."""
_TURNED = (
    (re.compile(r"(?:over|under)\s", re.I), _SPREAD),
    (re.compile(r"(?:about|around)\s", re.I), _TALKED),
    (re.compile(r"(?:above|below)\s", re.I), _SETTLED),
    (re.compile(r"beyond\s", re.I), _MOVED),
    (re.compile(rf"(?:Above|Below|Beyond)\s(?!{_ALONE})"), re.compile(rf"(?:^|\n|[.!?:*]{SPACE}?)\Z")),
    (re.compile(r"up\sto\s", re.I), _SUMMED),
    (re.compile(r"minus\s", re.I), _NOUN),
)


_LAST_WORD = re.compile(r"[^\W\d_]{0,16}\Z")
_LAST_WORDS = frozenset(phrase.split()[-1] for phrase in (*_QUALIFYING, "minus", "negative"))
_STRAY_WORDS = frozenset(
    [
        *["over", "log", "ln", "lg", "exp", "sqrt", "abs", "usd", "eur", "gbp", "jpy", "cny", "chf"],
        *["point", "mere", "full", "whole", "whopping", "some", "merely"],
        *["times", "double", "twice", "thrice", "triple", "treble", "quadruple", "half", "of", "x", "to", "and"],
        *PARTS,
        *(f"{part}s" for part in PARTS),
    ]
)
_STRAY_SIGNS = frozenset("±∓√∛∜€£¥₹≠≪≫≲≳∝¬×*·⋅÷/^–—-0123456789")
_SIGNS = frozenset("~≈<>≤≥=-−–+$")
_NEGATIVE = re.compile(rf"(?:[-−–]|minus|negative){SPACE}?", re.IGNORECASE)


def qualifier_before(plain: str, low: int, start: int) -> re.Match[str] | None:
    """The qualifier or the sign that ends at ``start``, if there is one."""
    if start <= low:
        return None
    before = plain[start - 1]
    if before not in _SIGNS and not (before.isspace() and _ends_in(plain, low, start, _LAST_WORDS, _SIGNS)):
        return None
    return QUALIFIER.search(plain, low, start)


def _ends_in(plain: str, low: int, start: int, words: frozenset[str], signs: frozenset[str]) -> bool:
    """Whether one of the words, or a sign, stands before the space at ``start - 1``."""
    word = _LAST_WORD.search(plain, max(low, start - 17), start - 1)
    named = word is not None and (word[0].lower() in words or (words is _STRAY_WORDS and word[0].endswith("fold")))
    return named or plain[start - 2 : start - 1] in signs


def has_other_meaning(plain: str, low: int, start: int, end: int) -> bool:
    """Whether the words ``start:end`` of a text are no qualifier: ``spread over``, ``talk about``, ``add up to``."""
    return any(
        found is not None and found.end() == end and before.search(plain, low, start) is not None
        for found, before in ((word.match(plain, start), before) for word, before in _TURNED)
    )


def negated(plain: str, low: int, start: int) -> int:
    """Where the minus begins that stands before the words at ``start`` (``−about 60``); ``start`` if there is none."""
    found = qualifier_before(plain, low, start) if plain[start : start + 1].isalpha() else None
    if found is None or not _NEGATIVE.fullmatch(found[0]) or has_other_meaning(plain, low, *found.span()):
        return start
    return found.start()


def behind(plain: str, end: int) -> int:
    """Where the qualifier ends that stands behind a quantity (``or more``); ``end`` if there is none."""
    found = BEHIND_IT.match(plain, end) or _PLUS.match(plain, end)
    return found.end() if found else end


def stray(plain: str, start: int, end: int, low: int, high: int) -> tuple[int, int]:
    """``start:end`` with what stands at it within ``low:high`` and changes what a reader sees, read or not."""
    before = None
    if start > low and (not plain[start - 1].isspace() or _ends_in(plain, low, start, _STRAY_WORDS, _STRAY_SIGNS)):
        before = _STRAY_BEFORE.search(plain, max(low, start - 60), start)
    after = _STRAY_BEHIND.match(plain, end, high)
    stop = after.end() if after else end
    return before.start() if before else start, max(stop, _unit_apart(plain, start, end, high))


def _unit_apart(plain: str, start: int, end: int, high: int) -> int:
    """Where a unit ends that brackets part from a bare number: ``8 (GB/s)``, ``(8) GB``; ``end`` if there is none."""
    enclosed = plain[start - 1 : start] == "(" and plain[end : end + 1] == ")"
    found = (_UNIT_BEHIND_BRACKET if enclosed else _UNIT_IN_BRACKETS).match(plain, end, high)
    if found is None or not (plain[end - 1].isdigit() or plain[end - 1] in "x×"):
        return end
    try:
        unit = parse_unit(found[1])
    except UnitError:
        return end
    return found.end() if unit.dimension else end
