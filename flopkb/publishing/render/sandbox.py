"""Templates, compiled and run so that they can reach nothing but the document API.

A template is hostile input. Its syntax tree is checked against a short list of what may stand in one, every loop and
macro counts its turns, values are only what the document API hands out, and what a template writes is counted. So time
and memory are bounded by the limits below. The lexer's line numbers are replaced by offsets, which survive into the
compiled template: each fault is placed to the character.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from jinja2 import Template, TemplateSyntaxError, UndefinedError, nodes
from jinja2.compiler import CodeGenerator, Frame, generate
from jinja2.lexer import TokenStream
from jinja2.parser import Parser

from flopkb.base.faults import did_you_mean
from flopkb.publishing.render.environment import FILTERS, LARGEST_NUMBER, TESTS, Limit, TemplateEnvironment
from flopkb.publishing.render.template_text import STRAY, Bad, TemplateFault

LARGEST_TEMPLATE = 1 << 20
MOST_NODES = 100_000
MOST_TOKENS = 300_000
MOST_DEPTH = 60

_ALLOWED: tuple[type[nodes.Node], ...] = (
    *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.For, nodes.If, nodes.Macro, nodes.CallBlock, nodes.With),
    *(nodes.Assign, nodes.AssignBlock, nodes.Name, nodes.Const, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair),
    *(nodes.Keyword, nodes.Call, nodes.Getattr, nodes.Getitem, nodes.Compare, nodes.Operand, nodes.And, nodes.Or),
    *(nodes.Not, nodes.CondExpr, nodes.Neg, nodes.Pos, nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv),
    *(nodes.Concat, nodes.Filter, nodes.Test),
)
_NAMES = {
    "Pow": "** (a power)",
    "Mod": "% (a remainder)",
    "Slice": "a slice",
    "NSRef": "a namespace",
    "FilterBlock": "a filter block",
    "ScopedEvalContextModifier": "autoescape",
    "EvalContextModifier": "autoescape",
}
_FILES = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends, nodes.Block)


class _TemplateCode(CodeGenerator):
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
    environment: TemplateEnvironment = field(init=False)

    def __post_init__(self) -> None:
        self.environment = TemplateEnvironment(self.api, self.place_object)
        self.environment.code_generator_class = _TemplateCode

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
            at = sum(map(len, text.splitlines(keepends=True)[: error.lineno - 1]))
            opening = max(text.find("{{", at), text.find("{%", at), text.find("{#", at))
            at = opening if 0 <= opening < (text.find("\n", at) + 1 or len(text)) else at
            raise TemplateFault(syntax_reason(error), self.body + at, "template-syntax") from None
        try:
            parser = Parser(env, "")
            parser.stream = TokenStream(env.lexer.wrap(self.placed(tokens, text), "template"), "template", "template")
            return parser.parse()
        except TemplateSyntaxError as error:
            raise TemplateFault(syntax_reason(error), max(0, error.lineno - 1), "template-syntax") from None
        except ValueError:  # more digits than Python reads
            raise TemplateFault("a number is too long to be read", self.body, "template-syntax") from None

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
        reason = next(self.objections(node), None)
        if reason is not None:
            raise TemplateFault(reason, offset_of(node))

    def objections(self, node: nodes.Node) -> Iterator[str]:
        """Why a node has no place in a template."""
        if isinstance(node, _FILES):
            yield "a template reaches no other file: include, import, extends and block are not offered"
        if not isinstance(node, _ALLOWED):
            name = type(node).__name__
            yield f"{_NAMES.get(name, name)} is not offered to templates"
        match node:
            case nodes.For(recursive=True):
                yield "recursive loops are not offered to templates"
            case nodes.Filter(name=name) if name not in FILTERS:
                yield f"there is no filter {name}{did_you_mean(name, FILTERS)}"
            case nodes.Test(name=name) if name not in TESTS:
                yield f"there is no test {name}{did_you_mean(name, TESTS)}"
            case nodes.Compare(ops=[_, _, *_]):
                yield "a comparison has two sides: write a < b and b < c"
            case nodes.Keyword(key=key) if key.endswith("_"):
                yield f"there is no argument {key}"
            case nodes.Call(dyn_args=rest, dyn_kwargs=named) if rest is not None or named is not None:
                yield "write each argument out: * and ** are not offered"
            case nodes.Dict(items=pairs) if not all(isinstance(pair.key, nodes.Const) for pair in pairs):
                yield "a key of a mapping is written out, in quotes"
            case nodes.Const(value=str(text)) if STRAY.search(text):
                yield "a text holds a control character or one of Unicode's private use area"
            case nodes.Const(value=int() | float() as number) if not abs(number) <= LARGEST_NUMBER:
                yield "a number with more than thirty digits"

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
    turning: list[nodes.For | nodes.Macro | nodes.CallBlock] = [*tree.find_all(nodes.For)]
    for block in [*turning, *tree.find_all(nodes.Macro), *tree.find_all(nodes.CallBlock)]:
        weight = 1 + sum(len(list(part.find_all(nodes.Node))) for part in block.body)
        tick = environment_call("tick", [nodes.Const(weight, lineno=block.lineno)], block.lineno)
        block.body.insert(0, nodes.Output([tick], lineno=block.lineno))


def offset_of(node: nodes.Node) -> int:
    """Where a node stands (a few that Jinja makes up stand nowhere)."""
    return max(0, (node.lineno or 1) - 1)


def shown(part: nodes.Expr) -> nodes.Expr:
    """``environment.show(part, offset)``; text of the template itself too."""
    at = part.node.lineno if isinstance(part, nodes.Call) else part.lineno
    value: nodes.Expr = nodes.Const(part.data, lineno=at) if isinstance(part, nodes.TemplateData) else part
    return environment_call("show", [value, nodes.Const(max(0, at - 1), lineno=at)], at)


def environment_call(name: str, args: list[nodes.Expr], lineno: int) -> nodes.Expr:
    """A call of a method of the environment."""
    return nodes.Call(nodes.EnvironmentAttribute(name, lineno=lineno), args, [], None, None, lineno=lineno)


def position(template: Template, fallback: int) -> int:
    """The offset of the part of the template that was running when the exception now handled was raised."""
    found, trace = fallback, sys.exc_info()[2]
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "template":
            found = max(0, template.get_corresponding_lineno(trace.tb_lineno) - 1)
        trace = trace.tb_next
    return found


def raised_by_template(error: BaseException) -> bool:
    """Whether the error was raised in the compiled template or in Jinja, not in flopkb."""
    trace, last = error.__traceback__, ""
    while trace is not None:
        last = trace.tb_frame.f_code.co_filename
        trace = trace.tb_next
    return last == "template" or "jinja2" in last


def syntax_reason(error: TemplateSyntaxError) -> str:
    """Jinja's sentence, without what only its own users need."""
    reason = (error.message or "the template cannot be read").split(" Jinja was looking for")[0]
    return reason[:250].rstrip(".")
