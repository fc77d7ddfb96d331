"""The closed table: which class loads a config of which ``model_type``, and what only that class knows.

Each entry names its class and where it was read. A ``model_type`` that is not here is refused by its name.
"""

from flopkb.editing.hf_config.classes.dense import DENSE
from flopkb.editing.hf_config.classes.expert import EXPERT
from flopkb.editing.hf_config.classes.hybrid import HYBRID
from flopkb.editing.hf_config.classes.older import OLDER
from flopkb.editing.hf_config.classes.refused import REFUSED
from flopkb.editing.hf_config.classes.wrapping import WRAPPING, Wrapping

CLASSES = {**DENSE, **EXPERT, **HYBRID, **OLDER}

__all__ = ["CLASSES", "REFUSED", "WRAPPING", "Wrapping"]
