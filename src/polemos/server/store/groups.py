"""The tables of groups, their tournaments, and challenges. They add to those of the ladder (`store.ladder`)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, LargeBinary, String, Table, Text, text

from polemos.server.store.naming import NUMBER, metadata

_GROUP = String(24)


def _id() -> Column[Any]:
    return Column("id", NUMBER, primary_key=True, autoincrement=True)


def _of(name: str, table: str, **how: Any) -> Column[Any]:
    """A column that refers to a row of another table."""
    return Column(name, NUMBER, ForeignKey(f"{table}.id"), **{"nullable": False, **how})


groups = Table(
    "groups",
    metadata,
    Column("id", _GROUP, primary_key=True),  # also the `circle` of its ladder
    Column("name", String(60), nullable=False),
    Column("kind", String(12), nullable=False),  # class, club or competition
    _of("organiser_id", "accounts", index=True),
    _of("ladder_id", "ladders"),
    Column("invite", String(24), nullable=False, unique=True),  # the secret of the invitation link
    Column("asks", Boolean, nullable=False),  # whether the organiser lets in everyone who uses the link
    Column("logs", String(10), nullable=False),  # who reads the logs of bots: author, or organiser (and the author)
    Column("created", Float, nullable=False),
    Column("sign_up", Float),  # until when people can join; NULL: always
    Column("lock_at", Float),  # when versions are locked; NULL: not yet decided
    Column("locked", Float),  # when they were
    Column("settled", Boolean, nullable=False),  # whether those with extra time are locked too
    # The tournament to come
    Column("system", String(12), nullable=False),
    Column("rounds", Integer),  # NULL: as many as the system needs
    Column("games", Integer, nullable=False),  # per meeting
    Column("maps", Integer, nullable=False),  # how many are drawn; 0: all
    Column("starts", Float),  # NULL: not yet decided, or begun
    Index("ix_groups_lock_at", "lock_at", sqlite_where=text("NOT settled"), postgresql_where=text("NOT settled")),
    Index("ix_groups_starts", "starts"),
)

group_members = Table(
    "group_members",
    metadata,
    Column("group_id", _GROUP, ForeignKey("groups.id"), primary_key=True),
    Column("account_id", NUMBER, ForeignKey("accounts.id"), primary_key=True, index=True),
    Column("state", String(10), nullable=False),  # asked, member, organiser (who joined and helps to run it) or removed
    Column("since", Float, nullable=False),
    Column("logs", String(10), nullable=False),  # as the group had it when this person joined
    Column("extra", Float, nullable=False, server_default=text("0")),  # seconds after the lock
)

group_news = Table(
    "group_news",
    metadata,
    _id(),
    Column("group_id", _GROUP, ForeignKey("groups.id"), nullable=False),
    Column("at", Float, nullable=False),
    Column("text", Text, nullable=False),
    Index("ix_group_news_group_id", "group_id", "id"),
)

tournaments = Table(
    "group_tournaments",
    metadata,
    _id(),
    Column("group_id", _GROUP, ForeignKey("groups.id"), nullable=False, index=True),
    _of("ladder_id", "ladders"),
    Column("state", String(10), nullable=False, index=True),  # playing, over or stopped
    Column("plan", LargeBinary, nullable=False),  # `arena.tournament.plan.Plan`, as JSON
    Column("versions", LargeBinary, nullable=False),  # of the entrants, in their order, as JSON
    Column("maps", LargeBinary, nullable=False),  # those that were drawn: name and options, as JSON
    Column("begun", Float, nullable=False),
    Column("ended", Float),
)

tournament_games = Table(
    "group_tournament_games",
    metadata,
    Column("tournament_id", NUMBER, ForeignKey("group_tournaments.id"), primary_key=True),
    Column("number", Integer, primary_key=True),  # in the tournament, from 1
    _of("game_id", "ladder_games", unique=True),
    Column("meeting", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    Column("seating", String(120), nullable=False),  # the entrant in each place
)

challenges = Table(
    "challenges",
    metadata,
    _id(),
    _of("ladder_id", "ladders"),
    _of("account_id", "accounts"),  # of whoever asked for it
    Column("created", Float, nullable=False),
    Column("map", String(80), nullable=False),
    Column("games", Integer, nullable=False),
    Column("counts", Boolean, nullable=False),  # for ratings
    Index("ix_challenges_account_id", "account_id", "created"),
)

challenge_games = Table(
    "challenge_games",
    metadata,
    Column("challenge_id", NUMBER, ForeignKey("challenges.id"), primary_key=True),
    Column("game_id", NUMBER, ForeignKey("ladder_games.id"), primary_key=True, index=True),
)
