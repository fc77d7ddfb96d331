"""A table of a document does not hold the rows of its data file.

Below a comment ``<!-- flopkb-table: ... -->``, which names rows and what fills each column, the table must have a line for
each row in the order of the file, with its texts and numbers; numbers are judged at the precision they are written with.
``flopkb fix`` writes a table that is not there, or that has other lines, and mends single cells.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.model import QuotingPage, Subject
from flopkb.base.row_tables import row_tables
from flopkb.checking.findings import Finding, PageRule


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """What is wrong with the tables of a document that rows fill."""
    for table in row_tables(subject.id, base) if isinstance(subject, QuotingPage) else ():
        for fault in table.faults:
            yield Finding(
                fault.location, fault.message, quoted=fault.quoted, computed=fault.computed, length=fault.length
            )


RULE = PageRule(id="row-table", doc=__doc__, run=check)
