"""Searching for bots, people and matches. Only what everybody can see is found, and one's own bots.

Names are few beside games, so they are kept in memory for a moment and compared there: case and accents then count the
same on every database, and no search reads a table from end to end.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Engine, select

from polemos.ladder import queries
from polemos.server.ladder.pages import Kept, LadderPages
from polemos.server.store import ladder as db
from polemos.server.store import people, schema
from polemos.server.words import folded
from polemos.wire.ladder import LadderGame
from polemos.wire.search import FoundBot, FoundPerson
from polemos.wire.table import TableCard

FRESH: Final = 5.0  # seconds for which names count
MAX_TEXT: Final = 80  # characters
MAX_NAMES: Final = 20_000  # of bots, and of people
MAX_BOTS: Final = 6
MAX_PEOPLE: Final = 4
MAX_MATCHES: Final = 4
ALIKE: Final = 3  # bots that one name may mean
FAR: Final = 3000  # games of a bot among which those against another are looked for

_NUMBER: Final = re.compile(r"(?:(?:match|game)\s*)?#?\s*([0-9]{1,18})")
_AGAINST: Final = re.compile(r"\s(?:vs?\.?|against)\s")


class Called(Struct, frozen=True):
    """A bot, with its name and its author's as they are compared."""

    bot: FoundBot
    name: str
    author: str


class Names(Struct, frozen=True):
    """Everything on public ladders that has a name."""

    bots: tuple[Called, ...]
    people: tuple[tuple[str, FoundPerson], ...]


class Search:
    def __init__(self, engine: Engine, pages: LadderPages) -> None:
        self._engine = engine
        self._pages = pages
        self._names: Kept[Names] = Kept(FRESH)

    def bots(self, text: str, account: int | None) -> list[FoundBot]:
        """By name, or by name and author; one's own also if nobody else can see them."""
        known = self._all().bots
        if account is not None:
            with self._engine.connect() as connection:
                own = _bots(connection, db.bots.c.account_id == account)
            public = {one.bot.id for one in known}
            known += tuple(one for one in own if one.bot.id not in public)
        return [one.bot for one in _best(folded(text), known)]

    def people(self, text: str) -> list[FoundPerson]:
        wanted = folded(text)
        found = [(place, name, one) for name, one in self._all().people if (place := _place(wanted, name)) is not None]
        return [one for *_, one in sorted(found, key=lambda one: one[:2])[:MAX_PEOPLE]]

    def games(self, text: str, bots: Sequence[FoundBot]) -> list[LadderGame]:
        """Games on public ladders: those between two bots ("aspis vs bulwark"), or the last ones of the bots found."""
        sides = [side.strip() for side in _AGAINST.split(f" {folded(text)} ", 1)]
        if len(sides) == 2 and all(sides):
            one, other = ([bot.id for bot in _meant(side, self._all().bots)] for side in sides)
            return self._pages.between(one, other, MAX_MATCHES, FAR) if one and other else []
        public = {one.bot.id for one in self._all().bots}
        last = [self._pages.results_of(bot.id, 2) for bot in bots[:2] if bot.id in public]
        games = {game.id: game for some in last for game in some}
        return sorted(games.values(), key=lambda game: -game.id)[:MAX_MATCHES]

    def _all(self) -> Names:
        def read() -> Names:
            with self._engine.connect() as connection:
                bots = _bots(connection, db.bots.c.id.in_(queries.on_public_ladders()))
                return Names(bots, _people(connection, [one.bot for one in bots]))

        return self._names.get(None, read)


def number_in(text: str) -> int | None:
    """The number of a match, if that is what was written.

    >>> number_in("#1204"), number_in(" match 7 "), number_in("Hoplite 2")
    (1204, 7, None)
    """
    found = _NUMBER.fullmatch(folded(text))
    return None if found is None else int(found[1])


def tables(text: str, listed: Iterable[TableCard]) -> list[TableCard]:
    """Tables by title, by who plays, or by their number in addresses."""
    wanted = folded(text)

    def is_meant(card: TableCard) -> bool:
        names = (card.title, *(seat.player for seat in card.seats))
        return card.id == wanted or any(_place(wanted, folded(name)) is not None for name in names)

    return [card for card in listed if is_meant(card)][:MAX_MATCHES]


# ---- what is known


def _bots(connection: Connection, which: ColumnElement[bool]) -> tuple[Called, ...]:
    bots, versions, accounts = db.bots.c, db.bot_versions, schema.accounts
    rows = connection.execute(
        select(bots.id, bots.name, accounts.c.name.label("author"), bots.game, versions.c.number, bots.state)
        .outerjoin_from(db.bots, versions, versions.c.id == bots.version_id)
        .outerjoin(accounts, accounts.c.id == bots.account_id)
        .where(which, bots.state != "deleted")
        .order_by(bots.id.desc())
        .limit(MAX_NAMES)
    )
    found = (FoundBot(row.id, row.name, row.author or "", row.game, row.number, row.state) for row in rows)
    return tuple(Called(bot, folded(bot.name), folded(bot.author)) for bot in found)


def _people(connection: Connection, bots: Iterable[FoundBot]) -> tuple[tuple[str, FoundPerson], ...]:
    """Authors of bots, and whoever has played a rated match."""
    counted: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for bot in bots:
        if bot.author:
            counted[bot.author][bot.game] = counted[bot.author].get(bot.game, 0) + 1
    of, accounts = people.ratings, schema.accounts
    rated: defaultdict[str, set[str]] = defaultdict(set)
    rows = connection.execute(
        select(accounts.c.name, of.c.game)
        .join_from(of, accounts, accounts.c.id == of.c.account_id)
        .where(accounts.c.password != "")  # deleted accounts have none
        .order_by(of.c.last.desc())
        .limit(MAX_NAMES)
    )
    for name, game in rows:
        rated[name].add(game)
    names = sorted({*counted, *rated})
    return tuple((folded(one), FoundPerson(one, counted[one], tuple(sorted(rated[one])))) for one in names)


# ---- what is meant


def _meant(wanted: str, known: Sequence[Called]) -> list[FoundBot]:
    """The bots of exactly this name, or else those that come nearest to it."""
    best = _best(wanted, known)
    return [one.bot for one in best if one.name == wanted or best[0].name != wanted][:ALIKE]


def _best(wanted: str, known: Iterable[Called]) -> list[Called]:
    found = [(place, one) for one in known if (place := _place_of(wanted, one)) is not None]
    found.sort(key=lambda one: (one[0], one[1].bot.state != "active", one[1].name, one[1].bot.id))
    return [one for _, one in found[:MAX_BOTS]]


def _place_of(wanted: str, one: Called) -> int | None:
    """A name comes before a name with its author's, such as "ada palisade"."""
    place = _place(wanted, one.name)
    if place is not None or " " not in wanted or not one.author:
        return place
    words = wanted.split()
    both = all(word in one.name or word in one.author for word in words)
    return 4 if both and any(word in one.name for word in words) else None


def _place(wanted: str, name: str) -> int | None:
    """How well a name fits: 0 is the name itself; None is not at all.

    >>> [_place("wall", name) for name in ("wall", "wallaby", "long wall", "firewall", "moat")]
    [0, 1, 2, 3, None]
    """
    if not wanted or wanted not in name:
        return None
    return 0 if name == wanted else 1 if name.startswith(wanted) else 2 if f" {wanted}" in name else 3
