"""A base: from files to values with diagnostics.

In comes a folder of records (or a revision of one in git); out goes an ``Evaluation``: every record modelled, every
link followed, every figure computed, every claim decided, with the faults met on the way as values. It judges nothing
and prints nothing: it does not know the rules, the reports or the commands.
"""
