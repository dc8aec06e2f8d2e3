"""How long a turn takes at the gamerunners' desk, at four keystrokes a second: `python benchmarks/party_turn.py`.

Hands at the keyboard of a real page, from the first carrier at the door until the maps are released. Carriers
come 0, 29 and 76 seconds after the first, or as soon as the hands are free, and wait for their minute. Three sheets of
eight lines are typed, every key counts, and folding the maps takes seven seconds. It takes four minutes.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

KEY = 0.25  # seconds
FOLD = 7.0
HOLD = 60
ARRIVALS = {"blue": 0.0, "red": 29.0, "green": 76.0}
SHEETS = {
    "red": "g5 h4 2;h6 i7 1;f4 g3 1;e3 f2 1;d2 e1 1;g7 h8 1;f8 g9 1;bless h4",
    "green": "k5 j4 2;j6 i5 1;m5 l4 1;o5 n4 1;q5 p4 1;i7 g7 1;h8 f8 1;bless j4",
    "blue": "h4 g5 1;j4 k5 1;l4 m5 1;n4 o5 1;p4 q5 1;g3 f4 1;f2 e3 1;bless g5",
}


class Hands:
    """A gamerunner who presses four keys a second."""

    def __init__(self, page: Page) -> None:
        self.page, self.keys, self.began = page, 0, time.monotonic()

    @property
    def since(self) -> float:
        return time.monotonic() - self.began

    def press(self, *keys: str) -> None:
        for key in keys:
            time.sleep(KEY)
            self.page.keyboard.press(key)
            self.keys += 1

    def see(self, button: str) -> str:
        """Waits until the desk offers this as its next step."""
        found = self.page.get_by_role("button", name=re.compile(button))
        found.wait_for(timeout=120_000)
        return found.inner_text()

    def check_in(self, court: str) -> None:
        self.page.wait_for_timeout(max(0.0, ARRIVALS[court] - self.since) * 1000)
        self.press(court[0], "1")

    def type_sheet(self) -> None:
        court = self.see("Type (Red|Green|Blue)'s sheet").split()[1].partition("'")[0].lower()
        self.press("Enter")
        self.page.get_by_label("A line of").wait_for()
        for line in SHEETS[court].split(";"):
            self.press(*("Space" if letter == " " else letter for letter in line), "Enter")
        self.press("Control+Enter")
        print(f"{court:>6} filed after {self.since:.0f} s")


def before(page: Page, address: str) -> None:
    """A party in its first round, with the maps in the courts."""

    def ask(path: str, **said: Any) -> None:
        answer = page.request.post(f"{address}/api/desk/{path}", data=said)
        assert answer.ok, answer.text()

    courts = {n: {"monarch": f"Monarch {n}", "courtiers": [f"{n} {i}" for i in range(1, 6)]} for n in ARRIVALS}
    ask("begin", setup={"title": "A turn", "courts": courts, "options": {"holding_seconds": HOLD}})
    ask("acts", act={"act": "deal"})
    for court in ARRIVALS:
        ask("acts", act={"act": "arrive", "role": f"{court}-1", "errand": "map"})
    ask("acts", act={"act": "release"})
    page.wait_for_timeout(HOLD * 1000 + 100)
    for court in ARRIVALS:
        ask("acts", act={"act": "leave", "role": f"{court}-1"})


def turn(page: Page) -> tuple[float, int]:
    """How many seconds and keys a turn takes."""
    page.on("popup", lambda opened: opened.close())
    hands = Hands(page)
    hands.check_in("blue")
    hands.check_in("red")
    hands.type_sheet()
    hands.check_in("green")
    hands.type_sheet()
    hands.type_sheet()
    for step in ("Play turn 1", "Print the three maps"):
        hands.see(step)
        hands.press("Control+Enter")
    hands.see("Release maps")
    page.wait_for_timeout(FOLD * 1000)
    hands.press("Control+Enter")
    page.get_by_text("round 2").first.wait_for()
    return hands.since, hands.keys


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("google-chrome"))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        command = [sys.executable, "-m", "polemos", "desk", str(Path(name) / "party"), "--no-browse", "--port", "0"]
        desk = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert desk.stdout is not None
        try:
            link = next(line for line in desk.stdout if "desk is at" in line).split()[-1]
            browser = playwright.chromium.launch(executable_path=given.chromium, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(link)
            page.get_by_role("button", name="Sit down at the desk").click()
            page.get_by_text("Title of the evening").wait_for()
            before(page, link.partition("/desk")[0])
            page.get_by_text("Who is at the door?").first.wait_for()
            seconds, keys = turn(page)
            browser.close()
        finally:
            desk.kill()
    print(f"from the first arrival to the release: {seconds:.0f} s, {keys} keys")


if __name__ == "__main__":
    main()
