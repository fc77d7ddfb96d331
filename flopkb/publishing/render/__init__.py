"""Documents with the base at hand: a template in Markdown becomes HTML, Markdown or LaTeX."""

from __future__ import annotations

from flopkb.publishing.render.rendering import FORMATS, Rendered, render

__all__ = ["FORMATS", "Rendered", "render"]
