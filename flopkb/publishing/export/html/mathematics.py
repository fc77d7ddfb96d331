"""Formulas and mathematics in prose as MathML, with the code as what is shown where that cannot be made."""

from __future__ import annotations

from functools import lru_cache
from xml.etree import ElementTree

from flopkb.base.link import FormulaRef
from flopkb.publishing.export.resolved import ResolvedBase
from flopkb.publishing.pages.elements import Html, el
from flopkb.publishing.render.mathematics import Notation, tex
from flopkb.publishing.render.mathml import mathml

LONGEST = 4000
_TAGS = (
    "math mrow mi mo mn mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd mpadded"
)
_NAMES = (
    "display alttext mathvariant stretchy fence form separator largeop movablelimits accent width height depth lspace "
    "rspace linethickness columnalign minsize maxsize symmetric"
)
_ELEMENTS, _ATTRIBUTES = frozenset(_TAGS.split()), frozenset(_NAMES.split())


@lru_cache(maxsize=4096)
def math(source: str, *, display: bool = False) -> Html | None:
    """TeX as MathML; None where it cannot be read, or would hold anything but mathematics."""
    if len(source) > LONGEST:
        return None
    try:
        root = ElementTree.fromstring(mathml(source, display=display))
    except ModuleNotFoundError:
        raise  # the extra that brings latex2mathml is not installed: a command says so, a site without formulas would not
    except Exception:  # latex2mathml raises errors of many kinds, and lets tags in texts through
        return None
    for node in root.iter():
        if node.tag not in _ELEMENTS or not _ATTRIBUTES.issuperset(node.attrib):
            return None
    return Html(ElementTree.tostring(root, encoding="unicode"))


def formula_math(base: ResolvedBase, ref: str, *, display: bool = False) -> Html:
    """``name = expression``."""
    record, _, name = ref.rpartition(".")
    kb, key = base.base.evaluation.kb, FormulaRef(record, name)
    linked = kb.formulas.get(key)
    if linked is None:
        return el("code", ref)
    body, code = linked.body, el("code", f"{name} = {linked.formula.expr.text}")
    if body is None:
        return code
    notation = Notation(kb, {})
    right = tex(body.expr, lambda n: notation.name(n, body.targets.get(n)), inline=not display)
    return math(f"{notation.formula(key)} = {right}", display=display) or code


def symbol_math(base: ResolvedBase, record: str, name: str) -> Html:
    """A symbol."""
    return math(Notation(base.base.evaluation.kb, {}).of(record, name)) or el("code", name)
