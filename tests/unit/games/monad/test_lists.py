"""1.8 sight, 2.9 length of lists, 3.3 limits in a whole match, and the known exploits, dead."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from polemos.games.monad.game import GAME
from polemos.kernel.errors import NotationError
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.playing import play

FAR = "building red 0,18; building blue 17,0; stock red 0 blue 0"


def turn_of(position: str, **lists: list[object]) -> AnyMatch:
    match = Match(GAME, position=f"{position}; {FAR}")
    for seat, lines in lists.items():
        match.submit(seat, lines)
    match.run()
    return match


def stacks(match: AnyMatch) -> set[str]:
    return {f"{s.owner} {s.x},{s.y} {s.units}" for s in match.view(UMPIRE).stacks}


def void(match: AnyMatch, seat: str) -> dict[int, str]:
    return {fault.line: fault.rule for fault in match.steps[-1].faults.get(seat, ())}


# ---- 1.8


def test_everybody_sees_the_same_and_all_of_it() -> None:
    match = Match(GAME, {"seats": 4, "units": 9}, seed=3)
    for seat in match.seats:
        match.submit(seat, [option.text for option in GAME.options(match.setting, match.view(seat))[:1]])
    match.run()
    views = {who: match.view(who) for who in (*match.seats, SPECTATOR, UMPIRE)}
    assert len({msgspec.json.encode(msgspec.structs.replace(view, who="")) for view in views.values()}) == 1
    assert set(views["red"].stock) == set(match.seats)
    assert len({tuple(map(GAME.chronicle.words, match.told(who))) for who in views}) == 1


def test_a_view_does_not_tell_the_orders_of_the_turn() -> None:
    match = Match(GAME, seed=3)
    before = {who: msgspec.json.encode(match.view(who)) for who in (*match.seats, SPECTATOR)}
    match.submit("red", ["build 1,1"])
    assert {who: msgspec.json.encode(match.view(who)) for who in before} == before


def test_a_view_holds_only_tiles_that_are_not_empty_or_have_changed() -> None:
    match = Match(GAME, {"units": 3}, seed=3)
    assert match.view("red").ore == ()
    assert len(match.view("red").stacks) == 2
    match.submit("red", ["mine 1,1 1", "move 1,1 right 1"])
    match.run()
    assert [(ore.x, ore.y) for ore in match.view("blue").ore] == [(1, 1)]
    assert match.view("blue").ore[0].left == match.setting.ore[1][1] - 1


# ---- 2.9


def test_six_lines_a_tile_count_and_no_more() -> None:
    most = 6 * 8 * 9
    lines = ["mine 1,1 1"] * (most - 1) + ["move 2,2 right 1", "move 3,3 right 1", "move 4,4 right 1"]
    position = f"size 8x9; red 1,1 {most}; red 2,2 1; red 3,3 1; red 4,4 1; blue 6,7 1; building red 0,6"
    match = Match(GAME, position=position)
    sheet = match.submit("red", lines)
    match.run()
    assert {"red 3,2 1", "red 3,3 1", "red 4,4 1"} <= stacks(match)
    assert [(fault.line, fault.rule) for fault in sheet.faults] == [(most + 1, "2.9"), (most + 2, "2.9")]


@pytest.mark.parametrize("answer", [None, 7, 1.5, b"bytes", object(), {"order": "mine"}])
def test_what_is_no_list_is_empty(answer: Any) -> None:
    class Odd:
        def orders(self, view: Any, time_left: float) -> Any:
            return answer

    match = Match(GAME, {"turns": 2}, seed=1)
    with pytest.raises(NotationError):
        match.submit("red", answer)
    play(match, {"red": Odd(), "blue": Odd()})
    assert match.steps[0].orders == {"red": None, "blue": None}
    assert match.outcome is not None
    assert match.outcome.winner is None


def test_a_flood_of_lines_is_read_to_the_limit_only() -> None:
    match = Match(GAME, {"map": "duel"}, seed=1)
    sheet = match.submit("red", ["?"] * 1_000_000)
    assert len(sheet.lines) < 1100
    assert all(line.fault for line in sheet.lines)


# ---- the exploits of older programs


def test_one_unit_mines_once() -> None:
    match = turn_of("field 5,5 9; red 5,5 1", red=["mine 5,5 1"] * 3)
    assert match.view(UMPIRE).stock["red"] == 1
    assert void(match, "red") == {2: "2.6", 3: "2.6"}


def test_no_unit_travels_two_tiles() -> None:
    match = turn_of("red 5,5 1", red=["move 5,5 right 1", "move 6,5 right 1", "move 7,5 right 1"])
    assert stacks(match) == {"red 6,5 1"}
    assert void(match, "red") == {2: "2.3", 3: "2.3"}


def test_nobody_moves_and_mines_at_the_target() -> None:
    match = turn_of("field 6,5 9; red 5,5 1", red=["move 5,5 right 1", "mine 6,5 1"])
    assert match.view(UMPIRE).stock["red"] == 0


def test_a_phantom_army_collides_as_what_it_is() -> None:
    match = turn_of("red 5,5 50; blue 6,5 1", red=["move 5,5 right 50"], blue=["move 6,5 left 1000"])
    assert stacks(match) == {"red 6,5 49"}


def test_nobody_orders_the_units_of_another() -> None:
    match = turn_of(
        "field 5,5 50; red 5,5 50; blue 9,9 1", red=["mine 5,5 50"], blue=["mine 5,5 50", "move 5,5 up 50", "build 5,5"]
    )
    assert stacks(match) == {"red 5,5 50", "blue 9,9 1"}
    assert match.view(UMPIRE).stock == {"red": 50, "blue": 0}
    assert void(match, "blue") == {1: "2.3", 2: "2.3", 3: "2.3"}


@pytest.mark.parametrize("number", [1.5, 1.0, 0, -1, True, "2", None, [2], {"n": 2}, float("inf"), float("nan")])
def test_a_count_is_a_whole_number(number: object) -> None:
    order = {"order": "move", "x": 5, "y": 5, "number": number, "direction": "right"}
    match = turn_of("field 5,5 9; red 5,5 4", red=[order])
    assert stacks(match) == {"red 5,5 4"}
    assert match.view(UMPIRE).stock["red"] == 0, "nobody mines without an order"
    assert void(match, "red") == {1: "2.4"}


@pytest.mark.parametrize(
    "order",
    [
        {"order": "move", "x": 10**9, "y": 5, "number": 1, "direction": "right"},
        {"order": "move", "x": -1, "y": 5, "number": 1, "direction": "right"},
        {"order": "move", "x": 20, "y": 19, "number": 1, "direction": "right"},
        {"order": "move", "x": 5, "y": 5, "number": 1, "direction": "sideways"},
        {"order": "move", "x": 5, "y": 5, "number": 1, "direction": 3},
        {"order": "build", "x": 64, "y": 64, "number": 1},
        "move 5,5 sideways 1",
        "move 999999,999999 right 1",
        "mine -0,-0 1",
    ],
)
def test_a_bad_tile_or_direction_stops_nobody(order: object) -> None:
    match = turn_of("red 5,5 1; blue 9,9 1", red=[order], blue=["move 9,9 up 1"])
    assert stacks(match) == {"red 5,5 1", "blue 9,8 1"}
    assert void(match, "red")


def test_an_order_for_nothing_makes_nobody_mine() -> None:
    match = turn_of("field 5,5 9; red 5,5 4", red=["move 5,5 right 1"])
    assert match.view(UMPIRE).stock["red"] == 0


# ---- 3.3


def test_stacks_and_stock_never_exceed_their_limit() -> None:
    most = 2**31 - 1
    position = f"field 5,5 9; red 5,5 {most}; red 6,5 {most}; building red 9,9; red 9,9 {most}; slots none; unit_cost 1"
    match = Match(GAME, position=f"{position}; stock red {most - 3} blue 0; blue 1,1 1")
    match.submit("red", ["mine 5,5 9", f"move 6,5 left {most}", f"work 9,9 {most}"])
    match.run()
    assert stacks(match) == {f"red 5,5 {most}", f"red 9,9 {most}", "blue 1,1 1"}
    assert match.view(UMPIRE).stock["red"] == most
    assert match.view(UMPIRE).units["red"] == 2 * most
    told: list[Any] = list(match.told(UMPIRE))
    capped = [(event.at, event.number) for event in told if event.rule == "3.3"]
    assert sorted(capped, key=str) == [((5, 5), most), ((9, 9), most), (None, 6)]
