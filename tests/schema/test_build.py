"""From documents to records: every field arrives, with its place."""

from __future__ import annotations

from flopkb.base.model import Basis, Binding, Kind, Reference, Status

from .reading import build, document, of_kind, record


def texts(bindings: tuple[Binding, ...]) -> dict[str, list[str]]:
    return {binding.name: [value.text for value in binding.values] for binding in bindings}


def named(references: tuple[Reference, ...]) -> list[tuple[str, str, str]]:
    return [(r.what, r.target.text, "/".join(sorted(kind.value for kind in r.kinds))) for r in references]


class TestEveryRecord:
    def test_what_all_kinds_share(self) -> None:
        dtype = record("everything_dtype")
        assert (dtype.id, dtype.kind, dtype.name) == ("everything_dtype", Kind.DTYPE, "A format with every field")
        assert dtype.status is Status.DEPRECATED
        assert [alias.text for alias in dtype.aliases] == ["format"]
        assert [(s.rule.text, s.reason.text) for s in dtype.suppressions] == [("unused-value", "kept for later")]
        assert str(dtype.id_at.location) == "everything_dtype.yaml:1:5"
        assert (dtype.path, dtype.dropped) == ("everything_dtype.yaml", frozenset())

    def test_references_of_a_record_as_a_whole(self) -> None:
        assert named(record("everything_source").references) == [
            ("sources", "other", "source"),
            ("renamed_to", "other_source", "source"),
            ("superseded_by", "third_source", "source"),
        ]


