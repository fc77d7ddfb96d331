"""What a column of the data formats is made of: how one value is written as JSON, as cells of CSV, as columns of SQLite.

A form knows its part of all three and of their schemas, so that a table of columns (``columns.py``) says everything
about a kind of thing once. Numbers that must stay exact are texts: a number in JSON is a double in most readers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Flag, auto
from operator import attrgetter
from typing import Any, Generic, Literal, TypeVar

from flopkb.base.document import Scalar
from flopkb.base.model import Reference

T = TypeVar("T")
V = TypeVar("V")
Json = Mapping[str, Any]
Stored = str | int | float | None
Keys = Mapping[str, Mapping[str, Stored]]
"""By table of SQLite, then by the key that a text names: what stands in the column that refers to it."""
Cells = Sequence[tuple[str, ...]]
"""The cells of a value in CSV; of a form that spreads over rows, those of each row."""


class Format(Flag):
    """Where a column is written."""

    JSON = auto()
    CSV = auto()
    SQL = auto()


FLAT = Format.CSV | Format.SQL
EVERYWHERE = Format.JSON | FLAT


@dataclass(frozen=True, slots=True)
class DataRow(Generic[T]):
    """A thing in a flat table: ``owner`` is the key of what holds it, ``number`` counts from 1, ``parent`` the owner's.

    ``choice`` is that of the case that an input is read in, ``quoted`` how often prose quotes a figure.
    """

    thing: T
    owner: str = ""
    number: int = 0
    parent: int = 0
    choice: str = ""
    quoted: int = 0


class DataForm(Generic[V]):
    """One value in each format; unless it says otherwise, it is written in JSON alone."""

    items: ItemTable | None = None
    """The table of SQLite in which the items of a list stand."""

    def json(self, value: V) -> Any:
        """The value as plain data."""
        raise NotImplementedError

    def schema(self) -> Json:
        """Its JSON Schema, without a description."""
        raise NotImplementedError

    def heads(self, name: str) -> tuple[str, ...]:
        """The columns of CSV that it takes."""
        return (name,)

    def cells(self, value: V) -> Cells:
        """Its cells in CSV."""
        raise NotImplementedError

    def ddl(self, name: str) -> tuple[str, ...]:
        """Its columns in SQL."""
        return ()

    def stored(self, value: V, keys: Keys) -> tuple[Stored, ...]:
        """What stands in those columns."""
        return ()

    def rows(self, value: V) -> Iterable[tuple[str, ...]]:
        """The rows of the table of its items."""
        return ()


@dataclass(frozen=True, slots=True)
class Single(DataForm[Stored]):
    """A text, a whole number, true or false, or a number of SQLite.

    ``null`` where JSON and SQL have null for an empty text, ``optional`` where SQL alone has. ``references`` is a table
    of SQLite with its key, as ``records.id``: what is no key of it in the base is left out there.
    """

    kind: Literal["string", "integer", "boolean", "real"] = "string"
    null: bool = False
    optional: bool = False
    one_of: tuple[str, ...] = ()
    pattern: str = ""
    minimum: int | None = None
    primary: bool = False
    references: str = ""

    def json(self, value: Stored) -> Stored:
        return value if self.kind != "string" else value or (None if self.null else "")

    def schema(self) -> Json:
        if self.one_of:
            return {"enum": [*([""] if self.optional else []), *self.one_of]}
        narrowed = {"pattern": self.pattern or None, "minimum": self.minimum}
        kind = [self.kind, "null"] if self.null else self.kind
        return {"type": kind, **{key: value for key, value in narrowed.items() if value is not None}}

    def cells(self, value: Stored) -> Cells:
        return ((str(value).lower() if self.kind == "boolean" else str("" if value is None else value),),)

    def ddl(self, name: str) -> tuple[str, ...]:
        target, _, key = self.references.partition(".")
        numbered = self.kind in ("integer", "boolean") or (key == "id" and target != "records")
        allowed = "0, 1" if self.kind == "boolean" else ", ".join(f"'{value}'" for value in self.one_of)
        parts = (
            *(name, "REAL" if self.kind == "real" else "INTEGER" if numbered else "TEXT"),
            *("PRIMARY KEY" if self.primary else "", "" if self.null or self.optional else "NOT NULL"),
            *(f"REFERENCES {target} ({key})" if target else "", f"CHECK ({name} IN ({allowed}))" if allowed else ""),
        )
        return (" ".join(filter(None, parts)),)

    def stored(self, value: Stored, keys: Keys) -> tuple[Stored, ...]:
        if self.references and self.kind == "string":
            return (keys[self.references.partition(".")[0]].get(str(value)),)
        if self.kind == "real":
            return (real(value),)
        return (value if value or self.kind != "string" else None if self.null or self.optional else "",)


def real(value: Stored) -> float | None:
    """A number, or a decimal in a text; None for what is none."""
    try:
        return None if value is None else float(value)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class InputMap(DataForm[Iterable[tuple[str, str]]]):
    """Names with what stands for them, as written: an object in JSON, ``a=1; b=2`` elsewhere."""

    def json(self, value: Iterable[tuple[str, str]]) -> Json:
        return dict(value)

    def schema(self) -> Json:
        return {"type": "object", "additionalProperties": {"type": "string"}}

    def cells(self, value: Iterable[tuple[str, str]]) -> Cells:
        return ((bound(value),),)

    def ddl(self, name: str) -> tuple[str, ...]:
        return (f"{name} TEXT NOT NULL",)

    def stored(self, value: Iterable[tuple[str, str]], keys: Keys) -> tuple[Stored, ...]:
        return (bound(value),)


def bound(pairs: Iterable[tuple[str, str]]) -> str:
    """Inputs in one cell, as ``B=1; L=2048``."""
    return "; ".join(f"{name}={value}" for name, value in pairs)


@dataclass(frozen=True, slots=True)
class ItemTable:
    """A table of SQLite with a row for each item of a list; ``owner`` is the column by which a row hangs on its thing.

    It is created after the table ``after`` (empty: after that of the thing). Items that refer to nothing in the base
    are left out.
    """

    name: str
    owner: str
    columns: tuple[tuple[str, Single], ...]
    constraints: tuple[str, ...] = ()
    indexes: tuple[tuple[str, str], ...] = ()
    after: str = ""


@dataclass(frozen=True, slots=True)
class NameList(DataForm[Sequence[str]]):
    """A list of texts, most often ids: ``a; b`` in CSV, in SQL the rows of a table of their own."""

    items: ItemTable | None = None

    def json(self, value: Sequence[str]) -> list[str]:
        return list(value)

    def schema(self) -> Json:
        return {"type": "array", "items": {"type": "string"}}

    def cells(self, value: Sequence[str]) -> Cells:
        return (("; ".join(value),),)

    def rows(self, value: Sequence[str]) -> Iterable[tuple[str, ...]]:
        return ((item,) for item in value)


@dataclass(frozen=True, slots=True)
class FormList(DataForm[Iterable[V]]):
    """A list of what another form writes, ``doc`` describing an item; in CSV a row for each, or one that is empty."""

    item: DataForm[Any]
    doc: str = ""

    def json(self, value: Iterable[V]) -> list[Any]:
        return [self.item.json(item) for item in value]

    def schema(self) -> Json:
        return {"type": "array", "items": described(self.item.schema(), self.doc)}

    def heads(self, name: str) -> tuple[str, ...]:
        return self.item.heads(name)

    def cells(self, value: Iterable[V]) -> Cells:
        return [cells for item in value for cells in self.item.cells(item)] or self.item.cells(None)


# -- tables -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class DataColumn(Generic[T]):
    """One field of a kind of thing: ``take`` gives its value, ``doc`` is its description in the JSON Schema."""

    name: str
    form: DataForm[Any]
    take: Callable[[DataRow[T]], Any]
    doc: str = ""
    formats: Format = EVERYWHERE
    csv: str = ""
    sql: str = ""


def column(
    name: str,
    form: DataForm[Any],
    doc: str = "",
    formats: Format = EVERYWHERE,
    *,
    of: str = "",
    take: Callable[[Any], object] | None = None,
    flat: str = "",
    sql: str = "",
) -> DataColumn[Any]:
    """A column whose value is taken from the thing: by ``take``, else its attribute ``of`` (else of the same name).

    Scalars and references of a record are taken as they are written.

    ``flat`` is its name in CSV and SQL, ``sql`` that in SQL alone.
    """
    own = take or attrgetter(of or name)
    return DataColumn(
        name, form, lambda row: as_written(own(row.thing)), doc, formats, flat or name, sql or flat or name
    )


def as_written(value: object) -> Any:
    """The text of a scalar, the id in a reference, also those within tuples; all else as it is."""
    if isinstance(value, tuple):
        return tuple(map(as_written, value))
    if isinstance(value, Reference):
        return value.target.text
    return value.text if isinstance(value, Scalar) else value


@dataclass(frozen=True)
class DataTable(Generic[T]):
    """The columns of a kind of thing. ``first`` names those that come first in a format; the others follow in order.

    ``name`` is that of its definition in the JSON Schema (empty: written out where it is used), ``csv`` and ``sql``
    those of its tables. ``key`` is what others name a row by; ``numbered`` where SQL refers to its number.
    """

    name: str
    doc: str
    columns: tuple[DataColumn[T], ...]
    first: Mapping[Format, tuple[str, ...]] = field(default_factory=dict)
    csv: str = ""
    sql: str = ""
    constraints: tuple[str, ...] = ()
    indexes: tuple[tuple[str, str], ...] = ()
    key: Callable[[DataRow[T]], str] | None = None
    numbered: bool = False

    def of(self, format: Format) -> list[DataColumn[T]]:
        """The columns of a format, in its order."""
        first = self.first.get(format, ())
        own = [column for column in self.columns if format & column.formats]
        return sorted(own, key=lambda column: first.index(column.name) if column.name in first else len(first))

    def json(self, thing: T) -> Json:
        """A thing as an object."""
        row = DataRow(thing)
        return {column.name: column.form.json(column.take(row)) for column in self.of(Format.JSON)}

    def schema(self) -> Json:
        """The JSON Schema of such objects."""
        columns = self.of(Format.JSON)
        return object_schema({column.name: described(column.form.schema(), column.doc) for column in columns}, self.doc)

    def heads(self) -> tuple[str, ...]:
        """The columns of CSV."""
        return tuple(head for column in self.of(Format.CSV) for head in column.form.heads(column.csv))

    def cells(self, row: DataRow[T]) -> list[tuple[str, ...]]:
        """The rows of a thing in CSV: several, where it has several values."""
        parts = [column.form.cells(column.take(row)) for column in self.of(Format.CSV)]
        rows = range(max(map(len, parts)))
        return [tuple(cell for part in parts for cell in part[at if len(part) > 1 else 0]) for at in rows]

    def ddl(self) -> tuple[str, ...]:
        """The columns of SQL."""
        return tuple(line for column in self.of(Format.SQL) for line in column.form.ddl(column.sql))

    def stored(self, row: DataRow[T], keys: Keys) -> tuple[Stored, ...]:
        """The row of a thing in SQL."""
        own = (column.form.stored(column.take(row), keys) for column in self.of(Format.SQL))
        return tuple(value for values in own for value in values)


def object_schema(properties: Mapping[str, Json], doc: str = "") -> Json:
    """An object with all of some properties, and no others."""
    head = described({"type": "object"}, doc)
    return {**head, "properties": dict(properties), "required": list(properties), "additionalProperties": False}


def described(schema: Json, doc: str) -> Json:
    """A schema with its description, which a reference cannot have."""
    return schema if not doc or "$ref" in schema else {**schema, "description": doc}


@dataclass(frozen=True, slots=True)
class Nested(DataForm[Any], Generic[T]):
    """One thing within another: an object in JSON (null where there is none), its own columns elsewhere."""

    table: Callable[[], DataTable[T]]
    null: bool = False

    def json(self, value: T | None) -> Json | None:
        return None if value is None else self.table().json(value)

    def schema(self) -> Json:
        table = self.table()
        own = {"$ref": f"#/$defs/{table.name}"} if table.name else table.schema()
        return {"oneOf": [own, {"type": "null"}]} if self.null else own

    def heads(self, name: str) -> tuple[str, ...]:
        return self.table().heads()

    def cells(self, value: T | None) -> Cells:
        table = self.table()
        return [("",) * len(table.heads())] if value is None else table.cells(DataRow(value))

    def ddl(self, name: str) -> tuple[str, ...]:
        return tuple(line.replace(" NOT NULL", "") if self.null else line for line in self.table().ddl())

    def stored(self, value: T | None, keys: Keys) -> tuple[Stored, ...]:
        table = self.table()
        return (None,) * len(table.ddl()) if value is None else table.stored(DataRow(value), keys)
