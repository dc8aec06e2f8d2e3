"""What the pages of ladders show, read from the database. Answers that many people ask for are kept for a moment."""

from __future__ import annotations

import gzip
import math
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, Engine, Label, RowMapping, Select, func, select
from sqlalchemy.sql import ColumnElement

from polemos.kernel.tame import tame
from polemos.kernel.verdict import public
from polemos.ladder import groups, ladders, queries
from polemos.ladder.clock import now, time_of
from polemos.ladder.fits import SHOWN_PAUSED
from polemos.ladder.ladders import Ladder
from polemos.ladder.leases import LEASED, WAITING
from polemos.ladder.live import Live, Lives
from polemos.ladder.rater import current
from polemos.server import shelf
from polemos.server.ladder import people, sheets
from polemos.server.store import ladder as db
from polemos.server.store import schema
from polemos.server.store.naming import is_number
from polemos.wire.bot import Budget
from polemos.wire.ladder import (
    BotInGame,
    EngineFigures,
    FaultSoFar,
    GamePage,
    GameSoFar,
    LadderCard,
    LadderGame,
    LadderPage,
    LadderRow,
    Load,
    Meeting,
    PeoplePage,
    Queue,
    Trend,
    Waiting,
)

FRESH: Final = 1.0  # seconds for which an answer counts
MAX_KEPT: Final = 100  # answers of a kind
SILENT: Final = 90.0  # seconds after which a worker is not there
PLAYING: Final = 6  # games beside a ladder
FINISHED: Final = 12  # meetings beside a ladder
NEXT: Final = 100  # games in the queue
POINTS: Final = 12  # of a trend
MONTH: Final = 30 * 86400.0
NEAR: Final = 40  # games of a meeting are added together; others may be added at the same time, on other ladders
USUAL: Final = 100  # games that tell how long one takes

T = TypeVar("T")
_games, _bots, _versions = db.games, db.bots, db.bot_versions


class Written(Struct, frozen=True):
    """An answer as JSON, plain and compressed."""

    plain: bytes
    packed: bytes


def write(answer: Any) -> Written:
    plain = msgspec.json.encode(answer)
    return Written(plain, gzip.compress(plain, 3, mtime=0))


class Kept(Generic[T]):
    """Makes an answer once for all who ask within a moment. Whoever comes while it is made waits for it."""

    def __init__(self, seconds: float = FRESH) -> None:
        self._seconds = seconds
        self._locks: defaultdict[Any, threading.Lock] = defaultdict(threading.Lock)
        self._made: dict[Any, tuple[float, object, T]] = {}  # the oldest first
        self._room = threading.Lock()

    def get(self, key: Any, make: Callable[[], T], version: object = None) -> T:
        """`version`: of what the answer is made from. If it has changed, so has the answer, however fresh it is."""
        with self._locks[key]:
            found = self._made.get(key)
            if found is None or found[1] != version or time.monotonic() - found[0] > self._seconds:
                found = time.monotonic(), version, make()
                self._keep(key, found)
            return found[2]

    def _keep(self, key: Any, made: tuple[float, object, T]) -> None:
        """What nobody has asked for in a while makes room."""
        with self._room:
            self._made.pop(key, None)
            self._made[key] = made
            while len(self._made) > MAX_KEPT:
                del self._made[next(iter(self._made))]


