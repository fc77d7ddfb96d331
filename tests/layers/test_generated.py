"""Generated stacks of layers: what the base computes is what a loop over the layers computes, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from .stacks import asked, base_of

COUNT = settings(deadline=None, database=None, derandomize=True, max_examples=60)


@dataclass(frozen=True)
class Mixer:
    """What mixes tokens, with all that the tests' formulas read of it."""

    kind: str
    q: int
    kv: int
    head: int
    value: int | None
    window: int
    latent: int
    rope: int
    shared: bool
    reuses: bool
    vectors: tuple[int, int]

    def text(self, others: str) -> str:
        """As a record says it."""
        if self.kind == "latent_attention":
            widths = f"kv_lora_rank: {self.latent}, qk_rope_head_dim: {self.rope}, qk_nope_head_dim: 8, v_head_dim: 8"
            return f"{{type: {self.kind}, num_attention_heads: {self.q}, {widths}{others}}}"
        parts = [f"num_attention_heads: {self.q}", f"num_key_value_heads: {self.kv}", f"head_dim: {self.head}"]
        parts += [f"v_head_dim: {self.value}"] if self.value is not None else []
        parts += ["shared_kv: true"] if self.shared else []
        parts += [f"sliding_window: {self.window}"] if self.kind == "sliding_attention" else []
        parts += [f"mixer_vectors: {self.vectors[0]} + 2*{self.vectors[1]}"]
        return f"{{type: {self.kind}, {', '.join(parts)}{others}}}"

    def entry(self, kv: int) -> int:
        """Elements that one token keeps, with this many KV heads."""
        if self.kind == "latent_attention":
            return self.latent + self.rope
        return kv * self.head if self.shared else kv * (self.head + (self.value or self.head))

    def kept(self, tokens: int, kv: int) -> int:
        """Elements that it keeps of a sequence."""
        reach = min(tokens, self.window) if self.kind == "sliding_attention" else tokens
        return 0 if self.reuses else reach * self.entry(kv)

    def weights(self, width: int) -> int:
        """Parameters (of mixers with heads)."""
        value = self.value or self.head
        small = self.vectors[0] + 2 * self.vectors[1]
        return width * self.q * self.head + width * self.kv * (self.head + value) + self.q * value * width + small


@dataclass(frozen=True)
class Block:
    """A feed-forward block."""

    kind: str
    inner: int
    experts: int
    used: int
    gated: bool

    def text(self) -> str:
        """As a record says it."""
        if self.kind != "mixture_of_experts":
            return f"{{type: {self.kind}, intermediate_size: {self.inner}}}"
        experts = f"num_experts: {self.experts}, num_experts_per_tok: {self.used}, moe_intermediate_size: {self.inner}"
        return f"{{type: {self.kind}, {experts}, experts: {'gated' if self.gated else 'plain'}}}"

    def weights(self, width: int, experts: Fraction | int | None = None) -> Fraction | int:
        """Parameters, of all experts or of so many."""
        if self.kind != "mixture_of_experts":
            return (3 if self.kind == "gated" else 2) * width * self.inner
        number = self.experts if experts is None else experts
        return width * self.experts + number * (3 if self.gated else 2) * width * self.inner


@dataclass(frozen=True)
class Stack:
    """A model: its parts, and its layers written as (repetitions, (count, mixers, blocks) ...)."""

    width: int
    mixers: tuple[Mixer, ...]
    blocks: tuple[Block, ...]
    pattern: tuple[tuple[int, tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...]], ...]

    def layers(self) -> list[tuple[list[Mixer], list[Block]]]:
        """Every layer, one after the other."""
        return [
            ([self.mixers[i] for i in mixers], [self.blocks[i] for i in blocks])
            for times, group in self.pattern
            for _ in range(times)
            for count, mixers, blocks in group
            for _ in range(count)
        ]

    def text(self) -> str:
        """The model's record below its head."""
        base = next((i for i, m in enumerate(self.mixers) if not m.reuses), 0)
        lines = [f"num_hidden_layers: {len(self.layers())}", f"hidden_size: {self.width}", "mixers:"]
        for i, mixer in enumerate(self.mixers):
            lines.append(f"  m{i}: {mixer.text(f', reuses: m{base}' if mixer.reuses else '')}")
        lines.append("feed_forwards:")
        lines += [f"  f{i}: {block.text()}" for i, block in enumerate(self.blocks)]
        lines.append("layers:")
        for times, group in self.pattern:
            lines += [f"  - repeat: {times}", "    layers:"]
            for count, mixers, blocks in group:
                named = ", ".join(f"m{i}" for i in mixers), ", ".join(f"f{i}" for i in blocks)
                lines.append(f"      - {{count: {count}, mixers: [{named[0]}], feed_forwards: [{named[1]}]}}")
        return "\n".join(lines) + "\n"


