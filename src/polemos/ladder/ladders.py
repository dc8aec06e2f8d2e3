"""Ladders and their seasons: one ladder for every game and rule set, and one for each group that wants its own."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Engine, Executable, RowMapping, Select, and_, delete, insert, select, update

from polemos import registry
from polemos.kernel import dice
from polemos.kernel.capabilities.ladder_maps import LadderMaps
from polemos.kernel.capabilities.sealed_bids import SealedBids
from polemos.kernel.errors import BadOptions, PolemosError
from polemos.kernel.game import AnyGame
from polemos.kernel.match import Match
from polemos.kernel.playing import require_no_umpire
from polemos.kernel.rooms import bots_of
from polemos.ladder import bots as authors
from polemos.ladder import leases
from polemos.ladder.clock import now, reading, time_of, writing
from polemos.server.store import ladder as db
from polemos.wire.bot import Budget

DAY: Final = 86400.0
SEASON: Final = 90 * DAY  # seconds
FINAL_MEETINGS: Final = 12  # of each bot, on top of the games of the season
USUAL: Final = "usual"  # the name of the rule set without options
CLOSED: Final = "closed"  # the state of a ladder that has ended for good
RULES: Final = "rules"  # the option that names a rule set, in games that have several

_log = logging.getLogger("polemos")


class Map(Struct, frozen=True):
    """One of the maps that a ladder plays in turn."""

    name: str
    options: dict[str, Any] = {}


class Ladder(Struct, frozen=True):
    """A ladder with its current season."""

    id: int
    game: str
    rules: str
    circle: str
    title: str
    options: dict[str, Any]
    maps: tuple[Map, ...]
    seats: int
    bids: bool
    key: str
    state: str
    season_seconds: float
    final_meetings: int
    anchor: int | None  # the bot whose rating is fixed
    season: int  # the number of its row
    phase: str
    ends: float

    @property
    def is_extra(self) -> bool:
        """Whether it is one that bots are put on besides that of the usual rules, without being asked."""
        return not self.circle and self.rules != USUAL


def open_ladder(
    connection: Connection,
    game: str,
    *,
    rules: str = USUAL,
    title: str = "",
    options: dict[str, Any] | None = None,
    maps: Sequence[Map] = (),
    circle: str = "",
    anchor: str | None = None,
    budget: Budget | None = None,
    season_seconds: float = SEASON,
    final_meetings: int = FINAL_MEETINGS,
) -> int:
    """A new ladder with our own bots on it; its first season begins. Raises BadOptions if nobody could play on it."""
    loaded, given = registry.load(game), dict(options or {})
    chosen = tuple(maps) or (Map("any"),)
    matches = [Match(loaded, {**given, **map.options}, seed=0) for map in chosen]
    counts = {len(match.seats) for match in matches}
    if len(counts) != 1:
        raise BadOptions("All maps of a ladder need the same number of seats.")
    for match in matches:
        require_no_umpire(loaded, match.state)
    asked = loaded.sealed({**given, **chosen[0].options}) if isinstance(loaded, SealedBids) else None
    bids = asked is not None and not {"money", "bids", "yellow"} & given.keys()
    own = _own_bots(connection, game)
    names = list(own)
    row = {
        "game": game,
        "rules": rules,
        "circle": circle,
        "title": title or f"{loaded.title} ({rules})",
        "options": msgspec.json.encode(given),
        "maps": msgspec.json.encode(chosen),
        "seats": counts.pop(),
        "bids": bids,
        "budget": msgspec.json.encode(budget or Budget()),
        "key": dice.new_key(),
        "state": "open",
        "season_seconds": season_seconds,
        "final_meetings": final_meetings,
        "created": now(),
        # One in the middle: nothing can be measured against a bot that nobody beats, or that everybody does.
        "anchor_id": own[anchor or names[(len(names) - 1) // 2]] if own else None,
    }
    ladder = int(connection.execute(insert(db.ladders).values(row).returning(db.ladders.c.id)).scalar_one())
    begin_season(connection, ladder, 1, season_seconds)
    for bot in own.values():
        enter(connection, ladder, bot)
    return ladder


def open_missing(engine: Engine, games: Sequence[str]) -> None:
    """Opens a ladder for every rule set of every game that has none, and seats our own bots on all public ones.

    One that an operator paused is there, so it stays as it is.
    """
    for game in games:
        for rules, title in rule_sets(game).items():
            try:
                _open(engine, game, rules, title)
            except PolemosError as error:  # a game that bots alone cannot play, say
                _log.warning("There is no ladder of %s (%s): %s", game, title, error.why)
        with writing(engine) as connection:
            for bot in _own_bots(connection, game).values():
                enter_all(connection, bot)


@cache
def rule_sets(game: str) -> dict[str, str]:
    """The rule sets of a game and what people call them; the usual one first, under a name of its own.

    >>> rule_sets("demons")
    {'usual': 'Classic', 'finals-2025': 'Finals of 2025'}
    """
    options = registry.load(game).options_type
    schema = msgspec.json.schema(options)["$defs"][options.__name__]["properties"].get(RULES, {})
    words = schema.get("words", {})
    usual = schema.get("default")
    others = [name for name in schema.get("enum", ()) if name != usual]
    return {USUAL: words.get(usual, "Usual rules"), **{name: words.get(name, name) for name in others}}


def _maps(game: AnyGame) -> list[Map]:
    """The maps that are played in turn, in games that have several."""
    return [Map(name, options) for name, options in game.ladder_maps().items()] if isinstance(game, LadderMaps) else []


def _open(engine: Engine, game: str, rules: str, title: str) -> None:
    """Opens a public ladder with all bots of its game on it, unless there is one."""
    of = db.ladders
    there = select(of.c.id).where(of.c.game == game, of.c.rules == rules, of.c.circle == "")
    with reading(engine) as connection:
        if connection.execute(there).first() is not None:
            return
    loaded = registry.load(game)
    given = {} if rules == USUAL else {RULES: rules}
    maps = _maps(loaded)
    # The first match of a game may compile its rules, which nobody who writes should wait for.
    Match(loaded, {**given, **(maps[0].options if maps else {})}, seed=0)
    called = loaded.title if rules == USUAL else f"{loaded.title} ({title})"
    playing = select(db.bots.c.id).where(db.bots.c.game == game, db.bots.c.state != "deleted")
    with writing(engine) as connection:
        ladder = open_ladder(connection, game, rules=rules, title=called, options=given, maps=maps)
        for bot in connection.execute(playing.where(db.bots.c.version_id.is_not(None))).scalars().all():
            enter(connection, ladder, bot)


def _own_bots(connection: Connection, game: str) -> dict[str, int]:
    """Our own bots as rows, by name, from the weakest on."""
    found = {}
    for name in bots_of(registry.load(game)):
        bot = connection.execute(select(db.bots.c.id).where(db.bots.c.game == game, db.bots.c.builtin == name)).scalar()
        if bot is None:
            bot = authors.add(connection, game, name, None, builtin=name)
            authors.passed(connection, authors.add_version(connection, bot, None))
        found[name] = int(bot)
    return found


def enter(connection: Connection, ladder: int, bot: int) -> None:
    """Puts a bot on a ladder; one that is already there stays."""
    there = select(db.entries.c.bot_id).where(db.entries.c.ladder_id == ladder, db.entries.c.bot_id == bot)
    if connection.execute(there).scalar() is None:
        connection.execute(insert(db.entries).values(ladder_id=ladder, bot_id=bot, entered=now()))


def enter_all(connection: Connection, bot: int) -> None:
    """Puts a bot on all public ladders of its game."""
    game = select(db.bots.c.game).where(db.bots.c.id == bot).scalar_subquery()
    public = select(db.ladders.c.id).where(db.ladders.c.game == game, db.ladders.c.circle == "")
    for ladder in connection.execute(public).scalars().all():
        enter(connection, ladder, bot)


def take_off(connection: Connection, ladder: int, bot: int) -> bool:
    """A bot leaves a ladder; meetings that have not begun are called off. False if it was not there."""
    which = (db.entries.c.ladder_id == ladder, db.entries.c.bot_id == bot)
    if not connection.execute(delete(db.entries).where(*which)).rowcount:
        return False
    leases.call_off(connection, and_(leases.of_bot(bot), leases.not_begun(), db.games.c.ladder_id == ladder))
    return True


def lock(connection: Connection, ladder: int) -> None:
    """From now on, the versions that play at this moment count, whatever is uploaded. Paused bots have none."""
    active = (db.bots.c.id == db.entries.c.bot_id, db.bots.c.state == "active")
    playing = select(db.bots.c.version_id).where(*active).scalar_subquery()
    unlocked = (db.entries.c.ladder_id == ladder, db.entries.c.version_id.is_(None))
    connection.execute(update(db.entries).where(*unlocked).values(version_id=playing))


def unlock(connection: Connection, ladder: int) -> None:
    """The newest versions play again."""
    connection.execute(update(db.entries).where(db.entries.c.ladder_id == ladder).values(version_id=None))


def begin_season(connection: Connection, ladder: int, number: int, seconds: float) -> int:
    begun = time_of(connection)
    row = {"ladder_id": ladder, "number": number, "phase": "open", "begun": begun, "ends": begun + seconds}
    return int(connection.execute(insert(db.seasons).values(row).returning(db.seasons.c.id)).scalar_one())


def pause(connection: Connection, ladder: int, *, paused: bool) -> None:
    """Whether a ladder pairs no new games. Games that wait are played. One that is closed stays closed."""
    connection.execute(pausing(ladder, paused=paused))


def pausing(ladder: int, *, paused: bool) -> Executable:
    """The statement that does so."""
    of = db.ladders
    open_one = (of.c.id == ladder, of.c.state != CLOSED)
    return update(of).where(*open_one).values(state="paused" if paused else "open")


def close(connection: Connection, ladder: int) -> None:
    """Ends a ladder for good. Its last season stays as it is, to be read."""
    connection.execute(update(db.ladders).where(db.ladders.c.id == ladder).values(state=CLOSED))


def all_of(connection: Connection, *, closed: bool = False) -> list[Ladder]:
    """All ladders, each with its current season; those that are closed only if somebody wants to read them."""
    which = _current() if closed else _current().where(db.ladders.c.state != CLOSED)
    return [_ladder(row) for row in connection.execute(which.order_by(db.ladders.c.id)).mappings()]


def find(connection: Connection, ladder: int) -> Ladder | None:
    row = connection.execute(_current().where(db.ladders.c.id == ladder)).mappings().one_or_none()
    return None if row is None else _ladder(row)


def one(connection: Connection, ladder: int) -> Ladder:
    """A ladder that is known to exist."""
    found = find(connection, ladder)
    assert found is not None
    return found


def _current() -> Select[Any]:
    seasons, ladders = db.seasons, db.ladders
    return (
        select(ladders, seasons.c.id.label("season"), seasons.c.phase, seasons.c.ends)
        .join_from(ladders, seasons, seasons.c.ladder_id == ladders.c.id)
        .where(seasons.c.phase != "over")
    )


def _ladder(row: RowMapping) -> Ladder:
    return Ladder(
        id=row["id"],
        game=row["game"],
        rules=row["rules"],
        circle=row["circle"],
        title=row["title"],
        options=msgspec.json.decode(row["options"]),
        maps=msgspec.json.decode(row["maps"], type=tuple[Map, ...]),
        seats=row["seats"],
        bids=row["bids"],
        key=row["key"],
        state=row["state"],
        season_seconds=row["season_seconds"],
        final_meetings=row["final_meetings"],
        anchor=row["anchor_id"],
        season=row["season"],
        phase=row["phase"],
        ends=row["ends"],
    )
