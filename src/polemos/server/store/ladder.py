"""The tables of the ladder: bots and their versions, ladders, games, ratings, workers.

Every game is a row of `ladder_games` from the moment it is paired, with one row of `ladder_seats` for each bot in it.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from polemos.server.store.naming import NUMBER, metadata


def _id() -> Column[Any]:
    return Column("id", NUMBER, primary_key=True, autoincrement=True)


def _of(name: str, table: str, **how: Any) -> Column[Any]:
    """A column that refers to a row of another table."""
    return Column(name, NUMBER, ForeignKey(f"{table}.id"), **{"nullable": False, **how})


def _count(name: str) -> Column[Any]:
    return Column(name, Integer, nullable=False, server_default=text("0"))


def _partial(name: str, *columns: str, where: str) -> Index:
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


bots = Table(
    "bots",
    metadata,
    _id(),
    _of("account_id", "accounts", nullable=True),  # its author; none for our own bots
    Column("game", String(40), nullable=False),
    Column("name", String(40), nullable=False),
    Column("builtin", String(40)),  # the name of one of our own bots
    Column("created", Float, nullable=False),
    Column("state", String(10), nullable=False),  # active, paused or deleted
    Column("paused_by", String(10), nullable=False, server_default=text("''")),  # author, failures or operator
    Column("why", Text, nullable=False, server_default=text("''")),  # it is paused
    Column("changed", Float, nullable=False),  # when its state last changed
    _count("failed"),  # games in a row that it dropped out of
    # The version that plays. Not a foreign key: the two tables would refer to each other.
    Column("version_id", NUMBER),
    _count("published"),  # 1: everybody can read its source
    UniqueConstraint("account_id", "name"),
    UniqueConstraint("game", "builtin"),
    Index("ix_bots_game_state", "game", "state"),
    Index("ix_bots_version_id", "version_id"),
)

bot_versions = Table(
    "bot_versions",  # never changed but for their state
    metadata,
    _id(),
    _of("bot_id", "bots"),
    Column("number", Integer, nullable=False),  # from 1
    Column("digest", String(64)),  # of its files; none for our own bots
    Column("source", String(64), nullable=False, server_default=text("''")),  # the digest of what its author sent
    _count("size"),  # bytes of that
    Column("dialect", String(40), nullable=False, server_default=text("''")),  # of a guest
    Column("language", String(40), nullable=False, server_default=text("''")),
    Column("state", String(10), nullable=False),  # received, refused or passed
    Column("why", Text, nullable=False, server_default=text("''")),  # it was refused
    Column("bid", Integer),  # that it announced, in games with sealed bids
    Column("created", Float, nullable=False),
    UniqueConstraint("bot_id", "number"),
    Index("ix_bot_versions_digest", "digest"),
)

ladders = Table(
    "ladders",
    metadata,
    _id(),
    Column("game", String(40), nullable=False),
    Column("rules", String(40), nullable=False),  # the name of the rule set
    Column("circle", String(24), nullable=False, server_default=text("''")),  # the group it belongs to, if any
    Column("title", String(80), nullable=False),
    Column("options", LargeBinary, nullable=False),  # of every game, as JSON
    Column("maps", LargeBinary, nullable=False),  # the maps in turn: name and further options, as JSON
    Column("seats", Integer, nullable=False),
    Column("bids", Boolean, nullable=False),  # whether bots bid for seats before each game
    Column("budget", LargeBinary, nullable=False),  # of every bot in every game, as JSON
    Column("key", String(64), nullable=False),  # of all seeds
    Column("state", String(10), nullable=False),  # open, paused or closed
    Column("season_seconds", Float, nullable=False),
    Column("final_meetings", Integer, nullable=False),  # of each bot in the final
    Column("created", Float, nullable=False),
    _count("meetings"),  # paired so far; whoever pairs one raises this first, so games are numbered in order
    _of("anchor_id", "bots", nullable=True),  # the bot whose rating is fixed
    UniqueConstraint("game", "rules", "circle"),
)

seasons = Table(
    "ladder_seasons",
    metadata,
    _id(),
    _of("ladder_id", "ladders"),
    Column("number", Integer, nullable=False),  # from 1
    Column("phase", String(10), nullable=False),  # open, final or over
    Column("begun", Float, nullable=False),
    Column("ends", Float, nullable=False),  # when versions are locked and the final begins
    Column("ended", Float),
    Column(
        "rated_to", NUMBER, nullable=False, server_default=text("0")
    ),  # all games up to here are in the base ratings
    Column("fit_id", NUMBER),  # the last one
    UniqueConstraint("ladder_id", "number"),
)

entries = Table(
    "ladder_entries",  # the bots on a ladder
    metadata,
    Column("ladder_id", NUMBER, ForeignKey("ladders.id"), primary_key=True),
    Column("bot_id", NUMBER, ForeignKey("bots.id"), primary_key=True, index=True),
    Column("entered", Float, nullable=False),
    _of("version_id", "bot_versions", nullable=True),  # the version that is locked; otherwise the newest that passed
)

workers = Table(
    "ladder_workers",
    metadata,
    _id(),
    Column("name", String(80), nullable=False),
    Column("state", String(10), nullable=False),  # active or aside
    Column("why", Text, nullable=False, server_default=text("''")),  # it was set aside
    Column("created", Float, nullable=False),
    Column("seen", Float, nullable=False),
    _count("games"),  # that counted
    _count("seats"),  # bots in those games
    _count("failures"),  # bots that dropped out of them
    _count("broken"),  # games that it could not play
    _count("breaks"),  # different ones of these since it last played one
    Column("waits", Float),  # because of those: until then it gets no games
    _count("refused"),  # results that were not those of the replay
    _count("places"),  # games that it can play at a time
    Column("token", String(64)),  # digest of the secret that it shows; none for a server's own
    UniqueConstraint("name"),
    UniqueConstraint("token"),
)

games = Table(
    "ladder_games",
    metadata,
    _id(),
    _of("ladder_id", "ladders"),
    _of("season_id", "ladder_seasons"),
    Column("meeting", NUMBER, nullable=False),  # all its games have the same bots, seed and draw, and other seats
    Column("turn", Integer, nullable=False),  # which of them, from 0
    Column("seed", String(64), nullable=False),
    Column("bot_seed", String(64), nullable=False),
    Column("map", String(80), nullable=False),  # its name
    Column("options", LargeBinary, nullable=False),  # of this game, as JSON
    Column("why", String(120), nullable=False),  # it is played
    Column("stage", String(10), nullable=False),  # season, final, challenge or tournament
    Column("priority", Integer, nullable=False),  # lower is sooner
    Column("counts", Boolean, nullable=False),  # for ratings, once it is played
    Column("seating", String(120), nullable=False),  # versions in order of their entries
    Column("created", Float, nullable=False),
    # Who plays it
    Column("state", String(10), nullable=False),  # waiting, leased or done
    Column("lease", Integer, nullable=False, server_default=text("0")),  # the number of the last one
    Column("begun", Float),  # the last lease
    Column("expires", Float),
    _count("lost"),  # leases that ended without a result
    Column("trouble", Text, nullable=False, server_default=text("''")),  # of the last one
    _of("worker_id", "ladder_workers", nullable=True),
    # Its result
    Column("done", Float),
    Column("cause", String(12), nullable=False, server_default=text("''")),  # played, broken or called off
    Column("ranks", String(40), nullable=False, server_default=text("''")),  # by entry
    Column("reason", Text, nullable=False, server_default=text("''")),
    Column("rule", String(20), nullable=False, server_default=text("''")),
    _count("steps"),
    Column("fingerprint", String(32), nullable=False, server_default=text("''")),  # of the whole game and its bots
    Column("replay", String(32)),  # digest; none if it is gone
    _count("faulty"),  # bots in it with a fault, a strike or a void line
    Column("seconds", Float, nullable=False, server_default=text("0")),
    _count("taken"),  # 1: part of the live ratings
    _partial("ix_ladder_games_final", "season_id", where="stage = 'final'"),
    _partial("ix_ladder_games_waiting", "priority", "id", where="state = 'waiting'"),
    _partial("ix_ladder_games_leased", "expires", where="state = 'leased'"),
    _partial("ix_ladder_games_due", "season_id", "id", where="state <> 'done'"),
    _partial("ix_ladder_games_untaken", "season_id", "id", where="state = 'done' AND taken = 0"),
    Index("ix_ladder_games_season", "season_id", "id"),
    Index("ix_ladder_games_done", "season_id", "done", "cause", "counts"),  # so that counting reads nothing else
    Index("ix_ladder_games_fingerprint", "fingerprint"),
    _partial("ix_ladder_games_replay", "done", where="replay IS NOT NULL"),
    _partial("ix_ladder_games_digest", "replay", where="replay IS NOT NULL"),
)

seats = Table(
    "ladder_seats",
    metadata,
    Column("game_id", NUMBER, ForeignKey("ladder_games.id"), primary_key=True),
    Column("entry", Integer, primary_key=True),  # from 0
    _of("bot_id", "bots"),
    _of("version_id", "bot_versions"),
    Column("seat", Integer),  # where it sat; bids can change that
    Column("rank", Integer),
    Column("points", Float),
    Column("fault", Text),  # the verdict if it dropped out or was gone
    _count("strikes"),
    _count("void_lines"),
    Column("cpu", Float, nullable=False, server_default=text("0")),
    Column("wall", Float, nullable=False, server_default=text("0")),
    Column("slowest", Float, nullable=False, server_default=text("0")),
    # When its game was played, as there: the last hour of a bot is counted without reading its games. None until then.
    Column("done", Float),
    # Where it dropped out, or of its last strike. None without one, and in games from before these columns.
    Column("fault_step", Integer),  # from 1
    Column("fault_turn", Integer),  # the turn whose orders that step adjudicated
    Index("ix_ladder_seats_bot_id", "bot_id", "game_id"),
    Index("ix_ladder_seats_version_id", "version_id", "game_id"),
    Index("ix_ladder_seats_done", "bot_id", "done"),
    _partial("ix_ladder_seats_faults", "bot_id", "game_id", where="fault IS NOT NULL OR strikes > 0"),
)

losses = Table(
    "ladder_losses",  # who lost a game that is not played yet, or was given up
    metadata,
    Column("game_id", NUMBER, ForeignKey("ladder_games.id"), primary_key=True),
    Column("worker_id", NUMBER, ForeignKey("ladder_workers.id"), primary_key=True),
    _count("count"),  # leases of it that this worker lost
    _count("deaths"),  # of these, by the death of a process, or silence
    Column("again", Float, nullable=False),  # before, it does not get the game again
    Column("unstarted", String(40), nullable=False, server_default=text("''")),  # entries that did not start there
)

pairs = Table(
    "ladder_pairs",  # the results of one bot's versions against another's, by map
    metadata,
    Column("season_id", NUMBER, ForeignKey("ladder_seasons.id"), primary_key=True),
    Column("version_id", NUMBER, ForeignKey("bot_versions.id"), primary_key=True),
    Column("other_id", NUMBER, ForeignKey("bot_versions.id"), primary_key=True),
    Column("map", String(80), primary_key=True),
    _count("games"),
    _count("wins"),
    _count("draws"),
)

ratings = Table(
    "ladder_ratings",  # live
    metadata,
    Column("season_id", NUMBER, ForeignKey("ladder_seasons.id"), primary_key=True),
    Column("version_id", NUMBER, ForeignKey("bot_versions.id"), primary_key=True),
    _of("bot_id", "bots"),
    Column("base_mu", Float, nullable=False),  # after the last game that nothing can come before any more
    Column("base_sigma", Float, nullable=False),
    _count("base_games"),
    Column("mu", Float, nullable=False),  # now
    Column("sigma", Float, nullable=False),
    _count("games"),
)

tallies = Table(
    "ladder_tallies",  # of a version in a season
    metadata,
    Column("season_id", NUMBER, ForeignKey("ladder_seasons.id"), primary_key=True),
    Column("version_id", NUMBER, ForeignKey("bot_versions.id"), primary_key=True),
    _count("games"),
    _count("wins"),
    _count("draws"),
    _count("faults"),  # games that it dropped out of
    _count("strikes"),
    _count("void_lines"),
    Column("cpu", Float, nullable=False, server_default=text("0")),
)

fits = Table(
    "ladder_fits",
    metadata,
    _id(),
    _of("season_id", "ladder_seasons"),
    Column("at", Float, nullable=False),
    Column("games", Integer, nullable=False),
    _of("anchor_id", "bot_versions", nullable=True),
    Index("ix_ladder_fits_at", "season_id", "at"),
)

fit_ratings = Table(
    "ladder_fit_ratings",
    metadata,
    Column("fit_id", NUMBER, ForeignKey("ladder_fits.id"), primary_key=True),
    Column("version_id", NUMBER, ForeignKey("bot_versions.id"), primary_key=True),
    _of("bot_id", "bots"),
    Column("elo", Float, nullable=False),
    Column("margin", Float, nullable=False),  # of the 95 % interval, to either side
    _count("games"),
    Column("listed", Boolean, nullable=False),  # whether this version played when the fit was made
    Column("placing", Boolean, nullable=False),
    Column("rank_from", Integer),
    Column("rank_to", Integer),
    Column("band", Integer),  # from 1: a line is drawn where it changes
    Column("doubt_from", Integer),  # the places of the first and the last bot that it can't be told from
    Column("doubt_to", Integer),
    Column("mu", Float),  # its live rating when the fit was made; what has changed since shows on the page
    Index("ix_ladder_fit_ratings_version_id", "version_id", "fit_id"),
)

notices = Table(
    "bot_notices",  # for authors
    metadata,
    _id(),
    _of("account_id", "accounts", nullable=True),  # none: for operators
    _of("bot_id", "bots", nullable=True),
    Column("at", Float, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("text", Text, nullable=False),
    _of("game_id", "ladder_games", nullable=True),
    _count("seen"),
    Index("ix_bot_notices_account_id", "account_id", "id"),
)

duty = Table(
    "ladder_duty",  # one row: the process that pairs, rates and fits
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("holder", String(40), nullable=False),
    Column("number", Integer, nullable=False),  # raised whenever somebody else takes over
    Column("expires", Float, nullable=False),
)

loads = Table(
    "ladder_loads",  # the last day, every few minutes
    metadata,
    Column("at", Float, primary_key=True),
    Column("waiting", Integer, nullable=False),
    Column("leased", Integer, nullable=False),
)
