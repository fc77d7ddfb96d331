"""The ways in: the start page, and the index of each kind with what one compares its records by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

from flopkb.arithmetic.numbers.writing import digits_text, short_text
from flopkb.arithmetic.units import parse_unit
from flopkb.base.faults import Fault, NotApplicable, Unavailable
from flopkb.base.model import Kind
from flopkb.publishing.export.anchors import SUFFIX, Links, ask_place
from flopkb.publishing.export.comparisons import CACHES, RIDGES, ComparedRow, Comparison, compared, formats_of
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.html.cross import every_claim, open_questions
from flopkb.publishing.export.html.layout import CROSS, PageParts, Part, filter_box, part
from flopkb.publishing.export.html.writer import SiteWriter
from flopkb.publishing.export.resolved import KINDS, ResolvedRecord, scalars_of
from flopkb.publishing.pages.blocks import ColumnHead, Items, RecordTable, RowCell, TableRow
from flopkb.publishing.pages.elements import Html, el, joined
from flopkb.publishing.pages.figures import titled
from flopkb.publishing.pages.inlines import Aside, Code, Day, Flow, Remark, SiteLink, Styled, Words
from flopkb.publishing.pages.lookups import DISPUTED, TITLES, Lookups, count_cell, status_mark, value_cell
from flopkb.publishing.plot.options import named_in

Cells = Sequence[RowCell | Flow]


def kind_page(look: Lookups, kind: Kind) -> PageParts:
    """The records of a kind."""
    heads, cells = COLUMNS[kind]
    groups = [[record_row(record, look, cells(record, look))] for record in look.base.of_kind(kind)]
    writer, title = SiteWriter(Links(look.base)), TITLES[kind]
    columns = (ColumnHead("Record"), ColumnHead("Status"), *heads)
    listed = writer.html(RecordTable(columns, groups, title, f"records {kind.value}")) or el("p", "None yet.")
    lead = joined(el("header", el("h1", title), class_="title"), filter_box(len(groups)), listed)
    parts: tuple[Part, ...] = ()
    if kind is Kind.ACCELERATOR:
        parts = (part("ridges", "Ridge by part and precision", noted(RIDGE_NOTE, ridge_table(look), writer)),)
    if kind is Kind.MODEL:
        parts = (part("caches", "KV bytes per token by format", noted(CACHE_NOTE, cache_table(look), writer)),)
    return PageParts(f"{kind.folder}{SUFFIX}", title, lead, parts, kind.folder, wide=True)


def noted(note: str, table: RecordTable, writer: SiteWriter) -> Html:
    """A table with a remark before it, or nothing."""
    made = writer.html(table)
    return joined(el("p", note, class_="note"), made) if made else made


def record_row(record: ResolvedRecord, look: Lookups, cells: Cells) -> TableRow:
    """A record on one line."""
    name = RowCell((look.record(record.id), " ", Code(record.id, "id")), record.name, is_head=True)
    return TableRow((name, status_mark(record.status), *cells))


def written(record: ResolvedRecord, path: str, scale: Fraction | None = None) -> RowCell:
    """A recorded value as it is written; with a ``scale`` in the unit of its column, in few digits where it needs many."""
    fact = next((fact for fact in record.facts if fact.path == path), None)
    if fact is None:
        by_layer = any(other.path.endswith(f".{path}") for other in record.facts)
        lacks = "has none" if record.kind is Kind.MODEL else "not recorded"
        return RowCell(Aside("by layer" if by_layer else lacks), "", number=True)
    shown: Flow = Words(fact.written) if fact.written is not None else Aside(Words(fact.absent.replace("_", " ")))
    if scale is not None and fact.value is not None:
        shown = Words(in_few_digits(fact.value.base / scale))
    return value_cell(fact.value, (shown, (" ", DISPUTED) if fact.contested else None))


def in_few_digits(value: Fraction) -> str:
    """All digits where they are no more than five, else three."""
    whole = digits_text(value, SHOWN)
    return whole if Fraction(whole.replace(",", "")) == value else digits_text(value, SHORT)


def units(*names: str) -> list[Fraction | None]:
    """The scales of the units of columns; None where values stand as they are written."""
    return [parse_unit(name).scale if name else None for name in names]


def plain(record: ResolvedRecord, name: str) -> str:
    """A plain field."""
    return ", ".join(scalars_of(record.fields.get(name)))


def workload_cells(record: ResolvedRecord, look: Lookups) -> Cells:
    """What bounds a class, and how much is in its record."""
    return (plain(record, "bound_by"), *formula_cells(record, look), count_cell(len(record.rows)))


def formula_cells(record: ResolvedRecord, look: Lookups) -> Cells:
    """How much is in the record."""
    found = (record.formulas, record.figures, record.claims, record.corrections)
    return tuple(count_cell(len(entries)) for entries in found)


def accelerator_cells(record: ResolvedRecord, look: Lookups) -> Cells:
    """Memory, peaks and power."""
    paths = ("memory_bandwidth", "memory_capacity", "peak_flops.bf16", "peak_flops.fp8", "peak_flops.int8", "tdp")
    scales = units("TB/s", "GiB", "TFLOP/s", "TFLOP/s", "TFLOP/s", "W")
    fields = (plain(record, name) for name in ("vendor", "announced", "memory_type"))
    return (*fields, *(written(record, path, scale) for path, scale in zip(paths, scales, strict=True)))


def interconnect_cells(record: ResolvedRecord, look: Lookups) -> Cells:
    """Bandwidths, each way."""
    paths = ("bandwidth", "link_bandwidth", "link_count")
    return plain(record, "vendor"), *(
        written(record, path, scale) for path, scale in zip(paths, units("GB/s", "GB/s", ""), strict=True)
    )


def model_cells(record: ResolvedRecord, look: Lookups) -> Cells:
    """The shape."""
    heads = ("num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim", "hidden_size")
    sizes = (written(record, "num_parameters", Fraction(10**9)), written(record, "max_position_embeddings"))
    return (plain(record, "developer"), *(written(record, path) for path in heads), *sizes)


def dtype_cells(record: ResolvedRecord, look: Lookups) -> Cells:
    """Widths."""
    return tuple(written(record, path) for path in ("bits", "bytes", "group_size", "super_group_size"))


def vocabulary_cells(record: ResolvedRecord, look: Lookups) -> Cells:
    """How much it declares."""
    return count_cell(len(record.symbols)), count_cell(len(record.groups))


def source_cells(record: ResolvedRecord, look: Lookups) -> Cells:
    """What it is, and how much rests on it."""
    base = look.base
    values = sum(1 for fact in base.facts if record.id in fact.sources)
    cited = sum(1 for other in base.records.values() if record.id in (*other.sources, *other.citations))
    who = scalars_of(record.fields.get("authors")) or scalars_of(record.fields.get("organisation"))
    authors = f"{who[0]} and others" if len(who) > 2 else "; ".join(who)
    year = RowCell(plain(record, "year"), number=True)
    about = (plain(record, "source_kind"), plain(record, "title"), authors, year)
    return (*about, count_cell(values), count_cell(cited))


def heads(texts: str, numbers: str) -> tuple[ColumnHead, ...]:
    """The heads of columns of texts, then of numbers, as lists with commas."""
    named = [ColumnHead(name) for name in texts.split(", ") if name]
    return (*named, *(ColumnHead(name, number=True) for name in numbers.split(", ")))


_COUNTS = "Formulas, Figures, Claims, Corrections"
_MEMORY = "Bandwidth (TB/s), Capacity (GiB), bf16 dense (TFLOP/s), fp8 dense (TFLOP/s), int8 dense (TOPS), Power (W)"
_SHAPE = "Layers, Query heads, KV heads, Head width, Hidden size, Parameters (10⁹), Context"
COLUMNS: dict[Kind, tuple[tuple[ColumnHead, ...], Callable[[ResolvedRecord, Lookups], Cells]]] = {
    Kind.WORKLOAD_CLASS: (heads("Bound by", f"{_COUNTS}, Hardware rows"), workload_cells),
    Kind.FORMULA: (heads("", _COUNTS), formula_cells),
    Kind.VOCABULARY: (heads("", "Symbols, Groups"), vocabulary_cells),
    Kind.ACCELERATOR: (heads("Vendor, Year, Memory", _MEMORY), accelerator_cells),
    Kind.INTERCONNECT: (heads("Vendor", "Bandwidth (GB/s), A link (GB/s), Links"), interconnect_cells),
    Kind.MODEL: (heads("Developer", _SHAPE), model_cells),
    Kind.DTYPE: (heads("", "Bits, Bytes, Group, Super-group"), dtype_cells),
    Kind.SOURCE: (heads("Kind, Title, Authors", "Year, Values, Cited by"), source_cells),
}

# -- the start page ---------------------------------------------------------------------------------------------------
LATEST, MOST_QUOTED, FIRST, SHORT, SHOWN = 8, 4, 12, 3, 5
LEAD = (
    "Every number here is tied to a formula and its inputs, and was recomputed when this page was made. "
    "Follow a number to what it is made of, or ask a formula in its page."
)


def start_page(look: Lookups) -> PageParts:
    """What there is, what is quoted most, how parts and models compare, what changed last."""
    writer, title = SiteWriter(Links(look.base)), "Ridge by part and precision"
    parts = (
        part("classes", "Workload classes", record_cards(look, Kind.WORKLOAD_CLASS, writer)),
        part("costs", "Formulas", record_cards(look, Kind.FORMULA, writer)),
        part(
            "ridges",
            title,
            noted(RIDGE_NOTE, ridge_table(look, few=True), writer),
            more(Kind.ACCELERATOR),
            short="Ridges",
        ),
        part("caches", "KV bytes per token", noted(CACHE_NOTE, cache_table(look, few=True), writer), more(Kind.MODEL)),
        part("changes", "Latest changes", writer.html(latest(look))),
    )
    tiles = [tile(kind.folder, TITLES[kind], len(look.base.of_kind(kind))) for kind in KINDS]
    counts = {"figures": len(look.figures), "claims": len(every_claim(look)), "open": open_questions(look).count}
    tiles += [tile(name, title, counts[name]) for name, title in CROSS]
    heading = el("h1", "What LLM inference costs")
    lead = el("header", heading, el("p", LEAD, class_="lead"), el("ul", *tiles, class_="tiles"), class_="title")
    return PageParts("index.html", "flopkb: what LLM inference costs", lead, parts, "index")


def more(kind: Kind) -> Html:
    """The way to the whole of a table of which the start page shows a part."""
    return el("p", el("a", f"All {TITLES[kind].lower()} and formats", href=f"{kind.folder}{SUFFIX}"), class_="note")


def tile(name: str, title: str, count: int) -> Html:
    """A way into an index, with how much is behind it."""
    return el("li", el("a", el("b", str(count)), " ", title, href=f"{name}{SUFFIX}"))


def record_cards(look: Lookups, kind: Kind, writer: SiteWriter) -> Html | None:
    """Records with the beginning of what they say, and their figures that are quoted most."""
    cards = []
    for record in look.base.of_kind(kind):
        counts = [bound_by(record), f"{len(record.figures)} figures", f"{len(record.claims)} claims"]
        told = el("p", el("small", " · ".join(filter(None, counts))))
        name = el("h3", writer.flow(look.record(record.id)))
        cards.append(el("li", name, opening(record), leading(record, look, writer), told))
    return el("ul", *cards, class_="cards") if cards else None


def leading(record: ResolvedRecord, look: Lookups, writer: SiteWriter) -> Html | None:
    """The figures that are quoted most, in the words that quote them."""
    by_use = sorted(record.figures, key=lambda figure: -len(look.quotes.get(figure.key, ())))
    shown = [(figure, look.as_quoted(figure)) for figure in by_use[:MOST_QUOTED]]
    pairs = [
        (el("dt", titled(figure, look)), el("dd", writer.flow(look.figure(figure.key, "", Words(said)))))
        for figure, said in shown
        if said
    ]
    return el("dl", *pairs, class_="leading") if pairs else None


def bound_by(record: ResolvedRecord) -> str:
    """What bounds a class."""
    bound = scalars_of(record.fields.get("bound_by"))
    return f"bound by {bound[0]}" if bound and bound[0] != "depends" else ""


def opening(record: ResolvedRecord) -> Html | None:
    """The first sentence of the record that is all words, as it is read."""
    for field in record.prose:
        if "." not in field.prose.field:
            reading = field.reading
            for start, end in list(reading.sentences)[:FIRST]:
                sentence = " ".join(reading.plain[start:end].split())
                if is_wordy(sentence):
                    return el("p", sentence)
            return None
    return None


def is_wordy(sentence: str) -> bool:
    """Whether a sentence can stand alone: it ends, is no catchword, and holds no formula."""
    return sentence.endswith(".") and sentence.count(" ") > 5 and not any(sign in sentence for sign in "=*\\{")


def latest(look: Lookups) -> Items:
    """The last entries of all histories and corrections."""
    found: list[tuple[str, str, Flow]] = []
    for record in look.base.records.values():
        for correction in record.corrections:
            found.append((correction.date, record.id, ("corrected: ", Styled("del", Code(correction.own.stated.text)))))
        told = ((date, Remark(change, record.id, anchors=False) if change else None) for date, change in record.history)
        found += [(date, record.id, Styled("span", change)) for date, change in told]
    found.sort(key=lambda entry: entry[1])
    found.sort(key=lambda entry: entry[0], reverse=True)
    lines: list[Flow] = [(Day(date), " ", look.record(id), ": ", told) for date, id, told in found[:LATEST]]
    return Items(lines, "history", ordered=True)


RIDGE_NOTE = "Dense peak rate over memory bandwidth, in flop per byte: below it a kernel waits for memory."
CACHE_NOTE = (
    "What one token adds to the cache of a sequence, scales of a format counted with it; "
    "models with windows have no such number."
)


def ridge_table(look: Lookups, *, few: bool = False) -> RecordTable:
    """A row a part, a column a precision; ``few`` of both are those that the base names most."""
    return comparison_table(RIDGES, look, "Part", "Ridge by part and precision", few=few)


def cache_table(look: Lookups, *, few: bool = False) -> RecordTable:
    """A row a model, a column a number format; ``few`` of both are those that the base names most."""
    return comparison_table(CACHES, look, "Model", "KV bytes per token", few=few)


def comparison_table(comparison: Comparison, look: Lookups, head: str, caption: str, *, few: bool) -> RecordTable:
    """The table of a comparison; empty where no formula of the base has a value in it."""
    base, ids = look.base.base, [record.id for record in look.base.of_kind(comparison.kind)]
    named = named_in(base)
    rows = compared(comparison, base, most(ids, named, FIRST) if few else ids)
    formats = most(formats_of(rows, base), named, MOST_QUOTED) if few else formats_of(rows, base)
    groups = []
    for row in rows:
        record = (look.record(row.record), Aside(f" {row.mark}") if row.mark else None)
        first = RowCell(record, base.records[row.record].name, is_head=True)
        groups.append([TableRow((first, *(compared_cell(row, id, comparison, look) for id in formats)))])
    heads = (ColumnHead(head), *(ColumnHead(name, number=True) for name in formats))
    return RecordTable(heads, groups, caption, "matrix")


def most(ids: list[str], named: Counter[str], count: int) -> list[str]:
    """Those of some records that the base names most, in their order."""
    chosen = sorted(ids, key=lambda id: -named[id])[:count]
    return [id for id in ids if id in chosen]


def compared_cell(row: ComparedRow, format: str, comparison: Comparison, look: Lookups) -> RowCell:
    """A value as a reader takes it in, marked where a source states an input otherwise; or why there is none."""
    found = row.values[format]
    if isinstance(found, Fault):
        return RowCell(Aside(Words(why_not(found, look.base.records[row.record], format))), "", number=True)
    place = ask_place(row.formula, ((comparison.row, row.record), (comparison.column, format)))
    value = Exact.of_base(found.bases[0], found.unit.removesuffix("/token"))  # which the caption says
    shown = short_text(value.base, parse_unit(value.unit)) if value.unit == "byte" else digits_text(value.value, SHORT)
    contested = found.computed is not None and found.computed.contested()
    mark = (" ", DISPUTED) if contested else None
    return value_cell(value, (SiteLink(place, Words(shown), "q q-fig"), mark))


def why_not(fault: Fault, record: ResolvedRecord, format: str) -> str:
    """Why a cell has no value, in a few words."""
    if isinstance(fault, NotApplicable):
        return fault.words
    if not isinstance(fault, Unavailable):
        return "no one value"
    rows = [fact for fact in record.facts if fact.dtype == format]
    absent = next((fact.absent.replace("_", " ") for fact in rows if fact.absent), "")
    return absent or ("sparse alone" if rows else "not recorded")
