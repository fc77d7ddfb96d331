"""The public Python API, used as its documentation says."""

from __future__ import annotations

import doctest
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import REPOSITORY, TinyBase, own_base

import flopkb


@pytest.fixture
def loaded(base: TinyBase) -> flopkb.Base:
    """The neutral base with a record that disputes and draws on it."""
    base.change(
        "accelerators/gpu.yaml",
        {
            "as_printed: 2 TB/s}": "as_printed: 2 TB/s, preferred: the sheet, "
            "disputed: [{value: 1900 GB/s, source: config}]}",
            "[80 GB]": "[1900 GB/s](fact:gpu.memory_bandwidth@config), [80 GB]",
        },
    )
    base.formula(
        "six",
        'formulas:\n  six: {expr: 2*3, unit: "1"}\n  third: {expr: 1/3, unit: "1"}\n'
        "figures:\n  sizes: {formula: cache.size, with: {model: llm, kv_dtype: bf16, L: [10, 20]}}\n"
        "derivation: |\n  [160-320 bytes](fig:sizes).\n",
    )
    return flopkb.load(base.records)


def test_the_public_names_are_a_handful_and_all_there() -> None:
    assert set(flopkb.__all__) <= set(dir(flopkb)) | set(flopkb.__all__)
    for name in flopkb.__all__:
        assert getattr(flopkb, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'loads'"):
        flopkb.loads  # noqa: B018


def test_load_stays_a_function_however_often_it_is_called(loaded: flopkb.Base, base: TinyBase) -> None:
    """No module of the package may take its name."""
    assert flopkb.load(base.records).records.keys() == loaded.records.keys()
    assert flopkb.load(str(base.records)).records.keys() == loaded.records.keys()


def test_a_value_is_exact_in_the_declared_unit(loaded: flopkb.Base) -> None:
    value = loaded.figure("cache.ridge?accelerator=gpu&dtype=bf16")
    assert (value.value, value.unit, value.text) == (Fraction(200), "flop/byte", "200 flop/byte")
    assert loaded.evaluate("six.third").value == Fraction(1, 3)
    assert loaded.evaluate("six.third").text == "0.333333"


def test_inputs_are_ids_numbers_fractions_and_texts_with_units(loaded: flopkb.Base) -> None:
    inputs = {"n": 8, "b": Fraction(2), "L": "1Ki"}
    assert loaded.evaluate("cache.size", **inputs).value == 16384
    assert loaded.evaluate("cache.size", model="llm", kv_dtype="bf16", L=10).value == 160
    assert loaded.evaluate("cache.time", L=1, n=1, b="2 bytes", bandwidth="4 GB/s").value == Fraction(1, 2 * 10**9)


def test_a_set_has_values_and_no_single_value(loaded: flopkb.Base) -> None:
    sizes = loaded.figure("six.sizes")
    assert sizes.values == (160, 320)
    assert sizes.text == "160, 320 byte"
    with pytest.raises(ValueError, match=r"six\.sizes is a set of 2 values; use \.values"):
        sizes.value  # noqa: B018


def test_a_fact_is_in_its_quantitys_unit_and_what_another_source_states_beside_it(loaded: flopkb.Base) -> None:
    fact = loaded.fact("gpu.memory_bandwidth")
    assert (fact.value, fact.unit) == (Fraction(2 * 10**12), "byte/s")
    assert loaded.fact("gpu.memory_bandwidth@config").value == Fraction(19 * 10**11)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (
            lambda base: base.figure("cache.sizes"),
            "there is no figure or formula cache.sizes; did you mean cache.size?",
        ),
        (
            lambda base: base.fact("gpu.memory_bandwith"),
            "gpu records no memory_bandwith; did you mean memory_bandwidth?",
        ),
        (
            lambda base: base.evaluate("cache.size", model="lm", L=1),
            "model names lm, which is no record of the base; did you mean llm?",
        ),
        (lambda base: base.evaluate("cache.size", LL=1), "cache has no input LL; did you mean L?"),
        (lambda base: base.figure("six.sizes?L=2"), "the inputs of the figure sizes are fixed in its record"),
    ],
)
def test_what_cannot_be_had_raises_with_the_reason(ask, sentence: str, loaded: flopkb.Base) -> None:
    with pytest.raises(flopkb.FlopkbError) as raised:
        ask(loaded)
    assert sentence in str(raised.value)
    assert raised.value.fault is not None


def test_check_says_what_the_command_says(loaded: flopkb.Base) -> None:
    assert loaded.check().diagnostics == ()
    assert loaded.check().exit_code == 0


def test_a_folder_that_is_not_there_raises(tmp_path: Path) -> None:
    from flopkb.base.pipeline import BaseNotFound

    with pytest.raises(BaseNotFound, match="does not exist"):
        flopkb.load(tmp_path / "nowhere")


def test_records_cannot_be_changed(loaded: flopkb.Base) -> None:
    record = loaded.records["gpu"]
    with pytest.raises(AttributeError):
        record.id = "other"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        loaded.evaluation = None  # type: ignore[misc]


@pytest.mark.parametrize("page", ["docs/python_api.md", "README.md"])
def test_the_examples_of_a_page_hold(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    result = doctest.testfile(str(REPOSITORY / page), module_relative=False, encoding="utf-8")
    assert result.attempted > 0 and result.failed == 0


def test_a_value_is_a_number_and_says_what_it_is() -> None:
    """989.5 TFLOP/s over 3.35 TB/s."""
    base = own_base()
    ridge = base.evaluate("roofline.ridge", accelerator="nvidia_h100_sxm", dtype="bf16")
    assert float(ridge) == pytest.approx(989.5 / 3.35, rel=1e-15)
    assert repr(ridge) == "<roofline.ridge = 295.373 flop/byte>"
    assert repr(base).startswith(f"<flopkb base: {len(base.records)} records, ")
