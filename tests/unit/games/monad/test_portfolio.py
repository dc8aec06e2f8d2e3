"""The habits that `champion` of Monad chooses among: those that win are found, and equal clocks find the same."""

from __future__ import annotations

from math import inf

import pytest

from polemos.games.monad.bots.champion import CROWD, DUEL, WARY, rows_for, rows_of
from polemos.games.monad.bots.portfolio import EARLY, FIRST, KEPT, LATE, SHARE, WEIGHT, Portfolio, units_for
from polemos.games.monad.game import GAME
from polemos.games.monad.playouts import NEVER, PLAYOUTS, orders_in
from polemos.games.monad.rules.minds import COLUMNS, GUESTS, HABITS, TRAITS
from polemos.games.monad.rules.playouts import Sheet
from polemos.games.monad.rules.policies import POLICIES, habits_of
from polemos.games.monad.state import State
from polemos.kernel.dice import chance_of, derive
from polemos.kernel.log import Log

pytestmark = pytest.mark.slow

HOME = {"brave": NEVER, "press": NEVER, "sure": 0, "most": 1}


def grown(turns: int) -> State:
    """A duel in which nobody goes to war: both have many units and few buildings."""
    state, sheet, portfolio = (
        GAME.setup({"map": "duel", "units": 8}, 1),
        Sheet(),
        Portfolio(0, 1, [habits_of("lord")], 3),
    )
    for _ in range(turns):
        sheets = {}
        for seat, name in enumerate(GAME.seats(state)):
            PLAYOUTS.ask(state, seat, PLAYOUTS.scripts.index("holder"), 5, sheet, portfolio.desk)
            sheets[name] = GAME.check(state, name, orders_in(state, seat, sheet))
        GAME.resolve(state, sheets, chance_of(derive(1)), Log(limit=1 << 14))
    return state


@pytest.mark.parametrize(
    ("seats", "tiles", "script"),
    [(2, 64, "settler"), (2, 4096, "settler"), (3, 400, "settler"), (4, 400, "pioneer"), (4, 1600, "settler")],
)
def test_every_row_has_all_habits_and_a_place(seats: int, tiles: int, script: str) -> None:
    rows = rows_for(seats, tiles)
    assert len(rows) < GUESTS, "there are places for changes"
    assert {len(row) for row in rows} == {len(TRAITS)} == {COLUMNS}
    first = rows_of(script, ({} if seats == 2 else WARY,))[0]
    assert rows[0] == first, "the script is the floor; with several rivals, one that guards its cores better"
    assert list(habits_of(script)) in rows
    assert len({tuple(row) for row in rows}) == len(rows)
    assert all(name in TRAITS for changes in (DUEL, CROWD) for change in changes for name in change)
    assert len(POLICIES) == HABITS + 1


def test_it_finds_the_habits_that_win() -> None:
    """One who only stands around with all units is worth less than `settler`."""
    state = grown(40)
    rows = rows_of("settler", (HOME, {}))
    portfolio = Portfolio(0, 1, rows, 3)
    portfolio.look(state, inf)
    assert portfolio.tried >= len(rows)
    assert portfolio.row != tuple(rows[0])
    at = (HABITS + portfolio.chosen) * COLUMNS
    assert tuple(portfolio.desk.mind.temper[at + column] for column in range(COLUMNS)) == portfolio.row, (
        "what is chosen is what the script plays"
    )


def test_it_changes_the_habits_that_it_was_given() -> None:
    state, rows = grown(40), rows_of("settler", DUEL)
    portfolio = Portfolio(0, 1, rows, 3)
    tried = set()
    for _ in range(12):
        portfolio.look(state, 10.0)
        tried |= {member.row for member in portfolio.members if member.worlds}
    given = {tuple(row) for row in rows}
    assert given < tried, "all that it was given had a turn"
    assert len(portfolio.members) <= GUESTS
    assert len({member.place for member in portfolio.members}) == len(portfolio.members)
    for row in tried - given:
        usual = [{one[column] for one in given} for column in range(COLUMNS)]
        assert all(value in usual[column] or value in PLAYOUTS.choices[column] for column, value in enumerate(row)), (
            "every value is one that is worth trying"
        )


def test_it_saves_its_time_where_the_game_is_won() -> None:
    state = grown(40)
    for tile in range(state.width * state.height):
        if state.cell[tile].owner == 1:
            state.units[1] -= state.cell[tile].units
            state.cell[tile].units = 0
    portfolio = Portfolio(0, 1, rows_of("settler", DUEL), 3)
    spent = []
    for _ in range(3):
        before = portfolio.tried
        portfolio.look(state, 2.0)
        spent.append(portfolio.tried - before)
    assert 0 < spent[2] <= spent[0] / 3


def test_more_time_is_used() -> None:
    state, spent = grown(40), []
    for seconds in (0.012, 0.12):
        portfolio = Portfolio(0, 1, rows_of("settler", DUEL), 3)
        portfolio.look(state, KEPT + SHARE * seconds)
        spent.append(portfolio.tried)
    assert 0 < 5 * spent[0] < spent[1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_building_is_worth_more_the_longer_the_war(seats: int) -> None:
    late, weight = LATE[seats > 2], WEIGHT[seats > 2]
    assert units_for(seats, ore=5000, units=50, buildings=5) == EARLY
    assert EARLY < units_for(seats, ore=600, units=100, buildings=5) < late
    assert units_for(seats, ore=0, units=100, buildings=5) == late
    assert units_for(seats, ore=0, units=80_000, buildings=160) == weight * 500


def test_equal_clocks_give_equal_choices() -> None:
    state, found = grown(FIRST + 4), []
    for _ in range(2):
        portfolio = Portfolio(1, 7, rows_of("settler", DUEL), 3)
        for _ in range(3):
            portfolio.look(state, 2.0)
        found.append((portfolio.chosen, portfolio.tried))
    assert found[0] == found[1]
    assert found[0][1] > 0


def test_without_time_it_plays_its_first_habits() -> None:
    portfolio = Portfolio(0, 1, rows_of("settler", DUEL), 3)
    portfolio.look(grown(FIRST + 4), 0.0)
    assert (portfolio.chosen, portfolio.tried, portfolio.script) == (0, 0, HABITS)
