"""Who is asking: the cookie, the account, the address, the token of a seat."""

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
    """A request whose body may be anything."""

    async def json(self) -> Any:
        try:
            return await super().json()
        except (UnicodeDecodeError, RecursionError):
            raise ClientException("The body is not JSON in UTF-8, or is nested too deeply.") from None


def hall(connection: ASGIConnection[Any, Any, Any, Any]) -> Hall:
    found: Hall = connection.app.state.hall
    return found


def accounts(connection: ASGIConnection[Any, Any, Any, Any]) -> Accounts:
    found: Accounts = connection.app.state.accounts
    return found


def is_proxy(client: str | None, behind: str | None) -> bool:
    """Whether headers about the client are to be believed: they come from the proxy that the server was told about."""
    return behind is not None and client == behind


def address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The address it comes from. A proxy is only trusted if the server was told about it."""
    client = connection.client.host if connection.client else "?"
    if connection.app.state.settings.behind == client:
        return connection.headers.get("x-forwarded-for", client).rpartition(",")[2].strip()[:60]
    return client


def limit(connection: ASGIConnection[Any, Any, Any, Any], kind: str, who: str | None = None) -> None:
    """Takes one from the bucket of this address, or of `who`."""
    buckets: Buckets = connection.app.state.buckets
    buckets.take(kind, address(connection) if who is None else who)


async def account(connection: ASGIConnection[Any, Any, Any, Any]) -> Account | None:
    return await accounts(connection).account_of(connection.cookies.get(COOKIE))


def token(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    kind, _, value = connection.headers.get("authorization", "").partition(" ")
    return value.strip() or None if kind.lower() == "bearer" else None


async def player_name(connection: ASGIConnection[Any, Any, Any, Any], wanted: str, who: Account | None) -> str:
    """A player's name as others see it: guests can choose any name that does not belong to an account here."""
    if not wanted.strip():
        return "" if who is None else who.name
    owner = await accounts(connection).called(wanted)
    if owner is not None and owner != who:
        raise Forbidden(f"The name {owner.name} belongs to an account. Sign in, or choose another name.")
    return wanted


def is_from_here(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Whether a browser's request comes from one of our pages. Programs do not say where they come from."""
    origin = connection.headers.get("origin")
    return origin is None or origin.partition("://")[2] == connection.headers.get("host")


def guard_change(request: Request[Any, Any, Any]) -> None:
    """Checks that a change requested by a browser comes from our page and has the token that only our page knows."""
    if not is_from_here(request):
        raise Forbidden("Requests from this site are not allowed.")
    cookie = request.cookies.get(COOKIE)
    if cookie is not None and not accounts(request).is_csrf(cookie, request.headers.get("x-csrf-token")):
        raise Forbidden("The header X-CSRF-Token is missing or wrong. Get the right one from GET /api/me.")
