"""The bot `champion`: plays the compiled scripts, each turn with the habits whose playouts come to most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polemos.games.monad.bots.portfolio import Portfolio
from polemos.games.monad.notation import Order
from polemos.games.monad.playouts import NEVER, PLAYOUTS, orders_in
from polemos.games.monad.rules.minds import TRAITS
from polemos.games.monad.rules.playouts import Sheet
from polemos.games.monad.rules.policies import habits_of
from polemos.games.monad.state import SEATS
from polemos.games.monad.view import Setting, View, imagine
from polemos.kernel.dice import number
from polemos.search.player import load
from polemos.search.search import Settings

# Of the levels for people that search.
SETTINGS: Final = Settings(method="model", candidates=8, rounds=3, variations=6, portfolio=0.4, caution=0.5)

DUEL: Final[tuple[dict[str, int], ...]] = (
    {},
    {"lead": 60},
    {"alarm": 1},
    {"press": 130},
    {"dodge": 1},
    {"calm": NEVER},
    {"rally": 3},
    {"press": 80},
    {"greed": 14, "look": 16},
    {"brave": 90},
    {"dodge": 3, "alarm": 1},
    {"grab": 20},
    {"sure": 0},
    {"local": 1, "sure": 120, "reserve": 0},
    {"brave": NEVER, "alarm": 3},
    {"chase": 12, "prey": 20},
    {"dodge": 3, "chase": 24, "prey": 40},
)
CROWD: Final[tuple[dict[str, int], ...]] = (
    {},
    {"brave": 20},
    {"brave": 90},
    {"lead": 60},
    {"alarm": 2},
    {"dodge": 1},
    {"dodge": 3},
    {"press": 130},
    {"rally": 3},
    {"greed": 14, "look": 16},
    {"sure": 0},
    {"local": 1, "sure": 120, "reserve": 0},
    {"brave": NEVER, "alarm": 3},
    {"chase": 12, "prey": 20},
    {"dodge": 3, "chase": 24, "prey": 40},
)

WARY: Final = {"alarm": 2, "calm": NEVER}  # with three rivals: cores are guarded also by the one who has most units
ROOMY: Final = 900  # tiles of a map on which four find fresh ore that nobody else is near


def rows_of(script: str, changes: Sequence[dict[str, int]]) -> list[list[int]]:
    """The habits of a script, each time with some of them changed."""
    usual = dict(zip(TRAITS, habits_of(script), strict=True))
    return [list((usual | change).values()) for change in changes]


def rows_for(seats: int, tiles: int) -> list[list[int]]:
    """What a match begins with. `settler` builds in fresh ore; where many share little of it, `pioneer` wins more.

    Both guard their cores too thinly for a war with several others.
    """
    if seats == 2:
        return rows_of("settler", DUEL)
    usual, other = ("pioneer", "settler") if seats == 4 and tiles < ROOMY else ("settler", "pioneer")
    rows = rows_of(usual, [WARY | change for change in CROWD]) + rows_of(other, (WARY,)) + rows_of(usual, ({},))
    return [row for at, row in enumerate(rows) if row not in rows[:at]]


class ChampionBot:
    """Digs where it can dig longest, builds in fresh ore, and wages war in the way that has won most playouts."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        load(PLAYOUTS)
        self._setting, self._name = setting, seat
        rows = rows_for(len(setting.seats), setting.width * setting.height)
        self._manner = number(seed, "manner")  # one for the whole match: it says which way round it looks at the map
        self.portfolio = Portfolio(SEATS.index(seat), seed, rows, self._manner)
        self._sheet = Sheet()

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        if view.who != self._name or view.outcome is not None or self._name in view.forfeited:
            return ()
        state, seat = imagine(self._setting, view), SEATS.index(self._name)
        self.portfolio.look(state, time_left)
        PLAYOUTS.ask(state, seat, self.portfolio.script, self._manner, self._sheet, self.portfolio.desk)
        return orders_in(state, seat, self._sheet)
