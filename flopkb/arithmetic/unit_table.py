"""Every unit that is known, once: how records spell it, how other people do, what it is worth, how LaTeX sets it.

Records are read strictly (``units.parse_unit``): a spelling that could mean two things is refused there. Other texts
are read leniently (``text.measures``): what could mean two things is read both ways.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

Powers = tuple[tuple[str, int], ...]
"""Base units with their exponents, sorted by name."""

PHYSICAL = ("byte", "dollar", "joule", "second")
"""The base units that must balance, in the order in which ``Unit.powers`` sorts them."""

COUNTS = frozenset(
    "flop mac token sequence layer head element step request gpu tpu device node parameter user sample query image "  # noqa: SIM905
    "expert batch channel block page row column core sm cycle transfer instruction stack die chip rack cluster "
    "accelerator worker stage iteration epoch pair entry word character document prompt group link lane pin port key "
    "value vector matrix switch tile warp thread stream session person record event message frame item packet "
    "file test".split()
)
"""Nouns that count: they may be left out of a quote and are never required to balance."""

COUNT_ALIASES = {
    # an integer operation is counted where a floating-point one is: the peaks of both share formulas
    "op": "flop", "ops": "flop", "tok": "token", "toks": "token", "seq": "sequence", "seqs": "sequence",
    "param": "parameter", "params": "parameter", "weight": "parameter", "weights": "parameter", "elem": "element",
    "elems": "element", "matrices": "matrix", "queries": "query", "entries": "entry", "batches": "batch",
    "switches": "switch", "people": "person", "img": "image", "imgs": "image", "msg": "message", "msgs": "message",
}  # fmt: skip


SUFFIXES: dict[str, tuple[int, ...]] = {
    "": (1,), "k": (10**3, 2**10), "K": (10**3, 2**10), "M": (10**6, 2**20), "B": (10**9,), "T": (10**12,),
    "Ki": (2**10,), "Mi": (2**20,), "Gi": (2**30,), "Ti": (2**40,),
    "thousand": (10**3,), "million": (10**6,), "billion": (10**9,), "trillion": (10**12,),
    "bn": (10**9,), "tn": (10**12,), "hundred": (100,), "dozen": (12,),
}  # fmt: skip
"""Count suffixes with their readings, the usual one first: ``32k`` may be exactly 32,768."""

LOOSE_SUFFIXES: dict[str, tuple[int, ...]] = {
    **{name: scales for name, scales in SUFFIXES.items() if name != "dozen"},
    "G": (10**9, 2**30), "P": (10**15,), "quadrillion": (10**15,), **dict.fromkeys(("mil", "mln", "mn"), (10**6,)),
}  # fmt: skip
"""Those of other people's texts."""


class Prefix(NamedTuple):
    """What stands before a unit: its power of ten (or of two), what it may mean besides, and siunitx's macro for it."""

    scale: Fraction
    binary: Fraction | None = None
    latex: str = ""


def _large(names: str, macros: str = "") -> dict[str, Prefix]:
    latex = [f"\\{macro}" for macro in macros.split()]
    return {
        name: Prefix(Fraction(1000) ** at, Fraction(1024) ** at, latex[at - 1] if at <= len(latex) else "")
        for at, name in enumerate(names.split(), 1)
    }


_LARGE = _large("k M G T P E Z Y", "kilo mega giga tera peta exa")
_MICRO = Prefix(Fraction(1, 10**6), latex=r"\micro")
_SMALL = {
    "m": Prefix(Fraction(1, 10**3), latex=r"\milli"), "u": _MICRO, "µ": _MICRO,
    "n": Prefix(Fraction(1, 10**9), latex=r"\nano"), "p": Prefix(Fraction(1, 10**12), latex=r"\pico"),
}  # fmt: skip
_SPELLED = _large("kilo mega giga tera peta exa")
_SPELLED_SMALL = {"milli": _SMALL["m"], "micro": _SMALL["u"], "nano": _SMALL["n"], "pico": _SMALL["p"]}
PREFIXES: dict[str, dict[str, Prefix]] = {
    "large": _LARGE,
    "small": {**_SMALL, "μ": _MICRO},
    "binary": {
        f"{name}i": Prefix(_LARGE[name.replace("K", "k")].binary or Fraction(1), latex=f"\\{macro}" * bool(macro))
        for name, macro in {"K": "kibi", "M": "mebi", "G": "gibi", "T": "tebi", "P": "pebi", "E": ""}.items()
    },
    "spelled": _SPELLED,
    "small spelled": _SPELLED_SMALL,
    "large, K": {**_LARGE, "K": _LARGE["k"]},
    "small, no Greek": _SMALL,
    "all spelled": {**_SPELLED, **_large("kilo mega giga tera peta exa zetta yotta")},
}
"""The families of prefixes by name."""


