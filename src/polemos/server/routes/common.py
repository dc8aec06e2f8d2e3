"""Who asks: the cookie, the account, the address, the token of a seat."""

from __future__ import annotations

from typing import Any, Final

from litestar import Request
from litestar.connection import ASGIConnection

from polemos.kernel.errors import PolemosError
from polemos.server.accounts import Account, Accounts
from polemos.server.limits import Buckets
from polemos.server.tables.hall import Hall

COOKIE: Final = "polemos"


class Forbidden(PolemosError):
    word = "request/forbidden"


def hall(connection: ASGIConnection[Any, Any, Any, Any]) -> Hall:
    found: Hall = connection.app.state.hall
    return found


def accounts(connection: ASGIConnection[Any, Any, Any, Any]) -> Accounts:
    found: Accounts = connection.app.state.accounts
    return found


def address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Where it comes from. A proxy is believed only if the server was told of it."""
    client = connection.client.host if connection.client else "?"
    if connection.app.state.settings.behind == client:
        return connection.headers.get("x-forwarded-for", client).rpartition(",")[2].strip()[:60]
    return client


def limit(connection: ASGIConnection[Any, Any, Any, Any], kind: str) -> None:
    buckets: Buckets = connection.app.state.buckets
    buckets.take(kind, address(connection))


async def account(connection: ASGIConnection[Any, Any, Any, Any]) -> Account | None:
    return await accounts(connection).account_of(connection.cookies.get(COOKIE))


def token(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    kind, _, value = connection.headers.get("authorization", "").partition(" ")
    return value.strip() or None if kind.lower() == "bearer" else None


def guard_change(request: Request[Any, Any, Any]) -> None:
    """A change that comes with our cookie must come from our page. Programs send no cookie."""
    cookie = request.cookies.get(COOKIE)
    if cookie is not None and not accounts(request).is_csrf(cookie, request.headers.get("x-csrf-token")):
        raise Forbidden("The header X-CSRF-Token is missing or wrong. GET /api/me has the right one.")
