"""Records made up at random: what is said is drawn first, then in which of YAML's many ways it is laid out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any


@dataclass(frozen=True)
class Block:
    """A text that is written below its key, behind `|` or `>`."""

    text: str


class Fixed(dict[str, Any]):
    """A mapping whose keys have an order in the schema: they are written in any."""


HEAD = ("id", "kind", "name", "status", "updated")


def record(rng: Random) -> tuple[str, str]:
    """The path of a record below ``records/``, and its text."""
    make = rng.choice([formula, formula, accelerator, model, source])
    kind = make.__name__
    body = Fixed({"id": "made", "kind": kind, "name": text(rng), "status": "verified", "updated": "2026-01-05"})
    body.update(make(rng))
    if rng.random() < 0.3:
        body["aliases"] = [f"alias{i}" for i in range(rng.randint(1, 3))]
    if rng.random() < 0.3:
        body["history"] = [Fixed({"date": "2026-01-05", "change": rng.choice([text(rng), Block("first\nwritten")])})]
    if rng.random() < 0.5:
        body["notes"] = Block(prose(rng))
    return f"{kind}s/made.yaml", laid_out(body, rng)


def formula(rng: Random) -> dict[str, Any]:
    """Symbols, formulas in them, figures of those, claims."""
    names = rng.sample(["B", "L", "n_q", "d", "bw"], rng.randint(2, 5))
    symbols = {name: symbol(rng) for name in names}
    formulas = {
        f"f{i}": Fixed({"expr": expression(names, rng), "unit": '"1"', **({"written": [f"W{i}"]} if i == 0 else {})})
        for i in range(rng.randint(1, 3))
    }
    figures = {}
    for i in range(rng.randint(1, 6)):
        inputs = {name: number(rng) for name in names}
        figure = Fixed({"formula": rng.choice(list(formulas)), "with": inputs})
        if rng.random() < 0.3:
            figure["over"] = {names[0]: number(rng)}
        if rng.random() < 0.3:
            figure["at"] = "here"
        figures[f"fig{i}"] = figure
    claims = [Fixed({"id": "true", "formula": "f0", "equals": formulas["f0"]["expr"]})]
    if rng.random() < 0.1:
        claims.append(Fixed({"id": "false", "formula": "f0", "independent_of": names}))
    quotes = " and ".join(f"[{rng.randint(1, 99)}](fig:fig{i})" for i in range(len(figures)))
    return {
        "symbols": symbols,
        "formulas": formulas,
        "points": {"here": {names[-1]: number(rng)}},
        "figures": figures,
        "claims": claims,
        "derivation": Block(f"They are {quotes}.\n\n{prose(rng)}"),
    }


def symbol(rng: Random) -> Fixed:
    """A symbol with a domain."""
    whole, more = {"integer": ["1", "256"]}, {"integer": ["1", "1E+3"]}
    domain = rng.choice([whole, more, {"rational": [".25", "4.0"]}, {"one_of": ["2", "1.", "+4"]}])
    return Fixed({"meaning": text(rng), "domain": Fixed(domain), **({"unit": "token"} if rng.random() < 0.2 else {})})


def expression(names: list[str], rng: Random) -> str:
    """A formula that a plain scalar can hold."""
    terms = [f"{rng.randint(1, 9)}*{rng.choice(names)}" for _ in range(rng.randint(1, 4))]
    return rng.choice([" + ", " * ", " / "]).join(terms)


def accelerator(rng: Random) -> dict[str, Any]:
    """A part with its amounts, some of them disputed."""
    made: dict[str, Any] = {"vendor": text(rng)}
    made |= {"memory_bandwidth": amount("GB/s", rng), "memory_capacity": amount("GB", rng)}
    rows = {}
    for dtype in rng.sample(["bf16", "fp8"], rng.randint(1, 2)):
        row = amount("TFLOP/s", rng)
        row["dtype"] = dtype
        row["sparsity"] = rng.choice(["dense", "sparse"])
        rows[dtype] = row
    made["peak_flops"] = rows
    if rng.random() < 0.5:
        made["announced"] = "2022"
    return made


def amount(unit: str, rng: Random) -> Fixed:
    """A recorded amount, spelled in one of many ways."""
    digits = rng.choice(["3350", "3.350", "+80", ".5", "1E3", "1.5e+02", "40."])
    gap = rng.choice(["", " "])
    found = Fixed({"value": f"{digits}{gap}{unit}", "basis": "recorded", "source": "sheet"})
    found["as_printed"] = rng.choice([".5TB", '"1,979 x"', "+1.50", "1E3"])
    if rng.random() < 0.3:
        found["disputed"] = [Fixed({"value": f"7{gap}{unit}", "source": "config", "note": text(rng)})]
        found["preferred"] = text(rng)
    return found


def model(rng: Random) -> dict[str, Any]:
    """A model with counts, some of them derived."""
    made: dict[str, Any] = {"developer": text(rng), "config_source": "config"}
    for name in rng.sample(["num_hidden_layers", "num_attention_heads", "hidden_size", "vocab_size"], 3):
        made[name] = rng.choice(["32", "+32", "0x20", "032"])
    made["head_dim"] = Fixed({"value": "128", "basis": "derived", "formula": rng.choice(["hidden_size / 32", "128"])})
    made["tie_word_embeddings"] = rng.choice(["true", "false"])
    return made


def source(rng: Random) -> dict[str, Any]:
    """A source."""
    authors = [f'"Last{i}, First{i}"' for i in range(rng.randint(1, 9))]
    return {
        "source_kind": "paper",
        "title": rng.choice(['"On: colons"', "'It''s here'", "Plain title"]),
        "authors": authors,
        "year": "2025",
        "locator": Fixed({"url": "https://example.org/x#part", "page": "7"}),
        "finding": Block(prose(rng)),
    }


def number(rng: Random) -> str:
    """A number as some people write it."""
    usual = ["1", "2", "4", "+4", "2.0", "4.", "2E0", "1e+0"]
    return rng.choice(usual if rng.random() < 0.9 else ["32", "+7", ".5", "2.50", "1E2", "4096", "3.e1", "-2"])


def text(rng: Random) -> str:
    """A short text, quoted or not, that stands in brackets as well."""
    escaped = '"esc \\" \\u00e9"'
    return rng.choice(["words of a name", '"with: a colon"', "'it''s so'", "é — ünïcode 🙂", escaped, "a#b"])


def prose(rng: Random) -> str:
    """Lines of Markdown, blank ones and ones that look like YAML among them."""
    lines = ["Some words.", "", "- a list", "key: value", "# a heading", "  indented   ", "| a | b |", "{x: 1}", "🙂"]
    return "\n".join(["Begins here.", *rng.choices(lines, k=rng.randint(0, 6)), "Ends here."])


def laid_out(body: Fixed, rng: Random) -> str:
    """The record's text, in a layout that nobody would choose."""
    lines = list(_Layout(rng, rng.choice([2, 2, 4])).mapping(body, 0))
    if rng.random() < 0.5:
        lines.insert(0, "# yaml-language-server: $schema=../../schema/formula.schema.json")
    if rng.random() < 0.2:
        lines.append("# the last word")
    newline = rng.choice(["\n", "\n", "\n", "\r\n"])
    end = rng.choice([newline, newline, newline * 3, ""])
    return rng.choice(["", "", "\ufeff"]) + newline.join(lines) + end