class LadderPages:
    def __init__(self, engine: Engine, lives: Lives) -> None:
        self._engine = engine
        self._lives = lives
        self._pages: Kept[LadderPage] = Kept()
        self._written: Kept[Written] = Kept()
        self._sheets: Kept[str] = Kept()
        self._queue: Kept[Queue] = Kept()
        self._lists: Kept[list[Ladder]] = Kept()
        self._trends: Kept[Written] = Kept(math.inf)

    # ---- ladders

    def all(self) -> list[Ladder]:
        """All ladders, those of groups too."""

        def read() -> list[Ladder]:
            with self._engine.connect() as connection:
                return ladders.all_of(connection, closed=True)

        return self._lists.get(None, read)

    def one(self, ladder: int) -> Ladder | None:
        return next((found for found in self.all() if found.id == ladder), None)

    def is_member(self, ladder: Ladder, account: int | None) -> bool:
        """Whether somebody may see the ladder of a group."""
        with self._engine.connect() as connection:
            return groups.sees(connection, ladder.circle, account)

    def cards(self, of: Sequence[Ladder]) -> list[LadderCard]:
        with self._engine.connect() as connection:
            return _cards(connection, of)

    def page(self, ladder: Ladder) -> LadderPage:
        return self._pages.get(ladder.season, lambda: self._page(ladder))

    def written(self, ladder: Ladder) -> Written:
        """The page as JSON: made once for all who look."""
        return self._written.get(ladder.season, lambda: write(self.page(ladder)))

    def sheet(self, ladder: Ladder) -> str:
        """The table as CSV."""
        return self._sheets.get(ladder.season, lambda: sheets.ladder(self.page(ladder).rows))

    def _page(self, ladder: Ladder) -> LadderPage:
        """In as few questions as possible: on a busy machine each waits for two processes to get their turn."""
        season = db.seasons.c.id == ladder.season
        last = select(db.seasons.c.fit_id).where(season).scalar_subquery()
        with self._engine.connect() as connection:
            figures = connection.execute(
                select(
                    now().label("at"),
                    last.label("fit"),
                    select(db.fits.c.at).where(db.fits.c.id == last).scalar_subquery().label("fitted"),
                    queries.since_fit(ladder.season).scalar_subquery().label("since"),
                    select(db.seasons.c.number).where(season).scalar_subquery().label("number"),
                    _count_bots(ladder.id).scalar_subquery().label("bots"),
                    *_engine_columns([ladder.season], _games.c.ladder_id == ladder.id),
                )
            ).one()
            rows = connection.execute(queries.table(ladder.id, ladder.season)).mappings().all()
            here = queries.playing().where(_games.c.ladder_id == ladder.id).limit(PLAYING)
            playing = connection.execute(here).mappings().all()
            finished = connection.execute(queries.finished(ladder.season, 4 * FINISHED)).mappings().all()
            finished = [row for row in finished if row["cause"] == "played"]
            games = _listed(connection, [*playing, *finished], {ladder.id: ladder.game})
        return LadderPage(
            ladder=_card(ladder, figures.number, figures.bots),
            at=figures.at,
            fit=figures.fit,
            fitted=figures.fitted,
            since=figures.since if figures.fit is not None else 0,
            engine=_engine(figures, paused=ladder.state != "open"),
            rows=tuple(table(rows, ladder.anchor, figures.at)),
            playing=tuple(self._playing(playing, games[: len(playing)])),
            finished=tuple(_meetings(games[len(playing) :])),
        )

    def trends(self, ladder: Ladder) -> Written:
        """They change with every fit."""
        with self._engine.connect() as connection:
            fit = connection.execute(select(db.seasons.c.fit_id).where(db.seasons.c.id == ladder.season)).scalar()

        def read() -> Written:
            with self._engine.connect() as connection:
                return write(_trends(connection, ladder.season))

        return self._trends.get(ladder.id, read, fit)

    def people(self, game: str, rules: str | None) -> PeoplePage:
        """The people who play rated matches of a game."""
        with self._engine.connect() as connection:
            return people.page(connection, game, rules)

    # ---- the queue

    def queue(self) -> Queue:
        """Of all public ladders."""
        return self._queue.get(None, self._read_queue)

    def _read_queue(self) -> Queue:
        public = [one for one in self.all() if not one.circle]
        ids = [one.id for one in public]
        with self._engine.connect() as connection:
            current = [one.season for one in self.all()]
            figures = _engine(connection.execute(select(*_engine_columns(current))).one())
            playing = connection.execute(queries.playing().where(_games.c.ladder_id.in_(ids))).mappings().all()
            waiting = connection.execute(queries.waiting(NEXT).where(_games.c.ladder_id.in_(ids))).mappings().all()
            usual = {one.id: _usual(connection, one.season) for one in public}
            names = {one.id: one.game for one in public}
            games = _listed(connection, [*playing, *waiting], names)
            loads = connection.execute(select(db.loads).order_by(db.loads.c.at)).mappings().all()
            at = time_of(connection)
        pace = figures.a_minute / 60
        return Queue(
            at=at,
            engine=figures,
            usual={id: seconds for id, seconds in usual.items() if seconds is not None},
            playing=tuple(self._playing(playing, games[: len(playing)])),
            next=tuple(
                Waiting(game, place / pace if pace else None) for place, game in enumerate(games[len(playing) :])
            ),
            loads=tuple(Load(row["at"], row["waiting"]) for row in loads),
        )

    def _playing(self, rows: Sequence[RowMapping], games: Sequence[LadderGame]) -> list[LadderGame]:
        """Games that are being played, with how far they are."""
        found = []
        for row, game in zip(rows, games, strict=True):
            live = self._lives.get(game.id, row["lease"])
            found.append(game if live is None else _so_far(game, live))
        return found

    def board(self, game: LadderGame) -> str | None:
        """The picture of a game that is being played, as its worker drew it."""
        with self._engine.connect() as connection:
            lease = connection.execute(select(_games.c.lease).where(_games.c.id == game.id)).scalar_one()
        live = self._lives.get(game.id, lease) if game.state == "leased" else None
        return live.picture if live is not None and live.picture else None

    # ---- games

    def game(self, number: int) -> LadderGame | None:
        if not is_number(number):
            return None
        with self._engine.connect() as connection:
            return self._game(connection, number)

    def _game(self, connection: Connection, number: int) -> LadderGame | None:
        rows = connection.execute(_with_ladder(_games.c.id == number)).mappings().all()
        return next(iter(_listed(connection, rows)), None)

    def game_page(self, game: LadderGame, ladder: Ladder, account: int | None) -> GamePage:
        with self._engine.connect() as connection:
            same = (_games.c.season_id == _season_of(game.id), _games.c.meeting == game.meeting)
            near = _games.c.id.between(game.id - NEAR, game.id + NEAR)
            rows = connection.execute(_with_ladder(near, *same).order_by(_games.c.id)).mappings().all()
            bots = [bot.bot for bot in game.bots]
            budget = connection.execute(select(db.ladders.c.budget).where(db.ladders.c.id == ladder.id)).scalar_one()
            limits = msgspec.json.decode(budget, type=Budget)
            owners = connection.execute(
                select(_bots.c.id, _bots.c.account_id, schema.accounts.c.name)
                .outerjoin_from(_bots, schema.accounts, schema.accounts.c.id == _bots.c.account_id)
                .where(_bots.c.id.in_(bots))
            ).all()
            mine = {bot for bot, owner, _ in owners if groups.reads_log(connection, ladder.id, owner, account)}
            readers = {}
            if ladder.circle:
                organiser, called = groups.organiser_of(connection, ladder.circle)
                readers = {
                    bot: called
                    for bot, owner, _ in owners
                    if owner != organiser and groups.reads_log(connection, ladder.id, owner, organiser)
                }
            seen = tuple(bot.entry for bot in game.bots if bot.bot in mine)
            return GamePage(
                ladder=_cards(connection, [ladder])[0],
                game=game,
                others=tuple(one for one in _listed(connection, rows) if one.id != game.id),
                ratings=_ratings(connection, ladder, bots),
                authors={bot: name or "" for bot, _, name in owners},
                mine=seen,
                readers=readers,
                bank=limits.bank,
                turn=limits.turn,
                so_far=self._so_far(connection, game, seen) if game.state == "leased" else None,
                group=ladder.circle,
            )

    def _so_far(self, connection: Connection, game: LadderGame, mine: Sequence[int]) -> GameSoFar | None:
        """What its worker says of a game. Nothing of it is checked yet, and nothing of it counts."""
        lease = connection.execute(select(_games.c.lease).where(_games.c.id == game.id)).scalar_one()
        live = self._lives.get(game.id, lease)
        known = shelf.load(game.game).facts.seats
        per_bot = () if live is None else (live.seats, live.strikes, live.void_lines, live.cpu)
        if live is None or any(len(of) != len(game.bots) for of in per_bot) or not set(live.seats) <= set(known):
            return None
        return GameSoFar(
            turn=live.turn,
            turns=live.turns,
            seats=live.seats,
            strikes=live.strikes,
            void_lines=live.void_lines,
            cpu=live.cpu,
            faults=tuple(FaultSoFar(one.turn, one.entry, one.kind, tame(one.why, 40)) for one in live.faults),
            picture=live.picture,
            logs={entry: log.decode(errors="replace") for entry, log in live.logs.items() if entry in mine},
        )

    def replay(self, number: int) -> str | None:
        """The digest of a game's replay; None if it is gone."""
        with self._engine.connect() as connection:
            return connection.execute(select(_games.c.replay).where(_games.c.id == number)).scalar()

    # ---- results of a bot

    def bot(self, number: int) -> RowMapping | None:
        if not is_number(number):
            return None
        with self._engine.connect() as connection:
            of = select(_bots).where(_bots.c.id == number, _bots.c.state != "deleted")
            return connection.execute(of).mappings().one_or_none()

    def results_of(self, bot: int, limit: int) -> list[LadderGame]:
        """The last games of a bot on public ladders, the newest first."""
        public = [one.id for one in self.all() if not one.circle]
        with self._engine.connect() as connection:
            rows = connection.execute(
                select(*queries.LISTED, _games.c.ladder_id, db.workers.c.name.label("worker"))
                .join_from(db.seats, _games, _games.c.id == db.seats.c.game_id)
                .outerjoin(db.workers, db.workers.c.id == _games.c.worker_id)
                .where(db.seats.c.bot_id == bot, _games.c.cause == "played", _games.c.ladder_id.in_(public))
                .order_by(db.seats.c.game_id.desc())
                .limit(limit)
            ).mappings()
            return _listed(connection, rows.all())

    def between(self, bots: Sequence[int], others: Sequence[int], limit: int, far: int) -> list[LadderGame]:
        """The last games of some bots against others on public ladders, the newest first."""
        with self._engine.connect() as connection:
            rows = [
                row
                for bot in bots
                for row in connection.execute(
                    queries.between(bot, [other for other in others if other != bot], limit, far)
                ).mappings()
            ]
            found = {game.id: game for game in _listed(connection, rows)}
        return sorted(found.values(), key=lambda game: -game.id)[:limit]

    def results_sheet(self, bot: int, limit: int, before: int | None = None) -> str:
        """The same as CSV; with `before`, those before a game."""
        with self._engine.connect() as connection:
            return sheets.results(connection, bot, limit, before)


