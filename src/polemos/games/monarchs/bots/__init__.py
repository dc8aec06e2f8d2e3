"""Our bots by name, from the simplest to the strongest."""

from __future__ import annotations

from typing import Final

from polemos.games.monarchs.bots.holder import HolderBot
from polemos.games.monarchs.bots.levels import LEVELS, OPPONENTS
from polemos.games.monarchs.bots.raider import RaiderBot
from polemos.games.monarchs.bots.random_ import RandomBot
from polemos.games.monarchs.bots.steady import SteadyBot
from polemos.kernel.game import BotMaker

BOTS: Final[dict[str, BotMaker]] = {
    "random": RandomBot,
    "holder": HolderBot,
    "raider": RaiderBot,
    "steady": SteadyBot,
}

__all__ = ["BOTS", "LEVELS", "OPPONENTS"]
