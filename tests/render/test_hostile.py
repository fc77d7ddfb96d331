"""Templates are hostile input: whatever they try, they are refused with a place, soon and in little memory."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from flopkb.publishing.pages.html import html
from flopkb.publishing.pages.latex import latex
from flopkb.publishing.pages.markdown import markdown
from flopkb.publishing.render.rendering import render

from .bases import document, own_base

pytestmark = pytest.mark.slow

REFUSED = {
    "include": "{% include '/etc/passwd' %}",
    "import": "{% import '/etc/passwd' as x %}",
    "from": "{% from 'x' import y %}",
    "extends": "{% extends 'x' %}",
    "block": "{% block x %}a{% endblock %}",
    "class": "{{ ''.__class__ }}",
    "class by key": "{{ ''['__class__'] }}",
    "attr filter": "{{ ''|attr('__class__') }}",
    "format": "{{ '{0.__class__}'.format(1) }}",
    "format filter": "{{ '%s'|format(1) }}",
    "globals of a function": "{{ fig.__globals__ }}",
    "self of a function": "{{ fig.__self__.base }}",
    "class of an object": "{{ fig('decode_attention.gap_mha').__class__ }}",
    "template": "{{ self.__init__ }}",
    "loop": "{% for i in [1] %}{{ loop._iterator }}{% endfor %}",
    "macro": "{% macro f() %}{% endmacro %}{{ f._func }}",
    "call of a number": "{{ (1)() }}",
    "call of a text": "{{ 'a'() }}",
    "list method": "{{ [].append(1) }}",
    "namespace": "{% set ns = namespace(a=1) %}",
    "cycler": "{{ cycler.__init__.__globals__.os }}",
    "lipsum": "{{ lipsum(n=1000000000) }}",
    "do": "{% do [].append(1) %}",
    "long loop": "{% for i in range(1000000000000) %}x{% endfor %}",
    "loops in loops": "{% for i in range(2000) %}{% for j in range(2000) %}x{% endfor %}{% endfor %}",
    "multiplied text": "{{ 'a' * 1000000000 }}",
    "multiplied list": "{{ [0] * 1000000000 }}",
    "tower": "{{ 10**10**10 }}",
    "long number": "{{ " + "9" * 5000 + " }}",
    "infinite number": "{{ given(1e400) }}",
    "padding": "{{ 'a'.ljust(1000000000) }}",
    "centre": "{{ 'a'|center(1000000000) }}",
    "doubling in a macro": "{% macro f(x, n) %}{% if n > 0 %}{{ f(x ~ x, n - 1) }}{% endif %}{% endmacro %}{{ f('ab', 60) }}",
    "doubling by printing": "{% macro f(x) %}{{ x }}{{ x }}{% endmacro %}{% set a = f('ab') %}" + "{% set a = f(a) %}" * 60 + "{{ a }}",
    "nested lists compared": "{% set a = [1] %}{% set c = [1] %}" + "{% set a = [a, a] %}{% set c = [c, c] %}" * 60 + "{{ a == c }}",
    "nested lists printed": "{% set a = [1] %}" + "{% set a = [a, a] %}" * 60 + "{{ a }}",
    "nested lists as an argument": "{% set a = ['x'] %}" + "{% set a = [a, a] %}" * 60 + "{{ cite(a) }}",
    "nested lists as an input": "{% set a = [1] %}" + "{% set a = [a, a] %}" * 60 + "{{ fig('kv_cache.size', L=a) }}",
    "nested lists as rows": "{% set a = [1] %}"
    + "{% set a = [a, a, a] %}" * 60
    + "{{ table('kv_cache.size', rows={'L': a}, columns=a, label='tab:a') }}",
    "nested lists as a plot": "{% set a = [1] %}"
    + "{% set a = [a, a] %}" * 60
    + "{{ plot('roofline', 'fig:a', at=a, parts=a) }}{{ given(a) }}",
    "endless macro": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "recursive loop": "{% for i in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "deep parentheses": "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    "deep list": "{{ " + "[" * 3000 + "]" * 3000 + " }}",
    "many nots": "{% if " + "not " * 20000 + "1 %}x{% endif %}",
    "long sum": "{{ " + "+".join(["1"] * 20000) + " }}",
    "long path": "{{ a" + ".b" * 20000 + " }}",
    "deep ifs": "{% if 1 %}" * 2000 + "{% endif %}" * 2000,
    "deep fors": "{% for i in [1] %}" * 500 + "{% endfor %}" * 500,
    "deep containers": "{% call proof() %}\n" * 20 + "a\n" + "{% endcall %}\n" * 20,
    "many brackets": "[" * 50000,
    "many stars": "*a " * 20000,
    "long mathematics": "$$ " + r"\left( " * 900 + " $$",
    "deep mathematics": "$" + r"\sqrt{" * 200 + "x" + "}" * 200 + "$",
    "TeX that reads a file": r"$$ \input{/etc/passwd} $$",
    "TeX in disguise": "$$ a^^5cinput $$",
    "TeX that defines": r"$$ \def\a{\a\a}\a $$",
    "TeX that ends the document": r"$$ \end{document} $$",
    "notation that reads a file": "---\nnotation: {roofline: {peak: '\\input{/etc/passwd}'}}\n---\n{{ symbol('roofline.peak') }}",
    "script": "<script>alert('x')</script>",
    "event": "a <img src=x onerror=alert(y)> b",
    "style from a file": "---\ncitation_style: ../../etc/passwd\n---\n{{ cite('vllm_2023') }}",
    "YAML alias": "---\nauthors: &a [x]\ntitle: *a\n---\n",
    "huge digits": "{{ fig('decode_attention.gap_mha', digits=1000000000) }}",
    "huge table": "{{ table('kv_cache.size', rows={'L': range(1, 2000)}, columns={'B': range(1, 2000)}, label='tab:x') }}",
    "many plots": "{% for i in range(100) %}{{ plot('kv-cache', 'fig:a') }}{% endfor %}",
    "huge power in a derivation": "{{ derivation('decode_gemm.intensity', 'I = (m+n+b)**16*(m+n+b)**16*(m+n+b)**16') }}",
    "forged place": "{{ fig('x', site_=1) }}",
    "spread arguments": "{{ fig(*['a']) }}",
    "doubled argument": "{{ fig('x', unit='a', unit='b') }}",
    "mark of an object": "\ue000\ue100\ue100",
    "forged mark": r"{{ '\ue000\ue100\ue100' }}",
    "forged mark in pieces": "{% set a %}x{% endset %}{{ a|first }}{{ a|last }}{{ a|last }}",
    "control characters in a text": r"{{ '\x1b[31m' }}",
    "control characters": "a\x1b[31mb",
    "huge template": "x " * 600000,
}  # fmt: skip


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED.keys())
def test_it_is_refused_with_a_place(text: str) -> None:
    base = own_base()
    began = time.process_time()
    made = render(text, "t.md.j2", base)
    assert made.document is None
    (first, *_) = made.diagnostics
    assert first.location.line >= 1 and first.location.column >= 1
    assert 0 < len(first.message) < 301 and "\n" not in first.message
    assert time.process_time() - began < 20


def test_memory_stays_small() -> None:
    base = own_base()
    for name in ("doubling in a macro", "doubling by printing", "loops in loops", "nested lists compared"):
        tracemalloc.start()
        render(REFUSED[name], "t.md.j2", base)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 64 * 2**20, name


HARMLESS = (
    "a & b `<i>` \\textbf{x} $x$ % # ~ ^ [a](javascript:alert) [b](https://example.org/?a=b&c=%5C) \"q\" 'r' | = @"
)


def test_text_of_a_template_is_text_in_every_format() -> None:
    made = document(HARMLESS + "\n")
    page, tex, text = html(made), latex(made, "d"), markdown(made, "d")
    assert "<i>" not in page and "&lt;i&gt;" in page
    assert 'href="javascript' not in page
    assert (
        r"\textbf{x}" not in tex.replace(r"\title{\bfseries", "")
        and r"\textbackslash{}textbf\textbraceleft{}x\textbraceright{}" in tex
    )
    assert "[a](javascript" not in text
    assert r"https://example.org/?a=b\&c=\%5C" in tex


def test_names_and_notes_of_records_are_text_too(tmp_path: object) -> None:
    from pathlib import Path

    from .bases import changed_base

    assert isinstance(tmp_path, Path)
    name = 'name: "<script>x</script> \\\\input{a} $y$ |z"\naliases: [H100]'
    base = changed_base(
        tmp_path, "accelerators/nvidia_h100_sxm.yaml", "name: NVIDIA H100 SXM5 80 GB\naliases: [H100 SXM, H100]", name
    )
    made = document("{{ name('nvidia_h100_sxm') }}", base)
    assert "<script>x" not in html(made)
    assert r"\input{a}" not in latex(made, "d")
    assert "<script>x" not in markdown(made, "d").replace("\\<", "")


def test_a_template_that_writes_nothing_is_an_empty_document() -> None:
    base = own_base()
    for template in ("", '{{ "" }}', "{# nothing #}", "{% if false %}x{% endif %}"):
        assert document(template, base) is not None
