"""Tokens without markup: styles opened up, emphasis told from multiplication, subscripts joined to their names."""

from __future__ import annotations

import re
from fractions import Fraction

from flopkb.arithmetic.text.lexer import Sign, Token
from flopkb.arithmetic.text.measures import STOP_WORDS, measure
from flopkb.arithmetic.text.words import PARTIAL
from flopkb.arithmetic.unit_table import NAMED

_PI = Fraction(31415926535897932384626433, 10**25)
_PI_PLACE = Fraction(1, 100)
"""Many take 3.14 for it."""
LATEX_UNITS = {unit.latex: name for name, unit in NAMED.items() if unit.latex}
"""The unit of a macro of siunitx, or of two (``\\giga\\byte``)."""

_CLOSERS = {"(": ")", "[": "]", "{": "}", "⌈": "⌉", "⌊": "⌋"}
_OPERAND_ENDS = (Sign.NUMBER, Sign.CLOSE, Sign.PERCENT, Sign.WORD)
_OPERAND_STARTS = (Sign.NUMBER, Sign.OPEN, Sign.CURRENCY, Sign.FUNCTION, Sign.TILDE)
_ESCAPES = frozenset("()[]")
_WORD_OPERATORS = {"times": "*", "plus": "+", "minus": "-"}


def refine(raw: list[Token]) -> list[Token]:
    """The tokens that the grammar reads; offsets stay those of the document."""
    return _joined(_without_marks(_without_styles(raw)))


def _without_styles(raw: list[Token]) -> list[Token]:
    """Drop style commands with their braces, commands whose arguments are not prose, and the brackets of links."""
    raw = _unescaped(raw)
    out: list[Token] = []
    braces: list[bool] = []  # for each open brace: whether it is transparent
    brackets: list[int] = []
    at = 0
    while at < len(raw):
        token = raw[at]
        at += 1
        if token.kind is Sign.STYLE:
            at = _style(raw, at, token, braces, out)
        elif token.kind is Sign.DROP:
            at = _skip_arguments(raw, at)
            out.append(token._replace(kind=Sign.BREAK, text=""))
        elif token.text == "{" and token.kind is Sign.OPEN:
            braces.append(False)
            out.append(token)
        elif token.text == "}" and token.kind is Sign.CLOSE:
            if not (braces.pop() if braces else False):
                out.append(token)
        else:
            _bracket(token, out, brackets)
    return out


def _unescaped(raw: list[Token]) -> list[Token]:
    """``\\(...\\)`` delimits mathematics; one of them alone is a bracket that Markdown escapes."""
    if not any(token.note in _ESCAPES for token in raw):
        return raw
    out = list(raw)
    for opening, closing in (("(", ")"), ("[", "]")):
        waiting: list[int] = []
        for at, token in enumerate(raw):
            if token.note == opening and token.kind is Sign.MARK:
                waiting.append(at)
                out[at] = token._replace(kind=Sign.OPEN, text=opening)
            elif token.note == closing and token.kind is Sign.MARK:
                if waiting and not _touches_a_sign(raw, waiting[-1], at):
                    opener = waiting.pop()
                    out[opener] = raw[opener]
                else:
                    waiting = waiting[:-1]
                    out[at] = token._replace(kind=Sign.CLOSE, text=closing)
    return out


def _touches_a_sign(raw: list[Token], opener: int, closer: int) -> bool:
    """``\\(2 + 3\\) \\* 4``: what delimits mathematics has no operator beside it, so these are brackets."""
    before, behind = raw[opener - 1] if opener else None, raw[closer + 1] if closer + 1 < len(raw) else None
    multiple = before is not None and before.text in ("x", "X") and opener > 1 and raw[opener - 2].kind in _OPERAND_ENDS
    signs = (token for token in (before, behind) if token is not None and token.kind is Sign.OPERATOR)
    return multiple or any(token.text in "*/^" or not token.gap for token in signs)


def _style(raw: list[Token], at: int, token: Token, braces: list[bool], out: list[Token]) -> int:
    """Open the brace of ``\\text{...}`` as if it were not there (``\\SI{3}{GB}`` has two)."""
    if at < len(raw) and raw[at].text == "{":
        braces.append(True)
        if out and at + 1 < len(raw):
            raw[at + 1] = raw[at + 1]._replace(gap=raw[at + 1].gap or token.gap)
        if token.note in ("SI", "qty"):
            close = _matching_brace(raw, at)
            if close + 1 < len(raw) and raw[close + 1].text == "{" and raw[close + 1].kind is Sign.OPEN:
                raw[close + 1] = raw[close + 1]._replace(kind=Sign.STYLE, text="{")
        return at + 1
    if token.text == "{":
        braces.append(True)
    return at


