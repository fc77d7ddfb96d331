"""The signs and commands that markup writes arithmetic with, and what each is to the grammar."""

from __future__ import annotations

from flopkb.arithmetic.text.tokens import Kind

OPERATORS = {
    **dict.fromkeys("×✕✖⨯⨉·⋅∙•∗", "*"), **dict.fromkeys("÷∕⁄/", "/"), **dict.fromkeys("−–‐‑-", "-"),
    "+": "+", "^": "^", "*": "*", "**": "^", "//": "//",
}  # fmt: skip
OPERATOR_NOTES = {"*": "raw", "**": "raw", "–": "dash", "×": "times", "✕": "times", "✖": "times"}
"""``raw`` may be emphasis, ``times`` may end a multiple such as ``2.4×``."""

ABOUT = frozenset({"≈", "≃", "≅", "≒", "≊", "~=", "=~", "≈=", "=≈", "≈~", "~≈"})
INEQUALITIES = frozenset({"<", ">", "<=", ">=", "≤", "≥", "≪", "≫", "≲", "≳", "!=", "≠", "≡", "∝"})

_COMMANDS: tuple[tuple[str, Kind, str], ...] = (
    ("times cdot ast bullet *", Kind.OPERATOR, "*"),
    ("div /", Kind.OPERATOR, "/"),
    ("-", Kind.OPERATOR, "-"),
    ("+", Kind.OPERATOR, "+"),
    ("^", Kind.OPERATOR, "^"),
    ("approx simeq approxeq cong doteq thickapprox", Kind.RELATION, "≈"),
    ("=", Kind.RELATION, "="),
    ("sim thicksim ~", Kind.TILDE, "~"),
    ("leq geq le ge lt gt ne neq ll gg lesssim gtrsim propto in equiv < >", Kind.ORDER, "<"),
    (
        "to rightarrow Rightarrow implies iff longrightarrow Longrightarrow mapsto leftarrow item par hline newline "
        "midrule toprule bottomrule because therefore",
        Kind.BREAK,
        "",
    ),
    ("\\", Kind.BREAK, "\\"),
    ("frac dfrac tfrac cfrac nicefrac sfrac", Kind.FUNCTION, "frac"),
    ("sqrt", Kind.FUNCTION, "sqrt"),
    ("lceil", Kind.OPEN, "⌈"),
    ("rceil", Kind.CLOSE, "⌉"),
    ("lfloor", Kind.OPEN, "⌊"),
    ("rfloor", Kind.CLOSE, "⌋"),
    (
        "left right big Big bigl bigr Bigl Bigr bigg Bigg biggl biggr displaystyle textstyle limits strut hfill "
        "centering notag nonumber rm bf it mathstrut",
        Kind.MARK,
        "",
    ),
    ("( ) [ ]", Kind.MARK, "delimiter"),
    (
        "text mathrm textrm mathbf textbf mathit textit mathsf texttt mathtt emph operatorname mbox hbox boxed fbox "
        "underline underbrace overbrace overline textsf textnormal boldsymbol bm num SI qty si unit ensuremath "
        "mathnormal textup small cancel bar hat tilde vec",
        Kind.STYLE,
        "",
    ),
    (
        "label ref eqref cite citep citet tag url begin end includegraphics footnote vspace input cref autoref index "
        "bibitem color textcolor hspace phantom",
        Kind.DROP,
        "",
    ),
    ("%", Kind.PERCENT, "%"),
    ("$", Kind.CURRENCY, "$"),
    ("{ } _", Kind.OPAQUE, "{"),
    ("|", Kind.PUNCTUATION, "|"),
)
COMMANDS: dict[str, tuple[Kind, str]] = {
    name: (kind, text) for names, kind, text in _COMMANDS for name in names.split()
}
"""LaTeX commands and Markdown escapes, without their backslash."""

CHARACTERS: dict[str, tuple[Kind, str]] = {
    **{sign: (Kind.OPEN, sign) for sign in "([{⌈⌊"}, **{sign: (Kind.CLOSE, sign) for sign in ")]}⌉⌋"},
    **{sign: (Kind.CURRENCY, sign) for sign in "$€£"}, **{sign: (Kind.MARK, sign) for sign in "`_&"},
    **dict.fromkeys("→⇒←↔⟶", (Kind.BREAK, "")), **{sign: (Kind.OPAQUE, sign) for sign in "½°"},
    "%": (Kind.PERCENT, "%"), "|": (Kind.BREAK, "|"), "√": (Kind.FUNCTION, "root"), "¢": (Kind.WORD, "¢"),
}  # fmt: skip

BLOCK_TAGS = frozenset(
    "p div br li ul ol td th tr table thead tbody h1 h2 h3 h4 h5 h6 hr section article header footer nav pre "  # noqa: SIM905
    "blockquote dt dd dl figure figcaption main aside body html head title script style option select form button "
    "label input img svg details summary".split()
)
"""HTML elements that part what stands before them from what stands behind."""
