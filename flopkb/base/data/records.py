"""From what documents declare to records: one for each data file, one for each document, with what each name stands for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity, on_one_line
from flopkb.arithmetic.formula import FUNCTIONS
from flopkb.arithmetic.units import UnitError, parse_unit
from flopkb.base.data.declared import Datum, Declared
from flopkb.base.data.facts import VALUE, DataFacts, other_unit
from flopkb.base.data.files import DataFolder, Request, format_of
from flopkb.base.data.numbers import DataNumber, NoNumber, contradicted, number_of, unit_of_key
from flopkb.base.data.rows import ROWS
from flopkb.base.data.selection import AGGREGATES, Missing
from flopkb.base.data.steps import DataPath, EachStep, PathFault, read_path
from flopkb.base.data.trees import NumberText, Tree, Unreadable
from flopkb.base.document import Document, Scalar
from flopkb.base.document import Mapping as MappingNode
from flopkb.base.loading import shown_path
from flopkb.base.model import ROLES, Elsewhere, Kind, Record, Status

FILE_RULE, VALUE_RULE, NAME_RULE = "data-file", "data-value", "data-name"
"""The rules under which faults of files, of values in them, and of names are reported."""

MOST_ROWS = 1000
"""A name may stand for this many rows; more are for aggregates."""


@dataclass(frozen=True, slots=True)
class DataRecords:
    """What was read: the records of files by their ids, those of documents by their paths, and what is wrong."""

    files: Mapping[str, Record] = field(default_factory=dict)
    documents: Mapping[str, Record] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()


class _Faulty(Exception):
    """A declaration that gives no value: what is wrong, where, and the rule that reports it."""

    def __init__(self, rule: str, where: Scalar, reason: str) -> None:
        super().__init__(reason)
        self.rule, self.where = rule, where


@dataclass(slots=True)
class RecordMaker:
    """Makes the records of a run; files are shared by all documents that name them with the same units."""

    folder: DataFolder
    taken: Mapping[str, Record]
    """The records of the base, whose ids no data may have."""
    facts: dict[str, DataFacts] = field(default_factory=dict)
    rows: dict[str, Record] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _row_paths: dict[str, str] = field(default_factory=dict)

    def records(self, documents: Iterable[tuple[Declared, tuple[Declared, ...]]]) -> DataRecords:
        """The records of documents, each with every ``flopkb.yaml`` that declares for it, the nearest last."""
        made: dict[str, Record] = {}
        for own, above in documents:
            lent: dict[str, Elsewhere] = {}
            for shared in above:
                if shared.path not in made:
                    made[shared.path] = self._document(shared, lent)
                lent = self._lent(shared, made)
            if own.path not in made and (above or own.root is not None):
                made[own.path] = self._document(own, lent)
        files = {id: data_record(id, found) for id, found in self.facts.items() if id not in self.rows}
        unique = {found.sort_key: found for found in self.diagnostics}
        return DataRecords({**files, **self.rows}, made, tuple(unique.values()))

    def _lent(self, above: Declared, made: Mapping[str, Record]) -> dict[str, Elsewhere]:
        """The names that a ``flopkb.yaml`` lends to the documents below it."""
        record = made[above.path]
        own = dict.fromkeys([*record.formulas, *record.figures, *record.claims])
        return {**record.near, **{name: Elsewhere(record.id, name) for name in own}}

    def _document(self, declared: Declared, lent: Mapping[str, Elsewhere]) -> Record:
        self._check_names(declared, lent)
        near = {**lent, **self._near(declared)}
        root = declared.root or MappingNode(Location(declared.path, 1, 1), ())
        return Record(
            id=declared.path,
            kind=Kind.FORMULA,
            name=declared.path,
            status=Status.VERIFIED,
            document=Document(declared.path, "", root),
            id_at=Scalar(Location(declared.path, 1, 1), declared.path, declared.path),
            formulas=declared.formulas,
            figures=declared.figures,
            claims=declared.claims,
            dropped=declared.dropped,
            near=near,
        )

    def _check_names(self, declared: Declared, lent: Mapping[str, Elsewhere]) -> None:
        seen: dict[str, Scalar] = {}
        for name in declared.names:
            first = seen.setdefault(name.text, name)
            if first is not name:
                self._note(NAME_RULE, name, f"{name.text} is declared on line {first.location.line} too; rename one")
            elif name.text in self.taken:
                self._note(NAME_RULE, name, f"{name.text} is the id of a record of the base; choose another name")
            elif name.text in ROLES or name.text in FUNCTIONS:
                what = "a role" if name.text in ROLES else "a function"
                self._note(NAME_RULE, name, f"{name.text} is {what} in formulas; choose another name")
            elif name.text in lent:
                self._note(NAME_RULE, name, f"{name.text} is declared in a flopkb.yaml above too; rename one of them")

    def _note(self, rule: str, where: Scalar, reason: str, severity: Severity = Severity.ERROR) -> None:
        length = max(1, len(where.text)) if "\n" not in where.text else 1
        message = on_one_line(reason, 280)
        self.diagnostics.append(Diagnostic(where.location, severity, rule, message, length=length))

    def _near(self, declared: Declared) -> dict[str, Elsewhere]:
        """What each name of data stands for; one that cannot be had says why."""
        found: dict[str, Elsewhere] = {}
        groups: defaultdict[tuple[str, str, str], list[tuple[Datum, DataPath]]] = defaultdict(list)
        for datum in declared.data:
            try:
                format = self._format(datum)
                groups[(datum.file.text, format, datum.query)].append((datum, self._path(datum, format)))
            except _Faulty as fault:
                found[datum.name.text] = self._lacking(fault)
        for (name, format, query), members in groups.items():
            found.update(self._from_file(declared, name, format, query, members))
        return found

    def _lacking(self, fault: _Faulty) -> Elsewhere:
        self._note(fault.rule, fault.where, str(fault))
        return Elsewhere("", fault=on_one_line(str(fault), 200))

    def _format(self, datum: Datum) -> str:
        try:
            format = datum.format or format_of(datum.file.text)
        except Unreadable as error:
            raise _Faulty(FILE_RULE, datum.file, f"{datum.file.text} cannot be read: {error}") from None
        if (format == "sqlite") != bool(datum.query):
            reason = "a database takes a query: SELECT ..." if not datum.query else "only a database takes a query"
            raise _Faulty(FILE_RULE, datum.file, f"{datum.file.text} cannot be read: {reason}")
        return format

    def _path(self, datum: Datum, format: str) -> DataPath:
        stated = dict(datum.units)
        if datum.at is None:
            path = DataPath("", (EachStep(),) if format in ROWS else ())
        else:
            try:
                path = read_path(datum.at.text)
            except PathFault as error:
                where = Scalar(datum.at.at(error.offset), "", "")
                raise _Faulty(VALUE_RULE, where, str(error)) from None
        if datum.unit is not None:
            stated["" if datum.aggregate == "count" else path.last_key] = datum.unit.text
        for key, unit in stated.items():
            where = datum.unit or datum.name
            try:
                own = contradicted(key.rpartition(".")[2], unit)
            except UnitError as error:
                raise _Faulty(VALUE_RULE, where, str(error)) from None
            if own is not None:
                reason = f"the key {key} says {own}, and it is read in {unit}, as declared; only one can be true"
                self._note(VALUE_RULE, where, reason, Severity.WARNING)
        return path

    def _from_file(
        self, declared: Declared, name: str, format: str, query: str, members: list[tuple[Datum, DataPath]]
    ) -> dict[str, Elsewhere]:
        """What the names stand for that one file gives."""
        requests: list[Request] = [(path, bool(datum.aggregate)) for datum, path in members]
        try:
            path = self.folder.located(name, declared.file.parent)
            answers = self.folder.answers(path, format, requests, query)
        except Unreadable as error:
            reason = f"{name} cannot be read: {error}"
            return {d.name.text: self._lacking(_Faulty(FILE_RULE, d.file, reason)) for d, _ in members}
        shown = shown_path(path, self.folder.cwd.resolve())
        found = {}
        for (datum, at), answer in zip(members, answers, strict=True):
            try:
                if isinstance(answer, Missing):
                    raise _Faulty(VALUE_RULE, datum.at or datum.file, f"{shown}: {answer}")
                found[datum.name.text] = self._stored(datum, at, answer, shown)
            except _Faulty as fault:
                found[datum.name.text] = self._lacking(fault)
        return found

    def _stored(self, datum: Datum, path: DataPath, answer: list[Tree], file: str) -> Elsewhere:
        """Where the record of the file holds what a name stands for."""
        unit = datum.unit.text if datum.unit is not None else datum.units.get(path.last_key)
        unit = unit or unit_of_key(path.last_key)
        if datum.aggregate:
            title = f"{datum.aggregate} of {_asked(datum, path) or 'the rows'}"
            return self._single(title, file, _made(datum, path, answer, unit, file))
        if path.several or isinstance(answer[0], list):
            items = answer if path.several else answer[0]
            assert isinstance(items, list)
            return self._many(datum, path, items, unit, file)
        if isinstance(answer[0], dict) and datum.unit is None:
            id = file + _units_shown(datum.units)
            facts = self.facts.setdefault(id, DataFacts(file, datum.units))
            facts.trees.setdefault(_asked(datum, path), answer[0])
            return Elsewhere(id, _asked(datum, path))
        # What links may name by its keys too is another fact where it is declared with a unit of its own.
        asked = _asked(datum, path)
        place = f"{asked}, {unit}" if datum.unit is not None and _is_plain(path.text) else asked
        return self._single(place, file, _number(datum, answer[0], unit, path, file))

    def _single(self, path: str, file: str, number: DataNumber) -> Elsewhere:
        facts = self.facts.setdefault(file, DataFacts(file, {}))
        known = facts.single.setdefault(path, number)
        if known.unit != number.unit or known.value != number.value:
            path = f"{path} ({number.unit})"  # the same place, read in another unit
            facts.single[path] = number
        return Elsewhere(file, path)

    def _many(self, datum: Datum, path: DataPath, items: list[Tree], unit: str | None, file: str) -> Elsewhere:
        """Several values or rows: a record of its own for each, and one that names them."""
        if len(items) > MOST_ROWS:
            reason = f"{path.text or file} is {len(items)} rows, and {MOST_ROWS} are the most that a name may stand for"
            raise _Faulty(VALUE_RULE, datum.at or datum.file, f"{reason}; name an aggregate, or fewer rows")
        bare = not (items and isinstance(items[0], dict))
        if datum.unit is not None and not bare:
            reason = f"{path.text or file} is rows of several fields; name the units of those: units: {{field: unit}}"
            raise _Faulty(VALUE_RULE, datum.unit, reason)
        id = f"{file}: {_asked(datum, path) or 'rows'}" + (f" ({unit})" if unit else "") + _units_shown(datum.units)
        if id in self.rows:
            return Elsewhere(id, self._row_paths[id])
        if not items:
            raise _Faulty(VALUE_RULE, datum.at or datum.file, f"{path.text or 'the list'} in {file} is empty")
        names = [f"{id}[{label}]" for label in _labels(items)]
        columns = []
        for name, item in zip(names, items, strict=True):
            facts = DataFacts(file, datum.units)
            if bare:
                facts.single[VALUE] = _number(datum, item, unit, path, file)
            else:
                facts.trees[""] = item
            columns.append(facts)
            self.rows[name] = data_record(name, facts)
        every = DataFacts(file, datum.units)
        every.columns = tuple(columns)
        self.rows[id] = data_record(id, every, tuple(names))
        self._row_paths[id] = VALUE if bare else ""
        return Elsewhere(id, self._row_paths[id])


def _units_shown(units: Mapping[str, str]) -> str:
    """What sets a file that is read with other units apart: it is another record."""
    return f" ({', '.join(f'{key}: {unit}' for key, unit in sorted(units.items()))})" if units else ""


def _labels(items: list[Tree]) -> list[str]:
    """A name for each row: what its first text says, where that tells all apart, else its number."""
    keys = labelled(items)
    if not keys:
        return [str(number) for number in range(len(items))]
    return [", ".join(f"{key}={str(item[key])[:60]}" for key in keys) for item in items if isinstance(item, dict)]


def labelled(items: Sequence[Tree]) -> tuple[str, ...]:
    """The fields (one, or two together) whose texts tell every item from the others; none where there are no such."""
    first = items[0] if items and isinstance(items[0], dict) else {}
    keys = [key for key, value in first.items() if _is_label(value)][:6]
    numbers = [key for key, value in first.items() if isinstance(value, NumberText)][:6]
    pairs = [(one, other) for one in keys for other in (*keys, *numbers) if one != other]
    for chosen in ((key,) for key in keys), pairs:
        for fields in chosen:
            values = [tuple(item.get(key) if isinstance(item, dict) else None for key in fields) for item in items]
            texts = all(isinstance(value, str) and value for row in values for value in row)
            if texts and len(set(map(str, values))) == len(values):
                return fields
    return ()


def _asked(datum: Datum, path: DataPath) -> str:
    """The path, of a database behind its query."""
    query = on_one_line(datum.query, 80).replace(".", " ")
    return f"({query}) {path.text}".strip() if query else path.text


def _is_plain(path: str) -> bool:
    return all(key.isidentifier() for key in path.split("."))


def _is_label(value: Tree) -> bool:
    return isinstance(value, str) and not isinstance(value, NumberText)


def _number(datum: Datum, leaf: Tree, unit: str | None, path: DataPath, file: str) -> DataNumber:
    try:
        return number_of(leaf, unit)
    except NoNumber as error:
        where = f"{path.text} in {file}" if path.text else file
        raise _Faulty(VALUE_RULE, datum.at or datum.file, f"{where} {error}; name a number") from None


def _made(datum: Datum, path: DataPath, answer: list[Tree], unit: str | None, file: str) -> DataNumber:
    """What an aggregate makes of the values."""
    values = answer[0] if len(answer) == 1 and isinstance(answer[0], list) else answer
    if datum.aggregate == "count":
        return DataNumber(Fraction(len(values)), unit or "1", str(len(values)))
    numbers = [_number(datum, leaf, unit, path, file) for leaf in values]
    if not numbers:
        raise _Faulty(VALUE_RULE, datum.at or datum.file, f"{path.text} in {file} is empty")
    other = other_unit(numbers)
    if other is not None:
        reason = f"{path.text} in {file} is {numbers[0].text} and {other.text}, which no one unit measures"
        raise _Faulty(VALUE_RULE, datum.at or datum.file, reason)
    shown = parse_unit(numbers[0].unit).scale
    made = AGGREGATES[datum.aggregate]([number.value * parse_unit(number.unit).scale for number in numbers]) / shown
    return DataNumber(made, numbers[0].unit, str(made))


def data_record(id: str, facts: DataFacts, rows: tuple[str, ...] = ()) -> Record:
    """The record that stands for a data file, or for a row of one."""
    where = Location(facts.file, 1, 1)
    root = MappingNode(where, ())
    return Record(
        id=id,
        kind=Kind.SOURCE,
        name=id,
        status=Status.VERIFIED,
        document=Document(facts.file, "", root),
        id_at=Scalar(where, id, id),
        facts=facts,
        rows_of=rows,
    )
