"""Playouts of Minions: legal sheets, equal luck, and shares of one game."""

from __future__ import annotations

import pytest

from polemos.games.minions.game import GAME
from polemos.games.minions.playouts import PLAYOUTS, orders_in, sheet_of
from polemos.games.minions.search.playouts import Desk, Sheet
from polemos.games.minions.state import MOVE, SIDES, State
from polemos.kernel.log import SILENT
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.playouts import SCRIPTED, WHOLE, Trial
from polemos.kernel.record import Many, many

pytestmark = pytest.mark.slow


def trials_from(state: State, count: int, steps: int) -> Many[Trial]:
    states, trials = many(State, 1), many(Trial, count)
    states[0] = state
    numbers = trials.numbers()
    numbers["sheet"], numbers["steps"], numbers["key"] = SCRIPTED, steps, range(count)
    numbers["script"][:, 0] = [i % len(PLAYOUTS.scripts) for i in range(count)]
    PLAYOUTS.play(states, many(Sheet, 1), trials, 0, count, SILENT, Desk())
    assert states[0] == state, "a playout changes nothing"
    return trials


def test_scripts_and_their_variations_are_legal_and_can_be_read_back() -> None:
    match: AnyMatch = Match(GAME, {"boards": 2, "turns": 8}, seed=4)
    desk, sheet, more = Desk(), Sheet(), many(Sheet, 3)
    while match.outcome is None:
        state, side, step = match.state, match.state.side, len(match.steps)
        PLAYOUTS.ask(state, side, step % len(PLAYOUTS.scripts), step, sheet, desk)
        lines = orders_in(state, side, sheet)
        assert sheet_of(state, side, lines) == sheet
        for i in range(PLAYOUTS.propose(state, side, step, more, desk)):
            assert GAME.check(state, SIDES[side], orders_in(state, side, more[i])).faults == ()
        PLAYOUTS.vary(state, side, step, sheet, more[0], desk)
        assert GAME.check(state, SIDES[side], orders_in(state, side, more[0])).faults == ()
        assert match.submit(SIDES[side], [GAME.write(line) for line in lines]).faults == ()
        match.run()
    assert PLAYOUTS.propose(match.state, 1 - match.state.side, 1, more, desk) == 0, "who waits has nothing to propose"


@pytest.mark.parametrize("boards", [1, 3])
def test_playouts_share_a_game_and_repeat_themselves(boards: int) -> None:
    state = GAME.setup({"boards": boards, "turns": 20}, 1)
    trials = trials_from(state, 6, 5)
    assert all(sum(trials[i].value) == WHOLE for i in range(6))
    assert {trials[i].played for i in range(6)} == {5}
    assert (trials_from(state, 6, 5).numbers() == trials.numbers()).all()
    whole = trials_from(state, 3, 0)
    assert all(whole[i].over for i in range(3))
    assert {whole[i].value[0] for i in range(3)} <= {0, WHOLE // 2, WHOLE}


def test_a_first_sheet_is_used_when_its_side_moves() -> None:
    """Yellow passes, or plays what the script would: the playout is another one."""
    state, desk, sheets = GAME.setup({"boards": 1, "turns": 20}, 1), Desk(), many(Sheet, 2)
    PLAYOUTS.ask(state, 0, 0, 3, sheets[1], desk)
    states, trials = many(State, 1), many(Trial, 2)
    states[0] = state
    for i in range(2):
        trials[i].key, trials[i].steps = 9, 1
        trials[i].sheet[0], trials[i].sheet[1] = i, SCRIPTED
    PLAYOUTS.play(states, sheets, trials, 0, 2, SILENT, desk)
    assert trials[1].value[0] > trials[0].value[0], "to pass is worse"


def test_swaps_and_ticks_become_sheets() -> None:
    state = GAME.setup({"boards": 1}, 1)
    sheet = sheet_of(state, 0, [GAME.read("tick c2-d2 d2-c2"), GAME.read("end"), GAME.read("move c2-c3")])
    assert (sheet.count, sheet.kind[0], sheet.swap[0]) == (1, MOVE, 1)
    assert [GAME.write(order) for order in orders_in(state, 0, sheet)] == ["1 tick c2-d2 d2-c2"]
