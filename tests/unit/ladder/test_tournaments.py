"""A group from its first member to its tournament, in the database: locks, extra time, systems, several processes."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Engine, func, select, update

from polemos.ladder import bots, groups, tournaments
from polemos.ladder.clock import now, writing
from polemos.ladder.group_rules import GroupRefusal
from polemos.ladder.ladders import Map
from polemos.ladder.tournaments import Tournaments
from polemos.server.store import groups as store
from polemos.server.store import ladder as db
from unit.ladder.small import Small, by_strength

MAPS = (Map("short", {"turns": 3}), Map("long", {"turns": 8}), Map("longer", {"turns": 9}))


class Class:
    """A group with members, each with a bot; the later a bot, the stronger."""

    def __init__(self, engine: Engine, count: int) -> None:
        self.small = Small(engine, maps=MAPS)
        self.engine = engine
        self.olga = self.small.author("Olga")
        with writing(engine) as connection:
            self.id = groups.create(connection, self.olga, "Algorithms II", "class", self.small.id)
        self.people = [self.small.author(f"member {i}") for i in range(count)]
        self.bots = [self.small.bot(f"bot {i}", account) for i, account in enumerate(self.people)]
        with writing(engine) as connection:
            for account, bot in zip(self.people, self.bots, strict=True):
                groups.join(connection, self.id, account, None)
                groups.admit(connection, self.id, account)
                groups.enter(connection, self.id, account, bot)

    @property
    def ladder(self) -> int:
        with self.engine.connect() as connection:
            return groups.find(connection, self.id).ladder

    def versions(self) -> dict[int, int | None]:
        """The locked versions of bots."""
        of = db.entries.c
        rows = self.small.rows(
            select(of.bot_id, of.version_id).where(of.ladder_id == self.ladder, of.bot_id.in_(self.bots))
        )
        return dict(rows)

    def change(self, **values: Any) -> None:
        with writing(self.engine) as connection:
            groups.change(connection, self.id, **values)

    def lock(self) -> None:
        with writing(self.engine) as connection:
            groups.lock_now(connection, self.id)

    def play(self, *lookers: Tournaments) -> int:
        strengths = {version: float(version) for (version,) in self.small.rows(select(db.bot_versions.c.id))}
        count = 0
        for _ in range(100):
            for looker in lookers:
                looker.look()
            if self.small.states().get("waiting", 0) == 0:
                return count
            count += self.small.play_all(by_strength(strengths))
        raise AssertionError("the tournament never ends")


@pytest.mark.parametrize(("system", "games"), [("swiss", 12), ("round-robin", 20), ("knock-out", 8)])
def test_the_strongest_wins_in_every_system_and_no_game_is_added_twice(engine: Engine, system: str, games: int) -> None:
    """Five bots, two games a meeting: three rounds of two meetings, all ten pairs, four knock-out meetings."""
    group = Class(engine, 5)
    small = group.small
    group.lock()
    group.change(system=system, games=2, maps=2, starts=1.0)
    lookers = [Tournaments(engine, small.bell) for _ in range(3)]
    assert group.play(*lookers) == games
    with engine.connect() as connection:
        (row,) = tournaments.of_group(connection, group.id)
        assert row.state == "over"
        course = tournaments.course(row)
        tournaments.catch_up(connection, course)
        table = course.tournament.rows()
        lines = tournaments.TABLES["standings"](course.facts()).splitlines()
    strongest = next(row for row in table if course.versions[row.entrant] == max(course.versions))
    assert strongest.points == table[0].points
    # In a Swiss of five, two can win everything without meeting: that nobody meets again comes first.
    assert system == "swiss" or strongest is table[0]
    assert len(lines) == 6
    played = small.rows(select(db.games.c.map, db.games.c.counts, db.games.c.stage, db.games.c.cause))
    assert len({map for map, *_ in played}) <= 2
    assert {tuple(rest) for _, *rest in played} == {(False, "tournament", "played")}
    (links,) = small.one(select(func.count()).select_from(store.tournament_games))
    assert links == len(played)
    told = small.rows(select(db.notices.c.text).where(db.notices.c.account_id == group.olga))
    names = {version: f"bot {group.bots.index(bot)} v1" for bot, version in group.versions().items()}
    first = ", ".join(names[course.versions[row.entrant]] for row in table if row.place == 1)
    assert told[-1] == (f"Algorithms II: the tournament is over. First: {first}.",)
    assert "bot 4" in first or system == "swiss"


def test_the_lock_takes_versions_that_came_in_time_and_extra_time_is_respected(engine: Engine) -> None:
    group = Class(engine, 4)
    plain, late, gone, back = group.bots
    empty = group.small.author("without a version")
    with writing(engine) as connection:
        groups.join(connection, group.id, empty, None)
        groups.admit(connection, group.id, empty)
        nothing = bots.add(connection, "skerries", "Nothing", empty)
        groups.enter(connection, group.id, empty, nothing)
        groups.set_extra(connection, group.id, group.people[1], 3600.0)
        groups.remove(connection, group.id, group.people[2])
        last = bots.add_version(connection, back, "a" * 32)
        bots.passed(connection, last)
        first = connection.execute(
            select(db.bot_versions.c.id).where(db.bot_versions.c.bot_id == back, db.bot_versions.c.number == 1)
        ).scalar_one()
        bots.go_back(connection, back, first)
    assert gone not in group.versions()
    group.change(lock_at=now() - 60)
    with writing(engine) as connection:  # all that exists was there two minutes ago, but for one upload
        connection.execute(update(db.bot_versions).values(created=now() - 120))
        new = bots.add_version(connection, plain, "b" * 32)
        bots.passed(connection, new)
    Tournaments(engine, group.small.bell).look()
    versions = group.versions()
    assert versions[plain] is not None
    assert versions[plain] != new  # uploaded after the lock
    assert versions[back] == first  # its author went back to it
    assert versions[late] is None
    assert group.small.rows(select(db.entries.c.bot_id).where(db.entries.c.bot_id == nothing)) == []
    with engine.connect() as connection:
        found = groups.find(connection, group.id)
    assert (found.locked is not None, found.settled) == (True, False)
    with writing(engine) as connection, pytest.raises(GroupRefusal, match="extra time"):
        tournaments.begin(connection, group.id)
    group.lock()
    assert group.versions()[late] is not None
    assert group.small.rows(select(db.notices.c.account_id).where(db.notices.c.text.contains("locked"))) != []

    # A tournament goes on with the locked versions, whatever is uploaded, paused or deleted.
    with writing(engine) as connection:
        groups.change(connection, group.id, system="round-robin", games=2)
        tournaments.begin(connection, group.id)
    looker = Tournaments(engine, group.small.bell)
    looker.look()
    with writing(engine) as connection:
        bots.pause(connection, late, "author", "")
        bots.delete(connection, plain)
        groups.remove(connection, group.id, group.people[group.bots.index(late)])
    state = select(db.ladders.c.state).where(db.ladders.c.id == group.ladder)
    assert group.small.one(state) == ("paused",)  # the ladder rests until a later date, whoever leaves
    group.small.upload(back)
    assert group.play(looker) == 6
    causes = group.small.rows(select(db.games.c.cause).where(db.games.c.stage == "tournament").distinct())
    assert causes == [("played",)]

    # A later date unlocks everything.
    with writing(engine) as connection, pytest.raises(GroupRefusal, match="in the future"):
        groups.set_dates(connection, group.id, sign_up=None, lock_at=10.0)
    with writing(engine) as connection:
        groups.set_dates(connection, group.id, sign_up=None, lock_at=4e9)
    assert set(group.versions().values()) == {None}


def test_a_tournament_that_cannot_be_played_is_called_off_and_the_organiser_told(engine: Engine) -> None:
    group = Class(engine, 1)
    state = select(db.ladders.c.state).where(db.ladders.c.id == group.ladder)
    assert group.small.one(state) == ("open",)
    with writing(engine) as connection:
        groups.withdraw(connection, group.id, group.people[0])
    assert group.small.one(state) == ("paused",)  # nobody competes, so nothing is paired
    with writing(engine) as connection:
        groups.enter(connection, group.id, group.people[0], group.bots[0])
    group.lock()
    group.change(starts=1.0)
    looker = Tournaments(engine, group.small.bell)
    looker.look()
    assert group.small.rows(select(store.tournaments.c.id)) == []
    ((text,),) = group.small.rows(select(db.notices.c.text).where(db.notices.c.account_id == group.olga))
    assert "did not begin" in text
    assert "at least 2 bots" in text
    looker.look()
    assert len(group.small.rows(select(db.notices.c.id).where(db.notices.c.account_id == group.olga))) == 1


def stop(group: Class, bot: int) -> None:
    """An operator does so."""
    with writing(group.engine) as connection:
        for statement in bots.stopping(bot, None, "it", "It reads the answers."):
            connection.execute(statement)


def games_of(group: Class, bot: int) -> list[Any]:
    of, seats = db.games.c, db.seats.c
    return group.small.rows(
        select(of.cause).join_from(db.seats, db.games, of.id == seats.game_id).where(seats.bot_id == bot).distinct()
    )


def test_a_bot_that_an_operator_stopped_is_in_no_tournament(engine: Engine) -> None:
    group = Class(engine, 4)
    group.lock()
    stop(group, group.bots[3])
    group.change(system="round-robin", games=2, starts=1.0)
    looker = Tournaments(engine, group.small.bell)
    assert group.play(looker, looker) == 6
    assert games_of(group, group.bots[3]) == []


@pytest.mark.parametrize("system", ["round-robin", "knock-out", "swiss"])
def test_a_bot_that_is_stopped_in_the_middle_plays_no_more_and_the_others_win(engine: Engine, system: str) -> None:
    """The strongest: without a walkover nobody would come further against it."""
    group = Class(engine, 4)
    group.lock()
    group.change(system=system, games=2, starts=1.0)
    looker = Tournaments(engine, group.small.bell)
    looker.look()
    looker.look()
    best = group.bots[3]
    assert games_of(group, best) == [("",)]
    stop(group, best)
    group.play(looker)
    group.play(Tournaments(engine, group.small.bell))  # one that reads everything anew agrees
    assert games_of(group, best) == [("called off",)]
    with engine.connect() as connection:
        (row,) = tournaments.of_group(connection, group.id)
        course = tournaments.course(row)
        tournaments.catch_up(connection, course)
    assert row.state == "over"
    table = {course.versions[line.entrant]: line for line in course.tournament.rows()}
    stopped = table.pop(max(table))
    assert stopped.points == 0
    assert table[max(table)].place == 1
    assert sum("plays no more" in notice.text for notice in course.tournament.notices) == 1
