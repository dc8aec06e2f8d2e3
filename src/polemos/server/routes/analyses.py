"""The analysis of a finished match: asking for it, and how far it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from litestar import Request, Router, get, post
from litestar.params import FromPath

from polemos.server.analyses import Analyses
from polemos.server.routes.common import guard_change, hall, limit, visitor, work
from polemos.server.routes.ladder_games import replay_of
from polemos.server.routes.tables import replay_bytes
from polemos.server.tables.table import Refusal, Table
from polemos.server.work import Rank
from polemos.wire.analysis import AnalysisCard


@get("/tables/{id:str}/analysis", summary="How far the analysis of a finished match is, and its result")
async def of_table(request: Request[Any, Any, Any], id: FromPath[str]) -> AnalysisCard:
    limit(request, "records")
    table = await _over(request, id)
    return await _card(request, table.game.name, _name(table))


@post("/tables/{id:str}/analysis", summary="Analyse a finished match", status_code=202)
async def analyse_table(request: Request[Any, Any, Any], id: FromPath[str]) -> AnalysisCard:
    guard_change(request)
    table = await _over(request, id)
    read = partial(work(request).run, visitor(request), Rank.RECORDS, replay_bytes, table)
    return await _asked(request, table.game.name, _name(table), read)


@get("/ladder/games/{id:int}/analysis", summary="How far the analysis of a game between bots is, and its result")
async def of_ladder_game(request: Request[Any, Any, Any], id: FromPath[int]) -> AnalysisCard:
    limit(request, "records")
    game, path = await replay_of(request, id)
    return await _card(request, game.game, path.name.partition(".")[0])


@post("/ladder/games/{id:int}/analysis", summary="Analyse a game between bots", status_code=202)
async def analyse_ladder_game(request: Request[Any, Any, Any], id: FromPath[int]) -> AnalysisCard:
    guard_change(request)
    game, path = await replay_of(request, id)
    return await _asked(request, game.game, path.name.partition(".")[0], partial(asyncio.to_thread, path.read_bytes))


def _analyses(request: Request[Any, Any, Any]) -> Analyses:
    found: Analyses = request.app.state.analyses
    return found


async def _card(request: Request[Any, Any, Any], game: str, name: str) -> AnalysisCard:
    return await asyncio.to_thread(_analyses(request).card, game, name)


async def _asked(
    request: Request[Any, Any, Any], game: str, name: str, read: Callable[[], Awaitable[bytes]]
) -> AnalysisCard:
    """Begins, unless it is there or on its way; does not wait for the end."""
    found = await _card(request, game, name)
    if found.state not in ("none", "failed"):
        return found
    limit(request, "analyses")
    _analyses(request).begin(name, visitor(request).address, read)
    return await _card(request, game, name)


async def _over(request: Request[Any, Any, Any], id: str) -> Table:
    table = (await hall(request).find(id, visitor(request))).table
    if table.status != "over":
        raise Refusal("An analysis shows what everyone knew and ordered. You can have one once the match is over.")
    return table


def _name(table: Table) -> str:
    """Changes if anything about the match does."""
    last = table.match.steps[-1].digest if table.match.steps else table.match.first_digest
    return f"table-{table.id}-{len(table.match.steps)}-{last[:16]}"


router = Router(
    "/api", route_handlers=[of_table, analyse_table, of_ladder_game, analyse_ladder_game], tags=["tables", "ladder"]
)
