"""``flopkb render``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.base.loading import shown_path
from flopkb.base.writing import write_all
from flopkb.checking.text_report import TextStyle, counted, finding_lines
from flopkb.commands import RECORDS, Outcome, UsageFault, answered, needs, open_base, style, unread

LARGEST = 1 << 22


@click.command("render")
@click.argument("template", type=click.Path(path_type=Path), metavar="TEMPLATE")
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), metavar="FILE", help="The file to write."
)
@click.option(
    "--format", "form", type=click.Choice(["html", "markdown", "latex"]), help="By default that of FILE's ending."
)
@click.option(
    "--check", "only_check", is_flag=True, help="Only say whether FILE is current; write nothing, exit 1 if not."
)
@RECORDS
@answered
def command(template: Path, output: Path, form: str | None, records: Path | None, only_check: bool) -> Outcome:
    """Render a document in Markdown with the base at hand to HTML, Markdown or LaTeX.

    Nothing is written unless every figure, citation and cross-reference is right and no number is typed.
    docs/writing_documents.md tells how templates are written.

    Exit code: 0 written, 1 faults in the template, 2 usage, or a file that could not be written.
    """
    from flopkb.publishing.render.rendering import FORMATS, render

    form = form or format_of(output, FORMATS)
    source = template_text(template)
    needs("jinja2")
    base = open_base(records)
    result = render(source, shown_path(template, Path.cwd()), base)
    if result.document is None:
        return Outcome(report(result.diagnostics, source, style()), 1, unread(base))
    from flopkb.publishing.render.rendering import files_of

    files = files_of(result.document, output, form)
    if only_check:
        return compared(files[output].decode("utf-8"), output, form, unread(base))
    return written(files, unread(base))


def report(faults: Sequence[Diagnostic], source: str, style: TextStyle) -> str:
    """The faults with their lines, and a sum."""
    lines = [line for fault in faults for line in finding_lines(fault, lambda _: source, style)]
    return "\n".join([*lines, "", f"{counted(len(faults), 'fault')}, nothing written"]) + "\n"


def written(files: Mapping[Path, bytes], warning: str) -> Outcome:
    """Write the files."""
    write_all(files)
    return Outcome("".join(f"wrote {file}\n" for file in files), error=warning)


def compared(now: str, output: Path, form: str, warning: str) -> Outcome:
    """Whether the file that is there says the same."""
    from flopkb.publishing.render.rendering import difference

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
