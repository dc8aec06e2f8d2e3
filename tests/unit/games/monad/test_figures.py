"""What options and lines tell people beside being lawful: how many units are of use, and what a building takes."""

from __future__ import annotations

from typing import Any

from polemos.games.monad.game import GAME
from polemos.kernel.match import Match

POSITION = (
    "red 5,5 8; red 9,9 30; blue 10,9 3; building red 5,5 right; building blue 10,9 right; "
    "field 5,5 4; field 9,9 7; stock red 250 blue 0"
)


def figures(text: str, *draft: str) -> dict[str, Any]:
    """What is told of an order beside a draft."""
    match = Match(GAME, position=POSITION)
    orders = [GAME.read(line) for line in draft]
    return next(
        option.figures for option in GAME.options(match.setting, match.view("red"), orders) if option.text == text
    )


def test_no_more_units_are_of_use_than_there_is_ore() -> None:
    assert figures("mine 9,9 1") == {"useful": 7}
    assert figures("mine 9,9 1", "mine 9,9 5") == {"useful": 2}
    assert figures("mine 9,9 1", "mine 9,9 5", "mine 9,9 2") == {"useful": 0}
    assert figures("mine 5,5 1", "move 5,5 right 6") == {"useful": 2}


def test_an_empty_tile_may_be_mined_for_nothing() -> None:
    """7.1, 7.2 The order is lawful; its units find nothing."""
    match = Match(GAME, position="red 4,4 3; blue 9,9 1; field 4,4 0")
    sight = GAME.look(match.state, "red")
    assert next(option for option in GAME.lawful(sight) if option.text == "mine 4,4 1").figures == {"useful": 0}


def test_no_more_units_are_of_use_than_count_in_a_building() -> None:
    assert figures("work 5,5 1") == {"useful": 5}
    assert figures("work 5,5 1", "work 5,5 2", "build 5,5 1") == {"useful": 2}
    assert figures("build 9,9 left 1") == {"useful": 1}


def test_a_move_onto_a_foreign_core_tells_what_the_building_takes() -> None:
    assert figures("move 9,9 right 1") == {"needs": 13}
    assert figures("move 9,9 left 1") == {}


def test_lines_onto_one_core_add_up() -> None:
    match = Match(GAME, position=POSITION)
    lines = ["move 9,9 right 5", "move 9,9 left 1", "mine 9,9 3", "move 9,9 right 9"]
    told = GAME.line_figures(match.setting, match.view("red"), [GAME.read(line) for line in lines])
    assert told == [{"needs": 13, "sent": 14}, {}, {}, {"needs": 13, "sent": 14}]


def test_a_line_that_is_cut_sends_what_there_is() -> None:
    """2.5 Of 50 units on a tile with 30, 30 go."""
    match = Match(GAME, position=POSITION)
    told = GAME.line_figures(match.setting, match.view("red"), [GAME.read("move 9,9 right 50")])
    assert told == [{"needs": 13, "sent": 30}]
