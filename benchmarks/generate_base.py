"""A base of N records for measuring: like real ones in size and kind, and no two with one form.

    python benchmarks/generate_base.py N FOLDER [SEED]

The core (formulas, number formats, parts and what they cite) is that of this repository; the others are made: laws and
workload classes with formulas of shapes and coefficients of their own, claims of every relation, figures across records
and 4 to 10 KB of prose that quotes them; models, and parts, described at length. Every number is worked out here, in
exact rationals and without flopkb, so that a check of the whole finds nothing. As in the real base most records describe models,
parts and sources; three in ten have formulas and claims, and every KB of prose has about four links.
"""

from __future__ import annotations

import math
import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

RECORDS = Path(__file__).resolve().parents[1] / "records"
CORE = ("kv_cache", "roofline", "gqa_2023", "mqa_2019", "kivi_2024", "nvidia_rtx_5090", "nvidia_rtx_3090")
SOURCES = ("gqa_2023", "mqa_2019", "kivi_2024", "roofline_2009")
SMALLEST, LARGEST = 4200, 9200
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NAMES = ("load", "reach", "spread", "depth", "stride", "fill", "drain", "burst", "slack", "grain", "queue", "batch_w")
_NOUNS = (
    *("traffic", "scheduling", "the kernel", "a pipeline", "the allocator", "a decoder", "the router", "a replica"),
    *("the prefix", "the cache", "an adapter", "the planner", "a worker", "the runtime", "an operator", "the host"),
)
_VERBS = ("limits", "follows", "hides", "feeds", "delays", "shapes", "outlives", "precedes", "absorbs", "repeats")
_ADVERBS = (
    "in practice",
    "under load",
    "at rest",
    "by design",
    "after warm-up",
    "on the whole",
    "as a rule",
    "in turn",
)


@dataclass(frozen=True)
class Form:
    """A formula: its text, the claims that hold of it (as lines of YAML), and the symbols that cancel in it."""

    name: str
    text: str
    claims: tuple[str, ...] = ()
    cancelled: tuple[str, ...] = ()


@dataclass
class Law:
    """A made record with formulas: its symbols with the values at which figures are taken, and the figures' values."""

    id: str
    symbols: dict[str, str]
    forms: list[Form] = field(default_factory=list)
    figures: dict[str, tuple[str, dict[str, int], Fraction]] = field(default_factory=dict)


def value(text: str, law: Law, at: dict[str, int], others: dict[str, Law]) -> Fraction:
    """A formula at some inputs, by Python's own arithmetic on rationals."""
    known: dict[str, object] = {name: Fraction(number) for name, number in at.items()}
    known |= {"max": max, "min": min, "ceil": math.ceil, "floor": math.floor, "Fraction": Fraction}
    for form in law.forms:
        if form.name in _WORD.findall(text):
            known[form.name] = value(form.text, law, at, others)
    called = re.match(r"(\w+)\.(\w+)\((.*?)\)", text)
    if called is not None:
        other = others[called[1]]
        inner = {name: int(number) for name, number in (pair.split("=") for pair in called[3].split(", "))}
        known["called"] = value(next(f.text for f in other.forms if f.name == called[2]), other, inner, others)
        text = "called" + text[called.end() :]
    return Fraction(
        eval(re.sub(r"\b(\d+)\b", r"Fraction(\1)", re.sub(r"\*\*(\d)", r"**int(\1)", text)), {"int": int}, known)
    )


def written(number: Fraction) -> str:
    """At least four figures, as a person writes them."""
    places = 0 if number >= 1000 else 3 - (len(str(int(number))) if number >= 1 else 0)
    while number and number * 10**places < 1000 and places < 12:
        places += 1
    scaled = number * 10**places
    digits = str(math.floor(scaled + Fraction(1, 2))).rjust(places + 1, "0")
    whole, part = (digits[:-places], digits[-places:]) if places else (digits, "")
    return f"{int(whole):,}" + (f".{part}" if part else "")


