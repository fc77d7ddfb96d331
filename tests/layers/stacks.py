"""A small base of formulas over layers, in the words of these tests, and models to ask it of."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from flopkb.base.document import Document
from flopkb.base.evaluate import Evaluation, evaluate
from flopkb.base.faults import Fault
from flopkb.base.link import link
from flopkb.base.loading import load_text
from flopkb.base.schema import read_records
from flopkb.checking.api import Base, FlopkbError

VOCABULARY = """
id: words
kind: vocabulary
name: Words of the tests
status: verified
updated: 2026-01-05
symbols:
  B: {meaning: sequences, domain: {integer: [1, 65536]}}
  L: {meaning: tokens, unit: token, domain: {integer: [1, 10000000]}}
  T: {meaning: ranks, domain: {integer: [1, 64]}}
  R: {meaning: groups, domain: {integer: [1, 64]}}
  layers: {meaning: layers, from: model.num_hidden_layers, domain: {integer: [1, 1000]}}
  D: {meaning: width, from: model.hidden_size, domain: {integer: [1, 100000]}}
  mixer_type: {meaning: type of mixer, from: mixer.type}
  feed_forward_type: {meaning: type of block, from: feed_forward.type}
  n_q: {meaning: query heads, from: mixer.num_attention_heads, domain: {integer: [1, 1024]}}
  n_kv: {meaning: KV heads, from: mixer.num_key_value_heads, domain: {integer: [1, 1024]}}
  d_h: {meaning: head width, from: mixer.head_dim, domain: {integer: [1, 4096]}}
  d_v: {meaning: value width, from: mixer.v_head_dim, else: d_h, domain: {integer: [1, 4096]}}
  window: {meaning: window, unit: token, from: mixer.sliding_window, domain: {integer: [1, 1000000]}}
  r_kv: {meaning: latent, from: mixer.kv_lora_rank, domain: {integer: [1, 4096]}}
  r_q: {meaning: query latent, from: mixer.q_lora_rank, domain: {integer: [1, 4096]}}
  d_rope: {meaning: rotary part, from: mixer.qk_rope_head_dim, domain: {integer: [0, 4096]}}
  shared: {meaning: one tensor, from: mixer.shared_kv, else: 0, domain: {one_of: [0, 1]}}
  ratio: {meaning: tokens an entry, from: mixer.compress_ratio, domain: {integer: [1, 1024]}}
  reuses: {meaning: another cache, from: mixer.reuses}
  n_s: {meaning: state heads, from: mixer.state_heads, domain: {integer: [1, 1024]}}
  d_sk: {meaning: state key, from: mixer.state_key_dim, domain: {integer: [1, 4096]}}
  d_sv: {meaning: state value, from: mixer.state_value_dim, domain: {integer: [1, 4096]}}
  small: {meaning: vectors, from: mixer.mixer_vectors, else: 0}
  F: {meaning: inner width, from: feed_forward.intermediate_size, domain: {integer: [1, 1000000]}}
  E: {meaning: experts, from: feed_forward.num_experts, domain: {integer: [1, 4096]}}
  k: {meaning: experts used, from: feed_forward.num_experts_per_tok, domain: {rational: [0, 4096]}}
  F_e: {meaning: width of an expert, from: feed_forward.moe_intermediate_size, domain: {integer: [1, 100000]}}
  experts: {meaning: kind of expert, from: feed_forward.experts}
  b_kv: {meaning: bytes, unit: byte, from: kv_dtype.bytes, domain: {rational: [1/16, 8]}}
  b_s: {meaning: bytes of state, unit: byte, from: state_dtype.bytes, domain: {rational: [1/16, 8]}}
groups:
  with_heads: [full_attention, sliding_attention]
  with_cache: [full_attention, sliding_attention, latent_attention]
  without_cache: [gated_delta, mamba2]
"""

CACHE = """
id: cache
kind: formula
name: What layers keep
status: verified
updated: 2026-01-05
formulas:
  entry:
    unit: "1"
    cases:
      - {when: mixer_type in with_heads and shared, expr: n_kv*d_h}
      - {when: mixer_type in with_heads and not shared, expr: n_kv*(d_h + d_v)}
      - {when: mixer_type == latent_attention, expr: r_kv + d_rope}
  kept:
    unit: token
    cases:
      - {when: "mixer_type in [full_attention, latent_attention]", expr: L}
      - {when: mixer_type == sliding_attention, expr: "min(L, window)"}
  of_layer:
    unit: byte
    cases:
      - {when: mixer_type in with_cache, expr: (1 - has(reuses))*kept*entry*b_kv}
      - {when: mixer_type in without_cache, expr: 0}
  state_of_layer:
    unit: byte
    cases:
      - {when: mixer_type in with_cache, expr: 0}
      - {when: mixer_type == gated_delta, expr: n_s*d_sk*d_sv*b_s}
  size: {expr: "B*sum(model.mixers, of_layer)", unit: byte}
  state: {expr: "sum(model.mixers, state_of_layer)", unit: byte}
  read: {expr: "B*sum(model.mixers, of_layer) + 2*B*state", unit: byte}
  twice: {expr: size(L=2*L), unit: byte}
  of_rank: {expr: size(n_kv=ceil(n_kv/T)), unit: byte}
  divided: {expr: "size(n_kv=ceil(n_kv/T), B=ceil(B/R))", unit: byte}
  one_group:
    expr: "divided(R=1)"
    unit: byte
    requires: [{that: "divided(R=1) >= 0", else: it is less than nothing}]
  lonely: {expr: 1 - has(r_q), unit: "1"}
