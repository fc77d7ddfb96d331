"""What a compiled template can reach: the document API, bounded arithmetic, lists and texts, and nothing else.

With ``sandbox.py`` the only jinja2 import. Every value that a template handles passes through here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jinja2 import StrictUndefined, Undefined
from jinja2.runtime import LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment

from flopkb.base.faults import did_you_mean
from flopkb.publishing.render.template_text import (
    MARK,
    MOST_WRITTEN,
    STRAY,
    TEXT,
    Bad,
    TemplateFault,
    WrittenPiece,
    mark,
)

MOST_STEPS = 200_000
LONGEST_STRING = 20_000
LONGEST_LIST = 2_000
LARGEST_NUMBER = 10**30

FILTERS = (
    *("capitalize", "default", "first", "join", "last", "length", "list", "lower", "reverse", "sort", "title", "upper"),
)
TESTS = ("defined", "undefined", "none", "string", "number", "even", "odd")
_LOOP = ("index", "index0", "first", "last", "length")
_SCALARS = (str, int, float, bool, type(None))
_CROWDED = "the template does more than {} steps: shorten its loops"


class Limit(Exception):
    """A template asks for more than it may."""


class TemplateEnvironment(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, narrowed. ``pieces`` is the text written so far, by the number in its mark."""

    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "**", "%"])
    intercepted_unops = frozenset(["+", "-"])

    def __init__(self, api: Mapping[str, Callable[..., Any]], place_object: Callable[[Any, int], str | None]) -> None:
        super().__init__(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
        self.globals.clear()
        self.globals.update(api)
        self.globals["range"] = bounded_range
        self.api = api
        self.place_object = place_object
        self.filters = {name: self.filters[name] for name in FILTERS}
        self.filters |= {"join": bounded_join, "list": bounded_list, "sort": bounded_sort, "reverse": bounded_reverse}
        self.tests = {name: self.tests[name] for name in TESTS}
        self.pieces: list[WrittenPiece] = []
        self.steps = self.written = self.site = 0
        self.sites: tuple[int, ...] = ()

    # -- what compiled templates call ---------------------------------------------------------------------------------
    def tick(self, weight: int) -> str:
        """One turn of a loop or macro whose body has ``weight`` parts."""
        self.steps += weight
        if self.steps > MOST_STEPS:
            raise Limit(_CROWDED.format(f"{MOST_STEPS:,}"))
        return ""

    def show(self, value: Any, offset: int) -> str:
        """What ``{{ value }}`` writes."""
        if isinstance(value, Undefined):
            raise TemplateFault(self.unknown(value), offset)
        placed = self.place_object(value, offset)
        text = placed if placed is not None else value
        if not isinstance(text, str):
            what = "a number" if isinstance(text, (int, float)) else f"a {type(text).__name__}"
            reason = f"{what} is no text: print it through fig, fact, inp or lit, so that something stands behind it"
            raise TemplateFault(reason, offset, "bare-number" if isinstance(text, (int, float)) else "template")
        self.count(len(text))
        if STRAY.search(MARK.sub("", text)):
            raise TemplateFault("a piece of what was printed before is no text", offset)
        return "".join(part if MARK.fullmatch(part) else self.text(part, offset) for part in split_marks(text))

    def text(self, text: str, offset: int) -> str:
        """A stretch of text, noted; its mark."""
        self.pieces.append(WrittenPiece(text, offset))
        return mark(TEXT, len(self.pieces) - 1)

    def count(self, size: int) -> None:
        self.written += size
        if self.written > MOST_WRITTEN:
            raise Limit(f"the template writes more than {MOST_WRITTEN:,} characters")

    def joined(self, parts: tuple[Any, ...]) -> str:
        """``a ~ b``."""
        if not all(isinstance(part, str) for part in parts):
            raise Limit("~ joins texts only: print numbers through fig, fact, inp or lit")
        if sum(map(len, parts)) > LONGEST_STRING:
            raise Limit(f"a text of more than {LONGEST_STRING:,} characters")
        return "".join(parts)

    def compare(self, op: str, left: Any, right: Any) -> bool:
        """``left op right`` of plain values."""
        members = right if op in ("in", "notin") and isinstance(right, (list, tuple)) else (right,)
        if op in ("in", "notin") and isinstance(right, Mapping):
            members = tuple(right)
        if not all(isinstance(value, _SCALARS) for value in (left, *members)):
            raise Limit("only texts, numbers and ids can be compared")
        try:
            return bool(_COMPARE[op](left, right))
        except TypeError:
            raise Limit("a text and a number cannot be compared") from None

    def call_binop(self, context: Any, sign: str, left: Any, right: Any) -> Any:
        """Arithmetic on whole numbers and decimals, of bounded size."""
        if not all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in (left, right)):
            raise Limit(f"`{sign}` takes numbers; write two outputs side by side to join texts")
        if sign not in _ARITHMETIC:
            raise Limit(f"`{sign}` is not offered to templates")
        try:
            result = _ARITHMETIC[sign](left, right)
        except (ZeroDivisionError, OverflowError):
            raise Limit(f"`{sign}` has no result here") from None
        return self.bounded(result)

    def call_unop(self, context: Any, sign: str, arg: Any) -> Any:
        """A sign."""
        if not isinstance(arg, (int, float)):
            raise Limit("a sign belongs before a number")
        return -arg if sign == "-" else arg

    def bounded(self, value: Any) -> Any:
        if abs(value) > LARGEST_NUMBER:
            raise Limit("a number with more than thirty digits")
        return value

    # -- what may be reached ------------------------------------------------------------------------------------------
    def getattr(self, obj: Any, attribute: str) -> Any:
        """``obj.attribute``: of loops, of mappings, and what the document API exposes."""
        if isinstance(obj, Mapping):
            return self.member(obj, attribute)
        if isinstance(obj, LoopContext) and attribute in _LOOP:
            return getattr(obj, attribute)
        if attribute in getattr(type(obj), "EXPOSED", ()):
            return getattr(obj, attribute)
        if isinstance(obj, Undefined):
            raise Limit(self.unknown(obj))
        raise Limit(f"a template cannot reach `{attribute[:40]}` of {described(obj)}")

    def getitem(self, obj: Any, argument: Any) -> Any:
        """``obj[argument]``."""
        if isinstance(obj, Mapping):
            return self.member(obj, argument)
        whole = isinstance(argument, int) and not isinstance(argument, bool)
        if isinstance(obj, (list, tuple)) and whole and -len(obj) <= argument < len(obj):
            return obj[argument]
        if isinstance(obj, (list, tuple)) and whole:
            raise Limit(f"the list has {len(obj)} entries, no entry {argument}")
        raise Limit(f"a template cannot look into {described(obj)}")

    def member(self, obj: Mapping[Any, Any], key: Any) -> Any:
        if key == "items":
            return list(obj.items()).copy
        if isinstance(key, _SCALARS) and key in obj:
            return obj[key]
        raise Limit(f"there is no {str(key)[:40] if isinstance(key, _SCALARS) else 'such key'} here")

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """A call of the document API or of a macro."""
        self = __self
        sites = kwargs.pop("site_", None)
        for own in ("_loop_vars", "_block_vars"):  # what compiled code adds for functions that take the context
            kwargs.pop(own, None)
        if isinstance(__obj, Undefined):
            raise TemplateFault(self.unknown(__obj), sites[0] if sites else 0)
        if isinstance(__obj, Macro):
            return __context.call(__obj, *args, **kwargs)
        holder = getattr(__obj, "__self__", None)
        if __obj is bounded_range or __obj == self.tick or __obj == self.show or type(holder) is list:
            return __obj(*args, **kwargs)
        if not any(__obj is function or __obj == function for function in self.api.values()):
            raise TemplateFault(f"{described(__obj)} cannot be called", sites[0] if sites else 0)
        return self.api_call(__obj, args, kwargs, sites)

    def api_call(self, function: Callable[..., Any], args: Any, kwargs: Any, sites: tuple[int, ...] | None) -> Any:
        """A function of the document API, its faults placed at the argument that they are about."""
        self.sites = sites or (self.site,)
        self.site = self.sites[0]
        own = self.sites
        self.tick(5)
        try:
            return function(*args, **kwargs)
        except Bad as bad:
            at = own[0]
            if bad.argument is not None and bad.argument + 1 < len(own):
                at = own[bad.argument + 1] + 1 + bad.inside
            raise TemplateFault(bad.reason, at, bad.rule) from None
        except TypeError as error:
            raise TemplateFault(signature_fault(function, error), own[0]) from None

    def unknown(self, value: Undefined) -> str:
        """The sentence for a name that nothing stands behind."""
        name = str(value._undefined_name)[:60]
        return f"there is no {name} here{did_you_mean(name, list(self.api))}"


