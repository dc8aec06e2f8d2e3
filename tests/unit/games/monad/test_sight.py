"""1.8 Sight as a record: all that is to be seen and nothing else, down to its bytes."""

from __future__ import annotations

from typing import Any

import pytest

from polemos.games.monad.game import GAME
from polemos.games.monad.rules import sight as rules
from polemos.games.monad.state import SPECTATOR_EYES, UMPIRE_EYES, Cell, Sight, State
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.record import many

EVERYBODY = ("red", "blue", SPECTATOR, UMPIRE)


def played(options: dict[str, Any], turns: int, seed: int = 5) -> State:
    start = GAME.setup(options, seed)
    states = many(State, 1)
    states[0] = start
    GAME.rollout(states, start, seed, turns)
    return states[0].copy()


@pytest.fixture(params=[(number, turns) for number in range(len(GAME.examples)) for turns in (0, 7, 25)])
def state(request: pytest.FixtureRequest) -> State:
    number, turns = request.param
    return played(GAME.examples[number], turns)


def test_everybody_sees_the_whole_state(state: State) -> None:
    for eyes, who in ((0, "red"), (1, "blue"), (SPECTATOR_EYES, SPECTATOR), (UMPIRE_EYES, UMPIRE)):
        sight = GAME.look(state, who)
        assert sight.who == eyes
        assert sight.state == state
        assert GAME.view(sight).who == who


def test_states_that_look_the_same_give_the_same_bytes(state: State) -> None:
    for who in EVERYBODY:
        sight = GAME.look(state, who)
        again = GAME.imagine(GAME.setting(state), GAME.view(sight), 0)
        assert GAME.look(again, who).raw() == sight.raw()


def test_the_room_behind_the_last_tile_stays_empty(state: State) -> None:
    sight = GAME.look(state, "red")
    whole = bytes(memoryview(sight).cast("B"))
    assert len(whole) > sight.extent()
    assert not any(whole[sight.extent() :])


def test_a_state_in_a_dense_batch_is_seen_without_its_neighbour() -> None:
    state = played({"map": "duel", "units": 20}, 9)
    batch = many(State, 3, state.extent())
    for i in range(3):
        batch[i] = state
    alone, among = Sight(), Sight()
    rules.look(batch[1], 0, alone)
    for tile in range(state.width * state.height):
        batch[2].cell[tile] = Cell(units=-1, ore=-1, field=-1, points=-1, owner=-1, building=-1)
    batch[2].turn = batch[2].turns = -1
    rules.look(batch[1], 0, among)
    assert bytes(memoryview(among).cast("B")) == bytes(memoryview(alone).cast("B"))
    assert among.state == state


def test_a_change_of_anything_shows() -> None:
    state = played({"turns": 60}, 20)
    before = GAME.look(state, "blue").raw()
    fields = dict(State.dtype.fields or {})
    del fields["width"], fields["height"]  # they say how much there is of it
    for name, (kind, first, *_) in fields.items():
        for at in range(first, min(first + kind.itemsize, state.extent())):
            raw = bytearray(state.raw())
            raw[at] ^= 1
            assert GAME.look(State.from_raw(bytes(raw)), "blue").raw() != before, (name, at)


def test_places_are_told_when_the_game_has_ended() -> None:
    """9.8 Here the winner, then who has more units; those who are out come last, the later first."""
    text = "seats 4; red 1,1 5; blue 5,5 7; played 50/50; out green 20; out yellow 30; ended blue 3"
    sight = GAME.look(GAME.read_position(text), "red")
    assert list(sight.rank) == [2, 1, 4, 3]
    running = GAME.look(GAME.read_position("red 1,1 5; blue 5,5 7"), "red")
    assert list(running.rank) == [0, 0, 0, 0]
