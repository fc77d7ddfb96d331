"""What a reader sees around a link is judged with it: each kind of door is shut, and its near misses stay open."""

from __future__ import annotations

import pytest
from conftest import TinyBase
from seen_quantities import findings, load, told

from flopkb.base.loading import LoadedBase

FOUND = (
    "At [8](f) per cent of it.",
    "It is -[295x](ratio).",
    "It is [295](ratio) GB/s.",
    "It is [295](ratio)k.",
    "It is [295](ratio)%.",
    "It is [295](ratio) million.",
    "It moves [80 GB](mem)/s.",
    "It is less than [295x](ratio).",
    "It is [8](f)[295](ratio).",
    "So [8](f) + [8](f) = [295](ratio).",
    "So [8](f) > [295](ratio).",
    "It is about ten times [295x](ratio).",
    "It is minus [295x](ratio).",
    "It is close to [295x](ratio).",
    "It is not quite [295x](ratio).",
    "It is in excess of [295x](ratio).",
    "It is upwards of [295x](ratio).",
    "It exceeds [295x](ratio).",
    "It is beyond [295x](ratio).",
    "It draws ±[700 W](pow).",
    "It is √[295](ratio).",
    "It is €[295](ratio).",
    "It is two times [295x](ratio).",
    "It is double [295x](ratio).",
    "It is `2*`[295x](ratio).",
    "It draws [700 W](pow)² now.",
    "It draws [700 W](pow) squared.",
    "It draws [700 W](pow)+.",
    "It draws [700 W](pow) plus.",
    "It draws [700 W](pow) or more.",
    "It draws [700 W](pow)/mm².",
    "It draws [700 W](pow)·s.",
    "It moves [80 GB](mem)s⁻¹.",
    "It costs [295](ratio)bn.",
    "It costs [295](ratio) bn.",
    "It has [295](ratio) dozen.",
    "It has [295](ratio) pp.",
    "It has [295](ratio)°.",
    "It has **[295](ratio)**k.",
    "It draws [700 W](pow) per token.",
    "It draws [700 W](pow) per rack.",
    "It draws [600](lit:example) to [700 W](pow).",
    "It draws [600](lit:example)–[700 W](pow).",
    "It draws between [600](lit:example) and [700 W](pow).",
    "It draws [2](lit:example) x [700 W](pow).",
    "It draws [1](lit:example)/[295](ratio).",
    "It draws [600](lit:example) W.",
    "It draws seven hundred watts.",
    "It holds ninety GB.",
    "It holds A million bytes.",
    "It holds ２９５ parts.",
    "It holds ٢٩٥ parts.",
    "It is [nearly 295x](ratio).",
    "It holds [nine](f) heads.",
    "It draws thirty watts.",
    "It draws negative [700 W](pow).",
    "So [16](sixteen) is twice [295](ratio).",
    "It is more than [295](ratio) times faster.",
    "It is never over [295x](ratio).",
    "It is at most [295x](ratio).",
    "It is [295x](ratio) at most.",
    "It is [295x](ratio) or less.",
    "It is ×[295](ratio).",
    "It is [8](f) x [8](f) = [295](ratio).",
    "It is [8](f) · [80 GB](mem) = [640 TB](mem).",
    "So [8](f) is more than [295](ratio).",
    "So [8](f) exceeds [295](ratio).",
    "So [8](f) equals [295](ratio).",
    "So [8](f) ≠ [8.0](f).",
    "So [8](f) plus [8](f) is [295](ratio).",
    "So [295](ratio) minus [8](f) is [295](ratio).",
    "From [8](lit:example) to [295](ratio).",
    "It took [2024](lit:year) ms.",
    "It took [2](lit:ordinal) GB.",
    "It is an [8](f)e3 value.",
    "It is [8](f)×10⁹ bytes.",
    "It is [8](f),295 of it.",
    "It is 1[8](f) of it.",
    "It is 0.[8](f) of it.",
    "It is [8](f).5 of it.",
    "It is <sub>-</sub>[8](f).",
    "It is $-$[8](f).",
    "It is $2\\times$[8](f).",
    "It is [8](f)$\\times 10^3$.",
    "It is [8](f)<sup>2</sup>.",
    "It is *minus* [8](f).",
    "It is **-**[8](f).",
    "It is \\-[8](f).",
    "It is &minus;[8](f).",
    "It is *less than* [8](f).",
    "It is [8](f) *million*.",
    "It is [8](f)&nbsp;GB.",
    "It is [8](f) &times; 10^3.",
    "It is approximately −[8](f).",
    "~~not~~ minus [8](f).",
    "At [80 GB](mem) per token.",
    "At [80 GB](mem) / token.",
    "It holds a couple hundred [80 GB](mem).",
    "The gain is half [8](f).",
    "It is a third of [80 GB](mem).",
    "It holds one and a half times [80 GB](mem).",
    "about −[8](f).",
    "It is a factor of two more.",
    "It is three and a half times that.",
)
"""A reader sees another quantity than the one that the link stands for."""

