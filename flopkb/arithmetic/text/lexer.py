"""From raw text in any markup to tokens that keep their place: numbers, words, operators, relations, boundaries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from enum import Enum, auto
from fractions import Fraction
from html import unescape
from typing import NamedTuple

from flopkb.arithmetic.numbers import Quoted
from flopkb.arithmetic.numeral import MARKUP, MARKUP_DIGITS, TO_ASCII, NumeralError, numeral_from, read_numeral


class Sign(Enum):
    """What a token is to the grammar."""

    NUMBER = auto()
    WORD = auto()
    OPERATOR = auto()
    """``+ - * / // ^``"""
    RELATION = auto()
    """``=`` or ``≈``; ``~`` where it is only a tilde"""
    ORDER = auto()
    """an inequality: it parts sides, and is not judged"""
    OPEN = auto()
    CLOSE = auto()
    PERCENT = auto()
    CURRENCY = auto()
    FUNCTION = auto()
    """``frac``, ``sqrt``: LaTeX commands with arguments in braces, and ``√``"""
    TILDE = auto()
    PUNCTUATION = auto()
    """parts one phrase from the next"""
    BREAK = auto()
    """parts one block from the next"""
    OPAQUE = auto()
    """dates, versions, addresses, torn numbers: nothing beside them is read"""
    NEWLINE = auto()
    MARK = auto()
    """emphasis, braces of styles and the like, until they are resolved"""
    STYLE = auto()
    DROP = auto()
    LINK = auto()


class Token(NamedTuple):
    """``start`` and ``end`` are offsets into the document; ``gap`` says whether white space stands before it.

    A number carries its value, the value of its last written digit and that of its last digit that is not zero.
    ``note`` keeps what the grammar needs of the writing: ``power`` (a power of ten), ``sci`` (with ``×10^k``),
    ``raw`` (an ASCII star), ``dash`` (a typographic dash).
    """

    kind: Sign
    text: str
    start: int
    end: int
    gap: bool = False
    value: Fraction | None = None
    place: Fraction | None = None
    nonzero: Fraction | None = None
    note: str = ""
    reading: Quoted | None = None
    """A number of a record's equation, with its unit, as quotes of figures are read."""


OPERATORS = {
    **dict.fromkeys("×✕✖⨯⨉·⋅∙•∗", "*"), **dict.fromkeys("÷∕⁄/", "/"), **dict.fromkeys("−–‐‑-", "-"),
    "+": "+", "^": "^", "*": "*", "**": "^", "//": "//",
}  # fmt: skip
OPERATOR_NOTES = {"*": "raw", "**": "raw", "–": "dash", "−": "minus", "×": "times", "✕": "times", "✖": "times"}
"""``raw`` may be emphasis, ``times`` may end a multiple such as ``2.4×``; ``minus`` is no hyphen."""

ABOUT = frozenset({"≈", "≃", "≅", "≒", "≊", "~=", "=~", "≈=", "=≈", "≈~", "~≈"})
INEQUALITIES = frozenset({"<", ">", "<=", ">=", "≤", "≥", "≪", "≫", "≲", "≳", "!=", "≠", "≡", "∝"})

