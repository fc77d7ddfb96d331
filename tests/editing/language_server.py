"""The YAML language server, spoken to as an editor does: JSON-RPC over its standard input and output."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import Any

from conftest import REPOSITORY

SERVER = REPOSITORY / ".editors" / "node_modules" / "yaml-language-server" / "bin" / "yaml-language-server"
"""Where ``make editors`` puts it."""

SETTINGS = {"yaml": {"schemaStore": {"enable": False}, "validate": True, "hover": True, "completion": True}}
"""Those of an editor that looks nothing up on the network."""

PATIENCE = 60
"""Seconds to wait for an answer."""


def missing() -> str:
    """Why there is no server to test with, or nothing."""
    if shutil.which("node") is None:
        return "node is not installed: the language server cannot run"
    return "" if SERVER.is_file() else "the language server is not installed: run make editors"


class LanguageServer:
    """A running server, and what it has published."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.numbers = itertools.count(1)
        self.answers: Queue[dict[str, Any]] = Queue()
        self.diagnostics: dict[str, Queue[list[dict[str, Any]]]] = {}
        threading.Thread(target=self._listen, daemon=True).start()
        self.ask(
            "initialize",
            processId=os.getpid(),
            rootUri=REPOSITORY.as_uri(),
            capabilities={"workspace": {"configuration": True}, "textDocument": {"hover": {}, "completion": {}}},
        )
        self.tell("initialized")
        self.tell("workspace/didChangeConfiguration", settings=SETTINGS)

    def faults(self, texts: Mapping[Path, str]) -> dict[Path, list[dict[str, Any]]]:
        """What the server reports of files with these texts, all opened at once; the files need not exist."""
        for path, text in texts.items():
            self.open(path, text)
        found = {path: self.diagnostics[path.as_uri()].get(timeout=PATIENCE) for path in texts}
        for path in texts:
            self.close(path)
        return found

    def at(self, question: str, path: Path, line: int, column: int) -> Any:
        """The answer to a question about a place (from 1) in an open file: ``hover``, ``completion``."""
        place = {"line": line - 1, "character": column - 1}
        return self.ask(f"textDocument/{question}", textDocument={"uri": path.as_uri()}, position=place)

    def open(self, path: Path, text: str) -> None:
        """Open a file with a text; its diagnostics arrive later."""
        self.diagnostics[path.as_uri()] = Queue()
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", textDocument=document)

    def close(self, path: Path) -> None:
        """Close a file."""
        self.tell("textDocument/didClose", textDocument={"uri": path.as_uri()})

    def ask(self, method: str, **params: Any) -> Any:
        """A request and its answer."""
        number = next(self.numbers)
        self._send({"id": number, "method": method, "params": params})
        answer = self.answers.get(timeout=PATIENCE)
        assert answer["id"] == number and "error" not in answer, answer
        return answer["result"]

    def tell(self, method: str, **params: Any) -> None:
        """A notification."""
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _listen(self) -> None:
        for message in self._messages():
            if message.get("method") == "textDocument/publishDiagnostics":
                params = message["params"]
                if params["uri"] in self.diagnostics:
                    self.diagnostics[params["uri"]].put(params["diagnostics"])
            elif message.get("method") == "workspace/configuration":
                items = [SETTINGS.get(item.get("section"), {}) for item in message["params"]["items"]]
                self._send({"id": message["id"], "result": items})
            elif "method" in message and "id" in message:
                self._send({"id": message["id"], "result": None})
            elif "id" in message:
                self.answers.put(message)

    def _messages(self) -> Iterator[dict[str, Any]]:
        out = self.process.stdout
        assert out is not None
        while header := out.readline():
            length = int(header.split(b":")[1])
            while out.readline().strip():
                pass
            yield json.loads(out.read(length))


@contextmanager
def running() -> Iterator[LanguageServer]:
    """A server that is stopped at the end."""
    command = ["node", str(SERVER), "--stdio"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        yield LanguageServer(process)
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