# ---- the table


def table(rows: Iterable[RowMapping], anchor: int | None, at: float) -> list[LadderRow]:
    """The rows of a ladder. A paused bot keeps its row for a week."""
    rows = list(rows)
    centre = next((row["mu"] for row in rows if row["bot"] == anchor), None)
    return [
        _row(row, anchor, centre)
        for row in rows
        if row["state"] == "active" or row["changed"] > at - SHOWN_PAUSED or row["elo"] is not None
    ]


def _row(row: RowMapping, anchor: int | None, centre: float | None) -> LadderRow:
    rating, margin = current(row, centre, is_anchor=row["bot"] == anchor) or (None, None)
    return LadderRow(
        bot=row["bot"],
        name=row["name"],
        version=row["number"],
        author=row["author"] or "",
        language=row["language"],
        state=row["state"],
        paused_by=row["paused_by"],
        why=row["why"],
        locked=bool(row["locked"]),
        rating=None if rating is None else round(rating, 1),
        margin=None if margin is None else round(margin, 1),
        fitted=None if row["elo"] is None else round(row["elo"], 1),
        placing=bool(row["placing"]) if row["placing"] is not None else True,
        rank_from=row["rank_from"],
        rank_to=row["rank_to"],
        band=row["band"],
        doubt_from=row["doubt_from"],
        doubt_to=row["doubt_to"],
        games=row["games"] or 0,
        wins=row["wins"] or 0,
        draws=row["draws"] or 0,
        faults=row["faults"] or 0,
        strikes=row["strikes"] or 0,
        void_lines=row["void_lines"] or 0,
        cpu=round(row["cpu"] or 0.0, 3),
    )


