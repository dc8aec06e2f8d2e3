"""Keeps a few games waiting on every ladder. Games that wait cost a newcomer time, so there are never many."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from functools import partial
from random import Random
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import Connection, Engine, and_, func, insert, select, update
from sqlalchemy.sql import ColumnElement

from polemos.arena.tournament.seats import seating
from polemos.kernel import dice
from polemos.ladder import ladders, queries, quotas
from polemos.ladder.bell import Bell
from polemos.ladder.clock import Writing, now, reading, writing
from polemos.ladder.ladders import Ladder, Map
from polemos.ladder.leases import DONE, WAITING
from polemos.ladder.pairing import Candidate, Chosen, Met, choose, with_opponents
from polemos.server.store import ladder as db

AHEAD: Final = 10.0  # seconds of play that should be waiting
MIN_AHEAD: Final = 12  # games
RECENT: Final = 60.0  # seconds over which the pace is measured
FULL: Final = 3  # the share of a ladder in the queue; those of other rule sets, which no author has asked for, have 1
PLACEMENT, CHALLENGE, FINAL, ORDINARY = 0, 1, 2, 3  # priorities: lower is sooner
BROKEN_FINALS: Final = 3  # times the meetings of a final, that may break before nobody waits for a bot any more
Stage = Literal["season", "final", "challenge", "tournament"]

_games: Final = db.games


class _Memory:
    """What the scheduler remembers of a ladder between two looks. All of it may be lost: only fairness suffers."""

    def __init__(self) -> None:
        self.met = Met()
        self.turns: dict[int, float] = {}
        self.maps: Counter[int] = Counter()
        self.is_idle = False  # the last time nothing could be paired, and nothing was unfinished


class Scheduler:
    def __init__(self, engine: Engine, bell: Bell, begin: Writing | None = None, *, limits: float = 1.0) -> None:
        """`limits` multiplies the quotas of accounts."""
        self._engine = engine
        self._bell = bell
        self._begin = begin or partial(writing, engine)
        self._memory: defaultdict[int, _Memory] = defaultdict(_Memory)
        self._quotas = quotas.Hourly(limits)

    def look(self) -> int:
        """Pairs as many games as are missing; returns how many."""
        with reading(self._engine) as connection:
            open_ones = [one for one in ladders.all_of(connection) if one.state == "open"]
            wanted = _wanted(connection, open_ones, {id for id, of in self._memory.items() if of.is_idle})
            if not any(wanted.values()):
                return 0
            self._quotas.look(connection, [one.season for one in open_ones])
        paired = 0
        for ladder in open_ones:
            if wanted[ladder.id] > 0:
                with self._begin() as connection:
                    paired += self._fill(connection, ladder, wanted[ladder.id])
                    self._bell.ring(connection)
        if paired:
            self._bell.rings()
        return paired

    def _fill(self, connection: Connection, ladder: Ladder, games: int) -> int:
        field = field_of(connection, ladder)
        if ladder.phase == "open":
            field = [one for one in field if one.account not in self._quotas.spent]
        memory = self._memory[ladder.id]
        self._level(memory, field)
        finals = final_meetings(connection, ladder) if ladder.phase == "final" else Counter[int]()
        paired, number = 0, meetings(connection, ladder.id)
        while paired < games:
            number += 1
            random = Random(dice.derive(ladder.key, "pairing", number))
            if ladder.phase == "final":
                chosen = _choose_final(field, ladder, finals, memory.met, random)
            else:
                chosen = choose(field, ladder.seats, number, memory.met, random)
            if chosen is None:
                break
            versions = [player.version for player in chosen.players]
            map = ladder.maps[(memory.maps[versions[0]] + versions[0]) % len(ladder.maps)]
            memory.maps[versions[0]] += 1
            memory.met.note(versions)
            priority = PLACEMENT if chosen.placing is not None else FINAL if ladder.phase == "final" else ORDINARY
            stage: Stage = "final" if ladder.phase == "final" else "season"
            paired += pair(connection, ladder, number, chosen, map, stage=stage, priority=priority)
            for player in chosen.players:
                player.out += ladder.seats
                player.turns += ladder.seats
                memory.turns[player.version] = player.turns
                finals[player.version] += 1
            meetings(connection, ladder.id, 1)
        memory.is_idle = not paired and not any(one.out for one in field)
        return paired

    def _level(self, memory: _Memory, field: Sequence[Candidate]) -> None:
        """Newcomers start level with the others, so they need not be given all the games that they have missed."""
        known = [memory.turns[one.version] for one in field if one.version in memory.turns and not one.is_placing]
        least = min(known, default=0.0)
        for one in field:
            one.turns = memory.turns.get(one.version, least)
            if one.is_placing:
                one.turns = memory.turns[one.version] = least


def _wanted(connection: Connection, open_ones: Sequence[Ladder], idle: Set[int]) -> dict[int, int]:
    """How many games each ladder should pair now. None where only our own bots are: an idle server writes nothing.

    Games are played in their order, so a ladder's share of those that wait is its share of the machines. Where nobody
    could be paired the last time (no version yet, or no games left for this hour), one is tried, and the others share.
    """
    entries, bots = db.entries, db.bots
    competing = set(
        connection.execute(
            select(entries.c.ladder_id)
            .join_from(entries, bots, bots.c.id == entries.c.bot_id)
            .where(bots.c.builtin.is_(None), bots.c.state == "active")
            .distinct()
        ).scalars()
    )
    shares = {one.id: 1 if one.is_extra else FULL for one in open_ones if one.id in competing}
    shares |= dict.fromkeys(shares.keys() & idle, 0)
    recent = queries.pace([one.season for one in open_ones], RECENT)
    pace = connection.execute(recent).scalar_one() / RECENT
    ahead = max(MIN_AHEAD, int(pace * AHEAD))
    # Not the games that people have asked for: newcomers must not wait until they are played.
    own = _games.c.stage.in_(("season", "final"))
    rows = connection.execute(
        select(_games.c.ladder_id, func.count()).where(_games.c.state == WAITING, own).group_by(_games.c.ladder_id)
    )
    there = {ladder: int(count) for ladder, count in rows}
    whole = max(1, sum(shares.values()))
    wanted = {ladder: ahead * share // whole + 1 - there.get(ladder, 0) for ladder, share in shares.items()}
    return {one.id: wanted.get(one.id, 0) for one in open_ones}


def meetings(connection: Connection, ladder: int, more: int = 0) -> int:
    """How many meetings were paired so far. Whoever asks pairs alone until the transaction ends: games are in order."""
    of = db.ladders
    return int(
        connection.execute(
            update(of).where(of.c.id == ladder).values(meetings=of.c.meetings + more).returning(of.c.meetings)
        ).scalar_one()
    )


def field_of(connection: Connection, ladder: Ladder) -> list[Candidate]:
    """The versions that can play, with what is known about them. In a final, those that were locked for it."""
    entries, bots, ratings, fits, seasons = db.entries, db.bots, db.ratings, db.fit_ratings, db.seasons
    version = queries.PLAYS
    fit = select(seasons.c.fit_id).where(seasons.c.id == ladder.season).scalar_subquery()
    rows = connection.execute(
        select(
            version,
            bots.c.id,
            bots.c.name,
            bots.c.builtin,
            bots.c.account_id,
            ratings.c.games,
            ratings.c.mu,
            ratings.c.sigma,
            fits.c.margin,
        )
        .join_from(entries, bots, bots.c.id == entries.c.bot_id)
        .outerjoin(ratings, and_(ratings.c.season_id == ladder.season, ratings.c.version_id == version))
        .outerjoin(fits, and_(fits.c.fit_id == fit, fits.c.version_id == version))
        .where(*queries.can_play(ladder))
        .order_by(version)
    )
    out = _unfinished(connection, ladder.season)
    field = []
    for id, bot, name, builtin, account, games, mu, sigma, margin in rows:
        one = Candidate(id, bot, name, builtin is not None, margin=margin, out=out[id], account=account)
        if games is not None:
            one.games, one.mu, one.sigma = games, mu, sigma
        field.append(one)
    return field


def _unfinished(connection: Connection, season: int) -> Counter[int]:
    """Games of each version that wait or are being played."""
    seats = db.seats
    rows = connection.execute(
        select(seats.c.version_id, func.count())
        .join_from(_games, seats, seats.c.game_id == _games.c.id)
        .where(_games.c.season_id == season, _games.c.state != DONE)
        .group_by(seats.c.version_id)
    )
    return Counter({version: int(count) for version, count in rows})


def pair(
    connection: Connection,
    ladder: Ladder,
    number: int,
    chosen: Chosen,
    map: Map,
    *,
    stage: Stage,
    priority: int,
    counts: bool = True,
) -> int:
    """Adds the games of a meeting: everybody plays every seat once, with the same seed and draw. Returns how many."""
    seed = dice.derive(ladder.key, "meeting", number, 0)
    options = msgspec.json.encode({**ladder.options, **map.options})
    players = chosen.players
    for turn in range(ladder.seats):
        add_game(
            connection,
            ladder,
            [(players[i].bot, players[i].version) for i in seating(range(len(players)), turn)],
            meeting=number,
            turn=turn,
            seed=seed,
            bot_seed=dice.derive(seed, "bots", turn),
            map=map.name,
            options=options,
            why=chosen.why_of(turn)[:120],
            stage=stage,
            priority=priority,
            counts=counts,
        )
    return ladder.seats


def add_game(connection: Connection, ladder: Ladder, players: Sequence[tuple[int, int]], **row: Any) -> int:
    """Adds a game that waits, with the bots and versions in order of their entries; returns its number."""
    values = {
        **row,
        "ladder_id": ladder.id,
        "season_id": ladder.season,
        "seating": ",".join(str(version) for _, version in players),
        "created": now(),
        "state": "waiting",
    }
    id = int(connection.execute(insert(_games).values(values).returning(_games.c.id)).scalar_one())
    connection.execute(
        insert(db.seats),
        [
            {"game_id": id, "entry": entry, "bot_id": bot, "version_id": version}
            for entry, (bot, version) in enumerate(players)
        ],
    )
    return id


# ---- the final of a season


def final_meetings(connection: Connection, ladder: Ladder) -> Counter[int]:
    """How many meetings of the final each version has had or will have.

    Those that could not be played are paired again. Whoever had far too many of them has had its final: it must end.
    """
    found = _in_final(connection, ladder.season, _games.c.cause.not_in(("called off", "broken")))
    for version, broken in _in_final(connection, ladder.season, _games.c.cause == "broken").items():
        if broken >= BROKEN_FINALS * ladder.final_meetings:
            found[version] = max(found[version], ladder.final_meetings)
    return found


def _in_final(connection: Connection, season: int, which: ColumnElement[bool]) -> Counter[int]:
    seats = db.seats
    rows = connection.execute(
        select(seats.c.version_id, func.count(_games.c.meeting.distinct()))
        .join_from(_games, seats, seats.c.game_id == _games.c.id)
        .where(_games.c.season_id == season, _games.c.stage == "final", which)
        .group_by(seats.c.version_id)
    )
    return Counter({version: int(count) for version, count in rows})


def _choose_final(
    field: Sequence[Candidate], ladder: Ladder, finals: Counter[int], met: Met, random: Random
) -> Chosen | None:
    """The next meeting of the final: everybody gets the same number, give or take those that make a table full."""
    due = [one for one in field if finals[one.version] < ladder.final_meetings]
    if not due:
        return None
    focus = min(due, key=lambda one: (finals[one.version], random.random()))
    for one in field:
        one.turns = finals[one.version] * ladder.seats
    players = with_opponents(focus, [one for one in field if one is not focus], ladder.seats, met, random)
    why = f"final, meeting {finals[focus.version] + 1} of {ladder.final_meetings}"
    return None if players is None else Chosen(players, why)
