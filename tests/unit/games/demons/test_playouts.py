"""Playouts of Demons: lawful sheets, equal luck, shares of one game, and scripts that play like the bots."""

from __future__ import annotations

import pytest

from polemos.games.demons.game import GAME
from polemos.games.demons.playouts import PLAYOUTS
from polemos.games.demons.rules.playouts import Desk, judge
from polemos.games.demons.state import PLAYERS, REASONS, State
from polemos.games.demons.state import Order as Sheet
from polemos.kernel.dice import chance_of, derive
from polemos.kernel.log import SILENT, Log
from polemos.kernel.playouts import SCRIPTED, WHOLE, Trial
from polemos.kernel.record import Many, many
from polemos.search.habits import Habits

pytestmark = pytest.mark.slow

OPTIONS = (
    {"map": "hourglass"},
    {"map": "pinwheel", "rules": "finals-2025"},
    {"map": "long-march", "decisions": "two"},
)


def played(options: dict[str, str], steps: int) -> list[State]:
    """States of a game in which all scripts take turns; every sheet of theirs is lawful."""
    state, desk, chance = GAME.setup(options, 1), PLAYOUTS.desk(), chance_of(derive(1, "chance"))
    states = []
    for step in range(steps):
        sheets = {}
        for player in range(2):
            for script in range(len(PLAYOUTS.scripts)):
                sheet = Sheet()
                PLAYOUTS.ask(state, player, script, step, sheet, desk)
                lines = PLAYOUTS.orders(state, player, sheet)
                checked = GAME.check(state, PLAYERS[player], lines)
                assert checked.faults == ()
                assert PLAYOUTS.enter(state, player, lines) == sheet
                if script == step // 10 % len(PLAYOUTS.scripts):
                    sheets[PLAYERS[player]] = checked
        GAME.resolve(state, sheets, chance, Log(limit=8192))
        if GAME.outcome(state) is not None:
            break
        states.append(state.copy())
    return states


def trials_from(count: int, steps: int) -> Many[Trial]:
    trials = many(Trial, count)
    numbers = trials.numbers()
    numbers["sheet"], numbers["steps"], numbers["key"] = SCRIPTED, steps, range(count)
    return trials


@pytest.mark.parametrize("options", OPTIONS)
def test_all_candidates_are_lawful(options: dict[str, str]) -> None:
    desk, sheets, to = PLAYOUTS.desk(), many(Sheet, 64), Sheet()
    states = played(options, 150)
    assert len(states) > 60
    for state in states[::15]:
        for player in range(2):
            count = PLAYOUTS.propose(state, player, 3, sheets, desk)
            assert len({sheets[i].raw() for i in range(count)}) == count > 0
            for i in range(count):
                lines = PLAYOUTS.orders(state, player, sheets[i])
                assert GAME.check(state, PLAYERS[player], lines).faults == ()
                PLAYOUTS.vary(state, player, i, sheets[i], to, desk)
                assert GAME.check(state, PLAYERS[player], PLAYOUTS.orders(state, player, to)).faults == ()


@pytest.mark.parametrize("options", OPTIONS)
def test_playouts_share_a_game_and_change_nothing(options: dict[str, str]) -> None:
    state = played(options, 30)[-1]
    states = many(State, 1)
    states[0] = state
    trials = trials_from(14, 40)
    numbers = trials.numbers()
    numbers["script"][:, 0] = [i % 8 for i in range(14)]
    PLAYOUTS.play(states, many(Sheet, 1), trials, 0, 14, SILENT, PLAYOUTS.desk())
    assert states[0] == state
    assert all(sum(trials[i].value) == WHOLE for i in range(14))
    again = trials_from(14, 40)
    again.numbers()["script"] = numbers["script"]
    PLAYOUTS.play(states, many(Sheet, 1), again, 0, 14, SILENT, PLAYOUTS.desk())
    assert (again.numbers() == numbers).all()