"""

WEIGHTS = """
id: weights
kind: formula
name: What layers weigh
status: verified
updated: 2026-01-05
formulas:
  queries:
    unit: "1"
    cases:
      - {when: has(r_q), expr: D*r_q + r_q*n_q*d_h}
      - {when: not has(r_q), expr: D*n_q*d_h}
  mixing:
    unit: "1"
    cases:
      - {when: mixer_type in with_heads, expr: queries + D*n_kv*(d_h + d_v) + n_q*d_v*D + small}
  matrices: {unit: "1", cases: [{when: experts == gated, expr: 3}, {when: experts == plain, expr: 2}]}
  block:
    unit: "1"
    cases:
      - {when: feed_forward_type == gated, expr: 3*D*F}
      - {when: feed_forward_type == plain, expr: 2*D*F}
      - {when: feed_forward_type == mixture_of_experts, expr: D*E + E*matrices*D*F_e}
  used:
    unit: "1"
    cases:
      - {when: feed_forward_type == gated, expr: 3*D*F}
      - {when: feed_forward_type == plain, expr: 2*D*F}
      - {when: feed_forward_type == mixture_of_experts, expr: D*E + k*matrices*D*F_e}
  total: {expr: "sum(model.mixers, mixing) + sum(model.feed_forwards, block)", unit: parameter}
  active: {expr: "sum(model.mixers, mixing) + sum(model.feed_forwards, used)", unit: parameter}
  touched: {expr: active(k=E*(1 - (1 - k/E)**B)), unit: parameter}
"""

MODEL = "id: {id}\nkind: model\nname: Model {id}\nstatus: verified\nupdated: 2026-01-05\ndeveloper: Makers\nconfig_source: config\n"
CONFIG = """
id: config
kind: source
name: A configuration
status: verified
updated: 2026-01-05
source_kind: config
title: Configuration
organisation: Makers
year: 2026
locator: {url: "https://example.org/config.json"}
"""
DTYPE = """
id: {id}
kind: dtype
name: {id}
status: verified
updated: 2026-01-05
bits: {bits}
bytes: {{value: {bytes} byte, basis: derived, formula: bits}}
"""

WINDOWS = """
num_hidden_layers: 8
hidden_size: 100
mixers:
  full: {type: full_attention, num_attention_heads: 4, num_key_value_heads: 2, head_dim: 10}
  local: {type: sliding_attention, sliding_window: 16, num_attention_heads: 4, num_key_value_heads: 1, head_dim: 10}
  again: {type: full_attention, num_attention_heads: 4, num_key_value_heads: 2, head_dim: 10, reuses: full}
feed_forwards:
  dense: {type: gated, intermediate_size: 50}
  routed: {type: mixture_of_experts, num_experts: 8, num_experts_per_tok: 2, moe_intermediate_size: 20, experts: gated}
layers:
  - {count: 1, mixers: [full], feed_forwards: [dense]}
  - repeat: 2
    layers:
      - {count: 2, mixers: [local], feed_forwards: [routed]}
      - {count: 1, mixers: [again], feed_forwards: [routed]}
  - {count: 1, mixers: [], feed_forwards: [dense]}
"""
FLAT = """
num_hidden_layers: 3
hidden_size: 100
attention: full_attention
num_attention_heads: 4
num_key_value_heads: 2
head_dim: 10
feed_forward: gated
intermediate_size: 50
"""
HYBRID = """
num_hidden_layers: 4
hidden_size: 100
mixers:
  delta:
    {type: gated_delta, state_heads: 2, state_key_heads: 2, state_key_dim: 3, state_value_dim: 5, conv_kernel: 4,
     state_dtype: wide}
  latent:
    {type: latent_attention, num_attention_heads: 4, kv_lora_rank: 30, qk_rope_head_dim: 6, qk_nope_head_dim: 8,
     v_head_dim: 8}
layers:
  - {count: 3, mixers: [delta]}
  - {count: 1, mixers: [latent]}
"""
MODELS = {"windows": WINDOWS, "flat": FLAT}


def loaded(*sources: str, faulty: bool = False) -> Evaluation:
    """A base of these records; nothing may be wrong with their shape, unless they are ``faulty`` on purpose."""
    documents = [load_text(source.lstrip(), f"records/{place}.yaml") for place, source in enumerate(sources)]
    assert all(isinstance(document, Document) for document in documents), documents
    records, broken, found = read_records([document for document in documents if isinstance(document, Document)])
    assert faulty or (not found and not broken), found
    return evaluate(link(records, broken))


def base_of(models: Mapping[str, str] = MODELS, *formulas: str, faulty: bool = False) -> Evaluation:
    """The formulas of this module and others, over models given by what stands below their heads."""
    dtypes = [DTYPE.format(id=id, bits=8 * size, bytes=size) for id, size in (("half", 2), ("wide", 4))]
    shapes = [MODEL.format(id=id) + body for id, body in models.items()]
    return loaded(VOCABULARY, CACHE, WEIGHTS, CONFIG, *dtypes, *shapes, *formulas, faulty=faulty)


def asked(base: Evaluation, formula: str, **inputs: str) -> Fraction | Fault:
    """What a formula comes to in its declared unit, or why it does not."""
    try:
        return Base(base).evaluate(formula, **inputs).value
    except FlopkbError as error:
        return error.fault
