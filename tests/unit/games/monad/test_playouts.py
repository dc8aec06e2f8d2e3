"""Scripted players and playouts of Monad: lawful orders in whole games, sound judgements, the same bytes twice."""

from __future__ import annotations

from typing import Any

import pytest

from polemos.games.monad.game import GAME
from polemos.games.monad.playouts import PLAYOUTS, orders_in, sheet_of
from polemos.games.monad.rules.playouts import Desk, Sheet
from polemos.games.monad.rules.policies import POLICIES
from polemos.games.monad.state import SEATS, State
from polemos.kernel.dice import chance_of, derive
from polemos.kernel.log import SILENT, Log
from polemos.kernel.playouts import SCRIPTED, WHOLE, Trial
from polemos.kernel.record import Many, many

OPTIONS: tuple[dict[str, Any], ...] = (
    {"map": "crossing", "turns": 90},
    {"map": "random", "size": "8x11", "obstacles": "many", "turns": 60, "units": 3},
    {"map": "random", "size": "12x12", "seats": 4, "obstacles": "few", "turns": 60},
    {"map": "duel", "turns": 40, "base": 1, "slots": "none", "unit_cost": 3, "cost": 30, "defence": 2, "units": 20},
    {"map": "random", "size": "9x9", "seats": 3, "stock": 0, "units": 5, "turns": 40},
)


def trials_of(start: State, steps: int, scripts: list[tuple[int, ...]]) -> Many[Trial]:
    """Playouts from a state, one for each line-up of scripts."""
    states, trials = many(State, 1), many(Trial, len(scripts))
    states[0] = start
    for i, line_up in enumerate(scripts):
        trials[i].key, trials[i].steps = 7 + i, steps
        for seat in range(4):
            trials[i].sheet[seat] = SCRIPTED
            trials[i].script[seat] = line_up[seat % len(line_up)]
    PLAYOUTS.play(states, many(Sheet, 1), trials, 0, len(trials), SILENT, Desk())
    return trials


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_scripts_give_lawful_orders_in_whole_games(options: dict[str, Any]) -> None:
    """Every script sits in every seat; nothing on its lists is void, nor on lists made of them."""
    desk, sheet, more = Desk(), Sheet(), many(Sheet, 3)
    state = GAME.setup(options, 1)
    while GAME.outcome(state) is None:
        sheets = {}
        for seat, name in enumerate(GAME.seats(state)):
            script = (seat + state.turn // 15) % len(PLAYOUTS.scripts)
            PLAYOUTS.ask(state, seat, script, 5 + seat, sheet, desk)
            lines = orders_in(state, seat, sheet)
            sheets[name] = GAME.check(state, name, lines)
            assert sheets[name].faults == (), (state.turn, name)
            assert sheet_of(state, seat, lines) == sheet, "and back"
            if state.turn % 10 == 9:
                made = PLAYOUTS.propose(state, seat, state.turn, more, desk)
                PLAYOUTS.vary(state, seat, state.turn, sheet, more[0], desk)
                for i in range(made):
                    assert GAME.check(state, name, orders_in(state, seat, more[i])).faults == (), (state.turn, name, i)
        GAME.resolve(state, sheets, chance_of(derive(1)), Log(limit=1 << 14))
    assert state.turn > 10


def test_two_sites_side_by_side_are_one_building() -> None:
    """5.3 Both were picked in the same turn; the first building takes the room of the second."""
    state, desk, sheet = GAME.setup({"map": "crossing", "turns": 70}, 0), Desk(), Sheet()
    while GAME.outcome(state) is None:
        sheets = {}
        for seat, name in enumerate(GAME.seats(state)):
            PLAYOUTS.ask(state, seat, PLAYOUTS.scripts.index("settler"), seat, sheet, desk)
            sheets[name] = GAME.check(state, name, orders_in(state, seat, sheet))
            assert sheets[name].faults == (), (state.turn, name)
        GAME.resolve(state, sheets, chance_of(derive(1)), Log(limit=1 << 14))


def test_playouts_share_one_game_among_the_seats() -> None:
    for options in OPTIONS:
        start = GAME.setup(options, 2)
        each = len(PLAYOUTS.scripts)
        trials = trials_of(start, 20, [(i, (i + 1) % each) for i in range(each)])
        for i in range(each):
            values = [trials[i].value[seat] for seat in range(start.seats)]
            assert sum(values) == WHOLE
            if not trials[i].over:
                assert all(0 < value < WHOLE for value in values), "while a game goes on nobody has lost it"


def test_a_playout_to_the_end_is_won_by_the_winner() -> None:
    start = GAME.setup({"map": "duel", "turns": 50}, 0)
    trials = trials_of(start, 0, [(0, 3), (3, 0), (0, 0)])
    for i in range(3):
        assert trials[i].over == 1
        assert sorted((trials[i].value[0], trials[i].value[1])) in ([0, WHOLE], [WHOLE // 2, WHOLE // 2])


def test_whoever_has_more_is_judged_better() -> None:
    text = "size 8x8; red 1,1 {}; building red 1,1; blue 6,6 10; building blue 6,6 left; stock red 0 blue 0"
    shares = [trials_of(GAME.read_position(text.format(units)), 1, [(1, 1)])[0].value[0] for units in (3, 10, 40)]
    assert shares[0] < shares[1] < shares[2]
    assert abs(shares[1] - WHOLE // 2) < WHOLE // 10


def test_the_same_key_gives_the_same_playout() -> None:
    start = GAME.setup({"map": "crossing"}, 0)
    one, two = (trials_of(start, 40, [(0, 2), (2, 0)]) for _ in range(2))
    assert one.numbers().tobytes() == two.numbers().tobytes()


def test_nobody_orders_without_a_seat_in_the_game() -> None:
    state, sheet, desk = GAME.setup({"map": "crown"}, 0), Sheet(), Desk()
    GAME.forfeit(state, SEATS[2], Log())
    PLAYOUTS.ask(state, 2, 0, 1, sheet, desk)
    assert sheet.count == 0
    PLAYOUTS.ask(state, 1, 0, 1, sheet, desk)
    assert sheet.count > 0


def test_scripts_are_the_policies_of_batches() -> None:
    assert ("random", *PLAYOUTS.scripts) == POLICIES


def test_a_late_war_on_the_largest_map_has_orders_for_every_stack() -> None:
    """A sheet once ended after 1024 lines, in reading order: the first player's front got none."""
    state, sheet = GAME.setup({"map": "continent"}, 1), Sheet()
    stacks = 0
    for tile in range(state.width * state.height):
        cell = state.cell[tile]
        if cell.ore > 0 and cell.units == 0 and stacks < 3000:
            cell.units, cell.owner = 1, 0
            stacks += 1
    state.units[0] += stacks
    PLAYOUTS.ask(state, 0, PLAYOUTS.scripts.index("holder"), 1, sheet, Desk())
    lines = orders_in(state, 0, sheet)
    assert len(lines) >= stacks
    assert GAME.check(state, "red", lines).faults == ()
