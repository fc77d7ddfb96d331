"""A document as LaTeX that compiles with pdflatex: amsmath, booktabs, hyperref; numbers and links are LaTeX's own."""

from __future__ import annotations

import re
import unicodedata

from flopkb.publishing.export.tex import SIGNS, SPECIAL
from flopkb.publishing.pages.blocks import (
    Captioned,
    DisplayMath,
    Finished,
    Folded,
    Heading,
    ListOf,
    Picture,
    PlainTable,
    References,
    Stated,
    Verbatim,
)
from flopkb.publishing.pages.inlines import CitationGroup, Code, Flow, Jump, NoteMark, Styled
from flopkb.publishing.pages.writing import BlockWriter, plain

PREAMBLE = r"""\documentclass[11pt,a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{lmodern,textcomp,microtype}
\usepackage[a4paper,margin=28mm]{geometry}
\usepackage{amsmath,amssymb,amsthm}
\usepackage{booktabs,array,tabularx,longtable}
\usepackage{xcolor,graphicx,caption,float}
\usepackage{listings}
\usepackage{cite}
\usepackage[hidelinks,pdfusetitle]{hyperref}
\urlstyle{same}
\captionsetup{font=small,labelfont=bf}
\lstset{basicstyle=\ttfamily\small,columns=fullflexible,keepspaces=true,breaklines=true,frame=single,framesep=6pt,
  rulecolor=\color[gray]{0.8},upquote=true,showstringspaces=false}
\newfloat{listing}{htbp}{lol}
\floatname{listing}{Listing}
\floatstyle{plaintop}\restylefloat{listing}
\theoremstyle{plain}
\newtheorem{proposition}{Proposition}
\setlength{\emergencystretch}{3em}
\setlength{\parindent}{0pt}
\setlength{\parskip}{0.6\baselineskip plus 2pt}
"""
_SPECIAL = {
    **SPECIAL, **SIGNS, "'": "'", "≤": r"\ensuremath{\le}", "≥": r"\ensuremath{\ge}", "≠": r"\ensuremath{\ne}",
    "→": r"\ensuremath{\to}", "←": r"\ensuremath{\leftarrow}", "∞": r"\ensuremath{\infty}", "μ": r"\textmu{}",
    "…": r"\dots{}", "±": r"\ensuremath{\pm}", "²": r"\textsuperscript{2}", "³": r"\textsuperscript{3}",
    "∎": r"\qedsymbol{}", "•": r"\textbullet{}", "↩": "",
}  # fmt: skip
_LATIN = re.compile(r"[\x20-\x7e\u00a1-\u017f\n]")
_UNSAFE_MATH = re.compile(
    r"\\(?:input|include|includegraphics|openin|openout|read|write|immediate|def|edef|gdef|xdef|let|futurelet|catcode|csname|"
    r"newcommand|renewcommand|loop|repeat|special|usepackage|directlua|ExplSyntaxOn|everypar|expandafter|begingroup|"
    r"lstinputlisting|verbatiminput|shipout|output|jobname|endinput|end\s*\{document\})(?![A-Za-z])"
)
_STYLES = {"em": "emph", "strong": "textbf", "del": "sout"}
_SIZES = {2: "section", 3: "subsection", 4: "subsubsection"}


def latex(document: Finished, stem: str) -> str:
    """The document as a whole LaTeX file; its plots are the files ``stem-name.pdf`` beside it."""
    return LatexWriter(document, stem).page()


def escaped(text: str) -> str:
    """Text in which no character means anything to TeX; what its fonts lack is spelled or marked."""
    parts = []
    for character in unicodedata.normalize("NFC", text):
        if character in _SPECIAL:
            parts.append(_SPECIAL[character])
        elif _LATIN.match(character):
            parts.append(character)
        else:
            plain_form = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
            parts.append(escaped(plain_form) if plain_form and plain_form != character else "?")
    return "".join(parts)


def math(tex: str) -> str:
    """Mathematics, without commands that reach beyond it; characters of text within are left to TeX."""
    safe = _UNSAFE_MATH.sub(lambda m: r"\text{" + escaped(m[0]) + "}", tex)
    for character in "–×≈≤≥−·µ“”":
        safe = safe.replace(character, _SPECIAL[character])
    return safe.replace("\N{NO-BREAK SPACE}", "~")