def _matching_brace(raw: list[Token], at: int) -> int:
    depth = 0
    for index in range(at, min(len(raw), at + 200)):
        depth += (raw[index].text == "{") - (raw[index].text == "}")
        if depth == 0:
            return index
    return at


def _skip_arguments(raw: list[Token], at: int) -> int:
    while at < len(raw) and raw[at].kind is Sign.OPEN and raw[at].text in "{[":
        closer, depth = _CLOSERS[raw[at].text], 0
        opener = raw[at].text
        for index in range(at, min(len(raw), at + 400)):
            depth += (raw[index].text == opener) - (raw[index].text == closer)
            if depth == 0:
                at = index + 1
                break
        else:
            return at
    return at


def _bracket(token: Token, out: list[Token], brackets: list[int]) -> None:
    """Keep plain brackets; a link leaves its text alone."""
    if token.kind is Sign.OPEN and token.text == "[":
        brackets.append(len(out))
    elif token.kind is Sign.CLOSE and token.text == "]" and brackets:
        brackets.pop()
    elif token.kind is Sign.LINK:
        if brackets:
            opener = brackets.pop()
            out[opener] = out[opener]._replace(kind=Sign.MARK, text="")
        return
    out.append(token)


def _without_marks(tokens: list[Token]) -> list[Token]:
    """Resolve stars, underscores, alignment marks and line breaks of LaTeX."""
    out: list[Token] = []
    at, gap = 0, False
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token.kind is Sign.BREAK and token.text == "\\":
            if not _continues(tokens, at):
                out.append(token)
            gap = True
            continue
        if token.text == "`" and at < len(tokens) and tokens[at].text == "`" and tokens[at].gap:
            out.append(token._replace(kind=Sign.BREAK, text=""))  # two spans of code
        if token.text in ("`", "$") and token.gap and _holds_an_equation(tokens, at, token.text, out):
            out.append(token._replace(kind=Sign.BREAK, text=""))
        if token.kind is Sign.MARK and (_opens_with_a_sign(tokens, at, token) or _opens_with_a_result(tokens, at, out)):
            out.append(token._replace(kind=Sign.BREAK, text=""))
        if token.kind is Sign.MARK:
            at = _mark(tokens, at, token, out)
            gap = (
                gap
                or token.gap
                or token.text in ("&", "$", "`")
                or (token.note in ("left", "right") and not _calls(out))
            )
            continue
        if token.note == "raw" and not _multiplies(tokens, at, token, out):
            gap = gap or token.gap
            continue
        out.append(token._replace(gap=token.gap or gap) if gap else token)
        gap = False
    return out


def _holds_an_equation(tokens: list[Token], at: int, mark: str, out: list[Token]) -> bool:
    """Whether a span of code or mathematics opens here that holds a computation and its relation: it begins with it."""
    if not out or out[-1].kind in (Sign.OPERATOR, Sign.RELATION, Sign.TILDE, Sign.CURRENCY):
        return False
    computes = False
    for token in tokens[at : at + _LONGEST_SPAN]:
        if token.text == mark or token.kind in (Sign.BREAK, Sign.ORDER):
            return False
        if token.kind is Sign.RELATION:
            return computes
        computes = computes or token.kind in (Sign.OPERATOR, Sign.FUNCTION)
    return False


_LONGEST_SPAN = 60


def _opens_with_a_sign(tokens: list[Token], at: int, token: Token) -> bool:
    """``leaves \\(-11``: mathematics that opens with a signed number takes nothing from what stands before it."""
    if not token.gap or (token.text != "$" and token.note not in ("(", "[")) or at + 1 >= len(tokens):
        return False
    sign, number = tokens[at], tokens[at + 1]
    return sign.text == "-" and not sign.gap and number.kind is Sign.NUMBER and not number.gap


