"""``flopkb plot``."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from flopkb.commands import Outcome, UsageFault
from flopkb.commands.asking import open_base, unread


@dataclass(frozen=True, slots=True)
class PlotOptions:
    """What the command line asks of ``plot``."""

    kind: str
    output: Path
    data: Path | None = None
    records: Path | None = None
    form: str | None = None
    options: dict[str, object] = field(default_factory=dict)


def plot_command(asked: PlotOptions) -> Outcome:
    """Draw a plot, with its data if asked for; say what it shows."""
    from flopkb.publishing import plot
    from flopkb.publishing.render.output import WriteFault, write_all

    form = asked.form or asked.output.suffix.lower().removeprefix(".")
    if form not in plot.FORMATS:
        raise UsageFault(
            f"the format of {asked.output} is not clear from its ending (.svg, .png or .pdf); say --format"
        )
    base = open_base(asked.records)
    try:
        chart = plot.make(asked.kind, base, {name: value for name, value in asked.options.items() if value})
    except plot.PlotFault as fault:
        raise UsageFault(str(fault)) from fault
    files: dict[Path, bytes] = {}
    if asked.data is not None:
        files[asked.data] = plot.csv_text(chart).encode("utf-8")
    files[asked.output] = plot.drawn(chart, form, chart.kind, plot.Look(caption=True))
    try:
        write_all(files)
    except WriteFault as fault:
        raise UsageFault(str(fault)) from fault
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
