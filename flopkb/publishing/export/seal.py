"""The hash of an exported file within it: by that a later export knows whether anybody has changed it since."""

from __future__ import annotations

import hashlib
import re

UNSEALED = "sha256:" + "0" * 64
"""What a format writes where its seal will stand."""

_SEAL = re.compile(rb"sha256:[0-9a-f]{64}")
_MOST = 50
"""So many texts that look like the seal are tried: a record may quote a hash too."""


def sealed(data: bytes) -> bytes:
    """A file with its seal in the one place that is left for it; as it is where there are several or none."""
    blank = UNSEALED.encode()
    if data.count(blank) != 1:
        return data
    before, _, behind = data.partition(blank)
    return before + _hash(before, behind) + behind


def is_sealed(data: bytes) -> bool:
    """Whether a file stands as it was sealed; the ends of its lines may have become those of Windows."""
    for _, found in zip(range(_MOST), _SEAL.finditer(data), strict=False):
        if _hash(data[: found.start()], data[found.end() :]) == found[0]:
            return True
    return False


def _hash(before: bytes, behind: bytes) -> bytes:
    whole = (before + behind).replace(b"\r\n", b"\n")
    return b"sha256:" + hashlib.sha256(whole).hexdigest().encode()
