"""The quantities that records may hold, each with its unit (a leaf).

The schemas list the same names; a test holds the two together. Units are texts that ``units.parse_unit`` reads: a value
written as a bare number counts in this unit, and a written unit must be of its dimension.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from flopkb.base.model import Kind


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity: its key in records, its unit, and what it is."""

    name: str
    unit: str
    description: str


def _table(*rows: tuple[str, str, str]) -> Mapping[str, Quantity]:
    return MappingProxyType({name: Quantity(name, unit, description) for name, unit, description in rows})


HARDWARE = _table(
    ("memory_bandwidth", "byte/s", "Bandwidth between the chip and its main memory."),
    ("memory_capacity", "byte", "Size of the main memory."),
    ("memory_bus_width", "bit", "Width of the interface to the main memory."),
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

MODEL = _table(
    ("num_hidden_layers", "layer", "Number of transformer layers."),
    ("num_full_attention_layers", "layer", "Number of layers that attend to the whole context."),
    ("num_sliding_attention_layers", "layer", "Number of layers that attend to a window."),
    ("num_linear_attention_layers", "layer", "Number of layers with a state in place of a cache (SSM)."),
    ("num_attention_heads", "head", "Number of query heads of a layer."),
    ("num_key_value_heads", "head", "Number of key and value heads of a layer."),
    ("q_lora_rank", "element", "Width of the compressed query (MLA)."),
    ("kv_lora_rank", "element", "Width of the compressed key and value that is cached (MLA)."),
    ("qk_rope_head_dim", "element", "Width of the part of a head with position encoding, cached once a token (MLA)."),
    ("qk_nope_head_dim", "element", "Width of the part of a head without position encoding (MLA)."),
    ("v_head_dim", "element", "Width of a value head, where it differs."),
    ("hidden_size", "element", "Width of the residual stream."),
    ("head_dim", "element", "Width of a query and key head."),
    ("intermediate_size", "element", "Inner width of a dense feed-forward block."),
    ("sliding_window", "token", "How many tokens a windowed layer attends to."),
    ("vocab_size", "token", "Number of tokens in the vocabulary."),
    ("max_position_embeddings", "token", "Longest context the model is made for."),
    ("num_parameters", "parameter", "Number of weights."),
    ("num_active_parameters", "parameter", "Number of weights that one token uses."),
    ("num_experts", "expert", "Number of routed experts of a layer."),
    ("num_experts_per_token", "expert", "Number of routed experts that one token uses."),
    ("num_shared_experts", "expert", "Number of experts that every token uses."),
    ("num_dense_layers", "layer", "Number of layers with a dense feed-forward block in a mixture of experts."),
    ("moe_intermediate_size", "element", "Inner width of one expert."),
    ("ssm_state_size", "element", "Size of the state of one channel of an SSM layer."),
)
"""Quantities of a model, named as its config.json names them where it does."""

DTYPE = _table(
    ("bits", "bit", "Bits of one stored element, without scales."),
    ("bytes", "byte", "Bytes of one stored element, without scales."),
    ("group_size", "element", "Number of elements that share a scale."),
    ("scale_bits", "bit", "Bits of one scale."),
    ("zero_point_bits", "bit", "Bits of one zero point."),
    ("bytes_with_scales", "byte", "Bytes of one stored element, with its share of scales and zero points."),
)
"""Quantities of a number format."""

QUANTITIES: Mapping[Kind, Mapping[str, Quantity]] = MappingProxyType(
    {Kind.ACCELERATOR: HARDWARE, Kind.MODEL: MODEL, Kind.DTYPE: DTYPE}
)
"""The quantities of each kind of record that holds values."""