_COMMANDS: tuple[tuple[str, Sign, str], ...] = (
    ("times cdot ast bullet *", Sign.OPERATOR, "*"),
    ("div /", Sign.OPERATOR, "/"),
    ("-", Sign.OPERATOR, "-"),
    ("+", Sign.OPERATOR, "+"),
    ("^", Sign.OPERATOR, "^"),
    ("approx simeq approxeq cong doteq thickapprox", Sign.RELATION, "≈"),
    ("=", Sign.RELATION, "="),
    ("sim thicksim ~", Sign.TILDE, "~"),
    ("leq geq le ge lt gt ne neq ll gg lesssim gtrsim propto in equiv < >", Sign.ORDER, "<"),
    (
        "to rightarrow Rightarrow implies iff longrightarrow Longrightarrow mapsto leftarrow item par hline newline "
        "midrule toprule bottomrule because therefore",
        Sign.BREAK,
        "",
    ),
    ("\\", Sign.BREAK, "\\"),
    ("frac dfrac tfrac cfrac nicefrac sfrac", Sign.FUNCTION, "frac"),
    ("sqrt", Sign.FUNCTION, "sqrt"),
    ("lceil", Sign.OPEN, "⌈"),
    ("rceil", Sign.CLOSE, "⌉"),
    ("lfloor", Sign.OPEN, "⌊"),
    ("rfloor", Sign.CLOSE, "⌋"),
    (
        "left right big Big bigl bigr Bigl Bigr bigg Bigg biggl biggr displaystyle textstyle limits strut hfill "
        "centering notag nonumber rm bf it mathstrut !",
        Sign.MARK,
        "",
    ),
    ("( ) [ ]", Sign.MARK, "delimiter"),
    (
        "text mathrm textrm mathbf textbf mathit textit mathsf texttt mathtt emph operatorname mbox hbox boxed fbox "
        "underline underbrace overbrace textsf textnormal boldsymbol bm num SI qty si unit ensuremath "
        "mathnormal textup small",
        Sign.STYLE,
        "",
    ),
    (
        "label ref eqref cite citep citet tag url begin end includegraphics footnote vspace input cref autoref index "
        "bibitem color textcolor hspace phantom",
        Sign.DROP,
        "",
    ),
    ("%", Sign.PERCENT, "%"),
    ("$", Sign.CURRENCY, "$"),
    ("{ } _", Sign.OPAQUE, "{"),
    ("|", Sign.PUNCTUATION, "|"),
)
COMMANDS: dict[str, tuple[Sign, str]] = {
    name: (kind, text) for names, kind, text in _COMMANDS for name in names.split()
}
"""LaTeX commands and Markdown escapes, without their backslash."""

GREEK = frozenset(
    "alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi psi "  # noqa: SIM905
    "omega ell".split()
)
"""Commands that are letters, and so names."""
CHARACTERS: dict[str, tuple[Sign, str]] = {
    **{sign: (Sign.OPEN, sign) for sign in "([{⌈⌊"}, **{sign: (Sign.CLOSE, sign) for sign in ")]}⌉⌋"},
    **{sign: (Sign.CURRENCY, sign) for sign in "$€£"}, **{sign: (Sign.MARK, sign) for sign in "`_&"},
    **dict.fromkeys("→⇒←↔⟶", (Sign.BREAK, "")), **{sign: (Sign.OPAQUE, sign) for sign in "½"},
    "%": (Sign.PERCENT, "%"), "|": (Sign.BREAK, "|"), "√": (Sign.FUNCTION, "root"), "¢": (Sign.WORD, "¢"),
}  # fmt: skip

BLOCK_TAGS = frozenset(
    "p div br li ul ol td th tr table thead tbody h1 h2 h3 h4 h5 h6 hr section article header footer nav pre "  # noqa: SIM905
    "blockquote dt dd dl figure figcaption main aside body html head title script style option select form button "
    "label input img svg details summary".split()
)
"""HTML elements that part what stands before them from what stands behind."""