class TestFormulas:
    workload = record("everything_workload")

    def test_symbols(self) -> None:
        symbols = self.workload.symbols
        assert list(symbols) == ["B", "L", "r", "b", "peak", "cache", "two"]
        b, cache = symbols["b"], symbols["cache"]
        assert (b.name, b.meaning.text, b.unit and b.unit.text) == ("b", "bytes of an element", "byte")
        assert b.source is not None and b.source.text == "kv_dtype.bytes"
        assert cache.value is not None and (cache.value.text, cache.domain) == ("16 GiB", None)
        assert symbols["r"].unit is None and symbols["two"].value is not None and symbols["two"].value.value == 2

    def test_domains(self) -> None:
        domains = {name: symbol.domain for name, symbol in self.workload.symbols.items()}
        integer, rational, fractions, choice = (domains[name] for name in ("B", "L", "r", "b"))
        assert integer is not None and integer.integer is not None and integer.multiple_of is not None
        assert ([b.text for b in integer.integer], integer.multiple_of.value) == (["1", "64"], 2)
        assert rational is not None and rational.rational is not None and rational.multiple_of is not None
        assert ([b.text for b in rational.rational], rational.multiple_of.text) == (["0.5", "1e6"], "B")
        assert fractions is not None and fractions.rational is not None and fractions.rational[0].text == "1/3"
        assert choice is not None and choice.one_of is not None and [c.text for c in choice.one_of] == ["2", "1", "1/2"]

    def test_formulas(self) -> None:
        ai = self.workload.formulas["ai"]
        assert (ai.text, ai.unit.text, [w.text for w in ai.written]) == (
            "flops / (two*b)",
            "flop/byte",
            ["AI", "I"],
        )
        assert (self.workload.formulas["one"].text, self.workload.formulas["one"].unit.text) == ("1", "1")

    def test_points_and_figures(self) -> None:
        assert texts(self.workload.points["long"].bindings) == {"L": ["32768"], "B": ["1"], "cache": ["16 GiB"]}
        plain, full = self.workload.figures["plain"], self.workload.figures["full"]
        assert (plain.formula.text, plain.with_, plain.at, plain.over) == ("ai", (), None, ())
        models = {"model": ["llama_3_8b", "llama_2_70b"]}
        assert texts(full.with_) == {**models, "kv_dtype": ["bf16"], "B": ["8*r"], "L": ["4096"]}
        assert [binding.is_list for binding in full.with_] == [True, False, False, False]
        assert full.at is not None and (full.at.text, texts(full.over)) == ("long", {"B": ["1"]})

    def test_claims(self) -> None:
        claims = self.workload.claims
        relations = {name: claim.relation.text for name, claim in claims.items()}
        assert relations == {
            "no_batch": "independent_of",
            "same": "equals",
            "linear": "proportional_to",
            "power": "proportional_to",
            "up": "increasing_in",
            "down": "decreasing_in",
            "under": "at_most",
            "above": "at_least",
            "limit": "tends_to",
            "cross": "crosses",
            "somewhere": "exists",
        }
        terms = {n: [(t.text, e.text if e else None) for t, e in claim.terms] for n, claim in claims.items()}
        assert terms["linear"] == [("B", None), ("L", None)]
        assert terms["power"] == [("B", "1"), ("L", "-2")]
        assert terms["above"] == [("ai", None), ("0", None)]
        assert terms["same"] == [("flops / b", None)]
        assert [(k.text, v.text) for k, v in claims["limit"].limits] == [("B", "infinity"), ("r", "0")]
        assert [(k.text, v.text) for k, v in claims["cross"].options] == [("in", "B"), ("at", "345")]
        assert claims["under"].formula is None and texts(claims["under"].over)["dtype"] == ["bf16"]
        assert [w.text for w in claims["same"].where] == ["B > 1"]
        assert [w.text for w in claims["up"].where] == ["B > 1", "L >= B"]
        assert texts(claims["same"].given) == {"b": ["2"]}

    def test_rows(self) -> None:
        first, second = self.workload.rows
        assert (first.parameter.text, first.effect.text, first.basis) == (
            "memory_bandwidth",
            "Nothing helps.",
            Basis.DERIVED,
        )
        assert ([m.text for m in first.magnitude], first.demand, first.moves) == (["plain", "full"], False, True)
        assert first.cost is not None and first.cost.text == "roofline.time"
        assert [(p.text, e.text) for p, e in first.elasticity] == [("long", "-1"), ("h100", "-0.5")]
        assert [r.target.text for r in second.sources] == ["paper_one", "paper_two"]
        evidence = (second.as_printed, second.method, second.device, second.date)
        assert [e.text for e in evidence if e] == ["4x", "a copy kernel", "H100", "2026-10-05"]

    def test_corrections(self) -> None:
        first, second = self.workload.corrections
        assert (first.stated.text, first.now and first.now.text, first.now_claim) == ("ai == 1", "ai == 4", None)
        assert first.holds_when is not None and first.holds_when.text == "B == 1"
        assert [texts(b) for _, b in first.counterexamples] == [{"B": ["4"]}]
        assert [texts(b) for _, b in second.counterexamples] == [{"B": ["4"]}, {"B": ["8"], "b": ["1"]}]
        assert second.now is None and second.now_claim is not None and second.now_claim.text == "same"

    def test_references(self) -> None:
        assert named(self.workload.references) == [
            ("sources", "paper_one", "source"),
            ("renamed_to", "other_class", "workload_class"),
            ("superseded_by", "third_class", "workload_class"),
            ("affected_by_hardware", "nvidia_h100_sxm", "accelerator"),
            ("hardware_parameters.memory_bandwidth.values_for", "nvidia_h100_sxm", "accelerator"),
            ("hardware_parameters.memory_capacity.source", "paper_one", "source"),
            ("hardware_parameters.memory_capacity.source", "paper_two", "source"),
        ]

    def test_prose_in_reading_order(self) -> None:
        assert [prose.field for prose in self.workload.prose] == [
            "assumptions",
            *(f"symbols.{name}.meaning" for name in ("B", "L", "r", "b", "peak", "cache", "two")),
            "claims.10.note",
            "arithmetic_intensity",
            "implications",
            "corrections.0.note",
            "notes",
            "history.0.change",
        ]


