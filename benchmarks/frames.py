"""The size of frames: bytes of JSON by game, over all positions and audiences of one fixed match of our bots.

`python benchmarks/frames.py` prints them plain and packed. With `--page` it measures the page of a whole match of four
bots on 64x64 (Monad, as played by `viewer_fps.py`): its record as JSON, packed, and compressed as in the page; also
with the viewer, if tools/web has built it.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from polemos import registry
from polemos.cli.common import prepare
from polemos.cli.page import NoViewer, page_of
from polemos.kernel import dice, replay
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.playing import play
from polemos.kernel.rooms import bots_of
from polemos.wire import frames as wire_frames
from polemos.wire import records

# The matches to play: bots, then options.
MATCHES: Final[dict[str, tuple[tuple[str, ...], dict[str, Any]]]] = {
    "demons": (("keeper", "keeper"), {"turns": 300}),
    "minions": (("captain", "greedy"), {"boards": 3}),
    "monad": (("overlord", "pathfinder"), {"map": "quarry", "turns": 200}),
    "monarchs": (("steady", "raider", "holder"), {}),
}
LARGE: Final = (
    ("pathfinder", "overlord", "pathfinder", "overlord"),
    {"map": "random", "size": "64x64", "seats": 4, "turns": 400},
)


def played(name: str, bots: Sequence[str], options: dict[str, Any], seed: str) -> AnyMatch:
    """Plays the same game as `polemos match` plays first."""
    game, seed = registry.load(name), dice.derive(seed, "game", 0)
    prepare(game)
    match = Match(game, options, seed=seed)
    seated = zip(match.seats, bots, strict=True)
    play(match, {seat: bots_of(game)[bot](match.setting, seat, dice.number(seed, "bot", seat)) for seat, bot in seated})
    return match


def sizes(match: AnyMatch, packed: bool) -> list[int]:
    """The bytes of every frame of this match that the server could send."""
    audiences = (*match.seats, SPECTATOR, UMPIRE)
    return [
        len(msgspec.json.encode(wire_frames.frame(match, number, who, packed)))
        for number in range(len(match.steps) + 1)
        for who in audiences
    ]


def row(name: str, match: AnyMatch) -> str:
    cells = [name, f"{len(match.steps) + 1:,}"]
    for packed in (False, True):
        found = sorted(sizes(match, packed))
        middle, most = statistics.median_low(found), found[int(0.99 * len(found))]
        cells += [f"{sum(found):,}", f"{middle:,}", f"{most:,}"]
    return f"| {' | '.join(cells)} |"


def page(match: AnyMatch) -> str:
    """The parts of the page that shows a match without a server."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "replay.jsonl.gz"
        replay.write(path, match, dict.fromkeys(match.seats, ""))
        data = path.read_bytes()
    plain, packed = (records.record_of(data, packed=packed) for packed in (False, True))
    text = msgspec.json.encode(packed)
    inside = len(base64.b64encode(gzip.compress(text, 9, mtime=0)))
    told = [
        f"{len(match.steps) + 1} positions",
        f"{len(msgspec.json.encode(plain)):,} bytes of JSON",
        f"{len(text):,} packed",
        f"{inside:,} in the page",
    ]
    try:
        told.append(f"{len(page_of(packed).encode()):,} with the viewer")
    except NoViewer as missing:
        told.append(missing.why)
    return ", ".join(told)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--page", action="store_true", help="measure the page of a large match instead; takes a minute or two"
    )
    parser.add_argument("--seed", default="7")
    given = parser.parse_args()
    if given.page:
        print(page(played("monad", *LARGE, given.seed)))
        return
    print("| game | positions | all, bytes | median | 99 % | packed, all | median | 99 % |")
    print("| --- " * 8 + "|")
    for name, (bots, options) in MATCHES.items():
        print(row(name, played(name, bots, options, given.seed)))


if __name__ == "__main__":
    main()