_LETTER = "A-Za-zµÀ-ÖØ-öø-ɏͰ-ϿЀ-ԯ֐-ۿऀ-෿ก-๿Ḁ-ỿ぀-ヿ一-鿿가-힣"
_DAY = r"(?:[12][0-9]|3[01]|0?[1-9])"
_LEXEME = re.compile(
    rf"""
 (?P<space>(?:[ \t\r\f\v\u00a0\u2000-\u200b\u202f\u205f\ufeff]|&nbsp;|&ensp;|&emsp;|&thinsp;|&\#160;
   |\\[ ,;:>]|\\q?quad(?![A-Za-z]))+)
|(?P<by>(?<=[0-9])[xX](?=[0-9]))
|(?P<word>(?!(?:https?|ftp)://|www\.)[{_LETTER}][{_LETTER}0-9]*(?:_[{_LETTER}0-9]+)*(?:['’][{_LETTER}]+)?
   (?:-[{_LETTER}][{_LETTER}0-9]*)*|(?<!\w)_[0-9]+(?=\s?=))
|(?P<degree>\^[ ]?(?:\{{[ ]?\\circ[ ]?\}}|\\circ(?![A-Za-z]))|°[CFK]?(?![A-Za-z])|&deg;)
 |(?P<newline>\n)
|(?P<opaque>(?:https?|ftp)://[^\s<>)\]"'`]+|www\.[^\s<>)\]"'`]+
   |(?<![\w.])(?:[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:T[0-9:.]+Z?)?
     |(?:{_DAY}/{_DAY}/(?:[0-9]{{2}})?[0-9]{{2}}|(?:19|20)[0-9]{{2}}/{_DAY}/{_DAY})(?![0-9./*×]|[ ]?[=≈])
     |[0-9]+:[0-9]+(?::[0-9]+)*(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+){{2,}}|0[xXbBoO][0-9a-fA-F_]+
     |(?<![0-9][ ])(?:00+[0-9]*|0[1-9][0-9]*)(?![.0-9]))
   |\.\.\.?|…|\\l?dots|\\cdots|&hellip;)
|(?P<template>\{{%[^%\n]{{0,80}}%\}}|\{{\{{[<%\-][^}}\n]{{0,80}}\}}\}})
|(?P<arrow><-+(?![0-9])|-+>)
|(?P<number>(?<![0-9])(?:{MARKUP_DIGITS}))
|(?P<tag></?[A-Za-z][^<>]{{0,400}}>)
|(?P<entity>&(?:\#[0-9]{{1,7}}|\#[xX][0-9a-fA-F]{{1,6}}|[A-Za-z][A-Za-z0-9]{{1,31}});)
|(?P<command>\\(?:[A-Za-z]+\*?|.))
|(?P<link>\]\([^()\s]{{0,400}}(?:\([^()\s]{{0,200}}\)[^()\s]{{0,200}})?(?:[ ]"[^"\n]{{0,200}}")?\))
|(?P<relation>[=<>!:~≈≃≅≡≠≤≥≪≫≒≊∼≲≳∝±∓]+)
|(?P<super>[⁻⁺]?[⁰¹²³⁴-⁹]+)
|(?P<operator>\*\*|//|/\*+|\*+/|--+|[-+*/^×✕✖⨯⨉·⋅∙•∗÷∕⁄−–—‐‑√])
|(?P<other>.)
""",
    re.VERBOSE | re.DOTALL,
)
_MAX_EXPONENT = 400
_BASE = replace(MARKUP, times_ten=None)
"""The form of a base or an exponent: ``2 ^ 3 × 10^9`` is no power with ten in its exponent."""
_TORN = re.compile(r"(?:[.,][0-9]+)+|\\[.][0-9]+(?![.,]?[0-9])")
"""Digits that run on, or stand behind a point that Markdown escapes (``59\\.95``)."""
_LAST_DOT = re.compile(r"\.(?=[ ]?[=≈)/×÷])")
"""A point behind whole digits that ends no sentence."""
_LIST = frozenset("()[]{},;")
_PROSE = re.compile(r"(?:[ ][A-Za-z][A-Za-z'’]*[,.;:]?)+")
_CONTEXT = 6
"""How many words around arithmetic can matter."""


def tokens(
    text: str, start: int, end: int, *, tex: bool, math: frozenset[int] = frozenset(), commas: bool = True
) -> Iterator[Token]:
    """The tokens of ``text[start:end]``, markup among them; ``math`` are the offsets of ``$`` that delimit math.

    With ``commas``, ``3,5`` may be a number.
    """
    at, gap, before, words = start, True, "", 0
    while at < end:
        match = _LEXEME.match(text, at, end)
        if match is None:
            return
        group, stop = match.lastgroup, match.end()
        if group == "word":
            words += 1
            if words > _CONTEXT and (skipped := _skipped(text, stop, end)) > stop:
                at, gap, words = skipped, True, 0
                continue
            yield Token(Sign.WORD, match[0], at, stop, gap)
            gap, at, before = False, stop, ""
            continue
        if group == "space":
            gap, at, before = True, stop, ""
            continue
        token = _token(group or "other", match, text, end, gap, before, tex=tex, math=math)
        if token is not None and token.note == "comma" and not commas:
            token = token._replace(kind=Sign.OPAQUE)
        if token is None:
            gap, at, before = True, stop, ""
            continue
        before, at = match[0], token.end
        if token.kind is Sign.MARK and not token.text:  # an inline tag: the gap before it is one before what follows
            gap = token.gap
            continue
        words = words if token.kind is Sign.PUNCTUATION else 0
        gap = token.kind is Sign.NEWLINE
        yield token