@dataclass
class _Layout:
    rng: Random
    step: int

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def mapping(self, value: dict[str, Any], indent: int) -> Iterator[str]:
        items = list(value.items())
        if isinstance(value, Fixed) and self.chance(0.6):
            self.rng.shuffle(items)
        for key, item in items:
            yield from self.above(indent)
            yield from self.entry(f"{' ' * indent}{key}", item, indent)

    def above(self, indent: int) -> Iterator[str]:
        if self.chance(0.05):
            yield from [""] * self.rng.randint(1, 3)
        if self.chance(0.07):
            yield f"{' ' * indent}# about what follows"

    def entry(self, head: str, item: Any, indent: int) -> Iterator[str]:
        gap = self.rng.choice([" ", " ", "   "])
        head += self.rng.choice([":", ":", " :"]) if not head.endswith("-") else ""
        if isinstance(item, str):
            yield head + gap + item + self.comment()
        elif isinstance(item, Block):
            mark = self.rng.choice(["|", "|", "|-", "|+", ">-", "|2"])
            yield head + gap + mark
            inner = indent + 2 if mark == "|2" else indent + self.rng.choice([1, 2, 4])
            yield from (f"{' ' * inner}{line}" if line.strip() else line for line in item.text.split("\n"))
        elif self.chance(0.5) and _fits_brackets(item):
            yield from self.brackets(head, gap, item, indent)
        else:
            yield head + self.comment()
            yield from self.block(item, indent + self.step)

    def block(self, item: Any, indent: int) -> Iterator[str]:
        if isinstance(item, dict):
            yield from self.mapping(item, indent)
            return
        for part in item:
            yield from self.above(indent)
            if isinstance(part, dict) and (self.chance(0.6) or not _fits_brackets(part)):
                yield from self.dashed(part, indent)
            else:
                yield from self.entry(f"{' ' * indent}-", part, indent)

    def dashed(self, part: dict[str, Any], indent: int) -> Iterator[str]:
        gap = self.rng.choice([1, 1, 3])
        column = indent + 1 + gap
        lines = list(self.mapping(part, column))
        while lines[0].lstrip().startswith("#") or not lines[0].strip():
            lines.pop(0)
        yield f"{' ' * indent}-{' ' * gap}{lines[0][column:]}"
        yield from lines[1:]

    def brackets(self, head: str, gap: str, item: Any, indent: int) -> Iterator[str]:
        inside = self.flow(item)
        if self.chance(0.2) and not head.endswith("-"):
            yield head
            yield f"{' ' * (indent + 4)}{inside}"
        elif self.chance(0.15):
            broken = inside.replace(", ", self.rng.choice([",\n", ", # odd\n"]) + " " * (indent + 6), 1)
            yield from (head + gap + broken).split("\n") if _breakable(inside) else [head + gap + inside]
        else:
            yield head + gap + inside + self.comment()

    def flow(self, item: Any) -> str:
        if isinstance(item, str):
            return item
        comma, pad = self.rng.choice([", ", ", ", " , ", ","]), self.rng.choice(["", "", " "])
        if isinstance(item, list):
            return f"[{pad}{comma.join(self.flow(part) for part in item)}{pad}]"
        items = list(item.items())
        if isinstance(item, Fixed):
            self.rng.shuffle(items)
        return f"{{{pad}{comma.join(f'{key}: {self.flow(part)}' for key, part in items)}{pad}}}"

    def comment(self) -> str:
        return self.rng.choice(["  # why", " # why: because [1, 2]", "   "]) if self.chance(0.06) else ""


def _breakable(text: str) -> bool:
    """Whether the first comma is one between entries, not one inside quotes."""
    first = text.find(", ")
    return first > 0 and text[:first].count('"') % 2 == 0 and text[:first].count("'") % 2 == 0


def _fits_brackets(item: Any) -> bool:
    if isinstance(item, dict):
        return all(_fits_brackets(part) for part in item.values())
    if isinstance(item, list):
        return all(_fits_brackets(part) for part in item)
    return isinstance(item, str) and not item.startswith("https")
