"""Changes to records, byte by byte: ``fix``, ``link``, ``fmt`` and ``new``.

In come files and what was found in them; out go texts in which only the bytes at fault differ. Nothing here decides what
is right: the rules and the evaluation do.
"""
