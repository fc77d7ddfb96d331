"""When a wrong result may be called wrong: only where nothing suggests that it was misread."""

from __future__ import annotations

from flopkb.arithmetic.text.clause import Side
from flopkb.arithmetic.text.measures import NONE, Setting
from flopkb.arithmetic.text.outcome import NOWHERE, Outcome, Relation
from flopkb.arithmetic.text.quotes import Quote
from flopkb.arithmetic.text.readings import AS_WRITTEN
from flopkb.arithmetic.text.tree import Binary, Node, Number, Unreadable, calls, evaluate, numbers, operators

_FAR = 2000
"""A result this many times off is more likely misread than wrong (a slip of one prefix is a thousand)."""
_FAR_WITHOUT_UNITS = 32
_LARGE = 10**6
_FAR_IN_EXPONENTS = 10**6
"""An exponent is mistyped as easily as a digit."""
_FULL = 10**8
"""Who writes numbers this large writes them in base units."""


def sure(computed: Side, quoted: Side, quote: Quote, best: Outcome, relation: Relation) -> bool:
    """Whether an expression that does not give the quoted number is wrong beyond doubt."""
    if computed.doubt or quoted.doubt or quoted.high is not None or quoted.bound not in ("", "…"):
        return False
    parts = list(numbers(computed.node))
    if quote.unit is None and quote.number.noun and _has_dimension(computed.node):
        return False  # the noun may be a unit that is not known here
    if not _arithmetic(computed.node, parts) or _something_else(computed.node, parts, quote):
        return False
    if best.level and any(part.noun for part in parts):
        return False
    if quoted.first < computed.first and (_numbered(quoted) or not _result_first(computed.node, parts, quote, best)):
        return False
    return _within_reach(parts, quote, best, relation)


def sure_of_two(left: Side, right: Side, best: Outcome, relation: Relation) -> bool:
    """Whether two expressions that differ are wrong beyond doubt."""
    if (
        left.doubt
        or right.doubt
        or left.secondary
        or right.secondary
        or relation.sign != "="
        or best.reading != AS_WRITTEN
    ):
        return False
    for side in (left, right):
        if _pressed(side.node, "-/") or any(part.noun or part.unit is not None for part in numbers(side.node)):
            return False
    return best.distance <= _FAR_WITHOUT_UNITS


def _has_dimension(node: Node) -> bool:
    """Whether physical units are left over in it."""
    try:
        return evaluate(node, Setting()).dims != NONE
    except Unreadable:
        return True


def _arithmetic(node: Node, parts: list[Number]) -> bool:
    """Whether something is computed at all; ``2x + 3`` may hold an unknown."""
    unknown = any(part.unit is not None and part.unit.text in ("x", "X") for part in parts)
    return operators(node) > 0 and (len(parts) > 1 or calls(node)) and not unknown


def _numbered(quoted: Side) -> bool:
    """``0=720x480/576, 1=704x480/576``: a small number pressed against the sign is the code of what follows."""
    pressed = (
        quoted.clause is not None and not quoted.clause.gap(quoted.last) and not quoted.clause.gap(quoted.last + 1)
    )
    return pressed and isinstance(quoted.node, Number) and quoted.node.value < 32


def _result_first(node: Node, parts: list[Number], quote: Quote, best: Outcome) -> bool:
    """Whether a number before the relation is the result of what stands behind it, not a label of it."""
    if quote.number.noun or best.reading != AS_WRITTEN:
        return False
    return not _pressed(node, "/") and not any(part.noun for part in parts)


def _pressed(node: Node, signs: str) -> bool:
    """A single sign without white space, as in ``7/8`` or ``12-14``."""
    return isinstance(node, Binary) and operators(node) == 1 and node.sign in signs and not node.spaced


def _something_else(node: Node, parts: list[Number], quote: Quote) -> bool:
    """Ranges, labels, exclusive ors and binary digits, written with the signs of arithmetic."""
    if _pressed(node, "-") or _is_range(node, quote) or _adds_percent(node) or _adds_kinds(node, quote):
        return True
    if isinstance(node, Binary) and operators(node) == 1:
        if any(part.value == quote.number.value and part.unit is None and not part.suffix for part in parts):
            return True
        if node.sign == "^" and all(part.value.denominator == 1 for part in parts):
            left, right = (int(part.value) for part in parts)
            if left ^ right == quote.number.value:
                return True
    digits = {*(str(part.value) for part in parts), str(quote.number.value)}
    return all(set(text) <= {"0", "1"} for text in digits) and any(len(text) > 1 for text in digits)


def _is_range(node: Node, quote: Quote) -> bool:
    """``4 - 6 = 2 stars``: what rises and is said to give a positive number is no difference."""
    if not isinstance(node, Binary) or node.sign != "-" or quote.negative:
        return False
    low, high = node.left, node.right
    if not isinstance(low, Number) or not isinstance(high, Number) or low.unit != high.unit:
        return False
    return low.value < high.value and high.value - low.value != quote.number.value  # 5 - 8 = 3 has lost its sign


def _adds_kinds(node: Node, quote: Quote) -> bool:
    """``3 floats + 1 DWORD = 16 bytes``: things are counted, and their size is told."""
    if not isinstance(node, Binary) or node.sign not in "+-" or quote.unit is None or not quote.unit.physical:
        return False
    return all(part.noun and part.unit is None for part in numbers(node))


def _adds_percent(node: Node) -> bool:
    """``$100 - 15%``: on a pocket calculator that is a part of what stands before it."""
    if not isinstance(node, Binary):
        return False
    left, right = (
        [part.unit is not None and part.unit.text == "%" for part in numbers(n)] for n in (node.left, node.right)
    )
    mixed = node.sign in "+-" and isinstance(node.right, Number) and all(right) and not any(left)
    return mixed or _adds_percent(node.left) or _adds_percent(node.right)


def _within_reach(parts: list[Number], quote: Quote, best: Outcome, relation: Relation) -> bool:
    """Whether the numbers are near enough that the text was hardly misread."""
    if best.distance == NOWHERE:
        return best.reading == AS_WRITTEN and quote.unit is None
    if relation.sign == "~":
        return best.distance <= 2
    if best.reading == AS_WRITTEN and quote.number.place >= _LARGE:
        return best.distance <= _FAR_IN_EXPONENTS
    full = best.reading == AS_WRITTEN or any(part.value >= _FULL for part in parts)
    return best.distance <= (_FAR if full else _FAR_WITHOUT_UNITS)
