"""``flopkb plot``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from flopkb.base.writing import write_all
from flopkb.commands import RECORDS, Outcome, UsageFault, answered, completing, open_for_values, unread


@click.command("plot")
@click.argument("kind", metavar="KIND|FORMULA", shell_complete=completing("formulas"))
@click.argument("inputs", nargs=-1, metavar="[x=NAME] [NAME=VALUE]...", shell_complete=completing("inputs"))
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), metavar="FILE", help="An .svg, .png or .pdf."
)
@click.option("--format", "form", type=click.Choice(["svg", "png", "pdf"]), help="By default that of FILE's ending.")
@click.option(
    "--data", type=click.Path(path_type=Path), metavar="FILE", help="Also write the values behind the plot, as CSV."
)
@click.option("--part", "parts", multiple=True, metavar="ID", help="An accelerator (repeat for several).")
@click.option("--precision", "precisions", multiple=True, metavar="ID", help="A number format of the arithmetic.")
@click.option("--model", "models", multiple=True, metavar="ID", help="A model.")
@click.option("--kv-dtype", metavar="ID", help="Number format of the KV cache.")
@click.option("--weight-dtype", metavar="ID", help="Number format of the weights.")
@click.option("--batch", "batches", multiple=True, metavar="N", help="A batch size (intensity: up to N).")
@click.option(
    "--context", "contexts", multiple=True, metavar="N", help="A context length (kv-cache, step-time: up to N)."
)
@click.option("--at", "at", multiple=True, metavar="[LABEL=]TARGET", help="roofline: a workload class with its inputs.")
@click.option("--title", metavar="TEXT", help="The title of the caption.")
@RECORDS
@answered
def command(
    kind: str,
    inputs: tuple[str, ...],
    output: Path,
    form: str | None,
    data: Path | None,
    records: Path | None,
    **options: Any,
) -> Outcome:
    """Plot any formula over any of its inputs, or one of four views of the base.

    A formula takes inputs as eval does, and the name of one that it is drawn over: decode_step.rate x=B h100
    model=llama_3_8b L=8k. B=1..256 gives the ends of the axis, model=llama_3_8b,gemma_3_27b a curve for each. A curve ends
    where the formula does not apply, and says why.

    The views are roofline, intensity, kv-cache and step-time. On a roofline a workload class is named as in a link, with
    its operating point: --at "one sequence=decode_gemm.intensity?bf16&m=4096&n=4096&b=1"
    """
    from flopkb.publishing import plot

    options = of_formula(inputs, options) if "." in kind else of_view(kind, inputs, options)
    form = form or output.suffix.lower().removeprefix(".")
    if form not in plot.FORMATS:
        raise UsageFault(f"the format of {output} is not clear from its ending (.svg, .png or .pdf); say --format")
    base = open_for_values(records)
    try:
        chart = plot.make(kind, base, {name: value for name, value in options.items() if value})
    except plot.PlotFault as fault:
        raise UsageFault(str(fault)) from fault
    files: dict[Path, bytes] = {}
    if data is not None:
        files[data] = plot.csv_text(chart).encode("utf-8")
    files[output] = plot.drawn(chart, form, chart.kind, plot.Look(caption=True))
    write_all(files)
    return Outcome("".join(f"wrote {file}\n" for file in files) + f"{chart.caption}\n", error=unread(base))


def of_formula(inputs: tuple[str, ...], options: dict[str, Any]) -> dict[str, Any]:
    """The inputs of a formula, points under ``at``; the options of the views are refused."""
    dropped = [name for name, value in options.items() if value and name != "title"]
    if dropped:
        name = _OPTIONS.get(dropped[0], dropped[0].replace("_", "-"))
        raise UsageFault(f"--{name} is an option of the views; a formula takes inputs, as accelerator=h100 or B=1..256")
    pairs = [text.partition("=") for text in inputs]
    found: dict[str, Any] = {"title": options["title"]}
    for name, equals, value in pairs:
        if equals and name in found:
            raise UsageFault(f"{name} is given twice; several values stand in one, as {name}=1,2,4")
        found[name if equals else "at"] = value if equals else ",".join(p for p, e, _ in pairs if not e)
    return found


_OPTIONS = {"parts": "part", "precisions": "precision", "models": "model", "batches": "batch", "contexts": "context"}
"""Options as they are typed that have another name inside."""


def of_view(kind: str, inputs: tuple[str, ...], options: dict[str, Any]) -> dict[str, Any]:
    """The options of a view, which takes no inputs."""
    if inputs:
        raise UsageFault(
            f"{kind} takes options, not {inputs[0]}; to plot a formula name it first, as decode_step.rate x=B"
        )
    return {**options, "at": labelled(options["at"])}


def labelled(texts: tuple[str, ...]) -> list[tuple[str, str]]:
    """``LABEL=TARGET`` pairs; a target alone labels itself. The first ``=`` counts if it comes before any ``?``."""
    found: list[tuple[str, str]] = []
    for text in texts:
        label, equals, target = text.partition("=")
        if equals and "?" not in label and "." in target:
            found.append((label.strip(), target.strip()))
        else:
            found.append((text.partition("?")[0], text))
    return found
