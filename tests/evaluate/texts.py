"""Bases from texts alone, for many small ones in a row."""

from __future__ import annotations

from flopkb.base.document import Document
from flopkb.base.evaluate import Evaluation, Value, evaluate
from flopkb.base.faults import Fault
from flopkb.base.link import link
from flopkb.base.loading import load_text
from flopkb.base.schema import read_records

HEAD = "id: {id}\nkind: formula\nname: F\nstatus: verified\nupdated: 2026-01-05\n"


def base_of(**bodies: str) -> Evaluation:
    """A base of formula records, by id; nothing may be wrong with their shape."""
    documents = [load_text(HEAD.format(id=id) + body, f"records/formulas/{id}.yaml") for id, body in bodies.items()]
    assert all(isinstance(document, Document) for document in documents), documents
    records, broken, found = read_records([d for d in documents if isinstance(d, Document)])
    assert not found and not broken, found
    return evaluate(link(records, broken))


def figure(base: Evaluation, name: str, record: str = "f") -> Value:
    """A figure that could be computed."""
    value = base.figures[(record, name)]
    assert isinstance(value, Value), value
    return value


def fault(base: Evaluation, name: str, record: str = "f") -> Fault:
    """What keeps a figure from being computed."""
    value = base.figures[(record, name)]
    assert isinstance(value, Fault), value
    return value
