"""``flopkb-scan.yaml``: what a folder asks of its scans, beside what the command line does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from flopkb.base.document import Mapping, plain
from flopkb.base.loading import load_file, shown_path
from flopkb.checking.scanning.ignoring import IgnorePattern, patterns

NAME = "flopkb-scan.yaml"
_KEYS = ("exclude", "strict", "baseline", "comments", "comparisons")


class SettingsFault(Exception):
    """A ``flopkb-scan.yaml`` that cannot be followed; the text says where and what to write."""


@dataclass(frozen=True, slots=True)
class ScanSettings:
    """What the file says; paths in it are relative to its folder."""

    exclude: tuple[IgnorePattern, ...] = ()
    strict: bool = False
    baseline: Path | None = None
    comments: bool = False
    comparisons: bool = False


def settings_above(folder: Path) -> ScanSettings:
    """Those of the nearest ``flopkb-scan.yaml``, upward to the root of the repository; none where there is no such file."""
    for each in (folder, *folder.parents):
        if (each / NAME).is_file():
            return settings_in(each / NAME, folder)
        if (each / ".git").exists():
            break
    return ScanSettings()


def settings_in(file: Path, cwd: Path) -> ScanSettings:
    """Those of one file; raises :class:`SettingsFault`."""
    shown = shown_path(file, cwd)
    document = load_file(file, shown)
    if isinstance(document, list):
        raise SettingsFault("; ".join(f"{found.location}: {found.message}" for found in document))
    values = _plain(document.root)
    for key, _ in document.root.entries:
        if key.text not in _KEYS:
            raise SettingsFault(f"{key.location}: there is no setting {key.text}; write one of {', '.join(_KEYS)}")
    exclude = values.get("exclude", [])
    names = [exclude] if isinstance(exclude, str) else exclude
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise SettingsFault(f"{shown}: exclude takes a list of patterns such as docs/old/")
    baseline = values.get("baseline")
    if baseline is not None and not isinstance(baseline, str):
        raise SettingsFault(f"{shown}: baseline takes the name of a file")
    for name in ("strict", "comments", "comparisons"):
        if not isinstance(values.get(name, False), bool):
            raise SettingsFault(f"{shown}: {name} takes true or false")
    return ScanSettings(
        patterns([str(name) for name in names], file.parent),
        bool(values.get("strict", False)),
        file.parent / baseline if isinstance(baseline, str) else None,
        bool(values.get("comments", False)),
        bool(values.get("comparisons", False)),
    )


def _plain(root: Mapping) -> dict[str, object]:
    found = plain(root)
    assert isinstance(found, dict)
    return found
