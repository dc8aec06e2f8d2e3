"""Rated matches: who can play them, and the row that one leaves when it ends.

People are rated apart from bots, by matches at tables between people who are signed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Executable, insert

from polemos.arena.tournament.batch import ranks_of
from polemos.kernel.capabilities.ladder_maps import LadderMaps
from polemos.kernel.game import AnyGame
from polemos.ladder.ladders import RULES, USUAL
from polemos.server.store import people
from polemos.server.tables.table import Refusal, Table
from polemos.wire.table import OpenTable

FREE: Final = (RULES, "seats")  # options that whoever opens a rated table can choose


def check_wish(game: AnyGame, wish: OpenTable, given: Mapping[str, Any], account: int | None) -> None:
    """Raises a Refusal if a table can't be rated. `given`: the options as they were asked for."""
    if not wish.rated:
        return
    if any(spec.kind in ("bot", "program") for spec in wish.seats.values()):
        raise Refusal("Only matches between people can be rated. Leave the seats of bots and programs open.")
    if account is None and any(spec.kind == "person" for spec in wish.seats.values()):
        raise Refusal("Sign in to open a rated table.")
    rest = {name: value for name, value in given.items() if name not in FREE}
    maps = game.ladder_maps() if isinstance(game, LadderMaps) else {}
    if rest and rest not in maps.values():
        raise Refusal(
            "A rated match uses the usual rules on a map of the ladder. Open the table with the default options, or"
            " without a rating."
        )


def check_player(table: Table, account: int | None) -> None:
    """Raises a Refusal if somebody can't take a seat at a rated table."""
    if not table.wish.rated:
        return
    if account is None:
        raise Refusal("This match is rated. Sign in to take a seat.")
    if account in table.accounts:
        raise Refusal("This match is rated, and you already have a seat.")


def check_team(table: Table) -> None:
    if table.wish.rated:
        raise Refusal("This match is rated, so nobody can share a seat.")


def ended(table: Table, at: float) -> list[Executable]:
    """The result of a rated match that is over, to be written along with its last acts; nothing if it doesn't count."""
    outcome, sitters = table.match.outcome, table.seats.values()
    accounts = [sitter.account for sitter in sitters if sitter is not None and sitter.account is not None]
    if not table.wish.rated or outcome is None or table.closed is not None or len({*accounts}) < max(2, len(sitters)):
        return []
    ranks = ranks_of(outcome)
    row = {
        "table_id": table.id,
        "game": table.game.name,
        "rules": str(table.match.options.get(RULES, USUAL)),
        "at": at,
        "people": ",".join(map(str, accounts)),
        "ranks": ",".join(str(ranks[seat]) for seat in table.seats),
    }
    return [insert(people.results).values(row)]
