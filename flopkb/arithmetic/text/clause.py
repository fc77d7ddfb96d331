"""The tokens between two breaks, and what stands behind a number there: a suffix, a unit, nouns, a remark."""

from __future__ import annotations

import re
from typing import NamedTuple

from flopkb.arithmetic.text.lexer import Sign, Token
from flopkb.arithmetic.text.measures import STOP_WORDS, Measure, atom, measure
from flopkb.arithmetic.text.words import OPERATIONS

_ATTACHED = frozenset({"mil", "mln", "mn", "k", "K", "M", "G", "B", "T", "P", "bn", "tn", "Ki", "Mi", "Gi", "Ti"})
_SPACED = frozenset({"k", "K", "M", "B", "bn"})
_SPELLED = frozenset({"hundred", "thousand", "million", "billion", "trillion", "quadrillion"})
_ORDINALS = frozenset({"st", "nd", "rd", "th", "s", "ish", "D"})
_MAX_WORDS = 5
_MARGIN = 6
"""How far beyond the ends of a clause the grammar may look (negative indices lead there too)."""
_NO_NOUNS = STOP_WORDS | OPERATIONS | {"per"}
_PERCENT = measure("%")
_MULTIPLE = measure("x")


class Phrase(NamedTuple):
    """What was read behind a number, up to the token index ``end``; ``written`` if any of it belongs to the number."""

    end: int
    suffix: str = ""
    unit: Measure | None = None
    label: bool = False
    noun: bool = False
    written: bool = False


