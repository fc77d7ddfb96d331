"""Tokens without markup: styles opened up, emphasis told from multiplication, subscripts joined to their names."""

from __future__ import annotations

from flopkb.arithmetic.text.joining import joined
from flopkb.arithmetic.text.lexer import Sign, Token

_CLOSERS = {"(": ")", "[": "]", "{": "}", "⌈": "⌉", "⌊": "⌋"}
_OPERAND_ENDS = (Sign.NUMBER, Sign.CLOSE, Sign.PERCENT, Sign.WORD)
_OPERAND_STARTS = (Sign.NUMBER, Sign.OPEN, Sign.CURRENCY, Sign.FUNCTION, Sign.TILDE)
_ESCAPES = frozenset("()[]")


def refine(raw: list[Token]) -> list[Token]:
    """The tokens that the grammar reads; offsets stay those of the document."""
    return joined(_without_marks(_without_styles(raw)))


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