class TestFacts:
    part = record("everything_accelerator")

    def test_paths_and_units(self) -> None:
        assert {path: fact.unit for path, fact in self.part.facts.items()} == {
            "memory_bandwidth": "byte/s",
            "memory_capacity": "byte",
            "usable_memory": "byte",
            "memory_bus_width": "pin",
            "memory_pin_rate": "bit/s",
            "l2_cache_size": "byte",
            "shared_memory_capacity": "byte",
            "register_file_size": "byte",
            "core_count": "core",
            "tensor_core_count": "1",
            "boost_clock": "1/s",
            "interconnect_bandwidth": "byte/s",
            "host_bandwidth": "byte/s",
            "tdp": "W",
            "peak_flops.bf16": "flop/s",
            "peak_flops.bf16_sparse": "flop/s",
            "peak_flops.fp8": "flop/s",
            "peak_flops.int4": "flop/s",
        }

    def test_a_recorded_value_with_a_dispute(self) -> None:
        fact = self.part.facts["memory_bandwidth"]
        assert fact.value is not None and (fact.value.text, fact.basis) == ("3350 GB/s", Basis.RECORDED)
        assert fact.as_printed is not None and fact.reading is not None and fact.preferred is not None
        assert (fact.as_printed.text, fact.reading.text) == ("3.35TB/s", "1000*printed")
        (other,) = fact.disputed
        assert other.value is not None and (other.value.text, other.basis, other.unit) == (
            "3430 GB/s",
            Basis.MEASURED,
            "byte/s",
        )
        assert [r.target.text for r in other.sources] == ["other", "third"]

    def test_a_measured_and_a_derived_value(self) -> None:
        cache, cores = self.part.facts["l2_cache_size"], self.part.facts["tensor_core_count"]
        assert [e.text for e in (cache.method, cache.device, cache.date) if e] == [
            "a pointer chase",
            "SXM5",
            "2026-10-05",
        ]
        assert cores.formula is not None and (cores.formula.text, cores.basis) == ("4*core_count", Basis.DERIVED)

    def test_peaks(self) -> None:
        facts = self.part.facts
        rows = {
            path: (f.dtype and f.dtype.target.text, f.sparsity, f.accumulate, f.absent) for path, f in facts.items()
        }
        assert {path: row for path, row in rows.items() if path.startswith("peak")} == {
            "peak_flops.bf16": ("bf16", "dense", "fp32", None),
            "peak_flops.bf16_sparse": ("bf16", "sparse", None, None),
            "peak_flops.fp8": ("fp8", "dense", None, "not_supported"),
            "peak_flops.int4": ("int4", "dense", None, "not_published"),
        }
        assert (facts["peak_flops.fp8"].value, facts["peak_flops.fp8"].basis) == (None, Basis.UNVERIFIED)
        assert facts["peak_flops.int4"].basis is Basis.RECORDED

    def test_a_plain_number_rests_on_the_records_sources(self) -> None:
        fact = self.part.facts["core_count"]
        assert fact.value is fact.as_printed and fact.basis is Basis.RECORDED
        assert [r.target.text for r in fact.sources] == ["sheet"]

    def test_references(self) -> None:
        assert named(self.part.references) == [
            ("sources", "sheet", "source"),
            ("renamed_to", "other_part", "accelerator"),
            ("superseded_by", "third_part", "accelerator"),
            ("memory_bandwidth.source", "sheet", "source"),
            ("memory_bandwidth.disputed.source", "other", "source"),
            ("memory_bandwidth.disputed.source", "third", "source"),
            ("memory_bus_width.source", "sheet", "source"),
            ("peak_flops.bf16.source", "sheet", "source"),
            ("peak_flops.bf16.dtype", "bf16", "dtype"),
            ("peak_flops.bf16.disputed.source", "other", "source"),
            ("peak_flops.bf16_sparse.source", "sheet", "source"),
            ("peak_flops.bf16_sparse.dtype", "bf16", "dtype"),
            ("peak_flops.fp8.dtype", "fp8", "dtype"),
            ("peak_flops.int4.source", "sheet", "source"),
            ("peak_flops.int4.dtype", "int4", "dtype"),
            ("peak_flops.bf16.accumulate", "fp32", "dtype"),
        ]

    def test_prose(self) -> None:
        assert [prose.field for prose in self.part.prose] == [
            "memory_bandwidth.disputed.0.note",
            "memory_bandwidth.preferred",
            "memory_bandwidth.note",
            "peak_flops.bf16.preferred",
            "peak_flops.bf16.note",
            "peak_flops.int4.note",
            "notes",
            "history.0.change",
        ]

    def test_a_models_numbers_are_those_of_its_config(self) -> None:
        model = record("everything_model")
        fact = model.facts["num_key_value_heads"]
        assert [r.target.text for r in fact.sources] == ["config"] and fact.basis is Basis.RECORDED
        (card,) = fact.disputed
        assert card.value is not None and (card.value.value, card.sources[0].target.text) == (64, "card")
        assert fact.preferred is not None and fact.preferred.text == "config"
        tied = model.facts["tie_word_embeddings"]
        assert tied.value is not None and (tied.value.value, tied.as_printed) == (False, None)
        assert ("config_source", "config", "source") in named(model.references)

    def test_each_part_of_a_model_has_facts_of_its_own(self) -> None:
        model = record("every_layer_type")
        assert model.layers is not None
        full = model.layers.mixers["full_attention_part"]
        assert (full.type.text, full.prefix) == ("full_attention", "mixers.full_attention_part.")
        assert {name: word.text for name, word in full.words.items()} == {
            "reuses": "full",
            "state_dtype": "fp32",
            "conv_dtype": "bf16",
        }
        heads = model.facts["mixers.full_attention_part.num_attention_heads"]
        assert (heads.unit, heads.basis, heads.value is not None and heads.value.value) == ("head", Basis.RECORDED, 1)
        assert model.facts["mixers.full_attention_part.mixer_vectors"].unit == "parameter"
        assert [group.count for group in model.layers.groups] == [2, 3]
        assert model.layers.counts("mixer") == {"full_attention_part": 2}
        assert model.layers.counts("feed_forward") == {"gated_part": 2}

    def test_layers_that_are_alike_have_their_fields_beside_the_models(self) -> None:
        layers = record("everything_model").layers
        assert layers is not None
        (part,) = layers.mixers.values()
        assert (part.name, part.type.text, part.prefix) == ("full_attention", "full_attention", "")
        assert layers.counts("mixer") == {"full_attention": None}

    def test_a_number_format(self) -> None:
        facts = record("everything_dtype").facts
        assert {path: fact.unit for path, fact in facts.items()} == {
            "bits": "bit",
            "bytes": "byte",
            "code_bytes": "byte",
            "group_size": "element",
            "scale_bits": "bit",
            "zero_point_bits": "bit",
            "super_group_size": "element",
            "super_scale_bits": "bit",
            "super_zero_point_bits": "bit",
            "tensor_scale_bits": "bit",
            "scales_left_out": "1",
        }