def _ratings(connection: Connection, ladder: Ladder, bots: Sequence[int]) -> dict[int, tuple[float, float]]:
    """Ratings and margins of some bots, as the table of the ladder has them."""
    some = queries.table(ladder.id, ladder.season).where(_bots.c.id.in_({*bots, ladder.anchor}))
    rows = table(connection.execute(some).mappings(), ladder.anchor, time_of(connection))
    return {
        row.bot: (row.rating, row.margin)
        for row in rows
        if row.bot in bots and row.rating is not None and row.margin is not None
    }


def _count_bots(*ladders: int) -> Select[Any]:
    """The bots that play on some ladders."""
    of = db.entries
    return (
        select(func.count().label("bots"))
        .join_from(of, _bots, _bots.c.id == of.c.bot_id)
        .where(of.c.ladder_id.in_(ladders), _bots.c.state == "active")
    )


def _so_far(game: LadderGame, live: Live) -> LadderGame:
    """A game with how far it is, and how its bots do. Its worker says so, and nothing of it is checked yet."""
    found = replace(game, at_turn=live.turn, turns=live.turns)
    if any(len(of) != len(game.bots) for of in (live.strikes, live.cpu)):
        return found
    out = {one.entry: tame(one.why, 40) for one in live.faults if one.kind == "out"}
    bots = (
        replace(bot, strikes=live.strikes[bot.entry], cpu=live.cpu[bot.entry], fault=out.get(bot.entry))
        for bot in game.bots
    )
    return replace(found, bots=tuple(bots))


