"""`polemos debug`: a bot gets exactly what its seat was told, and its answer is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from polemos import registry
from polemos.arena import again
from polemos.arena import games as arena
from polemos.cli.main import polemos
from polemos.kernel import replay as replays
from polemos.kernel.errors import BadOptions

GAME = registry.load("skerries")
BOT = """
import json, sys
def say(message):
    print(json.dumps(message), flush=True)
heard = []
for line in sys.stdin:
    heard.append(line)
    kind = json.loads(line)["type"]
    if kind == "hello": say({"type": "ready"})
    elif kind == "view":
        print("heard", len(heard), file=sys.stderr, flush=True)
        open(RECORD, "w").write("".join(heard)) if RECORD else None
        say({"type": "orders", "orders": ORDERS})
    else: break
"""


def bot(folder: Path, orders: list[str], record: Path | None = None) -> str:
    folder.mkdir(exist_ok=True)
    path = folder / "bot.py"
    path.write_text(f"RECORD, ORDERS = {str(record) if record else ''!r}, {orders!r}\n{BOT}")
    return str(path)


@pytest.fixture
def game(tmp_path: Path) -> tuple[Path, list[str]]:
    """A replay, and everything that the first seat was told in it."""
    record = tmp_path / "told"
    spec = bot(tmp_path / "mine", ["nonsense"], record)
    (task,) = arena.tasks(GAME, [spec, "random"], 1, 5, {"turns": 4}, tmp_path / "out", trust=True)
    (tmp_path / "out").mkdir()
    result = arena.play_one(task)
    assert result.replay is not None
    return Path(result.replay), record.read_text().splitlines()


def debug(*words: str) -> Result:
    return CliRunner().invoke(polemos, ["debug", *words])


def told(lines: list[str]) -> list[dict[str, object]]:
    """Messages without the time that is left: that is the bot's own doing."""
    return [
        {name: value for name, value in json.loads(line).items() if name not in ("time_left", "wall_left", "budget")}
        for line in lines
    ]


def test_the_bot_gets_exactly_what_it_was_told(game: tuple[Path, list[str]], tmp_path: Path) -> None:
    file, heard = game
    record = tmp_path / "again"
    spec = bot(tmp_path / "mine", ["nonsense"], record)
    for turn in (1, 3, 4):
        seat = next(iter(replays.read(file).header.seats))
        said = debug(str(file), spec, "--turn", str(turn), "--seat", seat, "--trust", "--once")
        assert said.exit_code == 0, said.output
        again_heard = record.read_text().splitlines()
        assert told(again_heard) == told(heard[: turn + 1])
        assert f"heard {turn + 1}" in said.output, "its log of this turn"
        assert turn == 1 or f"heard {turn}\n" not in said.output, "and of no other"
        assert "The same as in the game." in said.output


def test_another_answer_is_shown_beside_the_recorded_one(game: tuple[Path, list[str]], tmp_path: Path) -> None:
    file, _ = game
    seat = next(iter(replays.read(file).header.seats))
    spec = bot(tmp_path / "other", ["something else"])
    said = debug(str(file), spec, "--turn", "2", "--seat", seat, "--once")
    assert said.exit_code == 0, said.output
    assert "something else   void:" in said.output
    assert "In the game:\n  nonsense" in said.output
    assert "otherwise than in the game, at turn 1" in said.output


def test_a_crash_on_the_way_says_at_which_turn(game: tuple[Path, list[str]], tmp_path: Path) -> None:
    file, _ = game
    seat = next(iter(replays.read(file).header.seats))
    path = tmp_path / "crash" / "bot.py"
    path.parent.mkdir()
    path.write_text('import json, sys\nprint(json.dumps({"type": "ready"}), flush=True)\nsys.stdin.readline()\n1 / 0\n')
    said = debug(str(file), str(path), "--turn", "3", "--seat", seat, "--once")
    assert said.exit_code == 0, said.output
    assert "turn 1: crash: " in said.output
    assert "ZeroDivisionError" in said.output


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--turn", "9", "--seat", "SEAT"), "did not order in turn 9 of 4"),
        (("--turn", "1", "--seat", "nobody"), "There is no seat called"),
        (("--turn", "0", "--seat", "SEAT"), "--turn"),
    ],
)
def test_mistakes_are_told(game: tuple[Path, list[str]], words: tuple[str, ...], complaint: str) -> None:
    file, _ = game
    seat = next(iter(replays.read(file).header.seats))
    said = debug(str(file), "random", *(seat if word == "SEAT" else word for word in words), "--once")
    assert said.exit_code != 0
    assert complaint in said.output or complaint in str(said.exception)


def test_the_turn_must_be_one_in_which_the_seat_orders(game: tuple[Path, list[str]]) -> None:
    replay = replays.read(game[0])
    with pytest.raises(BadOptions, match="Its last turns until then"):
        again.past(replay, GAME, next(iter(replay.header.seats)), 99)


def test_one_of_ours_can_be_asked_too(game: tuple[Path, list[str]]) -> None:
    replay = replays.read(game[0])
    seat, player = list(replay.header.seats.items())[1]
    assert player == "random"
    said = debug(str(game[0]), "random", "--turn", "3", "--seat", seat, "--once")
    assert "The same as in the game." in said.output, "the same seed, the same views: the same orders"
