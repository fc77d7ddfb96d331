"""Models made up for tests, and what they cost: reckoned layer by layer in the plainest way, from the fields alone.

Nothing here knows the formulas of the base. A quantity that has no meaning for a model is :class:`Untold`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction as F

Field = int | str | bool
Part = dict[str, Field]

HEADS = ("full_attention", "sliding_attention", "chunked_attention", "cross_attention", "compressed_attention")
KEEPS = ("full_attention", "sliding_attention", "chunked_attention", "latent_attention", "compressed_attention")
RECURRENT = ("gated_delta", "mamba", "mamba2", "linear_attention", "conv")
TYPES = (*HEADS, "latent_attention", "indexer", *RECURRENT)


class Untold(Exception):
    """There is no such number for this model: the base must give a reason."""


@dataclass(frozen=True)
class Model:
    """A model: its parts by name, and the names of each layer's parts, one layer after the other."""

    id: str
    top: dict[str, Field]
    mixers: dict[str, Part]
    blocks: dict[str, Part]
    layers: list[tuple[list[str], list[str]]] = field(default_factory=list)

    def record(self) -> str:
        """As a record says it."""
        lines = [f"id: {self.id}", "kind: model", f"name: Made {self.id}", "status: verified", "updated: 2026-01-05"]
        lines += ["developer: Makers", "config_source: llama_3_8b_config", f"num_hidden_layers: {len(self.layers)}"]
        lines += [f"{key}: {shown(value)}" for key, value in self.top.items()]
        for section, parts in (("mixers", self.mixers), ("feed_forwards", self.blocks)):
            lines.append(f"{section}:")
            lines += [
                f"  {name}: {{{', '.join(f'{k}: {shown(v)}' for k, v in part.items())}}}"
                for name, part in parts.items()
            ]
        lines.append("layers:")
        lines += [
            f"  - {{count: 1, mixers: [{', '.join(m)}], feed_forwards: [{', '.join(b)}]}}" for m, b in self.layers
        ]
        return "\n".join(lines) + "\n"

    def each_mixer(self) -> Iterator[Part]:
        """The mixers of all layers."""
        return (self.mixers[name] for names, _ in self.layers for name in names)

    def each_block(self) -> Iterator[Part]:
        """The feed-forward blocks of all layers."""
        return (self.blocks[name] for _, names in self.layers for name in names)


