"""A turn as a show: carrying out all that is shown leads from the board before the turn to the board after it."""

from __future__ import annotations

import pytest

from polemos.games.monad.game import GAME
from polemos.games.monad.rules import events as kinds
from polemos.games.monad.view import View
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.playing import play as play_match
from polemos.kernel.rooms import bots_of
from polemos.wire import frames
from sceneplayer import Pieces, Show, play

GAMES = [
    ({"turns": 120, "units": 20}, ("overlord", "pathfinder")),
    ({"seats": 4, "turns": 80, "units": 30}, ("overlord", "pathfinder", "streamer", "random")),
    ({"map": "duel", "turns": 60, "base": 1, "slots": "none", "unit_cost": 3, "cost": 10, "defence": 2, "units": 20},
     ("streamer", "overlord")),
]  # fmt: skip


def pieces_of(view: View) -> Pieces:
    """What stands where, by the names that scenes use. Points of buildings are no part of a show."""
    return {
        **{(f"stack {s.owner}", f"{s.x},{s.y}"): {"number": s.units} for s in view.stacks},
        **{(f"building {b.owner}", f"{b.x},{b.y}"): {"direction": b.direction, "points": 0} for b in view.buildings},
        **{("ore", f"{ore.x},{ore.y}"): {"left": ore.left} for ore in view.ore},
    }


@pytest.fixture(scope="module", params=range(len(GAMES)))
def match(request: pytest.FixtureRequest) -> AnyMatch:
    options, names = GAMES[request.param]
    made = Match(GAME, options, seed=5)
    bots = bots_of(GAME)
    play_match(made, {seat: bots[name](made.setting, seat, 9) for seat, name in zip(made.seats, names, strict=True)})
    return made


def test_a_scene_leads_from_one_view_to_the_next(match: AnyMatch) -> None:
    for who in (match.seats[0], SPECTATOR, UMPIRE):
        for number in range(1, len(match.steps) + 1):
            before, after = (GAME.observe(match.state_at(n), who) for n in (number - 1, number))
            show = Show(pieces_of(before))
            play(show, match, number, who)
            assert show.pieces == pieces_of(after), f"turn {number}"


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
    # Lines 1 and 3 of red are void. Lines 4 and 5 cross one border together (4.3): moves come from no single line.
    assert sorted(lines) == [
        ("cut", "red", 6),
        ("founded", "red", 2),
        ("mined", "red", 0),
        ("moved", "blue", 0),
        ("moved", "red", 0),
    ]


# ---- limits and draws, which bots hardly ever meet


def test_a_full_stack_is_shown_as_it_is() -> None:
    """3.3 Two stacks that are too large together."""
    most = 2**31 - 1
    match = turn_of(f"red 5,5 {most}; red 6,5 7; stock red 0 blue 0; {FAR}", red=["move 6,5 left 7"])
    show = Show(pieces_of(GAME.observe(match.state_at(0), UMPIRE)))
    play(show, match, 1, UMPIRE)
    assert show.pieces["stack red", "5,5"] == {"number": most}
    assert [(e.at, e.number) for e in GAME.chronicle.those(kinds.capped, match.told(UMPIRE))] == [((5, 5), 7)]
