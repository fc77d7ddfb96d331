"""The words that tell something about arithmetic beside them: functions, qualifiers, bounds, what numbers name."""

from __future__ import annotations

from flopkb.arithmetic.numbers.reading import APPROXIMATELY, BOUNDS

FUNCTIONS = frozenset(
    ["sqrt", "ceil", "floor", "round", "min", "max", "abs", "int", "log", "log2", "log10", "ln", "lg", "exp"]
)
_CALLED = {"sqrt": "root", "int": "floor", "log_2": "log2", "log_{2}": "log2", "log_10": "log10", "log_{10}": "log10"}
PARTIAL = frozenset(
    "log ln lg exp sin cos tan lim sum prod times plus minus over mod modulo root squared square cube cubed half third "  # noqa: SIM905
    "quarter divided multiplied opposite negative reciprocal inverse double twice triple "
    "sqrt max min gcd lcm pcie pci-e gen rtx gtx ddr hbm".split()
)
"""Words that make what follows them only a part of an expression."""

ABOUT = frozenset([*(word.removesuffix(".") for word in APPROXIMATELY), "some"])
EXACT = frozenset(["exactly", "only", "just", "precisely", "a", "an", "total", "the"])
BOUND_WORDS = {
    phrase.removeprefix("at ").split()[0]: sign[0]
    for phrase, sign in BOUNDS.items()
    if phrase[0].isalpha() and sign != "=" and phrase.split()[0] not in ("no", "not", "as", "a", "in")
}
"""The words that bound, by the one that tells: ``most`` of ``at most``, ``more`` of ``more than``."""
BEHIND_BOUNDS = frozenset(phrase.split()[-1] for phrase in BOUNDS if " " in phrase) - BOUND_WORDS.keys()
"""What may follow such a word: ``than``, ``to``, ``of``."""
ELLIPSES = frozenset({"...", "…", "\\ldots", "\\dots", "\\cdots", "&hellip;"})
OPERATIONS = frozenset({"times", "plus", "minus", "divided", "multiplied", "squared", "cubed"})
REMAINDER = frozenset(["mod", "modulo", "remainder", "rem", "r", "R"])

BEFORE_RESULTS = frozenset({*ABOUT, *EXACT, "of", "exactly", "about", "equals", "comes", "makes", "need", "needs"})
NUMBERED = frozenset(
    "top step stage layer level version page section chapter table figure phase week round epoch block rank grade "  # noqa: SIM905
    "exercise rule bits bit pages lines rows lanes pins channels".split()
)
"""Words whose number is a name, not an amount."""


def is_logarithm(word: str) -> bool:
    """``\\log_2``, ``\\ln``: a command whose argument may stand behind it without parentheses."""
    name = function_name(word)
    return word.startswith("\\") and (name in ("ln", "lg") or name.startswith("log"))


def function_name(word: str) -> str:
    """The function that a word names (``\\log_2``), empty for any other word."""
    name = word.removeprefix("\\").lower()
    known = _CALLED.get(name, name)
    if known.startswith("log_") and known[4:].strip("{}").isdigit():
        return "log_" + known[4:].strip("{}")
    return known if name in FUNCTIONS or name in _CALLED else ""
