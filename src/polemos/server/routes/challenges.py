"""Challenges and the archive of seasons as requests."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, Router, get, post
from litestar.params import FromPath, JSONBody
from sqlalchemy import Connection

from polemos.ladder import challenges, season_pages
from polemos.server.routes.authors import authors
from polemos.server.routes.common import account, guard_change, limit
from polemos.server.routes.groups import changing, reading, signed_in
from polemos.server.routes.ladder import sheet
from polemos.wire.groups import ChallengeForm, ChallengePage, NewChallenge, SeasonCard, SeasonPage


@get("/ladders/{ladder:int}/challenge", summary="What a challenge on a ladder can be, and how many games you have left")
async def form(request: Request[Any, Any, Any], ladder: FromPath[int]) -> ChallengeForm:
    who = await account(request)
    id = None if who is None else who.id

    def look(connection: Connection) -> ChallengeForm:
        return challenges.form(connection, challenges.ladder_for(connection, ladder, id), id)

    return await reading(request, look)


@post("/challenges", summary="Let bots play each other", status_code=201)
async def ask(request: Request[Any, Any, Any], data: JSONBody[NewChallenge]) -> ChallengePage:
    guard_change(request)
    who = await signed_in(request)
    limit(request, "challenges")
    most = authors(request).most(who.id)["games"]

    def do(connection: Connection) -> ChallengePage:
        ladder = challenges.ladder_for(connection, data.ladder, who.id)
        id = challenges.ask(
            connection,
            who.id,
            who.name,
            ladder,
            data.bots,
            data.map,
            meetings=data.meetings,
            counts=data.counts,
            most=most,
        )
        return challenges.page(connection, id, who.id)

    return await changing(request, do)


@get("/challenges/{id:int}", summary="A challenge and how it stands")
async def page(request: Request[Any, Any, Any], id: FromPath[int]) -> ChallengePage:
    who = await account(request)
    return await reading(request, lambda connection: challenges.page(connection, id, None if who is None else who.id))


@get("/ladders/{ladder:int}/seasons", summary="The seasons of a ladder, newest first")
async def seasons(request: Request[Any, Any, Any], ladder: FromPath[int]) -> list[SeasonCard]:
    who = await account(request)

    def look(connection: Connection) -> list[SeasonCard]:
        challenges.ladder_for(connection, ladder, None if who is None else who.id)
        return season_pages.cards(connection, ladder)

    return await reading(request, look)


@get("/ladders/{ladder:int}/seasons/{number:int}", summary="A season and its table")
async def season(request: Request[Any, Any, Any], ladder: FromPath[int], number: FromPath[int]) -> SeasonPage:
    who = await account(request)
    return await reading(
        request, lambda connection: season_pages.page(connection, ladder, number, None if who is None else who.id)
    )


@get("/ladders/{ladder:int}/seasons/{number:int}/table.csv", summary="A season as a table", media_type="text/csv")
async def season_csv(request: Request[Any, Any, Any], ladder: FromPath[int], number: FromPath[int]) -> Response[str]:
    who = await account(request)

    def look(connection: Connection) -> str:
        return season_pages.as_csv(season_pages.page(connection, ladder, number, None if who is None else who.id))

    return sheet(f"season-{number}", await reading(request, look))


router = Router("/api", route_handlers=[form, ask, page, seasons, season, season_csv], tags=["ladder"])
