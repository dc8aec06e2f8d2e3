"""The position as a record of bytes, as bots get it: it agrees with the view, and tells nothing else."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from polemos.kernel.layout import layout
from polemos.wire.bot import StateRecord
from polemos.wire.state_record import state_record
from properties.driver import as_bytes, every_example, every_game, met
from search import examples

SEEDS = st.integers(0, 2**32 - 1)


def state_in(game: Any, record: StateRecord) -> Any:
    """The state that a bot reads from a record."""
    assert record.layout == layout(game.state_type)
    return game.state_type.from_raw(b64decode(record.state))


@every_example
@given(seed=SEEDS, own=SEEDS)
@examples(4)
def test_a_record_looks_like_the_view_and_is_exact_where_nothing_is_hidden(
    game: Any, options: dict[str, Any], seed: int, own: int
) -> None:
    state = met(game, options, seed)
    for seat in game.seats(state):
        view = game.observe(state, seat)
        read = state_in(game, state_record(game, game.setting(state), view, own))
        assert as_bytes(game.observe(read, seat)) == as_bytes(view)
        assert game.to_act(read) == game.to_act(state)
        if not game.facts.fog:
            assert read == state


@every_example
@given(seed=SEEDS, own=SEEDS, another=SEEDS)
@examples(6)
def test_states_that_look_the_same_have_the_same_record(
    game: Any, options: dict[str, Any], seed: int, own: int, another: int
) -> None:
    state = met(game, options, seed)
    for seat in game.seats(state):
        setting, view = game.setting(state), game.observe(state, seat)
        other = game.imagine(setting, view, another)
        assert bytes(game.look(other, seat)) == bytes(game.look(state, seat))
        told = [state_record(game, game.setting(truth), game.observe(truth, seat), own) for truth in (state, other)]
        assert told[0] == told[1]


@every_game
def test_the_comparison_above_meets_states_that_differ_where_there_is_fog(game: Any) -> None:
    hidden = guessed = 0
    for options in game.examples:
        for seed in range(8):
            state = met(game, options, seed)
            for seat in game.seats(state):
                setting, view = game.setting(state), game.observe(state, seat)
                hidden += game.imagine(setting, view, seed) != state
                guessed += state_record(game, setting, view, seed) != state_record(game, setting, view, seed + 1)
    assert (hidden > 0) == (guessed > 0) == game.facts.fog
