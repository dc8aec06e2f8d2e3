"""How smooth the viewer is: frames a second while a long match of bots is played back at high speed.

`python benchmarks/viewer_fps.py monad` lets four bots play on 64x64, packs the record into the viewer's page (which
tools/web must have built) and plays it in headless Chromium. The times come from requestAnimationFrame. For another
game or other bots, run `viewer_fps.py GAME BOT BOT ... -o NAME=VALUE`.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import msgspec
from playwright.sync_api import Page, sync_playwright

from polemos.cli import page as pages
from polemos.wire import records

# The default matches: bots, then options.
USUAL: Final = {
    "monad": (
        ("pathfinder", "overlord", "pathfinder", "overlord"),
        ("map=random", "size=64x64", "seats=4", "turns=400"),
    ),
    "demons": (("keeper", "keeper"), ()),
}
SLOW: Final = 1000 / 60 * 1.5  # ms: a frame was dropped

WATCH: Final = """
() => {
  const seen = { times: [], long: 0, turns: new Set() };
  window.seen = seen;
  new PerformanceObserver((list) => { seen.long += list.getEntries().length; }).observe({ entryTypes: ["longtask"] });
  const tick = (now) => {
    if (document.querySelector('[aria-label="Pause"]')) {
      seen.times.push(now);
      seen.turns.add(document.querySelector('[role="slider"]')?.getAttribute("aria-valuenow"));
    }
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
"""


def replay_of(game: str, bots: list[str], options: list[str], seed: str, folder: Path) -> Path:
    """Lets bots play one match and returns its replay."""
    wish = [part for option in options for part in ("-o", option)]
    polemos = [sys.executable, "-m", "polemos", "match", game, *bots]
    subprocess.run([*polemos, "--seed", seed, "--out", str(folder), "--workers", "1", *wish], check=True)
    return next(folder.glob("*.jsonl.gz"))


def page_of(replay: Path, folder: Path) -> Path:
    """Writes the viewer with this match as one page."""
    whole, record = (records.record_of(replay.read_bytes(), packed=packed) for packed in (False, True))
    size, packed = (len(msgspec.json.encode(of)) / 1e6 for of in (whole, record))
    print(f"{size:.1f} MB of JSON, {packed:.1f} MB packed")
    path = folder / "page.html"
    path.write_text(pages.page_of(record), encoding="utf-8")
    print(f"{len(record.frames)} positions, page of {path.stat().st_size / 1e6:.1f} MB")
    return path


def played(page: Page, path: Path, speed: int, seconds: float, zoom: int) -> dict[str, Any]:
    page.goto(path.as_uri())
    page.get_by_role("button", name=f"{speed} turns per second").click(timeout=300_000)
    if zoom > 1:
        page.mouse.move(700, 400)
        for _ in range(zoom):
            page.mouse.wheel(0, -400)
    page.wait_for_timeout(1000)
    page.evaluate(WATCH)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_timeout(1000 * seconds)
    found: dict[str, Any] = page.evaluate("() => ({ ...seen, turns: seen.turns.size })")
    return found


def report(found: dict[str, Any]) -> None:
    times = found["times"]
    gaps = sorted(b - a for a, b in itertools.pairwise(times))
    if len(gaps) < 100:
        raise SystemExit(f"There were only {len(gaps)} frames, so nothing was played.")
    span = (times[-1] - times[0]) / 1000
    slow = sum(gap > SLOW for gap in gaps)
    print(
        f"{len(gaps) / span:.1f} frames a second over {span:.1f} s and {found['turns']} positions; "
        f"gaps: median {statistics.median(gaps):.1f} ms, 99 % {gaps[int(0.99 * len(gaps))]:.1f} ms, "
        f"longest {gaps[-1]:.0f} ms; {slow} late, {found['long']} tasks above 50 ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("bots", nargs="*")
    parser.add_argument("-o", "--option", action="append", default=[])
    parser.add_argument("--seed", default="7")
    parser.add_argument("--replay", type=Path, help="a match that was recorded before")
    parser.add_argument("--speed", type=int, default=60, help="turns a second, one of the buttons")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--zoom", type=int, default=1, help="steps of the mouse wheel")
    parser.add_argument("--chromium", default=None)
    given = parser.parse_args()
    bots, options = USUAL.get(given.game, ((), ()))
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        replay = given.replay or replay_of(
            given.game, given.bots or [*bots], given.option or [*options], given.seed, folder
        )
        path = page_of(replay, folder)
        flags = ["--no-sandbox", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=given.chromium, args=flags)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        report(played(page, path, given.speed, given.seconds, given.zoom))
        browser.close()


if __name__ == "__main__":
    main()
