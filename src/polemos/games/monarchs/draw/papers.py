"""Everything that a party prints beforehand, as the pages of one print job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.draw.cards import card_pages
from polemos.games.monarchs.draw.forms import blank_board, order_form
from polemos.games.monarchs.draw.primer import rules_page
from polemos.games.monarchs.party.options import Setup
from polemos.games.monarchs.party.sight import Sight
from polemos.games.monarchs.view import Setting, View

USUAL_ROUNDS: Final = 11  # forms to print if the number of rounds is not known: three hours hold 10 or 11


def papers(setup: Setup, sights: Sequence[Sight], setting: Setting, start: View, paper: str = "a4") -> list[str]:
    """Role cards from the sights of the courtiers, order forms and blank boards by court, and a page of rules for each.

    `start` is the umpire's view of the starting position, which everybody may know.
    """
    options, title = setup.options, setup.title
    pages = card_pages(sights, options, paper, title)
    for nation in NATIONS:
        pages += [order_form(nation, turn + 1, paper, title) for turn in range(options.rounds or USUAL_ROUNDS)]
        pages.append(blank_board(nation, paper, title))
    rules = rules_page(setting, start, options, paper)
    return [*pages, *[rules] * len(NATIONS)]
