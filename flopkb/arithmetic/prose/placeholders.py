"""Texts that were meant to be replaced before anybody reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PLACEHOLDER = re.compile(
    r"(?<![\w-])(?:TODO|FIXME|XXX|TBD)(?![\w-])"
    r"|(?<!\w)(?:todo|Todo|fixme|tbd)(?=[:(])"
    r"|(?<![\w%)])%(?:\(\w{1,40}\))?[-+#0]?[0-9]{0,3}(?:\.[0-9]{1,2})?[sdifgr](?!\w)"
    r"|\{\{(?:[^{}\n]{0,80}\}\})?|\{%[^{}\n]{0,80}%\}|\{[0-9]{0,2}\}|\$\{\w{1,40}\}"
    r"|(?i:lorem ipsum)"
    r"|<[A-Z]+(?:_[A-Z]+)+>"
)
_TAG = re.compile(
    r"</?(?:placeholder|insert|your|todo|tbd|fixme|fill|xxx|value|number|n|name|here|enter|replace)\b[^<>]*>",
    re.IGNORECASE,
)


def placeholders(plain: str) -> Iterator[tuple[int, int]]:
    """The placeholders in plain prose."""
    return (match.span() for match in _PLACEHOLDER.finditer(plain))


def is_placeholder_tag(tag: str) -> bool:
    """Whether what Markdown takes for an HTML tag is a placeholder: ``<your number here>``."""
    return _TAG.fullmatch(tag) is not None
