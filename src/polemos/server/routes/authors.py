"""Bots of users as requests: uploads, tokens, an author's bots, and the page of a bot for everyone.

A browser is known by its cookie, a program by a personal token (`Authorization: Bearer polemos_...`). A token can
upload and look; creating and revoking tokens, and whatever changes a bot, needs the page.
"""

from __future__ import annotations

from typing import Any, Final

from litestar import Request, Response, Router, delete, get, post
from litestar.connection import ASGIConnection
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import File, Stream

from polemos.kernel.errors import PolemosError
from polemos.server import shelf
from polemos.server.accounts import Account
from polemos.server.authors import files
from polemos.server.authors.desk import Authors
from polemos.server.authors.progress import Kind
from polemos.server.office.bans import refuse
from polemos.server.routes.common import account, guard_change, limit, office, token
from polemos.uploads.limits import Limits
from polemos.wire.authors import BotDeed, BotPage, CreatedToken, NewNotices, NewToken, SeenNotices, UploadCard, Yard

MAX_CALLED: Final = 300  # characters of the name of a file


class SignIn(PolemosError):
    word = "account/needed"


def authors(connection: ASGIConnection[Any, Any, Any, Any]) -> Authors:
    found: Authors = connection.app.state.authors
    return found


async def _author(request: Request[Any, Any, Any], *, by_token: bool = True, change: bool = False) -> Account:
    """Whoever asks: by a token, where that is allowed, or by the cookie of a page."""
    given = token(request)
    if given is not None and by_token:
        limit(request, "tokens")
        who = await authors(request).account_of(given)
        refuse(office(request).bans.of_account(who.id) or office(request).bans.of_name(who.name))
        return who
    if change:
        guard_change(request)
    found = await account(request)
    if found is None:
        raise SignIn("Sign in first, or send a personal token.")
    return found


# ---- uploads


@post(
    "/my/uploads",
    summary="Upload a bot: a program, a zip or a tar",
    status_code=201,
    request_max_body_size=Limits().upload + 1,
)
async def upload(
    request: Request[Any, Any, Any],
    called: FromQuery[str],
    game: FromQuery[str | None] = None,
    bot: FromQuery[int | None] = None,
) -> UploadCard:
    """The body is the file itself; `called` is its name. Without `game`, its manifest says what it plays.

    `bot` says which of your bots it is a new version of; otherwise the name in its manifest does.
    """
    who = await _author(request, change=True)
    desk = authors(request)
    if game is not None:
        shelf.load(game)  # raises NoSuchGame
    files.check_length(request.headers.get("content-length"), desk.limit)
    id = await desk.take(who.id, request.stream(), called[:MAX_CALLED], game, bot)
    return await desk.upload(who.id, id)


@get("/my/uploads", summary="Your last uploads, the newest first")
async def uploads(request: Request[Any, Any, Any]) -> list[UploadCard]:
    return await authors(request).uploads((await _author(request)).id)


@get("/my/uploads/{id:int}", summary="How an upload gets on")
async def one_upload(
    request: Request[Any, Any, Any], id: FromPath[int], seen: FromQuery[int | None] = None
) -> UploadCard:
    """With `seen`, the number of the last change you know, it answers when there is another, or after 20 seconds."""
    return await authors(request).upload((await _author(request)).id, id, seen)


@get("/my/uploads/{id:int}/logs/{kind:str}", summary="A log of an upload: build or log", media_type="text/plain")
async def upload_log(request: Request[Any, Any, Any], id: FromPath[int], kind: FromPath[str]) -> Response[str]:
    if kind not in ("build", "log"):
        raise NotFoundException("The logs of an upload are build and log.")
    of: Kind = "build" if kind == "build" else "log"
    text = await authors(request).log((await _author(request)).id, id, of)
    return Response(text, media_type="text/plain; charset=utf-8")


@get("/my/uploads/{id:int}/trial.jsonl.gz", summary="The replay of a trial that failed")
async def trial(request: Request[Any, Any, Any], id: FromPath[int]) -> File:
    path = await authors(request).trial((await _author(request)).id, id)
    if path is None:
        raise NotFoundException("There is no replay of a failed trial.")
    return File(path, filename=f"trial-{id}.jsonl.gz", media_type="application/gzip")


