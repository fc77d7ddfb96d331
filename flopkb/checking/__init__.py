"""What is wrong with a base: the rules, ``check``, ``mutate``, and the formats of reports.

In comes an ``Evaluation``; out go diagnostics, each with its place, rule and sentence, and the text of a report. It
changes no file and does not know how findings are mended or published.
"""
