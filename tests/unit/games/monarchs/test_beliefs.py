"""What a nation believes agrees with everything that it has seen, and could have come about by the rules."""

from __future__ import annotations

import pytest

from polemos.games.monarchs.beliefs import KEPT, Beliefs
from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.bots import BOTS
from polemos.games.monarchs.game import GAME
from polemos.games.monarchs.rules import turn
from polemos.games.monarchs.rules.beliefs import Desk, agree, dream_up
from polemos.games.monarchs.state import Sheets, State, Work
from polemos.games.monarchs.view import View
from polemos.kernel.dice import Chance, chance_of, derive, number
from polemos.kernel.log import SILENT, Log

pytestmark = pytest.mark.slow

SECONDS = 0.15  # for the beliefs of a turn


def follow(
    names: tuple[str, ...], seed: int, turns: int, mode: str = "online", kept: int = 40
) -> tuple[Beliefs, State, list[View]]:
    """Plays some turns; what red believes in the end, the truth, and all that red saw."""
    state, chance = GAME.setup({"mode": mode}), chance_of(derive(seed, "chance"))
    setting = GAME.setting(state)
    bots = {seat: BOTS[name](setting, seat, number(seed, seat)) for seat, name in zip(NATIONS, names, strict=True)}
    beliefs, views = Beliefs(setting, "red", seed, kept=kept), []
    for _ in range(turns):
        views.append(GAME.observe(state, "red"))
        beliefs.see(views[-1], SECONDS)
        sheets = {seat: GAME.check(state, seat, bots[seat].orders(GAME.observe(state, seat), 0.0)) for seat in NATIONS}
        beliefs.gave([line.order for line in sheets["red"].lines])
        GAME.resolve(state, sheets, chance, Log(limit=8192))
    views.append(GAME.observe(state, "red"))
    beliefs.see(views[-1], SECONDS)
    return beliefs, state, views


@pytest.mark.parametrize(
    ("names", "seed", "turns"),
    [
        (("raider", "holder", "holder"), 1, 5),
        (("steady", "raider", "steady"), 2, 4),
        (("holder", "random", "random"), 3, 4),
    ],
)
def test_every_state_agrees_with_all_that_was_seen(names: tuple[str, ...], seed: int, turns: int) -> None:
    """Each of them is played again from its beginning, by the umpire's rules, and looked at after every turn."""
    beliefs, truth, views = follow(names, seed, turns)
    now = beliefs.past[-1]
    assert 1 <= now.known <= 40
    assert len(beliefs.past) == turns + 2 - beliefs.since
    for last in range(0, now.known, 4):
        ancestors = [last]
        for past in reversed(beliefs.past[1:]):
            assert past.traces is not None
            ancestors.append(past.traces[ancestors[-1]].parent)
        ancestors.reverse()
        state = beliefs.past[0].states[ancestors[0]].copy()
        assert GAME.observe(state, "red") == views[beliefs.since - 1]
        for step, past in enumerate(beliefs.past[1:], start=1):
            assert past.traces is not None
            sheets, chance = Sheets(), Chance()
            trace = past.traces[ancestors[step]]
            dream_up(state, 0, past.sheet, past.seen, trace.key, trace.more, sheets, chance, SILENT, Desk())
            turn.resolve(state, sheets, chance, SILENT, Work())
            assert state == past.states[ancestors[step]]
            assert GAME.observe(state, "red") == views[beliefs.since - 1 + step]
        assert [sum(1 for hex in range(61) if state.owner[hex] == 0)] == [truth_hexes(truth)]


def test_there_are_many_of_them() -> None:
    """From one guess that agrees, others are a march in the fog away. No two of them are the same for long."""
    beliefs, _, views = follow(("steady", "steady", "steady"), 1, 2, kept=KEPT)
    now = beliefs.past[-1]
    assert beliefs.since == 1
    assert now.known >= 400
    assert len({now.states[i].raw() for i in range(now.known)}) > now.known * 4 // 5
    assert now.traces is not None
    assert sum(now.traces[i].more > 0 for i in range(now.known)) > now.known // 2
    for i in range(0, now.known, 17):
        assert GAME.observe(now.states[i], "red") == views[-1]
        trace, sheets, chance = now.traces[i], Sheets(), Chance()
        state = beliefs.past[-2].states[trace.parent].copy()
        dream_up(state, 0, now.sheet, now.seen, trace.key, trace.more, sheets, chance, SILENT, Desk())
        turn.resolve(state, sheets, chance, SILENT, Work())
        assert state == now.states[i]


def truth_hexes(truth: State) -> int:
    return sum(1 for hex in range(61) if truth.owner[hex] == 0)


def test_calm_nations_are_followed_from_the_beginning() -> None:
    beliefs, truth, _ = follow(("holder", "holder", "holder"), 4, 3)
    assert beliefs.since == 1
    assert beliefs.past[-1].known > 5
    for i in range(beliefs.past[-1].known):
        state = beliefs.past[-1].states[i]
        for nation in range(3):  # 1.8 nobody ever leaves the game
            assert _regiments(state, nation) == _regiments(truth, nation)


def _regiments(state: State, nation: int) -> int:
    return sum(state.regiments[hex] for hex in range(61) if state.owner[hex] == nation)


def test_a_nation_may_come_in_the_middle() -> None:
    """Without a past, states agree with the view; the others have the points that they may have."""
    _, truth, views = follow(("raider", "raider", "raider"), 5, 3)
    beliefs = Beliefs(GAME.setting(truth), "red", 1)
    beliefs.see(views[-1], SECONDS)
    assert beliefs.since == 4
    for i in range(beliefs.past[-1].known):
        state = beliefs.past[-1].states[i]
        assert GAME.observe(state, "red") == views[-1]
        assert state.total[1] == 60
    before = beliefs.past[-1]
    beliefs.see(views[-1], SECONDS)
    assert beliefs.past[-1] is before


def test_nothing_is_guessed_where_everything_is_seen() -> None:
    beliefs, truth, _ = follow(("raider", "raider", "raider"), 6, 2, mode="open")
    assert truth in [beliefs.past[-1].states[i] for i in range(beliefs.past[-1].known)]


def test_some_of_many_are_taken() -> None:
    beliefs, _, _ = follow(("holder", "holder", "holder"), 4, 1)
    known = beliefs.past[-1].known
    assert len(beliefs.states(1000, 5)) == known
    assert len(beliefs.states(3, 5)) == min(3, known)


def test_a_sight_that_differs_does_not_agree() -> None:
    state = GAME.setup({})
    one, other = GAME.look(state, "red"), GAME.look(state, "red")
    assert agree(one, other)
    other.regiments[0] += 1
    assert not agree(one, other)
