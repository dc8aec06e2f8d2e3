"""Makes everything that is kept here: `python tests/kept/make.py [PART ...]`, of replays, tournament, evening, tables.

It was run once, on the version that README.md names, and works on that one. What is kept is not to be made anew:
a later version must read what this one wrote.
"""

from __future__ import annotations

import gzip
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from kept import make_tables
from kept.seen import EVENING, HERE, REPLAYS, TALKS, TOURNAMENT, keep, position
from polemos import registry
from polemos.kernel import replay
from polemos.kernel.match import Match

ROOMY: Final = ("--trust", "-b", "start=60", "-b", "bank=600", "-b", "log=16777216")

SMALL: Final = ("map=random", "size=8x8", "seats=4")

# Matches of programs, kept with all that was said: options, and the habits of the bot in each seat.
TALKED: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "demons": (("map=hourglass", "decisions=two", "turns=12"), ("sloppy", "sheet sloppy mumble=8")),
    "minions": (("boards=2", "turns=10", "line=sorted"), ("sloppy resign=3", "sheet sloppy die=7")),
    "monad": ((*SMALL, "units=12", "turns=6", "stock=1000000"), ("sheet sloppy", "sloppy", "sheet die=3", "blind")),
    "monarchs": (("mode=online", "turns=5"), ("sloppy", "sheet sloppy", "sloppy mumble=2")),
}

# Matches of our bots: bots, options, seed. Between them they have every kind of event.
PLAYED: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...], str]]] = {
    "demons-seed": (("random", "rusher"), ("map=skirmish", "turns=60"), "3"),
    "demons-coin": (("economist", "economist"), ("map=skirmish", "turns=10", "coin=on"), "1"),
    "demons-finals": (("random", "random"), ("map=gauntlet", "rules=finals-2025", "turns=60"), "7"),
    "demons-dice": (("random", "rusher"), ("map=pinwheel", "rules=finals-2025", "turns=60"), "52"),
    "minions-one-board": (("captain", "greedy"), ("boards=1",), "4"),
    "minions-two-boards": (("captain", "greedy"), ("boards=2", "spell_price=1"), "3"),
    "minions-three-boards": (("captain", "random"), ("boards=3", "bids=9,12", "maps=random"), "3"),
    "monad-two-seats": (("overlord", "pathfinder"), ("map=duel",), "1"),
    "monad-four-seats": (("overlord", "streamer", "fortifier", "pathfinder"), (*SMALL, "units=10", "turns=50"), "1"),
    "monarchs-online": (("raider", "steady", "raider"), ("mode=online", "turns=3"), "157"),
    "monarchs-tie": (("holder", "holder", "holder"), ("turns=1",), "117"),
    "monarchs-party": (("raider", "random", "random"), ("mode=party", "turns=6"), "353"),
    "monarchs-open": (
        ("random", "raider", "random"),
        ("mode=open", "rules=2022-04", "scoring=battles", "turns=5"),
        "1",
    ),
}
LOOKED_AT: Final = ("demons-finals", "minions-two-boards", "monad-two-seats", "monarchs-programs")


def polemos(*words: str, typed: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-m", "polemos", *words], input=typed, capture_output=True, text=True, check=False, cwd=HERE
    )
    if done.returncode:
        raise SystemExit(f"{words}: {done.stdout}{done.stderr}")
    return done.stdout


def wishes(options: Sequence[str]) -> list[str]:
    return [part for option in options for part in ("-o", option)]


# ---- replays and conversations


def make_replays() -> None:
    for folder in (REPLAYS, TALKS):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    with tempfile.TemporaryDirectory() as name:
        for game, (options, habits) in TALKED.items():
            _talk(game, options, habits, Path(name) / game)
        for title, (bots, options, seed) in PLAYED.items():
            out = Path(name) / title
            polemos("match", title.partition("-")[0], *bots, "--seed", seed, "--out", str(out), *wishes(options))
            shutil.copy(out / "game-00001.jsonl.gz", REPLAYS / f"{title}.jsonl.gz")
        shutil.copy(_evening(Path(name) / "evening"), REPLAYS / "monarchs-evening.jsonl")
    _from_position(REPLAYS / "monad-position.jsonl.gz")
    make_tables.replays_into(REPLAYS)
    for path in sorted(REPLAYS.iterdir()):
        _look_at(path)


def _from_position(path: Path) -> None:
    """A match that began with a position set up by hand: a stock that can hold no more (3.3)."""
    begun = "slots 5; base 0; unit_cost 5; cost 100; defence 10; start 1 100; played 0/2; stock red 2147483640 blue 100"
    rows = "/".join(["9 9 9 9 9 9 9 9"] * 8)
    where = f'name "Full"; symmetry half-turn; starts 1,1 6,6; rows {rows}; {begun}; red 1,1 9; blue 6,6 9'
    match = Match(registry.load("monad"), seed="kept", position=where)
    for lists in ({"red": ["1,1 mine 9"], "blue": ["6,6 move 4 up", "6,6 mine 5"]}, {"red": ["1,1 build 1"]}):
        for seat, lines in lists.items():
            match.submit(seat, lines)
        match.run()
    replay.write(path, match, {"red": "Ann", "blue": "Bob"})


