"""OpenSpiel's own test, unchanged, and what seats may know."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
import pytest

from polemos.learn import openspiel_game
from unit.learn.matches import MATCHES

pytestmark = pytest.mark.needs("demons", "minions", "monad", "monarchs")


@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_random_simulations(name: str, options: dict[str, Any]) -> None:
    """With copies, and with states that are saved and loaded again."""
    pyspiel.random_sim_test(openspiel_game(name, **options), 2, True, False)


def play(state: Any, orders: int, seed: int) -> None:
    """So many random actions."""
    chance = np.random.default_rng(seed)
    for _ in range(orders):
        if not state.is_terminal():
            state.apply_action(int(chance.choice(state.legal_actions())) if chance.random() < 0.6 else 0)


def test_the_key_of_the_dice_is_drawn_first_and_not_seen() -> None:
    game = openspiel_game("monarchs", turns=3)
    states = [game.new_initial_state() for _ in range(2)]
    assert states[0].is_chance_node()
    for key, state in enumerate(states):
        state.apply_action(key)
    for player in range(3):
        assert states[0].observation_string(player) == states[1].observation_string(player)
        assert states[0].information_state_string(player) == states[1].information_state_string(player)


def test_orders_of_a_turn_are_not_seen_before_it_is_played() -> None:
    game = openspiel_game("monarchs", turns=3, mode="online")
    state = game.new_initial_state()
    state.apply_action(7)
    other = state.clone()
    assert state.current_player() == 0
    state.apply_action(state.legal_actions()[3])
    other.apply_action(other.legal_actions()[9])
    for one in (state, other):
        assert one.current_player() == 0
        one.apply_action(0)
        assert one.current_player() == 1
    assert state.information_state_string(0) != other.information_state_string(0)
    for player in (1, 2):
        assert state.observation_tensor(player) == other.observation_tensor(player)
        assert state.information_state_string(player) == other.information_state_string(player)
    state.apply_action(0)
    assert state.current_player() == 2
    assert state.action_to_string(2, 0) == "file"


def test_a_tensor_shows_nothing_but_the_sight() -> None:
    """In a position that red cannot tell from the true one, red's tensor is the same."""
    game = openspiel_game("monarchs", mode="online")
    state = game.new_initial_state()
    state.apply_action(3)
    umpire, batch = game.table.game, game.table.batch
    batch.load(state._records)
    batch.play("random", 4)
    state._records = batch.save()
    true = batch.state(0)
    mine = state.observation_tensor(0)
    differ = 0
    for seed in range(8):
        other = umpire.imagine(umpire.setting(true), umpire.observe(true, "red"), seed)
        if umpire.look(other, "red") == umpire.look(true, "red"):
            batch.load(state._records)
            batch._states.records[0] = other
            imagined = state.clone()
            imagined._records = batch.save()
            assert imagined.observation_tensor(0) == mine
            differ += other != true
    assert differ


def test_a_copy_goes_its_own_way() -> None:
    state = openspiel_game("minions", turns=4).new_initial_state()
    state.apply_action(1)
    play(state, 9, 2)
    before = str(state)
    copy = state.clone()
    play(copy, 9, 3)
    assert str(state) == before
    assert str(copy) != before


def test_a_game_is_found_again_by_its_text() -> None:
    game = openspiel_game("demons", map="hourglass", turns=5)
    again = pyspiel.load_game(str(game))
    assert again.table.batch.layout == game.table.batch.layout
    state = again.new_initial_state()
    state.apply_action(0)
    play(state, 400, 4)
    assert state.is_terminal()
    assert sum(state.returns()) == 0
