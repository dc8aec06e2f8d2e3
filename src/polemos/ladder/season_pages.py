"""What the pages of seasons show: the archive of those that are over, whose tables stand still."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, and_, select

from polemos.arena.tournament import report_csv
from polemos.ladder import queries
from polemos.ladder.challenges import NoSuchChallenge, ladder_for
from polemos.server.store import ladder as db
from polemos.server.store.schema import accounts
from polemos.wire.groups import SeasonCard, SeasonPage, SeasonRow


def cards(connection: Connection, ladder: int) -> list[SeasonCard]:
    """The seasons of a ladder, newest first."""
    return [_card(connection, row) for row in connection.execute(queries.archive(ladder)).all()]


def _card(connection: Connection, row: Any) -> SeasonCard:
    return SeasonCard(
        number=row.number,
        phase=row.phase,
        begun=row.begun,
        ends=row.ends,
        ended=row.ended,
        winners=_winners(connection, row) if row.phase == "over" else (),
    )


def _winners(connection: Connection, season: Any) -> tuple[str, ...]:
    """Authors' bots that nobody is surely above: they share the first place. Ours do not compete."""
    fit, bots = db.fit_ratings, db.bots
    rows = connection.execute(
        select(bots.c.name, fit.c.rank_from)
        .join_from(fit, bots, bots.c.id == fit.c.bot_id)
        .where(fit.c.fit_id == season.fit_id, fit.c.listed, fit.c.rank_from.is_not(None), bots.c.builtin.is_(None))
        .order_by(fit.c.rank_from, fit.c.elo.desc())
    ).all()
    return tuple(row.name for row in rows if row.rank_from == rows[0].rank_from)


def page(connection: Connection, ladder: int, number: int, account: int | None) -> SeasonPage:
    """The archive of a season: the versions that were locked at its end, by the fit over all of its games."""
    of = ladder_for(connection, ladder, account)
    all_cards = cards(connection, ladder)
    seasons = connection.execute(queries.archive(ladder)).all()
    season = next((row for row in seasons if row.number == number), None)
    if season is None:
        raise NoSuchChallenge("This ladder has no such season.")
    fit, bots, versions, tallies = db.fit_ratings, db.bots, db.bot_versions, db.tallies
    conduct = (tallies.c.faults, tallies.c.strikes, tallies.c.void_lines, tallies.c.cpu)
    of_season = and_(tallies.c.season_id == season.id, tallies.c.version_id == fit.c.version_id)
    rows = connection.execute(
        select(fit, bots.c.name, bots.c.builtin, versions.c.number, accounts.c.name.label("author"), *conduct)
        .join_from(fit, bots, bots.c.id == fit.c.bot_id)
        .join(versions, versions.c.id == fit.c.version_id)
        .outerjoin(accounts, accounts.c.id == bots.c.account_id)
        .outerjoin(tallies, of_season)
        .where(fit.c.fit_id == season.fit_id, fit.c.listed)
        .order_by(fit.c.elo.desc(), bots.c.id)
    ).all()
    games = connection.execute(select(db.fits.c.games).where(db.fits.c.id == season.fit_id)).scalar()
    return SeasonPage(
        ladder=ladder,
        game=of.game,
        title=of.title,
        season=next(card for card in all_cards if card.number == number),
        games=games or 0,
        rows=tuple(
            SeasonRow(
                bot=row.bot_id,
                name=row.name,
                version=row.number,
                author=row.author or "",
                ours=row.builtin is not None,
                elo=row.elo,
                margin=row.margin,
                games=row.games,
                rank_from=row.rank_from,
                rank_to=row.rank_to,
                band=row.band,
                faults=row.faults or 0,
                strikes=row.strikes or 0,
                void_lines=row.void_lines or 0,
                cpu=round(row.cpu or 0.0, 3),
            )
            for row in rows
        ),
        seasons=tuple(all_cards),
    )


def as_csv(page: SeasonPage) -> str:
    """The table of a season."""
    head = ["rank_from", "rank_to", "band", "name", "version", "author", "rating", "low", "high", "games"]
    head += ["faults", "strikes", "void lines", "cpu seconds"]
    return report_csv.table(
        head,
        (
            [
                row.rank_from,
                row.rank_to,
                row.band,
                row.name,
                row.version,
                row.author,
                row.elo,
                row.elo - row.margin,
                row.elo + row.margin,
                row.games,
                row.faults,
                row.strikes,
                row.void_lines,
                row.cpu,
            ]
            for row in page.rows
        ),
    )
