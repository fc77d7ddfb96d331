"""What formulas require and assume, and how an answer says so: in Python, in `eval`, in tables and exports."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction as F

import pytest
from click.testing import CliRunner, Result
from conftest import TinyBase

import flopkb
from flopkb.base.faults import NotApplicable
from flopkb.commands.main import main

FITS = (
    "symbols:\n"
    "  weights: {meaning: weights, unit: byte, domain: {rational: [1, 1000000000000]}}\n"
    "  each: {meaning: bytes of a sequence, unit: byte, domain: {rational: [1, 1000000000000]}}\n"
    "  n: {meaning: sequences, unit: sequence, domain: {integer: [0, 1000]}}\n"
    "  memory: {meaning: memory, unit: byte, from: [accelerator.l2_cache_size, accelerator.memory_capacity]}\n"
    "  rate: {meaning: bandwidth, unit: byte/s, from: accelerator.memory_bandwidth}\n"
    "  trained: {meaning: longest context, unit: token, from: model.max_position_embeddings}\n"
    "  L: {meaning: context, unit: token}\n"
    "formulas:\n"
    "  footprint: {expr: weights + n*each, unit: byte}\n"
    "  time:\n    expr: weights / rate\n    unit: s\n"
    "    requires: [{that: footprint <= memory, else: does not fit}]\n"
    "  slower: {expr: 2*time, unit: s}\n"
    "  room: {expr: (memory - weights) / each, unit: sequence}\n"
    "  reach: {expr: 2*L, unit: token, assumes: [{that: L <= trained, else: trained context exceeded}]}\n"
)
PART = {"accelerator": "gpu"}  # 80 GB at 2 TB/s, and no cache


@pytest.fixture
def fits(base: TinyBase) -> TinyBase:
    base.formula("fits", FITS)
    return base


def value(base: TinyBase, formula: str, **inputs: str | int) -> flopkb.FigureValue:
    return flopkb.load(base.records).evaluate(formula, **inputs)


def refusal(base: TinyBase, formula: str, **inputs: str | int) -> NotApplicable:
    with pytest.raises(flopkb.FlopkbError) as caught:
        value(base, formula, **inputs)
    fault = caught.value.fault
    assert isinstance(fault, NotApplicable)
    return fault


def test_where_it_holds_there_is_a_value(fits: TinyBase) -> None:
    assert value(fits, "fits.time", weights="60 GB", n=2, each="10 GB", **PART).value == F(60, 2000)


def test_where_it_does_not_there_is_a_reason_with_the_numbers(fits: TinyBase) -> None:
    fault = refusal(fits, "fits.time", weights="60 GB", n=3, each="10 GB", **PART)
    assert str(fault) == (
        "fits.time is not applicable: does not fit: footprint is 90 GB, not at most memory, which is 80 GB"
    )


def test_what_a_formula_on_the_way_requires_is_required(fits: TinyBase) -> None:
    assert value(fits, "fits.slower", weights="60 GB", n=2, each="10 GB", **PART).value == F(120, 2000)
    assert refusal(fits, "fits.slower", weights="90 GB", n=0, each=1, **PART).formula == "fits.time"


def test_a_side_may_give_a_formula_inputs_of_its_own(base: TinyBase) -> None:
    asked = FITS.replace("that: footprint <= memory", 'that: "footprint(n=2*n) <= memory"')
    base.formula("fits", asked)
    assert value(base, "fits.time", weights="60 GB", n=1, each="10 GB", **PART).value == F(60, 2000)
    fault = refusal(base, "fits.time", weights="60 GB", n=2, each="10 GB", **PART)
    assert str(fault) == (
        "fits.time is not applicable: does not fit: footprint(n=2 * n) is 100 GB, not at most memory, which is 80 GB"
    )


def test_a_side_that_gives_inputs_to_what_has_none_is_a_finding(base: TinyBase) -> None:
    base.formula("fits", FITS.replace("that: footprint <= memory", 'that: "memory(n=2) <= memory"'))
    assert base.lines() == [
        "records/formulas/fits.yaml:19:24: error: formula-syntax: memory is no formula, so it takes no inputs; "
        "to multiply write *"
    ]


def test_without_the_part_it_is_not_asked(fits: TinyBase) -> None:
    assert value(fits, "fits.time", weights="900 GB", rate="1 TB/s").value == F(9, 10)


def test_an_input_that_is_lacking_although_the_part_is_named_refuses(fits: TinyBase) -> None:
    fault = refusal(fits, "fits.time", weights="60 GB", **PART)
    assert (fault.words, fault.detail) == ("it is not known whether footprint <= memory", "that needs n, each")


def test_a_count_below_nothing_is_none(fits: TinyBase) -> None:
    assert value(fits, "fits.room", weights="80 GB", each="10 GB", **PART).value == 0
    assert refusal(fits, "fits.room", weights="100 GB", each="10 GB", **PART).detail == "it would be -2 sequence"


def test_a_requirement_of_the_record_is_one_of_all_its_formulas(fits: TinyBase) -> None:
    fits.formula("fits", FITS.replace("formulas:\n", "requires: [{that: n <= 4, else: too many}]\nformulas:\n"))
    assert value(fits, "fits.footprint", weights=1, n=4, each=1).value == 5
    assert refusal(fits, "fits.footprint", weights=1, n=5, each=1).words == "too many"


def test_both_sides_of_a_ratio_must_apply(fits: TinyBase) -> None:
    fits.formula(
        "other",
        "figures:\n"
        "  up: {formula: fits.time, with: {weights: 60 GB, n: 0, each: 1, accelerator: gpu}, over: {weights: 90 GB}}\n"
        'formulas:\n  one: {expr: 1, unit: "1"}\nderivation: |\n  [0.67](fig:up), [1](fig:one).\n',
    )
    found = [line for line in fits.lines() if "other" in line]
    assert (
        len(found) == 1 and "not-applicable: fits.time is not applicable: does not fit: footprint is 90 GB" in found[0]
    )


def test_an_assumption_that_holds_is_not_said_and_one_that_does_not_is(fits: TinyBase) -> None:
    model = (fits.records / "models" / "llm.yaml").read_text()
    fits.write("models/llm.yaml", model.replace("head_dim: 100\n", "head_dim: 100\nmax_position_embeddings: 4096\n"))
    assert value(fits, "fits.reach", L=4096, model="llm").assumes == ()
    assert value(fits, "fits.reach", L=4097, model="llm").assumes == (
        "trained context exceeded (L is 4097 token, not at most trained, which is 4096 token)",
    )


def test_an_assumption_that_is_unknown_is_said_where_it_is_about_a_thing(fits: TinyBase) -> None:
    assert value(fits, "fits.reach", L=8).assumes == ()
    (line,) = value(fits, "fits.reach", L=8, model="llm").assumes
    assert line.startswith("not known whether L <= trained (llm records no max_position_embeddings")


def test_a_later_source_is_an_assumption_of_the_answer_that_takes_it(fits: TinyBase) -> None:
    nominal = ("memory is the memory_capacity of gpu, which records no l2_cache_size",)
    assert value(fits, "fits.room", weights="60 GB", each="10 GB", **PART).assumes == nominal
    assert value(fits, "fits.room", weights="60 GB", each="10 GB", memory="70 GB").assumes == ()


def test_a_format_of_codes_alone_says_that_scales_are_not_counted(base: TinyBase) -> None:
    base.write(
        "dtypes/codes.yaml",
        (
            "id: codes\nkind: dtype\nname: Codes\nstatus: verified\nupdated: 2026-01-05\nsources: [sheet]\nbits: 4\n"
            "is_floating: false\nbytes: {value: 0.5 byte, basis: derived, formula: bits}\ngroup_size: 32\nscale_bits: 16\n"
            "scales_left_out: true\n"
        ),
    )
    inputs = {"model": "llm", "L": 10}
    base.change("formulas/cache.yaml", {"one_of: [1, 2, 4]": "rational: [1/4, 4]"})
    assert value(base, "cache.size", kv_dtype="codes", **inputs).assumes == (
        "scales not counted: codes.bytes is the code alone",
    )
    assert value(base, "cache.size", kv_dtype="bf16", **inputs).assumes == ()


# The command.


def run(base: TinyBase, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["eval", *arguments, "--records", str(base.records)])


def test_json_is_one_object_alone(fits: TinyBase) -> None:
    done = run(fits, "fits.time", "weights=60 GB", "n=2", "each=10 GB", "accelerator=gpu", "--format", "json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {
        "value": "3/100",
        "unit": "s",
        "text": "30 ms",
        "assumes": ["memory is the memory_capacity of gpu, which records no l2_cache_size"],
    }


def test_json_holds_whole_numbers_exactly(base: TinyBase) -> None:
    done = run(base, "cache.size", "L=100000", "n=8", "b=1", "--format", "json")
    assert json.loads(done.stdout) == {"value": "800000", "unit": "byte", "text": "800 kB", "assumes": []}


def test_json_gives_the_reason_where_there_is_no_value(fits: TinyBase) -> None:
    done = run(fits, "fits.time", "weights=90 GB", "n=1", "each=1", "accelerator=gpu", "--format", "json")
    assert done.exit_code == 1
    reason = "not applicable: does not fit: footprint is 90.000000001 GB, not at most memory, which is 80 GB"
    assert json.loads(done.stdout) == {"reason": reason}


def test_json_gives_the_reason_of_a_call_that_can_be_mended(fits: TinyBase) -> None:
    done = run(fits, "fits.footprint", "weights=90 GB", "--format", "json")
    assert done.exit_code == 2
    missing = "missing inputs n (sequences), each (bytes of a sequence); add n=VALUE each=VALUE"
    assert json.loads(done.stdout) == {"reason": f"fits.footprint: {missing}"}


SWEPT = ("fits.time", "weights=60 GB,90 GB", "n=0", "each=1", "accelerator=gpu")


def test_several_values_are_a_list_with_what_was_chosen(fits: TinyBase) -> None:
    done = run(fits, *SWEPT, "--format", "json")
    one, other = json.loads(done.stdout)
    assert done.exit_code == 0
    assert (one["inputs"], one["value"], other["inputs"]) == ({"weights": "60 GB"}, "3/100", {"weights": "90 GB"})
    assert other.keys() == {"inputs", "reason"} and "does not fit" in other["reason"]


def test_several_values_are_rows(fits: TinyBase) -> None:
    rows = list(csv.reader(io.StringIO(run(fits, *SWEPT, "--format", "csv").stdout)))
    assert rows[0] == ["weights", "value", "unit", "text", "assumes", "reason"]
    assert rows[1][:4] == ["60 GB", "3/100", "s", "30 ms"] and rows[2][:4] == ["90 GB", "", "", ""]
    assert run(fits, *SWEPT, "--format", "markdown").stdout.splitlines()[:4] == [
        "| weights | value |",
        "|---|---:|",
        "| 60 GB | 30 ms |",
        "| 90 GB | does not fit |",
    ]
    text = run(fits, *SWEPT).stdout.splitlines()
    assert text[0].split() == ["weights", "value"] and text[1].split() == ["60", "GB", "30", "ms"]
    assert text[2].startswith("90 GB    not applicable: does not fit")


def test_where_no_choice_has_a_value_the_reason_is_the_answer(fits: TinyBase) -> None:
    done = run(fits, "fits.time", "weights=100 GB,90 GB", "n=0", "each=1", "accelerator=gpu")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("flopkb: fits.time: not applicable: does not fit: footprint is 100 GB")


def test_assumptions_stand_with_the_text_and_in_explain(fits: TinyBase) -> None:
    done = run(fits, "fits.time", "weights=60 GB", "n=2", "each=10 GB", "accelerator=gpu")
    line = "  assumes: memory is the memory_capacity of gpu, which records no l2_cache_size"
    assert line in done.stdout.splitlines()
    told = CliRunner().invoke(
        main, ["explain", "fits.room?weights=60e9&each=1e9&accelerator=gpu", "--records", str(fits.records)]
    )
    assert line in told.stdout.splitlines()


# Of every layer.

LAYERS = (
    "id: layered\nkind: model\nname: Layered\nstatus: verified\nupdated: 2026-01-05\ndeveloper: Lab\nconfig_source: config\n"
    "num_hidden_layers: 4\n"
    "mixers:\n"
    "  full: {type: full_attention, num_attention_heads: 8, num_key_value_heads: 4, head_dim: 64}\n"
    "  local: {type: sliding_attention, sliding_window: 8, num_attention_heads: 12, num_key_value_heads: 6, head_dim: 64}\n"
    "  state: {type: linear_attention, state_heads: 5, state_key_dim: 16, state_value_dim: 16}\n"
    "layers:\n"
    "  - {count: 2, mixers: [full], feed_forwards: []}\n"
    "  - {count: 1, mixers: [local], feed_forwards: []}\n"
    "  - {count: 1, mixers: [state], feed_forwards: []}\n"
)
SPLIT = (
    "symbols:\n"
    "  kind_of: {meaning: type, from: mixer.type}\n"
    "  heads: {meaning: heads, from: mixer.num_key_value_heads}\n"
    "  ranks: {meaning: parts, domain: {integer: [1, 64]}}\n"
    "formulas:\n"
    '  mine:\n    unit: "1"\n    cases:\n'
    '      - {when: "kind_of in [full_attention, sliding_attention]", expr: heads}\n'
    "      - {when: kind_of == linear_attention, expr: 0}\n"
    "  split:\n"
    "    expr: sum(model.mixers, mine) / ranks\n"
    '    unit: "1"\n'
    "    requires:\n"
    '      - {each: model.mixers, when: "kind_of in [full_attention, sliding_attention]",'
    " that: heads/ranks == floor(heads/ranks), else: heads and ranks do not divide}\n"
)


def test_what_is_required_of_every_layer(base: TinyBase) -> None:
    """2 layers of 4 heads and 1 of 6 are 14; both divide by 2, and 6 does not by 4."""
    base.write("models/layered.yaml", LAYERS)
    base.formula("ranks", SPLIT)
    assert value(base, "ranks.split", model="layered", ranks=2).value == 7
    fault = refusal(base, "ranks.split", model="layered", ranks=4)
    assert fault.told == (
        "heads and ranks do not divide: heads / ranks is 1.5, not equal to floor(heads / ranks), which is 1 (mixer local)"
    )
