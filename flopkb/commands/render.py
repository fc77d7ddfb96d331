"""``flopkb render``."""

from __future__ import annotations

from pathlib import Path

from flopkb.commands import Outcome, UsageFault
from flopkb.commands.asking import open_base, unread
from flopkb.loading import shown_path
from flopkb.report.text import Style, counted, finding_lines

LARGEST = 1 << 22


def render_command(template: Path, output: Path, form: str | None, records: Path | None, style: Style = Style()) -> Outcome:
    """Render a template; nothing is written unless the whole document is right."""
    from flopkb.render import FORMATS, render
    from flopkb.render.faults import TemplateFault
    from flopkb.render.output import WriteFault, write_all
    from flopkb.render.rendering import diagnosed

    chosen = form or format_of(output, FORMATS)
    source = template_text(template)
    base = open_base(records)
    path = shown_path(template, Path.cwd())
    result = render(source, path, base)
    faults = list(result.diagnostics)
    files: dict[Path, bytes] = {}
    if result.document is not None:
        from flopkb.render.writers import files_of

        try:
            files = files_of(result.document, output, chosen)
        except TemplateFault as fault:
            faults.append(diagnosed(fault, source, path))
    if faults:
        lines = [line for fault in faults for line in finding_lines(fault, lambda _: source, style)]
        told = f"{counted(len(faults), 'fault')}, nothing written"
        return Outcome("\n".join([*lines, "", told]) + "\n", 1, unread(base))
    try:
        write_all(files)
    except WriteFault as fault:
        raise UsageFault(str(fault)) from fault
    return Outcome("".join(f"wrote {file}\n" for file in files), error=unread(base))


def format_of(output: Path, formats: dict[str, tuple[str, ...]]) -> str:
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
        reason = "does not exist" if isinstance(error, FileNotFoundError) else f"cannot be read ({(error.strerror or '').lower()})"
        raise UsageFault(f"{template} {reason}") from error
