"""Every offered line is lawful, every lawful line is offered, and what lies in the fog makes no difference."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from polemos.games.monarchs.board import INDEX, NAMES, NATIONS
from polemos.games.monarchs.game import GAME
from polemos.games.monarchs.notation import Bless, March, Order
from polemos.games.monarchs.state import State
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.match import Match
from polemos.kernel.playing import play
from polemos.kernel.rooms import bots_of

AUDIENCES = (*NATIONS, SPECTATOR, UMPIRE)


def positions(mode: str = "online") -> Iterator[State]:
    """Positions of two whole games of bots, from the first to the one after the end."""
    for seed in range(2):
        match = Match(GAME, {"turns": 5, "mode": mode}, seed=seed)
        makers = bots_of(GAME)
        play(match, {seat: makers["random" if seed else "steady"](match.setting, seat, seed) for seat in match.seats})
        yield from match.history


def all_lines(nation: str, state: State) -> list[Order]:
    """Every line that can be written: all pairs of hexes, numbers around what stands there, all blessings."""
    found: list[Order] = []
    for origin in NAMES:
        stands = state.regiments[INDEX[origin]]
        for target in NAMES:
            found += [March(origin, target, number) for number in {1, max(1, stands), stands + 1}]
    return [*found, *(Bless(name) for name in NAMES)]


def drafts(state: State, nation: str, chance: random.Random) -> list[list[Order]]:
    """No draft, a blessing with one march, and the first marches of a whole list."""
    offered = [GAME.read(option.order) for option in GAME.lawful(GAME.look(state, nation))]
    marches = [order for order in offered if isinstance(order, March)]
    some = chance.sample(marches, min(3, len(marches)))
    return [[], [Bless("A5"), *some[:1]], [*some]]


def is_lawful(state: State, nation: str, draft: Sequence[Order], line: Order) -> bool:
    return GAME.judge(state, nation, [*draft, line])[-1] is None


@pytest.mark.slow
def test_offered_lines_are_lawful_and_lawful_lines_are_offered() -> None:
    chance = random.Random(1)
    seen = 0
    for state in list(positions())[::3]:
        for nation in GAME.to_act(state):
            for draft in drafts(state, nation, chance):
                if any(error for error in GAME.judge(state, nation, draft)):
                    continue
                offered = GAME.lawful(GAME.look(state, nation), draft)
                lawful = set()
                for option in offered:
                    for number in {option.least, option.most} - {None}:
                        lawful.add(GAME.read({**option.order, "number": number}))
                    if option.least is None:
                        lawful.add(GAME.read(option.order))
                assert all(is_lawful(state, nation, draft, line) for line in lawful)
                most = {(option.order.get("from"), option.order.get("to")): option.most for option in offered}
                for line in all_lines(nation, state):
                    if isinstance(line, March):
                        is_offered = line.number <= (most.get((line.origin, line.target)) or 0)
                    else:
                        is_offered = line in lawful
                    assert is_lawful(state, nation, draft, line) == is_offered, (nation, draft, line)
                    seen += is_offered
    assert seen > 1000


def test_nobody_else_is_offered_anything() -> None:
    states = list(positions())
    for state in (states[2], states[-1]):
        assert GAME.lawful(GAME.look(state, SPECTATOR)) == []
        assert GAME.lawful(GAME.look(state, UMPIRE)) == []
    assert states[-1].reason
    assert GAME.lawful(GAME.look(states[-1], "red")) == []


@pytest.mark.parametrize("mode", ["party", "online"])
def test_ten_imagined_positions_offer_the_same(mode: str) -> None:
    for state in list(positions(mode))[:5]:
        for nation in NATIONS:
            sight = GAME.look(state, nation)
            view, setting = GAME.view(sight), GAME.setting(state)
            others = [GAME.imagine(setting, view, seed) for seed in range(10)]
            assert len({bytes(other) for other in others}) > 1  # there is fog to imagine
            for other in others:
                assert bytes(GAME.look(other, nation)) == bytes(sight)
                assert GAME.lawful(GAME.look(other, nation)) == GAME.lawful(sight) == GAME.options(setting, view)


def test_what_is_hidden_leaves_no_trace_in_a_sight() -> None:
    """9.1, 9.4 Other hidden land and regiments, foreign scores and battles change no byte of a sight."""
    for state in list(positions())[1:5]:
        for nation, name in enumerate(NATIONS):
            sight = GAME.look(state, name)
            other = state.copy()
            for hex in range(len(NAMES)):
                if not sight.seen[hex]:
                    other.regiments[hex] += 3
                    if other.owner[hex] != nation:
                        other.owner[hex] = 3 - nation - other.owner[hex] if other.owner[hex] < 3 else other.owner[hex]
                    other.owner[hex] = other.owner[hex] if other.owner[hex] != nation else (nation + 1) % 3
                other.battles[hex] ^= 63 & ~(9 << nation)
            for foreign in range(3):
                if foreign != nation:
                    other.score[foreign] += 7
                    other.total[foreign] += 7
            assert bytes(other) != bytes(state)
            assert bytes(GAME.look(other, name)) == bytes(sight)
            assert bytes(GAME.look(other, UMPIRE)) != bytes(GAME.look(state, UMPIRE))
