"""The plots: what each kind shows of a base.

Formulas are found in the base by name and unit: ``ridge``, ``attainable``, ``weight_intensity``, ``intensity``, ``ai``,
``size`` and ``time``, of which the first that has a value at the inputs is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from flopkb.arithmetic.numbers import readable
from flopkb.arithmetic.units import parse_unit
from flopkb.base.faults import did_you_mean
from flopkb.base.model import Record
from flopkb.checking.api import Base
from flopkb.publishing.plot.chart import (
    Chart,
    Curve,
    LogAxis,
    MarkedPoint,
    PlotFault,
    SeriesRow,
    binary_text,
    bounds,
    curve,
    decades,
    doublings,
    end_marks,
    log_steps,
    three,
)
from flopkb.publishing.plot.formula import over_an_input
from flopkb.publishing.plot.options import Options, short_name
from flopkb.publishing.provenance import base_version

_TERA, _GIGA = Fraction(10) ** 12, Fraction(10) ** 9


def roofline(base: Base, given: Mapping[str, object]) -> Chart:
    """Attainable rate against intensity: a roof for each part and precision, workload classes on the first of them."""
    options = Options.of(base, given, ("parts", "precisions", "at"))
    parts = options.parts()
    precisions = options.precisions()
    roofs = [
        (part, precision, options.value("ridge", "flop/byte", accelerator=part.id, dtype=precision))
        for part in parts
        for precision in precisions
    ]
    asked = [(label, target, options.asked(target)) for label, target in options.pairs("at", options.classes)]
    wanted = [(options.labelled(label, target), value) for label, target, value in asked]
    around = [(ridge / 100, ridge * 5) for *_, ridge in roofs] + [(i / 2, i * 2) for _, i in wanted]
    low, high = bounds([end for ends in around for end in ends])
    curves: list[Curve] = []
    points: list[MarkedPoint] = []
    rows: list[SeriesRow] = []
    for number, (part, precision, ridge) in enumerate(roofs):

        def rate(intensity: Fraction, part: Record = part, precision: str = precision) -> Fraction:
            return options.value("attainable", "flop/s", accelerator=part.id, dtype=precision, I=intensity) / _TERA

        peak = rate(ridge)
        several = len(roofs) > 1
        speed = three(options.fact(part, "memory_bandwidth") / _TERA)
        rates = f": {three(peak)}\u00a0TFLOP/s, {speed}\u00a0TB/s"
        name = f"{short_name(part)} {precision}" + (f", ridge\u00a0{three(ridge)}" if several else rates)
        path = tuple((x, rate(x)) for x in (low, ridge, high))
        curves.append(Curve(name, path, "roof", number, number))
        points.append(MarkedPoint("" if several else f"ridge {three(ridge)} flop/byte", ridge, peak, "ridge", number))
        rows += [SeriesRow(f"roof of {short_name(part)} {precision}", x, y) for x, y in path]
    part, precision, _ = roofs[0]
    for label, intensity in wanted:
        attained = options.value("attainable", "flop/s", accelerator=part.id, dtype=precision, I=intensity) / _TERA
        points.append(
            MarkedPoint(f"{label}: {three(intensity)}", intensity, attained, "work", 1 if len(roofs) == 1 else 6)
        )
        rows.append(SeriesRow(label, intensity, attained))
    bottom, top = bounds([y for curve in curves for _, y in curve.points] + [max(p.y for p in points) * 2])
    ridges = [f"{short_name(p)} {d} at {three(r)} flop/byte" for p, d, r in roofs]
    names = ", ".join(f"{short_name(p)} {d}" for p, d, _ in roofs)
    return Chart(
        "roofline",
        options.title(f"Roofline of {names}, with workload classes at their intensity"),
        f"Roofline plot of {names}. Ridges: {'; '.join(ridges)}. "
        + "; ".join(f"{label} at {three(i)} flop/byte" for label, i in wanted)
        + ".",
        LogAxis("arithmetic intensity (flop/byte)", low, high, decades(low, high)),
        LogAxis("attainable rate (TFLOP/s)", bottom, top, decades(bottom, top)),
        tuple(curves),
        tuple(points),
        ("intensity (flop/byte)", "attainable rate (TFLOP/s)"),
        tuple(rows),
        options.sources,
        options.credits,
    )


def intensity(base: Base, given: Mapping[str, object]) -> Chart:
    """Intensity of the parts of a decode step against the batch; ridges across."""
    options = Options.of(
        base, given, ("parts", "precisions", "models", "contexts", "kv_dtype", "weight_dtype", "batches")
    )
    options.single_of("models", "precisions")
    model, precision = options.models()[0], options.precisions()[0]
    kv, weight = options.format("kv_dtype"), options.format("weight_dtype")
    contexts = options.numbers("contexts", [2048, 32768])
    options.single_of("batches")
    last = max(options.numbers("batches", [1024]))
    batches = steps(1, max(last, 2))
    curves = [
        curve(
            "weights alone",
            batches,
            lambda b: options.value("weight_intensity", "flop/byte", model=model.id, weight_dtype=weight, B=b),
            0,
        )
    ]
    for number, context in enumerate(contexts, 1):

        def step(b: Fraction, context: int = context) -> Fraction:
            return options.value(
                "intensity", "flop/byte", model=model.id, weight_dtype=weight, kv_dtype=kv, B=b, L=context
            )

        curves.append(curve(f"whole step at {binary_text(context)} tokens", batches, step, number))
    flat = options.value("ai", "flop/byte", model=model.id, kv_dtype=kv)
    curves.append(curve("attention over the cache", batches, lambda _: flat, len(curves)))
    for part in options.parts():
        ridge = options.value("ridge", "flop/byte", accelerator=part.id, dtype=precision)
        curves.append(across(f"ridge of {short_name(part)} {precision}: {three(ridge)}", batches, ridge))
    title = f"Arithmetic intensity of a decode step of {model.name} against the batch"
    title += f" ({weight} weights, {kv} cache)"
    return finished("intensity", options, title, "B: batch (sequences)", "arithmetic intensity (flop/byte)", curves, 2)


def kv_cache(base: Base, given: Mapping[str, object]) -> Chart:
    """Size of the KV cache against the context; capacities across."""
    options = Options.of(base, given, ("parts", "models", "contexts", "kv_dtype", "batches"))
    kv, batches = options.format("kv_dtype"), options.numbers("batches", [1])
    models = options.models(lambda: options.having("size", "byte", kv_dtype=kv, L=1, B=1))
    options.single_of("contexts")
    contexts = steps(1024, max(options.numbers("contexts", [1 << 20])))
    curves: list[Curve] = []
    for model in models:
        for batch in batches:

            def size(tokens: Fraction, model: Record = model, batch: int = batch) -> Fraction:
                return options.value("size", "byte", model=model.id, kv_dtype=kv, L=tokens, B=batch) / _GIGA

            name = model.name + (f", batch of {batch}" if len(batches) > 1 or batch > 1 else "")
            curves.append(curve(name, contexts, size, len(curves)))
    for part in options.parts(lambda: options.apart("memory_capacity")):
        capacity = options.fact(part, "memory_capacity")
        curves.append(
            across(f"{short_name(part)}: {readable(capacity, parse_unit('byte'))}", contexts, capacity / _GIGA)
        )
    title = f"Size of the KV cache against the context ({kv}), with memory capacities"
    return finished("kv-cache", options, title, "L: context (tokens)", "KV cache (GB)", curves, 2)


def step_time(base: Base, given: Mapping[str, object]) -> Chart:
    """Least time of a decode step against the context, for several batches and parts."""
    options = Options.of(
        base, given, ("parts", "precisions", "models", "contexts", "kv_dtype", "weight_dtype", "batches")
    )
    options.single_of("models", "precisions")
    model, precision = options.models()[0], options.precisions()[0]
    kv, weight = options.format("kv_dtype"), options.format("weight_dtype")
    options.single_of("contexts")
    contexts = steps(1024, max(options.numbers("contexts", [131072])))
    parts, batches = options.parts(), options.numbers("batches", [1, 8, 32])
    curves: list[Curve] = []
    for part in parts:
        for batch in batches:

            def time(tokens: Fraction, part: Record = part, batch: int = batch) -> Fraction:
                inputs = {
                    "accelerator": part.id,
                    "dtype": precision,
                    "model": model.id,
                    "kv_dtype": kv,
                    "weight_dtype": weight,
                }
                return options.value("time", "s", **inputs, L=tokens, B=batch) * 1000

            name = f"batch of {batch}" if batch > 1 else "one sequence"
            curves.append(curve(f"{short_name(part)}, {name}" if len(parts) > 1 else name, contexts, time, len(curves)))
    on = short_name(parts[0]) if len(parts) == 1 else "several parts"
    title = f"Least time of a decode step of {model.name} on {on} ({weight} weights, {kv} cache)"
    return finished("step-time", options, title, "L: context (tokens)", "time of a step (ms)", curves, 1)


def steps(low: int, high: int) -> list[Fraction]:
    """Whole numbers, eight to a doubling: as many as a curve needs to look smooth."""
    return [Fraction(each) for each in log_steps(low, high, 8)]


def across(name: str, xs: list[Fraction], y: Fraction) -> Curve:
    """A line across at ``y``."""
    return Curve(name, ((xs[0], y), (xs[-1], y)), "limit")


def finished(kind: str, options: Options, title: str, x: str, y: str, curves: list[Curve], step: int) -> Chart:
    """A chart over powers of two."""
    bare = [c for c in curves if not c.points]
    missing = tuple(f"{c.name} ({c.stops})" for c in bare)
    curves = [c for c in curves if c.points]
    if not any(c.role == "curve" for c in curves):
        raise PlotFault(bare[0].ends)
    low, high = min(c.points[0][0] for c in curves), max(point[0] for c in curves for point in c.points)
    bottom, top = bounds([value for c in curves for _, value in c.points])
    rows = tuple(SeriesRow(c.name, *point) for c in curves for point in c.points)
    ends = "; ".join(
        f"{c.name}: {three(c.points[0][1])} to {three(c.points[-1][1])}" + (f" ({c.ends})" if c.ends else "")
        for c in curves
        if c.role == "curve"
    )
    return Chart(
        kind,
        options.title(title),
        f"{title}. {y}: {ends}." + "".join(f" Not drawn: {each}." for each in missing),
        LogAxis(x, low, high, doublings(int(low), int(high), step)),
        LogAxis(y, bottom, top, decades(bottom, top)),
        tuple(curves),
        end_marks(c for c in curves if c.role == "curve"),
        (x, y),
        rows,
        options.sources,
        options.credits,
        missing=missing,
    )


KINDS: Mapping[str, Callable[[Base, Mapping[str, object]], Chart]] = {
    "roofline": roofline,
    "intensity": intensity,
    "kv-cache": kv_cache,
    "step-time": step_time,
}


def make(kind: object, base: Base, given: Mapping[str, object]) -> Chart:
    """The chart of a kind (a key of ``KINDS``), or of a formula over an input; :class:`PlotFault` says what to do."""
    if isinstance(kind, str) and "." in kind:
        return replace(over_an_input(kind, base, given), version=str(base_version(base)))
    if not isinstance(kind, str) or kind not in KINDS:
        shown = kind if isinstance(kind, str) else "this"
        raise PlotFault(
            f"there is no plot {shown[:40]}{did_you_mean(shown, KINDS)}; the plots are {', '.join(KINDS)}, "
            "or a formula over an input: decode_step.time x=B"
        )
    return replace(KINDS[kind](base, given), version=str(base_version(base)))