class KnownUnit(NamedTuple):
    """A unit: ``names`` is how records spell it, ``loose`` how other texts do besides; a blank parts two spellings.

    ``prefixed`` and ``loose_prefixed`` say which spellings take the prefixes of which families (``B: large binary``).
    ``latex`` gives the macro of siunitx for the spellings that have one.
    """

    names: str
    scale: Fraction | int
    powers: Powers = ()
    prefixed: str = ""
    loose: str = ""
    loose_prefixed: str = ""
    latex: str = ""

    def with_prefixes(self, *, loose: bool) -> Iterator[tuple[str, str, Prefix]]:
        """Each spelling that takes prefixes, each prefix that it takes, and what the prefix is."""
        for part in filter(None, (self.loose_prefixed if loose else self.prefixed).split("; ")):
            stems, _, families = part.partition(": ")
            for family in families.split(" + "):
                yield from ((stem, name, prefix) for stem in stems.split() for name, prefix in PREFIXES[family].items())


_BYTE, _SECOND, _JOULE, _DOLLAR = (("byte", 1),), (("second", 1),), (("joule", 1),), (("dollar", 1),)
_WATT, _FLOP, _FLOPS = (("joule", 1), ("second", -1)), (("flop", 1),), (("flop", 1), ("second", -1))
_ANY = "large, K + all spelled"
UNITS = (
    KnownUnit("1", 1),
    KnownUnit("x × times fold", 1, loose="X", latex=r"x:\flopkbtimes ×:\flopkbtimes"),
    KnownUnit("% percent", Fraction(1, 100), loose="pct", latex=r"%:\flopkbpercent"),
    KnownUnit("", Fraction(1, 100), loose="pp ppt"),
    KnownUnit("", 1, loose="points point pts"),
    KnownUnit("", Fraction(1, 10**4), loose="bp"),
    KnownUnit("", 1, loose="°"),
    KnownUnit("", 1, loose="ETH ether BTC"),
    KnownUnit("", Fraction(1, 10**9), loose="Gwei gwei"),
    KnownUnit("", Fraction(1, 10**18), loose="wei Wei"),
    KnownUnit("", Fraction(1, 10**8), loose="sat sats satoshi satoshis"),
    KnownUnit("", Fraction(10**9, 8), (("byte", 1), ("second", -1)), loose="GbE GigE"),
    KnownUnit("B byte bytes", 1, _BYTE, "B: large + binary; byte bytes: spelled; Byte Bytes byte bytes: large", "Byte Bytes 字节",
              "B Byte Bytes bytes: large, K; byte bytes: all spelled", r"B:\byte"),
    KnownUnit("bit bits", Fraction(1, 8), _BYTE, "bit bits: large + binary", "",
              "bit bits b: large, K; bit bits: all spelled", r"bit:\bit"),
    KnownUnit("s sec second seconds", 1, _SECOND, "s sec: small; second seconds: small spelled", "secs 秒", latex=r"s:\second"),
    KnownUnit("min minute minutes", 60, _SECOND, loose="mins 分钟", latex=r"min:\minute"),
    KnownUnit("h hr hour hours", 3600, _SECOND, loose="hrs 小时 時間", latex=r"h:\hour"),
    KnownUnit("day days", 86400, _SECOND, loose="天"),
    KnownUnit("week weeks", 604800, _SECOND, loose="wk"),
    KnownUnit("", Fraction(1, 10**3), _SECOND, loose="ms msec msecs millisecond milliseconds 毫秒"),
    KnownUnit("", Fraction(1, 10**6), _SECOND, loose="us µs μs usec usecs microsecond microseconds 微秒"),
    KnownUnit("", Fraction(1, 10**9), _SECOND, loose="ns nsec nanosecond nanoseconds"),
    KnownUnit("", Fraction(1, 10**12), _SECOND, loose="ps"),
    KnownUnit("Hz", 1, (("second", -1),), "Hz: large", "", "Hz: large, K + small, no Greek", r"Hz:\hertz"),
    KnownUnit("J joule joules", 1, _JOULE, "J: large + small; joule joules: spelled + small spelled", "Joule Joules",
              "J: large, K + small, no Greek", r"J:\joule"),
    KnownUnit("W watt watts", 1, _WATT, "W: large + small; watt watts: spelled + small spelled", "Watt Watts",
              "W: large, K + small, no Greek", r"W:\watt"),
    KnownUnit("Wh", 3600, _JOULE, "Wh: large", "", "Wh: large, K + small, no Greek"),
    KnownUnit("$ USD dollar dollars", 1, _DOLLAR, loose="€ £ EUR", latex=r"$:\flopkbdollar"),
    KnownUnit("cent cents ¢", Fraction(1, 100), _DOLLAR),
    KnownUnit("FLOPS OPS", 1, _FLOPS, "FLOPS OPS: large + spelled", "", f"FLOPS OPS: {_ANY}",
              r"FLOPS:\flopkbFLOPS OPS:\flopkbOPS"),
    KnownUnit("FLOP FLOPs flops", 1, _FLOP, "FLOP FLOPs flop flops: large + spelled", "flop Flop Flops",
              f"FLOP FLOPs flop flops Flop Flops: {_ANY}", r"FLOP:\flopkbFLOP"),
    KnownUnit("OP OPs", 1, _FLOP, "OP OPs: large", "op ops", f"OP OPs op ops: {_ANY}", r"OP:\flopkbOP"),
    KnownUnit("MAC MACs", 1, (("mac", 1),), "MAC MACs: large", "", f"MAC MACs: {_ANY}"),
)  # fmt: skip
"""The table: a new unit is a row here."""