class Maker:
    """Makes records one after another; later ones quote figures of earlier ones."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.laws: dict[str, Law] = {}
        self.facts: list[tuple[str, str]] = []
        self.sources: list[str] = []

    def coefficient(self) -> int:
        return self.random.randrange(2, 98)

    def law(self, id: str) -> Law:
        """A law with five to nine formulas."""
        names = self.random.sample(_NAMES, 6)
        law = Law(id, {name: self.domain(place) for place, name in enumerate(names)})
        made = [shape(self, *names) for shape in self.random.sample(SHAPES, self.random.randrange(3, 6))]
        law.forms = [form for forms in made for form in forms]
        if self.laws:
            law.forms += self.borrowed(self.random.choice(list(self.laws.values())[-40:]), names[0])
        for form in law.forms:
            read = self.used(law, form.name)
            for place in range(self.random.randrange(1, 3)):
                at = {name: self.random.randrange(2, 90) for name in names}
                asked = {name: number for name, number in at.items() if name in read}
                figure = (form.name, asked, value(form.text, law, at, self.laws))
                law.figures[f"{form.name}_at_{'ab'[place]}"] = figure
        return law

    def borrowed(self, other: Law, symbol: str) -> list[Form]:
        """A formula that calls one of another record, with inputs of its own."""
        name = next(form.name for form in other.forms if "." not in form.text)
        given = ", ".join(f"{name}={self.random.randrange(2, 90)}" for name in self.used(other, name))
        text = f"{other.id}.{name}({given})*{symbol}/{self.coefficient()}"
        return [Form("borrowed", text, (f"formula: borrowed, proportional_to: [{symbol}]",))]

    def domain(self, place: int) -> str:
        kind = "integer" if place % 2 else "rational"
        return f"{{meaning: {self.phrase()}, domain: {{{kind}: [1, {self.random.randrange(100, 1000)}]}}}}"

    def phrase(self) -> str:
        return f"how {self.random.choice(_NOUNS)} {self.random.choice(_VERBS)} {self.random.choice(_NOUNS)}"

    def sentence(self, quote: str) -> str:
        """A sentence around a link."""
        noun, verb = self.random.choice(_NOUNS), self.random.choice(_VERBS)
        other, how = self.random.choice(_NOUNS), self.random.choice(_ADVERBS)
        return self.random.choice(
            (
                f"{noun.capitalize()} {verb} {other} {how}, and there it comes to {quote}.",
                f"Where {noun} {verb} {other}, the value is {quote} {how}.",
                f"Of {other} it is known that {noun} {verb} it; {quote} is what remains {how}.",
                f"What {noun} {verb} {how} is {quote}, whatever {other} does.",
            )
        )

    def aside(self) -> str:
        """A sentence that quotes nothing."""
        return f"It matters {self.random.choice(_ADVERBS)} {self.phrase()}, and less {self.phrase()}."

    def prose(self, quotes: Callable[[], str], size: int) -> str:
        """Paragraphs, a list and a table of sentences that quote, up to some length, as a block scalar."""
        lines: list[str] = []
        while sum(map(len, lines)) < size:
            shape = self.random.randrange(6)
            if shape == 0:
                lines += [f"- {self.sentence(quotes())}" for _ in range(3)] + [""]
            elif shape == 1:
                rows = [f"| {self.random.choice(_NOUNS)} | {quotes()} |" for _ in range(3)]
                lines += ["| what | how much |", "|---|---|", *rows, ""]
            else:
                lines += [line for _ in range(2) for line in (self.sentence(quotes()), self.aside(), self.aside())]
                lines += [f"So it is told elsewhere [@{self.random.choice(SOURCES)}].", ""]
        return "".join(f"  {line}".rstrip() + "\n" for line in lines)

    def quote_of(self, law: Law) -> str:
        """One link to something of a law or of another."""
        chance, name = self.random.random(), self.random.choice(list(law.figures))
        formula, at, number = law.figures[name]
        if chance < 0.15:
            claims = [f"{form.name}_{place}" for form in law.forms for place, _ in enumerate(form.claims)]
            return f"[always so](claim:{self.random.choice(claims)})"
        if chance < 0.3 and self.laws:
            other = self.random.choice(list(self.laws.values()))
            figure = self.random.choice(list(other.figures))
            return f"[{written(other.figures[figure][2])}](fig:{other.id}.{figure})"
        if chance < 0.45:
            symbol = self.random.choice(list(at))
            return f"[{at[symbol]}](in:{name}.{symbol})"
        if chance < 0.6:
            return f"[{written(number)}](fig:{formula}?{'&'.join(f'{k}={v}' for k, v in at.items())})"
        text = next(form.text for form in law.forms if form.name == formula)
        if chance < 0.7 and re.fullmatch(r"[\w*+ ]+", text) and "**" not in text and number.denominator == 1:
            left = _WORD.sub(lambda match: str(at.get(match[0], match[0])), text)
            if not _WORD.search(left):
                return f"[`{left} = {number.numerator}`](fig:{name})"
        if chance < 0.8 and self.facts:
            path, shown = self.random.choice(self.facts)
            return f"[{shown}](fact:{path})"
        return f"[{written(number)}](fig:{name})"

    def used(self, law: Law, formula: str) -> list[str]:
        """The symbols that a formula reads, through others of its law."""
        forms = {form.name: form for form in law.forms}
        found = set(_WORD.findall(re.sub(r"\w+\.\w+\(.*?\)", "", forms[formula].text)))
        found = found.union(*(self.used(law, name) for name in found & forms.keys()))
        return [name for name in law.symbols if name in found and name not in forms[formula].cancelled]

    def law_text(self, law: Law, workload: bool) -> str:
        """The record of a law."""
        kind = "workload_class" if workload else "formula"
        forms = [f'  {form.name}: {{expr: "{form.text}", unit: "1"}}' for form in law.forms]
        figures = [
            f"  {name}: {{formula: {formula}, with: {{{', '.join(f'{k}: {v}' for k, v in at.items())}}}}}"
            for name, (formula, at, _) in law.figures.items()
        ]
        claims = [f"  - {{id: {form.name}_{n}, {text}}}" for form in law.forms for n, text in enumerate(form.claims)]
        cited = [f"[{written(number)}](fig:{name})" for name, (_, _, number) in law.figures.items()]
        read = set[str]().union(*(self.used(law, form.name) for form in law.forms))
        head = [
            *(f"id: {law.id}", f"kind: {kind}", f"name: {law.id.replace('_', ' ').capitalize()}"),
            *("status: verified", "confidence: 0.9", "updated: 2026-11-29"),
            *(["bound_by: memory"] if workload else []),
            f"sources: [{', '.join(self.cited())}]",
            *("symbols:", *(f"  {name}: {text}" for name, text in law.symbols.items() if name in read)),
            *("formulas:", *forms, "figures:", *figures, "claims:", *claims),
        ]
        text = "\n".join(head) + "\n"
        first = "arithmetic_intensity" if workload else "derivation"
        size = self.random.randrange(SMALLEST, LARGEST) - len(text)
        text += f"{first}: |\n" + "".join(f"  {self.sentence(quote)}\n" for quote in cited)
        size -= sum(map(len, cited)) + 90 * len(cited)
        text += f"assumptions: |\n{self.prose(lambda: self.quote_of(law), max(300, size))}"
        return text + self.history()

    def cited(self) -> list[str]:
        """The sources of a record: two of the core, and all that were made since the last one."""
        made, self.sources = self.sources, []
        return [*self.random.sample(SOURCES, 2), *made]

    def source_text(self, id: str) -> str:
        """The record of a report."""
        return (
            f"id: {id}\nkind: source\nname: {id.replace('_', ' ').capitalize()}\nstatus: verified\nconfidence: 0.9\n"
            f'updated: 2026-11-29\nsource_kind: paper\ntitle: Of {self.phrase()}\nauthors: ["Doe, Jane", "Roe, Jo"]\n'
            f"year: {self.random.randrange(1999, 2026)}\nlocator: {{doi: 10.1000/{id}}}\nfinding: |\n"
            + self.prose(
                lambda: f"[{(f := self.random.choice(self.facts))[1]}](fact:{f[0]})", self.random.randrange(3900, 6000)
            )
            + self.history()
        )

    def history(self) -> str:
        return f"history:\n  - {{date: 2026-11-29, change: written from how {self.random.choice(_NOUNS)} behaves}}\n"

    def model_text(self, id: str) -> str:
        """The record of a model with layers of one kind."""
        heads = self.random.choice((8, 16, 24, 32, 40, 48, 64))
        groups = self.random.choice([n for n in (1, 2, 4, 8) if heads % n == 0])
        width, layers = self.random.choice((64, 96, 128, 256)), self.random.randrange(8, 128)
        facts = {
            **{"num_hidden_layers": layers, "num_attention_heads": heads, "num_key_value_heads": groups},
            **{"head_dim": width, "intermediate_size": 64 * self.random.randrange(20, 700)},
            **{"hidden_size": heads * width, "vocab_size": self.random.randrange(30000, 260000)},
            "max_position_embeddings": 1024 * self.random.randrange(2, 200),
        }
        self.facts += [(f"{id}.{name}", f"{number}") for name, number in facts.items()]
        kept = [(n, 2 * layers * groups * width * 2 * n) for n in (self.random.randrange(2, 200) for _ in range(3))]
        sizes = [
            f"[{size} byte](fig:kv_cache.size?model={id}&kv_dtype=bf16&L={n}&B=1)"
            for n, size in kept
            if n <= facts["max_position_embeddings"]
        ]
        links = [f"[{number}](fact:{id}.{name})" for name, number in facts.items()]
        body = "".join(f"{name}: {number}\n" for name, number in facts.items())
        return (
            f"id: {id}\nkind: model\nname: {id.replace('_', '-').capitalize()}\nstatus: verified\nconfidence: 0.9\n"
            f"updated: 2026-11-29\ndeveloper: Example Lab\nconfig_source: llama_3_8b_config\n"
            f"sources: [{', '.join(self.cited())}]\nattention: full_attention\n"
            f"feed_forward: gated\ntie_word_embeddings: false\n{body}notes: |\n"
            + "".join(f"  {self.sentence(link)}\n" for link in links)
            + "\n"
            + self.prose(lambda: self.random.choice([*links, *sizes]), self.random.randrange(SMALLEST - 1300, 5000))
            + self.history()
        )

    def part_text(self, id: str) -> str:
        """The record of a part."""
        bandwidth, memory = self.random.randrange(200, 9000), self.random.randrange(8, 400)
        peak, power = self.random.randrange(50, 5000), self.random.randrange(70, 1400)
        values = (
            *(("memory_bandwidth", f"{bandwidth} GB/s"), ("memory_capacity", f"{memory} GiB"), ("tdp", f"{power} W")),
            ("l2_cache_size", f"{self.random.randrange(1, 200)} MiB"),
        )
        row = "basis: recorded, source: aiconfigurator_systems"
        body = "".join(f'{name}: {{value: {shown}, {row}, as_printed: "{shown}"}}\n' for name, shown in values)
        dense = f"{peak} TFLOP/s"
        body += f'peak_flops:\n  bf16: {{dtype: bf16, sparsity: dense, value: {dense}, {row}, as_printed: "{dense}"}}\n'
        links = [f"[{shown}](fact:{id}.{name})" for name, shown in (*values, ("peak_flops.bf16", dense))]
        ridge = written(Fraction(peak * 10**12, bandwidth * 10**9))
        links.append(f"[{ridge} flop/byte](fig:roofline.ridge?accelerator={id}&dtype=bf16)")
        return (
            f"id: {id}\nkind: accelerator\nname: {id.replace('_', '-').capitalize()}\nstatus: verified\nconfidence: 0.9\n"
            f"updated: 2026-11-29\nvendor: Example Works\nform_factor: PCIe\n{body}notes: |\n"
            + "".join(f"  {self.sentence(link)}\n" for link in links)
            + "\n"
            + self.prose(lambda: self.random.choice(links), self.random.randrange(SMALLEST - 1500, 5000))
            + self.history()
        )

    def records(self, count: int) -> Iterator[tuple[str, str, str]]:
        """Folder, id and text of each made record."""
        for place in range(count):
            kind = place % 10
            if kind in (1, 4, 7, 9):
                yield "models", f"model_m{place}", self.model_text(f"model_m{place}")
            elif kind == 5:
                yield "accelerators", f"part_p{place}", self.part_text(f"part_p{place}")
            elif kind in (2, 8):
                self.sources.append(f"source_s{place}")
                yield "sources", f"source_s{place}", self.source_text(f"source_s{place}")
            else:
                workload = kind == 3
                law = self.law(f"{'class' if workload else 'law'}_l{place}")
                yield ("workload_classes" if workload else "formulas"), law.id, self.law_text(law, workload)
                self.laws[law.id] = law


Shape = Callable[..., list[Form]]


def _sum(m: Maker, a: str, b: str, c: str, d: str, e: str, f: str) -> list[Form]:
    x, y, z = m.coefficient(), m.coefficient(), m.coefficient()
    same = f'formula: work, equals: "{a}*({x}*{b} + {y}*{c}) + {z}*{d}"'
    return [
        Form("work", f"{x}*{a}*{b} + {y}*{a}*{c} + {z}*{d}", (f"formula: work, increasing_in: [{a}, {b}, {d}]", same))
    ]


def _product(m: Maker, a: str, b: str, c: str, d: str, e: str, f: str) -> list[Form]:
    p, q = m.random.randrange(1, 4), m.random.randrange(1, 3)
    powers = f"formula: yield_of, proportional_to: {{{a}: {p}, {c}: {q}, {e}: -1}}"
    return [Form("yield_of", f"{m.coefficient()}*{a}**{p}*{c}**{q}/{e}", (powers,))]


def _share(m: Maker, a: str, b: str, c: str, d: str, e: str, f: str) -> list[Form]:
    claims = (
        *(f"formula: share, increasing_in: [{c}]", f"formula: share, decreasing_in: [{f}]", "at_most: [share, 1]"),
        f"formula: share, tends_to: 1, as: {{{c}: infinity}}",
    )
    return [Form("share", f"{c}/({c} + {m.coefficient()}*{f})", claims)]


def _cancelled(m: Maker, a: str, b: str, c: str, d: str, e: str, f: str) -> list[Form]:
    x, y, z = m.coefficient(), m.coefficient(), m.coefficient()
    claim = f"formula: per_unit, independent_of: [{b}, {d}]"
    whole = Form("per_unit", f"moved/({y}*{b}*{d} + {z}*{b}*{d})", (claim,), (b, d))
    return [Form("moved", f"{x}*{b}*{d}*{e}"), whole]


def _longer(m: Maker, a: str, b: str, c: str, d: str, e: str, f: str) -> list[Form]:
    x, y = m.coefficient(), m.coefficient()
    return [
        Form(
            "longer", f"max({x}*{a}*{d}, {y}*{e})", (f"at_least: [longer, {x}*{a}*{d}]", f"at_least: [longer, {y}*{e}]")
        )
    ]


def _shorter(m: Maker, a: str, b: str, c: str, d: str, e: str, f: str) -> list[Form]:
    x, y = m.coefficient(), m.coefficient()
    return [Form("shorter", f"min({x}*{b}, {y}*{f}*{c})", (f"at_most: [shorter, {x}*{b}]",))]


def _pages(m: Maker, a: str, b: str, c: str, d: str, e: str, f: str) -> list[Form]:
    x = m.coefficient()
    return [Form("pages", f"ceil({b}*{d}/{x})", (f"at_least: [pages, {b}*{d}/{x}]",))]


def _whole(m: Maker, a: str, b: str, c: str, d: str, e: str, f: str) -> list[Form]:
    x, y = m.coefficient(), m.coefficient()
    return [Form("whole", f"{y}*floor({f}*{b}/{x}) + {y}", (f"at_most: [whole, {y}*{f}*{b}/{x} + {y}]",))]


def _found(m: Maker, a: str, b: str, c: str, d: str, e: str, f: str) -> list[Form]:
    x, y = m.coefficient(), m.coefficient()
    return [Form("gain", f"{x}*{d}/({e} + {y})", (f"exists: gain > {Fraction(x, y + 2) * 50}",))]


def _crossing(m: Maker, a: str, b: str, c: str, d: str, e: str, f: str) -> list[Form]:
    x, n = m.coefficient(), m.random.randrange(20, 90)
    crossing = f"formula: rise, crosses: {x * n * n}, in: {c}, at: {n}"
    return [Form("rise", f"{x}*{c}*{c}", (crossing,))]


def _square(m: Maker, a: str, b: str, c: str, d: str, e: str, f: str) -> list[Form]:
    x = 2 * m.coefficient()
    return [Form("spread_of", f"{a}**2 + {e}**2 + {x}", (f"at_least: [spread_of, 2*{a}*{e} + {x}]",))]


def _quotient(m: Maker, a: str, b: str, c: str, d: str, e: str, f: str) -> list[Form]:
    x, y, z, w = (m.coefficient() for _ in range(4))
    text = f"({x}*{b}*{f} + {y}*{d})/({z}*{f} + {w}*{e})"
    return [
        Form("quotient", text, (f"formula: quotient, increasing_in: [{b}]", f"formula: quotient, decreasing_in: [{e}]"))
    ]


SHAPES: tuple[Shape, ...] = (
    *(_sum, _product, _share, _cancelled, _longer, _shorter),
    *(_pages, _whole, _found, _crossing, _square, _quotient),
)


def core(texts: dict[str, str]) -> set[str]:
    """The records that those of the core mention, directly or not."""
    found, queue = set(CORE), list(CORE)
    while queue:
        more = set(_WORD.findall(texts[queue.pop()])) & texts.keys() - found
        found |= more
        queue += more
    return found


def generate(count: int, folder: Path, seed: int = 1) -> None:
    """Write a base of ``count`` records into ``folder``/records."""
    files = {path.stem: path for path in RECORDS.rglob("*.yaml")}
    kept = core({stem: path.read_text(encoding="utf-8") for stem, path in files.items()})
    real = [(files[stem].parent.name, stem, files[stem].read_text(encoding="utf-8")) for stem in sorted(kept)]
    for kind, stem, text in (*real, *Maker(seed).records(count - len(real))):
        path = folder / "records" / kind / f"{stem}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    generate(int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1)
