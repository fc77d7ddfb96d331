"""The closed lists of what accelerators, interconnects, models and number formats record: key, unit, meaning (a leaf)."""

from __future__ import annotations

from collections.abc import Mapping as MappingType
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from flopkb.base.layers import PARTS
from flopkb.base.model import Kind


class QuantityForm(Enum):
    """How a quantity is written: a number, ``true`` or ``false`` (worth 1 and 0), or a sum of products as counted."""

    NUMBER = "number"
    FLAG = "flag"
    ARITHMETIC = "arithmetic"


@dataclass(frozen=True, slots=True)
class RecordedQuantity:
    """A quantity that records may hold: its key in them, its unit (as text; bare numbers count in it), what it is."""

    name: str
    unit: str
    description: str
    form: QuantityForm = QuantityForm.NUMBER


def _table(*rows: tuple[str, str, str] | tuple[str, str, str, QuantityForm]) -> MappingType[str, RecordedQuantity]:
    return MappingProxyType({row[0]: RecordedQuantity(*row) for row in rows})


HARDWARE = _table(
    ("memory_bandwidth", "byte/s", "Bandwidth between the chip and its main memory."),
    ("memory_capacity", "byte", "Size of the main memory."),
    ("usable_memory", "byte", "What the driver lets programs use of the main memory."),
    ("memory_bus_width", "pin", "Width of the interface to the main memory: bits at a time, one a pin."),
    ("memory_pin_rate", "bit/s", "Transfer rate of one pin of the memory interface."),
    ("peak_flops", "flop/s", "Peak arithmetic rate, one row for each precision."),
    ("l2_cache_size", "byte", "Size of the last-level cache on the chip."),
    ("shared_memory_capacity", "byte", "Largest scratchpad memory of one core (SM, CU)."),
    ("register_file_size", "byte", "Size of the register file of one core (SM, CU)."),
    ("core_count", "core", "Number of cores (SM, CU) that are enabled."),
    ("tensor_core_count", "1", "Number of matrix units (tensor cores, matrix cores, MXUs)."),
    ("boost_clock", "1/s", "Highest clock at which the peak rates are stated."),
    ("interconnect_bandwidth", "byte/s", "Bandwidth to other accelerators, in one direction."),
    ("host_bandwidth", "byte/s", "Bandwidth to the host (PCIe, C2C), in one direction."),
    ("tdp", "W", "Power that the part is allowed to draw."),
)
"""Quantities of an accelerator; the closed list that ``hardware_parameters`` rows choose from."""

LINK = _table(
    ("bandwidth", "byte/s", "Bandwidth between two parts, or of a port, in one direction."),
    ("link_bandwidth", "byte/s", "Bandwidth of one of several links, in one direction."),
    ("link_count", "link", "Number of links that a part has."),
    ("latency", "s", "Least time that a message takes."),
)
"""Quantities of an interconnect."""