class LatexWriter(BlockWriter):
    """Writes a document; plots are files named after ``stem``."""

    form = "latex"
    divider = r"\par\noindent\rule{\linewidth}{0.4pt}"
    hard_break = "\\\\\n"

    def __init__(self, document: Finished, stem: str) -> None:
        self.document = document
        self.stem = stem
        self.notes = {note.label: note for note in document.notes}

    def page(self) -> str:
        document = self.document
        title = self.inlines(document.title)
        if document.subtitle:
            title += rf"\\[0.4em]\large {self.inlines(document.subtitle)}"
        body = [self.block(block) for block in document.blocks]
        head = [
            f"% rendered from {document.version}",
            PREAMBLE + ("\\usepackage[normalem]{ulem}\n" if any(r"\sout{" in part for part in body) else ""),
            rf"\title{{\bfseries {title}}}",
            rf"\author{{{escaped(', '.join(document.authors))}}}",
            rf"\date{{{escaped(document.date)}}}",
            r"\begin{document}",
            r"\maketitle",
        ]
        told = f"Rendered from {escaped(document.version)}. Every number is computed from that base."
        foot = rf"\bigskip\noindent{{\footnotesize {told}\par}}"
        return "\n".join([*head, "\n\n".join(body), "", foot, r"\end{document}", ""])

    # -- blocks -------------------------------------------------------------------------------------------------------
    def heading(self, block: Heading) -> str:
        following = (
            self.document.blocks[self.document.blocks.index(block) + 1 :][:1] if block in self.document.blocks else ()
        )
        if following and isinstance(following[0], References):
            return ""  # the bibliography brings its own heading
        size = _SIZES.get(max(block.level, 2), "paragraph")
        return rf"\{size}*{{{self.inlines(block.children)}}}\phantomsection\label{{{block.anchor}}}"

    def quote(self, inner: str) -> str:
        return f"\\begin{{quote}}\n{inner}\n\\end{{quote}}"

    def listed(self, block: ListOf) -> str:
        kind = "itemize" if block.start is None else "enumerate"
        start = "" if block.start in (None, 1) else f"\\setcounter{{enumi}}{{{(block.start or 1) - 1}}}\n"
        items = "\n".join(rf"\item {self.blocks(item)}" for item in block.items)
        return f"\\begin{{{kind}}}\n{start}{items}\n\\end{{{kind}}}"

    def verbatim(self, block: Verbatim) -> str:
        language = "[language=Python]" if block.language == "python" else ""
        text = block.text.rstrip().replace(r"\end{lstlisting}", r"\end {lstlisting}")
        return f"\\begin{{lstlisting}}{language}\n{ascii_only(text)}\n\\end{{lstlisting}}"

    def table(self, block: PlainTable) -> str:
        return f"\\begin{{center}}\n{self.tabular(block)}\n\\end{{center}}"

    def tabular(self, block: PlainTable) -> str:
        columns = "".join({"right": "r", "center": "c"}.get(align, "l") for align in block.aligns)
        head = " & ".join(rf"\textbf{{{self.head(cell)}}}" for cell in block.head)
        rows = "\n".join(
            " & ".join(self.inlines(cell).replace("\n", " ") for cell in row) + r" \\" for row in block.rows
        )
        body = f"\\toprule\n{head} \\\\\n\\midrule\n{rows}\n\\bottomrule"
        inner = f"\\begin{{tabular}}{{@{{}}{columns}@{{}}}}\n{body}\n\\end{{tabular}}"
        # A table wider than the page is scaled to it.
        narrowed = "\\resizebox{\\linewidth}{!}{\\usebox0}"
        return f"\\sbox0{{{inner}}}\\ifdim\\wd0>\\linewidth{narrowed}\\else\\usebox0\\fi"

    def head(self, cell: Flow) -> str:
        """A head, in lines of its own where it is long."""
        text = self.inlines(cell).replace("\n", " ")
        if len(plain(cell)) < 18 or "\\" in text:
            return text
        words, lines = text.split(" "), [""]
        for word in words:
            if lines[-1] and len(lines[-1]) + len(word) > 16:
                lines.append("")
            lines[-1] = f"{lines[-1]} {word}".strip()
        return r"\shortstack[l]{" + r"\\".join(lines) + "}"

    def display(self, block: DisplayMath) -> str:
        if block.target is None:
            return f"\\[\n{math(block.tex)}\n\\]"
        return f"\\begin{{equation}}\\label{{{block.target.anchor}}}\n{math(block.tex)}\n\\end{{equation}}"

    def captioned(self, block: Captioned) -> str:
        caption = rf"\caption{{{self.inlines(block.caption)}}}\label{{{block.target.anchor}}}"
        if isinstance(block.body, Picture):
            picture = rf"\includegraphics[width=\linewidth]{{{self.stem}-{block.body.name}.pdf}}"
            return f"\\begin{{figure}}[htbp]\n\\centering\n{picture}\n{caption}\n\\end{{figure}}"
        if isinstance(block.body, Verbatim):
            return f"\\begin{{listing}}[htbp]\n{caption}\n{self.block(block.body)}\n\\end{{listing}}"
        return (
            f"\\begin{{table}}[htbp]\n\\centering\n{caption}\n\\smallskip\n{self.tabular(block.body)}\n\\end{{table}}"
        )

    def stated(self, block: Stated) -> str:
        if block.target is None:
            return f"\\begin{{proof}}\n{self.blocks(block.blocks)}\n\\end{{proof}}"
        title = f"[{self.inlines(block.title)}]" if block.title else ""
        note = f"\n\n{{\\normalfont\\footnotesize {self.inlines(block.note)}}}" if block.note else ""
        label = rf"\label{{{block.target.anchor}}}"
        return f"\\begin{{proposition}}{title}{label}\n{self.blocks(block.blocks)}{note}\n\\end{{proposition}}"

    def references(self, block: References) -> str:
        entries = "\n".join(rf"\bibitem{{{e.id}}} {self.inlines(e.children)}" for e in block.entries)
        widest = "9" * len(str(len(block.entries)))
        return f"\\begin{{thebibliography}}{{{widest}}}\n{entries}\n\\end{{thebibliography}}"

    def folded(self, block: Folded) -> str:
        grids = [self.long(b) if isinstance(b, PlainTable) else self.block(b) for b in block.blocks]
        return rf"\section*{{{self.inlines(block.summary)}}}" + "\n\n" + "\n\n".join(grids)

    def long(self, block: PlainTable) -> str:
        """A table over several pages, in small print, its columns wrapped."""
        shares = (0.2, 0.16, 0.48, 0.1) if len(block.head) == 4 else (0.94 / max(1, len(block.head)),) * len(block.head)
        columns = "".join(rf">{{\raggedright\arraybackslash}}p{{{share:.2f}\linewidth}}" for share in shares)
        head = " & ".join(rf"\textbf{{{self.inlines(cell)}}}" for cell in block.head)
        rows = "\n".join(" & ".join(self.inlines(cell) for cell in row) + r" \\" for row in block.rows)
        body = f"\\toprule\n{head} \\\\\n\\midrule\n\\endhead\n{rows}\n\\bottomrule"
        table = f"\\begin{{longtable}}{{{columns}}}\n{body}\n\\end{{longtable}}"
        return f"{{\\scriptsize\\setlength{{\\tabcolsep}}{{3pt}}\n{table}}}"

    # -- inlines ------------------------------------------------------------------------------------------------------
    def words(self, text: str) -> str:
        return escaped(text)

    def styled(self, child: Styled) -> str:
        return rf"\{_STYLES[child.style]}{{{self.inlines(child.children)}}}"

    def code(self, child: Code) -> str:
        return rf"\texttt{{{breakable(escaped(child.text))}}}"

    def math(self, tex: str) -> str:
        return f"${math(tex)}$"

    def web_link(self, href: str, inner: str) -> str:
        return rf"\href{{{address(href)}}}{{{breakable(inner)}}}"

    def citations(self, child: CitationGroup) -> str:
        """A group of citations, whose runs LaTeX draws together itself."""
        if any(at for *_, at in child.numbers):
            return "".join(self.source(*item) for item in child.numbers)
        return rf"\cite{{{','.join(id for id, _, _ in child.numbers)}}}"

    def source(self, id: str, number: int, at: str) -> str:
        return rf"\cite[{escaped(at)}]{{{id}}}" if at else rf"\cite{{{id}}}"

    def note_mark(self, child: NoteMark) -> str:
        """The footnote where it is first marked, its number where it is marked again."""
        label = f"note-{child.label}"
        if not child.first:
            return rf"\textsuperscript{{\ref{{{label}}}}}"
        blocks = self.blocks(self.notes[child.label].blocks)
        return rf"\footnote{{\label{{{label}}}{blocks}}}"

    def jump(self, child: Jump) -> str:
        """A cross-reference: LaTeX's own number where it shows one."""
        target, text = child.target, plain(child.children)
        number = str(target.number)
        if target.kind != "sec" and text.endswith(number):
            return rf"{escaped(text.removesuffix(number))}\ref{{{target.anchor}}}"
        return rf"\hyperref[{target.anchor}]{{{self.inlines(child.children)}}}"


def breakable(text: str) -> str:
    """Long words may break behind their joints."""
    return re.sub(r"(\\_|(?<=\w)[./?=](?=\w))", r"\1\\allowbreak{}", text)


def address(href: str) -> str:
    """An address in which nothing means anything to TeX."""
    unsafe = {"\\": "%5C", "{": "%7B", "}": "%7D", "^": "%5E", " ": "%20"}
    text = "".join(unsafe.get(c, c) for c in href)
    return text.replace("%", r"\%").replace("#", r"\#").replace("&", r"\&").replace("_", r"\_").replace("~", r"\~{}")


def ascii_only(code: str) -> str:
    """Code for listings, which reads single bytes."""
    return code.encode("ascii", "replace").decode()
