"""Text for LaTeX and BibTeX: every special character as what prints it, accents as commands (a leaf)."""

from __future__ import annotations

import unicodedata

SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", '"': r"\symbol{34}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
}  # fmt: skip
"""Characters of ASCII that mean something to TeX.

Braces are named, since BibTeX counts even escaped ones; a straight quote is named by its number, since OT1 lacks its name.
"""
SIGNS = {
    "–": "--", "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''", "\u00a0": "~", "\u2009": r"\,", "\u202f": r"\,",
    "×": r"\ensuremath{\times}", "−": r"\ensuremath{-}", "·": r"\ensuremath{\cdot}", "µ": r"\textmu{}",
    "≈": r"\ensuremath{\approx}", "°": r"\textdegree{}", "§": r"\S{}", "€": r"\texteuro{}", "£": r"\pounds{}",
}  # fmt: skip
"""Signs that documents and bibliographies write alike."""
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d", "\u0327": "c", "\u0328": "k",
    "\u0331": "b",
}  # fmt: skip
_LETTERS = {
    "ß": r"\ss", "ø": r"\o", "Ø": r"\O", "ł": r"\l", "Ł": r"\L", "æ": r"\ae", "Æ": r"\AE", "œ": r"\oe", "Œ": r"\OE",
    "ı": r"\i", "ȷ": r"\j", "đ": r"\dj", "Đ": r"\DJ", "ð": r"\dh", "Ð": r"\DH", "þ": r"\th", "Þ": r"\TH",
}  # fmt: skip
_SIGNS = {
    **SIGNS, "…": r"\ldots{}", "μ": r"\ensuremath{\mu}", "≤": r"\ensuremath{\leq}", "≥": r"\ensuremath{\geq}",
    "©": r"\textcopyright{}", "®": r"\textregistered{}", "™": r"\texttrademark{}", "→": r"\ensuremath{\rightarrow}",
    "²": r"\ensuremath{^{2}}", "³": r"\ensuremath{^{3}}", "½": r"\ensuremath{\tfrac12}",
}  # fmt: skip


def escaped(text: str) -> str:
    """The text as LaTeX prints it, on one line; characters that no encoding of LaTeX has stay as they are (UTF-8)."""
    return "".join(_character(character) for character in " ".join(visible(text).split()))


def visible(text: str) -> str:
    """The text without characters that no file of text may hold: they become the replacement character."""
    return "".join("\ufffd" if unprintable(character) else character for character in text)


def unprintable(character: str) -> bool:
    """Whether it is a control character (not white space)."""
    return unicodedata.category(character) == "Cc" and character not in "\t\n\r"


def _character(character: str) -> str:
    if character in SPECIAL:
        return SPECIAL[character]
    if ord(character) < 128:
        return character
    if character in _LETTERS:
        return f"{{{_LETTERS[character]}}}"
    sign = _SIGNS.get(character)
    if sign is None:
        return _accented(character)
    # Within braces, so that no style of BibTeX lowers the letters of a command.
    return f"{{{sign.removesuffix('{}')}}}" if sign.startswith("\\") and sign != r"\," else sign


def _accented(character: str) -> str:
    """``é`` as ``{\\'e}``, where LaTeX has the accent."""
    base, *marks = list(unicodedata.normalize("NFD", character))
    if len(marks) != 1 or marks[0] not in _ACCENTS or not base.isascii():
        return character
    command = _ACCENTS[marks[0]]
    letter = {"i": r"\i", "j": r"\j"}.get(base, base) if command not in "cdkb" else base
    return f"{{\\{command}{{{letter}}}}}"
