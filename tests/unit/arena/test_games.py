"""Series of games: seats rotate, twins count once, and the result is the same on one worker or two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from polemos import registry
from polemos.arena import games as arena
from polemos.arena.games import Result, Task
from polemos.hosts import inprocess
from polemos.kernel import replay
from polemos.kernel.errors import BadOptions, BotFault
from polemos.kernel.match import Match
from polemos.kernel.outcome import Outcome
from polemos.kernel.rooms import bots_of
from polemos.kernel.verdict import Verdict

GAME = registry.load("skerries")
SEATS = GAME.facts.seats[:3]
DUEL = registry.load("skerries")

BOTS = '''
class Quiet:
    """Sends a boat from its harbour to the outer skerry and waits."""

    def __init__(self, setting, seat, seed):
        self.line = f"{setting.harbours[seat]}-{setting.harbours[seat][0]}2 1"

    def orders(self, view, time_left):
        return [self.line]


class Crashing(Quiet):
    def orders(self, view, time_left):
        if view.turn == 2:
            raise KeyError("slip")
        return super().orders(view, time_left)


class Mumbling(Quiet):
    def orders(self, view, time_left):
        return None


class Sloppy(Quiet):
    def orders(self, view, time_left):
        return ["nonsense", *super().orders(view, time_left), "M-A1 1"]


def quiet(setting, seat, seed):
    return Quiet(setting, seat, seed)


not_a_bot = 5
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "bots.py"
    path.write_text(BOTS)
    return path


def work(bots: list[str], games: int, seed: object = 1, turns: int = 2, out: Path | None = None) -> list[Task]:
    """Games between bots of ours and classes in files, which run only where they are trusted."""
    return arena.tasks(GAME, bots, games, seed, {"seats": 3, "turns": turns}, out, trust=True)


def nothing(result: Result) -> None:
    pass


def untimed(result: Result) -> Result:
    """A result without the seconds that the bots took."""
    return msgspec.structs.replace(result, used=())


# ---- tasks


def test_bots_change_places_from_game_to_game() -> None:
    seatings = [task.seating for task in work(["a", "b", "c"], 7)]
    assert seatings == [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2)]
    for seat in range(3):
        assert {seating[seat] for seating in seatings[:3]} == {0, 1, 2}, "everybody sits everywhere equally often"


def test_a_round_is_played_on_one_start_and_one_set_of_dice_with_every_seating() -> None:
    tasks = work(["a", "b", "c"], 50)
    assert [task.number for task in tasks] == list(range(1, 51))
    rounds = [tasks[at : at + 3] for at in range(0, 48, 3)]
    assert all(len({task.seed for task in of}) == 1 and len({task.seating for task in of}) == 3 for of in rounds)
    assert len({task.seed for task in tasks}) == 17, "and every round on another"
    assert len({task.bot_seed for task in tasks}) == 50, "but the bots draw anew in every game"
    assert tasks == work(["a", "b", "c"], 50)
    assert not {task.seed for task in tasks} & {task.seed for task in work(["a", "b", "c"], 50, seed=2)}
    assert [task.seed for task in work(["a", "b", "c"], 3)] == [task.seed for task in tasks[:3]], "more games add games"


def test_the_side_that_a_draw_favours_is_everybodys_once() -> None:
    """Both games of a pair begin with the very same position."""
    first, second = (arena.play_one(task) for task in arena.tasks(DUEL, ["random", "random"], 2, 1, {"turns": 2}, None))
    assert (first.seating, second.seating) == ((0, 1), (1, 0))
    tasks = arena.tasks(DUEL, ["random", "random"], 2, 1, {"turns": 2}, None)
    starts = {Match(DUEL, task.options, seed=task.seed).first_digest for task in tasks}
    keys = {Match(DUEL, task.options, seed=task.seed).key for task in tasks}
    assert len(starts) == len(keys) == 1


# ---- playing


def test_a_game_is_played_with_its_bots_in_their_seats(file: Path, tmp_path: Path) -> None:
    bots = [f"{file}:Quiet", "settler", f"{file}:Sloppy"]
    task = work(bots, 2, out=tmp_path)[1]
    result = arena.play_one(task)
    assert (result.number, result.seating, result.steps) == (2, (1, 2, 0), 2)
    assert sum(result.points) == pytest.approx(1)
    assert result.winner is not None
    assert result.points[result.winner] == max(result.points)
    assert result.faults == (0, 0, 4)
    assert result.forfeits == {}
    assert result.replay == str(tmp_path / "game-00002.jsonl.gz")
    read = replay.read(Path(result.replay))
    assert read.header.seats == {"red": "settler", "blue": "Sloppy", "green": "Quiet"}
    assert replay.verify(read, GAME) == 2
    assert read.end.end.winner == SEATS[result.seating.index(result.winner)]
    assert {len(step.faults["blue"]) for step in read.steps} == {2}


def test_the_same_task_gives_the_same_game() -> None:
    task = work(["random", "random", "random"], 1, turns=4)[0]
    one, other = untimed(arena.play_one(task)), untimed(arena.play_one(task))
    assert one == other
    assert one.fingerprint != arena.play_one(work(["random"] * 3, 1, seed=2, turns=4)[0]).fingerprint


def test_two_bots_of_one_kind_do_not_think_alike() -> None:
    """Each bot has a seed of its own, in every seat of every game."""
    seeds: list[int] = []
    maker = bots_of(GAME)["random"]

    def listening(setting: Any, seat: str, seed: int) -> Any:
        seeds.append(seed)
        return maker(setting, seat, seed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inprocess, "built_in", lambda game: {"random": listening})
        for task in work(["random"] * 3, 3):
            arena.play_one(task)
    assert len(seeds) == len(set(seeds)) == 9


@pytest.mark.parametrize("out", [False, True], ids=["without replays", "with replays"])
def test_results_do_not_depend_on_the_number_of_workers(tmp_path: Path, file: Path, out: bool) -> None:
    bots = ["random", f"{file}:quiet", "settler"]
    kept: list[list[bytes]] = []
    results: list[list[Result]] = []
    for workers in (1, 2):
        folder = tmp_path / f"{workers}"
        folder.mkdir()
        reported: list[Result] = []
        found = arena.run(work(bots, 4, out=folder if out else None), workers, reported.append)
        assert [result.number for result in found] == [1, 2, 3, 4]
        assert sorted(reported, key=lambda result: result.number) == found
        kept.append([_without_times(path) for path in sorted(folder.iterdir())])
        results.append([msgspec.structs.replace(untimed(result), replay=None) for result in found])
    assert results[0] == results[1]
    assert kept[0] == kept[1]
    assert len(kept[0]) == (4 if out else 0)
    tables = [arena.tally(SEATS, bots, found) for found in results]
    assert tables[0] == tables[1]


def _without_times(path: Path) -> bytes:
    """A replay without the seconds that the bots took."""
    read = replay.read(path)
    steps = [msgspec.structs.replace(step, cpu={}, wall={}) for step in read.steps]
    return msgspec.json.encode([read.header, steps, read.end])


def test_a_failure_in_a_worker_reaches_the_caller(tmp_path: Path) -> None:
    tasks = arena.tasks(GAME, ["random"] * 3, 2, 1, {"turns": "many"}, None)
    with pytest.raises(BadOptions):
        arena.run(tasks, 1, nothing)


# ---- forfeits


def test_a_bot_that_crashes_forfeits_and_the_series_goes_on(file: Path) -> None:
    bots = [f"{file}:Crashing", f"{file}:Quiet", f"{file}:Quiet"]
    results = arena.run(work(bots, 3, turns=3), 1, nothing)
    assert [result.forfeits for result in results] == [{0: Verdict("crash", "KeyError: 'slip'")}] * 3
    assert all(result.winner != 0 for result in results)
    table = arena.tally(SEATS, bots, results)
    assert table.wins[0] == 0
    assert table.forfeits == {f"Crashing in game {n}": "crash: KeyError: 'slip'" for n in (1, 2, 3)}
    assert table.names == ("Crashing", "Quiet", "Quiet (2)")
    assert table.dropped == (3, 0, 0)


def test_strikes_and_times_are_counted_by_bot(file: Path) -> None:
    bots = [f"{file}:Quiet", f"{file}:Mumbling", "random"]
    results = arena.run(work(bots, 3, turns=2), 1, nothing)
    assert [result.strikes for result in results] == [(0, 2, 0)] * 3
    table = arena.tally(SEATS, bots, results)
    assert table.strikes == (0, 6, 0)
    assert [(used.games, used.answers) for used in table.used] == [(3, 6)] * 3
    for used in table.used:
        assert 0 < used.slowest <= used.wall
        assert used.cpu >= 0
    once = arena.tally(SEATS, bots, results[:1])
    assert once.used == results[0].used
    assert table.used[0].wall == pytest.approx(sum(result.used[0].wall for result in results))


def test_a_bot_whose_answers_cannot_be_read_forfeits_at_the_third(file: Path) -> None:
    bots = [f"{file}:Quiet", f"{file}:Mumbling", f"{file}:Quiet"]
    assert arena.play_one(work(bots, 1, turns=2)[0]).forfeits == {}
    assert arena.play_one(work(bots, 1, turns=3)[0]).forfeits == {1: Verdict("unreadable", strikes=3)}


# ---- counting


def result(number: int, winner: int | None, course: str, **more: Any) -> Result:
    shift = (number - 1) % 3
    seating = tuple((seat + shift) % 3 for seat in range(3))
    points = tuple(1 / 3 if winner is None else float(bot == winner) for bot in range(3))
    return Result(
        **{
            "number": number,
            "seating": seating,
            "winner": winner,
            "points": points,
            "steps": 5,
            "fingerprint": course,
            "faults": (0, 0, 1),
            "forfeits": {},
            "replay": None,
            "seats": SEATS,
            "outcome": Outcome(None, SEATS, {}, "a draw", "9.9"),
            **more,
        }
    )


def test_wins_draws_and_losses_are_counted_by_bot_and_by_seat() -> None:
    results = [result(1, 0, "a"), result(2, 0, "b"), result(3, 2, "c"), result(4, None, "d")]
    table = arena.tally(SEATS, ["x", "y", "z"], results)
    assert (table.games, table.distinct) == (4, 4)
    assert table.wins == (2, 0, 1)
    assert table.draws == 1
    assert table.losses == (1, 3, 2)
    assert table.points == pytest.approx((2 + 1 / 3, 1 / 3, 1 + 1 / 3))
    assert table.by_seat == {"red": (1, 0, 1), "blue": (0, 0, 0), "green": (1, 0, 0)}
    assert table.void_lines == (0, 0, 4)
    assert table.steps == 20


def test_games_with_the_same_course_count_once() -> None:
    results = [result(1, 0, "a"), result(4, 0, "a"), result(7, 0, "a"), result(2, 1, "b")]
    table = arena.tally(SEATS, ["x", "y", "z"], results)
    assert (table.games, table.distinct) == (4, 2)
    assert table.wins == (1, 1, 0)
    assert table.losses == (1, 1, 2)
    assert table.by_seat == {"red": (1, 1, 0), "blue": (0, 0, 0), "green": (0, 0, 0)}
    assert table.void_lines == (0, 0, 2)
    assert table.steps == 20, "all steps were played"


def test_bots_without_chance_play_few_distinct_games(file: Path) -> None:
    bots = [f"{file}:Quiet", f"{file}:Sloppy", f"{file}:quiet"]
    table = arena.tally(SEATS, bots, arena.run(work(bots, 9), 1, nothing))
    assert table.games == 9
    assert table.distinct <= 3 * 6  # one for each seating, and for each order of places that a die decides
    assert sum(table.wins) + table.draws == table.distinct
    same = arena.run([work(bots, 1)[0], *work(bots, 1)], 1, nothing)
    assert arena.tally(SEATS, bots, same).distinct == 1


def test_the_same_course_with_other_bots_in_the_seats_is_another_game() -> None:
    tasks = work(["settler", "random", "settler"], 1)
    turned = msgspec.structs.replace(tasks[0], seating=(1, 2, 0), bots=("settler", "settler", "random"))
    one, other = arena.play_one(tasks[0]), arena.play_one(turned)
    assert one.fingerprint != other.fingerprint
    assert one.fingerprint[-32:] == other.fingerprint[-32:], "though move by move it is the same"


def test_an_empty_series_has_an_empty_table() -> None:
    table = arena.tally(SEATS, ["x", "y", "z"], [])
    assert (table.games, table.distinct, table.wins, table.draws) == (0, 0, (0, 0, 0), 0)


# ---- makers


def test_our_bots_go_by_name_and_others_by_file(file: Path) -> None:
    assert inprocess.maker(GAME, "random") is bots_of(GAME)["random"]
    for name in ("Quiet", "quiet"):
        bot = inprocess.maker(GAME, f"{file}:{name}")(GAME.setting(GAME.setup({}, 0)), "red", 1)
        assert hasattr(bot, "orders")


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("randm", "Did you mean random"),
        ("", "has no bot called ''"),
        ("x" * 500, "has no bot"),
        ("missing.py:Bot", "There is no file missing.py"),
        ("{file}:Nobody", "has no bot called 'Nobody'"),
        ("{file}:not_a_bot", "needs a class or function that takes \\(setting, seat, seed\\)"),
        ("{file}:", "has no bot called ''"),
    ],
)
def test_a_bot_that_cannot_be_found_is_refused(file: Path, spec: str, why: str) -> None:
    with pytest.raises(BotFault, match=why) as refused:
        inprocess.maker(GAME, spec.format(file=file))
    assert len(str(refused.value)) < 400 + len(str(file))


@pytest.mark.parametrize("source", ["def broken(:", "import no_such_module_anywhere", "raise RuntimeError('at load')"])
def test_a_file_that_cannot_be_loaded_is_the_fault_of_the_bot(tmp_path: Path, source: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(source)
    with pytest.raises(BotFault, match=r"broken\.py cannot be loaded"):
        inprocess.maker(GAME, f"{path}:Bot")


def test_a_bot_that_cannot_be_made_is_the_fault_of_the_bot(tmp_path: Path) -> None:
    path = tmp_path / "stillborn.py"
    path.write_text(
        "class Bot:\n    def __init__(self, setting, seat, seed):\n        raise RuntimeError('born dead')\n"
    )
    played = arena.play_one(work([f"{path}:Bot", "random", "random"], 1)[0])
    assert played.forfeits == {0: Verdict("crash", "RuntimeError: born dead")}


# ---- trust


def test_a_class_in_a_file_is_not_even_loaded_without_trust(tmp_path: Path) -> None:
    path, loaded = tmp_path / "spy.py", tmp_path / "loaded"
    path.write_text(f"open({str(loaded)!r}, 'w').close()\n{BOTS}")
    bots = [f"{path}:Quiet", "random", "random"]
    (task,) = arena.tasks(GAME, bots, 1, 1, {"seats": 3, "turns": 2}, None)
    assert not task.trust
    with pytest.raises(BotFault, match="Add --trust"):
        arena.play_one(task)
    assert not loaded.exists()
    assert arena.play_one(msgspec.structs.replace(task, trust=True)).forfeits == {}
    assert loaded.exists()


NAMED = """
import json, sys
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "result": break
    print(json.dumps({"type": "ready", "name": %r}) if kind == "hello" else '{"type":"orders","orders":[]}', flush=True)
