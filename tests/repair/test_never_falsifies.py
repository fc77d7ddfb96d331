"""``fix`` makes nothing false: what it touched is true by the evaluation in this file, what was true stays byte for byte."""

from __future__ import annotations

import ast
import operator
import os
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import HEAD, TinyBase
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flopkb.base.loading import load_base
from flopkb.base.writing import WriteFault, rewrite_file
from flopkb.checking.check import check
from flopkb.commands.fix import FixOptions, fix_command
from flopkb.editing import fix as fix_module
from flopkb.editing.files import Files
from flopkb.editing.fix import Fixed, Repair, fixed

SYMBOLS = """symbols:
  a: {meaning: one, domain: {integer: [1, 100000]}}
  b: {meaning: other, domain: {integer: [1, 100000]}}
formulas:
  ratio: {expr: a/b, unit: "1"}
  times: {expr: a*b, unit: "1"}
  plus: {expr: a + b, unit: "1"}
"""
OPERATORS = {"ratio": "/", "times": "*", "plus": "+"}


def fix(base: TinyBase) -> Fixed:
    return fixed(Files(load_base(base.records, base.folder)), lambda _: True)


def after(base: TinyBase, text: str, a: int = 64, b: int = 8, formula: str = "ratio", more: str = "") -> str:
    """The text of a link to the formula at two inputs, once it is fixed."""
    figures = f"figures:\n  f: {{formula: {formula}, with: {{a: {a}, b: {b}}}}}\n"
    base.formula("speed", SYMBOLS + figures + more + f"derivation: |\n  It is [{text}](fig:f) now.\n")
    source = fix(base).after.sources()["records/formulas/speed.yaml"]
    return source.split("It is [")[1].split("](fig")[0]


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("`9 > 64/8`", "ratio"),  # true
        ("`9 < 64/8`", "ratio"),  # false, and a matter of the relation
        ("`9 > 32/8`", "ratio"),
        ("`9 > 8`", "ratio"),
        ("`10 > 9`", "ratio"),
        ("`8 <= 64/8 <= 1`", "ratio"),
        ("`64/8 < 9 = 300`", "ratio"),
        (r"$\frac{8}{1}$", "ratio"),
        (r"$\frac{9}{1}$", "ratio"),
        (r"$3\times10^{3}$", "ratio"),
        (r"$5.12\times10^{2}$", "times"),
        (r"$5.13\times10^{2}$", "times"),
        ("`a*b = 512 <= a*7`", "times"),
        (r"$f \to 300$", "ratio"),
        ("`<= 7`", "ratio"),
        ("1/8", "ratio"),
        ("at most 7", "ratio"),
        ("4-6", "ratio"),
    ],
)
def test_what_is_not_its_business_stands_as_it_is(base: TinyBase, text: str, formula: str) -> None:
    assert after(base, text, formula=formula) == text


def test_a_suppressed_quote_is_left_alone(base: TinyBase) -> None:
    more = "suppress:\n  - {rule: figure-mismatch, at: derivation, reason: the sentence quotes what was believed in spring}\n"
    assert after(base, "9", more=more) == "9"