MODEL = _table(
    ("num_hidden_layers", "layer", "Number of transformer layers."),
    ("num_attention_heads", "head", "Number of query heads of a layer."),
    ("num_key_value_heads", "head", "Number of key and value heads of a layer."),
    ("head_dim", "element", "Width of a query and key head."),
    ("v_head_dim", "element", "Width of a value head, where it differs."),
    ("q_lora_rank", "element", "Width of the compressed query, where queries are compressed."),
    ("o_lora_rank", "element", "Width of each group of the compressed output, where the output is compressed."),
    ("o_groups", "1", "Number of groups of heads whose output is compressed together."),
    ("kv_lora_rank", "element", "Width of the compressed key and value that is cached (MLA)."),
    ("qk_rope_head_dim", "element", "Width of the part of a head with position encoding, cached once a token (MLA)."),
    ("qk_nope_head_dim", "element", "Width of the part of a head without position encoding (MLA)."),
    ("sliding_window", "token", "Number of tokens that a windowed layer attends to."),
    ("attention_chunk_size", "token", "Number of tokens of a chunk, beyond which a chunked layer does not look back."),
    ("compress_ratio", "1", "Number of tokens that become one entry of a compressed cache."),
    (
        "compress_overlap",
        "1",
        "How many times as wide as an entry its window of tokens is: 2 where windows overlap by half.",
    ),
    ("index_topk", "1", "Number of entries that a query reads of those that an indexer ranks."),
    ("index_n_heads", "head", "Number of query heads of an indexer."),
    ("index_head_dim", "element", "Width of a head of an indexer, and of the key that it caches for an entry."),
    ("state_heads", "head", "Number of heads of the state of a recurrent layer (those of its values)."),
    ("state_key_heads", "head", "Number of key heads of a recurrent layer."),
    ("state_key_dim", "element", "Width of a key of a recurrent layer, one side of its state."),
    (
        "state_value_dim",
        "element",
        "Width of a value of a recurrent layer, the other side of its state; channels of a convolution.",
    ),
    ("conv_kernel", "1", "Number of positions that the short convolution of a layer spans."),
    ("n_groups", "1", "Number of groups of heads that share input and output projections of the state."),
    (
        "gate_rank",
        "1",
        "Rank of the gates of a recurrent layer, where they come through one in place of a full matrix.",
    ),
    ("shared_kv", "1", "Whether keys and values are one tensor, cached once.", QuantityForm.FLAG),
    (
        "shared_kv_projection",
        "1",
        "Whether keys and values have one projection (and are both cached).",
        QuantityForm.FLAG,
    ),
    (
        "output_gate",
        "1",
        "Whether the query projection gives a gate of the output too.",
        QuantityForm.FLAG,
    ),
    (
        "needs_encoder",
        "1",
        "Whether text alone skips it, as what attends to an encoder.",
        QuantityForm.FLAG,
    ),
    (
        "mixer_vectors",
        "parameter",
        "Weights of one such mixer outside its matrices (norms, biases, sinks).",
        QuantityForm.ARITHMETIC,
    ),
    ("intermediate_size", "element", "Inner width of a dense feed-forward block."),
    ("num_experts", "expert", "Number of routed experts of a layer."),
    ("num_experts_per_tok", "expert", "Number of routed experts that one token uses."),
    ("moe_intermediate_size", "element", "Inner width of one expert."),
    ("num_shared_experts", "expert", "Number of experts that every token uses."),
    ("shared_expert_intermediate_size", "element", "Inner width of one shared expert."),
    (
        "expert_vectors",
        "parameter",
        "Weights of one expert outside its matrices (biases).",
        QuantityForm.ARITHMETIC,
    ),
    (
        "feed_forward_vectors",
        "parameter",
        "Weights of one such block outside its matrices (norms, biases).",
        QuantityForm.ARITHMETIC,
    ),
    ("hidden_size", "element", "Width of the residual stream."),
    ("vocab_size", "token", "Number of tokens in the vocabulary."),
    ("input_vocab_size", "token", "Number of rows of the input embedding, where it has more than the output."),
    ("max_position_embeddings", "token", "Longest context the model is made for."),
    ("tie_word_embeddings", "1", "Whether input and output embeddings are one matrix.", QuantityForm.FLAG),
    (
        "model_vectors",
        "parameter",
        "Weights outside layers and embeddings (the last norm, biases).",
        QuantityForm.ARITHMETIC,
    ),
    ("num_parameters", "parameter", "Number of weights."),
    ("num_active_parameters", "parameter", "Number of weights that one token uses."),
)
"""Quantities of a model: those of its layers, which stand in one kind of layer or beside each other, and its own."""

DTYPE = _table(
    ("bits", "bit", "Bits of the code of one element, without scales."),
    ("bytes", "byte", "Bytes of one stored element, with its share of scales and zero points."),
    ("code_bytes", "byte", "Bytes of the code of one element, without scales."),
    ("group_size", "element", "Number of elements that share a scale."),
    ("scale_bits", "bit", "Bits of the scale of a group."),
    ("zero_point_bits", "bit", "Bits of the zero point, or least value, of a group."),
    ("super_group_size", "element", "Number of elements whose groups share a scale of their scales."),
    ("super_scale_bits", "bit", "Bits of the scale of the scales of a super-group."),
    ("super_zero_point_bits", "bit", "Bits of the scale of the zero points of a super-group."),
    (
        "tensor_scale_bits",
        "bit",
        "Bits of a scale for a whole tensor, which an element has no share of worth counting.",
    ),
    (
        "scales_left_out",
        "1",
        "Whether scales belong to the format that bytes does not count: an answer made with it says so.",
    ),
)
"""Quantities of a number format."""

QUANTITIES: MappingType[Kind, MappingType[str, RecordedQuantity]] = MappingProxyType(
    {Kind.ACCELERATOR: HARDWARE, Kind.INTERCONNECT: LINK, Kind.MODEL: MODEL, Kind.DTYPE: DTYPE}
)
"""The quantities of each kind of record that holds values."""


def quantity_of(path: str) -> str:
    """The quantity at the path of a recorded value: of a part of a model the last step, of rows the first."""
    steps = path.split(".")
    return steps[-1] if steps[0] in PARTS.values() else steps[0]


NAMED_READINGS: MappingType[str, str] = MappingProxyType(
    {
        "binary": "bytes, printed with decimal prefixes and meant in powers of 1024",
        "sparse": "peak rates, printed with sparsity",
        "both_directions": "links, printed with both directions added",
    }
)
"""Readings of a printed number that have a name, each with what it is a reading of."""
