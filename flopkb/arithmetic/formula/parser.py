"""A formula's text to its tree, by way of Python's parser and a whitelist of its nodes. Nothing is ever run."""

from __future__ import annotations

import ast
from fractions import Fraction

from flopkb.arithmetic.formula.scan import FUNCTIONS, scan
from flopkb.arithmetic.formula.tree import Binary, Call, Compare, Expr, FormulaError, Name, Number, Unary, shown

MAX_DEPTH = 64
MAX_EXPONENT = 16
MAX_NUMBER_EXPONENT = 64
_BINARY: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_BLANKS = str.maketrans("\t\r\n", "   ")
_EXAMPLE = "write one such as n_q <= 64*n_kv"


def parse(text: str) -> Expr:
    """The tree of a value such as ``flops / bytes``; raises :class:`FormulaError` with the place of the fault."""
    return _FormulaReader(text, condition=False).expr()


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
    return _FormulaReader(text, condition=True).conditions()


class _FormulaReader:
    """Turns the nodes of one text into ours; places are those of the text as it was given."""

    def __init__(self, text: str, *, condition: bool) -> None:
        scan(text, condition=condition)
        self.text = text
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

    def span(self, node: ast.expr) -> tuple[int, int]:
        return node.col_offset - 1, (node.end_col_offset or node.col_offset) - 1

    def fault(self, node: ast.expr, reason: str) -> FormulaError:
        start, end = self.span(node)
        return FormulaError(reason, start, end - start)

    def written(self, node: ast.expr) -> str:
        return self.source[node.col_offset : node.end_col_offset]

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
        if isinstance(inner, ast.Name):
            parts: tuple[str, ...] = (inner.id,)
        elif isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name):
            parts = (inner.value.id, inner.attr)
        else:
            raise self.fault(node, f"{shown(self.written(node))} goes too deep: write record.name or record.name[row]")
        if index is None and len(parts) == 1 and parts[0] in FUNCTIONS:
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
        most = MAX_NUMBER_EXPONENT if isinstance(base, Number) else MAX_EXPONENT
        raised, negative = node.right, False
        while isinstance(raised, ast.UnaryOp):
            negative ^= isinstance(raised.op, ast.USub)
            raised = raised.operand
        value = Fraction(self.written(raised)) if isinstance(raised, ast.Constant) else None
        if value is None or value.denominator != 1 or value > most:
            reason = f"an exponent is a whole number from -{most} to {most}, written out"
            raise self.fault(node.right, reason)
        start, at, end = node.col_offset - 1, *self.span(node.right)
        exponent = Number(-value if negative else value, offset=at, end=end)
        return Binary("**", base, exponent, offset=start, end=end)

    def call(self, node: ast.Call, depth: int) -> Call:
        start, end = self.span(node)
        func = node.func.id if isinstance(node.func, ast.Name) else ""
        if func not in FUNCTIONS:
            raise self.fault(node, f"{shown(self.written(node.func))} is not a function: use min, max, ceil or floor")
        args = tuple(self.value(arg, depth + 1) for arg in node.args)
        if func in ("ceil", "floor") and len(args) != 1:
            raise self.fault(node, f"{func} takes one argument, not {len(args)}")
        if func in ("min", "max") and len(args) < 2:
            raise self.fault(node, f"{func} takes two arguments or more, not {len(args)}")
        return Call(func, args, offset=start, end=end)
