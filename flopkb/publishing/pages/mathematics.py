"""Formulas as TeX, from the tree that is evaluated: how names are written, what is put in their places, what is bracketed.

The second part turns TeX into MathML (the only latex2mathml import) and refuses what TeX would run as a program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from html import escape
from xml.etree import ElementTree

from flopkb.arithmetic.formula import (
    Among,
    Binary,
    Call,
    Compare,
    Condition,
    Expr,
    Flag,
    Has,
    Joined,
    Name,
    Number,
    Opposite,
    Rebound,
    Sum,
    Unary,
    parse_case,
)
from flopkb.arithmetic.numbers import decimal_text, grouped
from flopkb.base.link import FormulaRef, KnowledgeBase, SymbolAtom, ValueAtom
from flopkb.base.link.targets import LinkedFormula, Target
from flopkb.publishing.pages.elements import Html

_LETTERS = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa mu nu xi pi rho sigma tau upsilon phi chi psi omega"
)
GREEK = frozenset(_LETTERS.split())
_WORD = re.compile(r"[A-Za-z]+|[0-9]+")
Names = Callable[[Name], str]


@dataclass(frozen=True, slots=True)
class Notation:
    """``given``: record -> name -> TeX, as the header of a document states it."""

    kb: KnowledgeBase
    given: Mapping[str, Mapping[str, str]]

    def target(self, target: Target) -> str:
        """The TeX of a symbol, a formula or a recorded value."""
        if isinstance(target, SymbolAtom):
            return self.of(target.record, target.name)
        if isinstance(target, FormulaRef):
            return self.formula(target)
        assert isinstance(target, ValueAtom)
        return self.of(target.holder, target.path)

    def formula(self, ref: FormulaRef) -> str:
        """The TeX of a formula's name: the name that prose writes for it, if its record gives one."""
        told = self.given.get(ref.record, {}).get(ref.name)
        if told is not None:
            return told
        formula = self.kb.formulas[ref].formula
        return spelled(formula.written[0].text if formula.written else ref.name)

    def of(self, record: str, name: str) -> str:
        """The TeX of a name of a record."""
        told = self.given.get(record, {}).get(name)
        if told is None and self.kb.scope.symbol(name, record) == self.kb.scope.vocabulary.get(name, ""):
            told = next((names[name] for names in self.given.values() if name in names), None)
        return told or spelled(name)

    def names(self, targets: Mapping[Name, Target]) -> Names:
        """How the names of an expression are written, which stand for ``targets``."""
        return lambda name: self.name(name, targets.get(name))

    def name(self, name: Name, target: Target | None) -> str:
        """The TeX of a name in an expression."""
        return self.target(target) if target is not None else spelled(str(name))


def spelled(name: str) -> str:
    """``n_kv`` as n with a subscript, ``flops`` and ``weight_bytes`` as words, ``mu`` as a letter."""
    head, *rest = name.split("_")
    if head in GREEK and not rest:
        return "\\" + head
    if len(head) == 1 or (head in GREEK and rest):
        base = head if len(head) == 1 else "\\" + head
        if not rest:
            return base
        below = r",\,".join(part if len(part) == 1 else rf"\mathrm{{{part}}}" for part in rest)
        return f"{base}_{{{below}}}"
    if head.isupper() and rest and len(rest) == 1:
        return rf"\mathrm{{{head}}}_{{\mathrm{{{rest[0]}}}}}"
    return rf"\mathrm{{{head}}}" if not rest else r"\text{" + " ".join([head, *rest]) + "}"


def is_letter(tex: str) -> bool:
    """Whether products of this may be written without a dot."""
    return len(tex) == 1 or (tex.startswith("\\") and tex[1:] in GREEK)


_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(1, 6)
_MARKS = {"==": "=", "<=": r"\le", ">=": r"\ge", "<": "<", ">": ">", "!=": r"\ne", "~": r"\approx"}


def relation(op: str) -> str:
    """The TeX of a comparison."""
    return _MARKS[op]


def tex(expr: Expr, names: Names, *, inline: bool = False) -> str:
    """The TeX of an expression; ``inline`` writes quotients with a slash."""
    return TexWriter(names, inline).write(expr)[0]


def formula_tex(linked: LinkedFormula, notation: Notation, *, inline: bool = False) -> str:
    """The right side of a formula; its cases with a brace and the condition of each."""
    written = [(case, tex(case.body.expr, notation.names(case.body.targets), inline=inline)) for case in linked.cases]
    if linked.body is not None:
        return written[0][1]
    lines = [
        rf"{right} & \text{{if }} {condition_tex(parse_case(case.when.source.text), notation.names(case.when.targets))}"
        for case, right in written
        if case.when is not None
    ]
    return r"\begin{cases} " + r" \\ ".join(lines) + r" \end{cases}"