@delete("/my/uploads/{id:int}", summary="Cancel an upload", status_code=200)
async def cancel(request: Request[Any, Any, Any], id: FromPath[int]) -> UploadCard:
    who = await _author(request, change=True)
    await authors(request).cancel(who.id, id)
    return await authors(request).upload(who.id, id)


# ---- tokens


@post("/my/tokens", summary="Create a personal token, which is shown once", status_code=201)
async def new_token(request: Request[Any, Any, Any], data: JSONBody[NewToken]) -> CreatedToken:
    who = await _author(request, by_token=False, change=True)
    return await authors(request).create_token(who.id, data.name)


@delete("/my/tokens/{id:int}", summary="Revoke a personal token", status_code=200)
async def revoke(request: Request[Any, Any, Any], id: FromPath[int]) -> dict[str, bool]:
    who = await _author(request, by_token=False, change=True)
    await authors(request).revoke_token(who.id, id)
    return {"revoked": True}


# ---- notices


@get("/my/notices", summary="How many notices about your bots and groups are new")
async def new_notices(request: Request[Any, Any, Any]) -> NewNotices:
    who = await account(request)
    return NewNotices(0) if who is None else await authors(request).unseen(who.id)


@post("/my/notices", summary="Say up to which notice you have looked at them", status_code=200)
async def seen_notices(request: Request[Any, Any, Any], data: JSONBody[SeenNotices]) -> NewNotices:
    who = await _author(request, by_token=False, change=True)
    return await authors(request).look_at(who.id, data.last)


# ---- bots


@get("/my/bots", summary="Your bots, quotas and tokens")
async def yard(request: Request[Any, Any, Any]) -> Yard:
    return await authors(request).yard((await _author(request)).id)


@post(
    "/my/bots/{id:int}",
    summary="Pause, resume or rename a bot, publish its source, or let another version play",
    status_code=200,
)
async def deed(request: Request[Any, Any, Any], id: FromPath[int], data: JSONBody[BotDeed]) -> BotPage:
    who = await _author(request, by_token=False, change=True)
    await authors(request).do(who.id, id, data)
    return await authors(request).page(id, who.id)


@delete("/my/bots/{id:int}", summary="Delete a bot", status_code=200)
async def delete_bot(request: Request[Any, Any, Any], id: FromPath[int]) -> dict[str, bool]:
    """Its games stay, with its name; its files are deleted."""
    who = await _author(request, by_token=False, change=True)
    await authors(request).delete(who.id, id)
    return {"deleted": True}


@get("/ladder-bots/{id:int}", summary="A bot: ratings, opponents, versions, faults, games")
async def bot_page(request: Request[Any, Any, Any], id: FromPath[int], ladder: FromQuery[int | None] = None) -> BotPage:
    """With its figures on a ladder, or on that of the usual rules. Log lines and reasons of refusals are for its author
    alone.
    """
    who = await account(request)
    return await authors(request).page(id, None if who is None else who.id, ladder)


@get("/ladder-bots/{id:int}/versions/{number:int}/source.tar.gz", summary="The source of a version")
async def source(request: Request[Any, Any, Any], id: FromPath[int], number: FromPath[int]) -> Stream:
    """Your own, or one that its author has published. A token is not enough for a private one: it can be found."""
    limit(request, "records")
    who = await account(request)
    folder, name = await authors(request).source(id, number, None if who is None else who.id)
    headers = {"Content-Disposition": f'attachment; filename="{name}.tar.gz"'}
    return Stream(files.packed(folder, name), media_type="application/gzip", headers=headers)


router = Router(
    "/api",
    route_handlers=[
        upload,
        uploads,
        one_upload,
        upload_log,
        trial,
        cancel,
        new_token,
        revoke,
        new_notices,
        seen_notices,
        yard,
        deed,
        delete_bot,
        bot_page,
        source,
    ],
    tags=["bots"],
)
