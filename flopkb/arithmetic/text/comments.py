"""The comments and docstrings of programs, each character in its place; everything else is blanked out."""

from __future__ import annotations

import re

_COMMENT = re.compile(
    r"""
 (?P<doc>(?<![^\s(=,])[rRuU]?(?:\"\"\"(?:(?!\"\"\").)*\"\"\"|'''(?:(?!''').)*'''))
|(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.){0,2000}`)
|(?P<block>/\*(?:(?!\*/).)*\*/)
|(?P<line>(?<![:\w$])//[^\n]*|(?<![\w$&'"{])\#(?!include|define|if|ifdef|ifndef|endif|else|pragma|undef|!)[^\n]*)
""",
    re.VERBOSE | re.DOTALL,
)


def comments(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The program with everything blanked out but its comments and docstrings, and where those stand.

    One reader for all languages: ``#``, ``//``, ``/* */`` and triple quotes outside of strings.
    """
    out: list[str] = []
    parts: list[tuple[int, int]] = []
    at = 0
    for match in _COMMENT.finditer(text):
        if match.lastgroup == "string":
            continue
        out += (_blank(text[at : match.start()]), match[0])
        parts.append(match.span())
        at = match.end()
    return "".join(out) + _blank(text[at:]), parts


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
