"""Our bots by name, from the simplest to the strongest."""

from __future__ import annotations

from typing import Final

from polemos.games.monad.bots.fortifier import FortifierBot
from polemos.games.monad.bots.levels import LEVELS, OPPONENTS
from polemos.games.monad.bots.overlord import OverlordBot
from polemos.games.monad.bots.pathfinder import PathfinderBot
from polemos.games.monad.bots.random_ import RandomBot
from polemos.games.monad.bots.streamer import StreamerBot
from polemos.games.monad.bots.waiter import WaiterBot
from polemos.kernel.game import BotMaker

BOTS: Final[dict[str, BotMaker]] = {
    "waiter": WaiterBot,
    "random": RandomBot,
    "streamer": StreamerBot,
    "pathfinder": PathfinderBot,
    "fortifier": FortifierBot,
    "overlord": OverlordBot,
}

__all__ = ["BOTS", "LEVELS", "OPPONENTS"]
