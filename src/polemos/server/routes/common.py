"""Who asks: the cookie, the account, the address, the token of a seat."""

from __future__ import annotations

from typing import Any, Final

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.exceptions import ClientException

from polemos.kernel.errors import PolemosError
from polemos.server.accounts import Account, Accounts
from polemos.server.limits import Buckets
from polemos.server.tables.hall import Hall

COOKIE: Final = "polemos"


class Forbidden(PolemosError):
    word = "request/forbidden"


class Careful(Request[Any, Any, Any]):
    """A request whose body may be anything at all."""

    async def json(self) -> Any:
        try:
            return await super().json()
        except (UnicodeDecodeError, RecursionError):
            raise ClientException("The body is no JSON in UTF-8, or is nested too deeply.") from None


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


def limit(connection: ASGIConnection[Any, Any, Any, Any], kind: str, who: str | None = None) -> None:
    """Takes one from the bucket of this address, or of somebody else."""
    buckets: Buckets = connection.app.state.buckets
    buckets.take(kind, address(connection) if who is None else who)


async def account(connection: ASGIConnection[Any, Any, Any, Any]) -> Account | None:
    return await accounts(connection).account_of(connection.cookies.get(COOKIE))


def token(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    kind, _, value = connection.headers.get("authorization", "").partition(" ")
    return value.strip() or None if kind.lower() == "bearer" else None


async def player_name(connection: ASGIConnection[Any, Any, Any, Any], wanted: str, who: Account | None) -> str:
    """How others see a player: guests choose, but not the name of somebody who has an account here."""
    if not wanted.strip():
        return "" if who is None else who.name
    owner = await accounts(connection).called(wanted)
    if owner is not None and owner != who:
        raise Forbidden(f"The name {owner.name} belongs to an account. Sign in, or choose another.")
    return wanted


def is_from_here(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """A browser says which page it asks for; it must be one of ours. Programs say nothing."""
    origin = connection.headers.get("origin")
    return origin is None or origin.partition("://")[2] == connection.headers.get("host")


def guard_change(request: Request[Any, Any, Any]) -> None:
    """A change that a browser asks for must come from our page, and know what only that knows."""
    if not is_from_here(request):
        raise Forbidden("This page may not speak to this server.")
    cookie = request.cookies.get(COOKIE)
    if cookie is not None and not accounts(request).is_csrf(cookie, request.headers.get("x-csrf-token")):
        raise Forbidden("The header X-CSRF-Token is missing or wrong. GET /api/me has the right one.")
