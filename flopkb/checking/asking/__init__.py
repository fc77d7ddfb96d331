"""What a person asks of a base: arguments as they are typed in, a row for each value or the reason for none out.

``question.py`` reads the arguments (names, several values, a k of tokens), ``sweeps.py`` writes out ``1,2,4..512``,
``answers.py`` has each row computed, ``conditions.py`` filters and sorts rows and records by value.
"""
