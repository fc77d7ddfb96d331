"""`flopkb import hf-config`: what is written, what an import into a record changes, what is said and with which exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import TinyBase

from flopkb.commands import UsageFault
from flopkb.commands.import_config import ImportOptions, import_command
from importing.configs import Config, config

SOURCE = """\
id: small_config
kind: source
name: Small config
status: verified
updated: 2026-11-30
source_kind: config
title: config.json of a small model
organisation: Someone
year: 2026
locator:
  url: https://example.org/small
finding: |
  Its shape.
"""


@pytest.fixture
def here(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> TinyBase:
    """The neutral base, with the working folder above its records."""
    monkeypatch.chdir(base.folder)
    return base


def given(base: TinyBase, data: Config) -> Path:
    """A config.json in a folder of its own."""
    file = base.folder / "model" / "config.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(data, indent=1))
    return Path("model/config.json")


RECORD = Path("records/models/small.yaml")


class TestANewRecord:
    def test_it_passes_check_as_a_draft(self, here: TinyBase) -> None:
        outcome = import_command(ImportOptions(given(here, config("llama")), "small"))
        assert (outcome.text, outcome.code) == ("records/models/small.yaml: written\n", 0)
        assert "status: draft\n" in RECORD.read_text()
        found = here.check()
        assert [d.severity.value for d in found.diagnostics] == ["warning"]
        assert "no source" in found.diagnostics[0].message

    def test_with_a_source_it_is_clean(self, here: TinyBase) -> None:
        here.write("sources/small_config.yaml", SOURCE)
        path = given(here, config("gemma3_text", sliding_window=1024, head_dim=8))
        import_command(ImportOptions(path, "small", source="small_config", name="Small-1", developer="Someone"))
        text = RECORD.read_text()
        assert "name: Small-1\nstatus: verified\n" in text
        assert "developer: Someone\nconfig_source: small_config\n" in text
        assert here.check().diagnostics == ()

    def test_the_folder_of_the_file_will_do(self, here: TinyBase) -> None:
        given(here, config("llama"))
        assert import_command(ImportOptions(Path("model"), "small")).code == 0

    def test_the_name_is_that_of_the_repository(self, here: TinyBase) -> None:
        import_command(ImportOptions(given(here, config("llama", _name_or_path="someone/Small-7B")), "small"))
        assert "name: Small-7B\n" in RECORD.read_text()


COUNTING = """\
id: parameters
kind: formula
name: Parameters
status: draft
updated: 2026-11-30
symbols:
  rows: {meaning: rows of an embedding, from: model.vocab_size}
  width: {meaning: width of the stream, from: model.hidden_size}
formulas:
  total: {expr: 2*rows*width, unit: parameter}
  active: {expr: rows*width, unit: parameter}
"""


class TestCounts:
    def test_formulas_of_the_base_count_parameters(self, here: TinyBase) -> None:
        here.write("formulas/parameters.yaml", COUNTING)
        import_command(ImportOptions(given(here, config("llama")), "small"))
        text = RECORD.read_text()
        assert "num_parameters: {value: 12800, basis: derived, formula: parameters.total}\n" in text
        assert "num_active_parameters: {value: 6400, basis: derived, formula: parameters.active}\n" in text
        assert (
            "  [12,800](fact:small.num_parameters) parameters, of which a token uses "
            "[6,400](fact:small.num_active_parameters).\n"
        ) in text
        assert [d.rule for d in here.check().diagnostics if d.location.path == str(RECORD)] == [
            "basis-without-evidence"
        ]

    def test_a_base_without_them_counts_nothing(self, here: TinyBase) -> None:
        import_command(ImportOptions(given(here, config("llama")), "small"))
        assert "num_parameters" not in RECORD.read_text()


class TestNothingIsWritten:
    def test_where_the_config_is_refused(self, here: TinyBase) -> None:
        outcome = import_command(ImportOptions(given(here, config("zigzag")), "small"))
        assert outcome.code == 1
        assert outcome.text.startswith('model/config.json:2:16: error: import: the model_type "zigzag" is not one')
        assert outcome.text.endswith("nothing was written\n")
        assert not RECORD.exists()

    def test_where_a_key_stands_twice(self, here: TinyBase) -> None:
        path = given(here, {})
        path.write_text('{"model_type": "llama",\n "hidden_size": 1, "hidden_size": 2}')
        outcome = import_command(ImportOptions(path, "small"))
        assert outcome.text.startswith("model/config.json:2:20: error: json: the key `hidden_size` stands twice")
        assert outcome.code == 1

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"path": Path("nowhere.json")}, "nowhere.json does not exist"),
            ({"id": "Small"}, "'Small' is no id"),
            ({"id": "sheet"}, "which is no model"),
            ({"source": "nobody"}, "there is no source nobody"),
            ({"only_check": True}, "there is no record small to compare with the file"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_where_the_call_is_wrong(self, here: TinyBase, options: dict[str, object], words: str) -> None:
        path = given(here, config("llama"))
        with pytest.raises(UsageFault, match=words):
            import_command(ImportOptions(**{"path": path, "id": "small", **options}))  # type: ignore[arg-type]
        assert not RECORD.exists()


EDITED = """\
# yaml-language-server: $schema=../../schema/model.schema.json
id: small
kind: model
name: Small
status: draft
updated: 2026-11-30
num_hidden_layers: 6
mixers:
  # the five of six that look back a little
  near: {type: sliding_attention, num_attention_heads: 8, num_key_value_heads: 2, head_dim: 8, sliding_window: 512, mixer_vectors: 2*64 + 2*8}
  far:   # the sixth
    type: full_attention
    num_attention_heads: 8
    num_key_value_heads: 4   # by the card
    head_dim: 8
    v_head_dim: 16
    mixer_vectors: 2*8 + 2*64
