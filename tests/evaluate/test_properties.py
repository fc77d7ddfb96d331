"""Any formula with any inputs: the value is that of plain arithmetic, and what it depends on is known exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from flopkb.base.evaluate import Evaluation
from flopkb.base.evaluate.values import Value
from flopkb.base.link import SymbolAtom

from .texts import base_of, figure

pytestmark = pytest.mark.slow

NAMES = ("a", "b", "c")


@dataclass(frozen=True)
class Tree:
    """An expression that knows its own value: ``op`` is a name, a number or one of ``+ - * / ** min max neg``."""

    op: str
    parts: tuple[Tree, ...] = ()
    number: int = 0

    def text(self) -> str:
        if self.op == "number":
            return str(self.number)
        if self.op == "neg":
            return f"(-{self.parts[0].text()})"
        if self.op == "**":
            return f"({self.parts[0].text()})**{self.number}"
        if self.op in ("min", "max"):
            return f"{self.op}({', '.join(part.text() for part in self.parts)})"
        if self.parts:
            return f"({self.parts[0].text()} {self.op} {self.parts[1].text()})"
        return self.op

    def value(self, inputs: Mapping[str, Fraction]) -> Fraction:
        """Plain arithmetic; ZeroDivisionError where there is no value."""
        if self.op == "number":
            return Fraction(self.number)
        values = [part.value(inputs) for part in self.parts]
        if self.op == "neg":
            return -values[0]
        if self.op == "**":
            return values[0] ** self.number
        if self.op in ("min", "max"):
            return {"min": min, "max": max}[self.op](values)
        if values:
            one, two = values
            return {"+": one + two, "-": one - two, "*": one * two}[self.op] if self.op != "/" else one / two
        return inputs[self.op]


LEAVES = st.one_of(st.sampled_from(NAMES).map(Tree), st.integers(0, 9).map(lambda n: Tree("number", number=n)))


def grown(parts: st.SearchStrategy[Tree], *operators: str) -> st.SearchStrategy[Tree]:
    """Trees with ``parts`` below one of the operators."""
    pairs = st.tuples(parts, parts)
    kinds = [pairs.map(lambda two, op=op: Tree(op, two)) for op in operators]
    kinds.append(parts.map(lambda one: Tree("neg", (one,))))
    kinds.append(st.tuples(parts, st.integers(1, 3)).map(lambda one: Tree("**", (one[0],), one[1])))
    return st.one_of(kinds)


RATIONAL = st.recursive(LEAVES, lambda parts: grown(parts, "+", "-", "*", "/"), max_leaves=8)
ANY = st.recursive(LEAVES, lambda parts: grown(parts, "+", "-", "*", "/", "min", "max"), max_leaves=8)
INPUT = st.fractions(-20, 20, max_denominator=12)
INPUTS = st.fixed_dictionaries(dict.fromkeys(NAMES, INPUT))


def record(expr: str, figures: str) -> str:
    symbols = "".join(f"  {name}: {{meaning: a number}}\n" for name in NAMES)
    return f'symbols:\n{symbols}formulas:\n  f: {{expr: "{expr}", unit: "1"}}\nfigures:\n{figures}'


def bound(inputs: Mapping[str, Fraction]) -> str:
    return "{" + ", ".join(f'{name}: "{value}"' for name, value in inputs.items()) + "}"


def computed(expr: str, inputs: Mapping[str, Fraction]) -> Evaluation:
    return base_of(
        f=record(expr, f"  it: {{formula: f, with: {bound(inputs)}}}\n" if inputs else "  it: {formula: f}\n")
    )


@settings(max_examples=150, deadline=None)
@given(ANY, INPUTS)
def test_a_figure_is_what_plain_arithmetic_gives(tree: Tree, inputs: dict[str, Fraction]) -> None:
    try:
        expected = tree.value(inputs)
    except ZeroDivisionError:
        value = computed(tree.text(), inputs).figures[("f", "it")]
        assert not isinstance(value, Value), "a division by zero has no value"
        return
    assert figure(computed(tree.text(), inputs), "it").values == (expected,)


@settings(max_examples=80, deadline=None)
@given(RATIONAL, RATIONAL, INPUTS, INPUT)
def test_what_cancels_may_stay_open_and_its_value_does_not_matter(
    tree: Tree, factor: Tree, inputs: dict[str, Fraction], other: Fraction
) -> None:
    """``tree`` in a and b, times and divided by ``factor`` in c alone."""
    tree, factor = renamed(tree, {"c": "a"}), renamed(factor, {"a": "c", "b": "c"})
    expr = f"{tree.text()} * ({factor.text()}) / ({factor.text()})"
    pair = {name: inputs[name] for name in ("a", "b")}
    try:
        expected = tree.value(inputs)
        assume(factor.value({"c": inputs["c"]}) != 0 and factor.value({"c": other}) != 0)
        assume(all(factor.value({"c": Fraction(n)}) != 0 for n in range(1, 5)))
    except ZeroDivisionError:
        assume(False)
    for given_inputs in (pair, {**pair, "c": inputs["c"]}, {**pair, "c": other}):
        value = figure(computed(expr, given_inputs), "it")
        assert value.values == (expected,)
        assert not value.depends_on(SymbolAtom("f", "c"))


def renamed(tree: Tree, names: Mapping[str, str]) -> Tree:
    return Tree(names.get(tree.op, tree.op), tuple(renamed(part, names) for part in tree.parts), tree.number)


@settings(max_examples=100, deadline=None)
@given(RATIONAL, INPUTS)
def test_a_value_depends_on_exactly_the_inputs_that_move_it(tree: Tree, inputs: dict[str, Fraction]) -> None:
    """A quotient of polynomials that is not constant takes a value only so often: some of many points must differ."""
    try:
        here = tree.value(inputs)
    except ZeroDivisionError:
        assume(False)
    value = figure(computed(tree.text(), inputs), "it")
    for name in NAMES:
        moved = False
        for point in range(-200, 200):
            try:
                moved = moved or tree.value({**inputs, name: Fraction(2 * point + 1, 7)}) != here
            except ZeroDivisionError:
                continue
        # Elsewhere the other inputs may stand where this one drops out (as 0*a does), so only one way is certain.
        if moved:
            assert value.depends_on(SymbolAtom("f", name)), name
        elif not value.depends_on(SymbolAtom("f", name)):
            assert figure(computed(tree.text(), {**inputs, name: inputs[name] + 1}), "it").values == (here,)


@settings(max_examples=60, deadline=None)
@given(RATIONAL, INPUTS, INPUT)
def test_over_divides_by_the_value_there(tree: Tree, inputs: dict[str, Fraction], other: Fraction) -> None:
    try:
        expected = tree.value(inputs) / tree.value({**inputs, "a": other})
    except ZeroDivisionError:
        assume(False)
    figures = f'  it: {{formula: f, with: {bound(inputs)}, over: {{a: "{other}"}}}}\n'
    assert figure(base_of(f=record(tree.text(), figures)), "it").values == (expected,)


@settings(max_examples=60, deadline=None)
@given(RATIONAL, RATIONAL, INPUTS)
def test_an_input_bound_to_an_expression_stands_for_it(tree: Tree, inner: Tree, inputs: dict[str, Fraction]) -> None:
    inner = renamed(inner, {"a": "b"})
    try:
        expected = tree.value({**inputs, "a": inner.value(inputs)})
    except ZeroDivisionError:
        assume(False)
    rest = {name: inputs[name] for name in ("b", "c")}
    figures = f'  it: {{formula: f, with: {{a: "{inner.text()}", {bound(rest)[1:]}}}\n'
    assert figure(base_of(f=record(tree.text(), figures)), "it").values == (expected,)