def _skipped(text: str, at: int, end: int) -> int:
    """Where to go on in a long run of prose: its last words may belong to an equation, those before them to none."""
    run = _PROSE.match(text, at, end)
    if run is None:
        return at
    stop = run.end()
    for _ in range(_CONTEXT + 1):
        stop = text.rfind(" ", at, stop)
        if stop < 0:
            return at
    return stop


def _token(
    group: str, match: re.Match[str], text: str, end: int, gap: bool, before: str, *, tex: bool, math: frozenset[int]
) -> Token | None:
    at, stop, written = match.start(), match.end(), match[0]
    if group == "number":
        return _number(match, text, end, gap, before)
    if group == "operator":
        return _operator(written, at, stop, gap)
    if group == "degree":
        return Token(Sign.WORD, written if written[0] == "°" else "°", at, stop, gap)
    if group == "by":
        return Token(Sign.OPERATOR, "*", at, stop, gap, note="by")
    if group == "relation":
        if written == "~" and tex:
            return None
        return _relation(written, at, stop, gap, before)
    if group == "super":
        value = Fraction(int(written.translate(TO_ASCII))) if len(written) < 6 else None
        kind = Sign.OPERATOR if value is not None else Sign.OPAQUE
        return Token(kind, "^", at, stop, gap, value)
    if group == "newline":
        return Token(Sign.NEWLINE, "\n", at, stop, gap)
    if group == "template":
        return Token(Sign.MARK, "", at, stop, True)
    if group == "arrow":
        return Token(Sign.BREAK, "", at, stop, gap)
    if group == "opaque":
        return Token(Sign.OPAQUE, written, at, stop, gap)
    if group == "link":
        return Token(Sign.LINK, "]", at, stop, gap)
    return _markup(group, written, at, stop, gap, math)


def _markup(group: str, written: str, at: int, stop: int, gap: bool, math: frozenset[int]) -> Token | None:
    if group == "tag":
        return _tag(written, at, stop, gap)
    if group == "entity":
        return _character(unescape(written), at, stop, gap)
    if group == "command":
        kind, name = COMMANDS.get(written[1:].removesuffix("*") or "*", (Sign.WORD, written))
        if kind is Sign.WORD and not written[1:2].isalpha():
            kind, name = Sign.PUNCTUATION, written
        return Token(kind, name, at, stop, gap, note=written[1:])
    if at in math:
        return Token(Sign.MARK, "$", at, stop, gap)
    kind, name = CHARACTERS.get(written, (Sign.PUNCTUATION, written))
    return Token(kind, name, at, stop, gap)


def _number(match: re.Match[str], text: str, end: int, gap: bool, before: str) -> Token:
    at, stop, written = match.start(), match.end(), match[0]
    behind = text[stop : stop + 1] if stop < end else ""
    torn = _TORN.match(text, stop, end) if behind in (".", ",", "\\") else None
    if torn and behind == "\\":
        return _decimal(text, at, torn, torn[0][2:], gap, "")
    if torn and (decimal := _with_decimal_comma(text, at, torn, gap)) is not None:
        return decimal
    if torn:
        return Token(Sign.OPAQUE, text[at : torn.end()], at, torn.end(), gap)
    try:
        numeral, stop = numeral_from(text, match.span(), "", _BASE if before in ("^", "**", "^{") else MARKUP, end)
    except NumeralError:
        return Token(Sign.OPAQUE, written, at, stop, gap)
    if abs(numeral.exponent) > _MAX_EXPONENT:
        return Token(Sign.OPAQUE, text[at:stop], at, stop, gap)
    note = "sci" if numeral.times_ten.endswith("10") else ""
    last = _LAST_DOT.match(text, stop, end)
    return Token(
        Sign.NUMBER,
        text[at:stop],
        at,
        last.end() if last else stop,
        gap,
        numeral.value,
        numeral.place,
        numeral.nonzero_place,
        note,
    )


