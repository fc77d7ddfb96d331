"""TeX to MathML (the only latex2mathml import)."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from xml.etree import ElementTree

from flopkb.publishing.pages.elements import Html

_COMMANDS = (
    "frac dfrac tfrac sqrt binom left right text mathrm mathbf mathit mathbb mathcal mathsf mathtt "
    "mathfrak operatorname min max log ln exp sin cos tan lim sup inf arg argmax argmin gcd det dim "
    "limits nolimits sum prod int bar hat tilde vec dot ddot overline underline overbrace underbrace "
    "overset underset stackrel dots ldots cdots vdots ddots quad qquad big Big bigg Bigg bigl bigr Bigl "
    "Bigr middle bmod pmod boxed phantom displaystyle textstyle begin end hline substack "
)
COMMANDS = frozenset(_COMMANDS.split())
"""The commands that mathematics may use, beside every symbol that the converter knows."""

ENVIRONMENTS = frozenset(["matrix", "pmatrix", "bmatrix", "vmatrix", "cases", "aligned", "array"])
_SHORT = frozenset(",;:!{}|%\\_$#& ")
_COMMAND = re.compile(r"\\([A-Za-z]+|.|$)", re.DOTALL)
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*\{([^{}]*)\}")
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
LONGEST = 4000
_TAGS = (
    "math mrow mi mo mn mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd mpadded"
)
_NAMES = (
    "display alttext mathvariant stretchy fence form separator largeop movablelimits accent width height depth lspace "
    "rspace linethickness columnalign minsize maxsize symmetric"
)
_ELEMENTS, _ATTRIBUTES = frozenset(_TAGS.split()), frozenset(_NAMES.split())


@lru_cache(maxsize=4096)
def mathml(tex: str, *, display: bool) -> str:
    """The MathML of a piece of TeX, which its ``alttext`` repeats."""
    from latex2mathml.converter import convert

    made: str = convert(tex, display="block" if display else "inline")
    plain = made.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
    return plain.replace("<math ", f'<math alttext="{escape(tex)}" ', 1)


def unreadable(tex: str) -> str:
    """Why a piece of TeX cannot be read; empty where it can."""
    if tex.count("{") + tex.count(r"\left") > 120:
        return "too many groups"
    fault = refused(tex)
    if fault:
        return fault
    try:
        mathml(tex, display=True)
    except RecursionError:
        return "nested too deeply"
    except Exception as error:  # the converter has an exception of its own for each fault, and raises others besides
        name = type(error).__name__.removesuffix("Error")
        return _WORDS.sub(" ", name).lower() or "unknown fault"
    return ""


def refused(tex: str) -> str:
    """The first command that mathematics may not use: what TeX would run is as much of a program as any other."""
    from latex2mathml.symbols_parser import convert_symbol

    if "^^" in tex:
        return "`^^` is no exponent"
    for command in _COMMAND.finditer(tex):
        name = command[1]
        if not (name in COMMANDS or name in _SHORT or (name.isalpha() and convert_symbol(f"\\{name}") is not None)):
            return f"`\\{name[:30]}` is not offered"
    for environment in _ENVIRONMENT.finditer(tex):
        if environment[1] not in ENVIRONMENTS:
            return f"there is no environment {environment[1][:30]}"
    return ""


@lru_cache(maxsize=4096)
def math(source: str, *, display: bool = False) -> Html | None:
    """TeX as MathML; None where it cannot be read, or would hold anything but mathematics."""
    if len(source) > LONGEST:
        return None
    try:
        root = ElementTree.fromstring(mathml(source, display=display))
    except ModuleNotFoundError:
        raise  # the extra that brings latex2mathml is not installed: a command says so, a site without formulas would not
    except Exception:  # latex2mathml raises errors of many kinds, and lets tags in texts through
        return None
    for node in root.iter():
        if node.tag not in _ELEMENTS or not _ATTRIBUTES.issuperset(node.attrib):
            return None
    return Html(ElementTree.tostring(root, encoding="unicode"))