def _cards(connection: Connection, of: Sequence[Ladder]) -> list[LadderCard]:
    ladder, seasons = db.entries.c.ladder_id, db.seasons
    counted = _count_bots(*(one.id for one in of)).add_columns(ladder).group_by(ladder)
    bots = {row.ladder_id: row.bots for row in connection.execute(counted)}
    which = seasons.c.id.in_([one.season for one in of])
    numbers = {row.id: row.number for row in connection.execute(select(seasons.c.id, seasons.c.number).where(which))}
    return [_card(one, numbers[one.season], bots.get(one.id, 0)) for one in of]


def _card(ladder: Ladder, season: int, bots: int) -> LadderCard:
    return LadderCard(
        id=ladder.id,
        game=ladder.game,
        rules=ladder.rules,
        title=ladder.title,
        seats=ladder.seats,
        maps=tuple(one.name for one in ladder.maps),
        season=season,
        phase=ladder.phase,  # type: ignore[arg-type]  # as the column is written
        ends=ladder.ends,
        anchor=ladder.anchor,
        bots=bots,
    )


def _engine_columns(seasons: list[int], *which: ColumnElement[bool]) -> list[Label[Any]]:
    """Who plays, and the queue: of some seasons, or of the games that are asked for."""
    of = db.workers
    there = (of.c.state == "active", of.c.seen > now() - SILENT)
    asked = {
        "machines": select(func.count()).where(*there),
        "places": select(func.coalesce(func.sum(of.c.places), 0)).where(*there),
        "played": queries.pace(seasons),
        "leased": select(func.count()).where(_games.c.state == LEASED, *which),
        "waiting": select(func.count()).where(_games.c.state == WAITING, *which),
    }
    return [question.scalar_subquery().label(name) for name, question in asked.items()]


def _engine(figures: Any, *, paused: bool = False) -> EngineFigures:
    return EngineFigures(
        state="paused" if paused else "running" if figures.machines else "no workers",
        a_minute=int(figures.played) * 60 / queries.PACE,
        playing=int(figures.leased),
        waiting=int(figures.waiting),
        places=int(figures.places),
        machines=int(figures.machines),
    )


# ---- games


def _with_ladder(*which: Any) -> Any:
    return (
        select(*queries.LISTED, _games.c.ladder_id, db.workers.c.name.label("worker"))
        .outerjoin_from(_games, db.workers, db.workers.c.id == _games.c.worker_id)
        .where(*which)
    )


def _season_of(game: int) -> Any:
    return select(_games.c.season_id).where(_games.c.id == game).scalar_subquery()


def _listed(
    connection: Connection, rows: Sequence[RowMapping], names: dict[int, str] | None = None
) -> list[LadderGame]:
    """Games with the bots in them. `names`: what is played on the ladders, if that is known."""
    if not rows:
        return []
    ids = sorted({row["id"] for row in rows})
    players: defaultdict[int, list[RowMapping]] = defaultdict(list)
    for start in range(0, len(ids), 500):
        for row in connection.execute(queries.seats_of(ids[start : start + 500])).mappings():
            players[row["game_id"]].append(row)
    if names is None:
        names = {row.id: row.game for row in connection.execute(select(db.ladders.c.id, db.ladders.c.game))}
    return [_game(row, players[row["id"]], names[row["ladder_id"]]) for row in rows]


