"""Inputs that once crashed or hung, made small; each is tried by the tests."""

FOUND: list[tuple[str, bytes]] = [
    ("prose", b"> " * 90 + b"[7](fig:six)"),
]
