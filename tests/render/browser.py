"""Headless Chromium for tests, spoken to through ChromeDriver's plain HTTP protocol (no package is needed for it)."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DRIVER, CHROMIUM = shutil.which("chromedriver"), shutil.which("chromium") or shutil.which("google-chrome")
# The background services of a browser ask for hosts of their own; the pages under test must be all that asks.
_FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions", "--hide-scrollbars",
    "--disable-dev-shm-usage",
)  # fmt: skip


@dataclass
class Browser:
    """One browser session."""

    address: str
    session: str

    def call(self, path: str, body: dict[str, Any] | None = None, method: str = "POST") -> Any:
        """A WebDriver command."""
        return request(f"{self.address}/session/{self.session}{path}", body if method == "POST" else None, method)

    def cdp(self, command: str, **parameters: Any) -> Any:
        """A command of the DevTools protocol."""
        return self.call("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def script(self, text: str, *arguments: Any) -> Any:
        """What a piece of JavaScript returns."""
        return self.call("/execute/sync", {"script": text, "args": list(arguments)})

    def open(self, file: Path, width: int = 1280, height: int = 900, *, dark: bool = False) -> None:
        """Open a file in a window of a size, light or dark."""
        self.cdp(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.cdp("Emulation.setEmulatedMedia", media="screen", features=[scheme])
        self.call("/url", {"url": file.resolve().as_uri()})

    def log(self, kind: str) -> list[dict[str, Any]]:
        """What was logged since the last call: ``browser`` (the console) or ``performance`` (the network)."""
        found: list[dict[str, Any]] = self.call("/se/log", {"type": kind})
        return found

    def requests(self) -> list[str]:
        """The addresses that pages have asked for since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        return [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]

    def screenshot(self, file: Path) -> None:
        """The whole page as a PNG."""
        size = self.script("return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1}
        shot = self.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        file.write_bytes(base64.b64decode(shot["data"]))


def request(url: str, body: dict[str, Any] | None, method: str) -> Any:
    """A JSON request to ChromeDriver."""
    data = json.dumps(body).encode() if body is not None else None
    asked = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(asked, timeout=120) as answer:
        return json.load(answer)["value"]


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser, ended with its driver when the block ends."""
    assert DRIVER and CHROMIUM
    with tempfile.TemporaryDirectory() as profile:
        driver = subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            address = f"http://127.0.0.1:{port_of(driver)}"
            options = {"binary": CHROMIUM, "args": [*_FLAGS, f"--user-data-dir={profile}/data"]}
            wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
            made = request(f"{address}/session", {"capabilities": {"alwaysMatch": wanted}}, "POST")
            browser = Browser(address, made["sessionId"])
            try:
                yield browser
            finally:
                with contextlib.suppress(OSError):
                    browser.call("", method="DELETE")
        finally:
            driver.terminate()
            driver.wait(timeout=30)
            assert driver.stdout is not None
            driver.stdout.close()
            time.sleep(0.2)  # the browser lets go of its profile


def port_of(driver: subprocess.Popen[str]) -> int:
    """The port that the driver has chosen, which it prints."""
    assert driver.stdout is not None
    for line in driver.stdout:
        if "started successfully on port" in line:
            return int(line.rsplit(" ", 1)[1].strip(". \n"))
    raise RuntimeError("chromedriver did not start")


def missing() -> str:
    """Why there is no browser, or an empty text; on CI there must be one."""
    if DRIVER and CHROMIUM:
        return ""
    reason = "Chromium and ChromeDriver are not installed (Debian: apt-get install chromium chromium-driver)"
    if os.environ.get("CI") == "true":
        raise RuntimeError(f"{reason}; .ci/run installs them")
    return reason
