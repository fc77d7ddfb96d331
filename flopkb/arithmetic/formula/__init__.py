"""Formulas: text to tree, exact values, the rational normal form, derivatives and dimensions (a leaf)."""

from flopkb.arithmetic.formula.errors import (
    BadExponent,
    DimensionError,
    FormulaError,
    NotDifferentiable,
    TieError,
    TooLargeError,
    ZeroDenominator,
)
from flopkb.arithmetic.formula.evaluation import Dual, compares, dimension, dual, evaluate, holds, normal_form
from flopkb.arithmetic.formula.parser import (
    parse,
    parse_case,
    parse_condition,
    parse_conditions,
    parse_deep,
    parse_formula,
)
from flopkb.arithmetic.formula.polynomial import Atom, Monomial, Polynomial
from flopkb.arithmetic.formula.rational import Opaque, Rational, apply, cancelled
from flopkb.arithmetic.formula.scanner import FUNCTIONS, LOOKUPS
from flopkb.arithmetic.formula.tree import (
    Among,
    Binary,
    Call,
    Compare,
    Condition,
    Expr,
    Flag,
    Has,
    Inner,
    Joined,
    Name,
    Number,
    Opposite,
    Rebound,
    Sum,
    Test,
    Unary,
    children,
    denominators,
    exponent,
    fold,
    holding,
    names,
    number_text,
    to_text,
    walk,
)

__all__ = [
    "FUNCTIONS", "LOOKUPS", "Among", "Atom", "BadExponent", "Binary", "Call", "Compare", "Condition", "DimensionError",
    "Dual", "Expr", "Flag", "FormulaError", "Has", "Inner", "Joined", "Monomial", "Name", "NotDifferentiable", "Number", "Opaque",
    "Opposite", "Polynomial", "Rational", "Rebound", "Sum", "Test", "TieError", "TooLargeError", "Unary",
    "ZeroDenominator", "apply", "cancelled", "children", "compares", "denominators", "dimension", "dual", "evaluate",
    "exponent", "fold", "holding", "holds", "names", "normal_form", "number_text", "parse", "parse_case",
    "parse_condition", "parse_conditions", "parse_deep", "parse_formula", "to_text", "walk",
]  # fmt: skip
