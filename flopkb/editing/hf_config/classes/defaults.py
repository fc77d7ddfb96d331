"""What several entries of the table have in common: libraries, defaults, names."""

from collections.abc import Mapping

from flopkb.editing.hf_config.reader import Default

V4, V5 = "transformers 4.57.1", "transformers 5.24.0"

HEAD: Mapping[str, Default] = {"head_dim": "hidden_size / num_attention_heads"}
"""The head dimension where the file has none."""

MHA: Mapping[str, Default] = {"num_key_value_heads": "num_attention_heads", **HEAD}
"""As many KV heads as query heads where the file has none."""

SEVEN_BILLION: Mapping[str, Default] = {
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "vocab_size": 32000,
}
"""The sizes that a config inside another leaves out where they are those of the first models of their kind."""


def beside(repository: str) -> str:
    """The code that a repository of weights holds."""
    return f"the code of {repository}"
