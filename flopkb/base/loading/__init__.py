"""Files to documents with a position for every node: the first stage. It judges YAML, not records."""

from __future__ import annotations

from flopkb.base.loading.files import (
    LoadedBase,
    load_base,
    load_bytes,
    load_file,
    load_text,
    parse_fragment,
    shown_path,
)

__all__ = ["LoadedBase", "load_base", "load_bytes", "load_file", "load_text", "parse_fragment", "shown_path"]
