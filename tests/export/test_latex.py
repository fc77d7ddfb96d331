"""LaTeX: macros that print what the base quotes, in text, mathematics, captions and tables; an unknown key stops it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import TinyBase

from export.bases import hostile
from flopkb.publishing.export.latex import as_quoted, latex_export, unit_macros
from flopkb.publishing.export.resolved import ResolvedBase

pytestmark = pytest.mark.slow

PDFLATEX, PDFTOTEXT = shutil.which("pdflatex"), shutil.which("pdftotext")

DOCUMENT = r"""
\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{lmodern,amsmath}
\usepackage{flopkb}
\usepackage{hyperref}
\begin{document}
\tableofcontents\listoffigures
\section{A gap of \flopkb{decode_attention.gap_mha}}
Text: \flopkb{decode_attention.gap_mha}; \flopkb{decode_attention.read_32k}; \flopkb*{decode_attention.kv_32k_7b};
\flopkbunit{decode_attention.kv_32k_7b}; \flopkb{nvidia_h100_sxm.memory_bandwidth@genz_systems};
\flopkbexact[round-mode=figures, round-precision=4]{decode_attention.gap_mha}; \flopkb{decode_attention.kv_reduction};
\flopkb{roofline.one_flop_share}; value \flopkbvalue{decode_attention.gap_gqa8}.
\begin{equation}
  \frac{\flopkb{nvidia_h100_sxm.peak_flops.bf16}}{\flopkb{nvidia_h100_sxm.memory_bandwidth}}
  \approx \flopkb*{decode_gemm.ratio_h100}
\end{equation}
\begin{figure}\caption{Caption \flopkb{decode_attention.gap_gqa8}.}\end{figure}
\begin{table}\begin{tabular}{lS[table-format=3.1]}
Row & {\flopkb{decode_attention.gap_mqa64_int8}} \\
\end{tabular}\end{table}
BODY
\end{document}
"""


def compiled(folder: Path, body: str = "", *, times: int = 2) -> tuple[int, str]:
    """The exit code and the log of a document with ``body`` at its end."""
    if PDFLATEX is None:
        assert os.environ.get("CI") != "true", "LaTeX is missing: .ci/run installs it"
        pytest.skip("LaTeX is not installed (Debian: apt-get install texlive-latex-extra texlive-science)")
    (folder / "doc.tex").write_text(DOCUMENT.replace("BODY", body), encoding="utf-8")
    for _ in range(times):
        command = [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "doc.tex"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, errors="replace")
        if done.returncode:
            break
    return done.returncode, done.stdout


@pytest.fixture(scope="module")
def folder(whole: ResolvedBase, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the macros of the shipped base."""
    made = tmp_path_factory.mktemp("latex")
    (made / "flopkb.sty").write_text(latex_export(whole), encoding="utf-8")
    return made


def test_numbers_print_as_the_base_quotes_them_everywhere(folder: Path) -> None:
    code, log = compiled(folder)
    assert code == 0, log[-3000:]
    assert "Warning: Token not allowed" not in log  # the section's title goes into the bookmarks
    if PDFTOTEXT is None:
        assert os.environ.get("CI") != "true", "pdftotext is missing: .ci/run installs poppler-utils"
        pytest.skip("it compiles; pdftotext is not installed, so what it prints was not read")
    subprocess.run([PDFTOTEXT, "-layout", "doc.pdf"], cwd=folder, check=True, timeout=60)
    text = " ".join((folder / "doc.txt").read_text(encoding="utf-8").split())
    assert "Text: 295×; 1.28 ms; 16; GiB; 3400 GB/s; 295.4; 4–8×; 0.34%; value 36.9216" in text
    assert "989.5 TFLOP/s" in text and "3350 GB/s" in text
    assert text.count("Caption 37×") == 2  # below the figure and in the list of figures
    assert "Row 2.3×" in text
    assert text.count("A gap of 295×") == 2


@pytest.mark.parametrize("command", ["flopkb", "flopkb*", "flopkbexact", "flopkbunit", "flopkbvalue"])
def test_an_unknown_key_is_an_error(command: str, folder: Path) -> None:
    code, log = compiled(folder, f"\\{command}{{decode_attention.gap_mah}}", times=1)
    assert code != 0
    assert "decode_attention.gap_mah" in " ".join(log[log.index("\n!") :].split())


def test_a_value_that_is_not_there_says_why(folder: Path) -> None:
    code, log = compiled(folder, r"\flopkb{apple_m3_ultra.peak_flops.bf16}", times=1)
    assert code != 0
    assert "not published" in " ".join(log[log.index("\n!") :].split())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("295x", ("number", "295", "", r"\flopkbtimes")),
        ("1,979 TFLOP/s", ("number", "1979", "", r"\tera\flopkbFLOP\per\second")),
        ("4–8x", ("range", "4", "8", r"\flopkbtimes")),
        ("512 KiB/token", ("number", "512", "", r"\kibi\byte\per\flopkbtoken")),
        ("0.34%", ("number", "0.34", "", r"\flopkbpercent")),
        ("−3.50 ms", ("number", "-3.50", "", r"\milli\second")),
    ],
)
def test_a_quote_is_taken_with_its_digits(text: str, shown: tuple[str, str, str, str]) -> None:
    found = as_quoted(text)
    assert found is not None
    assert (found.kind, found.first, found.last, found.unit) == shown


@pytest.mark.parametrize("text", ["about 295", "at most 3", "half", "32k", "an order of magnitude", "$5"])
def test_a_quote_that_is_no_plain_number_is_not_taken(text: str) -> None:
    assert as_quoted(text) is None


@pytest.mark.parametrize(
    ("unit", "macros"),
    [
        ("1", ""),
        ("µs", r"\micro\second"),
        ("GB/s", r"\giga\byte\per\second"),
        ("byte", r"\flopkbbyte"),
        ("W", r"\watt"),
    ],
)
def test_units_in_the_macros_of_siunitx(unit: str, macros: str) -> None:
    assert unit_macros(unit) == macros


def test_hostile_texts_do_not_run(base: TinyBase, tmp_path: Path) -> None:
    text = latex_export(hostile(base))
    entries = text[text.index("\\flopkbentry") :]
    assert "\\input" not in entries and "script" not in entries
    assert "\\flopkbentry{evil_class.five}{number}{-0.29}{}{}" in entries
