"""``flopkb import``."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from flopkb.arithmetic.diagnostics import Diagnostic, Severity
from flopkb.base.document import Document, Mapping, Scalar
from flopkb.base.loading import load_base, load_file, load_text, shown_path
from flopkb.base.loading.json_text import load_json
from flopkb.base.model import Kind
from flopkb.base.writing import rewrite_file
from flopkb.checking.text_report import TextStyle, counted, finding_lines
from flopkb.commands import RECORDS, Outcome, UsageFault, answered, own_records, style
from flopkb.commands.new import check_id, check_sources, create, way_to_schemas
from flopkb.editing.fmt import formatted
from flopkb.editing.hf_config.merging import RULE, differences, left_over, merged
from flopkb.editing.hf_config.model import model_shape
from flopkb.editing.hf_config.reader import ConfigRefused
from flopkb.editing.hf_config.shape import ModelShape
from flopkb.editing.hf_config.writing import DerivedCount, RecordHead, record_text


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What the command line asks of ``import``; with ``only_check`` nothing is written."""

    path: Path
    id: str
    source: str = ""
    name: str = ""
    developer: str = ""
    only_check: bool = False
    records: Path | None = None
    style: TextStyle = TextStyle()


@click.command("import")
@click.argument("form", type=click.Choice(["hf-config"]), metavar="hf-config")
@click.argument("path", type=click.Path(path_type=Path), metavar="PATH")
@click.option("--id", "id", required=True, metavar="ID", help="The record: a new one, or one to bring up to date.")
@click.option(
    "--source", default="", metavar="ID", help="The source record of the file; without one a record is a draft."
)
@click.option("--name", default="", metavar="NAME", help="What a new record is called in text.")
@click.option("--developer", default="", metavar="NAME", help="Who made the model of a new record.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit 1 if the record differs from the file.")
@RECORDS
@answered
def command(form: str, path: Path, **options: Any) -> Outcome:
    """Make the record of a model from the config.json that it is published with, or bring one up to date.

    PATH is the file, or the folder that holds it. What the file leaves out is the default of the class that loads the
    model, or follows from other fields, each said in the record; a model_type, a type of layer or a key that flopkb does
    not know stops the import. Into a record that is there go values alone: comments, prose and links stand.

    Exit code: 0, 1 a file that is refused (with --check: or a record that differs), 2 usage, or a failed write.
    """
    return import_command(ImportOptions(path, style=style(), **options))


def import_command(options: ImportOptions) -> Outcome:
    """Write the record of a model, or say what stands against it."""
    root = own_records(options.records)
    read = _config(options)
    if isinstance(read, Outcome):
        return read
    config, shape = read
    base = load_base(root, Path.cwd())
    record = next((found for found in base.documents if _text(found.root, "id") == options.id), None)
    if options.source:
        check_sources([options.source], base)
    if record is not None and _text(record.root, "kind") != Kind.MODEL.value:
        raise UsageFault(f"{options.id} is the id of {record.path}, which is no model")
    if record is None and options.only_check:
        raise UsageFault(f"there is no record {options.id} to compare with the file")
    if record is None:
        check_id(options.id, base)
    file = root / Kind.MODEL.folder / f"{options.id}.yaml"
    head = _head(options, config, way_to_schemas(root, file.parent))
    wanted = _wanted(record_text(shape, head), shown_path(file, Path.cwd()))
    if record is None:
        create(file, wanted.source)
        counts = _counts(root, options.id)
        if counts:
            counted_too = _wanted(record_text(shape, head, counts), wanted.path).source
            rewrite_file(file, wanted.source.encode("utf-8"), counted_too.encode("utf-8"))
        return Outcome(f"{wanted.path}: written\n{_remarks(shape)}")
    return _compared(record, wanted, config, options) if options.only_check else _updated(record, wanted, config, shape)


def _config(options: ImportOptions) -> tuple[Mapping, ModelShape] | Outcome:
    """The config and the shape that it describes, or why there is none."""
    path = options.path / "config.json" if options.path.is_dir() else options.path
    if not path.exists():
        raise UsageFault(f"{path} does not exist")
    if not path.is_file():
        raise UsageFault(f"{path} is no file")
    document = load_file(path, shown_path(path, Path.cwd()), load_json)
    if not isinstance(document, Document):
        return _refused(document, options)
    try:
        return document.root, model_shape(document.root)
    except ConfigRefused as fault:
        return _refused([Diagnostic(fault.location, Severity.ERROR, RULE, str(fault))], options)


def _refused(found: list[Diagnostic], options: ImportOptions) -> Outcome:
    lines = [line for one in found for line in finding_lines(one, _nothing, options.style)]
    return Outcome("\n".join([*lines, "nothing was written"]) + "\n", 1)


def _nothing(path: str) -> None:
    return None


def _text(root: Mapping, key: str) -> str:
    node = root.get(key)
    return node.text if isinstance(node, Scalar) else ""


def _head(options: ImportOptions, config: Mapping, schemas: str) -> RecordHead:
    path = _text(config, "_name_or_path")
    name = options.name or (path.partition("/")[2] if path.count("/") == 1 and path[0].isalpha() else "")
    today = datetime.date.today().isoformat()
    return RecordHead(
        options.id, name or options.id.replace("_", " "), options.developer, options.source, today, schemas
    )


COUNTS = (("num_parameters", "parameters.total"), ("num_active_parameters", "parameters.active"))
"""The numbers of parameters of a record, and the formulas that give them where the base has these."""


def _counts(root: Path, id: str) -> list[DerivedCount]:
    """What the formulas of the base count of a record in it; the second only where it differs from the first."""
    from flopkb.checking.api import FlopkbError, load

    base, found = load(root), list[DerivedCount]()
    for name, formula in COUNTS:
        try:
            value = base.evaluate(formula, model=id).value
        except (FlopkbError, ValueError):
            break
        if value.denominator == 1 and all(one.value != value for one in found):
            found.append(DerivedCount(name, formula, int(value)))
    return found


def _wanted(text: str, shown: str) -> Document:
    """The record that the config gives, in the usual form."""
    document = load_text(text, shown)
    assert isinstance(document, Document), document
    found = load_text(formatted(document).source, shown)
    assert isinstance(found, Document), found
    return found


def _compared(record: Document, wanted: Document, config: Mapping, options: ImportOptions) -> Outcome:
    found = differences(record, wanted, config)
    if not found:
        return Outcome(f"{record.path}: says what the file says\n")
    lines = [line for one in found for line in finding_lines(one, lambda _: record.source, options.style)]
    return Outcome("\n".join([*lines, f"{counted(len(found), 'difference')} to the file"]) + "\n", 1)


def _updated(record: Document, wanted: Document, config: Mapping, shape: ModelShape) -> Outcome:
    """The record with the values of the file; its comments and its prose stand."""
    source = merged(record, wanted, config)
    stays = "".join(
        f"{record.path}: `{name}` stays, and the file says nothing of it\n"
        for name in left_over(record, wanted, config)
    )
    if source == record.source:
        return Outcome(f"{record.path}: says what the file says already\n{stays}")
    after = load_text(source, record.path)
    if not isinstance(after, Document):
        raise UsageFault(f"{record.path} is written in a form that cannot be brought up to date: flopkb fmt it first")
    rewrite_file(Path(record.path), record.source.encode("utf-8"), source.encode("utf-8"))
    return Outcome(f"{record.path}: brought up to date\n{stays}{_remarks(shape)}")


def _remarks(shape: ModelShape) -> str:
    return "".join(f"  {remark}\n" for remark in shape.remarks)
