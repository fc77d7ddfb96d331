"""Templates, compiled and run so that they can reach nothing but the document API (the only jinja2 import).

A template is hostile input. Its syntax tree is checked against a short list of what may stand in one, every loop and
macro counts its turns, values are only what the document API hands out, and what a template writes is counted. So time
and memory are bounded by the limits below. The lexer's line numbers are replaced by offsets, which survive into the
compiled template: each fault is placed to the character.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateSyntaxError, Undefined, UndefinedError, nodes
from jinja2.compiler import CodeGenerator, Frame, generate
from jinja2.lexer import TokenStream
from jinja2.runtime import LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment

from flopkb.faults import did_you_mean
from flopkb.render.faults import Bad, TemplateFault
from flopkb.render.marks import MARK, TEXT, mark

LARGEST_TEMPLATE = 1 << 20
MOST_NODES = 100_000
MOST_TOKENS = 300_000
MOST_DEPTH = 60
MOST_STEPS = 200_000
MOST_WRITTEN = 500_000
LONGEST_STRING = 20_000
LONGEST_LIST = 2_000
LARGEST_NUMBER = 10**30

_ALLOWED: tuple[type[nodes.Node], ...] = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.For, nodes.If, nodes.Macro, nodes.CallBlock, nodes.Assign,
    nodes.AssignBlock, nodes.Name, nodes.Const, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair, nodes.Keyword,
    nodes.Call, nodes.Getattr, nodes.Getitem, nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not,
    nodes.CondExpr, nodes.Neg, nodes.Pos, nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Concat,
    nodes.Filter, nodes.Test, nodes.With,
)
_FILTERS = ("capitalize", "default", "first", "join", "last", "length", "list", "lower", "reverse", "sort", "title", "upper")
_TESTS = ("defined", "undefined", "none", "string", "number", "even", "odd")
_NAMES = {
    "Pow": "** (a power)", "Mod": "% (a remainder)", "Slice": "a slice", "NSRef": "a namespace", "FilterBlock": "a filter block",
    "ScopedEvalContextModifier": "autoescape", "EvalContextModifier": "autoescape",
}  # fmt: skip
_FILES = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends, nodes.Block)
_LOOP = ("index", "index0", "first", "last", "length")
_SCALARS = (str, int, float, bool, type(None))
_CROWDED = "the template does more than {} steps: shorten its loops"


class Limit(Exception):
    """A template asks for more than it may."""


@dataclass(slots=True)
class Piece:
    """A stretch of the text that the template gives: where it stands in the template, and the text."""

    text: str
    offset: int


class Environment(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, narrowed. ``pieces`` is the text written so far, by the number in its mark."""

    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "**", "%"])
    intercepted_unops = frozenset(["+", "-"])
    code_generator_class: type[CodeGenerator]

    def __init__(self, api: Mapping[str, Callable[..., Any]], place_object: Callable[[Any, int], str | None]) -> None:
        super().__init__(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
        self.globals.clear()
        self.globals.update(api)
        self.globals["range"] = bounded_range
        self.api = api
        self.place_object = place_object
        self.filters = {name: self.filters[name] for name in _FILTERS}
        self.filters |= {"join": bounded_join, "list": bounded_list, "sort": bounded_sort, "reverse": bounded_reverse}
        self.tests = {name: self.tests[name] for name in _TESTS}
        self.pieces: list[Piece] = []
        self.steps = self.written = self.site = 0
        self.sites: tuple[int, ...] = ()
        self.code_generator_class = _Generator

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
        return "".join(part if MARK.fullmatch(part) else self.text(part, offset) for part in split_marks(text))

    def text(self, text: str, offset: int) -> str:
        """A stretch of text, noted; its mark."""
        self.pieces.append(Piece(text, offset))
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

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Arithmetic on whole numbers and decimals, of bounded size."""
        if not all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in (left, right)):
            raise Limit(f"`{operator}` takes numbers; write two outputs side by side to join texts")
        if operator not in _ARITHMETIC:
            raise Limit(f"`{operator}` is not offered to templates")
        try:
            result = _ARITHMETIC[operator](left, right)
        except (ZeroDivisionError, OverflowError):
            raise Limit(f"`{operator}` has no result here") from None
        return self.bounded(result)

    def call_unop(self, context: Any, operator: str, arg: Any) -> Any:
        """A sign."""
        if not isinstance(arg, (int, float)):
            raise Limit("a sign belongs before a number")
        return -arg if operator == "-" else arg

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

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805  (Jinja's signature)
        """A call of the document API or of a macro."""
        self = __self
        sites = kwargs.pop("site_", None)
        for own in ("_loop_vars", "_block_vars"):  # what compiled code adds for functions that take the context
            kwargs.pop(own, None)
        if isinstance(__obj, Undefined):
            raise TemplateFault(self.unknown(__obj), sites[0] if sites else 0)
        if isinstance(__obj, Macro):
            return __context.call(__obj, *args, **kwargs)
        own = getattr(__obj, "__self__", None)
        if __obj is bounded_range or __obj == self.tick or __obj == self.show or type(own) is list:
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


class _Generator(CodeGenerator):
    """Python code in which comparisons and joins go through the environment."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        self.write("environment.joined((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")

    def visit_CallBlock(self, node: nodes.CallBlock, frame: Frame) -> None:
        call_frame, macro = self.macro_body(node, frame)
        self.writeline("caller = ")
        self.macro_def(macro, call_frame)
        self.start_write(frame, node)
        self.write("environment.show(")
        self.visit_Call(node.call, frame, forward_caller=True)
        self.write(f", {max(0, node.lineno - 1)})")
        self.end_write(frame)

    def visit_Compare(self, node: nodes.Compare, frame: Frame) -> None:
        self.write(f"environment.compare({node.ops[0].op!r}, ")
        self.visit(node.expr, frame)
        self.write(", ")
        self.visit(node.ops[0].expr, frame)
        self.write(")")


@dataclass(slots=True)
class Sandbox:
    """One template and what it may call. ``place_object`` gives the text of an object of the document API."""

    source: str
    body: int
    api: Mapping[str, Callable[..., Any]]
    place_object: Callable[[Any, int], str | None]
    environment: Environment = field(init=False)

    def __post_init__(self) -> None:
        self.environment = Environment(self.api, self.place_object)

    def run(self) -> str:
        """The text that the template gives, as marks; raises :class:`TemplateFault`."""
        return self.executed(self.compiled())

    def compiled(self) -> Template:
        """The template as code."""
        env = self.environment
        try:
            tree = self.parsed()
            self.checked(tree)
            code = generate(tree, env, "template", "template", optimized=True)
            assert code is not None
            return Template.from_code(env, compile(code, "template", "exec"), env.globals)
        except (RecursionError, MemoryError):
            raise TemplateFault("the template is nested too deeply", self.body) from None
        except SyntaxError:
            raise TemplateFault("the template cannot be compiled: give each argument once", self.body) from None

    def parsed(self) -> nodes.Template:
        """The syntax tree; the line numbers of its nodes are offsets (counted from 1)."""
        env, text = self.environment, self.source[self.body :]
        try:
            tokens = list(env.lexer.tokeniter(text, "template"))
        except TemplateSyntaxError as error:
            at = line_offset(text, error.lineno)
            opening = max(text.find("{{", at), text.find("{%", at), text.find("{#", at))
            at = opening if 0 <= opening < (text.find("\n", at) + 1 or len(text)) else at
            raise TemplateFault(syntax_reason(error), self.body + at, "template-syntax") from None
        try:
            stream = TokenStream(env.lexer.wrap(self.placed(tokens, text), "template"), "template", "template")
            from jinja2.parser import Parser

            parser = Parser(env, "")
            parser.stream = stream
            return parser.parse()
        except TemplateSyntaxError as error:
            raise TemplateFault(syntax_reason(error), max(0, error.lineno - 1), "template-syntax") from None

    def placed(self, tokens: Iterable[tuple[int, str, str]], text: str) -> Iterator[tuple[int, str, str]]:
        """The tokens with their offsets for line numbers (white space that the lexer strips is passed over)."""
        at = 0
        for number, (_, kind, value) in enumerate(tokens):
            if number > MOST_TOKENS:
                raise TemplateFault("the template has too many parts", self.body + at)
            found = text.find(value, at)
            at = found if found >= 0 and not text[at:found].strip() else at
            yield self.body + at + 1, kind, value
            at += len(value)

    def checked(self, tree: nodes.Template) -> None:
        """Refuse what has no place in a template; count turns; note where calls and outputs stand."""
        queue: list[tuple[nodes.Node, int]] = [(tree, 0)]
        count = 0
        while queue:
            node, depth = queue.pop()
            count += 1
            if count > MOST_NODES or depth > MOST_DEPTH:
                what = "has more than 100,000 parts" if count > MOST_NODES else "is nested too deeply here"
                raise TemplateFault(f"the template {what}", offset_of(node))
            self.check_node(node)
            queue += [(child, depth + 1) for child in node.iter_child_nodes()]
        instrument(tree)

    def check_node(self, node: nodes.Node) -> None:
        at = offset_of(node)
        if isinstance(node, _FILES):
            raise TemplateFault("a template reaches no other file: include, import, extends and block are not offered", at)
        if not isinstance(node, _ALLOWED):
            name = _NAMES.get(type(node).__name__, type(node).__name__)
            raise TemplateFault(f"{name} is not offered to templates", at)
        if isinstance(node, nodes.For) and node.recursive:
            raise TemplateFault("recursive loops are not offered to templates", at)
        if isinstance(node, nodes.Filter) and node.name not in self.environment.filters:
            raise TemplateFault(f"there is no filter {node.name}{did_you_mean(node.name, _FILTERS)}", at)
        if isinstance(node, nodes.Test) and node.name not in _TESTS:
            raise TemplateFault(f"there is no test {node.name}{did_you_mean(node.name, _TESTS)}", at)
        if isinstance(node, nodes.Compare) and len(node.ops) > 1:
            raise TemplateFault("a comparison has two sides: write a < b and b < c", at)
        if isinstance(node, nodes.Keyword) and node.key.endswith("_"):
            raise TemplateFault(f"there is no argument {node.key}", at)
        if isinstance(node, nodes.Call) and (node.dyn_args is not None or node.dyn_kwargs is not None):
            raise TemplateFault("write each argument out: * and ** are not offered", at)
        if isinstance(node, nodes.Dict) and not all(isinstance(pair.key, nodes.Const) for pair in node.items):
            raise TemplateFault("a key of a mapping is written out, in quotes", at)
        if isinstance(node, nodes.Const) and isinstance(node.value, int) and abs(node.value) > LARGEST_NUMBER:
            raise TemplateFault("a number with more than thirty digits", at)

    def executed(self, template: Template) -> str:
        """Run the compiled template."""
        env = self.environment
        at = self.body
        try:
            return "".join(template.root_render_func(template.new_context()))
        except TemplateFault:
            raise
        except (Limit, Bad) as error:
            at = position(template, at)
            raise TemplateFault(str(error), at) from None
        except (RecursionError, MemoryError):
            raise TemplateFault("macros call each other without end", position(template, at)) from None
        except UndefinedError as error:
            raise TemplateFault(f"{error}"[:200], position(template, at)) from None
        except (TypeError, ValueError, AttributeError, KeyError, IndexError, OverflowError) as error:
            if raised_by_template(error):
                raise TemplateFault(f"this cannot be computed: {error}"[:200], position(template, env.site)) from None
            raise


def instrument(tree: nodes.Template) -> None:
    """Let loops and macros count their turns, outputs go through ``show``, and calls say where they stand."""
    for call in list(tree.find_all(nodes.Call)):
        callee = call.node
        places = [offset_of(callee), *(offset_of(arg) for arg in call.args)]
        call.kwargs.append(nodes.Keyword("site_", nodes.Const(tuple(places), lineno=call.lineno), lineno=call.lineno))
    for output in list(tree.find_all(nodes.Output)):
        output.nodes = [shown(part) for part in output.nodes]
    for body in [*tree.find_all(nodes.For), *tree.find_all(nodes.Macro), *tree.find_all(nodes.CallBlock)]:
        weight = 1 + sum(1 for part in body.body for _ in part.find_all(nodes.Node))
        tick = environment_call("tick", [nodes.Const(weight, lineno=body.lineno)], body.lineno)
        body.body.insert(0, nodes.Output([tick], lineno=body.lineno))


def offset_of(node: nodes.Node) -> int:
    """Where a node stands (a few that Jinja makes up stand nowhere)."""
    return max(0, (node.lineno or 1) - 1)


def shown(part: nodes.Expr) -> nodes.Expr:
    """``environment.show(part, offset)``; text of the template itself too."""
    at = part.lineno
    value: nodes.Expr = nodes.Const(part.data, lineno=at) if isinstance(part, nodes.TemplateData) else part
    return environment_call("show", [value, nodes.Const(max(0, at - 1), lineno=at)], at)


def environment_call(name: str, args: list[nodes.Expr], lineno: int) -> nodes.Expr:
    """A call of a method of the environment."""
    return nodes.Call(nodes.EnvironmentAttribute(name, lineno=lineno), args, [], None, None, lineno=lineno)


def position(template: Template, fallback: int) -> int:
    """The offset of the part of the template that was running when the exception now handled was raised."""
    found, trace = fallback, sys.exc_info()[2]
    while trace is not None:
        if trace.tb_frame.f_globals.get("__jinja_template__") is template or is_template(trace.tb_frame.f_code):
            found = max(0, template.get_corresponding_lineno(trace.tb_lineno) - 1)
        trace = trace.tb_next
    return found


def is_template(code: CodeType) -> bool:
    """Whether a frame runs the compiled template."""
    return code.co_filename == "template"


def raised_by_template(error: BaseException) -> bool:
    """Whether the error was raised in the compiled template or in Jinja, not in flopkb."""
    trace, last = error.__traceback__, ""
    while trace is not None:
        last = trace.tb_frame.f_code.co_filename
        trace = trace.tb_next
    return last == "template" or "jinja2" in last


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


def line_offset(text: str, line: int) -> int:
    """Where a line begins."""
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
    return at


def syntax_reason(error: TemplateSyntaxError) -> str:
    """Jinja's sentence, without what only its own users need."""
    reason = (error.message or "the template cannot be read").split(" Jinja was looking for")[0]
    return reason[:250].rstrip(".")


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


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "lteq": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "gteq": lambda a, b: a >= b,
    "in": lambda a, b: a in b,
    "notin": lambda a, b: a not in b,
}
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
}