def _opens_with_a_result(tokens: list[Token], at: int, out: list[Token]) -> bool:
    """``the factors $10 = 2 \\cdot 5$``: the number that mathematics opens with does not end a name before it."""
    if tokens[at - 1].text != "$" and tokens[at - 1].note != "(":
        return False
    opens = at + 1 < len(tokens) and tokens[at].kind is Sign.NUMBER and tokens[at + 1].kind is Sign.RELATION
    named = len(out) > 1 and out[-1].kind is Sign.WORD and out[-2].kind is not Sign.RELATION
    return opens and named and len(out[-1].text) > 2


def _calls(out: list[Token]) -> bool:
    """``f\\left(2\\right)``: a letter before parentheses is a function of them."""
    return bool(out) and out[-1].kind is Sign.WORD and len(out[-1].text) == 1


def _continues(tokens: list[Token], at: int) -> bool:
    """Whether the next line of an aligned equation goes on with a relation or an operator."""
    for token in tokens[at : at + 6]:
        if token.kind is Sign.RELATION or (token.kind is Sign.OPERATOR and token.note != "raw"):
            return True
        if token.kind not in (Sign.NEWLINE, Sign.MARK):
            return False
    return False


def _mark(tokens: list[Token], at: int, token: Token, out: list[Token]) -> int:
    """Turn ``<sup>`` into a power and ``_{...}`` or ``<sub>`` into a part of the name before it; drop the rest."""
    if token.text == "<sup>":
        out.append(token._replace(kind=Sign.OPERATOR, text="^", note="sup"))
        out.append(token._replace(kind=Sign.OPEN, text="{", gap=False))
    elif token.text == "</sup>":
        out.append(token._replace(kind=Sign.CLOSE, text="}"))
    elif token.text == "<sub>":
        return _subscript(tokens, at, out, "</sub>")
    elif token.text == "_" and _has_both_bounds(tokens, at, token):
        out.append(token._replace(kind=Sign.OPAQUE))
    elif token.text == "_" and _of_an_operator(token, out):
        out.append(token._replace(kind=Sign.OPAQUE))
        return at + (at < len(tokens) and tokens[at].kind in (Sign.WORD, Sign.NUMBER))
    elif token.text == "_" and not token.gap and out and out[-1].kind in (Sign.WORD, Sign.CLOSE, Sign.NUMBER):
        if at < len(tokens) and tokens[at].text == "{":
            return _subscript(tokens, at + 1, out, "}")
        if (
            at < len(tokens)
            and not tokens[at].gap
            and out[-1].kind is Sign.WORD
            and tokens[at].kind in (Sign.WORD, Sign.NUMBER)
        ):
            out[-1] = out[-1]._replace(text=f"{out[-1].text}_{tokens[at].text}", end=tokens[at].end)
            return at + 1
    elif token.text == "_" and not token.gap and out and at < len(tokens) and tokens[at].kind is Sign.NUMBER:
        tokens[at] = tokens[at]._replace(kind=Sign.OPAQUE)  # an index of something that is no name
    elif token.text == "&" and not _beside_relation(tokens, at, out):
        out.append(token._replace(kind=Sign.PUNCTUATION))
    return at


def _has_both_bounds(tokens: list[Token], at: int, token: Token) -> bool:
    """``\\Big|_0^{10}``, ``[x]_0^1``: what stands behind the sign is no number to compute with."""
    if token.gap or at + 1 >= len(tokens) or tokens[at].gap or tokens[at].kind is not Sign.NUMBER:
        return False
    return tokens[at - 2].text in ("|", "]") and tokens[at + 1].text == "^"


def _of_an_operator(token: Token, out: list[Token]) -> bool:
    """``a +_A b``: an operation of its own."""
    return bool(out) and out[-1].kind is Sign.OPERATOR and not token.gap and out[-1].note != "raw"


def _subscript(tokens: list[Token], at: int, out: list[Token], closer: str) -> int:
    depth = 1
    for index in range(at, min(len(tokens), at + 40)):
        text = tokens[index].text
        depth += (text == "{") - (text == "}") if closer == "}" else -(text == closer)
        if depth == 0:
            if out and out[-1].kind is Sign.WORD:
                name = "".join(token.text for token in tokens[at:index])
                out[-1] = out[-1]._replace(text=f"{out[-1].text}_{name}", end=tokens[index].end)
            return index + 1
    return at