"""


def named(folder: Path, name: str) -> str:
    folder.mkdir(parents=True)
    (folder / "bot.py").write_text(NAMED % name)
    return str(folder / "bot.py")


def test_programs_go_by_the_names_they_announce(tmp_path: Path) -> None:
    bots = [
        named(tmp_path / "v1", "Falcon"),
        named(tmp_path / "v2", "F\u202ealcon"),
        named(tmp_path / "owl", "settler"),
    ]
    results = arena.run(work(bots, 3, out=tmp_path), 1, nothing)
    assert arena.tally(SEATS, bots, results).names == ("Falcon (v1)", "F alcon (v2)", "settler (owl)")
    read = replay.read(tmp_path / "game-00002.jsonl.gz")
    assert read.header.seats == {"red": "F alcon (v2)", "blue": "settler (owl)", "green": "Falcon (v1)"}


SPY = """
import json, os, sys
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "result": break
    print('{"type":"ready"}' if kind == "hello" else '{"type":"orders","orders":[]}', flush=True)
    print(os.path.exists(%r), file=sys.stderr, flush=True)
"""


@pytest.mark.parametrize("trust", [False, True], ids=["boxed", "trusted"])
def test_a_program_sees_this_machine_only_with_trust(tmp_path: Path, trust: bool) -> None:
    program = tmp_path / "bot" / "spy.py"
    program.parent.mkdir()
    program.write_text(SPY % str(tmp_path))
    bots = [str(program), "random", "random"]
    (task,) = arena.tasks(GAME, bots, 1, 1, {"seats": 3, "turns": 2}, tmp_path, trust=trust)
    assert arena.play_one(task).forfeits == {}
    assert set((tmp_path / "game-00001-red.log").read_text().split()) == {str(trust)}
