"""Formulas: text to tree, exact values, the rational normal form, derivatives and dimensions (a leaf)."""

from flopkb.formula.dimension import dimension
from flopkb.formula.errors import (
    DimensionError,
    FormulaError,
    NotDifferentiable,
    TieError,
    TooLargeError,
    ZeroDenominator,
)
from flopkb.formula.evaluation import Dual, compares, dual, evaluate, holds, normal_form
from flopkb.formula.parser import parse, parse_condition, parse_conditions
from flopkb.formula.polynomial import Atom, Monomial, Polynomial
from flopkb.formula.rational import Opaque, Rational, apply, cancelled
from flopkb.formula.scan import FUNCTIONS
from flopkb.formula.tree import (
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