def _game(row: RowMapping, players: Sequence[RowMapping], game: str) -> LadderGame:
    seats = shelf.load(game).facts.seats
    return LadderGame(
        id=row["id"],
        ladder=row["ladder_id"],
        game=game,
        meeting=row["meeting"],
        turn=row["turn"],
        map=row["map"],
        why=row["why"],
        stage=row["stage"],
        counts=row["counts"],
        state=row["state"],
        cause=row["cause"],
        begun=row["begun"],
        done=row["done"],
        reason=row["reason"],
        steps=row["steps"],
        has_replay=row["replay"] is not None,
        bots=tuple(_in_game(one, seats) for one in players),
        worker=row.get("worker") or "",
        trouble=row["trouble"],
    )


def _in_game(row: RowMapping, seats: Sequence[str]) -> BotInGame:
    return BotInGame(
        bot=row["bot_id"],
        name=row["name"],
        version=row["number"],
        entry=row["entry"],
        seat="" if row["seat"] is None else seats[row["seat"]],
        rank=row["rank"],
        points=row["points"],
        fault=None if row["fault"] is None else public(row["fault"]),
        strikes=row["strikes"],
        void_lines=row["void_lines"],
        cpu=row["cpu"],
        wall=row["wall"],
        slowest=row["slowest"],
    )


def _meetings(games: Iterable[LadderGame]) -> list[Meeting]:
    """The last meetings, the newest first; one of which not all games have ended yet counts what has."""
    by_meeting: dict[int, list[LadderGame]] = {}
    for game in games:
        by_meeting.setdefault(game.meeting, []).append(game)
    return [_meeting(number, of) for number, of in by_meeting.items()][:FINISHED]


def _meeting(number: int, games: Sequence[LadderGame]) -> Meeting:
    points: dict[int, float] = {}
    names: dict[int, str] = {}
    for game in games:
        for bot in game.bots:
            points[bot.bot] = points.get(bot.bot, 0.0) + (bot.points or 0.0)
            names[bot.bot] = bot.name
    best = sorted(points, key=lambda bot: -points[bot])
    return Meeting(
        meeting=number,
        at=max(game.done or 0.0 for game in games),
        games=tuple(sorted(game.id for game in games)),
        bots=tuple((bot, names[bot], points[bot]) for bot in best),
        map=games[0].map,
    )


def _usual(connection: Connection, season: int) -> float | None:
    """How long a game takes, in seconds, on the clock of whoever plays it."""
    last = queries.finished(season, USUAL).with_only_columns(_games.c.seconds).where(_games.c.cause == "played")
    found = connection.execute(select(func.avg(last.subquery().c.seconds))).scalar()
    return None if found is None else float(found)


# ---- trends


def _trends(connection: Connection, season: int) -> list[Trend]:
    """The last 30 days of the versions that play now, by a few of the fits since."""
    fits, of = db.fits, db.fit_ratings
    known = connection.execute(
        select(fits.c.id, fits.c.at).where(fits.c.season_id == season, fits.c.at > now() - MONTH).order_by(fits.c.at)
    ).all()
    if len(known) < 2:
        return []
    span = known[-1].at - known[0].at
    wanted = [known[0].at + span * i / (POINTS - 1) for i in range(POINTS)]
    chosen = {min(known, key=lambda one: abs(one.at - then)).id for then in wanted}
    times = {one.id: round((one.at - known[0].at) / 60) for one in known if one.id in chosen}
    listed = select(of.c.version_id).where(of.c.fit_id == known[-1].id, of.c.listed)
    rows = connection.execute(
        select(of.c.bot_id, of.c.fit_id, of.c.elo, of.c.margin)
        .where(of.c.fit_id.in_(times), of.c.version_id.in_(listed.scalar_subquery()))
        .order_by(of.c.fit_id)
    )
    points: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for bot, fit, elo, margin in rows:
        points[bot].append((times[fit], round(elo), round(margin)))
    return [Trend(bot, tuple(of)) for bot, of in points.items()]