small = st.integers(1, 12)


@st.composite
def stacks(draw: st.DrawFn, kinds: tuple[str, ...]) -> Stack:
    """Some model, in which every part stands in some layer."""
    mixers = draw(
        st.lists(
            st.builds(
                Mixer, st.sampled_from(kinds), small, small, small, st.none() | small, st.integers(1, 40), small, small,
                st.booleans(), st.booleans(), st.tuples(small, small),
            ),
            min_size=1, max_size=4,
        )
    )  # fmt: skip
    mixers[0] = Mixer(**{**vars_of(mixers[0]), "reuses": False})
    blocks = draw(
        st.lists(
            st.builds(Block, st.sampled_from(["gated", "plain", "mixture_of_experts"]), small, st.integers(2, 9), st.just(2), st.booleans()),
            min_size=1, max_size=3,
        )
    )  # fmt: skip
    chosen = [
        st.lists(st.integers(0, len(parts) - 1), max_size=2, unique=True).map(tuple) for parts in (mixers, blocks)
    ]
    group = st.lists(st.tuples(st.integers(1, 3), *chosen), min_size=1, max_size=2).map(tuple)
    pattern = draw(st.lists(st.tuples(st.integers(1, 3), group), max_size=3))
    every = (1, tuple((1, (i,), ()) for i in range(len(mixers)))), (1, tuple((1, (), (i,)) for i in range(len(blocks))))
    return Stack(draw(small), tuple(mixers), tuple(blocks), (*every, *pattern))


def vars_of(mixer: Mixer) -> dict[str, object]:
    """The fields of a mixer."""
    return {name: getattr(mixer, name) for name in mixer.__dataclass_fields__}


@COUNT
@given(stacks(("full_attention", "sliding_attention", "latent_attention")), st.integers(1, 60), st.integers(1, 5))
def test_what_is_kept_is_what_layer_after_layer_keeps(stack: Stack, tokens: int, batch: int) -> None:
    base = base_of({"it": stack.text()})
    assert not base.kb.faults
    kept = sum(mixer.kept(tokens, mixer.kv) for mixers, _ in stack.layers() for mixer in mixers)
    split = sum(mixer.kept(tokens, -(-mixer.kv // 3)) for mixers, _ in stack.layers() for mixer in mixers)
    twice = sum(mixer.kept(2 * tokens, mixer.kv) for mixers, _ in stack.layers() for mixer in mixers)
    given_ = {"model": "it", "kv_dtype": "half", "L": str(tokens), "B": str(batch)}
    assert asked(base, "cache.size", **given_) == 2 * batch * kept
    assert asked(base, "cache.twice", **given_) == 2 * batch * twice
    if any(mixer.kind != "latent_attention" and not mixer.reuses for mixer in stack.mixers):
        assert asked(base, "cache.of_rank", **given_, T="3") == 2 * batch * split


@COUNT
@given(stacks(("full_attention", "sliding_attention")), st.integers(1, 6))
def test_what_weighs_is_what_layer_after_layer_weighs(stack: Stack, batch: int) -> None:
    base = base_of({"it": stack.text()})
    mixing = sum(mixer.weights(stack.width) for mixers, _ in stack.layers() for mixer in mixers)
    blocks = [block for _, found in stack.layers() for block in found]
    total = mixing + sum(block.weights(stack.width) for block in blocks)
    active = mixing + sum(block.weights(stack.width, block.used) for block in blocks)
    assert asked(base, "weights.total", model="it") == total
    assert asked(base, "weights.active", model="it") == active
    called = [block.experts * (1 - (1 - Fraction(block.used, block.experts)) ** batch) for block in blocks]
    touched = mixing + sum(b.weights(stack.width, number) for b, number in zip(blocks, called, strict=True))
    if any(block.kind == "mixture_of_experts" for block in blocks):
        assert asked(base, "weights.touched", model="it", B=str(batch)) == touched