class Clause:
    """The tokens between two breaks, and the phrases among them.

    ``match`` leads from a bracket to its partner; ``relations`` are the indices of its ``=`` and ``≈``.
    """

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = _with_tildes(tokens)
        self.match = _matches(self.tokens)
        self.kinds = [*(token.kind for token in self.tokens), *[Sign.BREAK] * _MARGIN]
        self.relations = [at for at, kind in enumerate(self.kinds) if kind is Sign.RELATION]

    def kind(self, at: int) -> Sign:
        """The kind of the token at ``at``; a break beyond the ends."""
        return self.kinds[at]

    def text(self, at: int) -> str:
        """The text of the token at ``at``; empty beyond the ends."""
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def operator(self, at: int) -> str:
        """The operator at ``at``; empty where there is none."""
        return self.tokens[at].text if self.kinds[at] is Sign.OPERATOR else ""

    def gap(self, at: int) -> bool:
        """Whether white space stands before the token at ``at``."""
        return self.tokens[at].gap if 0 <= at < len(self.tokens) else True

    def operand_at(self, at: int) -> bool:
        """Whether an operand may begin here."""
        if self.kind(at) is Sign.NEWLINE:
            at += 1
        if self.operator(at) in ("+", "-"):
            at += 1
        return self.kind(at) in (Sign.NUMBER, Sign.OPEN, Sign.CURRENCY, Sign.FUNCTION, Sign.TILDE)

    def after(self, at: int) -> Phrase:
        """The phrase that begins at ``at``."""
        start = at
        if self.kind(at) is Sign.PERCENT and self.tokens[at].gap and self.gap(at + 1) and self.signed(at + 1):
            return Phrase(at)  # 5 % -3 is a remainder
        if self.kind(at) is Sign.PERCENT and not (
            self.kind(at + 1) in (Sign.NUMBER, Sign.OPEN) and self.tokens[at].gap
        ):
            return self.with_remark(Phrase(at + 1, unit=_PERCENT, written=True))
        if (
            self.kind(at) is Sign.OPERATOR
            and self.tokens[at].note == "times"
            and not self.operand_at(at + 1)
            and not self.names(at + 1)
        ):
            return self.with_remark(Phrase(at + 1, unit=_MULTIPLE, written=True))
        suffix, at = self.suffix(at)
        label = False
        if self.kind(at) is Sign.WORD and not self.tokens[at].gap and not suffix:
            word = self.tokens[at].text
            if (word in _ORDINALS and word != "s") or (atom(word) is None and measure(word).dims == (0, 0, 0, 0)):
                label, at = True, at + 1  # letters pressed to the digits mean something
        label = label or (self.kind(at) is Sign.WORD and is_symbol(self.text(at)))
        phrase = self.words(at)
        written = phrase.written or at > start
        return self.with_remark(phrase._replace(suffix=suffix, label=label or phrase.label, written=written))

    def signed(self, at: int) -> bool:
        """Whether a number with a sign pressed to it stands here."""
        return self.operator(at) == "-" and self.kind(at + 1) is Sign.NUMBER and not self.gap(at + 1)

    def names(self, at: int) -> bool:
        """Whether a name that could be multiplied stands here (then a sign before it is no multiplier)."""
        return self.kind(at) is Sign.WORD and not self.tokens[at].gap

    def suffix(self, at: int) -> tuple[str, int]:
        if self.kind(at) is not Sign.WORD:
            return "", at
        token = self.tokens[at]
        head, _, tail = token.text.partition("-")
        if not token.gap and token.text in _ATTACHED:
            rate = token.text == "B" and self.operator(at + 1) == "/" and self.kind(at + 2) is Sign.WORD
            return ("", at) if rate else (token.text, at + 1)
        if token.gap and token.text in _SPACED and self.ends(at + 1):
            return token.text, at + 1
        if head in _SPELLED and not tail:
            return head, at + 1
        return "", at

    def ends(self, at: int) -> bool:
        """Whether the phrase could end here."""
        return self.kind(at) is not Sign.OPEN

    def words(self, at: int) -> Phrase:
        """Unit words and nouns: units are taken as far as they go, nouns only where arithmetic goes on behind."""
        run = self.run(at)
        if not run:
            end, text = self.denominators(at, "1")
            return Phrase(end, unit=measure(text), written=True) if end > at and text != "1" else Phrase(at)
        texts = [self.tokens[index].text for index in run]
        known = next((i for i, text in enumerate(texts[:3]) if _physical(text)), None)
        if known is None and atom(texts[0]) is not None:
            known = 0
        if known is None and self.denominators(run[-1] + 1, "")[0] > run[-1] + 1:
            known = len(run) - 1
        if known is None:
            end = run[-1] + 1
            return Phrase(end if self.goes_on(end) else at, noun=True)
        end, text = self.denominators(run[known] + 1, " ".join(texts[: known + 1]))
        unit = measure(text)
        rest = self.run(end)
        if rest and self.goes_on(rest[-1] + 1):
            adjective = self.tokens[at].note == "compound"  # a 30-minute cadence is not 30 minutes
            return Phrase(rest[-1] + 1, unit=unit, label=adjective, noun=True, written=True)
        return Phrase(end, unit=unit, noun=not unit.known, written=True)

    def run(self, at: int) -> list[int]:
        """Words side by side, up to one that ends a phrase."""
        run: list[int] = []
        while self.kind(at) is Sign.WORD and len(run) < _MAX_WORDS:
            text = self.tokens[at].text
            if text.lower() in _NO_NOUNS or text.startswith("\\") or self.amount_of(at):
                break
            run.append(at)
            at += 1
        return run

    def goes_on(self, at: int) -> bool:
        """Whether arithmetic or a relation follows, remarks aside."""
        if self.kind(at) is Sign.OPEN and self.match.get(at) is not None and self.remark(at):
            at = self.match[at] + 1
        at += self.kind(at) is Sign.NEWLINE
        if self.kind(at) in (Sign.RELATION, Sign.CLOSE) or self.amount_of(at):
            return True
        return self.operator(at) not in ("", "^") and self.operand_at(at + 1)

    def amount_of(self, at: int) -> bool:
        """``10 tables of 160 MB``: so many things, each of an amount."""
        amount = self.text(at) == "of" and self.kind(at + 1) is Sign.NUMBER and self.kind(at + 2) is Sign.WORD
        return amount and _physical(self.text(at + 2))

    def denominators(self, at: int, text: str) -> tuple[int, str]:
        """``/ s``, ``per token``, ``^2`` behind a unit."""
        while True:
            kind = self.kind(at)
            slash = kind is Sign.OPERATOR and self.tokens[at].text == "/"
            per = kind is Sign.WORD and self.tokens[at].text == "per"
            if (slash or per) and self.kind(at + 1) is Sign.WORD and self.divides(at + 1, per=per):
                word = self.tokens[at + 1].text
                text += "/" + ("each" if per and word in _SPACED else word)  # per K and V, not per thousand
                at += 2
                if self.tokens[at - 1].text in _SPELLED and self.kind(at) is Sign.WORD and self.tokens[at].gap:
                    text, at = f"{text} {self.tokens[at].text}", at + 1
            elif per and self.kind(at + 1) is Sign.NUMBER and self.counts_by(at + 1):
                at, text = self.share(at + 1, text)
            elif self.joined(at):
                text += "·" + self.tokens[at + 1].text
                at += 2
            elif kind is Sign.OPERATOR and self.tokens[at].text == "^" and self.tokens[at].value is not None:
                at += 1
            else:
                return at, text

    def joined(self, at: int) -> bool:
        """``GPU·hours``: a sign of multiplication pressed between two units."""
        if self.kind(at) is not Sign.OPERATOR or self.tokens[at].text != "*" or self.tokens[at].note == "raw":
            return False
        pressed = not self.tokens[at].gap and self.kind(at + 1) is Sign.WORD and not self.tokens[at + 1].gap
        return pressed and atom(self.tokens[at + 1].text) is not None

    def counts_by(self, at: int) -> bool:
        value = self.tokens[at].value
        return value is not None and value > 0 and value.denominator == 1

    def share(self, at: int, text: str) -> tuple[int, str]:
        """``per 1M tokens``."""
        token = self.tokens[at]
        suffix, end = self.suffix(at + 1)
        text = f"{text}/{token.value} {suffix}".rstrip()
        if self.kind(end) is Sign.WORD and self.tokens[end].text.lower() not in STOP_WORDS:
            return end + 1, f"{text} {self.tokens[end].text}"
        return end, text

    def divides(self, at: int, *, per: bool) -> bool:
        """Whether the word at ``at`` is a unit to divide by, not a symbol or a function."""
        word = self.tokens[at].text
        if per or measure(word).known:
            return True
        following = self.kind(at + 1)
        if word.startswith("\\"):
            return False
        if not word.isascii():
            return True
        noun = word.islower() or len(word) > 2
        called = following is Sign.OPEN and not self.gap(at + 1)
        return len(word) > 1 and noun and "_" not in word and not called

    def remark(self, at: int) -> bool:
        """Whether the parentheses at ``at`` hold words about the number before them, not a factor."""
        close = self.match.get(at)
        if close is None or self.tokens[at].text not in "([":
            return False
        inside = self.tokens[at + 1 : close]
        if not any(token.kind is Sign.WORD for token in inside) or _with_a_symbol(inside):
            return False
        if self.kind(at - 1) is Sign.WORD and self.tokens[at].gap and self.goes_on_beyond(close):
            return True
        if any(token.text.startswith("\\") for token in inside):
            return False  # 2(dz \wedge dx)
        product = inside[0].kind is Sign.NUMBER and any(
            token.kind is Sign.OPERATOR and inside[index + 1 : index + 2] and inside[index + 1].kind is Sign.NUMBER
            for index, token in enumerate(inside)
        )
        return not product and not (inside[0].kind is Sign.NUMBER and self.kind(at - 1) is Sign.CLOSE)

    def goes_on_beyond(self, close: int) -> bool:
        """Whether a relation follows parentheses that stand behind a noun: ``2 nodes (1 primary + 1 replica) = ``."""
        return self.kind(close + 1) is Sign.RELATION

    def with_remark(self, phrase: Phrase) -> Phrase:
        """Skip remarks in parentheses where arithmetic goes on behind them."""
        at, label = phrase.end, phrase.label
        while self.kind(at) is Sign.OPEN and self.remark(at) and self.goes_on(self.match[at] + 1):
            label = label or (not self.gap(at) and phrase.unit is None)  # 1/2(p-value): a factor
            at = self.match[at] + 1
        if at > phrase.end:
            return phrase._replace(end=at, written=True, label=label)
        return phrase


