"""A turn as a show: carrying out all that is shown leads from the board before the turn to the board after it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from polemos.games.monad.game import GAME
from polemos.games.monad.rules import events as kinds
from polemos.games.monad.view import View
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.playing import play
from polemos.kernel.rooms import bots_of
from polemos.kernel.scenes import Op, operations
from polemos.kernel.telling import stages
from polemos.wire import frames

GAMES = [
    ({"turns": 120, "units": 20}, ("overlord", "pathfinder")),
    ({"seats": 4, "turns": 80, "units": 30}, ("overlord", "pathfinder", "streamer", "random")),
    ({"map": "duel", "turns": 60, "base": 1, "slots": "none", "unit_cost": 3, "cost": 10, "defence": 2, "units": 20},
     ("streamer", "overlord")),
]  # fmt: skip

Board = dict[tuple[str, str], Any]  # units, or properties


def board_of(view: View) -> Board:
    """What stands where, by the names that scenes use. Points of buildings are no part of a show."""
    board: Board = {(f"stack {s.owner}", f"{s.x},{s.y}"): s.units for s in view.stacks}
    board |= {(f"building {b.owner}", f"{b.x},{b.y}"): b.direction for b in view.buildings}
    return board | {("ore", f"{ore.x},{ore.y}"): ore.left for ore in view.ore}


def carry_out(board: Board, ops: list[Op]) -> None:
    """One beat: all who move leave before anybody arrives."""
    moves = [op for op in ops if op.op == "move"]
    for op in moves:
        add(board, op.what, op.at, -(op.number or 0))
    for op in moves:
        add(board, op.what, op.to, op.number or 0)
    for op in ops:
        if op.op == "count" or (op.op == "appear" and op.number is not None):
            add(board, op.what, op.at, op.number or 0)
        elif op.op == "appear":
            assert (op.what, op.at) not in board
            board[op.what, op.at] = op.set["direction"]
        elif op.op == "vanish":
            del board[op.what, op.at]
        elif op.op == "change":
            board[op.what, op.at] = op.set["left"]


def add(board: Board, what: str, at: str, number: int) -> None:
    left = board.get((what, at), 0) + number
    assert left >= 0, f"{what} on {at} would be {left}"
    board[what, at] = left
    if not left:
        del board[what, at]


@pytest.fixture(scope="module", params=range(len(GAMES)))
def match(request: pytest.FixtureRequest) -> AnyMatch:
    options, names = GAMES[request.param]
    made = Match(GAME, options, seed=5)
    bots = bots_of(GAME)
    play(made, {seat: bots[name](made.setting, seat, 9) for seat, name in zip(made.seats, names, strict=True)})
    return made


def test_a_scene_leads_from_one_view_to_the_next(match: AnyMatch) -> None:
    done: Counter[str] = Counter()
    for who in (match.seats[0], SPECTATOR, UMPIRE):
        for number in range(1, len(match.steps) + 1):
            before, after = (GAME.observe(match.state_at(n), who) for n in (number - 1, number))
            told, board = match.told_at(number, who), board_of(before)
            for stage in stages(GAME, match.setting, lambda view=before: view, told):  # type: ignore[misc]
                for beat in stage.beats:
                    ops = operations(GAME.chronicle, beat, told)
                    done.update(op.op for op in ops)
                    carry_out(board, ops)
            assert board == board_of(after), f"turn {number}"
    assert {"move", "count", "appear", "change", "flash"} <= set(done)


def test_stages_come_in_the_order_of_the_book(match: AnyMatch) -> None:
    """3.1"""
    book = ["Collide", "Move", "Build", "Mine", "Fight", "Produce"]
    seen = set()
    for number in range(1, len(match.steps) + 1):
        names = [stage.name for stage in frames.frame(match, number, SPECTATOR).stages]
        assert names == [name for name in book if name in names]
        seen.update(names)
    assert {"Move", "Fight", "Produce"} <= seen


def turn_of(position: str, **lists: list[object]) -> AnyMatch:
    match = Match(GAME, position=position)
    for seat, lines in lists.items():
        match.submit(seat, lines)
    match.run()
    return match


# ---- the line that an event came from

FAR = "building red 0,18; building blue 17,0"


def test_events_name_the_line_of_their_seat() -> None:
    match = turn_of(
        f"field 5,5 50; red 5,5 10; blue 9,9 4; stock red 500 blue 0; {FAR}",
        red=["mine 1,1 1", "build 5,5 right 1", "no order", "move 5,5 up 2", "move 5,5 up 1", "mine 5,5 9"],
        blue=["move 9,9 left 4"],
    )
    told = match.told(UMPIRE)
    lines = [(event.kind, GAME.chronicle.seat_of(event), event.line) for event in told]
    # Lines 1 and 3 of red are void. Lines 4 and 5 cross one border together, so the event names the first (4.3).
    assert sorted(lines) == [
        ("cut", "red", 6),
        ("founded", "red", 2),
        ("mined", "red", 6),
        ("moved", "blue", 1),
        ("moved", "red", 4),
    ]


# ---- limits and draws, which bots hardly ever meet


def test_a_full_stack_is_shown_as_it_is() -> None:
    """3.3 Two stacks that are too large together."""
    most = 2**31 - 1
    match = turn_of(f"red 5,5 {most}; red 6,5 7; stock red 0 blue 0; {FAR}", red=["move 6,5 left 7"])
    board = board_of(GAME.observe(match.state_at(0), UMPIRE))
    told = match.told(UMPIRE)
    for stage in stages(GAME, match.setting, lambda: GAME.observe(match.state_at(0), UMPIRE), told):
        for beat in stage.beats:
            carry_out(board, operations(GAME.chronicle, beat, told))
    assert board[("stack red", "5,5")] == most
    assert [(e.at, e.number) for e in GAME.chronicle.those(kinds.capped, told)] == [((5, 5), 7)]
