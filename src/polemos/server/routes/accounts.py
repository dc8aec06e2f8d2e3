"""Accounts: signing up, in and out."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, Router, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody

from polemos.server.accounts import LIFE, Account, is_cookie, new_cookie
from polemos.server.routes.common import COOKIE, account, accounts, guard_change, hall, limit
from polemos.server.words import folded
from polemos.wire.table import Credentials, Me


@get("/me", summary="The account this browser is signed in as, and the tables waiting for it")
async def me(request: Request[Any, Any, Any]) -> Response[Me]:
    cookie = request.cookies.get(COOKIE)
    return _me(request, await account(request), cookie if cookie is not None and is_cookie(cookie) else new_cookie())


@post("/accounts", summary="Create an account and sign in", status_code=201)
async def sign_up(request: Request[Any, Any, Any], data: JSONBody[Credentials]) -> Response[Me]:
    guard_change(request)
    limit(request, "sign-up")
    made = await accounts(request).sign_up(data.name, data.password)
    return await _signed_in(request, made)


@post("/session", summary="Sign in", status_code=200)
async def sign_in(request: Request[Any, Any, Any], data: JSONBody[Credentials]) -> Response[Me]:
    guard_change(request)
    limit(request, "sign-in")
    limit(request, "sign-in of this name", folded(data.name))  # attempts may come from many addresses
    found = await accounts(request).sign_in(data.name, data.password)
    return await _signed_in(request, found)


@delete("/session", summary="Sign out", status_code=200)
async def sign_out(request: Request[Any, Any, Any]) -> Response[Me]:
    guard_change(request)
    cookie = request.cookies.get(COOKIE)
    if cookie is not None:
        await accounts(request).end_session(cookie)
    return _me(request, None, new_cookie())


async def _signed_in(request: Request[Any, Any, Any], who: Account) -> Response[Me]:
    """Issues a fresh cookie, so nobody can have chosen it in advance, and ends the session of the old one."""
    if (old := request.cookies.get(COOKIE)) is not None:
        await accounts(request).end_session(old)
    cookie = new_cookie()
    await accounts(request).begin_session(who, cookie)
    return _me(request, who, cookie)


def _me(request: Request[Any, Any, Any], who: Account | None, cookie: str) -> Response[Me]:
    due = () if who is None else tuple(hall(request).due(who.id))
    return Response(
        Me(None if who is None else who.name, accounts(request).csrf_of(cookie), due),
        cookies=[
            Cookie(
                COOKIE,
                value=cookie,
                httponly=True,
                samesite="lax",
                secure=request.app.state.settings.secure_cookies,
                max_age=int(LIFE),
                path="/",
            )
        ],
    )


router = Router("/api", route_handlers=[me, sign_up, sign_in, sign_out], tags=["accounts"])