def _with_a_symbol(inside: list[Token]) -> bool:
    """``2(2 + h)``: a number and a letter with an operator between them."""
    if len(inside) != 3 or inside[1].kind is not Sign.OPERATOR:
        return False
    kinds = {token.kind: token.text for token in (inside[0], inside[2])}
    word = kinds.get(Sign.WORD, "")
    return Sign.NUMBER in kinds and (len(word) == 1 or word.startswith("\\"))


_SYMBOL = re.compile(r"[A-Za-z]{1,2}_\w+|\\?[\u0370-\u03ff]|\\[a-z]+(?:_.*)?")


def is_symbol(text: str) -> bool:
    """``4 α``, ``0.17 d_1``: a letter that stands for a number."""
    return _SYMBOL.fullmatch(text) is not None and not measure(text).known


def _physical(text: str) -> bool:
    unit = measure(text)
    return unit.physical or unit.rate or (unit.known and unit.scale != 1)


def _matches(tokens: list[Token]) -> dict[int, int]:
    """For each bracket that has a partner, the index of the partner."""
    partner = {")": "(", "]": "[", "}": "{", "⌉": "⌈", "⌋": "⌊"}
    found: dict[int, int] = {}
    stack: list[int] = []
    for at, token in enumerate(tokens):
        if token.kind is Sign.OPEN:
            stack.append(at)
        elif token.kind is Sign.CLOSE:
            while stack and tokens[stack[-1]].text != partner.get(token.text):
                if token.text in ")" and tokens[stack[-1]].text in "[{":
                    stack.pop()
                    continue
                break
            if stack and tokens[stack[-1]].text == partner.get(token.text):
                opening = stack.pop()
                found[opening], found[at] = at, opening
    return found


def _with_tildes(tokens: list[Token]) -> list[Token]:
    """A tilde between two operands is a weak relation."""
    ends = (Sign.NUMBER, Sign.CLOSE, Sign.PERCENT, Sign.WORD)
    starts = (Sign.NUMBER, Sign.CURRENCY, Sign.OPEN, Sign.FUNCTION)
    out = list(tokens)
    for at in range(1, len(tokens) - 1):
        token, behind = tokens[at], tokens[at + 1]
        apart = bool(token.note) or (token.gap and behind.gap)
        if token.kind is Sign.TILDE and tokens[at - 1].kind in ends and behind.kind in starts and apart:
            out[at] = token._replace(kind=Sign.RELATION, text="~")
    return out
