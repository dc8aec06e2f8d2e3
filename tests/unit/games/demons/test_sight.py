"""The sight holds what may be seen, all of it and nothing else, the same bytes in every mode."""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from polemos.games.demons.game import GAME
from polemos.games.demons.rules.sight import look
from polemos.games.demons.state import Sight, State
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.record import many
from properties.driver import ended, met

TESTS = Path(__file__).parents[3]
EVERYBODY = ("red", "blue", SPECTATOR, UMPIRE)
STATES = [(options, seed) for options in GAME.examples for seed in (1, 2)]
each_state = pytest.mark.parametrize(("options", "seed"), STATES)


@each_state
def test_nothing_is_hidden(options: dict[str, Any], seed: int) -> None:
    """10.1"""
    for state in (met(GAME, options, seed), ended(GAME, options, seed)):
        for who in EVERYBODY:
            assert GAME.look(state, who).state == state


@each_state
def test_everybody_sees_the_same(options: dict[str, Any], seed: int) -> None:
    state = met(GAME, options, seed)
    sights = [GAME.look(state, who) for who in EVERYBODY]
    assert [sight.who for sight in sights] == [0, 1, -1, -2]
    for sight in sights:
        sight.who = 0
    assert len({sight.raw() for sight in sights}) == 1


@each_state
def test_states_with_the_same_view_give_the_same_sight(options: dict[str, Any], seed: int) -> None:
    for state in (met(GAME, options, seed), ended(GAME, options, seed)):
        for who in EVERYBODY:
            again = GAME.imagine(GAME.setting(state), GAME.observe(state, who), seed)
            assert bytes(memoryview(GAME.look(again, who))) == bytes(memoryview(GAME.look(state, who)))


@each_state
def test_what_lies_in_unused_room_is_not_seen(options: dict[str, Any], seed: int) -> None:
    """In a batch the next state begins behind the last tile in use."""
    state = met(GAME, options, seed)
    littered = state.copy()
    for rows, used in ((littered.unit, state.units), (littered.tower, state.towers), (littered.tile, state.tiles)):
        litter(rows, used)
    for rows, used in ((littered.portal, state.portals), (littered.lane, state.lanes)):
        litter(rows, used)
    assert bytes(memoryview(littered)) != bytes(memoryview(state))
    for who in EVERYBODY:
        assert bytes(memoryview(GAME.look(littered, who))) == bytes(memoryview(GAME.look(state, who)))


def litter(rows: Any, used: int) -> None:
    row = ctypes.sizeof(rows) // len(rows)
    ctypes.memset(ctypes.addressof(rows) + used * row, 0x55, (len(rows) - used) * row)


@each_state
def test_a_sight_can_be_filled_again(options: dict[str, Any], seed: int) -> None:
    sight = Sight()
    start = GAME.setup(options, seed)
    states: Any = many(State, 1)
    states[0] = start
    GAME.rollout(states, start, seed, 9)
    for state in (states[0].copy(), start):  # first the one with more on the board
        look(state, 1, sight)
        assert bytes(memoryview(sight)) == bytes(memoryview(GAME.look(state, "blue")))


def test_a_sight_says_when_the_next_demon_comes_and_how_strong_it_is() -> None:
    """7.2, 7.4 Waves on every tenth turn, of 10 health, of 20 from turn 100 on; one that waits is of its own turn."""
    for turn, queued, next_in, health in ((3, 0, 7, 10), (10, 0, 0, 10), (95, 0, 5, 20), (95, 1, 5, 10)):
        state = GAME.read_position("map twin-gates")
        state.turn, state.portal[0].queued = turn, queued
        sight = GAME.look(state, "red")
        assert (sight.next_in[0], sight.next_health[0]) == (next_in, health)


def digest() -> str:
    """Of the sights and options of some states."""
    found = hashlib.blake2b(digest_size=16)
    for options, seed in STATES:
        state = met(GAME, options, seed)
        for who in EVERYBODY:
            sight = GAME.look(state, who)
            found.update(sight.raw())
            found.update(repr([(option.text, option.figures) for option in GAME.lawful(sight)]).encode())
    return found.hexdigest()


def test_interpreted_rules_see_and_offer_the_same() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "from unit.games.demons.test_sight import digest; print(digest())"],
        env={**os.environ, "PYTHONPATH": str(TESTS), "POLEMOS_INTERPRET": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.stdout.strip() == digest(), told.stderr