def shown(value: Field) -> str:
    """A field as YAML has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def n(part: Part, key: str, otherwise: int | None = None) -> int:
    """A number of a part."""
    found = part.get(key, otherwise)
    assert isinstance(found, int), (key, part)
    return int(found)


@dataclass(frozen=True)
class Asked:
    """The inputs: counts, and bytes of an element by role."""

    B: int
    L: int
    L_x: int
    page: int
    kv: F
    w: F
    e: F | None
    i: F
    s: F
    c: F


def width(m: Part) -> int:
    """Elements of an entry."""
    if m["type"] == "latent_attention":
        return n(m, "kv_lora_rank") + n(m, "qk_rope_head_dim")
    key = n(m, "head_dim")
    return n(m, "num_key_value_heads") * (key if m.get("shared_kv") else key + n(m, "v_head_dim", key))


def entries(m: Part, a: Asked) -> int:
    """Entries that a sequence has, whoever keeps them."""
    match m["type"]:
        case "full_attention" | "latent_attention":
            return a.L
        case "sliding_attention":
            return min(a.L, n(m, "sliding_window"))
        case "chunked_attention":
            return min(a.L, n(m, "attention_chunk_size"))
        case "compressed_attention":
            window = min(a.L, n(m, "sliding_window")) if "sliding_window" in m else 0
            return a.L // n(m, "compress_ratio") + window
    return 0


def looked_at(m: Part, a: Asked) -> int:
    """Entries that a step reads."""
    if "index_topk" not in m:
        return entries(m, a)
    if m["type"] != "compressed_attention":
        return min(entries(m, a), n(m, "index_topk"))
    window = min(a.L, n(m, "sliding_window")) if "sliding_window" in m else 0
    return min(a.L // n(m, "compress_ratio"), n(m, "index_topk")) + window


def size_of(m: Part, a: Asked) -> F:
    """Keys, values and latents of a sequence."""
    return entries(m, a) * width(m) * a.kv if m["type"] in KEEPS and "reuses" not in m else F(0)


def index_of(m: Part, a: Asked, *, read: bool = False) -> F:
    """Keys of an indexer."""
    if m["type"] != "indexer" or ("reuses" in m and not read):
        return F(0)
    return a.L // n(m, "compress_ratio") * n(m, "index_head_dim") * a.i


def cross_of(m: Part, a: Asked, *, read: bool = False) -> F:
    """What is kept of an encoder."""
    if m["type"] != "cross_attention" or ("reuses" in m and not read):
        return F(0)
    return a.L_x * width(m) * a.kv


def state_of(m: Part, a: Asked) -> F:
    """What a sequence carries whatever its length."""
    kind = m["type"]
    if kind in RECURRENT:
        state = 0 if kind == "conv" else n(m, "state_heads") * n(m, "state_key_dim") * n(m, "state_value_dim")
        return state * a.s + channels(m) * (n(m, "conv_kernel", 1) - 1) * a.c
    if kind == "compressed_attention" or (kind == "indexer" and n(m, "compress_ratio") > 1):
        wide = n(m, "head_dim" if kind == "compressed_attention" else "index_head_dim")
        return 2 * n(m, "compress_overlap") ** 2 * n(m, "compress_ratio") * wide * a.s
    return F(0)


def channels(m: Part) -> int:
    """Channels of the short convolution of a recurrent layer."""
    match m["type"]:
        case "gated_delta":
            keys = n(m, "state_key_heads") * n(m, "state_key_dim")
            return 2 * keys + n(m, "state_heads") * n(m, "state_value_dim")
        case "mamba2":
            return 2 * n(m, "n_groups") * n(m, "state_key_dim") + n(m, "state_heads") * n(m, "state_value_dim")
        case "mamba":
            return n(m, "state_heads") * n(m, "state_value_dim")
        case "conv":
            return n(m, "state_value_dim")
    return 0


def pages_of(m: Part, a: Asked) -> F:
    """The size in whole pages."""
    return -(-entries(m, a) // a.page) * a.page * width(m) * a.kv if size_of(m, a) else F(0)


def token_of(m: Part, a: Asked) -> F:
    """What a token adds where nothing bounds a layer."""
    if m["type"] in ("sliding_attention", "chunked_attention", "compressed_attention"):
        raise Untold(m["type"])
    return width(m) * a.kv if m["type"] in KEEPS and "reuses" not in m else F(0)


def growth_of(m: Part, a: Asked) -> F:
    """What a token adds once windows are full."""
    if "reuses" in m or m["type"] in ("sliding_attention", "chunked_attention"):
        return F(0)
    match m["type"]:
        case "full_attention" | "latent_attention":
            return width(m) * a.kv
        case "compressed_attention":
            return width(m) * a.kv / n(m, "compress_ratio")
        case "indexer":
            return n(m, "index_head_dim") * a.i / n(m, "compress_ratio")
    return F(0)


def read_of(m: Part, a: Asked) -> F:
    """What a step reads (and writes, of states) for a sequence."""
    kept = looked_at(m, a) * width(m) * a.kv if m["type"] in KEEPS else F(0)
    return kept + index_of(m, a, read=True) + cross_of(m, a, read=True) + 2 * state_of(m, a)


def weights_of(m: Part, D: int) -> int:
    """Matrices of a mixer."""
    kind = m["type"]
    if kind in RECURRENT:
        return recurrent_weights(m, D)
    if kind == "indexer":
        rank, heads, wide = n(m, "q_lora_rank"), n(m, "index_n_heads"), n(m, "index_head_dim")
        keys = D * wide if n(m, "compress_ratio") == 1 else 2 * n(m, "compress_overlap") * D * wide
        return rank * heads * wide + D * heads + keys
    heads = n(m, "num_attention_heads")
    latent = kind == "latent_attention"
    key = n(m, "qk_nope_head_dim") + n(m, "qk_rope_head_dim") if latent else n(m, "head_dim")
    value = n(m, "v_head_dim", key)
    query = D * heads * key * (2 if m.get("output_gate") else 1)
    if "q_lora_rank" in m:
        query = n(m, "q_lora_rank") * (D + heads * key)
    output = heads * value * D
    if "o_lora_rank" in m:
        output = n(m, "o_lora_rank") * (heads * value + n(m, "o_groups") * D)
    if latent:
        rank = n(m, "kv_lora_rank")
        return (
            query + output + D * (rank + n(m, "qk_rope_head_dim")) + rank * heads * (n(m, "qk_nope_head_dim") + value)
        )
    groups = n(m, "num_key_value_heads")
    one = m.get("shared_kv") or m.get("shared_kv_projection")
    keys = D * groups * (key if one else key + value)
    if kind == "compressed_attention":
        return query + output + keys + 2 * n(m, "compress_overlap") * D * groups * key
    return query + output + (0 if "reuses" in m else keys)


def recurrent_weights(m: Part, D: int) -> int:
    """Matrices of a recurrent layer and its short convolution."""
    if m["type"] == "conv":
        return D * 3 * n(m, "state_value_dim") + n(m, "conv_kernel") * channels(m) + n(m, "state_value_dim") * D
    heads, wide, key = n(m, "state_heads"), n(m, "state_value_dim"), n(m, "state_key_dim")
    inner, out = heads * wide, heads * wide * D
    match m["type"]:
        case "mamba":
            return 2 * D * inner + n(m, "conv_kernel") * inner + out
        case "mamba2":
            into = D * (2 * inner + 2 * n(m, "n_groups") * key + heads)
            return into + n(m, "conv_kernel") * channels(m) + out
        case "linear_attention":
            return D * (2 * n(m, "state_key_heads") * key + 2 * inner) + out
    keys = n(m, "state_key_heads") * key
    if "gate_rank" not in m:
        return D * (2 * keys + 2 * inner + 2 * heads) + n(m, "conv_kernel") * channels(m) + out
    gates = n(m, "gate_rank") * (2 * D + keys + inner)
    return D * (2 * keys + inner + heads) + gates + n(m, "conv_kernel") * channels(m) + out


def block_of(b: Part, D: int, number: F | None = None) -> tuple[F, F]:
    """Weights of a block outside its routed experts, and in so many of these."""
    if b["type"] != "mixture_of_experts":
        return F((3 if b["type"] == "gated" else 2) * D * n(b, "intermediate_size")), F(0)
    matrices = (3 if b["experts"] == "gated" else 2) * D
    wide = n(b, "moe_intermediate_size")
    shared = n(b, "num_shared_experts", 0) * matrices * n(b, "shared_expert_intermediate_size", wide)
    each = matrices * wide + n(b, "expert_vectors", 0)
    return F(D * n(b, "num_experts") + shared), (n(b, "num_experts") if number is None else number) * F(each)


def used_experts(b: Part, tokens: int | None) -> F:
    """Experts that a token uses, or that so many tokens are expected to touch, each choosing evenly."""
    if b["type"] != "mixture_of_experts":
        return F(0)
    every, chosen = n(b, "num_experts"), n(b, "num_experts_per_tok")
    return F(chosen) if tokens is None else every * (1 - (1 - F(chosen, every)) ** tokens)


class Costs:
    """Every quantity of a model for some inputs, by the name of the formula that should give it."""

    def __init__(self, model: Model, asked: Asked) -> None:
        self.m, self.a = model, asked
        self.D = n(model.top, "hidden_size")
        self.words = n(model.top, "vocab_size") * self.D
        self.input = n(model.top, "input_vocab_size", n(model.top, "vocab_size")) * self.D
        self.tied = bool(model.top["tie_word_embeddings"])
        self.outside = self.input + (0 if self.tied else self.words)

    def mixers(self, one: object) -> F:
        """A quantity of a mixer, over all layers."""
        assert callable(one)
        return sum((F(one(m, self.a)) for m in self.m.each_mixer()), F(0))

    def weights(self, *, used: bool, tokens: int | None = None) -> F:
        """Parameters outside routed experts, and in all or the used ones; layers beside an encoder count with it."""
        found = F(self.outside + n(self.m.top, "model_vectors", 0))
        with_encoder = min(1, self.a.L_x) if used else 1
        for m in self.m.each_mixer():
            found += (weights_of(m, self.D) + n(m, "mixer_vectors", 0)) * (
                with_encoder if m.get("needs_encoder") else 1
            )
        for b in self.m.each_block():
            plain, routed = block_of(b, self.D, used_experts(b, tokens) if used else None)
            more = plain + routed + n(b, "feed_forward_vectors", 0)
            found += more * (with_encoder if b.get("needs_encoder") else 1)
        return found

    def experts(self, *, used: bool, tokens: int | None = None) -> F:
        """Parameters in routed experts."""
        found = F(0)
        for b in self.m.each_block():
            skipped = used and b.get("needs_encoder") and not self.a.L_x
            found += 0 if skipped else block_of(b, self.D, used_experts(b, tokens) if used else None)[1]
        return found

    @property
    def multiplied(self) -> F:
        """Used parameters, of the embeddings the one that makes the output: the other is looked up."""
        return self.weights(used=True) - self.outside + self.words

    @property
    def stored(self) -> F:
        """Bytes of all weights."""
        experts = self.experts(used=False)
        return self.weights(used=False) * self.a.w + experts * ((self.a.e or self.a.w) - self.a.w)

    @property
    def fetched(self) -> F:
        """Bytes of the weights that a step reads."""
        every = self.weights(used=True, tokens=self.a.B) - self.outside + self.words
        return every * self.a.w + self.experts(used=True, tokens=self.a.B) * ((self.a.e or self.a.w) - self.a.w)

    @property
    def attention_work(self) -> F:
        """Operations of all sequences beside the products with weights."""
        return self.a.B * self.mixers(work_of)

    @property
    def total(self) -> F:
        """All that is kept."""
        return self.a.B * self.mixers(lambda m, a: size_of(m, a) + index_of(m, a) + cross_of(m, a) + state_of(m, a))

    @property
    def read(self) -> F:
        """What a step reads of caches and states."""
        return self.a.B * self.mixers(read_of)


def work_of(m: Part, a: Asked) -> int:
    """Operations of one sequence beside the products with weights: a multiply and an add are two."""
    match m["type"]:
        case "latent_attention":
            wide = 2 * n(m, "kv_lora_rank") + n(m, "qk_rope_head_dim")
            return 2 * n(m, "num_attention_heads") * wide * looked_at(m, a)
        case "indexer":
            return 2 * n(m, "index_n_heads") * n(m, "index_head_dim") * (a.L // n(m, "compress_ratio"))
        case "conv":
            return 0
    if m["type"] in RECURRENT:
        return 6 * n(m, "state_heads") * n(m, "state_key_dim") * n(m, "state_value_dim")
    wide = n(m, "head_dim") + n(m, "v_head_dim", n(m, "head_dim"))
    seen = a.L_x if m["type"] == "cross_attention" else looked_at(m, a)
    return 2 * n(m, "num_attention_heads") * wide * seen


def prompt_work_of(m: Part, a: Asked) -> int:
    """Operations of a prompt beside the products with weights: what each token's place looks back at, one by one."""
    if m["type"] == "cross_attention" or m["type"] in RECURRENT:
        return a.L * work_of(m, a)
    if m["type"] == "chunked_attention":
        each = [(place - 1) % n(m, "attention_chunk_size") + 1 for place in range(1, a.L + 1)]
        return sum(work_of(m, replace(a, L=seen)) for seen in each)
    if m["type"] == "latent_attention" and "index_topk" not in m:
        wide = n(m, "qk_nope_head_dim") + n(m, "qk_rope_head_dim") + n(m, "v_head_dim")
        return sum(2 * n(m, "num_attention_heads") * wide * place for place in range(1, a.L + 1))
    return sum(work_of(m, replace(a, L=place)) for place in range(1, a.L + 1))


