"""A formula's text to its tree, by way of Python's parser and a whitelist of its nodes. Nothing is ever run.

Python's parser is given only what the scanner passes, which is plain ASCII: the byte columns that Python reports are
then columns of characters.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fractions import Fraction

from flopkb.arithmetic.formula.errors import MAX_EXPONENT, FormulaError, shown
from flopkb.arithmetic.formula.scanner import FUNCTIONS, LOOKUPS, Language, scan
from flopkb.arithmetic.formula.tree import (
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
    walk,
)

MAX_DEPTH = 64
MAX_PARTS = 16
_BINARY: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_BLANKS = str.maketrans("\t\r\n", "   ")
_EXAMPLE = "write one such as n_q <= 64*n_kv"


def parse(text: str) -> Expr:
    """The tree of a value such as ``flops / bytes``; raises :class:`FormulaError` with the place of the fault."""
    return _FormulaReader(text, Language.PLAIN).expr()


def parse_formula(text: str) -> Expr:
    """The tree of a value as records' formulas write it, with ``sum``, ``has`` and inputs; raises :class:`FormulaError`."""
    return _FormulaReader(text, Language.FORMULA).expr()


def parse_deep(text: str) -> Expr:
    """The same, where names may have many parts, as ``bench.new.p50_ms``."""
    return _FormulaReader(text, Language.FORMULA, MAX_PARTS).expr()


def parse_condition(text: str) -> Compare:
    """The tree of one comparison such as ``n_q <= 64*n_kv``; raises :class:`FormulaError`."""
    conditions = parse_conditions(text)
    if len(conditions) > 1:
        second = conditions[1]
        reason = "one condition belongs here: leave out `and` with what follows"
        raise FormulaError(reason, second.offset, second.length)
    return conditions[0]


def parse_conditions(text: str) -> tuple[Compare, ...]:
    """The comparisons that ``and`` joins in ``text``, one or more; raises :class:`FormulaError`."""
    return _FormulaReader(text, Language.CONJUNCTION).conditions()


def parse_case(text: str) -> Condition:
    """The tree of any condition, as of a case or a requirement; raises :class:`FormulaError`."""
    return _FormulaReader(text, Language.CONDITION).condition()


