"""`flopkb new`: a scaffold whose only findings are its blanks, in the right place, and nothing ever overwritten."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from conftest import REPOSITORY, TinyBase

from flopkb.base.document import Document
from flopkb.base.layers import PARTS
from flopkb.base.loading import load_file
from flopkb.base.model import Kind
from flopkb.base.schema.files import kind_schema
from flopkb.commands import UsageFault
from flopkb.commands.fmt import FmtOptions, fmt_command
from flopkb.commands.new import NewOptions, create, new_command
from flopkb.editing.new import LEFT_OUT

KINDS = [kind.value for kind in Kind]


@pytest.fixture
def here(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> TinyBase:
    """The neutral base, with the working folder above its records."""
    monkeypatch.chdir(base.folder)
    shutil.copytree(REPOSITORY / "schema", base.folder / "schema")
    return base


def made(kind: str, *sources: str) -> Path:
    """A new record of a kind with the id `fresh`."""
    assert new_command(NewOptions(kind, "fresh", sources)).code == 0
    return Path("records") / Kind(kind).folder / "fresh.yaml"


@pytest.mark.parametrize("sources", [(), ("sheet",), ("sheet", "config")], ids=len)
@pytest.mark.parametrize("kind", KINDS)
class TestEveryKind:
    def test_its_only_findings_are_its_blanks(self, here: TinyBase, kind: str, sources: tuple[str, ...]) -> None:
        file = made(kind, *sources)
        lines = file.read_text().splitlines()
        empty = [number for number, line in enumerate(lines, 1) if re.match(r" *\w+:  #", line)]
        blank = {number for number in empty if not opens(lines, number)}
        found = here.check().diagnostics
        assert {d.location.line for d in found} == blank
        assert len(found) == len(blank) > 0
        for one in found:
            assert one.location.path == file.as_posix()
            assert (one.rule, one.severity.value) == ("schema", "warning")
            assert re.match(r"`[\w.]+` is empty: (fill in \w+ |write one of )", one.message)

    def test_it_is_in_the_usual_form(self, here: TinyBase, kind: str, sources: tuple[str, ...]) -> None:
        assert fmt_command(FmtOptions((made(kind, *sources),), only_check=True)).code == 0

    def test_every_line_has_its_hint_and_fits(self, here: TinyBase, kind: str, sources: tuple[str, ...]) -> None:
        for line in made(kind, *sources).read_text().splitlines()[2:]:
            assert len(line) <= 120
            assert re.search(r"  # \S", line) or line.lstrip().startswith(("# ", "- ")), line

    def test_its_sources_are_wired(self, here: TinyBase, kind: str, sources: tuple[str, ...]) -> None:
        text = re.sub(r"#.*", "", made(kind, *sources).read_text())
        for source in sources:
            assert re.search(rf"(?:source|sources): .*\b{source}\b", text), source


def opens(lines: list[str], number: int) -> bool:
    """Whether keys or items stand below a line, so that it is no blank."""
    indent = len(lines[number - 1]) - len(lines[number - 1].lstrip())
    below = lines[number : number + 1]
    return any(len(line) - len(line.lstrip()) > indent and not line.lstrip().startswith("#") for line in below)


@pytest.mark.parametrize("kind", KINDS)
def test_the_fields_stand_in_the_order_of_the_schema(here: TinyBase, kind: str) -> None:
    fields = re.findall(r"^(?:# )?(\w+):", made(kind).read_text(), re.MULTILINE)
    assert fields == [name for name in kind_schema(Kind(kind))["properties"] if name not in LEFT_OUT]


@pytest.mark.parametrize("kind", KINDS)
def test_the_modeline_leads_to_the_schema(here: TinyBase, kind: str) -> None:
    file = made(kind)
    way = re.match(r"# yaml-language-server: \$schema=(\S+)\n", file.read_text())
    assert way is not None
    assert (file.parent / way[1]).resolve() == here.folder / "schema" / f"{kind}.schema.json"


def test_a_base_without_schemas_uses_those_of_flopkb(here: TinyBase) -> None:
    shutil.rmtree("schema")
    file = made("model")
    way = re.match(r"# yaml-language-server: \$schema=(\S+)\n", file.read_text())
    assert way is not None and (file.parent / way[1]).resolve() == REPOSITORY / "schema" / "model.schema.json"


def test_what_is_said(here: TinyBase) -> None:
    outcome = new_command(NewOptions("dtype", "fp4"))
    shown = "records/dtypes/fp4.yaml"
    assert outcome.text == f"{shown}: written, with 6 blanks to fill in; flopkb check {shown} lists them\n"
    assert (outcome.code, outcome.error) == (0, "")


def test_the_first_record_of_a_base(empty: TinyBase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(empty.folder)
    document = load_file(made("source"), "x")
    assert isinstance(document, Document)


def filled(file: Path, answers: Mapping[str, str]) -> None:
    """Writes an answer behind each of some keys of a scaffold."""
    text = file.read_text()
    for key, answer in answers.items():
        text, count = re.subn(rf"^( *{key}:)  #", rf"\1 {answer}  #", text, flags=re.MULTILINE)
        assert count == 1, key
    file.write_text(text)


def test_a_model_has_the_layers_of_a_dense_one_to_be_filled_in(here: TinyBase) -> None:
    file = made("model")
    sizes = {"num_attention_heads": "8", "num_key_value_heads": "2", "head_dim": "16", "intermediate_size": "300"}
    whole = {"num_hidden_layers": "1", "hidden_size": "128", "vocab_size": "1000", "max_position_embeddings": "4096"}
    filled(
        file, {"name": "A model", "developer": "A lab", "config_source": "config", "notes": "Small.", **sizes, **whole}
    )
    assert [line for line in here.lines() if "unused-value" not in line] == []
    record = here.evaluate().kb.records["fresh"]
    assert record.layers is not None
    parts = [(role, name, part.type.text) for role in PARTS for name, part in record.layers.parts(role).items()]
    assert parts == [("mixer", "full", "full_attention"), ("feed_forward", "dense", "gated")]


def test_a_scaffold_that_is_filled_in_is_clean(here: TinyBase) -> None:
    file = made("source")
    answers = {
        "name": "A paper",
        "source_kind": "paper",
        "title": "On parts",
        "organisation": "Lab",
        "year": "2025",
        "url": "https://example.org/parts",
        "finding": "Parts differ.",
    }
    filled(file, answers)
    assert here.lines() == []


class TestRefused:
    @pytest.mark.parametrize(
        ("kind", "id", "words"),
        [
            ("modle", "x", "there is no kind modle; did you mean model?; the kinds are workload_class, formula,"),
            ("model", "Llama", "'Llama' is no id: write a lower-case name such as decode_attention"),
            ("model", "llama-3", "'llama-3' is no id"),
            ("model", "3b", "'3b' is no id"),
            ("model", "", "'' is no id"),
            ("model", "x\n", "'x\\n' is no id"),
            ("model", "../x", "'../x' is no id"),
            ("model", "x" * 81, "is no id"),
            ("model", "model", "model has a meaning in formulas"),
            ("model", "max", "max has a meaning in formulas"),
            ("model", "gpu", "gpu is the id of records/accelerators/gpu.yaml; ids are unique over all kinds"),
        ],
    )
    def test_kind_and_id(self, here: TinyBase, kind: str, id: str, words: str) -> None:
        before = sorted(here.records.rglob("*"))
        with pytest.raises(UsageFault, match=re.escape(words)):
            new_command(NewOptions(kind, id))
        assert sorted(here.records.rglob("*")) == before

    @pytest.mark.parametrize(
        ("sources", "words"),
        [
            (("sheat",), "there is no source sheat; did you mean sheet?; flopkb new source sheat begins one"),
            (("gpu",), "gpu is of kind accelerator, not a source"),
            (("sheet", "sheet"), "a source is given twice"),
        ],
    )
    def test_sources(self, here: TinyBase, sources: tuple[str, ...], words: str) -> None:
        with pytest.raises(UsageFault, match=re.escape(words)):
            new_command(NewOptions("model", "x", sources))

    def test_a_file_that_exists_stands(self, here: TinyBase) -> None:
        """Even one that cannot be read, whose id nobody knows."""
        file = here.write("models/x.yaml", "a: [\n")
        with pytest.raises(UsageFault, match=r"x\.yaml exists already; it stands as it was"):
            new_command(NewOptions("model", "x"))
        assert file.read_text() == "a: [\n"

    def test_no_base(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(UsageFault, match="name the folder with --records DIR"):
            new_command(NewOptions("model", "x"))

    def test_the_installed_base(self, here: TinyBase, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("flopkb.base.pipeline._INSTALLED", here.records)
        with pytest.raises(UsageFault, match="there is no records/ here or above: make that folder"):
            new_command(NewOptions("model", "x"))


@pytest.mark.parametrize("links", [True, False])
def test_a_full_disk_leaves_no_half_of_a_record(links: bool, base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the system knows links to files or not: what cannot be finished leaves nothing, and nothing is replaced."""

    def refused(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.chdir(base.folder)
    if not links:
        monkeypatch.setattr("flopkb.base.writing.os.link", refused)
    with monkeypatch.context() as full:
        full.setattr("flopkb.base.writing.os.fsync", refused)
        with pytest.raises(UsageFault, match="could not be written"):
            new_command(NewOptions("dtype", "fp9"))
    assert not [file for file in base.records.rglob("*") if "fp9" in file.name]
    assert new_command(NewOptions("dtype", "fp9")).code == 0
    file = base.records / "dtypes" / "fp9.yaml"
    before = file.read_bytes()
    with pytest.raises(UsageFault, match="exists already; it stands as it was"):
        create(file, "other")
    assert file.read_bytes() == before
    assert len(list(file.parent.iterdir())) == 2
