"""The printed page of a real match."""

from __future__ import annotations

from polemos.games.demons.game import GAME
from polemos.kernel.match import Match


def test_the_page_calls_the_invaders_by_their_name() -> None:
    match = Match(GAME, seed=1)
    match.run()
    page = GAME.picture(match.setting, match.view("red"), "page")
    assert page.count(">Demons<") == 2  # the game, and the list of its invaders
