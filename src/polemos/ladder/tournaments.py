"""Tournaments of groups, with the code of `polemos tournament`: its plan and its games say what happens next.

The games are rows of the ladder, so they are leased, judged and counted once like all others, but do not count for
ratings. Nothing else has to be kept: whoever looks reads the plan and the results, and adds the games that are due.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Final

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Engine, and_, func, insert, select, update
from sqlalchemy.sql import ColumnElement

from polemos import registry
from polemos.arena.times import Used
from polemos.arena.tournament import report_csv
from polemos.arena.tournament.engine import Tournament
from polemos.arena.tournament.opening import settled
from polemos.arena.tournament.plan import Entrant, Pairing, Plan, Played
from polemos.arena.tournament.ratings import rate
from polemos.arena.tournament.report_facts import Facts, gather
from polemos.kernel import dice
from polemos.kernel.errors import BadOptions
from polemos.kernel.verdict import public
from polemos.ladder import bots as authors
from polemos.ladder import groups, ladders, leases
from polemos.ladder.bell import Bell
from polemos.ladder.clock import now, reading, time_of, writing
from polemos.ladder.group_rules import STOPPED, Group, GroupRefusal, check_starts, deadline
from polemos.ladder.ladders import Ladder, Map
from polemos.ladder.leases import DONE
from polemos.ladder.scheduler import FINAL, add_game, meetings
from polemos.server.store import groups as store
from polemos.server.store import ladder as db
from polemos.wire.bot import Budget

AHEAD: Final = 48  # games of a tournament that wait or are being played
MAX_GAMES: Final = 5000  # in one tournament of a group
_of: Final = store.tournaments
_links: Final = store.tournament_games


class Course(Struct):
    """A tournament and everything that has been played in it."""

    id: int
    group: str
    ladder: int
    versions: tuple[int, ...]  # of the entrants
    maps: tuple[Map, ...]
    begun: float
    ended: float | None
    stopped: bool
    tournament: Tournament
    games: dict[int, int] = {}  # the numbers of games in the tournament, and those of their rows

    @property
    def plan(self) -> Plan:
        return self.tournament.plan

    def facts(self) -> Facts:
        """What a report says about it."""
        running = self.tournament
        return gather(
            self.plan,
            running.counted,
            running.rows(),
            running.notices,
            rate(self.plan, running.counted),
            done=running.settled,
            due=running.expected,
            running=not running.is_over,
        )


# ---- beginning


def plan_of(connection: Connection, group: Group, ladder: Ladder) -> tuple[Plan, tuple[int, ...], tuple[Map, ...]]:
    """The tournament that a group has chosen, with the versions that are locked; raises GroupRefusal if it can't be.

    Seeds of a knock-out go by the rating in the group, and by the day of entry if there is none.
    """
    rows = _locked(connection, group, ladder)
    budget = connection.execute(select(db.ladders.c.budget).where(db.ladders.c.id == ladder.id)).scalar_one()
    seed = dice.derive(ladder.key, "tournament", group.id, len(of_group(connection, group.id)))
    plan = Plan(
        game=ladder.game,
        edition=registry.load(ladder.game).edition,
        options=ladder.options,
        seats=ladder.seats,
        entrants=tuple(Entrant(_called(rows, row), f"version {row.digest}", row.digest) for row in rows),
        system=group.system,
        rounds=1,
        games=group.games,
        seed=seed,
        budget=msgspec.json.decode(budget, type=Budget),
    )
    try:
        plan = settled(plan, group.rounds)
    except BadOptions as error:
        raise GroupRefusal(f"The tournament can't be played: {error.why}") from None
    if Tournament(plan).expected > MAX_GAMES:
        raise GroupRefusal(f"That would be more than {MAX_GAMES:,} games. Choose fewer rounds or games.")
    return plan, tuple(row.version_id for row in rows), _drawn(ladder.maps, group.maps, seed)


def _locked(connection: Connection, group: Group, ladder: Ladder) -> list[Any]:
    """The locked versions of members, the best rated first; not of bots that operators have stopped."""
    entries, bots, versions, ratings = db.entries, db.bots, db.bot_versions, db.fit_ratings
    fit = select(db.seasons.c.fit_id).where(db.seasons.c.id == ladder.season).scalar_subquery()
    return list(
        connection.execute(
            select(bots.c.id, bots.c.name, entries.c.version_id, versions.c.number, versions.c.digest)
            .join_from(entries, bots, bots.c.id == entries.c.bot_id)
            .join(versions, versions.c.id == entries.c.version_id)
            .outerjoin(ratings, (ratings.c.version_id == versions.c.id) & (ratings.c.fit_id == fit))
            .where(entries.c.ladder_id == group.ladder, bots.c.builtin.is_(None), bots.c.state != "deleted")
            .where(~_is_stopped())
            .order_by(ratings.c.elo.is_(None), ratings.c.elo.desc(), entries.c.entered, bots.c.id)
        )
    )


def _is_stopped() -> ColumnElement[bool]:
    return and_(db.bots.c.state == "paused", db.bots.c.paused_by == "operator")


def _called(rows: Sequence[Any], row: Any) -> str:
    """A name for the table; bots of two authors may have the same."""
    name = f"{row.name} v{row.number}"
    return name if sum(other.name == row.name for other in rows) == 1 else f"{name} ({row.id})"


def _drawn(maps: tuple[Map, ...], count: int, seed: str) -> tuple[Map, ...]:
    if not 0 < count < len(maps):
        return maps
    chosen = Random(dice.derive(seed, "maps")).sample(range(len(maps)), count)
    return tuple(maps[i] for i in sorted(chosen))


def begin(connection: Connection, id: str) -> int:
    """Begins the tournament of a group now; returns its number."""
    group = groups.held(connection, id)
    latest = max((deadline(group, member) or 0.0 for member in groups.members(connection, id)), default=None)
    check_starts(group, latest, time_of(connection))
    if any(row.state == "playing" for row in of_group(connection, id)):
        raise GroupRefusal("A tournament of this group is being played.")
    plan, versions, maps = plan_of(connection, group, ladders.one(connection, group.ladder))
    row = {
        "group_id": id,
        "ladder_id": group.ladder,
        "state": "playing",
        "plan": msgspec.json.encode(plan),
        "versions": msgspec.json.encode(versions),
        "maps": msgspec.json.encode(maps),
        "begun": now(),
    }
    groups.change(connection, id, starts=None)
    ladders.pause(connection, group.ladder, paused=True)  # the tournament says who is stronger now
    return int(connection.execute(insert(_of).values(row).returning(_of.c.id)).scalar_one())


def stop(connection: Connection, id: str) -> bool:
    """Ends the tournament that a group plays, without a winner; what was played stays. False if none is played."""
    group = groups.held(connection, id)
    stopped = connection.execute(
        update(_of)
        .where(_of.c.group_id == id, _of.c.state == "playing")
        .values(state=STOPPED, ended=now())
        .returning(_of.c.id)
    ).scalar()
    if stopped is None:
        return False
    theirs = select(_links.c.game_id).where(_links.c.tournament_id == stopped)
    leases.call_off(connection, db.games.c.id.in_(theirs), "the organiser stopped the tournament")
    groups.tell(connection, groups.everyone(connection, group), f"{group.name}: the organiser stopped the tournament.")
    return True


# ---- reading


def of_group(connection: Connection, id: str) -> Sequence[Any]:
    """The tournaments of a group in their order, without what was played."""
    return connection.execute(select(_of).where(_of.c.group_id == id).order_by(_of.c.id)).all()


def is_over(connection: Connection, id: str, number: int) -> bool:
    """Whether a tournament of a group has ended."""
    rows = of_group(connection, id)
    return 1 <= number <= len(rows) and rows[number - 1].state != "playing"


def course(row: Any) -> Course:
    """A tournament as it begins."""
    return Course(
        id=row.id,
        group=row.group_id,
        ladder=row.ladder_id,
        versions=msgspec.json.decode(row.versions, type=tuple[int, ...]),
        maps=msgspec.json.decode(row.maps, type=tuple[Map, ...]),
        begun=row.begun,
        ended=row.ended,
        stopped=row.state == STOPPED,
        tournament=Tournament(msgspec.json.decode(row.plan, type=Plan)),
    )


def catch_up(connection: Connection, of: Course) -> None:
    """Takes everything that has been played since the last time."""
    games, seats = db.games, db.seats
    known = max(of.games, default=0)
    links = connection.execute(
        select(_links.c.number, _links.c.game_id).where(_links.c.tournament_id == of.id, _links.c.number > known)
    )
    of.games.update((number, game) for number, game in links)
    rows = connection.execute(
        select(_links, games.c.cause, games.c.ranks, games.c.reason, games.c.rule, games.c.steps, games.c.fingerprint)
        .add_columns(games.c.seconds)
        .join_from(_links, games, games.c.id == _links.c.game_id)
        .where(_links.c.tournament_id == of.id, _links.c.number > of.tournament.settled, games.c.state == DONE)
        .order_by(_links.c.number)
    ).all()
    there: dict[int, list[Any]] = {row.game_id: [] for row in rows}
    for part in _parts(list(there)):
        found = select(seats).where(seats.c.game_id.in_(part)).order_by(seats.c.game_id, seats.c.entry)
        for seat in connection.execute(found):
            there[seat.game_id].append(seat)
    for row in rows:
        of.tournament.take(_played(row, there[row.game_id]))


def _parts(numbers: list[int], size: int = 500) -> Iterable[list[int]]:
    return (numbers[i : i + size] for i in range(0, len(numbers), size))


def _played(row: Any, seats: Sequence[Any]) -> Played:
    """A game of the ladder as a game of a tournament. One that could not be played is void, and nobody's fault; one to
    which somebody could not come is won by the others.
    """
    void = row.cause != "played"
    seating = tuple(int(part) for part in row.seating.split(","))
    absent = {seating[seat.entry] for seat in seats if seat.points is not None} if row.cause == "called off" else ()
    return Played(
        number=row.number,
        meeting=row.meeting,
        round=row.round,
        seating=seating,
        ranks=() if void else tuple(int(part) for part in row.ranks.split(",")),
        points=() if void else tuple(seat.points for seat in seats),
        reason=row.reason,
        rule=row.rule,
        steps=row.steps,
        fingerprint=row.fingerprint,
        void_lines=() if void else tuple(seat.void_lines for seat in seats),
        forfeits={} if void else {seat.entry: public(seat.fault) for seat in seats if seat.fault is not None},
        seconds=row.seconds,
        cpu=0.0 if void else sum(seat.cpu for seat in seats),
        void=void,
        absent=tuple(sorted(absent)),
        strikes=() if void else tuple(seat.strikes for seat in seats),
        used=() if void else tuple(Used(1, 0, seat.cpu, seat.wall, seat.slowest) for seat in seats),
    )


TABLES: Final = {"standings": report_csv.standings, "crosstable": report_csv.crosstable, "games": report_csv.games}


# ---- going on


class Tournaments:
    """Looks after all tournaments that are being played, in any number of processes."""

    def __init__(self, engine: Engine, bell: Bell) -> None:
        self._engine = engine
        self._bell = bell
        self._playing: dict[int, Course] = {}  # may be lost at any time

    def look(self) -> None:
        """Locks versions, begins tournaments, and adds games, whatever is due."""
        with reading(self._engine) as connection:
            locks = groups.due_locks(connection)
            starting = self._due(connection)
            playing = connection.execute(select(_of).where(_of.c.state == "playing")).all()
        for id in locks:
            with writing(self._engine) as connection:
                groups.fall(connection, id)
        for id in starting:
            with writing(self._engine) as connection:
                self._begin(connection, id)
        self._playing = {row.id: self._playing.get(row.id) or course(row) for row in playing}
        if sum(self._go_on(of) for of in list(self._playing.values())):
            self._bell.rings()

    def _due(self, connection: Connection) -> Sequence[str]:
        of = store.groups.c
        due = select(of.id).where(of.starts <= now(), of.settled.is_(True))
        return connection.execute(due).scalars().all()

    def _begin(self, connection: Connection, id: str) -> None:
        """A tournament that can't be played is called off, and the organiser is told why."""
        group = groups.held(connection, id)
        if group.starts is None or group.starts > time_of(connection):
            return  # another process was faster
        try:
            begin(connection, id)
        except GroupRefusal as error:
            groups.change(connection, id, starts=None)
            groups.tell(connection, [group.organiser], f"{group.name}: the tournament did not begin. {error.why}")
        else:
            groups.tell(connection, groups.everyone(connection, group), f"{group.name}: the tournament has begun.")

    def _go_on(self, of: Course) -> int:
        """Takes results and adds games; returns how many."""
        with reading(self._engine) as connection:
            catch_up(connection, of)
            out = len(of.games) - of.tournament.arrived
        if not of.tournament.is_over and (out >= AHEAD or next(of.tournament.due(self._last(of)), None) is None):
            return 0
        del self._playing[of.id]  # in case the transaction fails: it would know of games that do not exist
        added = self._write(of)
        self._playing[of.id] = of
        return added

    def _write(self, of: Course) -> int:
        with writing(self._engine) as connection:
            state = connection.execute(
                update(_of).where(_of.c.id == of.id).values(begun=_of.c.begun).returning(_of.c.state)
            ).scalar_one()
            if state != "playing":
                return 0
            catch_up(connection, of)  # another process may have added games meanwhile
            if of.tournament.is_over:
                self._end(connection, of)
                return 0
            return self._add(connection, of)

    def _last(self, of: Course) -> int:
        return max(of.games, default=0)

    def _add(self, connection: Connection, of: Course) -> int:
        ladder = ladders.one(connection, of.ladder)
        room, added = AHEAD - (len(of.games) - of.tournament.arrived), 0
        for pairing in of.tournament.due(self._last(of)):
            if added >= room:
                break
            of.games[pairing.number] = self._add_game(connection, of, ladder, pairing)
            added += 1
        self._bell.ring(connection)
        return added

    def _add_game(self, connection: Connection, of: Course, ladder: Ladder, pairing: Pairing) -> int:
        """The maps take turns: all games of a meeting with the same start are on the same one."""
        plan, versions = of.plan, db.bot_versions
        numbers = [of.versions[entrant] for entrant in pairing.seating]
        found = connection.execute(select(versions.c.id, versions.c.bot_id).where(versions.c.id.in_(numbers)))
        bots = {version: bot for version, bot in found}  # noqa: C416
        map = of.maps[dice.number(pairing.seed, "map") % len(of.maps)]
        game = add_game(
            connection,
            ladder,
            [(bots[version], version) for version in numbers],
            meeting=meetings(connection, ladder.id, 1),
            turn=0,
            seed=pairing.seed,
            bot_seed=pairing.bot_seed,
            map=map.name,
            options=msgspec.json.encode({**ladder.options, **map.options}),
            why=f"tournament, round {pairing.round} of {plan.rounds}",
            stage="tournament",
            priority=FINAL,
            counts=False,
        )
        link = {
            "tournament_id": of.id,
            "number": pairing.number,
            "game_id": game,
            "meeting": pairing.meeting,
            "round": pairing.round,
            "seating": ",".join(str(one) for one in pairing.seating),
        }
        connection.execute(insert(_links).values(link))
        self._call_off_stopped(connection, game, list(bots.values()))
        return game

    def _call_off_stopped(self, connection: Connection, game: int, players: Sequence[int]) -> None:
        """A bot that an operator has stopped since the tournament began plays no more, and the others win."""
        bots, seats = db.bots, db.seats
        stopped = select(bots.c.id).where(bots.c.id.in_(players), _is_stopped())
        found = connection.execute(stopped).scalars().all()
        if found:
            theirs = and_(seats.c.game_id == game, seats.c.bot_id.in_(found))
            connection.execute(update(seats).where(theirs).values(points=authors.ABSENT))
            leases.call_off(connection, db.games.c.id == game, authors.STOPPED)

    def _end(self, connection: Connection, of: Course) -> None:
        connection.execute(
            update(_of).where(_of.c.id == of.id).values(state="over", ended=func.coalesce(_of.c.ended, now()))
        )
        group = groups.find(connection, of.group)
        first = [of.plan.entrants[row.entrant].name for row in of.tournament.rows() if row.place == 1]
        groups.tell(
            connection,
            groups.everyone(connection, group),
            f"{group.name}: the tournament is over. First: {', '.join(first)}.",
        )
