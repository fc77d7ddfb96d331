"""A source that nobody read as a whole is called verified, or quoted letter for letter.

``access`` says how a source was read: ``opened``, in an ``excerpt`` of it, or ``secondhand``, through the ``sources``
that it names. Only what was opened is ``verified``; what is known secondhand has no printed form that anyone saw.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Kind, Record, Status
from flopkb.checking.findings import Finding, RecordRule, at


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """A source against its own status; values against how their sources were read."""
    access = access_of(record)
    if access is not None and access.text != "opened" and record.status is Status.VERIFIED:
        status = record.document.root.get("status")
        assert isinstance(status, Scalar)
        yield at(status, f"access is {access.text}: a source that nobody opened is not verified; say status: draft")
    if access is not None and access.text == "secondhand" and not record.sources:
        yield at(access, "a source known secondhand names the sources that it is known through, under sources")
    for fact in record.facts.values():
        for stated in (fact, *fact.disputed):
            if stated.as_printed is None or stated.as_printed is stated.value:
                continue
            for reference in stated.sources:
                source = base.kb.records.get(reference.target.text)
                read = access_of(source) if source is not None else None
                if read is not None and read.text == "secondhand":
                    yield at(
                        stated.as_printed,
                        f"nobody read what {reference.target.text} prints (its access is secondhand); leave out "
                        "as_printed, or name the source that was read",
                    )


def access_of(record: Record) -> Scalar | None:
    """How a source was read, where it says so."""
    found = record.document.root.get("access") if record.kind is Kind.SOURCE else None
    return found if isinstance(found, Scalar) else None


RULE = RecordRule(id="unread-source", doc=__doc__, run=check)