def _beside_relation(tokens: list[Token], at: int, out: list[Token]) -> bool:
    after = tokens[at].kind if at < len(tokens) else Sign.BREAK
    if after is Sign.OPERATOR and at + 1 < len(tokens) and tokens[at + 1].gap:
        return True
    before = out[-1].kind if out else Sign.BREAK
    return after in (Sign.RELATION, Sign.ORDER) or before in (Sign.RELATION, Sign.ORDER, Sign.BREAK, Sign.NEWLINE)


def _multiplies(tokens: list[Token], at: int, token: Token, out: list[Token]) -> bool:
    """Whether an ASCII star stands between operands; else it is emphasis or a bullet."""
    following = next((later for later in tokens[at : at + 3] if later.kind is not Sign.MARK or later.text != "`"), None)
    if not out or following is None or out[-1].kind not in _OPERAND_ENDS:
        return False
    sign = following.kind is Sign.OPERATOR and following.text == "-" and following.gap == token.gap
    starts = following.kind in _OPERAND_STARTS or following.kind in (Sign.WORD, Sign.STYLE) or sign
    if not starts:
        return False
    if token.text == "^":
        between = token.gap == following.gap
        return between and (following.kind in (Sign.NUMBER, Sign.OPEN) or sign) and out[-1].kind is not Sign.PERCENT
    if token.gap and not following.gap:
        return out[-1].kind is not Sign.WORD or following.kind is not Sign.WORD
    if following.gap and not token.gap:
        return following.kind is not Sign.WORD
    return True


def _joined(tokens: list[Token]) -> list[Token]:
    """Join ``GPT-3`` to a name, part ``80-GB`` into number and unit, and read ``3 times 4`` as a product."""
    out: list[Token] = []
    for at, token in enumerate(tokens):
        if out and token.kind is Sign.NUMBER and _names(out, token):
            out.pop()
            out[-1] = out[-1]._replace(text=f"{out[-1].text}-{token.text}", end=token.end)
        elif out and token.text in ("s", "m", "J", "W") and token.kind is Sign.WORD and out[-1].text == "\\mu":
            out[-1] = out[-1]._replace(text="µ" + token.text, end=token.end)
        elif out and token.kind is Sign.WORD and _compound(out, token):
            out.pop()
            out.append(token._replace(note="compound"))
        elif token.text in ("π", "\\pi") and token.kind is Sign.WORD and not _called(tokens, at):
            out.append(token._replace(kind=Sign.NUMBER, value=_PI, place=_PI_PLACE, nonzero=_PI_PLACE, note="pi"))
        elif out and (joined := _joined_to(out, token, tokens[at + 1 : at + 3])) is not None:
            out[-1:] = joined
        elif token.text == "@" and out and _rate_follows(tokens, at, out):
            out.append(token._replace(kind=Sign.OPERATOR, text="*"))
        elif token.kind is Sign.WORD and token.text in _WORD_OPERATORS and _between_numbers(tokens, at):
            out.append(token._replace(kind=Sign.OPERATOR, text=_WORD_OPERATORS[token.text]))
        elif token.kind is Sign.WORD and token.text in ("x", "X") and _between_numbers(tokens, at):
            out.append(token._replace(kind=Sign.OPERATOR, text="*"))
        elif out and token.kind is Sign.WORD and token.text == "by" and out[-1].text in ("divided", "multiplied"):
            sign = "/" if out.pop().text == "divided" else "*"
            out.append(token._replace(kind=Sign.OPERATOR, text=sign))
        else:
            out.append(token)
    return out


def _called(tokens: list[Token], at: int) -> bool:
    """Whether parentheses are pressed against the token at ``at``."""
    return at + 1 < len(tokens) and tokens[at + 1].kind is Sign.OPEN and not tokens[at + 1].gap


_BEHIND_FACTORIALS = (Sign.OPERATOR, Sign.RELATION, Sign.OPEN)


def _is_factorial(behind: list[Token]) -> bool:
    """Whether arithmetic goes on behind a ``!``: at the end of a sentence it is none."""
    if behind and behind[0].kind is Sign.CLOSE:
        return behind[0].text == "}" or (len(behind) > 1 and behind[1].kind in _BEHIND_FACTORIALS)
    return bool(behind) and (
        behind[0].kind in _BEHIND_FACTORIALS or (behind[0].kind is Sign.NUMBER and not behind[0].gap)
    )


