"""Our bots by name, from the simplest to the strongest."""

from __future__ import annotations

from typing import Final

from polemos.games.minions.bots.captain import CaptainBot
from polemos.games.minions.bots.greedy import GreedyBot
from polemos.games.minions.bots.levels import LEVELS, OPPONENTS
from polemos.games.minions.bots.random_ import RandomBot
from polemos.kernel.game import BotMaker

BOTS: Final[dict[str, BotMaker]] = {
    "random": RandomBot,
    "greedy": GreedyBot,
    "captain": CaptainBot,
}

__all__ = ["BOTS", "LEVELS", "OPPONENTS"]