# -- models made up -----------------------------------------------------------------------------------------------
def made(seed: int, kinds: tuple[str, ...], blocks: tuple[str, ...]) -> Model:
    """A model with a mixer of each kind (and some that reuse its cache), in an order of its own."""
    dice = random.Random(seed)
    mixers: dict[str, Part] = {}
    for place, kind in enumerate(kinds):
        mixers[f"m{place}"] = mixer(kind, dice)
        if kind in (*KEEPS, "indexer", "cross_attention") and dice.random() < 0.3:
            mixers[f"m{place}_again"] = {**mixers[f"m{place}"], "reuses": f"m{place}"}
    parts = {f"f{place}": block(kind, dice) for place, kind in enumerate(blocks)}
    top: dict[str, Field] = {
        "hidden_size": 8 * dice.randint(1, 40), "vocab_size": dice.randint(50, 999),
        "tie_word_embeddings": dice.random() < 0.5, "max_position_embeddings": 200,
    }  # fmt: skip
    top |= {"model_vectors": dice.randint(1, 99)} if dice.random() < 0.8 else {}
    layers = [([name], []) for name in mixers] + [([], [name]) for name in parts]
    for _ in range(dice.randint(0, 4)):
        some = dice.sample(sorted(mixers), k=dice.randint(0, min(2, len(mixers))))
        layers.append((some, dice.sample(sorted(parts), k=dice.randint(0, min(2, len(parts))))))
    first = [layer for layer in layers if not any(name.endswith("again") for name in layer[0])]
    return Model(f"made_{seed}", top, mixers, parts, [*first, *(layer for layer in layers if layer not in first)])


