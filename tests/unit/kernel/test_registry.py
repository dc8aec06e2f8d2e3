"""The installed games."""

from __future__ import annotations

import pytest

import polemos
from polemos import registry
from polemos.kernel.errors import NoSuchGame, PolemosError
from polemos.kernel.game import Game


def test_every_installed_game_loads_under_its_name() -> None:
    assert registry.names() == sorted(registry.names())
    assert registry.names()
    for name in registry.names():
        game = registry.load(name)
        assert isinstance(game, Game)
        assert game.name == name


def test_a_game_is_one_object_however_often_it_is_loaded() -> None:
    for name in registry.names():
        assert registry.load(name) is registry.load(name) is polemos.load(name)


@pytest.mark.parametrize("name", registry.names())
def test_a_misspelt_name_is_refused_with_a_suggestion(name: str) -> None:
    for misspelt in (name[:-1], name + "s", name.capitalize()):
        with pytest.raises(NoSuchGame) as refused:
            registry.load(misspelt)
        assert f"Did you mean {name}?" in str(refused.value)
        assert f"There is no game called {misspelt!r}" in str(refused.value)


def test_a_name_like_no_other_is_refused_with_the_list_of_games() -> None:
    for strange in ("", "zzz", "x" * 10_000, "../skerries\n"):
        with pytest.raises(PolemosError) as refused:
            registry.load(strange)
        assert refused.value.word == "game/unknown"
        assert ", ".join(registry.names()) in str(refused.value)
        assert len(str(refused.value)) < 400


def test_our_own_games_are_found_where_nobody_has_installed_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the source tree on Python's path and nothing else."""
    installed = registry._installed()
    ours = {name for name, point in installed.items() if point.value.startswith("polemos.games.")}
    others = [point for name, point in installed.items() if name not in ours]
    for left in ([], others):
        monkeypatch.setattr(registry, "entry_points", lambda group, left=left: left)
        assert set(registry.names()) == ours | {point.name for point in left}
        for name in ours:
            assert registry.load(name) is installed[name].load()