def test_a_playout_is_played_by_the_rules() -> None:
    """Step by step the same game as the umpire's, sheets being given by the same script."""
    state = GAME.setup({"map": "skirmish", "turns": 120}, 1)
    states, desk, other = many(State, 1), Desk(), Desk()
    for _ in range(60):
        if GAME.outcome(state) is not None:
            break
        states[0] = state
        trials = trials_from(1, 1)
        trials[0].script[1] = 5
        PLAYOUTS.play(states, many(Sheet, 1), trials, 0, 1, SILENT, desk)
        sheets = {}
        for player, script in ((0, 0), (1, 5)):
            sheet = Sheet()
            PLAYOUTS.ask(state, player, script, 0, sheet, other)
            lines = PLAYOUTS.orders(state, player, sheet)
            sheets[PLAYERS[player]] = GAME.check(state, PLAYERS[player], lines)
        GAME.resolve(state, sheets, desk.chance, Log(limit=8192))
        assert desk.state.raw() == state.raw()


def test_the_judgement_knows_who_has_more() -> None:
    state = GAME.setup({"map": "hourglass"}, 1)
    assert judge(state, 0) == judge(state, 1) == pytest.approx(WHOLE / 2, abs=2)
    state.gold[0] += 50
    assert judge(state, 0) > WHOLE // 2 > judge(state, 1)
    state.gold[0] -= 50
    state.health[1] = 10
    assert judge(state, 0) > WHOLE // 2
    state.winner, state.reason = 1, 1
    lost, won = judge(state, 0), judge(state, 1)
    assert lost + won == WHOLE
    assert 0 <= lost <= WHOLE // 10
    state.turn = 500
    assert judge(state, 0) > lost, "whoever is beaten late has done better"


def test_a_small_lead_in_gold_is_seen_at_the_end() -> None:
    """Of fifty thousand pieces a hundred decide a classic game, and whoever lost by them should see them shrink."""
    state = GAME.setup({"map": "hourglass"}, 1)
    state.turn, state.winner, state.reason = state.turns, 1, REASONS.index("more gold")
    seen = []
    for gold in (40000, 49900, 49990, 49999):
        state.gold[0], state.gold[1] = gold, 50000
        seen.append(judge(state, 0))
        assert judge(state, 0) + judge(state, 1) == WHOLE
    assert seen == sorted(set(seen))
    assert seen[-1] < WHOLE // 10


def test_a_script_is_known_by_what_it_orders() -> None:
    """Whoever orders as a script does becomes more likely to be it than to be any other."""
    state, desk, chance = GAME.setup({"map": "pinwheel"}, 1), PLAYOUTS.desk(), chance_of(derive(1, "chance"))
    habits, rusher = Habits(PLAYOUTS, 0, 5), PLAYOUTS.scripts.index("rusher")
    for step in range(80):
        habits.watch(state)
        sheets = {}
        for player, script in ((0, 0), (1, rusher)):
            sheet = Sheet()
            PLAYOUTS.ask(state, player, script, step, sheet, desk)
            sheets[PLAYERS[player]] = GAME.check(state, PLAYERS[player], PLAYOUTS.orders(state, player, sheet))
        GAME.resolve(state, sheets, chance, Log(limit=8192))
    gained = [now / before for now, before in zip(habits.model(state)[1], PLAYOUTS.likely, strict=True)]
    assert gained.index(max(gained)) == rusher


def test_other_traits_make_another_player() -> None:
    states, trials = many(State, 1), trials_from(2, 200)
    states[0] = GAME.setup({"map": "hourglass"}, 1)
    usual, frugal = Desk(), Desk()
    row = dict(zip(PLAYOUTS.traits, [0] * len(PLAYOUTS.traits), strict=True)) | {"houses": 3, "every": 3, "more": 99}
    assert PLAYOUTS.set_traits is not None
    PLAYOUTS.set_traits(states[0], frugal, 0, tuple(row.values()))
    houses = []
    for desk in (usual, frugal):
        PLAYOUTS.play(states, many(Sheet, 1), trials, 0, 1, SILENT, desk)
        end = desk.state
        houses.append(sum(end.tower[i].owner == 0 and end.tower[i].kind == 0 for i in range(end.towers)))
    assert houses[1] <= 4 < houses[0]


def test_the_compiled_keeper_begins_as_the_bot_does() -> None:
    """A house, as `keeper` builds."""
    state, sheet = GAME.setup({"map": "long-march"}), Sheet()
    PLAYOUTS.ask(state, 0, PLAYOUTS.scripts.index("keeper"), 1, sheet, PLAYOUTS.desk())
    assert [GAME.write(order).split()[:2] for order in PLAYOUTS.orders(state, 0, sheet)] == [["build", "house"]]
