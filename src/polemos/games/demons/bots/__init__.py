"""Our bots by name, from the simplest to the strongest."""

from __future__ import annotations

from typing import Final

from polemos.games.demons.bots.economist import EconomistBot
from polemos.games.demons.bots.keeper import KeeperBot
from polemos.games.demons.bots.levels import LEVELS, OPPONENTS
from polemos.games.demons.bots.random_ import RandomBot
from polemos.games.demons.bots.rusher import RusherBot
from polemos.kernel.game import BotMaker

BOTS: Final[dict[str, BotMaker]] = {
    "random": RandomBot,
    "economist": EconomistBot,
    "rusher": RusherBot,
    "keeper": KeeperBot,
}

__all__ = ["BOTS", "LEVELS", "OPPONENTS"]