class NamedUnit(NamedTuple):
    """What a name of records stands for; ``latex`` is empty where siunitx has no macro for it."""

    scale: Fraction
    powers: Powers = ()
    latex: str = ""


def _named() -> Iterator[tuple[str, NamedUnit]]:
    """Every name that records may use, with and without prefix."""
    for row in UNITS:
        latex = dict(part.split(":") for part in row.latex.split())
        for stem, name, prefix in row.with_prefixes(loose=False):
            macro = prefix.latex + latex[stem] if prefix.latex and stem in latex else ""
            yield name + stem, NamedUnit(prefix.scale * row.scale, row.powers, macro)
        for name in row.names.split():
            yield name, NamedUnit(Fraction(row.scale), row.powers, latex.get(name, ""))
    for name, scale in (("MT", 10**6), ("GT", 10**9)):
        yield name, NamedUnit(Fraction(scale), (("transfer", 1),))


NAMED = dict(_named())
WHOLE_NAMES = [name for row in UNITS for name in row.names.split()]
_SPELLED_OUT = [
    name + stem for row in UNITS for stem, name, _ in row.with_prefixes(loose=False) if len(name) > 3 and len(stem) > 3
]
_ANY_CASE = frozenset(
    name for name in (*WHOLE_NAMES, *_SPELLED_OUT) if (len(name) > 3 and name.islower()) or name == "day"
)


def named_unit(name: str) -> NamedUnit | None:
    """The unit of a name as records spell it, or a counted noun; None if it is not known."""
    found = NAMED.get(name) or (NAMED.get(name.lower()) if name.lower() in _ANY_CASE else None)
    if found is None and (noun := counted_noun(name)) is not None:
        found = NamedUnit(Fraction(1), ((noun, 1),))
    return found


def counted_noun(name: str) -> str | None:
    """The singular of a noun that counts (``tokens``, ``params``), or None if it does not."""
    lower = name.lower()
    if lower in COUNT_ALIASES:
        return COUNT_ALIASES[lower]
    if lower not in COUNTS and lower.endswith("s"):
        lower = lower[:-1]
    return lower if lower in COUNTS else None
