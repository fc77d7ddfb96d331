"""``flopkb new``."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from flopkb.arithmetic.formula import FUNCTIONS
from flopkb.base.document import Document, Scalar
from flopkb.base.faults import did_you_mean
from flopkb.base.loading import LoadedBase, load_base, load_text, shown_path
from flopkb.base.model import ROLES, Kind
from flopkb.base.schema import schema_directory, validate
from flopkb.base.schema.files import schema_file
from flopkb.base.writing import put
from flopkb.checking.text_report import counted
from flopkb.commands import RECORDS, Outcome, UsageFault, answered, own_records
from flopkb.editing.new import scaffold


@dataclass(frozen=True, slots=True)
class NewOptions:
    """What the command line asks of ``new``."""

    kind: str
    id: str
    sources: tuple[str, ...] = ()
    records: Path | None = None


@click.command("new")
@click.argument("kind", metavar="KIND")
@click.argument("id", metavar="ID")
@click.option("--source", "sources", multiple=True, metavar="ID", help="A source of the record (repeat for several).")
@RECORDS
@answered
def command(kind: str, id: str, sources: tuple[str, ...], records: Path | None) -> Outcome:
    """Begin a record: a file in the folder of its kind, with every field in order and a hint on each.

    KIND is workload_class, formula, vocabulary, accelerator, interconnect, model, dtype or source.
    What is left blank is reported by check, with
    what goes there, until it is filled in. A file that exists is never touched.

    Exit code: 0, or 2 usage, or a file that could not be written.
    """
    return new_command(NewOptions(kind, id, sources, records))


def new_command(options: NewOptions) -> Outcome:
    """Write the scaffold of a record into the folder of its kind; nothing that exists is touched."""
    kind = _kind(options.kind)
    root = own_records(options.records)
    base = load_base(root, Path.cwd())
    check_id(options.id, base)
    check_sources(options.sources, base)
    file = root / kind.folder / f"{options.id}.yaml"
    today = datetime.date.today().isoformat()
    text = scaffold(kind, options.id, options.sources, today, way_to_schemas(root, file.parent))
    create(file, text)
    shown = shown_path(file, Path.cwd())
    blanks = _blanks(text, shown)
    return Outcome(f"{shown}: written, with {counted(blanks, 'blank')} to fill in; flopkb check {shown} lists them\n")


def _kind(text: str) -> Kind:
    names = [kind.value for kind in Kind]
    if text not in names:
        raise UsageFault(f"there is no kind {text}{did_you_mean(text, names)}; the kinds are {', '.join(names)}")
    return Kind(text)


def check_id(id: str, base: LoadedBase) -> None:
    """An id has the form that the schema asks for, and nothing else has it."""
    form = schema_file("common")["$defs"]["id"]
    if not re.fullmatch(form["pattern"], id) or len(id) > form["maxLength"]:
        raise UsageFault(f"{id!r} is no id: {form['errorMessage'].replace('`', '')}")
    if id in ROLES or id in FUNCTIONS:
        raise UsageFault(f"{id} has a meaning in formulas; choose another id")
    for document in base.documents:
        if _text(document, "id") == id:
            raise UsageFault(f"{id} is the id of {document.path}; ids are unique over all kinds")


def check_sources(sources: Sequence[str], base: LoadedBase) -> None:
    """Each is the id of a source record, and none is given twice."""
    kinds = {_text(document, "id"): _text(document, "kind") for document in base.documents}
    for source in sources:
        if source not in kinds:
            known = [id for id, kind in kinds.items() if kind == Kind.SOURCE.value]
            meant = did_you_mean(source, known)
            raise UsageFault(f"there is no source {source}{meant}; flopkb new source {source} begins one")
        if kinds[source] != Kind.SOURCE.value:
            raise UsageFault(f"{source} is of kind {kinds[source]}, not a source")
    if len(set(sources)) < len(sources):
        raise UsageFault("a source is given twice; give each once")


def _text(document: Document, key: str) -> str:
    node = document.root.get(key)
    return node.text if isinstance(node, Scalar) else ""


def way_to_schemas(root: Path, folder: Path) -> str:
    """The way to the schemas from a folder of records: to those beside the base, else to those of flopkb."""
    beside = root.resolve().parent / "schema"
    place = beside if (beside / "common.schema.json").is_file() else schema_directory()
    return Path(os.path.relpath(place, folder.resolve())).as_posix()


def create(file: Path, text: str) -> None:
    """Write a file that must not exist yet."""
    try:
        file.parent.mkdir(exist_ok=True)
        put(file, text.encode("utf-8"), new=True)
    except FileExistsError:
        raise UsageFault(f"{file} exists already; it stands as it was") from None
    except OSError as error:
        raise UsageFault(f"{file} could not be written ({(error.strerror or 'unknown reason').lower()})") from error


def _blanks(text: str, shown: str) -> int:
    """How many fields of a scaffold wait for their value."""
    document = load_text(text, shown)
    assert isinstance(document, Document), document
    return len(validate(document))