def _joined_to(out: list[Token], token: Token, behind: list[Token]) -> list[Token] | None:
    """What a token makes of the one before it: ``per cent``, ``5!``, ``131 072``, ``\\giga\\byte``."""
    last = out[-1]
    if token.kind is Sign.WORD and last.kind is Sign.WORD:
        if token.text == "cent" and last.text == "per":
            return [last._replace(kind=Sign.PERCENT, text="%", end=token.end)]
        if (unit := LATEX_UNITS.get(last.text + token.text)) is not None:
            return [last._replace(text=unit, end=token.end)]
    if token.kind is Sign.WORD and (name := LATEX_UNITS.get(token.text)) is not None:
        if last.text == "\\per":
            return [last._replace(kind=Sign.OPERATOR, text="/"), token._replace(text=name)]
        return [last, token._replace(text=name)]
    if token.text == "!" and not token.gap and last.kind in (Sign.NUMBER, Sign.CLOSE) and _is_factorial(behind):
        return [last, token._replace(kind=Sign.OPERATOR)]
    if token.kind is Sign.NUMBER and last.kind is Sign.NUMBER and _groups(out, token):
        value = (last.value or Fraction(0)) * 1000 + (token.value or 0)
        nonzero = token.nonzero if token.value else (last.nonzero or Fraction(0)) * 1000
        text = last.text + token.text
        return [
            last._replace(text=text, end=token.end, value=value, place=token.place, nonzero=nonzero, note="grouped")
        ]
    return None


_THREE = re.compile(r"[0-9]{3}(?:\.[0-9]+)?")


def _groups(out: list[Token], token: Token) -> bool:
    """Whether a number goes on the digits of the one before it: three of them, one blank away, behind an operator."""
    last = out[-1]
    if not _THREE.fullmatch(token.text) or token.start - last.end != 1 or not last.text.isdigit():
        return False
    if last.note != "grouped" and (len(last.text) > 3 or last.value == 0):
        return False
    before = out[-2].kind if len(out) > 1 else Sign.BREAK
    if before is Sign.WORD and out[-2].text.lower() in STOP_WORDS:
        return True
    return before in (Sign.OPERATOR, Sign.RELATION, Sign.OPEN, Sign.BREAK, Sign.CURRENCY)


def _rate_follows(tokens: list[Token], at: int, out: list[Token]) -> bool:
    """``5 streams @ 500 kbps``: so many, each at that."""
    counted = out[-1].kind is Sign.NUMBER or any(token.kind is Sign.NUMBER for token in out[-4:-1])
    apart = tokens[at].gap and at + 1 < len(tokens) and tokens[at + 1].gap
    return counted and apart and tokens[at + 1].kind is Sign.NUMBER


def _names(out: list[Token], token: Token) -> bool:
    """``GPT-3``: a word, a hyphen and digits without a gap, where the word is no unit of a number before it."""
    if len(out) < 2 or out[-1].text != "-" or out[-1].gap or token.gap or out[-2].kind is not Sign.WORD:
        return False
    if len(out) < 3 or out[-3].kind is not Sign.NUMBER:
        return True
    name = out[-2]
    return name.gap and len(name.text) > 2 and name.text[0].isupper() and not measure(name.text).known


def _compound(out: list[Token], token: Token) -> bool:
    """``80-GB``, ``128-token``: the hyphen only joins."""
    if len(out) < 2 or out[-1].text != "-" or out[-1].gap or token.gap or out[-2].kind is not Sign.NUMBER:
        return False
    if out[-1].note == "minus" or token.text in PARTIAL:
        return False
    return len(token.text) > 2 or token.text in ("GB", "MB", "TB", "KB")


def _between_numbers(tokens: list[Token], at: int) -> bool:
    """Whether a word such as ``x`` or ``times`` stands between two operands, so that it multiplies them."""
    if at == 0 or at + 1 >= len(tokens):
        return False
    before, after = tokens[at - 1], tokens[at + 1]
    starts = after.kind in (Sign.NUMBER, Sign.CURRENCY, Sign.OPEN, Sign.FUNCTION) or after.text == "~"
    if not starts or before.kind not in (Sign.NUMBER, Sign.CLOSE, Sign.WORD, Sign.PERCENT):
        return False
    if before.kind is Sign.WORD:
        return any(token.kind is Sign.NUMBER for token in tokens[max(0, at - 5) : at - 1])
    return tokens[at].gap == after.gap or before.kind is Sign.NUMBER
