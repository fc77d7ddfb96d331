"""TeX to MathML (the only latex2mathml import)."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape

_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")


@lru_cache(maxsize=4096)
def mathml(tex: str, *, display: bool) -> str:
    """The MathML of a piece of TeX, which its ``alttext`` repeats."""
    from latex2mathml.converter import convert

    made: str = convert(tex, display="block" if display else "inline")
    plain = made.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
    return plain.replace("<math ", f'<math alttext="{escape(tex)}" ', 1)


def unreadable(tex: str) -> str:
    """Why a piece of TeX cannot be read; empty where it can."""
    if tex.count("{") + tex.count(r"\left") > 120:
        return "too many groups"
    try:
        mathml(tex, display=True)
    except RecursionError:
        return "nested too deeply"
    except Exception as error:  # the converter has an exception of its own for each fault, and raises others besides
        name = type(error).__name__.removesuffix("Error")
        return _WORDS.sub(" ", name).lower() or "unknown fault"
    return ""
