"""Bots for people, from easy to strong: `champion` held back, and how each of them plays in a few words."""

from __future__ import annotations

from functools import partial
from typing import Final

from polemos.games.minions.bots.captain import CaptainBot
from polemos.games.minions.bots.champion import ChampionBot
from polemos.games.minions.bots.greedy import GreedyBot
from polemos.kernel.game import BotMaker

LEVELS: Final[dict[str, BotMaker]] = {
    "level-1": partial(GreedyBot, samples=1, lapses=6),
    "level-2": partial(GreedyBot, samples=1),
    "level-3": partial(GreedyBot, samples=6),
    "level-4": partial(CaptainBot, samples=60, pool=2, answers=2),
    "level-5": partial(CaptainBot, samples=2000, pool=12, answers=60),
    "champion": ChampionBot,
}
OPPONENTS: Final = {
    "level-1": "plays the first turn that comes to mind, and forgets half of it",
    "level-2": "plays the first turn that comes to mind",
    "level-3": "compares a few turns",
    "level-4": "thinks of a few of your answers",
    "level-5": "thinks of many of your answers",
    "champion": "improves its turns until no answer hurts",
}