def _talk(game: str, options: Sequence[str], habits: Sequence[str], out: Path) -> None:
    """A match of programs: its replay, and what was said in every seat."""
    bots = [f"python3 bots/talker.py {habit}" for habit in habits]
    polemos("match", game, *bots, "--seed", "kept", "--out", str(out), *ROOMY, *wishes(options))
    shutil.copy(out / "game-00001.jsonl.gz", REPLAYS / f"{game}-programs.jsonl.gz")
    for log in out.glob("*.log"):
        seat = log.stem.rpartition("-")[2]
        (TALKS / f"{game}-{seat}.log.gz").write_bytes(gzip.compress(log.read_bytes(), 9, mtime=0))
    keep(TALKS / f"{game}.json.gz", {"game": game, "options": list(options), "seed": "kept", "budget": list(ROOMY)})


def _look_at(path: Path) -> None:
    """Keeps what a replay shows, and some of its events to be looked at."""
    read = replay.read(path)
    name = path.name.partition(".")[0]
    positions = [position(match, len(match.steps)) for match in replay.replayed(read, registry.load(read.header.game))]
    keep(REPLAYS / f"{name}.seen.json.gz", {"game": read.header.game, "positions": positions})
    if name in LOOKED_AT:
        (REPLAYS / f"{name}.look.json").write_text(_to_look_at(positions))
    kinds = Counter(one["event"]["kind"] for of in positions for one in of["told"]["umpire"])
    faults = sum(len(found) for step in read.steps for found in step.faults.values())
    verdicts = [why for step in read.steps for why in (*step.forfeits.values(), *step.strikes.values())]
    calls = [call for step in read.steps for call in step.calls]
    size = sum(file.stat().st_size for file in REPLAYS.glob(f"{name}.*"))
    print(f"{name}: {len(read.steps)} steps, {size} bytes, {faults} void lines, {verdicts} {calls} {dict(kinds)}")


def _to_look_at(positions: Sequence[dict[str, Any]]) -> str:
    """What happened in two steps, an event a line."""
    steps = []
    for number in (1, len(positions) // 2):
        told = [
            f'  "{who}": [\n' + ",\n".join(f"   {json.dumps(one, ensure_ascii=False)}" for one in of) + "\n  ]"
            for who, of in positions[number]["told"].items()
        ]
        steps.append(f' "{number}": {{\n' + ",\n".join(told) + "\n }")
    return "{\n" + ",\n".join(steps) + "\n}\n"


def _evening(folder: Path) -> Path:
    """An evening of Monarchs by the words of the desk, to its end: calls of the umpire, a nation that drops out."""
    typed = """red
g5 h4 2; bless h4
m9 k9 1
done
call turns 9
run
back blue came late
run
release
call last
drop blue
run
"""
    bots = ["--bot", "green=steady", "--bot", "blue=raider"]
    polemos("play", "monarchs", str(folder), "--title", "Long Winter", "--seed", "kept", *bots, typed=typed)
    return folder / "replay.jsonl"


# ---- a tournament and an evening, both in the middle

READY: Final = """read a; echo "{\\"type\\":\\"ready\\"}"; while read a; do """
MUMBLER: Final = f"mumbler=sh -c '{READY} echo what; done'"
MUTE: Final = f"""mute=sh -c '{READY} echo "{{\\"type\\":\\"orders\\",\\"orders\\":[]}}"; done'"""


def make_tournament() -> None:
    """Killed while it was played. Nothing in it lies outside of its folder, so that it can go on anywhere."""
    shutil.rmtree(TOURNAMENT, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "t"
        bots = ["random", "rusher", MUTE, MUMBLER, "quitter=false"]
        words = [
            "tournament",
            "demons",
            *bots,
            "--trust",
            "--seed",
            "kept",
            "--games",
            "6",
            "--pause-after",
            "5",
            "--workers",
            "1",
        ]
        more = [*wishes(["turns=10", "map=skirmish"]), "-b", "start=60", "--out", str(out)]
        running = subprocess.Popen([sys.executable, "-m", "polemos", *words, *more])
        journal = out / "journal.jsonl"
        while not journal.exists() or journal.read_bytes().count(b"\n") < 1 + 14:
            time.sleep(0.002)
        running.send_signal(signal.SIGKILL)
        running.wait()
        time.sleep(4)  # until its worker has gone
        TOURNAMENT.mkdir()
        (TOURNAMENT / "replays").mkdir()
        whole = journal.read_bytes().splitlines(keepends=True)
        (TOURNAMENT / "journal.jsonl").write_bytes(b"".join(whole)[:-40])  # the power went while a line was written
        for line in whole[1:-1]:
            file = json.loads(line)["replay"]
            shutil.copy(out / file, TOURNAMENT / file)
    print(f"tournament: {len(whole) - 2} games and half a line")


def make_evening() -> None:
    """Everything that can be done at the desk, up to the middle of a sheet."""
    shutil.rmtree(EVENING, ignore_errors=True)
    typed = """red
g5 h4 2; bless h4
g5 k5 1
done
blue
m9 k9 1
done
drop blue
stay blue
red
strike 1
done
call turns 4
run
back blue was mistyped
run
release
red
h4 i5 1
bless i5
done
drop blue
run
release
red
g5 e5 1
leave
"""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "e"
        polemos(
            "play", "monarchs", str(folder), "--title", "Long Winter", "--seed", "kept", "--bot", "green=steady",
            typed=typed,
        )  # fmt: skip
        EVENING.mkdir()
        shutil.copy(folder / "journal.jsonl", EVENING)
        again = polemos("play", "monarchs", str(folder), typed="status\nsheet red\nshow red\nshow umpire\n")
        (EVENING / "said.txt").write_text(again.replace(str(folder), "FOLDER").partition("\nEverything is kept")[0])


PARTS: Final[dict[str, Callable[[], Any]]] = {
    "tables": make_tables.make,
    "replays": make_replays,
    "tournament": make_tournament,
    "evening": make_evening,
}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
