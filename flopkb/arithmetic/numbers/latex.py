"""A lone number of LaTeX as a person would type it: ``8\\times10^{10}\\,\\mathrm{B}`` is 8×10^10 B."""

from __future__ import annotations

import re

_WORDS = (
    r"\\(?:text|mathrm|mathit|mathsf|mathbf|mathbin|textrm|operatorname\*?|mbox|unit)\s?\{((?:[^{}\\]|\\[%$ ,])*)\}"
)
_STEPS = (
    (re.compile(r"\{([,.])\}"), r"\1"),
    (re.compile(r"(?<=[0-9])(?:\\[,;: ]|~|\{ \})(?=[0-9]{3}(?![0-9]))"), "\u2009"),
    (re.compile(r"\\[dt]?frac\s?\{\s?([0-9]+)\s?\}\s?\{\s?([0-9]+)\s?\}"), r"\1/\2"),
    (re.compile(r"\s?(?:\\times|\\cdot)(?![A-Za-z])\s?(?=10\s?\^)"), "×"),
    (re.compile(r"10\s?\^\s?\{\s?([-−+]?[0-9]+)\s?\}"), r"10^\1"),
    (re.compile(_WORDS), r"\1"),
    (re.compile(r"\\(?:quad|qquad|[,;:! ])|~"), " "),
    (re.compile(r"\\([%$])"), r"\1"),
)


def plain_number(text: str) -> str:
    """The text without the marks of LaTeX that numbers and units are written with; everything else stays."""
    if "\\" not in text and "{" not in text and "~" not in text:
        return text
    for pattern, plain in _STEPS:
        text = pattern.sub(plain, text)
    return re.sub(" +", " ", text).strip()
