"""Run as a process of its own: commands, one after the other, while Python reports what they ask of the system.

Standard input is a JSON list of commands; standard output a JSON list, for each its exit code and what it did that is
noted: a socket, another program, code, a file opened for writing. Sockets are refused besides.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys

NOTED = (
    "socket.",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "subprocess.Popen",
    "pty.spawn",
    "webbrowser.",
    "urllib.Request",
)
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
done: list[str] = []


def watch(event: str, arguments: tuple[object, ...]) -> None:
    """Note what is asked for."""
    if event.startswith(NOTED):
        done.append(f"{event} {arguments[:2]!r}")
        if event.startswith("socket."):
            raise PermissionError("sockets are forbidden here")
    elif (event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITES) or event in (
        "os.rename",
        "os.remove",
        "os.mkdir",
    ):
        done.append(
            f"write {os.path.realpath(os.fsdecode(arguments[0]))}" if isinstance(arguments[0], str | bytes) else ""
        )


def main() -> None:
    """Run the commands; every import that they share is made before."""
    from flopkb.commands.main import main as command

    sys.addaudithook(watch)
    told = []
    for arguments in json.load(sys.stdin):
        done.clear()
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                command(arguments)
                code: object = 0
            except SystemExit as ended:
                code = ended.code
            out.flush()
        text = out.buffer.getvalue().decode("utf-8", "replace") if isinstance(out.buffer, io.BytesIO) else ""
        told.append([arguments, code, [each for each in done if each], text[-300:]])
    print(json.dumps(told))


main()