CLEAN = (
    "It is spread over [80 GB](mem).",
    "It is divided over [80 GB](mem).",
    "We talk about [80 GB](mem).",
    "It falls below [80 GB](mem).",
    "The rest is above [700 W](pow).",
    "It writes [80 GB](mem) a day.",
    "It is [just over 295x](ratio).",
    "It holds [eighty gigabytes](mem).",
    "See Section 4.2 or Figure 7.",
    "It is [295x](ratio).",
    "It holds [80 GB](mem) of memory, and [700 W](pow) is drawn.",
    "It holds [eight](f) heads.",
    "It is [½](half).",
    "It is [about 295x](ratio).",
    "It is [8.0](f) times [295](ratio).",
    "It is [8](f) + [8](f) = [16](sixteen).",
    "It is [at most 296x](ratio).",
    "It is [295x or more](ratio).",
    "It holds [80 GB](mem) or the rest.",
    "It is ([295x](ratio)).",
    'It\'s "[295x](ratio)".',
    "It is [295x](ratio)—big.",
    "It's the [295x](ratio)-wide gap.",
    "A [80 GB](mem) card, with [8](f)-way groups.",
    "It draws [700 W](pow): more than the rest, [8](f) times that of it.",
    "It is [8](f) x [8](f) = [64](fig:q.ai?p&a=512).",
    "So [8](f) < [295](ratio).",
    "So [8](f) is less than [295](ratio).",
    "So [295x](ratio) ≈ [295.4x](ratio).",
    "From [8](f) to [295](ratio) and between [8](f) and [295](ratio).",
    "In [2024](lit:year) to [2025](lit:year) it drew [700 W](pow).",
    "We use [8](f) of [80 GB](mem).",
    "At [80 GB](mem) per GPU.",
    "The gain is [half](half).",
    "It was cut [in half](lit:name).",
    "[Twice](fig:q.ai?p&a=16) the size.",
    "[A factor of two](fig:q.ai?p&a=16) more.",
    "[two-fold](fig:q.ai?p&a=16) more.",
    "It is [more than double](fig:q.ai?p&a=20).",
)
"""What stands around the link changes nothing, or is right."""


@pytest.fixture
def loaded(base: TinyBase) -> LoadedBase:
    """The neutral base with numbers to quote."""
    return load(base.folder)


def test_a_wrong_quantity_is_found_wherever_its_parts_stand(loaded: LoadedBase) -> None:
    silent = [text for text, found in zip(FOUND, findings(FOUND, loaded), strict=True) if not found]
    assert silent == []


def test_a_right_one_is_left_alone(loaded: LoadedBase) -> None:
    flagged = {text: told(found) for text, found in zip(CLEAN, findings(CLEAN, loaded), strict=True) if found}
    assert flagged == {}


DOORS = (
    "It is [$3\\times10^{4}$](g).",
    "It is [$3\\,001$](g).",
    "It is [$\\frac{9}{1}$](f).",
    "It draws [700 kilowatts](pow).",
    "The rate: 12 Gbps x 384-bit = 577 GB/s.",
    "The rate: `12 Gbps x 384-bit = 4608 GB/s`.",
    "It holds `7B * 2 bytes = 14 GiB`.",
    "[FACT](FACT:gpu.memory_capacity).",
    "[80 GB](FACT:gpu.memory_capacity).",
    "[80 GB](facts:gpu.memory_capacity).",
    "[80 GB](Fact:gpu.memory_capacity).",
    "[8](figure:q.f).",
    "[8](figs:q.f).",
    "<!-- flopkb: evry number is linked --> text",
    "<!-- flopkp: every number is linked --> text",
    "<!-- FLOPKB every number is linked --> text",
    "![300x more](x.png)",
    '![a](x.png "300x more")',
    '<img src="x.png" alt="300x more">',
    '<span title="300x more">text</span>',
    "[300 GB/s](lit:name) is it.",
    "[296x](lit:example) is it, not [295x](ratio).",
    "[81 GB](lit:example) is it, not [80 GB](mem).",
    "[1999 ms](lit:year).",
    "[3 GB](lit:version).",
    "[2.5 GB/s](lit:coefficient).",
    "The rate: `384 bytes × 12 Gbit/s = 576 GB/s`.",
)
"""Other doors: mathematics, code, schemes, comments, attributes, literals."""
SHUT = (
    "It is [½](half) of it.",
    "It is [1/2](half) of it.",
    "It is [a half](half).",
    "It holds [80 gigabytes](mem).",
    "It holds [80 Gigabytes](mem).",
    "It holds [80 GBytes](mem).",
    "It holds [80 Gbytes](mem).",
    "It is [50%](half), [50 per cent](half), [50 percent](half).",
    "It is [$\\frac{8}{1}$](f).",
    "It is [$\\frac{1}{2}$](half).",
    "It holds [$8\\times10^{10}\\,\\mathrm{B}$](mem).",
    "It is [$3\\,000$](g).",
    "It is [$3{,}000$](g).",
    "It is [$3\\times10^{3}$](g).",
    "It is [three thousand](g).",
    "It is [3 thousand](g).",
    "It is [a thousand times three](lit:name).",
    "It is [three-thousandfold](g).",
    "It draws [700 watts](pow), [0.7 kilowatts](pow), [0.7 Kilowatts](pow), [700 Watts](pow).",
    "It draws [seven hundred watts](pow).",
    "The rate: `12 Gbps x 384-bit = 576 GB/s`.",
    "It holds `7B * 2 bytes = 14 GB`.",
    "See [this](mailto:a@b.c), [that](https://a.b/fig) and [one](file:x.md), [two](other.md).",
    "<!-- flopkb: every number is linked --> text",
    "<!-- flopkb uses this comment style in a sentence of prose --> text",
    "[4090](lit:name) is it.",
    "[2 GB](lit:example) is it, not [295x](ratio).",
    "[0.5](lit:coefficient) of it, and [16](lit:example).",
    "The rate: `384 bit × 12 Gbit/s = 576 GB/s`.",
)
"""Their near misses."""


def test_no_free_pass(loaded: LoadedBase) -> None:
    silent = [text for text, found in zip(DOORS, findings(DOORS, loaded), strict=True) if not found]
    assert silent == []


def test_what_only_looks_like_a_door(loaded: LoadedBase) -> None:
    flagged = {text: told(found) for text, found in zip(SHUT, findings(SHUT, loaded), strict=True) if found}
    assert flagged == {}
