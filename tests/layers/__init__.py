"""Formulas over the layers of models, from small bases whose totals are worked out by hand."""
