"""Playouts of Minions: legal sheets, equal luck, and shares of one game."""

from __future__ import annotations

from math import log as log_of
from typing import Any

import pytest

from polemos.games.minions.game import GAME
from polemos.games.minions.playouts import JUDGEMENT, PLAYOUTS, describe, orders_in, sheet_of
from polemos.games.minions.rules.pieces import owner_of
from polemos.games.minions.search.judging import FEATURES, kind_of
from polemos.games.minions.search.playouts import Desk, Sheet, judge
from polemos.games.minions.state import HEXES, MOVE, SIDES, State
from polemos.kernel.dice import chance_of, derive
from polemos.kernel.judgement import Facts, furnish
from polemos.kernel.log import SILENT, Log
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.playouts import SCRIPTED, WHOLE, Trial
from polemos.kernel.record import Many, many

pytestmark = pytest.mark.slow


def learned_desk() -> Desk:
    desk = Desk()
    furnish(JUDGEMENT, desk)
    return desk


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


@pytest.mark.parametrize("options", [{"boards": 1}, {"boards": 3}, {"boards": 2, "rules": "umi-2025"}])
def test_what_is_said_of_a_position_is_said_to_both_sides_alike(options: dict[str, Any]) -> None:
    """A column of one side is that of the other, seen from there; and what is plain on the board is right."""
    state, names, desk = GAME.setup({**options, "turns": 24}, 3), list(FEATURES), learned_desk()
    sheet, log, chance = Sheet(), Log(limit=1 << 14), chance_of(derive(3, "chance"))
    for step in range(12):
        seen = []
        for side in range(2):
            facts = Facts()
            describe(state, side, facts, desk)
            seen.append(dict(zip(names, facts.of, strict=False)))
        one, other = seen
        for name in names:
            if name.startswith("own "):
                assert one[name] == other["other" + name[3:]]
                assert other[name] == one["other" + name[3:]]
        assert one["moves"] == -other["moves"] == (1 if state.side == 0 else -1)
        assert (one["kills"], one["killed"]) == (other["killed"], other["kills"])
        assert abs(one["rich"] + other["rich"] - 1000) <= 1 >= abs(one["paid"] + other["paid"] - 1000)
        assert one["boards"] == options["boards"]
        assert one["own needed"] == state.to_win - state.points[0]
        pieces = [state.board[at].hex[hex].piece for at in range(state.boards) for hex in range(HEXES)]
        assert one["own units"] == sum(piece != 0 and owner_of(piece) == 0 for piece in pieces)
        mover = state.side
        PLAYOUTS.ask(state, mover, step % len(PLAYOUTS.scripts), step, sheet, desk)
        GAME.resolve(
            state, {SIDES[mover]: GAME.check(state, SIDES[mover], orders_in(state, mover, sheet))}, chance, log
        )


def test_kinds_of_matches_have_weights_of_their_own() -> None:
    many_of: list[dict[str, Any]] = [
        {"boards": 1},
        {"boards": 5},
        {"boards": 1, "rules": "umi-2025"},
        {"boards": 5, "rules": "umi-2025"},
    ]
    assert [kind_of(GAME.setup(options, 1)) for options in many_of] == [0, 1, 2, 3]
    nets = learned_desk().nets
    assert all(nets[kind].features == len(FEATURES) for kind in range(4)), "all of them were learned"


@pytest.mark.parametrize("boards", [1, 3])
def test_what_was_learned_foretells_the_winner_better_than_the_values_of_boards(boards: int) -> None:
    """In the second halves of games between scripts, as a log loss in nats; the shares are those of one game."""
    learned, by_hand, sheet = learned_desk(), Desk(), Sheet()
    lost = {"learned": 0.0, "by hand": 0.0}
    count = 0
    for game in range(8):
        state, log, chance = GAME.setup({"boards": boards}, game), Log(limit=1 << 14), chance_of(derive(game, "chance"))
        told: list[tuple[int, int]] = []
        while (outcome := GAME.outcome(state)) is None:
            mover = state.side
            told.append((judge(state, 0, learned), judge(state, 0, by_hand)))
            assert judge(state, 1, learned) == WHOLE - told[-1][0]
            PLAYOUTS.ask(state, mover, (game + mover) % len(PLAYOUTS.scripts), len(told), sheet, learned)
            orders = GAME.check(state, SIDES[mover], orders_in(state, mover, sheet))
            GAME.resolve(state, {SIDES[mover]: orders}, chance, log)
        for shares in told[len(told) // 2 :]:
            count += 1
            for how, share in zip(lost, shares, strict=True):
                right = share if outcome.winner == SIDES[0] else WHOLE - share
                lost[how] -= log_of(max(right / WHOLE, 1e-3))
    assert lost["learned"] / count < log_of(2)
    assert lost["learned"] < lost["by hand"]
