"""``flopkb plot``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from flopkb.base.writing import write_all
from flopkb.commands import RECORDS, Outcome, UsageFault, answered, open_base, unread


@click.command("plot")
@click.argument("kind", metavar="KIND")
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
    kind: str, output: Path, form: str | None, data: Path | None, records: Path | None, **options: Any
) -> Outcome:
    """Plot the base: KIND is roofline, intensity, kv-cache or step-time.

    A workload class is named as in a link, with its operating point:
    --at "one sequence=decode_gemm.intensity?bf16&m=4096&n=4096&b=1"
    """
    from flopkb.publishing import plot

    options["at"] = labelled(options["at"])
    form = form or output.suffix.lower().removeprefix(".")
    if form not in plot.FORMATS:
        raise UsageFault(f"the format of {output} is not clear from its ending (.svg, .png or .pdf); say --format")
    base = open_base(records)
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