def test_what_is_withdrawn_is_said(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(base.folder)
    figures = "figures:\n  f: {formula: ratio, with: {a: 64, b: 8}}\n"
    file = base.formula("speed", SYMBOLS + figures + "derivation: |\n  It is [`64/9 = 9 < 7`](fig:f) now.\n")
    before = file.read_bytes()
    outcome = fix_command(FixOptions())
    assert file.read_bytes() == before and outcome.code == 1
    assert "speed.yaml:16:18: left as it is: 9 -> 8, 9 -> 8 would not make it true" in outcome.text


def test_it_names_the_places_that_check_names(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(base.folder)
    prose = "derivation: |\n  It is [17](fig:f) or [`65/8 = 18`](fig:f) now.\n"
    base.formula("speed", SYMBOLS + "figures:\n  f: {formula: ratio, with: {a: 64, b: 4}}\n" + prose)
    found = {str(d.location) for d in base.check().diagnostics}
    said = {line.split(": ")[0] for line in fix_command(FixOptions()).text.splitlines()[:-1]}
    assert said == found and len(said) == 4


@pytest.mark.parametrize("step", ["fchmod", "fsync"])
def test_a_change_while_it_writes_is_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(b"old")
    real = getattr(os, step)

    def meanwhile(*args: object) -> object:
        file.write_bytes(b"theirs")
        return real(*args)

    monkeypatch.setattr(os, step, meanwhile)
    with pytest.raises(WriteFault, match="changed by someone else"):
        rewrite_file(file, b"old", b"new")
    assert file.read_bytes() == b"theirs" and [entry.name for entry in tmp_path.iterdir()] == ["a.yaml"]


# -- an evaluation of its own -----------------------------------------------------------------------------------------
RELATIONS = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt, "=": operator.eq}
ARITHMETIC = {ast.Add: operator.add, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow}


def plain(text: str) -> str:
    """LaTeX and typography as Python."""
    text = text.strip("`$").replace(r"\le", "<=").replace(r"\cdot", "*").replace("≤", "<=")
    text = re.sub(r"\\frac\{(\d+)\}\{(\d+)\}", r"\1/\2", text)
    return re.sub(r"\^\{(\d+)\}", r"**\1", text.replace(r"\times", "*"))


def worth(text: str) -> Fraction:
    """The exact value of arithmetic in numbers."""

    def of(node: ast.expr) -> Fraction:
        if isinstance(node, ast.BinOp):
            left, right = of(node.left), of(node.right)
            return ARITHMETIC[type(node.op)](left, int(right) if isinstance(node.op, ast.Pow) else right)
        assert isinstance(node, ast.Constant)
        return Fraction(str(node.value))

    return of(ast.parse(text.strip(), mode="eval").body)


def rounds_to(text: str, value: Fraction) -> bool:
    """Whether digits are a rounding of a value: half a last digit, and no more than a tenth."""
    unit = Fraction(1, 10 ** len(text.partition(".")[2]))
    return abs(Fraction(text) - value) <= min(unit / 2, Fraction(text) / 10)


def is_true(text: str, value: Fraction, inputs: tuple[int, int]) -> bool:
    """Whether the text of a link says what is so: its equal sides are the value, from the inputs, its bounds hold."""
    parts = re.split(r"(<=|>=|<|>|=)", plain(text))
    sides, signs = [part.strip() for part in parts[::2]], parts[1::2]
    runs: list[list[str]] = [[sides[0]]]
    for sign, side in zip(signs, sides[1:], strict=True):
        if sign == "=":
            runs[-1].append(side)
        else:
            runs.append([side])
    orders = [sign for sign in signs if sign != "="]
    for own, run in enumerate(runs):
        if all(says(side, value, inputs, alone=len(run) == 1) for side in run):
            others = [run for i, run in enumerate(runs) if i != own]
            if any(len({worth(side) for side in other}) > 1 for other in others):
                continue
            values = [value if i == own else worth(other[0]) for i, other in enumerate(runs)]
            if all(RELATIONS[sign](values[i], values[i + 1]) for i, sign in enumerate(orders)):
                return True
    return False


def says(side: str, value: Fraction, inputs: tuple[int, int], *, alone: bool) -> bool:
    if re.fullmatch(r"[0-9.]+", side):
        return rounds_to(side, value)
    tens = re.fullmatch(r"([0-9.]+)\*10\*\*([0-9]+)", side)
    if tens:
        return rounds_to(tens[1], value / 10 ** int(tens[2]))
    given = sorted(int(number) for number in re.findall(r"\d+", side)) == sorted(inputs)
    fraction = alone and re.fullmatch(r"[0-9]+/[0-9]+", side) is not None
    return worth(side) == value and (given or fraction)


FORMS = st.sampled_from(
    [
        "{v}", "`{a}{op}{b} = {v}`", "`{big} > {a}{op}{b}`", "`{a}{op}{b} < {big}`", "`{a}{op}{b} = {v} <= {big}`",
        "`{small} < {a}{op}{b} <= {big}`", r"${a} {texop} {b} = {v}$", "`{v} = {a}{op}{b}`", r"${v}\times10^{{0}}$",
        "`{big} >= {v}`", "**{v}**",
    ]
)  # fmt: skip


@st.composite
def sentences(draw: st.DrawFn) -> tuple[str, str, tuple[int, int], str]:
    """A formula, the text of a link that is true of it at two inputs, the inputs that hold now, and the text with a slip."""
    formula = draw(st.sampled_from(sorted(OPERATORS)))
    a, b = draw(st.integers(2, 999)), draw(st.integers(2, 99))
    value = worth(f"{a}{OPERATORS[formula]}{b}")
    v = str(value) if value.denominator == 1 else f"{float(value):.2f}"
    texop = {"/": "/", "*": r"\cdot", "+": "+"}[OPERATORS[formula]]
    big, small = int(value) + draw(st.integers(1, 9)), max(0, int(value) - draw(st.integers(1, 9)))
    text = draw(FORMS).format(a=a, b=b, op=OPERATORS[formula], texop=texop, v=v, big=big, small=small)
    slip = draw(st.sampled_from(["none", "digit", "relation", "a", "b", "two digits"]))
    if slip in ("a", "b"):
        a, b = (a + draw(st.integers(1, 50)), b) if slip == "a" else (a, b + draw(st.integers(1, 50)))
    elif slip == "relation" and re.search("[<>]", text):
        text = text.replace("<", "#").replace(">", "<").replace("#", ">")
    else:
        for _ in range({"digit": 1, "two digits": 2}.get(slip, 0)):
            at = draw(st.sampled_from([m.start() for m in re.finditer("[0-9]", text)]))
            text = text[:at] + str(draw(st.integers(1, 9))) + text[at + 1 :]
    return formula, text, (a, b), slip


def links(source: str) -> Iterator[str]:
    return (match[1] for match in re.finditer(r"\[([^]]*)\]\(fig:f\d+\)", source))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(sentences(), min_size=1, max_size=4))