def condition_tex(condition: Condition, names: Names) -> str:
    """The TeX of a condition."""
    match condition:
        case Compare():
            sides = (tex(side, names, inline=True) for side in (condition.left, condition.right))
            return f" {relation(condition.op)} ".join(sides)
        case Among(group="", words=words):
            inside = r",\, ".join(map(spelled, words))
            return rf"{names(condition.symbol)} \in \{{{inside}\}}"
        case Among():
            return rf"{names(condition.symbol)} \in {spelled(condition.group)}"
        case Flag(value=Has(symbol=symbol)):
            return rf"\text{{has }} {names(symbol)}"
        case Flag():
            return tex(condition.value, names, inline=True)
        case Opposite(part=Joined()):
            return rf"\text{{not }} ({condition_tex(condition.part, names)})"
        case Opposite():
            return rf"\text{{not }} {condition_tex(condition.part, names)}"
    parts = (
        f"({condition_tex(part, names)})" if isinstance(part, Joined) else condition_tex(part, names)
        for part in condition.parts
    )
    return rf" \text{{ {condition.op} }} ".join(parts)


class TexWriter:
    """Writes a tree; each part comes with how tightly it holds together."""

    def __init__(self, names: Names, inline: bool) -> None:
        self.names = names
        self.inline = inline

    def write(self, expr: Expr) -> tuple[str, int]:
        if isinstance(expr, Number):
            return number(expr.value), _ATOM if expr.value >= 0 else _SIGN
        if isinstance(expr, Name):
            return self.names(expr), _ATOM
        if isinstance(expr, Unary):
            return f"-{self.operand(expr.operand, _PRODUCT)}", _SIGN
        if isinstance(expr, Call):
            return self.call(expr), _ATOM
        if not isinstance(expr, Binary):
            return self.looked_up(expr)
        if expr.op == "**":
            return f"{{{self.operand(expr.left, _ATOM)}}}^{{{self.write(expr.right)[0]}}}", _POWER
        if expr.op == "/":
            return self.quotient(expr)
        if expr.op == "*":
            return self.product(expr), _PRODUCT
        left, right = self.operand(expr.left, _SUM), self.operand(expr.right, _SUM + (expr.op == "-"))
        return f"{left} {expr.op} {right}", _SUM

    def operand(self, expr: Expr, needed: int) -> str:
        text, level = self.write(expr)
        return text if level >= needed else bracketed(text)

    def call(self, expr: Call) -> str:
        args = [self.write(arg)[0] for arg in expr.args]
        if expr.func in ("ceil", "floor"):
            left, right = (r"\lceil", r"\rceil") if expr.func == "ceil" else (r"\lfloor", r"\rfloor")
            return rf"\left{left} {args[0]} \right{right}"
        inside = r",\; ".join(args)
        return rf"\{expr.func}{bracketed(inside)}"

    def looked_up(self, expr: Sum | Rebound | Has) -> tuple[str, int]:
        """What a formula looks up in a record: a sum over its layers, another formula at inputs, whether a field is there."""
        if isinstance(expr, Has):
            return rf"\left[\text{{has }} {self.names(expr.symbol)}\right]", _ATOM
        if isinstance(expr, Sum):
            over = expr.over.parts[-1].replace("_", " ")
            return rf"\sum_{{\text{{{over}}}}} {self.operand(expr.term, _PRODUCT)}", _PRODUCT
        inputs = r",\, ".join(f"{self.names(Name((name,)))} = {self.write(value)[0]}" for name, value in expr.inputs)
        return rf"\left. {self.names(expr.formula)} \right|_{{{inputs}}}", _PRODUCT

    def quotient(self, expr: Binary) -> tuple[str, int]:
        if self.inline:
            return f"{self.operand(expr.left, _PRODUCT)} / {self.operand(expr.right, _POWER)}", _PRODUCT
        above, below = self.write(expr.left)[0], self.write(expr.right)[0]
        return rf"\frac{{{above}}}{{{below}}}", _PRODUCT

    def product(self, expr: Binary) -> str:
        """Factors in their order; letters stand side by side, all else with a dot between."""
        factors = list(_factors(expr))
        parts = [self.operand(factor, _PRODUCT + (index > 0)) for index, factor in enumerate(factors)]
        tight = all(self.tight(factor, part) for factor, part in zip(factors[1:], parts[1:], strict=True))
        first = factors[0].operand if isinstance(factors[0], Unary) else factors[0]
        tight = tight and (isinstance(first, Number) or self.tight(first, parts[0].lstrip("-")))
        return (
            (r"\," if tight and not is_letter(parts[0]) and len(parts) > 4 else " ").join(parts)
            if tight
            else r" \cdot ".join(parts)
        )

    def tight(self, factor: Expr, part: str) -> bool:
        """Whether a factor may stand beside others without a dot."""
        if isinstance(factor, Name):
            return is_letter(part)
        base = factor.left if isinstance(factor, Binary) and factor.op == "**" else None
        if base is not None:
            return isinstance(base, Name) and is_letter(self.names(base))
        return isinstance(factor, Binary) and factor.op in "+-"


def bracketed(text: str) -> str:
    """A text in parentheses, as tall as it needs."""
    return rf"\left({text}\right)" if r"\frac" in text else f"({text})"


def _factors(expr: Expr) -> list[Expr]:
    """The factors of a product from left to right."""
    found: list[Expr] = []
    while isinstance(expr, Binary) and expr.op == "*":
        found.append(expr.right)
        expr = expr.left
    return [expr, *reversed(found)]


def number(value: Fraction) -> str:
    """An exact number."""
    if value.denominator == 1 or any((value * 10**places).denominator == 1 for places in range(13)):
        return grouped(decimal_text(value, exponent=False)).replace(",", "{,}")
    return rf"\frac{{{value.numerator}}}{{{value.denominator}}}"


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
