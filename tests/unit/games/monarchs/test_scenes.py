"""Scenes: the operations of a turn lead from the view before it to the view after it, as far as an audience is told."""

from __future__ import annotations

from typing import Any

import pytest

from polemos.games.monarchs.board import BASES, NAMES, NATIONS
from polemos.games.monarchs.game import GAME
from polemos.games.monarchs.view import View
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.playing import play
from polemos.kernel.rooms import bots_of
from sceneplayer import Pieces, Show, scene
from sceneplayer import play as shown

BOOK = ["Border battles", "Moves", "Hex battles", "Retreats"]  # 2.1
HOMES = {NAMES[base] for base in BASES}


def pieces(view: View) -> Pieces:
    found: Pieces = {("land", hex): {"owner": ground.owner} for hex, ground in view.hexes.items()}
    for hex, ground in view.hexes.items():
        if ground.regiments:
            found[f"army {ground.owner}", hex] = {"number": ground.regiments}
    return found


def whole(options: dict[str, Any], seed: int) -> AnyMatch:
    match = Match(GAME, options, seed=seed)
    makers = list(bots_of(GAME).values())
    play(
        match, {seat: makers[(seed + i) % len(makers)](match.setting, seat, seed) for i, seat in enumerate(match.seats)}
    )
    return match


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rules", ["classic", "2022-04"])
def test_the_umpires_scenes_lead_from_view_to_view(rules: str, seed: int) -> None:
    """8.1 Only what was lost stands on a home base at the end of the turn without having been seen on its way."""
    match = whole({"rules": rules, "turns": 8}, seed)
    for number in range(1, 9):
        before, after = (GAME.observe(match.state_at(at), UMPIRE) for at in (number - 1, number))
        board = Show(pieces(before))
        names = shown(board, match, number, UMPIRE)
        assert names == [name for name in BOOK if name in names]
        away = {key: piece for key, piece in pieces(after).items() if key[1] not in HOMES}
        assert {key: piece for key, piece in board.pieces.items() if key[1] not in HOMES} == away


@pytest.mark.parametrize("seed", range(4))
def test_the_own_armies_are_seen_to_go_where_they_are_found(seed: int) -> None:
    match = whole({"mode": "online", "turns": 8}, seed)
    for nation in NATIONS:
        for number in range(1, 8):  # after the last turn everybody sees what the umpire sees (9.6)
            before, after = (GAME.observe(match.state_at(at), nation) for at in (number - 1, number))
            board = Show(pieces(before))
            shown(board, match, number, nation)
            own = {
                key: piece for key, piece in pieces(after).items() if key[0] == f"army {nation}" and key[1] not in HOMES
            }
            found = {key: piece for key, piece in board.pieces.items() if key[0] == f"army {nation}"}
            assert {key: piece for key, piece in found.items() if key[1] not in HOMES} == own


def test_in_party_mode_a_nation_sees_its_battles_and_nothing_moves() -> None:
    """9.5 A map, and where battles were won and lost. What became of its lines nobody is told."""
    match = whole({"mode": "party", "turns": 8}, 1)
    seen = set()
    for nation in NATIONS:
        for number in range(1, 8):
            for stage in scene(match, number, nation):
                seen.add(stage.name)
    assert seen == {"Hex battles"}


def test_spectators_are_shown_nothing_in_the_fog() -> None:
    match = whole({"mode": "online", "turns": 8}, 2)
    assert [scene(match, number, SPECTATOR) for number in range(1, 8)] == [()] * 7
