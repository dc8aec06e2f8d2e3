"""How the board stands, for the party: from the umpire's view of it."""

from __future__ import annotations

from polemos.games.monarchs.board import CENTRE, NAMES, NATIONS
from polemos.games.monarchs.party.state import Standing
from polemos.games.monarchs.view import View


def standing_of(view: View) -> Standing:
    """12.20 Totals, hexes, and who owns the centre."""
    return Standing(
        {nation: view.reports[nation].total for nation in NATIONS},
        {nation: sum(ground.owner == nation for ground in view.hexes.values()) for nation in NATIONS},
        view.hexes[NAMES[CENTRE]].owner,
    )
