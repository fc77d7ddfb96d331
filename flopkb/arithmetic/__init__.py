"""Arithmetic that knows no records: units, numbers as written, formulas, proofs, and arithmetic in running text.

In come texts and exact rationals; out go readings, values, verdicts and the positions of what is wrong. Nothing here
knows a record, a base or a command: the room can be used alone, and ``flopkb scan`` is little more than it.
"""
