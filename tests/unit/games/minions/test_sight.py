"""The sight of Minions: all of the position, nothing beside it, the same bytes interpreted and compiled."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from polemos.games.minions.game import GAME
from polemos.games.minions.rules import play, sight, turn
from polemos.games.minions.state import SIDES, SPECTATOR_EYES, UMPIRE_EYES, Order, Sight, State, Work
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.log import SILENT
from polemos.kernel.record import many

EVERYBODY = (*SIDES, SPECTATOR, UMPIRE)
MATCHES: list[dict[str, Any]] = [
    {"boards": 1, "points": 20, "money": 40, "spell_price": 2},
    {"boards": 3, "points": 20, "maps": "random", "bids": "9,12"},
    {"boards": 8, "line": "sorted", "turns": 3},
]

each_match = pytest.mark.parametrize("options", MATCHES, ids=lambda options: f"{options['boards']} boards")


def met(options: dict[str, Any], seed: int = 0) -> list[State]:
    """Positions of a random game, at the end of turns and in the middle of them."""
    dice, state, found = Random(seed), GAME.setup(options, seed), []
    for _ in range(12):
        if state.reason:
            break
        found.append(state.copy())
        play.play_random_turn(state, Order(), dice.getrandbits(62), SILENT, Work())
        found.append(state.copy())
        turn.end(state, SILENT)
    return [*found, state]


@each_match
def test_a_sight_holds_the_position_and_whose_it_is(options: dict[str, Any]) -> None:
    for state in met(options):
        for who, number in zip(EVERYBODY, (0, 1, SPECTATOR_EYES, UMPIRE_EYES), strict=True):
            seen = GAME.look(state, who)
            assert seen.who == number
            assert seen.state.copy() == state
            assert GAME.view(seen).who == who


@each_match
def test_different_positions_look_different_and_equal_ones_alike(options: dict[str, Any]) -> None:
    for one, other in combinations(met(options), 2):
        assert (GAME.look(one, "blue").raw() == GAME.look(other, "blue").raw()) == (one == other)


@each_match
def test_what_agrees_with_a_view_looks_the_same(options: dict[str, Any]) -> None:
    for state in met(options):
        for who in EVERYBODY:
            seen = GAME.look(state, who)
            imagined = GAME.imagine(GAME.setting(state), GAME.view(seen), 0)
            assert GAME.look(imagined, who).raw() == seen.raw()


@each_match
def test_no_more_of_a_state_is_read_than_is_in_use(options: dict[str, Any]) -> None:
    """In a dense batch the next state begins behind it."""
    positions = met(options)
    batch = many(State, len(positions), positions[0].extent())
    for i, state in enumerate(positions):
        batch[i] = state
    for i, state in enumerate(positions):
        seen = Sight()
        sight.look(batch[i], 0, seen)
        assert bytes(memoryview(seen).cast("B")) == bytes(memoryview(GAME.look(state, "yellow")).cast("B"))


def test_nothing_of_an_earlier_look_is_left() -> None:
    used = Sight()
    for options in reversed(MATCHES):
        for state in met(options):
            sight.look(state, 1, used)
            assert used.raw() == GAME.look(state, "blue").raw()


def test_a_sight_says_what_each_board_would_pay() -> None:
    """11.2 In reset+0 there is no necromancer, but graveyards are paid (11.3)."""
    state = GAME.read_position(
        "boards 2; b1: map Blackened Shores; b1: Nc2 Za4 Zc0 nh7; b1: zone - -;"
        "b2: map Blackened Shores; b2: Za4 ze3; b2: state reset+0; b2: zone I i; turn 5 yellow"
    )
    assert list(GAME.look(state, UMPIRE).income)[:4] == [5, 3, 3, 2]


# ---- interpreted and compiled


def digest() -> str:
    """Of the sights and the options along some games."""
    found = hashlib.blake2b(digest_size=16)
    for options in MATCHES[:2]:
        for state in met(options, 7):
            for who in EVERYBODY:
                seen = GAME.look(state, who)
                found.update(seen.raw())
                found.update(repr(GAME.lawful(seen)).encode())
    return found.hexdigest()


def test_interpreted_rules_see_and_offer_the_same() -> None:
    environment = {**os.environ, "POLEMOS_INTERPRET": "1", "POLEMOS_CHECKED": ""}
    environment["PYTHONPATH"] = str(Path(__file__).parents[3])
    done = subprocess.run(
        [sys.executable, "-c", "from unit.games.minions import test_sight; print(test_sight.digest())"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == digest(), done.stderr
