"""What an organiser can do with a group as a whole: pass it on, share it, stop its tournament, close it."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, select

from polemos.ladder import bots, group_pages, groups, ladders, tournaments
from polemos.ladder.clock import writing
from polemos.ladder.group_rules import GroupRefusal, role_of
from polemos.ladder.tournaments import Tournaments
from polemos.server.store import ladder as db
from polemos.wire.groups import GroupPage
from unit.ladder.small import result_of
from unit.ladder.test_tournaments import Class


def role(group: Class, account: int) -> str:
    with group.engine.connect() as connection:
        return role_of(groups.find(connection, group.id), account, groups.member_of(connection, group.id, account))


def told(group: Class, account: int) -> list[str]:
    of = db.notices.c
    return [text for (text,) in group.small.rows(select(of.text).where(of.account_id == account).order_by(of.id))]


def page(group: Class, account: int) -> GroupPage:
    with group.engine.connect() as connection:
        return group_pages.page(connection, groups.find(connection, group.id), account)


def test_a_group_is_shared_and_handed_over(engine: Engine) -> None:
    group = Class(engine, 3)
    ann, ben, cem = group.people
    stranger = group.small.author("Mallory")
    with writing(engine) as connection:
        groups.change(connection, group.id, logs="organiser")
        groups.appoint(connection, group.id, ben, runs=True)
    assert [role(group, one) for one in (group.olga, ann, ben)] == ["organiser", "member", "organiser"]
    shown = page(group, ben)
    assert shown.tools is not None
    assert not shown.tools.first
    assert shown.inside is not None
    assert (shown.inside.joined, shown.inside.members) == (True, 3), "who helps can compete"
    assert [one.runs for one in shown.tools.people] == [False, True, False]
    with engine.connect() as connection:
        assert not groups.reads_log(connection, group.ladder, ann, ben), "nobody was told of that"
    with writing(engine) as connection:
        for nobody in (stranger, group.olga):
            with pytest.raises(GroupRefusal):
                groups.pass_on(connection, group.id, nobody)
            with pytest.raises(GroupRefusal):
                groups.appoint(connection, group.id, nobody, runs=True)
        groups.appoint(connection, group.id, ben, runs=False)
        groups.pass_on(connection, group.id, cem)
    assert [role(group, one) for one in (group.olga, ben, cem)] == ["organiser", "member", "organiser"]
    assert page(group, ann).organiser == "member 2"
    first = page(group, cem).tools
    assert first is not None
    assert first.first
    assert told(group, ann)[-1] == "Algorithms II is now run by member 2."
    assert told(group, cem)[-1] == "You now run Algorithms II."
    with writing(engine) as connection:
        groups.remove(connection, group.id, group.olga)
    assert role(group, group.olga) == "stranger"


def test_whoever_helps_to_run_a_group_reads_no_refusals(engine: Engine) -> None:
    """A refusal quotes the log of the trial, and people were told of the organiser alone when they joined."""
    group = Class(engine, 1)
    ben = group.people[0]
    late = group.small.author("Cem")
    with writing(engine) as connection:
        groups.change(connection, group.id, logs="organiser", asks=False)
        invite = groups.find(connection, group.id).invite
        assert groups.join(connection, group.id, late, invite) == "member"
        groups.appoint(connection, group.id, ben, runs=True)
        bot = bots.add(connection, "skerries", "Moth", late)
        version = bots.add_version(connection, bot, None)
        bots.refused(connection, version, "Moth stopped on turn 3 (exit code 1): KeyError: 'my secret plan'.")

    def refusals(reader: int) -> list[str]:
        tools = page(group, reader).tools
        assert tools is not None
        (one,) = [one for one in tools.people if one.name == "Cem"]
        assert one.refused_at is not None
        return [one.refused]

    assert "my secret plan" in refusals(group.olga)[0]
    assert refusals(ben) == [""]


def test_whoever_has_deleted_their_bot_has_none_in_the_group(engine: Engine) -> None:
    group = Class(engine, 2)
    ann, _ = group.people
    with writing(engine) as connection:
        assert groups.remind(connection, group.id) == 0
        bots.delete(connection, group.bots[0])
        assert groups.remind(connection, group.id) == 1
    assert "has no bot of yours yet" in told(group, ann)[-1]
    tools = page(group, group.olga).tools
    assert tools is not None
    assert [one.bot for one in tools.people] == [None, "bot 1"]


def test_a_tournament_that_was_begun_by_mistake_is_stopped(engine: Engine) -> None:
    group = Class(engine, 4)
    group.lock()
    group.change(system="round-robin", games=2)
    looker = Tournaments(engine, group.small.bell)
    with writing(engine) as connection:
        assert not tournaments.stop(connection, group.id)
        tournaments.begin(connection, group.id)
    looker.look()
    jobs = group.small.claim(2)
    with writing(engine) as connection:
        assert tournaments.stop(connection, group.id)
        assert not tournaments.stop(connection, group.id)
    looker.look()
    assert group.small.states() == {"done": 10, "leased": 2}, "no others begin"
    causes = select(db.games.c.cause).where(db.games.c.state == "done").distinct()
    assert group.small.rows(causes) == [("called off",)]
    for job in jobs:
        assert group.small.commit(job, result_of([1, 2], f"{job.id:032x}")) == "counted"
    looker.look()
    assert group.small.states() == {"done": 12}
    inside = page(group, group.people[0]).inside
    assert inside is not None
    assert [(one.over, one.stopped) for one in inside.tournaments] == [(True, True)]
    with engine.connect() as connection:
        shown = group_pages.tournament(connection, groups.find(connection, group.id), 1)
    assert (shown.over, shown.stopped, shown.played) == (True, True, 12)
    assert sum(row.played for row in shown.rows) == 4
    assert told(group, group.people[0])[-1] == "Algorithms II: the organiser stopped the tournament."
    with writing(engine) as connection:  # and another one can be held
        tournaments.begin(connection, group.id)
    assert group.play(looker) == 12


def test_a_closed_group_stands_still_and_can_be_read(engine: Engine) -> None:
    group = Class(engine, 3)
    group.small.scheduler.look()
    ann = group.people[0]
    other = group.small.author("Dua")
    group.change(lock_at=4e9, starts=4.1e9)
    before = page(group, ann)
    with writing(engine) as connection:
        groups.close(connection, group.id)
        groups.close(connection, group.id)
    with engine.connect() as connection:
        assert group.ladder not in {one.id for one in ladders.all_of(connection)}, "the engine has nothing to do there"
        assert group.ladder in {one.id for one in ladders.all_of(connection, closed=True)}
    waits = select(db.games.c.id).where(db.games.c.ladder_id == group.ladder, db.games.c.state != "done")
    assert group.small.rows(waits) == []
    group.small.scheduler.look()
    assert group.small.rows(waits) == []
    assert told(group, ann)[-1] == "Algorithms II is closed. Its results stay on its page."
    assert len(told(group, ann)) == len(set(told(group, ann))), "once"
    shown, run = page(group, ann), page(group, group.olga)
    assert (shown.closed, shown.starts, shown.settled) == (True, None, True)
    assert shown.inside is not None
    assert before.inside is not None
    assert {bot.name for bot in shown.inside.bots} == {bot.name for bot in before.inside.bots}
    assert (run.role, run.tools, run.inside is not None) == ("organiser", None, True)
    with writing(engine) as connection:
        invite = groups.find(connection, group.id).invite
        for refused in (
            lambda: groups.join(connection, group.id, other, invite),
            lambda: groups.enter(connection, group.id, ann, group.bots[0]),
            lambda: groups.withdraw(connection, group.id, ann),
        ):
            with pytest.raises(GroupRefusal, match="closed"):
                refused()
        ladders.pause(connection, group.ladder, paused=False)  # an operator, say
        assert groups.find(connection, group.id).closed
        assert [card.closed for card in group_pages.listed(connection, ann)] == [True]


def test_closed_groups_make_room(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    group = Class(engine, 1)
    monkeypatch.setattr(groups, "MAX_OWN", 1)
    with writing(engine) as connection:
        with pytest.raises(GroupRefusal, match="at most 1"):
            groups.create(connection, group.olga, "Another", "club", group.small.id)
        groups.close(connection, group.id)
        groups.create(connection, group.olga, "Another", "club", group.small.id)
        monkeypatch.setattr(groups, "MAX_ALL", 1)
        with pytest.raises(GroupRefusal, match="too many"):
            groups.create(connection, group.people[0], "A third", "club", group.small.id)


def test_whoever_deletes_their_account_leaves_a_group_that_somebody_runs(engine: Engine) -> None:
    group = Class(engine, 3)
    ann, ben, cem = group.people
    with writing(engine) as connection:
        groups.appoint(connection, group.id, cem, runs=True)
        groups.leave_all(connection, group.olga)
    assert role(group, cem) == "organiser"
    assert page(group, ann).organiser == "member 2", "somebody who helped comes first"
    with writing(engine) as connection:
        groups.leave_all(connection, cem)
    assert page(group, ben).organiser == "member 0", "then whoever has been there for longest"
    with writing(engine) as connection:
        tournaments_before = len(tournaments.of_group(connection, group.id))
        groups.remove(connection, group.id, ben)
        groups.leave_all(connection, ann)
        assert groups.find(connection, group.id).closed, "there is nobody left"
        assert len(tournaments.of_group(connection, group.id)) == tournaments_before
