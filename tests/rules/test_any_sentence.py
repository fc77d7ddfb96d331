"""Any sentence: what a reader sees is changed in one place, inside the link or outside; what is false then is found, what is
true in other words is not."""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import TinyBase
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from seen_quantities import findings, load, told

from flopkb.base.loading import LoadedBase

VALUES = {
    "f": Fraction(8),
    "g": Fraction(3000),
    "ratio": Fraction(29537, 100),
    "pow": Fraction(700),
    "mem": Fraction(80),
}
"""The exact values, those with a unit in the unit of TEXTS."""
TEXTS = {"f": ("8", ""), "g": ("3,000", ""), "ratio": ("295.4", "x"), "pow": ("700", " W"), "mem": ("80", " GB")}
IN_WORDS = {
    "f": ["eight", "8.0", "0.8 × 10^1", "exactly 8"],
    "g": ["three thousand", "3 thousand", "3k", "3 × 10³", "3000"],
    "ratio": ["295x", "295.37x", "about 300x", "just over 295x", "295", "at least 290x"],
    "pow": ["seven hundred watts", "0.7 kW", "700 watts", "at most 700 W", "700 W or less", "700,000 mW"],
    "mem": ["eighty gigabytes", "80 Gigabytes", "0.08 TB", "80,000 MB", "80 GBytes", "no more than 80 GB"],
}
LEADS = ["It is", "So far it was", "The part has", "Here, on average, it comes to", "(All of it is"]
TAILS = [".", " now.", ", as before.", " in all.", " of it."]
NUMBERS = st.sampled_from(sorted(TEXTS))
TRUE_OF = {
    "<": lambda v, q: v < q,
    "<=": lambda v, q: v <= q,
    ">": lambda v, q: v > q,
    ">=": lambda v, q: v >= q,
    "=": lambda v, q: v == q,
}
FACTORS = ["two times", "double", "twice", "half", "a third of", "ten-fold", "one over", "log", "the square of"]
QUALIFIERS = {
    **dict.fromkeys(("less than", "under", "fewer than", "just under", "short of"), "<"),
    **dict.fromkeys(("at most", "no more than", "up to", "nearly", "almost"), "<="),
    **dict.fromkeys(("more than", "over", "well over", "in excess of", "beyond", "exceeding", "way over"), ">"),
    **dict.fromkeys(("less than or equal to", "at the very most"), "<="),
    **dict.fromkeys(("at least", "no less than"), ">="),
    **dict.fromkeys(("exactly", "precisely"), "="),
}
RELATIONS = {
    **{" < ": "<", " is less than ": "<", " ≤ ": "<=", " > ": ">", " is more than ": ">", " exceeds ": ">"},
    **{" remains below ": "<", " was well above ": ">", " surpasses ": ">", " ≡ ": "=", " is the same as ": "="},
    **{" ≥ ": ">=", " = ": "=", " equals ": "="},
}


@st.composite
def false_sentences(draw: st.DrawFn) -> str:
    """A sentence that was true until one place was changed."""
    name = draw(NUMBERS)
    digits, unit = TEXTS[name]
    lead, tail = draw(st.sampled_from(LEADS)), draw(st.sampled_from(TAILS))
    link = f"[{digits}{unit}]({name})"
    kind = draw(st.sampled_from(["digit", "sign", "unit", "scale", "qualifier", "relation", "factor", "bound behind"]))
    if kind == "digit":
        at = draw(st.sampled_from([i for i, c in enumerate(digits) if c.isdigit()]))
        other = draw(st.sampled_from([c for c in "123456789" if c != digits[at]]))
        return f"{lead} [{digits[:at]}{other}{digits[at + 1 :]}{unit}]({name}){tail}"
    if kind == "sign":
        sign = draw(st.sampled_from(["-", "−", "minus ", "negative ", "±"]))
        inside = draw(st.booleans()) and sign != "±"
        return f"{lead} [{sign}{digits}{unit}]({name}){tail}" if inside else f"{lead} {sign}{link}{tail}"
    if kind == "unit":
        if unit.strip() in ("W", "GB"):
            other = draw(st.sampled_from(["/s", " per second", "²", "·s", " squared", "/mm²", " per token", "/s²"]))
        else:
            other = draw(
                st.sampled_from([" GB", " W", " ms", "%", "°", " bits", " GB/s", " (GB/s)", " dB", " per hour"])
            )
        return f"{lead} {link}{other}{tail}"
    if kind == "scale":
        other = draw(
            st.sampled_from(["k", " million", " thousand", "bn", " dozen", " hundred", "-hundred", " and a half"])
        )
        return f"{lead} [{digits}]({name}){other}{tail}"
    if kind == "factor":
        return f"{lead} {draw(st.sampled_from(FACTORS))} {link}{tail}"
    if kind == "bound behind":
        return f"{lead} [295x](ratio) {draw(st.sampled_from(['or less', 'or fewer', 'at most']))}{tail}"
    if kind == "relation":
        other = draw(NUMBERS.filter(lambda n: TEXTS[n][1].strip() in ("", "x")))
        own = draw(NUMBERS.filter(lambda n: TEXTS[n][1].strip() in ("", "x")))
        wrong = [word for word, sign in RELATIONS.items() if not TRUE_OF[sign](VALUES[own], VALUES[other])]
        relation = draw(st.sampled_from(wrong))
        return f"{lead} [{TEXTS[own][0]}]({own}){relation}[{TEXTS[other][0]}]({other})."
    near = digits if name != "ratio" else draw(st.sampled_from(["295", "296"]))
    q = Fraction(near.replace(",", ""))
    wrong = [word for word, sign in QUALIFIERS.items() if not TRUE_OF[sign](VALUES[name], q)]
    word = draw(st.sampled_from(wrong))
    return (
        f"{lead} [{word} {near}{unit}]({name}){tail}"
        if draw(st.booleans())
        else f"{lead} {word} [{near}{unit}]({name}){tail}"
    )


@st.composite
def true_sentences(draw: st.DrawFn) -> str:
    """The same said in other words."""
    lead, tail = draw(st.sampled_from(LEADS)), draw(st.sampled_from(TAILS))
    if draw(st.booleans()):
        name = draw(NUMBERS)
        return f"{lead} [{draw(st.sampled_from(IN_WORDS[name]))}]({name}){tail}"
    own, other = (draw(NUMBERS.filter(lambda n: TEXTS[n][1].strip() in ("", "x"))) for _ in "ab")
    right = [word for word, sign in RELATIONS.items() if TRUE_OF[sign](VALUES[own], VALUES[other])]
    return f"{lead} [{TEXTS[own][0]}]({own}){draw(st.sampled_from(right))}[{TEXTS[other][0]}]({other})."


SETTINGS = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture
def loaded(base: TinyBase) -> LoadedBase:
    """The neutral base with numbers to quote."""
    return load(base.folder)


@SETTINGS
@given(sentences=st.lists(false_sentences(), min_size=20, max_size=60, unique=True))
def test_what_is_false_is_found(loaded: LoadedBase, sentences: list[str]) -> None:
    assert [text for text, found in zip(sentences, findings(sentences, loaded), strict=True) if not found] == []


@SETTINGS
@given(sentences=st.lists(true_sentences(), min_size=15, max_size=40, unique=True))
def test_what_is_true_in_other_words_is_not(loaded: LoadedBase, sentences: list[str]) -> None:
    told_of = zip(sentences, findings(sentences, loaded), strict=True)
    assert {text: told(found) for text, found in told_of if found} == {}