def test_whatever_it_touches_is_true_and_what_was_true_is_untouched(
    base: TinyBase, made: list[tuple[str, str, tuple[int, int], str]]
) -> None:
    figures = "".join(
        f"  f{i}: {{formula: {f}, with: {{a: {a}, b: {b}}}}}\n" for i, (f, _, (a, b), _) in enumerate(made)
    )
    prose = "".join(
        f"  Text *{'é' * (i + 1)}* [{text}](fig:f{i}) more,  text.  \n" for i, (_, text, _, _) in enumerate(made)
    )
    head = HEAD.format(id="speed", kind="formula", name="Speed", status="verified")
    before = head + SYMBOLS + "figures:\n" + figures + "derivation: |\n" + prose
    (base.records / "formulas" / "speed.yaml").write_text(before, encoding="utf-8")
    done = fix(base)
    now = done.after.sources()["records/formulas/speed.yaml"]
    assert re.sub(r"\[[^]]*\]\(fig", "", now) == re.sub(r"\[[^]]*\]\(fig", "", before)
    for (formula, old, inputs, _), new in zip(made, links(now), strict=True):
        value = worth(f"{inputs[0]}{OPERATORS[formula]}{inputs[1]}")
        bare = (text.strip("*") for text in (old, new))
        was, stands = (is_true(text, value, inputs) for text in bare)
        assert not was or new == old, (old, new)
        assert stands or new == old, (old, new)
        relations = [re.sub("[^<>=]", "", text) for text in (old, new)]
        assert relations[0] == relations[1]
    assert fixed(done.after, lambda _: True).edits == ()
    wrong = {d.location.line for d in check(done.base).diagnostics}
    for line, (formula, _, inputs, _), new in zip(range(100), made, links(now), strict=False):
        value = worth(f"{inputs[0]}{OPERATORS[formula]}{inputs[1]}")
        at = before[: before.index("derivation: |")].count("\n") + 2 + line
        assert (at in wrong) == (not is_true(new.strip("*"), value, inputs)), (new, value)


# -- repairs that do not hold together ---------------------------------------------------------------------------------


def test_a_true_equation_of_other_numbers_is_not_rewritten(base: TinyBase) -> None:
    """24/8 is 3, as 12/4 is: nothing in it is stale, and whether 12 and 4 are meant is not for a program to say."""
    assert after(base, "`24/8 = 3`", a=12, b=4) == "`24/8 = 3`"
    assert [d.rule for d in base.check().diagnostics] == ["equation-input"] * 2
    assert after(base, "`12/4 = 4`", a=12, b=4) == "`12/4 = 3`"
    assert after(base, "`24/4 = 6`", a=12, b=4) == "`12/4 = 3`"


@pytest.mark.parametrize("bad", [{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}, set()])
@pytest.mark.parametrize("spoils", [False, True])
def test_what_does_not_hold_keeps_no_other_repair_from_being_made(
    base: TinyBase, monkeypatch: pytest.MonkeyPatch, bad: set[int], spoils: bool
) -> None:
    """Where ``spoils``, no repair holds together with a bad one, as when one bad edit breaks the file for all."""
    prose = "derivation: |\n  It is [7](fig:f), [6](fig:f), [5](fig:f).\n"
    base.formula("speed", SYMBOLS + "figures:\n  f: {formula: ratio, with: {a: 64, b: 8}}\n" + prose)
    real = fix_module.attempted

    def attempted(before: fix_module.Checked, tried: Sequence[Repair]) -> tuple[fix_module.Checked, list[Repair]]:
        now, held = real(before, tried)
        spoilt = spoils and any(repair.place in bad for repair in tried)
        return now, [] if spoilt else [repair for repair in held if repair.place not in bad]

    monkeypatch.setattr(fix_module, "attempted", attempted)
    source = fix(base).after.sources()["records/formulas/speed.yaml"]
    wanted = [old if place in bad else "8" for place, old in enumerate("765")]
    assert re.findall(r"\[(.)\]", source) == wanted


def test_a_finding_on_a_reading_that_moves_is_no_new_one(base: TinyBase) -> None:
    """It stands at the value while a quote of it is wrong, and moves to the printed form when the last is mended."""
    line = "memory_bandwidth: {value: 2000 GB/s, basis: recorded, source: sheet, as_printed: 2 TB/s}"
    block = line.replace("{", "\n  ").replace("}", "").replace(", ", "\n  ").replace("2000 GB/s", "2100 GB/s")
    base.change("accelerators/gpu.yaml", {line: block, "[2 TB/s](fact": "[2000 GB/s](fact"})
    before = [(d.rule, d.location.line) for d in base.check().diagnostics]
    assert before == [("reading-mismatch", 8), ("figure-mismatch", 16)]
    done = fix(base)
    assert "[2100 GB/s](fact:gpu.memory_bandwidth)" in done.after.sources()["records/accelerators/gpu.yaml"]
    assert [(d.rule, d.location.line) for d in check(done.base).diagnostics] == [("reading-mismatch", 11)]