feed_forward: gated
intermediate_size: 96
feed_forward_vectors: 128
layers:
  - {count: 5, mixers: [near]}
  - {count: 1, mixers: [far]}
hidden_size: 64
vocab_size: 100
max_position_embeddings: 262144
tie_word_embeddings: false   # it was once
model_vectors: 64
notes: |
  Its window is [512](fact:small.mixers.near.sliding_window) tokens.
history:
  - {date: 2026-11-30, change: written by hand}
"""
GEMMA = config("gemma3_text", sliding_window=1024, head_dim=8)


class TestIntoARecord:
    def test_values_change_and_the_rest_stands(self, here: TinyBase) -> None:
        path = given(here, GEMMA)
        here.write("models/small.yaml", EDITED)
        outcome = import_command(ImportOptions(path, "small"))
        assert outcome.text == "records/models/small.yaml: brought up to date\n"
        assert RECORD.read_text() == (
            EDITED.replace("sliding_window: 512", "sliding_window: 1024")
            .replace("num_key_value_heads: 4 ", "num_key_value_heads: 2 ")
            .replace("    v_head_dim: 16\n", "")
            .replace("tie_word_embeddings: false ", "tie_word_embeddings: true ")
        )

    def test_twice_is_once(self, here: TinyBase) -> None:
        path = given(here, GEMMA)
        here.write("models/small.yaml", EDITED)
        import_command(ImportOptions(path, "small"))
        before = RECORD.read_bytes()
        assert "says what the file says already" in import_command(ImportOptions(path, "small")).text
        assert RECORD.read_bytes() == before
        assert import_command(ImportOptions(path, "small", only_check=True)).code == 0

    def test_layers_that_differ_are_written_anew(self, here: TinyBase) -> None:
        path = given(here, config("gemma3_text", sliding_window=1024, head_dim=8, num_hidden_layers=7))
        import_command(ImportOptions(path, "small"))
        path = given(here, GEMMA)
        import_command(ImportOptions(path, "small"))
        text = RECORD.read_text()
        assert "num_hidden_layers: 6\n" in text
        assert "  - {count: 5, mixers: [local]}\n  - {count: 1, mixers: [full]}\nhidden_size" in text

    def test_fields_come_where_they_belong(self, here: TinyBase) -> None:
        import_command(ImportOptions(given(here, config("llama")), "small"))
        import_command(
            ImportOptions(given(here, config("mixtral", num_local_experts=4, num_experts_per_tok=2)), "small")
        )
        again = RECORD.read_text()
        RECORD.unlink()
        import_command(
            ImportOptions(given(here, config("mixtral", num_local_experts=4, num_experts_per_tok=2)), "small")
        )
        fresh = RECORD.read_text()
        for line in fresh.splitlines():
            assert line in again

    def test_what_the_config_does_not_say_is_told_and_stays(self, here: TinyBase) -> None:
        path = given(here, config("llama"))
        import_command(ImportOptions(path, "small"))
        RECORD.write_text(RECORD.read_text().replace("hidden_size: 64\n", "hidden_size: 64\ninput_vocab_size: 128\n"))
        text = import_command(ImportOptions(path, "small")).text
        assert "`input_vocab_size` stays, and the file says nothing of it" in text
        assert "input_vocab_size: 128" in RECORD.read_text()


class TestCheck:
    def test_each_difference_has_its_place(self, here: TinyBase) -> None:
        path = given(here, GEMMA)
        here.write("models/small.yaml", EDITED)
        outcome = import_command(ImportOptions(path, "small", only_check=True))
        lines = [line for line in outcome.text.splitlines() if line.startswith("records/")]
        assert outcome.code == 1
        assert lines == [
            "records/models/small.yaml:10:112: error: import: `mixers.near.sliding_window` is 512 here, and 1024 by the config: import it again",
            "records/models/small.yaml:14:26: error: import: `mixers.far.num_key_value_heads` is 4 here, and 2 by the config: import it again",
            "records/models/small.yaml:16:5: error: import: `mixers.far.v_head_dim` stands here, and the config says nothing of it: take it out, or write where it is from",
            "records/models/small.yaml:27:22: error: import: `tie_word_embeddings` is false here, and true by the config: import it again",
        ]
        assert outcome.text.endswith("4 differences to the file\n")
        assert RECORD.read_text() == EDITED

    def test_a_value_is_the_same_whatever_stands_behind_it(self, here: TinyBase) -> None:
        path = given(here, config("llama"))
        import_command(ImportOptions(path, "small"))
        text = RECORD.read_text()
        derived = "{value: 8, basis: derived, formula: hidden_size / num_attention_heads}"
        assert derived in text
        RECORD.write_text(text.replace(derived, "8").replace("mixer_vectors: 64", "mixer_vectors: 32 + 2*16"))
        assert import_command(ImportOptions(path, "small", only_check=True)).code == 0

    def test_a_field_that_only_the_config_has_too_is_no_difference(self, here: TinyBase) -> None:
        from importing.configs import MLA

        path = given(here, config("deepseek_v3", MLA))
        import_command(ImportOptions(path, "small"))
        RECORD.write_text(
            RECORD.read_text().replace("kv_lora_rank: 32\n", "kv_lora_rank: 32\nnum_key_value_heads: 8\n")
        )
        assert import_command(ImportOptions(path, "small", only_check=True)).code == 0
