"""Files on the disk: what is read, what is passed over, what is reported."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.base.document import Document
from flopkb.base.loading import LARGEST, load_base, load_file


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def reported(found: tuple[Diagnostic, ...] | list[Diagnostic]) -> list[str]:
    return [f"{d.location}: {d.rule}: {d.message}" for d in found]


def refused(root: Path, content: bytes) -> list[str]:
    result = load_file(write(root, {"a.yaml": content}) / "a.yaml", "a.yaml")
    assert isinstance(result, list)
    return reported(result)


def test_all_records_in_the_order_of_their_paths(tmp_path: Path) -> None:
    write(tmp_path, {"records/b/z.yaml": "id: z", "records/b/a.yaml": "id: a", "records/a/m.yaml": "id: m"})
    base = load_base(tmp_path / "records", tmp_path)
    assert [d.path for d in base.documents] == ["records/a/m.yaml", "records/b/a.yaml", "records/b/z.yaml"]
    assert (base.diagnostics, base.broken) == ((), frozenset())


def test_paths_are_shown_from_the_current_folder(tmp_path: Path) -> None:
    write(tmp_path, {"records/a.yaml": "id: a", "elsewhere/x": ""})
    assert load_base(tmp_path / "records", tmp_path / "elsewhere").documents[0].path == "../records/a.yaml"


def test_a_faulty_file_does_not_hide_the_others(tmp_path: Path) -> None:
    write(tmp_path, {"a.yaml": "id: a", "b.yaml": "id: [", "c.yaml": b"id: \xff", "d.yaml": "id: d"})
    base = load_base(tmp_path, tmp_path)
    assert [d.path for d in base.documents] == ["a.yaml", "d.yaml"]
    assert reported(base.diagnostics) == [
        "b.yaml:1:6: yaml: the file ends in the middle of a list or mapping: close its brackets",
        "c.yaml:1:5: file: byte 0xff is not UTF-8: save the file as UTF-8",
    ]
    assert base.broken == {"b", "c"}


def test_strays_are_reported_and_editors_files_are_not(tmp_path: Path) -> None:
    names = [
        "a.yml",
        "b.json",
        "README.md",
        "c.YAML",
        ".hidden",
        ".a.yaml.swp",
        "a.yaml~",
        "#a.yaml#",
        "d.bak",
        ".git/x.yaml",
    ]
    base = load_base(write(tmp_path, dict.fromkeys(names, "id: a")), tmp_path)
    move = "only records (`.yaml`) belong here: move this file out of the base"
    assert reported(base.diagnostics) == [
        f"README.md:1:1: file: {move}",
        "a.yml:1:1: file: records end in `.yaml`: rename this file to `a.yaml`",
        f"b.json:1:1: file: {move}",
        "c.YAML:1:1: file: records end in `.yaml`: rename this file to `c.yaml`",
    ]
    assert base.documents == ()


def test_folders_and_links_that_look_like_records(tmp_path: Path) -> None:
    write(tmp_path, {"records/folder.yaml/a.yaml": "id: a", "other/b.yaml": "id: b"})
    (tmp_path / "records/broken.yaml").symlink_to(tmp_path / "nowhere")
    (tmp_path / "records/more").symlink_to(tmp_path / "other")
    (tmp_path / "records/fine.yaml").symlink_to(tmp_path / "other/b.yaml")
    base = load_base(tmp_path / "records", tmp_path)
    assert reported(base.diagnostics) == [
        "records/broken.yaml:1:1: file: a link that leads nowhere: remove it, or restore the file it points to",
        "records/folder.yaml:1:1: file: a folder or a device with the name of a record: rename it",
        "records/more:1:1: file: links to folders are not followed: move the records here",
    ]
    assert [d.path for d in base.documents] == ["records/fine.yaml"]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.yaml")
    message = "file: a folder or a device with the name of a record: rename it"
    assert reported(load_base(tmp_path, tmp_path).diagnostics) == [f"a.yaml:1:1: {message}"]


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    write(tmp_path, {"a.yaml": "id: a"})
    monkeypatch.setattr(Path, "read_bytes", forbidden)  # taking the permission away would not stop the superuser
    message = "file: the file cannot be read (permission denied): check its permissions"
    assert reported(load_base(tmp_path, tmp_path).diagnostics) == [f"a.yaml:1:1: {message}"]


def test_a_base_that_is_not_there_is_no_empty_base(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_base(tmp_path / "records", tmp_path)


def test_one_mebibyte_is_read_and_one_byte_more_is_not(tmp_path: Path) -> None:
    head = b"id: a\n#"
    assert isinstance(
        load_file(write(tmp_path, {"a.yaml": head + b"x" * (LARGEST - len(head))}) / "a.yaml", "a"), Document
    )
    message = "a.yaml:1:1: file: the file is over 1 MiB: split the record, or move data out of it"
    assert refused(tmp_path, head + b"x" * (LARGEST - len(head) + 1)) == [message]


class TestEncoding:
    def test_the_first_bad_byte_is_shown_in_characters(self, tmp_path: Path) -> None:
        content = "\ufeffid: a\nname: Zoë ".encode() + b"\xe9\n"
        assert refused(tmp_path, content) == ["a.yaml:2:11: file: byte 0xe9 is not UTF-8: save the file as UTF-8"]

    @pytest.mark.parametrize("codec", ["utf-16", "utf-16-le"])
    def test_utf_16(self, tmp_path: Path, codec: str) -> None:
        content = "id: a\n".encode(codec)
        expected = {
            "utf-16": "file: the file is UTF-16: save it as UTF-8",
            "utf-16-le": "yaml: a NUL character: this is not a text file, or it is damaged",
        }
        assert [line.split(": ", 1)[1] for line in refused(tmp_path, content)] == [expected[codec]]

    def test_an_encoded_surrogate(self, tmp_path: Path) -> None:
        assert refused(tmp_path, b"id: \xed\xa0\x80\n")[0].startswith("a.yaml:1:5: file: byte 0xed is not UTF-8")

    def test_a_byte_order_mark_is_no_part_of_the_first_key(self, tmp_path: Path) -> None:
        document = load_file(write(tmp_path, {"a.yaml": "\ufeffid: a\n"}) / "a.yaml", "a.yaml")
        assert isinstance(document, Document)
        assert str(document.root.entries[0][0].location) == "a.yaml:1:1"
        assert document.source.startswith("\ufeff")  # the whole text stays, for those who write it back
