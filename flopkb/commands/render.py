"""``flopkb render``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.base.loading import shown_path
from flopkb.checking.report.text import Style, counted, finding_lines
from flopkb.commands import Outcome, UsageFault
from flopkb.commands.asking import open_base, unread

LARGEST = 1 << 22


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """What the command line asks of ``render``; with ``only_check`` nothing is written."""

    template: Path
    output: Path
    form: str | None = None
    records: Path | None = None
    only_check: bool = False
    style: Style = field(default_factory=Style)


def render_command(asked: RenderOptions) -> Outcome:
    """Render a template; nothing is written unless the whole document is right."""
    from flopkb.publishing.render import FORMATS, render

    form = asked.form or format_of(asked.output, FORMATS)
    source = template_text(asked.template)
    base = open_base(asked.records)
    result = render(source, shown_path(asked.template, Path.cwd()), base)
    if result.document is None:
        return Outcome(report(result.diagnostics, source, asked.style), 1, unread(base))
    from flopkb.publishing.render.writers import files_of

    files = files_of(result.document, asked.output, form)
    if asked.only_check:
        return compared(files[asked.output].decode("utf-8"), asked.output, form, unread(base))
    return written(files, unread(base))


def report(faults: Sequence[Diagnostic], source: str, style: Style) -> str:
    """The faults with their lines, and a sum."""
    lines = [line for fault in faults for line in finding_lines(fault, lambda _: source, style)]
    return "\n".join([*lines, "", f"{counted(len(faults), 'fault')}, nothing written"]) + "\n"


def written(files: Mapping[Path, bytes], warning: str) -> Outcome:
    """Write the files."""
    from flopkb.publishing.render.output import WriteFault, write_all

    try:
        write_all(files)
    except WriteFault as fault:
        raise UsageFault(str(fault)) from fault
    return Outcome("".join(f"wrote {file}\n" for file in files), error=warning)


def compared(now: str, output: Path, form: str, warning: str) -> Outcome:
    """Whether the file that is there says the same."""
    from flopkb.publishing.render.meaning import difference

    found = difference(template_text(output), now, form)
    if found:
        return Outcome(f"{output} is stale: {found}\n", 1, warning)
    return Outcome(f"{output} is current\n", error=warning)


def format_of(output: Path, formats: Mapping[str, tuple[str, ...]]) -> str:
    """The format that the ending of a file means."""
    for name, endings in formats.items():
        if output.suffix.lower() in endings:
            return name
    known = ", ".join(ending for endings in formats.values() for ending in endings[:1])
    raise UsageFault(f"the format of {output} is not clear from its ending ({known}); say --format")


def template_text(template: Path) -> str:
    """The template, or why it cannot be read."""
    try:
        if template.stat().st_size > LARGEST:
            raise UsageFault(f"{template} is over 4 MiB: split the document")
        return template.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageFault(f"{template} is not UTF-8 (byte {error.start}): save it as UTF-8") from error
    except OSError as error:
        unread = f"cannot be read ({(error.strerror or '').lower()})"
        reason = "does not exist" if isinstance(error, FileNotFoundError) else unread
        raise UsageFault(f"{template} {reason}") from error