def _with_decimal_comma(text: str, at: int, torn: re.Match[str], gap: bool) -> Token | None:
    """``3,5``: a comma before one or two digits, or behind a 0, where no list is written."""
    whole, part = text[at : torn.start()], torn[0][1:]
    behind = text[torn.end() : torn.end() + 2]
    listed = text[at - 1 : at] in _LIST or (behind[:1] in _LIST and not behind[1:].isspace())
    fits = whole.isdigit() and part.isdigit() and torn[0][0] == "," and (len(part) < 3 or whole == "0")
    if not fits or listed:
        return None
    return _decimal(text, at, torn, part, gap, "comma")


def _decimal(text: str, at: int, torn: re.Match[str], part: str, gap: bool, note: str) -> Token:
    """A number whose decimals stand behind something else than a point."""
    numeral, _ = read_numeral(f"{text[at : torn.start()]}.{part}", 0, _BASE)
    value, place, nonzero = numeral.value, numeral.place, numeral.nonzero_place
    return Token(Sign.NUMBER, text[at : torn.end()], at, torn.end(), gap, value, place, nonzero, note)


def _operator(written: str, at: int, stop: int, gap: bool) -> Token:
    if written == "√":
        return Token(Sign.FUNCTION, "root", at, stop, gap)
    if written == "—" or written.startswith(("--", "/*")) or (written.endswith("/") and written[0] == "*"):
        return Token(Sign.PUNCTUATION, written, at, stop, gap)
    note = OPERATOR_NOTES.get(written, "")
    return Token(Sign.OPERATOR, OPERATORS[written], at, stop, gap, note=note)


def _relation(written: str, at: int, stop: int, gap: bool, before: str) -> Token:
    if written.endswith("~") and written[:-1] in ("=", "≈") and len(written) == 2:
        written = written[0] if written[0] == "≈" else "≈"
    if before in ("+", "-", "*", "/", "%", "^", "//", "**", "@", "?", "$") and written == "=" and not gap:
        return Token(Sign.OPAQUE, written, at, stop, gap)
    if written in ABOUT:
        return Token(Sign.RELATION, "≈", at, stop, gap)
    if written in ("=", "=="):
        return Token(Sign.RELATION, "=", at, stop, gap, note=written[1:])
    if written in ("~", "∼"):
        return Token(Sign.TILDE, "~", at, stop, gap)
    if written in INEQUALITIES:
        return Token(Sign.ORDER, "<", at, stop, gap)
    if written in (":", "!"):
        return Token(Sign.PUNCTUATION, written, at, stop, gap)
    if written in ("=>", "<=>", ">>", "<<", ">>>", ":=", "::", "~~") or (set(written) == {"="} and len(written) > 2):
        return Token(Sign.BREAK if written not in (":=", "<<", ">>", ">>>") else Sign.OPAQUE, written, at, stop, gap)
    return Token(Sign.OPAQUE, written, at, stop, gap)


def _character(char: str, at: int, stop: int, gap: bool) -> Token | None:
    if char.isspace() or char in "\u200b\u2060":
        return None
    if char in OPERATORS:
        return _operator(char, at, stop, gap)
    if char in "=<>≈≃≅≡≠≤≥≪≫∼~∝±":
        return _relation(char, at, stop, gap, "")
    if char in "⁰¹²³⁴⁵⁶⁷⁸⁹":
        return Token(Sign.OPERATOR, "^", at, stop, gap, Fraction(int(char.translate(TO_ASCII))))
    kind, name = CHARACTERS.get(char, (Sign.WORD if char.isalpha() else Sign.PUNCTUATION, char))
    return Token(kind, name, at, stop, gap)


def _tag(written: str, at: int, stop: int, gap: bool) -> Token:
    name = re.match(r"</?([A-Za-z][A-Za-z0-9-]*)", written)
    lower = name[1].lower() if name else ""
    if lower == "sup":
        return Token(Sign.MARK, "</sup>" if written[1] == "/" else "<sup>", at, stop, gap)
    if lower == "sub":
        return Token(Sign.MARK, "</sub>" if written[1] == "/" else "<sub>", at, stop, gap)
    return Token(Sign.BREAK if lower in BLOCK_TAGS else Sign.MARK, "", at, stop, gap)