def mixer(kind: str, dice: random.Random) -> Part:
    """A mixer of a type, its optional fields there or not."""
    m: Part = {"type": kind}

    def small() -> int:
        return dice.randint(2, 24)

    def perhaps(**fields: Field) -> None:
        m.update(fields if dice.random() < 0.4 else {})

    if kind in HEADS:
        groups = dice.randint(1, 6)
        m |= {"num_attention_heads": groups * dice.randint(1, 5), "num_key_value_heads": groups, "head_dim": small()}
        perhaps(q_lora_rank=small())
        perhaps(o_lora_rank=small(), o_groups=dice.randint(1, 4))
        perhaps(output_gate=True)
        if kind != "compressed_attention":
            perhaps(v_head_dim=small())
        perhaps(shared_kv=True)
        m |= {"needs_encoder": True} if kind == "cross_attention" and dice.random() < 0.5 else {}
    if kind == "latent_attention":
        m |= {"num_attention_heads": small(), "kv_lora_rank": small(), "qk_rope_head_dim": small()}
        m |= {"qk_nope_head_dim": small(), "v_head_dim": small()}
        perhaps(q_lora_rank=small())
    if kind in KEEPS:
        perhaps(index_topk=dice.randint(5, 90))
    if kind in ("sliding_attention", "compressed_attention"):
        m["sliding_window"] = dice.randint(3, 120)
    if kind == "chunked_attention":
        m["attention_chunk_size"] = dice.randint(3, 120)
    if kind == "compressed_attention":
        m |= {"compress_ratio": dice.randint(2, 9), "compress_overlap": dice.randint(1, 2)}
        if dice.random() < 0.5:
            del m["sliding_window"]
    if kind == "indexer":
        ratio = dice.choice([1, 4])
        m |= {"index_n_heads": small(), "index_head_dim": small(), "compress_ratio": ratio, "q_lora_rank": small()}
        m |= {"compress_overlap": 2} if ratio > 1 else {}
    if kind in RECURRENT:
        m |= recurrent(kind, dice)
    perhaps(mixer_vectors=small())
    return m


