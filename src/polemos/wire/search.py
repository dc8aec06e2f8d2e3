"""What the search finds."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from polemos.wire.ladder import LadderGame
from polemos.wire.table import TableCard


class FoundBot(Struct, frozen=True):
    id: int
    name: str
    author: str  # empty: one of ours
    game: str
    version: int | None  # the number of the one that plays
    state: Literal["active", "paused"]


class FoundPerson(Struct, frozen=True):
    """A person as the ladders show them."""

    name: str
    bots: dict[str, int]  # by game: how many they have there
    rated: tuple[str, ...]  # games with rated matches of theirs


class Found(Struct, frozen=True):
    """The best first; only what whoever asks may see."""

    bots: tuple[FoundBot, ...] = ()
    people: tuple[FoundPerson, ...] = ()
    games: tuple[LadderGame, ...] = ()  # between bots
    tables: tuple[TableCard, ...] = ()
