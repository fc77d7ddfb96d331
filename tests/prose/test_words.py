"""Multiplying words: found where they multiply, and not where they mean something else."""

from __future__ import annotations

import pytest

from flopkb.arithmetic.prose import BareKind

from .marked import assert_bare


@pytest.mark.parametrize(
    "text",
    [
        "int8 moves «half» the bytes",
        "«Half» of the traffic is gone",
        "it takes about «half» as long; by «half», in «half», one «half».",
        "cut in «half» by paging",
        "«Twice» the bandwidth, «twice» as fast, is «twice» larger, about «twice» its size",
        "at «twice» [295](fig:a) or «twice» `n`",
        "int8 «doubles» the intensity and «halves» the bytes",
        "bytes «halve» and AI «doubles».",
        "«halving» to less, «halved» again, «doubling» the batch, «doubled»",
        "would «double» bandwidth, «double» the pool, more than «double»",
        "«triple» the cost, «tripled», «triples» the cost, «quadrupling», «quadruples» it",
        "«a third» of the bytes, by «a third», «one third» less, «two thirds» of it, «two-thirds»",
        "«a quarter» the size, «three quarters» of it, «a tenth» as much, «an eighth» of it",
        "int4 «quarters» the bytes and may «quarter» the time",
        "a «threefold» gain, a «ten-fold» one, grows «tenfold»",
        "«an order of magnitude» slower, «two orders of magnitude», nearly «an order-of-magnitude» gain",
        "«three times» as fast, «ten times» the bytes, «four times» larger",
        "**«half»** the bytes",
        "| «half» the bytes |\n|---|",
    ],
)
def test_they_multiply(text: str) -> None:
    assert {number.kind for number in assert_bare(text).bare} == {BareKind.WORD}


@pytest.mark.parametrize(
    "text",
    [
        "both halves, the two halves, into halves, halves of it",
        "half precision, half-precision, in half precision, at half precision, a half float",
        "the first half, the other half of it, each half, the latter half, KIVI's half of the story",
        "halfway, half-open, half-duplex, half-life, rounds half up, half a dozen, behalf",
        "a third party, a third-party engine, a third option, the third, third, thirdly, one third party",
        "second, a second, seconds",
        "double precision, double-precision, to double precision, double-check, should double check",
        "double buffering, is double buffered, double-buffered, double quotes, a double, double counting, Double DQN",
        "in doubles, of doubles, as doubles, IEEE 754 doubles, floats and doubles".replace("754 ", ""),
        "serves a double role, doubles as a cache, may double as one",
        "recursive doubling, recursive halving-doubling, successive halving",
        "the first quarter, in the third quarter, last quarter, two quarters, headquarters, a quarter",
        "is twofold: one and two; a twofold purpose, five-fold cross-validation",
        "read twice, counted twice, twice a day, roughly twice per year, once or twice",
        "three times, many times, times the batch, at times",
        "the order of magnitude, orders of magnitude, the same order of magnitude, an order of magnitude estimate",
        "RDF triples, a triple, triple quotes",
        "on the one hand, one of them, in one go, two, ten, once",
        "`half` the bytes, [half](fig:a) the bytes, ```twice``` the bytes",
        "<!-- twice the bytes -->",
        "halfword, doubletree, twicefold",
    ],
)
def test_they_do_not(text: str) -> None:
    assert_bare(text)
