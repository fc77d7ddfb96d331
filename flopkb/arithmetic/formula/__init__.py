"""Formulas: text to tree, exact values, the rational normal form, derivatives and dimensions (a leaf)."""

from flopkb.arithmetic.formula.dimension import dimension
from flopkb.arithmetic.formula.errors import (
    DimensionError,
    FormulaError,
    NotDifferentiable,
    TieError,
    TooLargeError,
    ZeroDenominator,
)
from flopkb.arithmetic.formula.evaluation import Dual, compares, dual, evaluate, holds, normal_form
from flopkb.arithmetic.formula.parser import parse, parse_condition, parse_conditions
from flopkb.arithmetic.formula.polynomial import Atom, Monomial, Polynomial
from flopkb.arithmetic.formula.rational import Opaque, Rational, apply, cancelled
from flopkb.arithmetic.formula.scan import FUNCTIONS
from flopkb.arithmetic.formula.tree import (
    Binary,
    Call,
    Compare,
    Expr,
    Name,
    Number,
    Unary,
    children,
    denominators,
    exponent,
    names,
    number_text,
    to_text,
    walk,
)

__all__ = [
    "FUNCTIONS",
    "Atom",
    "Binary",
    "Call",
    "Compare",
    "DimensionError",
    "Dual",
    "Expr",
    "FormulaError",
    "Monomial",
    "Name",
    "NotDifferentiable",
    "Number",
    "Opaque",
    "Polynomial",
    "Rational",
    "TieError",
    "TooLargeError",
    "Unary",
    "ZeroDenominator",
    "apply",
    "cancelled",
    "children",
    "compares",
    "denominators",
    "dimension",
    "dual",
    "evaluate",
    "exponent",
    "holds",
    "names",
    "normal_form",
    "number_text",
    "parse",
    "parse_condition",
    "parse_conditions",
    "to_text",
    "walk",
]