class TestFaultyParts:
    """A faulty entry is left out, and its name is kept; the rest is built."""

    def test_entries_of_sections(self) -> None:
        body = (
            "formulas:\n  x: {expr: n, unit: byte}\n  v: {expr: n}\n"
            "figures:\n  f: {formula: x}\n  g: {formula: [x]}\n  9h: {formula: x}\n"
            "claims:\n  - {id: c, at_most: [x]}\n  - {id: d, at_most: [x, 2]}\n"
        )
        built = build(document(of_kind("formula", body)))
        assert built is not None
        assert (list(built.formulas), list(built.figures), list(built.claims)) == (["x"], ["f"], ["d"])
        assert built.dropped == {"formulas.v", "figures.g", "figures.9h", "claims.0"}

    def test_fields_and_disputes(self) -> None:
        body = (
            "tdp: {value: 700 W, basis: recorded, source: s, disputed: [{value: 3 W}, {value: 4 W, source: t}]}\n"
            "memory_capacity: {value: 80, basis: recorded}\n"
        )
        built = build(document(of_kind("accelerator", body)))
        assert built is not None
        assert list(built.facts) == ["tdp"]
        assert [d.value and d.value.text for d in built.facts["tdp"].disputed] == ["4 W"]
        assert built.dropped == {"tdp.disputed.0", "memory_capacity"}

    def test_the_first_of_two_claims_with_one_id_stands(self) -> None:
        body = (
            "formulas:\n  x: {expr: n, unit: byte}\nclaims:\n  - {id: c, exists: x > 1}\n  - {id: c, exists: x > 2}\n"
        )
        built = build(document(of_kind("formula", body)))
        assert built is not None and built.claims["c"].terms[0][0].text == "x > 1"
