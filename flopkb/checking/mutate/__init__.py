"""How much the checks would catch: slips of the pen made one at a time, and which rule finds each.

Quotes: each digit of each quoted number, printed form and recorded value. Formulas: operators, constants, exponents and
symbols. Layers: the conditions of cases, requirements and assumptions; types and counts of a model. Claims: direction,
bounds, symbols and domains. Sentences: sign, unit and qualifier around a link, relations, a link dropped. Suppressions:
another rule, or one that nothing needs. A mutant is *caught* where a rule finds something that it does not find in the
base as it is; it is *apart*, and not counted, where it says the same (a digit that still satisfies the rounding rule, a
formula with the same normal form); else it *survives*.
"""
