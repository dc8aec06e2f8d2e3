"""The rules that earlier versions called `seed` are read under that word and written as `classic`."""

from __future__ import annotations

from typing import Any

import pytest

from polemos import registry
from polemos.kernel import renamed
from polemos.kernel.positions import load_position, position_of, read_options

pytestmark = pytest.mark.needs("demons", "minions", "monad", "monarchs")

GAMES = ("demons", "minions", "monad", "monarchs")


@pytest.mark.parametrize("name", GAMES)
def test_old_options_are_read_and_new_ones_written(name: str) -> None:
    game = registry.load(name)
    assert read_options(game, {"rules": "seed"}) == read_options(game, {"rules": "classic"}) == read_options(game, {})
    state = game.setup({"rules": "seed"}, 5)
    assert game.options_of(state)["rules"] == "classic"
    assert bytes(state) == bytes(game.setup({}, 5))


@pytest.mark.parametrize("name", GAMES)
def test_old_positions_as_objects_are_read(name: str) -> None:
    game = registry.load(name)
    state = game.setup({}, 5)
    position = position_of(game, state)
    assert "seed" not in str(position)
    assert load_position(game, with_old_word(position)) == state


def with_old_word(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: with_old_word(of) for key, of in value.items()}
    return "seed" if value == "classic" else value


@pytest.mark.needs("demons", "monarchs")
@pytest.mark.parametrize("name", ["demons", "monarchs"])
def test_old_positions_as_text_are_read(name: str) -> None:
    game = registry.load(name)
    text = game.write_position(game.setup({}, 5))
    assert "rules classic" in text
    old = game.read_position(text.replace("rules classic", "rules seed"))
    assert game.write_position(old) == text


@pytest.mark.needs("minions")
def test_old_configurations_of_minions_are_read() -> None:
    from polemos.games.minions import fen

    state = registry.load("minions").setup({"boards": 1, "turns": 9}, 5)
    text = fen.write_config(state)
    assert " rules classic " in text
    assert fen.write_config(fen.read_config(text.replace(" classic ", " seed "))) == text


@pytest.mark.needs("demons")
def test_no_other_option_has_an_old_word() -> None:
    """A map may be called anything."""
    assert renamed.renamed(registry.load("demons").options_type, {"map": "seed"}) == {"map": "seed"}
