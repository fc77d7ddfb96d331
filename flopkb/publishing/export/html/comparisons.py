"""Tables across parts and models, computed from their recorded values: ridges, and bytes of the KV cache."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from flopkb.arithmetic.amounts import readable
from flopkb.arithmetic.numbers import decimal_text
from flopkb.arithmetic.units import parse_unit
from flopkb.base.model import Kind
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.html import badges
from flopkb.publishing.export.html.element import Child, Html, el, joined
from flopkb.publishing.export.html.links import Links
from flopkb.publishing.export.html.records import Site
from flopkb.publishing.export.html.tables import Cell, Num, Row, table, value_cell
from flopkb.publishing.export.resolved import ResolvedFact, ResolvedRecord

RIDGE_NOTE = "Dense peak rate over memory bandwidth, in flop per byte: below it a kernel waits for memory."
CACHE_NOTE = "What one token adds to the cache of a sequence, scales of narrow formats not counted."


def facts_of(record: ResolvedRecord) -> dict[str, ResolvedFact]:
    """The recorded values by path."""
    return {fact.path: fact for fact in record.facts}


def ridges(record: ResolvedRecord) -> dict[str, tuple[Fraction, bool]]:
    """The ridge at each precision that has one dense row, in flop/byte, and whether an input is contested."""
    facts = facts_of(record)
    memory = facts.get("memory_bandwidth")
    rows = [
        fact
        for fact in record.facts
        if fact.quantity == "peak_flops" and fact.sparsity != "sparse" and fact.value is not None
    ]
    if memory is None or memory.value is None or not memory.value.value:
        return {}
    found: dict[str, tuple[Fraction, bool]] = {}
    for row in rows:
        assert row.value is not None
        if sum(1 for other in rows if other.dtype == row.dtype) == 1:
            found[row.dtype] = (row.value.base / memory.value.base, bool(row.disputed or memory.disputed))
    return found


def ridge_table(site: Site, links: Links) -> Html | None:
    """A row a part, a column a precision."""
    found = {record.id: ridges(record) for record in site.base.of_kind(Kind.ACCELERATOR)}
    dtypes = ordered({dtype for row in found.values() for dtype in row}, site)
    groups = [
        [
            Row(
                (
                    Cell(links.record(id), site.base.records[id].name, is_head=True),
                    *(ridge_cell(row.get(dtype)) for dtype in dtypes),
                )
            )
        ]
        for id, row in found.items()
        if row
    ]
    return table(
        ("Part", *(Num(dtype) for dtype in dtypes)), groups, caption="Ridge by part and precision", class_="matrix"
    )


def ridge_cell(found: tuple[Fraction, bool] | None) -> Cell:
    """A ridge."""
    if found is None:
        return Cell(None, "", number=True)
    value = Exact(found[0], "flop/byte")
    mark: Child = joined(" ", badges.disputed()) if found[1] else None
    return value_cell(value, joined(el("span", decimal_text(value.value), title=f"{value.fraction} flop/byte"), mark))


def elements_per_token(record: ResolvedRecord) -> Fraction | None:
    """Elements that one token adds to the cache: keys and values of its heads, or a latent vector and a rotary key."""
    values = {path: fact.value.value for path, fact in facts_of(record).items() if fact.value is not None}
    layers = values.get("num_hidden_layers")
    if layers is None:
        return None
    if "kv_lora_rank" in values:
        return layers * (values["kv_lora_rank"] + values.get("qk_rope_head_dim", Fraction(0)))
    heads, width = values.get("num_key_value_heads"), values.get("head_dim")
    return None if heads is None or width is None else 2 * layers * heads * width


def cache_table(site: Site, links: Links) -> Html | None:
    """A row a model, a column a number format."""
    sizes = {
        r.id: fact.value.base
        for r in site.base.of_kind(Kind.DTYPE)
        if (fact := facts_of(r).get("bytes")) and fact.value
    }
    dtypes = ordered(sizes, site)
    groups = []
    for record in site.base.of_kind(Kind.MODEL):
        elements = elements_per_token(record)
        if elements is not None:
            latent = "kv_lora_rank" in facts_of(record)
            first = Cell(
                joined(links.record(record.id), el("small", " latent") if latent else None), record.name, is_head=True
            )
            groups.append([Row((first, *(size_cell(elements * sizes[dtype]) for dtype in dtypes)))])
    return table(("Model", *(Num(dtype) for dtype in dtypes)), groups, caption="KV bytes per token", class_="matrix")


def size_cell(size: Fraction) -> Cell:
    """An amount of bytes."""
    value = Exact(size, "byte")
    return value_cell(value, el("span", readable(size, parse_unit("byte")), title=f"{value.fraction} byte"))


def ordered(dtypes: Iterable[str], site: Site) -> list[str]:
    """Number formats, the widest first."""

    def width(dtype: str) -> Fraction:
        fact = facts_of(site.base.records[dtype]).get("bits") if dtype in site.base.records else None
        return fact.value.value if fact is not None and fact.value is not None else Fraction(0)

    return sorted(dtypes, key=lambda dtype: (-width(dtype), dtype))
