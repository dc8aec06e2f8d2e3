"""Orders and positions, as text and as JSON, are written and read without loss, at every state of a game."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.match import Match
from polemos.kernel.positions import load_position, position_of, read_options
from polemos.kernel.verdict import Verdict
from properties.driver import as_bytes, ended, every_example, everybody, lawful, met, random_match
from search import examples

SEEDS = st.integers(0, 2**32 - 1)


def assert_written_and_read_without_loss(game: Any, state: Any) -> None:
    before = state.raw()
    text = game.write_position(state)
    assert game.read_position(text) == state
    assert game.write_position(game.read_position(text)) == text
    assert load_position(game, text) == state
    wire = as_bytes(position_of(game, state))
    assert load_position(game, msgspec.json.decode(wire)) == state
    assert as_bytes(position_of(game, load_position(game, msgspec.json.decode(wire)))) == wire
    assert state.raw() == before, "writing changed the state"


@every_example
@given(seed=SEEDS)
@examples(4)
def test_positions_round_trip_at_every_state_of_a_match(game: Any, options: dict[str, Any], seed: int) -> None:
    for state in random_match(game, options, seed, steps=5).history:
        assert_written_and_read_without_loss(game, state)


@every_example
@given(seed=SEEDS)
@examples(6)
def test_positions_of_mass_play_round_trip(game: Any, options: dict[str, Any], seed: int) -> None:
    assert_written_and_read_without_loss(game, met(game, options, seed, running=False))


@every_example
@given(seed=SEEDS)
@examples(4)
def test_positions_of_ended_games_round_trip(game: Any, options: dict[str, Any], seed: int) -> None:
    state = ended(game, options, seed)
    assert game.outcome(state) is not None
    assert_written_and_read_without_loss(game, state)
    assert game.outcome(game.read_position(game.write_position(state))) == game.outcome(state)


@every_example
@given(seed=SEEDS)
@examples(4)
def test_positions_after_forfeits_round_trip(game: Any, options: dict[str, Any], seed: int) -> None:
    match = random_match(game, options, seed, steps=2)
    chance = Random(seed)
    while match.outcome is None and len(match.steps) < 6:
        if match.to_act:
            match.forfeit(chance.choice(match.to_act), Verdict("resigned"))
        match.run()
        assert_written_and_read_without_loss(game, match.state)


@every_example
@given(seed=SEEDS)
@examples(4)
def test_a_match_begun_from_a_position_goes_on_as_the_one_it_was_taken_from(
    game: Any, options: dict[str, Any], seed: int
) -> None:
    match = random_match(game, options, seed, steps=3)
    other = Match(game, key=match.key, position=game.write_position(match.state))
    assert other.state == match.state
    assert other.setting == match.setting
    assert other.to_act == match.to_act
    if match.outcome is None:
        for seat in match.to_act:
            orders = lawful(game, match.state, seat, Random(seed))
            match.submit(seat, orders)
            other.submit(seat, [game.write(order) for order in orders])
        assert match.run().digest == other.run().digest
        assert match.happened[-1] == other.happened[-1]


@every_example
@given(seed=SEEDS)
@examples(4)
def test_orders_round_trip_as_text_as_objects_and_through_json(game: Any, options: dict[str, Any], seed: int) -> None:
    state = met(game, options, seed)
    for seat in game.to_act(state):
        for order in lawful(game, state, seat, Random(seed)):
            text = game.write(order)
            assert "\n" not in text
            assert ";" not in text, "a sheet as one text is split there"
            assert text == text.strip()
            assert game.read(order) == order
            assert game.read(text) == order
            assert game.write(game.read(text)) == text
            plain = msgspec.json.decode(as_bytes(order))
            assert game.read(plain) == order
            assert msgspec.convert(plain, game.order_type) == order


@every_example
@given(seed=SEEDS)
@examples(4)
def test_what_is_lawful_as_an_object_is_lawful_as_text(game: Any, options: dict[str, Any], seed: int) -> None:
    state = met(game, options, seed)
    for seat in game.to_act(state):
        orders = lawful(game, state, seat, Random(seed))
        sheets = [
            game.check(state, seat, lines)
            for lines in (orders, [game.write(order) for order in orders], msgspec.to_builtins(orders))
        ]
        assert sheets[0] == sheets[1] == sheets[2]
        assert sheets[0].orders == tuple(orders)
        one_text = "\n".join(game.write(order) for order in orders)
        match = Match(game, seed=seed, position=game.write_position(state))
        assert match.submit(seat, one_text) == sheets[0]


@every_example
@given(seed=SEEDS)
@examples(3)
def test_settings_views_options_and_events_survive_json_with_their_types(
    game: Any, options: dict[str, Any], seed: int
) -> None:
    match = random_match(game, options, seed, steps=3)

    def survives(message: Any, kind: Any) -> None:
        assert msgspec.json.decode(as_bytes(message), type=kind) == message

    survives(match.setting, game.setting_type)
    survives(read_options(game, match.options), game.options_type)
    for who in everybody(game, match.state):
        survives(match.view(who), game.view_type)
        assert match.view(who).who == who
        for event in match.told(who):
            survives(event, game.chronicle.event_type)
    assert match.told(UMPIRE) == match.happened[-1]
    assert isinstance(match.view(SPECTATOR), game.view_type)