def split_marks(text: str) -> Iterator[str]:
    """The marks in a text and the stretches between them."""
    at = 0
    for found in MARK.finditer(text):
        if found.start() > at:
            yield text[at : found.start()]
        yield found[0]
        at = found.end()
    if at < len(text):
        yield text[at:]


def described(value: Any) -> str:
    """A value in a message, never itself."""
    names = {"str": "a text", "int": "a number", "float": "a number", "list": "a list", "tuple": "a list"}
    return names.get(type(value).__name__, f"a {type(value).__name__}" if callable(value) else "this")


def signature_fault(function: Callable[..., Any], error: TypeError) -> str:
    """A wrong call in one line."""
    name = getattr(function, "__name__", "function")
    text = str(error).rpartition(f"{name}() ")[2] or str(error)
    return f"{name}: {text}"[:200].replace("keyword argument", "argument")


def bounded_range(*bounds: int) -> list[int]:
    """``range``, of bounded length."""
    if not 1 <= len(bounds) <= 3 or not all(isinstance(b, int) and abs(b) < 10**12 for b in bounds) or 0 in bounds[2:]:
        raise Limit("range takes one to three whole numbers")
    if len(range(*bounds)) > LONGEST_LIST:
        raise Limit(f"a range of more than {LONGEST_LIST:,} numbers")
    return list(range(*bounds))


def bounded_list(value: Any) -> list[Any]:
    """``|list``, of a list or mapping."""
    if not isinstance(value, (list, tuple, Mapping)) or len(value) > LONGEST_LIST:
        raise Limit(f"{described(value)} is no list")
    return list(value)


def bounded_sort(value: Any) -> list[Any]:
    """``|sort``, of plain values of one type."""
    items = bounded_list(value)
    if len({type(item) for item in items}) > 1 or not all(isinstance(item, _SCALARS) for item in items):
        raise Limit("only texts, or only numbers, can be sorted")
    return sorted(items)


def bounded_reverse(value: Any) -> list[Any]:
    """``|reverse``."""
    return bounded_list(value)[::-1]


def bounded_join(value: Any, separator: str = "") -> str:
    """``|join``, of texts."""
    items = bounded_list(value)
    if not all(isinstance(item, str) for item in [*items, separator]):
        raise Limit("only texts can be joined")
    if sum(len(item) + len(separator) for item in items) > LONGEST_STRING:
        raise Limit(f"a text of more than {LONGEST_STRING:,} characters")
    return separator.join(items)


_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    **{"eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "lteq": operator.le, "gt": operator.gt},
    **{"gteq": operator.ge, "in": lambda a, b: a in b, "notin": lambda a, b: a not in b},
}
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    **{"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv},
}