class _FormulaReader:
    """Turns the nodes of one text into ours; places are those of the text as it was given."""

    def __init__(self, text: str, language: Language, deepest: int = 2) -> None:
        scan(text, language)
        self.text = text
        self.deepest = deepest
        self.language = language
        # In brackets, leading blanks are no indentation; on one line, a column is an offset.
        self.source = f"({text.translate(_BLANKS)})"
        try:
            self.root = ast.parse(self.source, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            offset = (getattr(error, "offset", None) or 2) - 2
            reason = "this cannot be read as an expression: check its operators and brackets"
            raise FormulaError(reason, min(max(offset, 0), len(text) - 1)) from None

    def expr(self) -> Expr:
        return self.value(self.root, 0)

    def conditions(self) -> tuple[Compare, ...]:
        joined = self.root.values if isinstance(self.root, ast.BoolOp) else [self.root]
        return tuple(map(self.compare, joined))

    def condition(self) -> Condition:
        return self.any_condition(self.root, 0)

    def span(self, node: ast.expr) -> tuple[int, int]:
        return node.col_offset - 1, (node.end_col_offset or node.col_offset) - 1

    def fault(self, node: ast.expr, reason: str) -> FormulaError:
        start, end = self.span(node)
        return FormulaError(reason, start, end - start)

    def written(self, node: ast.expr) -> str:
        return self.source[node.col_offset : node.end_col_offset]

    def any_condition(self, node: ast.expr, depth: int) -> Condition:
        if depth > MAX_DEPTH:
            raise self.fault(node, f"more than {MAX_DEPTH} conditions hang together here: split them")
        start, end = self.span(node)
        match node:
            case ast.BoolOp():
                parts = tuple(self.any_condition(part, depth + 1) for part in node.values)
                return Joined("and" if isinstance(node.op, ast.And) else "or", parts, offset=start, end=end)
            case ast.UnaryOp(op=ast.Not()):
                return Opposite(self.any_condition(node.operand, depth + 1), offset=start, end=end)
            case ast.Compare(ops=[ast.In()]):
                return self.among(node)
            case ast.Name() | ast.Call():
                value = self.value(node, depth + 1)
                if isinstance(value, Name | Has):
                    return Flag(value, offset=start, end=end)
        return self.compare(node)

    def among(self, node: ast.Compare) -> Among:
        start, end = self.span(node)
        left, right = node.left, node.comparators[0]
        if not isinstance(left, ast.Name):
            raise self.fault(left, "a symbol stands before `in`: write mixer_type in has_heads")
        symbol = self.name(left)
        if isinstance(right, ast.Name):
            return Among(symbol, right.id, offset=start, end=end)
        words = right.elts if isinstance(right, ast.List) else []
        if not words or not all(isinstance(word, ast.Name) for word in words):
            reason = "`in` takes the name of a group or a list of words: write mixer_type in [mamba, conv]"
            raise self.fault(right, reason)
        return Among(symbol, "", tuple(word.id for word in words if isinstance(word, ast.Name)), offset=start, end=end)

    def compare(self, node: ast.expr) -> Compare:
        if not isinstance(node, ast.Compare):
            raise self.fault(node, f"a condition compares two values: {_EXAMPLE}")
        if len(node.ops) > 1:
            raise self.fault(node.comparators[1], "a comparison has two sides: write a < b and b < c")
        left, right = self.value(node.left, 1), self.value(node.comparators[0], 1)
        start, end = self.span(node)
        return Compare(_COMPARE[type(node.ops[0])], left, right, offset=start, end=end)

    def value(self, node: ast.expr, depth: int) -> Expr:
        if depth > MAX_DEPTH:
            reason = f"more than {MAX_DEPTH} operations hang together here: split the formula"
            raise self.fault(node, reason)
        start, end = self.span(node)
        match node:
            case ast.Constant():
                return Number(Fraction(self.written(node)), offset=start, end=end)
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return self.name(node)
            case ast.UnaryOp(op=ast.UAdd()):
                return self.value(node.operand, depth + 1)
            case ast.UnaryOp(op=ast.USub()):
                return Unary("-", self.value(node.operand, depth + 1), offset=start, end=end)
            case ast.BinOp(op=ast.Pow()):
                return self.power(node, depth)
            case ast.BinOp():
                left, right = self.value(node.left, depth + 1), self.value(node.right, depth + 1)
                return Binary(_BINARY[type(node.op)], left, right, offset=start, end=end)
            case ast.Call():
                return self.call(node, depth)
        raise self.no_value(node)

    def no_value(self, node: ast.expr) -> FormulaError:
        if isinstance(node, ast.Compare | ast.BoolOp):
            return self.fault(node, "a comparison is no value: write it where a condition is asked for")
        return self.fault(node, "this is no value: write names, numbers, + - * / **, min, max, ceil and floor")

    def name(self, node: ast.Name | ast.Attribute | ast.Subscript) -> Name:
        start, end = self.span(node)
        index = None
        inner: ast.expr = node
        if isinstance(inner, ast.Subscript):
            index, inner = self.index(inner.slice), inner.value
        parts: tuple[str, ...] = ()
        while isinstance(inner, ast.Attribute):
            parts, inner = (inner.attr, *parts), inner.value
        if isinstance(inner, ast.Name) and len(parts) < self.deepest:
            parts = (inner.id, *parts)
        else:
            raise self.fault(node, f"{shown(self.written(node))} goes too deep: write record.name or record.name[row]")
        if index is None and len(parts) == 1 and parts[0] in self.language.functions:
            raise self.fault(node, f"`{parts[0]}` is a function: write its arguments in parentheses")
        return Name(parts, index, offset=start, end=end)

    def index(self, node: ast.expr) -> tuple[str, ...]:
        items = node.elts if isinstance(node, ast.Tuple) else [node]
        for item in items:
            if not isinstance(item, ast.Name):
                raise self.fault(item, "an index is a plain name: write accelerator.peak_flops[dtype]")
        return tuple(item.id for item in items if isinstance(item, ast.Name))

    def power(self, node: ast.BinOp, depth: int) -> Binary:
        base = self.value(node.left, depth + 1)
        raised, negative = node.right, False
        while isinstance(raised, ast.UnaryOp):
            negative ^= isinstance(raised.op, ast.USub)
            raised = raised.operand
        start, at, end = node.col_offset - 1, *self.span(node.right)
        if not isinstance(raised, ast.Constant):
            return Binary("**", base, self.value(node.right, depth + 1), offset=start, end=end)
        value = Fraction(self.written(raised))
        if value.denominator != 1 or value > MAX_EXPONENT:
            reason = f"an exponent is a whole number from -{MAX_EXPONENT} to {MAX_EXPONENT}"
            raise self.fault(node.right, reason)
        exponent = Number(-value if negative else value, offset=at, end=end)
        return Binary("**", base, exponent, offset=start, end=end)

    def call(self, node: ast.Call, depth: int) -> Call | Sum | Has | Rebound:
        start, end = self.span(node)
        func = node.func.id if isinstance(node.func, ast.Name) else ""
        if node.keywords and func not in self.language.functions:
            return self.rebound(node, depth)
        if func not in self.language.functions or node.keywords:
            raise self.fault(node, f"{shown(self.written(node.func))} is not a function: use min, max, ceil or floor")
        if func in LOOKUPS:
            return self.total(node, depth) if func == "sum" else self.has(node)
        args = tuple(self.value(arg, depth + 1) for arg in node.args)
        if func in ("ceil", "floor") and len(args) != 1:
            raise self.fault(node, f"{func} takes one argument, not {len(args)}")
        if func in ("min", "max") and len(args) < 2:
            raise self.fault(node, f"{func} takes two arguments or more, not {len(args)}")
        return Call(func, args, offset=start, end=end)

    def total(self, node: ast.Call, depth: int) -> Sum:
        start, end = self.span(node)
        if len(node.args) != 2 or not isinstance(node.args[0], ast.Attribute):
            raise self.fault(node, "sum takes what it runs over and an expression: write sum(model.mixers, layer_size)")
        over, term = self.name(node.args[0]), self.value(node.args[1], depth + 1)
        inner = next((part for part in walk(term) if isinstance(part, Sum)), None)
        if inner is not None:
            raise FormulaError("a sum stands in no other sum: add them side by side", inner.offset, inner.length)
        return Sum(over, term, offset=start, end=end)

    def has(self, node: ast.Call) -> Has:
        start, end = self.span(node)
        if len(node.args) != 1 or not isinstance(node.args[0], ast.Name):
            raise self.fault(node, "has takes one symbol: write has(r_q)")
        return Has(self.name(node.args[0]), offset=start, end=end)

    def rebound(self, node: ast.Call, depth: int) -> Rebound:
        start, end = self.span(node)
        if node.args or not isinstance(node.func, ast.Name | ast.Attribute):
            raise self.fault(node, "a formula takes inputs by name: write kv_cache.size(L=2*L)")
        return Rebound(self.name(node.func), tuple(self.inputs(node, depth)), offset=start, end=end)

    def inputs(self, node: ast.Call, depth: int) -> Iterator[tuple[str, Expr]]:
        seen: set[str] = set()
        for keyword in node.keywords:
            name = keyword.arg or ""
            if name in seen:
                raise self.fault(keyword.value, f"the input {name} is given twice: give it once")
            seen.add(name)
            yield name, self.value(keyword.value, depth + 1)


__all__ = [
    "FUNCTIONS", "MAX_DEPTH", "parse", "parse_case", "parse_condition", "parse_conditions", "parse_formula",
]  # fmt: skip
