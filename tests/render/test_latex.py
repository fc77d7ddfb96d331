"""Documents as LaTeX: compiled by a TeX where there is one, and read."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from flopkb.publishing.pages.latex import escaped, latex
from flopkb.publishing.render.rendering import files_of

from .bases import TEMPLATES, document, shipped

pytestmark = pytest.mark.slow

_TEX = shutil.which("pdflatex")
_WHY_NOT = (
    "" if _TEX else "no TeX here (Debian: apt-get install texlive-latex-recommended texlive-fonts-recommended lmodern)"
)
if _WHY_NOT and os.environ.get("CI") == "true":
    raise RuntimeError(f"{_WHY_NOT}; .ci/run installs it")
needs_tex = pytest.mark.skipif(bool(_WHY_NOT), reason=_WHY_NOT or "there is a TeX")

MIXED = """
# Everything, with care & more

A *word*, a **word**, a ~~word~~, `code_with_a_underscore`, $x_{1}$, a [link](https://example.org/a_b?c=d&e=%20#f)
& more: {{ name('kivi_2024') }} µs × – “quoted” ≤ ≈ Łukasz é { } ~ ^ \\\\ # % $ | < >

- one
    - two

1. first
2. second

> quoted

| a | b |
|:--|--:|
| left & right | {{ fig('roofline.ridge', accelerator='nvidia_h100_sxm', dtype='bf16') }} |

---

```
verbatim \\end{lstlisting} & %
```

{% call captioned('tab:own', 'A table of mine.') %}
| a | b |
|---|---|
| c | d |
{% endcall %}

{{ worked('kv_cache.uniform_per_token', 'KiB/token', 'eq:w', model='llama_2_7b', kv_dtype='fp16') }}

{{ ref('tab:own') }}, {{ ref('eq:w', number=true) }}[^n] and again[^n] {{ cite('vllm_2023', at='p. x') }}.

[^n]: A note & more.
"""


def compiled(text: str, folder: Path) -> str:
    """What TeX says, after two runs; it must succeed."""
    (folder / "d.tex").write_text(text, encoding="utf-8")
    assert _TEX is not None
    command = [_TEX, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "d.tex"]
    for _ in range(2):
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=300, check=False)
        said = done.stdout.decode("utf-8", "replace")
        assert done.returncode == 0, said[-3000:]
    return said


@needs_tex
@pytest.mark.parametrize("name", TEMPLATES)
def test_the_documents_compile_with_nothing_undefined(name: str, tmp_path: Path) -> None:
    for file, data in files_of(shipped(name), tmp_path / "d.tex", "latex").items():
        file.write_bytes(data)
    said = compiled((tmp_path / "d.tex").read_text(encoding="utf-8"), tmp_path)
    assert "undefined" not in said and "multiply defined" not in said
    assert (tmp_path / "d.pdf").stat().st_size > 20_000


@needs_tex
def test_every_kind_of_block_and_character_compiles(tmp_path: Path) -> None:
    said = compiled(latex(document(MIXED), "d"), tmp_path)
    assert "undefined" not in said


def test_special_characters_mean_nothing() -> None:
    assert escaped(r"\input{x} 50% a_b $c$ #1 & ~^") == (
        r"\textbackslash{}input\textbraceleft{}x\textbraceright{} 50\% a\_b \$c\$ \#1 \& \textasciitilde{}\textasciicircum{}"
    )
    assert escaped("7 µs × 3–4") == r"7 \textmu{}s \ensuremath{\times} 3--4"
    assert escaped("ﬁ") == "fi"
    assert escaped("漢") == "?"


def test_numbers_of_equations_are_those_of_latex() -> None:
    text = latex(document("{{ equation('roofline.ridge', 'eq:r') }}\n\nsee {{ ref('eq:r') }}"), "d")
    assert r"\begin{equation}\label{eq-r}" in text and r"Equation~\ref{eq-r}" in text
