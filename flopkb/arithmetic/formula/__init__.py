"""Formulas: text to tree, exact values, the rational normal form, derivatives and dimensions (a leaf)."""

from flopkb.arithmetic.formula.evaluation import Dual, compares, dimension, dual, evaluate, holds, normal_form
from flopkb.arithmetic.formula.parser import FUNCTIONS, parse, parse_condition, parse_conditions
from flopkb.arithmetic.formula.polynomial import Atom, Monomial, Polynomial
from flopkb.arithmetic.formula.rational import Opaque, Rational, apply, cancelled
from flopkb.arithmetic.formula.tree import (
    Binary,
    Call,
    Compare,
    DimensionError,
    Expr,
    FormulaError,
    Name,
    NotDifferentiable,
    Number,
    TieError,
    TooLargeError,
    Unary,
    ZeroDenominator,
    children,
    denominators,
    exponent,
    fold,
    names,
    number_text,
    to_text,
    walk,
)

__all__ = [
    "FUNCTIONS", "Atom", "Binary", "Call", "Compare", "DimensionError", "Dual", "Expr", "FormulaError", "Monomial",
    "Name", "NotDifferentiable", "Number", "Opaque", "Polynomial", "Rational", "TieError", "TooLargeError", "Unary",
    "ZeroDenominator", "apply", "cancelled", "children", "compares", "denominators", "dimension", "dual",
    "evaluate", "exponent", "fold", "holds", "names", "normal_form", "number_text", "parse", "parse_condition",
    "parse_conditions", "to_text", "walk",
]  # fmt: skip
