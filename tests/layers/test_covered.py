"""No command gives a number for what a formula does not cover: every formula of the base, asked of every kind of model.

Each answer is what ``made.py`` reckons, layer by layer, or a reason. Models are those of the base and made-up ones: each
type of layer alone, pairs, and stacks of many, with what layers may have besides.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction as F

import pytest
from conftest import REPOSITORY

import flopkb
from flopkb.base.model import Kind

from . import made
from .made import TYPES, Asked, Costs, Model, Untold
from .recorded import recorded

BLOCKS = ("gated", "plain", "mixture_of_experts")
DTYPES = {"bf16": F(2), "fp8": F(1), "fp32": F(4), "q8_0": F(17, 16)}
PART = {"accelerator": "nvidia_h100_sxm", "dtype": "bf16"}
ACHIEVED = {"mfu": "0.5", "mbu": "0.5", "price": "2 $/h"}
MEMORY = F(81559 * 2**20)
BANDWIDTH, PEAK = F(3350 * 10**9), F(9895 * 10**11)


def models() -> list[Model]:
    """Each type alone beside each block, then mixed stacks."""
    dice = random.Random(12)
    found = [made.made(seed, (kind,), (BLOCKS[seed % 3],)) for seed, kind in enumerate(TYPES)]
    for seed in range(100, 112):
        kinds = tuple(dice.sample(TYPES, k=dice.randint(2, 6)))
        found.append(made.made(seed, kinds, tuple(dice.sample(BLOCKS, k=dice.randint(1, 3)))))
    return found


MADE = {model.id: model for model in models()}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> flopkb.Base:
    """The base of this repository with the models made up here."""
    folder = tmp_path_factory.mktemp("covered")
    shutil.copytree(REPOSITORY / "records", folder / "records")
    for model in MADE.values():
        (folder / "records" / "models" / f"{model.id}.yaml").write_text(model.record(), "utf-8")
    return flopkb.load(folder / "records")


def answer(base: flopkb.Base, formula: str, inputs: dict[str, str]) -> F | str:
    """The value, or the reason why there is none; inputs that nothing reads are of no account here."""
    try:
        return base.evaluated(formula, **inputs)[0].value
    except flopkb.FlopkbError as error:
        return str(error.fault)


def bare(part: Callable[[made.Part, Asked], F | int]) -> Callable[[Costs], F]:
    """A quantity of one sequence, over all layers."""
    return lambda c: c.mixers(part)


def of_batch(part: Callable[[made.Part, Asked], F | int]) -> Callable[[Costs], F]:
    """A quantity of the batch, over all layers."""
    return lambda c: c.a.B * c.mixers(part)


def uniform(c: Costs) -> F:
    """Bytes of a token where all layers attend in full and alike."""
    found = {tuple(sorted((k, v) for k, v in m.items() if k != "mixer_vectors")) for m in c.m.each_mixer()}
    one = next(c.m.each_mixer())
    alike = len(found) == 1 and len(list(c.m.each_mixer())) == len(c.m.layers)
    whole = one["type"] == "full_attention" and not one.get("shared_kv")
    if not alike or not whole or one.get("v_head_dim", one["head_dim"]) != one["head_dim"]:
        raise Untold("not uniform")
    return c.mixers(made.token_of)


def only_full_or_latent(c: Costs) -> Costs:
    """The same, where each layer adds up by tokens; raises :class:`Untold` else."""
    if any(m["type"] not in ("full_attention", "latent_attention") for m in c.m.each_mixer()):
        raise Untold("no closed form")
    return c


def fits(c: Costs) -> Costs:
    """The same, where it fits an H100; raises :class:`Untold` else."""
    if c.stored + c.total > MEMORY:
        raise Untold("it does not fit")
    return c


def balance(c: Costs) -> F:
    """The batch at which caches are as large as weights."""
    if any(b["type"] == "mixture_of_experts" for b in c.m.each_block()):
        raise Untold("what is read depends on the batch")
    return c.fetched * c.a.B / c.read


def wall(c: Costs) -> F:
    """The context at which no batch reaches the ridge: work of weights and cache over bytes of cache."""
    if any("index_topk" in m or "reuses" in m for m in only_full_or_latent(c).m.each_mixer()):
        raise Untold("not all of a context is read")
    found = 2 * c.multiplied / (c.mixers(made.token_of) * PEAK / BANDWIDTH - c.attention_work / (c.a.B * c.a.L))
    if found < 0:
        raise Untold("a large enough batch always reaches the ridge")
    return found


def time(c: Costs) -> F:
    """The longer of reading and reckoning."""
    return max((c.fetched + fits(c).read) / BANDWIDTH, (2 * c.multiplied * c.a.B + c.attention_work) / PEAK)


def prompt(c: Costs) -> F:
    """Operations of a prompt: its layers for each token, the output embedding once for a sequence."""
    layers = c.multiplied - c.words
    return 2 * c.a.B * (c.a.L * layers + c.words) + c.a.B * c.mixers(made.prompt_work_of)


def bytes_beside_lookup(c: Costs) -> F:
    """Bytes of all weights but those that are looked up."""
    return c.stored - (0 if c.tied else c.input) * c.a.w


def half_time(c: Costs) -> F:
    """A step at half of each rate."""
    return 2 * time(c)


RIGHT: dict[str, Callable[[Costs], F | int]] = {
    "kv_cache.size": of_batch(made.size_of),
    "kv_cache.index": of_batch(made.index_of),
    "kv_cache.state": bare(made.state_of),
    "kv_cache.cross": of_batch(made.cross_of),
    "kv_cache.total": lambda c: c.total,
    "kv_cache.allocated": of_batch(made.pages_of),
    "kv_cache.read": lambda c: c.read,
    "kv_cache.growth": bare(made.growth_of),
    "kv_cache.per_token": bare(made.token_of),
    "kv_cache.uniform_per_token": uniform,
    "kv_cache.uniform": lambda c: uniform(c) * c.a.B * c.a.L,
    "parameters.embeddings": lambda c: c.outside,
    "parameters.total": lambda c: c.weights(used=False),
    "parameters.active": lambda c: c.weights(used=True),
    "parameters.multiplied": lambda c: c.multiplied,
    "parameters.read": lambda c: c.weights(used=True, tokens=c.a.B) - (0 if c.tied else c.input),
    "parameters.all_experts": lambda c: c.experts(used=False),
    "parameters.experts_used": lambda c: c.experts(used=True),
    "parameters.experts_read": lambda c: c.experts(used=True, tokens=c.a.B),
    "decode_step.weight_bytes": lambda c: c.fetched,
    "decode_step.cache_bytes": lambda c: c.read,
    "decode_step.bytes": lambda c: c.fetched + c.read,
    "decode_step.weight_flops": lambda c: 2 * c.multiplied * c.a.B,
    "decode_step.attention_flops": lambda c: c.attention_work,
    "decode_step.flops": lambda c: 2 * c.multiplied * c.a.B + c.attention_work,
    "decode_step.weight_intensity": lambda c: 2 * c.multiplied * c.a.B / c.fetched,
    "decode_step.cache_intensity": lambda c: c.attention_work / c.read,
    "decode_step.intensity": lambda c: (2 * c.multiplied * c.a.B + c.attention_work) / (c.fetched + c.read),
    "decode_step.widest_intensity": lambda c: (2 * c.multiplied * c.a.B + c.attention_work) / c.read,
    "decode_step.ridge": lambda c: PEAK / BANDWIDTH,
    "decode_step.weight_time": lambda c: c.fetched / BANDWIDTH,
    "decode_step.cache_time": lambda c: c.read / BANDWIDTH,
    "decode_step.memory_time": lambda c: (c.fetched + fits(c).read) / BANDWIDTH,
    "decode_step.time": time,
    "decode_step.balance_batch": balance,
    "decode_step.context_wall": wall,
    "decode_step.embedding_share": lambda c: (0 if c.tied else c.input) / c.weights(used=False),
    "prefill.attention_flops": of_batch(made.prompt_work_of),
    "prefill.flops": prompt,
    "prefill.weight_bytes": bytes_beside_lookup,
    "prefill.time_to_first_token": lambda c: max(
        prompt(c) / (PEAK / 2), bytes_beside_lookup(fits(c)) / BANDWIDTH
    ),
    "serving.time_per_token": half_time,
    "serving.tokens_per_second": lambda c: c.a.B / half_time(c),
    "serving.tokens_per_second_per_user": lambda c: 1 / half_time(c),
    "serving.cost_per_million_tokens": lambda c: 10**6 * F(2, 3600) * half_time(c) / c.a.B,
    "serving.energy_per_token": lambda c: 700 * half_time(c) / c.a.B,
    "capacity.weight_bytes": lambda c: c.stored,
    "capacity.footprint": lambda c: c.stored + c.total,
}  # fmt: skip
"""What each formula of a whole model comes to; the rest is below."""


def inputs_of(dice: random.Random) -> tuple[Asked, dict[str, str]]:
    """Inputs as numbers, and as they are asked."""
    roles = ("kv_dtype", "weight_dtype", "index_dtype", "state_dtype", "conv_dtype")
    chosen = {role: dice.choice(sorted(DTYPES)) for role in roles}
    chosen |= {"expert_dtype": dice.choice(sorted(DTYPES))} if dice.random() < 0.5 else {}
    kv, w, i, s, c = (DTYPES[chosen[role]] for role in roles)
    e = DTYPES[chosen["expert_dtype"]] if "expert_dtype" in chosen else None
    asked = Asked(dice.randint(1, 6), dice.randint(1, 260), dice.choice([0, 7]), dice.randint(1, 40), kv, w, e, i, s, c)
    counts = {"B": asked.B, "L": asked.L, "L_x": asked.L_x, "page": asked.page}
    return asked, {**{name: str(value) for name, value in counts.items()}, **chosen, **PART, **ACHIEVED}


def differences(base: flopkb.Base, model: Model, formulas: Iterable[str]) -> dict[str, object]:
    """Where the base answers something else than what is reckoned: the answer, and what is right (None: a reason)."""
    asked, inputs = inputs_of(random.Random(model.id))
    costs, wrong = Costs(model, asked), dict[str, object]()
    for formula in formulas:
        found = answer(base, formula, {"model": model.id, **inputs})
        try:
            right: F | int | None = RIGHT[formula](costs)
        except (Untold, ZeroDivisionError):
            right = None
        if (right is None) is not isinstance(found, str) or (right is not None and found != right):
            wrong[formula] = (found, right)
    return wrong


@pytest.mark.parametrize("name", sorted(MADE))
def test_a_model_costs_what_its_layers_cost_one_by_one(name: str, base: flopkb.Base) -> None:
    assert differences(base, MADE[name], RIGHT) == {}


MODELS = sorted((REPOSITORY / "records" / "models").glob("*.yaml"))
EVERY = 1 if os.environ.get("FLOPKB_WALK") else 12
"""Each model is asked every twelfth formula, another twelfth than the one before it; with ``FLOPKB_WALK=1`` all of them."""


def test_models_of_the_base_cost_what_their_layers_cost_one_by_one(base: flopkb.Base) -> None:
    wrong = {}
    for place, file in enumerate(MODELS):
        mine = [formula for number, formula in enumerate(RIGHT) if (number + place) % EVERY == 0]
        wrong |= {(file.stem, formula): found for formula, found in differences(base, recorded(file), mine).items()}
    assert wrong == {}


def of_one(c: Costs, kind: str) -> made.Part:
    """The only mixer, of a kind whose attention is plain; raises :class:`Untold`."""
    (one, *more) = c.m.mixers.values()
    wide = one["type"] == "latent_attention" or n_equal(one)
    if more or one["type"] != kind or "index_topk" in one or one.get("shared_kv") or not wide:
        raise Untold(kind)
    return one


def n_equal(part: made.Part) -> bool:
    """Whether keys and values are of one width."""
    return "head_dim" in part and part.get("v_head_dim", part["head_dim"]) == part["head_dim"]


def room(c: Costs) -> F:
    """Bytes beside the weights on an H100: what its driver lets programs use."""
    return MEMORY - c.stored


PARTLY: dict[str, Callable[[Costs], F | int]] = {
    "capacity.room": room,
    "capacity.context": lambda c: room(c) / (only_full_or_latent(c).mixers(made.token_of) * c.a.B),
    "capacity.batch": lambda c: room(c) * c.a.B / c.total,
    "capacity.leverage": lambda c: MEMORY / room(c),
    "decode_attention.flops": lambda c: c.a.B * made.work_of(of_one(c, "full_attention"), c.a),
    "decode_attention.bytes": lambda c: c.a.B * entries_of(of_one(c, "full_attention"), c),
    "decode_attention.ai": lambda c: F(made.work_of(one := of_one(c, "full_attention"), c.a)) / entries_of(one, c),
    "mla_decode.flops": lambda c: c.a.B * made.work_of(of_one(c, "latent_attention"), c.a),
    "mla_decode.bytes": lambda c: c.a.B * entries_of(of_one(c, "latent_attention"), c),
    "mla_decode.per_token": lambda c: by_latents(c),
    "tensor_parallel.kv_per_rank": lambda c: per_rank(c),
}


def per_rank(c: Costs) -> F:
    """What one of two ranks keeps: half of the KV heads, one of one, and a latent whole."""
    for m in c.m.each_mixer():
        groups = made.n(m, "num_key_value_heads", 2)
        if made.n(m, "num_attention_heads", 2) % 2 or (groups % 2 and groups > 1):
            raise Untold("heads do not divide")
    halved = [
        {**m, "num_key_value_heads": -(-made.n(m, "num_key_value_heads") // 2)} if "num_key_value_heads" in m else m
        for m in c.m.each_mixer()
    ]
    return c.a.B * sum((made.size_of(m, c.a) for m in halved), F(0))


def by_latents(c: Costs) -> F:
    """Bytes of a token over all layers, where these have latents alone."""
    of_one(c, "latent_attention")
    return c.mixers(made.token_of)


def entries_of(one: made.Part, c: Costs) -> F:
    """Bytes that a layer reads of a sequence."""
    return made.looked_at(one, c.a) * made.width(one) * c.a.kv


@pytest.mark.parametrize("name", sorted(MADE))
def test_a_formula_for_some_layers_refuses_others(name: str, base: flopkb.Base) -> None:
    asked, inputs = inputs_of(random.Random(name))
    costs, wrong = Costs(MADE[name], asked), {}
    for formula, reckoned in PARTLY.items():
        found = answer(base, formula, {"model": name, **inputs, "T": "2"})
        try:
            right: F | int | None = reckoned(costs)
        except (Untold, ZeroDivisionError):
            right = None
        if (right is None) is not isinstance(found, str) or (right is not None and found != right):
            wrong[formula] = (found, right)
    assert wrong == {}


@pytest.mark.parametrize("name", sorted(MADE)[:8])
def test_the_largest_batch_fits_and_one_more_does_not(name: str, base: flopkb.Base) -> None:
    asked, inputs = inputs_of(random.Random(name))
    found = answer(base, "capacity.largest_batch", {"model": name, **inputs})
    if isinstance(found, str):
        assert "no limit up to" in found
        return
    fits_, more = (Costs(MADE[name], replace(asked, B=int(found) + step)) for step in (0, 1))
    assert fits_.stored + fits_.total <= MEMORY < more.stored + more.total


def test_every_formula_of_the_base_answers_every_model_and_part_with_a_number_or_a_reason(base: flopkb.Base) -> None:
    """A sample of all that can be asked: what comes is no error of the tool, and no count below nothing.

    Every formula is asked of a model and a part, the next of the next ones (with ``FLOPKB_WALK=1`` of every model with one
    part, and of every part with one model).
    """
    dice = random.Random(7)
    parts = sorted(record.id for record in base.records.values() if record.kind is Kind.ACCELERATOR)
    models = [file.stem for file in MODELS]
    formulas = sorted(f"{r.id}.{name}" for r in base.records.values() for name in r.formulas)
    for place, formula in enumerate(formulas):
        _, inputs = inputs_of(dice)
        model, part = models[place % len(models)], parts[place % len(parts)]
        asked = (
            [(model, part)] if EVERY > 1 else [*((each, part) for each in models), *((model, each) for each in parts)]
        )
        for one, other in asked:
            found = answer(base, formula, {**inputs, "model": one, "accelerator": other, "T": "2"})
            assert found if isinstance(found, str) else found >= 0, (formula, one, other)


AT_ONE_TOKEN = {"prefill.attention_catches_up"}
"""A formula that asks its layers at one token, whatever the context is."""
LONGER = "the context is longer than the model is made for"


def test_an_answer_beyond_the_trained_context_says_so(base: flopkb.Base) -> None:
    """Of every formula that reads a context, where it has a value one token beyond what Llama 3 8B is made for, and at it."""
    silent, early = [], []
    for formula in sorted(f"{r.id}.{name}" for r in base.records.values() for name in r.formulas):
        if "L" not in base.input_names(formula) or formula in AT_ONE_TOKEN:
            continue
        for length, wrong in ((8193, silent), (8192, early)):
            _, inputs = inputs_of(random.Random(3))
            try:
                value, unread = base.evaluated(
                    formula, **{**inputs, "B": "1", "L": str(length), "model": "llama_3_8b", "T": "1"}
                )
            except flopkb.FlopkbError:
                continue
            read = all(fault.name != "L" for fault in unread)
            if read and any(line.startswith(LONGER) for line in value.assumes) is not (length == 8193):
                wrong.append(formula)
    assert (silent, early) == ([], [])
