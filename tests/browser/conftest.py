"""A server of our own and Chromium in front of it."""

from __future__ import annotations

import faulthandler
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

SERVE = Path(__file__).with_name("serve.py")

PATIENCE = (
    60_000  # milliseconds: server and browser may share a slow core with three other workers, and be stopped for long
)
expect.set_options(timeout=PATIENCE)

FLAGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Server:
    """A server process that can be killed and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self._process: subprocess.Popen[str] | None = None
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self._process = subprocess.Popen(
            [
                *(sys.executable, str(SERVE), "serve", "--port", str(self.port), "--no-exhibition"),
                *("--bot-processes", "0"),  # starting them takes longer than most tests
                "--no-ladder",
                *("--limits", "1000"),  # on a quick machine, tests sit down at more tables a minute than a visitor may
                *("--folder", str(self.folder)),
            ],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        line = next(line for line in self._process.stdout if "Polemos is at" in line)
        self.port = int(line.split()[3].rstrip("/").rpartition(":")[2])
        until = time.monotonic() + 180
        while True:
            try:
                urllib.request.urlopen(f"{self.address}/api/games", timeout=5).close()
                return
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)

    def stop(self) -> None:
        """As an operator would."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait(60)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def kill(self) -> None:
        """As a power cut would."""
        assert self._process is not None
        if self._process.returncode is None:  # or its number may be that of somebody else
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(60)
        if self._process.stdout is not None:
            self._process.stdout.close()


# The first one found. The one without a window has no toolbars to get ready: a new page costs a third.
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    assert chromium, "No Chromium: apt-get install -y chromium"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all tests of a worker."""
    running = Server(tmp_path_factory.mktemp("tables"))
    yield running
    running.kill()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """One that a test may kill."""
    running = Server(tmp_path)
    yield running
    running.kill()


LONGEST = 1200  # seconds: a browser that died would otherwise be waited for without end


@pytest.fixture
def longest() -> int:
    """Files with tests that do a whole evening give themselves more."""
    return LONGEST


@pytest.fixture(autouse=True)
def _bounded(longest: int) -> Iterator[None]:
    faulthandler.dump_traceback_later(longest, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


NewPage = Callable[..., Page]
GONE = "no longer runnable"  # a document that has been closed hears that its socket is, and can't show it any more

# Whoever plays here has told the browser not to ask before a turn is passed.
TOLD = """
const told = JSON.parse(localStorage.getItem("polemos.prefs") ?? "{}");
if (!("asks" in told)) localStorage.setItem("polemos.prefs", JSON.stringify({ ...told, asks: false }));
"""


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Pages of persons who have nothing in common: each has a browser profile of its own. No page may fail."""
    opened = []
    failures: list[str] = []

    def make(
        width: int = 1440,
        height: int = 900,
        *,
        touch: bool = False,
        dark: bool = False,
        bypass_csp: bool = False,
        asks: bool = False,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=touch,
            is_mobile=touch,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            bypass_csp=bypass_csp,
        )
        context.set_default_timeout(PATIENCE)
        if not asks:
            context.add_init_script(TOLD)
        page = context.new_page()
        page.on("pageerror", lambda error: failures.extend({str(error)} if GONE not in str(error) else ()))
        opened.append(context)
        return page

    yield make
    for context in opened:
        context.close()
    assert failures == []
