"""Formulas in documents: TeX in the author's order, listings that run, derivations that are proved."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flopkb.arithmetic.formula import Binary, Call, Expr, Name, Number, Unary, evaluate, parse
from flopkb.publishing.pages.blocks import Captioned, DisplayMath, Paragraph, Verbatim
from flopkb.publishing.pages.inlines import Math
from flopkb.publishing.pages.mathematics import spelled, tex, unreadable
from flopkb.publishing.render.listings import python

from .bases import document, faults, shipped

pytestmark = pytest.mark.slow


def display(expr: str) -> str:
    return tex(parse(expr), lambda name: spelled(str(name)))


def inline(expr: str) -> str:
    return tex(parse(expr), lambda name: spelled(str(name)), inline=True)


@pytest.mark.parametrize(
    ("expr", "wanted"),
    [
        ("2*m*n*b", "2 m n b"),
        ("b*n*m*2", r"b \cdot n \cdot m \cdot 2"),
        ("2*n_layers*n_kv", r"2 \cdot n_{\mathrm{layers}} \cdot n_{\mathrm{kv}}"),
        ("a*b/c*d", r"\frac{a b}{c} \cdot d"),
        ("a/(b*c)", r"\frac{a}{b c}"),
        ("a - (b - c)", "a - (b - c)"),
        ("a - b - c", "a - b - c"),
        ("(a + b)*c", r"(a + b) c"),
        ("-a*b", r"-a b"),
        ("(a + b)**2", "{(a + b)}^{2}"),
        ("min(peak, I*bandwidth)", r"\min(\mathrm{peak},\; I \cdot \mathrm{bandwidth})"),
        ("ceil(a/b)", r"\left\lceil \frac{a}{b} \right\rceil"),
        ("1234567*a", "1{,}234{,}567 a"),
        ("weight_bytes/ridge", r"\frac{\text{weight bytes}}{\mathrm{ridge}}"),
    ],
)
def test_mathematics_keeps_order_and_grouping(expr: str, wanted: str) -> None:
    assert display(expr) == wanted
    assert not unreadable(wanted)


def test_inline_quotients_have_a_slash_and_the_parentheses_they_need() -> None:
    assert inline("a*b/(c + d)") == "a b / (c + d)"
    assert inline("a/(b*c)") == "a / (b c)"
    assert inline("(a + b)/c") == "(a + b) / c"


def test_the_sample_writes_the_cache_in_the_documents_symbols() -> None:
    formulas = [block.tex for block in shipped("decode_is_memory_bound").blocks if isinstance(block, DisplayMath)]
    assert r"M_{\mathrm{KV}} = 2 \cdot L \cdot n_{kv} \cdot d_h \cdot s \cdot b \cdot p\ \text{bytes}" in formulas


def test_a_worked_formula_has_numbers_for_its_names() -> None:
    (block,) = document(
        "{{ worked('kv_cache.uniform_per_token', 'KiB/token', model='llama_2_70b', kv_dtype='bf16') }}"
    ).blocks
    assert isinstance(block, Paragraph)
    (math_,) = block.children
    # 2 tensors * 80 layers * 8 heads * 128 * 2 bytes = 327,680 bytes = 320 KiB
    assert isinstance(math_, Math) and math_.tex == r"2 \cdot 80 \cdot 8 \cdot 128 \cdot 2 = 320\ \text{KiB/token}"


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        ("capacity.longest_context", "found by search"),
        ("kv_cache.width", "types of layers"),
        ("kv_cache.size", "layers"),
    ],
)
def test_what_no_line_can_say_is_no_equation(formula: str, why: str) -> None:
    (fault,) = faults("{{ equation('" + formula + "', expand=True) }}")
    assert why in fault.message


def test_a_formula_with_cases_is_an_equation_with_a_brace() -> None:
    (block,) = document("{{ equation('parameters.projections_per_expert') }}").blocks
    assert isinstance(block, DisplayMath)
    when = r"\text{if } \mathrm{experts} ="
    right = rf"\begin{{cases}} 3 & {when} \mathrm{{gated}} \\ 2 & {when} \mathrm{{plain}} \end{{cases}}"
    assert block.tex == rf"\text{{projections per expert}} = {right}"
    assert not unreadable(block.tex)


def listing_of(text: str) -> str:
    (block,) = [b for b in document(text).blocks if isinstance(b, Captioned)]
    assert isinstance(block.body, Verbatim)
    return block.body.text


def run(code: str) -> tuple[float, str]:
    """What the last line of a listing gives, and what its comment says."""
    definition, _, call = code.rstrip().rpartition("\n\n")
    call, _, comment = call.partition("#")
    names: dict[str, object] = {}
    exec(compile(definition, "listing", "exec"), names)
    return eval(" ".join(call.split()), names), comment.strip()


LISTINGS = {
    "the sample": "listing('kv_cache.uniform', 'lst:a', unit='GiB', defaults=['b_kv'], model='llama_2_7b', kv_dtype='fp16', L=4096, B=1)",
    "recorded values": "listing('roofline.ridge', 'lst:a', accelerator='nvidia_h100_sxm', dtype='bf16')",
    "a minimum": "listing('roofline.attainable', 'lst:a', unit='TFLOP/s', I=150, accelerator='nvidia_h100_sxm', dtype='bf16')",
    "a ceiling": "listing('decode_gemm.first_batch', 'lst:a', at='h100', m=4096, n=4096)",
    "steps": "listing('decode_gemm.shortfall', 'lst:a', at='h100', m=4096, n=4096, b=295)",
    "many parameters": "listing('decode_attention.ai_with_io', 'lst:a', mixer_type='full_attention', n_q=64, n_kv=8, d_h=128, b_kv=2, b_a=2, B=1, L=2048)",
    "layers that differ": "listing('kv_cache.size', 'lst:a', model='gemma_3_27b', kv_dtype='bf16', L=4096, B=3)",
    "a case of a type": "listing('kv_cache.layer_size', 'lst:a', mixer_type='sliding_attention', shared_kv=0, n_kv=8, d_h=128, b_kv=2, L=4096, window=1000)",
    "a third": "listing('mla_decode.ai_with_io', 'lst:a', model='deepseek_v3', kv_dtype='bf16', dtype='bf16', L=1024)",
}  # fmt: skip


@pytest.mark.parametrize("call", LISTINGS.values(), ids=LISTINGS.keys())
def test_a_listing_runs_and_gives_what_the_evaluator_says(call: str) -> None:
    value, comment = run(listing_of("{{ " + call + " }}"))
    number = comment.removeprefix("about ").split()[0]
    assert math.isclose(value, float(number), rel_tol=1e-5)
    if not comment.startswith("about"):
        assert repr(value) == number or value == int(float(number))


def tex_of(call: str) -> str:
    """The mathematics that a call makes."""
    found = document("{{ " + call + " }}").blocks[0]
    return (
        found.tex
        if isinstance(found, DisplayMath)
        else next(c.tex for c in getattr(found, "children", ()) if isinstance(c, Math))
    )


def test_an_equation_over_layers_is_written_out_for_a_model_or_a_type() -> None:
    one = tex_of("equation('kv_cache.layer_size', mixer_type='sliding_attention')")
    assert one.startswith(r"\text{layer size} = \min(L,\; \mathrm{window})")
    assert "has" not in one and "1 -" not in one
    several = tex_of("equation('kv_cache.size', model='gemma_3_27b')")
    assert r"n_{\mathrm{kv}}^{\mathrm{(local)}}" in several and r"n_{\mathrm{kv}}^{\mathrm{(full)}}" in several


def test_a_worked_sum_has_the_numbers_of_each_layer() -> None:
    """10 full layers of 16 heads of 128 and 52 of a window of 1024: 10*L + 52*1024 entries of 8192 byte."""
    worked = tex_of("worked('kv_cache.size', model='gemma_3_27b', kv_dtype='bf16', L=4096, B=1)")
    left, _, right = worked.rpartition(" = ")
    assert all(number in left for number in ("52", "10", "16", "128", "1{,}024", "4{,}096"))
    assert 8192 * (10 * 4096 + 52 * 1024) == 736 * 2**20 and right == r"736\ \text{MiB}"


def test_the_listing_of_the_sample_prints_two_gibibytes() -> None:
    (block,) = [
        b for b in shipped("decode_is_memory_bound").blocks if isinstance(b, Captioned) and isinstance(b.body, Verbatim)
    ]
    assert isinstance(block.body, Verbatim)
    assert run(block.body.text) == (2.0, "2.0 GiB")


_NAMES = ("a", "b", "c")


def expressions() -> st.SearchStrategy[Expr]:
    leaves = st.sampled_from([Name((name,)) for name in _NAMES]) | st.integers(1, 9).map(lambda n: Number(Fraction(n)))

    def grown(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        pairs = st.tuples(st.sampled_from("+-*/"), inner, inner).map(lambda t: Binary(t[0], t[1], t[2]))
        calls = st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda t: Call(t[0], (t[1], t[2])))
        powers = st.tuples(inner, st.integers(1, 3)).map(lambda t: Binary("**", t[0], Number(Fraction(t[1]))))
        signs = inner.map(lambda e: Unary("-", e))
        return pairs | calls | powers | signs

    return st.recursive(leaves, grown, max_leaves=8)


@given(expressions())
@settings(max_examples=200, deadline=None, derandomize=True, database=None)
def test_python_made_from_any_formula_gives_its_value(expr: Expr) -> None:
    values = {"a": Fraction(3), "b": Fraction(5), "c": Fraction(7)}
    try:
        wanted = evaluate(expr, lambda name: values[str(name)])
    except ZeroDivisionError:
        return
    code = python(expr, lambda name: str(name))
    exact = re.sub(r"\b[0-9]+\b", r"Fraction(\g<0>)", code)  # on exact numbers: the same order of operations
    assert eval(exact, {"Fraction": Fraction}, dict(values)) == wanted
    assert not unreadable(tex(expr, lambda name: str(name))) or len(code) > 60


BOUNDED = "2*m*n*b / (2*m*n + 2*b*(m + n))"


@pytest.mark.parametrize(
    ("steps", "right"),
    [
        (f"{BOUNDED} <= b", True),
        (f"{BOUNDED} <= m", True),
        (f"{BOUNDED} < b", True),  # something is added below the line
        (f"{BOUNDED} <= 2*m*n*b / (2*m*n) = b", True),
        (f"{BOUNDED} >= b", False),
        (f"{BOUNDED} <= m <= n", False),  # a matrix may be taller than wide
        (f"{BOUNDED} = b", False),
        (f"{BOUNDED} \u2248 b", False),
        (f"{BOUNDED} \u226a b", False),
        (f"{BOUNDED} \u2192 b", False),
    ],
)
def test_every_step_of_a_derivation_is_decided(steps: str, right: bool) -> None:
    text = "{{ derivation('decode_gemm.intensity', '" + steps + "', 'eq:a', b_w=2, b_a=2) }}"
    if right:
        assert document(text + " See {{ ref('eq:a') }}.").blocks
    else:
        assert faults(text)[0].rule in ("derivation", "template")
