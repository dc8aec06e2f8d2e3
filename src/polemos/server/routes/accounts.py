"""Accounts: signing up, in and out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar import Request, Response, Router, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody

from polemos.server.accounts import LIFE, Account, BadCredentials, is_cookie, new_cookie, session_of
from polemos.server.authors.desk import Authors
from polemos.server.office.bans import refuse
from polemos.server.routes.common import (
    COOKIE,
    DEVICE,
    account,
    accounts,
    address,
    company,
    guard_change,
    hall,
    limit,
    network,
    office,
    visitor,
    work,
)
from polemos.server.words import folded, tidy
from polemos.server.work import Usual
from polemos.wire.table import Credentials, Farewell, Me, TableCard


@get("/me", summary="The account this browser is signed in as, and the tables waiting for it")
async def me(request: Request[Any, Any, Any]) -> Response[Me]:
    cookie = request.cookies.get(COOKIE)
    return await _me(
        request, await account(request), cookie if cookie is not None and is_cookie(cookie) else new_cookie()
    )


@post("/accounts", summary="Create an account and sign in", status_code=201)
async def sign_up(request: Request[Any, Any, Any], data: JSONBody[Credentials]) -> Response[Me]:
    guard_change(request)
    limit(request, "sign-up")
    cookie, old = new_cookie(), request.cookies.get(COOKIE)
    refuse(office(request).bans.of_name(tidy(data.name, 200)))
    made = await accounts(request).sign_up(data.name, data.password, cookie, old, network(address(request)))
    return await _signed_in(request, made, cookie, old)


@post("/session", summary="Sign in", status_code=200)
async def sign_in(request: Request[Any, Any, Any], data: JSONBody[Credentials]) -> Response[Me]:
    """Wrong passwords slow down their own address for this name. A browser that has signed in before is not slowed."""
    guard_change(request)
    taken = await _take_turn(request, data.name)
    who = await accounts(request).sign_in(data.name, data.password)
    for kind, key in taken.items():
        request.app.state.buckets.give_back(kind, key)
    refuse(office(request).bans.of_account(who.id) or office(request).bans.of_name(who.name))
    cookie, old = new_cookie(), request.cookies.get(COOKIE)
    await accounts(request).begin_session(who, cookie, old, network(address(request)))
    return await _signed_in(request, who, cookie, old)


@delete("/session", summary="Sign out", status_code=200)
async def sign_out(request: Request[Any, Any, Any]) -> Response[Me]:
    """Also ends all sockets of this session, in whatever tab."""
    guard_change(request)
    cookie = request.cookies.get(COOKIE)
    if cookie is not None:
        await accounts(request).end_session(cookie)
        hall(request).sign_out(session_of(cookie))
    return await _me(request, None, new_cookie())


@post("/account/deletion", summary="Delete your account", status_code=200)
async def delete_account(request: Request[Any, Any, Any], data: JSONBody[Farewell]) -> Response[Me]:
    """Your bots leave their ladders and their files are deleted; games that you or they have played stay."""
    guard_change(request)
    who = await account(request)
    if who is None:
        raise BadCredentials("Sign in first.")
    if office(request).is_operator(who):
        raise BadCredentials("You are an operator. Ask another operator to remove you from their list first.")
    taken = await _take_turn(request, who.name)
    await accounts(request).sign_in(who.name, data.password)
    for kind, key in taken.items():
        request.app.state.buckets.give_back(kind, key)
    desk: Authors = request.app.state.authors
    await desk.delete_account(who.id)
    office(request).sign_out(who.id)
    return await _me(request, None, new_cookie())


async def _take_turn(request: Request[Any, Any, Any], name: str) -> dict[str, str]:
    """Takes from the buckets that an attempt to sign in counts against, and returns which those are."""
    device = await accounts(request).is_device(request.cookies.get(DEVICE), name)
    where = network(address(request))
    buckets = {"sign-in": where, "sign-in of this name": f"{where} {folded(tidy(name, 80))}"}
    buckets = buckets if device is None else {"sign-in of a known device": device}
    for kind, key in buckets.items():
        limit(request, kind, key)
    return buckets


async def _signed_in(request: Request[Any, Any, Any], who: Account, cookie: str, old: str | None) -> Response[Me]:
    """Issues a fresh cookie, so nobody can have chosen it in advance; the sockets of the old one end."""
    if old is not None:
        hall(request).sign_out(session_of(old))
    answer = await _me(request, who, cookie)
    answer.set_cookie(_cookie(request, DEVICE, accounts(request).new_device(who), 365 * 86400))
    return answer


async def _me(request: Request[Any, Any, Any], who: Account | None, cookie: str) -> Response[Me]:
    others = company(request)
    due: Sequence[TableCard] = ()
    if who is not None:
        paying = visitor(request, who)
        due = (
            work(request).here(paying, Usual(), hall(request).due, who.id)
            if others is None
            else await others.due(who.id)
        )
    return Response(
        Me(
            None if who is None else who.name,
            accounts(request).csrf_of(cookie),
            tuple(due),
            operator=office(request).is_operator(who),
        ),
        cookies=[_cookie(request, COOKIE, cookie, int(LIFE))],
    )


def _cookie(request: Request[Any, Any, Any], name: str, value: str, seconds: int) -> Cookie:
    return Cookie(
        name,
        value=value,
        httponly=True,
        samesite="lax",
        secure=request.app.state.settings.secure_cookies,
        max_age=seconds,
        path="/",
    )


router = Router("/api", route_handlers=[me, sign_up, sign_in, sign_out, delete_account], tags=["accounts"])
