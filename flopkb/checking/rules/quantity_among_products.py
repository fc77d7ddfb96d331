"""A hardware quantity stands among the products.

``affected_by_hardware`` names products: ids of accelerator records. Quantities such as memory_bandwidth belong in
``hardware_parameters``, each with its effect, magnitude and basis.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Record
from flopkb.base.quantities import HARDWARE
from flopkb.checking.findings import Finding, RecordRule, at


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """The products that are quantities."""
    for product in record.products:
        name = product.target.text
        if name in HARDWARE:
            yield at(
                product.target,
                f"{name} is a quantity, not a product; write it as a row of hardware_parameters with effect and basis",
            )


RULE = RecordRule(id="quantity-among-products", doc=__doc__, run=check)
