"""flopkb: a knowledge base of what LLM inference costs, and the tool that keeps every number in it true.

    import flopkb

    base = flopkb.load("records")
    base.figure("decode_attention.gap_mha").value

The names here are the public API; they are imported when first used, so that the command line starts fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flopkb.checking.api import Base, BaseNotFound, FigureValue, FlopkbError, load

__version__ = "0.1.0"
__all__ = ["Base", "BaseNotFound", "FigureValue", "FlopkbError", "__version__", "load"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from flopkb.checking import api

        return getattr(api, name)
    raise AttributeError(f"module 'flopkb' has no attribute {name!r}")