def recurrent(kind: str, dice: random.Random) -> Part:
    """The fields of a recurrent layer."""

    def small() -> int:
        return dice.randint(2, 16)

    if kind == "conv":
        return {"state_value_dim": small(), "conv_kernel": dice.randint(2, 5)}
    m: Part = {"state_heads": small(), "state_key_dim": small(), "state_value_dim": small()}
    if kind in ("gated_delta", "linear_attention"):
        m["state_key_heads"] = n(m, "state_heads")
    if kind != "linear_attention":
        m["conv_kernel"] = dice.randint(2, 5)
    if kind == "mamba2":
        m["n_groups"] = dice.randint(1, 4)
    if kind == "gated_delta" and dice.random() < 0.5:
        m["gate_rank"] = small()
    return m


def block(kind: str, dice: random.Random) -> Part:
    """A feed-forward block."""
    b: Part = {"type": kind}
    if kind != "mixture_of_experts":
        b["intermediate_size"] = dice.randint(2, 99)
    else:
        every = dice.randint(2, 16)
        b |= {"num_experts": every, "num_experts_per_tok": dice.randint(1, every)}
        b |= {"moe_intermediate_size": dice.randint(2, 40), "experts": dice.choice(["gated", "plain"])}
        if dice.random() < 0.5:
            b |= {"num_shared_experts": dice.randint(1, 3), "shared_expert_intermediate_size": dice.randint(2, 40)}
        b |= {"expert_vectors": dice.randint(1, 9)} if dice.random() < 0.3 else {}
    b |= {"needs_encoder": True} if dice.random() < 0.2 else {}
    b |= {"feed_forward_vectors": dice.randint(1, 50)} if dice.random() < 0.6 else {}
    return b
