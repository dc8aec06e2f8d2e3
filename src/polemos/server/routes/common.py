"""Who is asking: the cookie, the account, the address, the token of a seat."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.exceptions import ClientException

from polemos.kernel.errors import PolemosError
from polemos.server.accounts import Account, Accounts
from polemos.server.cluster.company import Company
from polemos.server.limits import Buckets
from polemos.server.names import fault_in
from polemos.server.office.bans import refuse
from polemos.server.office.duty import Office
from polemos.server.tables.hall import MAX_NAME, Hall
from polemos.server.tables.table import Table
from polemos.server.words import folded, tidy
from polemos.server.work import Visitor, Work

COOKIE: Final = "polemos"
DEVICE: Final = "polemos-device"  # for a browser in which somebody has signed in
MAX_HOPS: Final = 20  # proxies that one request can have passed


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


def company(connection: ASGIConnection[Any, Any, Any, Any]) -> Company | None:
    """The other processes of this server; None if there can be none."""
    found: Company | None = connection.app.state.company
    return found


def accounts(connection: ASGIConnection[Any, Any, Any, Any]) -> Accounts:
    found: Accounts = connection.app.state.accounts
    return found


def office(connection: ASGIConnection[Any, Any, Any, Any]) -> Office:
    found: Office = connection.app.state.office
    return found


def is_proxy(client: str | None, behind: str | None) -> bool:
    """Whether headers about the client are to be believed: they come from a proxy that the server was told about."""
    return behind is not None and client is not None and _is_within(client, trusted(behind))


def address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The address it comes from. Only the proxies that the server was told about are believed.

    Each proxy adds the address that it was called from at the end. So the list is read from there, for as long as the
    proxies are ours; anything before that could have been written by anyone.
    """
    client = connection.client.host if connection.client else "?"
    behind = connection.app.state.settings.behind
    if behind is None:
        return client
    ours = trusted(behind)
    hops = ",".join(connection.headers.getall("x-forwarded-for", [])).split(",")
    for hop in reversed(hops[-MAX_HOPS:]):
        said = _ip(hop)
        if said is None or not _is_within(client, ours):
            break
        client = str(said)
    return client


def network(address: str) -> str:
    """The part of an address that belongs to one customer: everyone has 2^64 addresses of version 6.

    >>> network("2001:db8:1:2:3:4:5:6"), network("192.0.2.7"), network("::ffff:192.0.2.7")
    ('2001:db8:1:2::/64', '192.0.2.7', '192.0.2.7')
    """
    found = _ip(address)
    return str(ip_network((found, 64), strict=False)) if isinstance(found, IPv6Address) else str(found or address)


def _ip(text: str) -> IPv4Address | IPv6Address | None:
    """An address, with or without the port that some proxies add; one of version 4 also if written as version 6."""
    text = text.strip()[:60]
    bare = text[1:].partition("]")[0] if text.startswith("[") else text
    for form in (bare, bare.rpartition(":")[0]):
        with suppress(ValueError):
            found = ip_address(form)
            return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found
    return None


def _is_within(address: str, networks: Sequence[IPv4Network | IPv6Network]) -> bool:
    found = _ip(address)
    return found is not None and any(found in network for network in networks)


@cache
def trusted(behind: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """The trusted proxies: addresses or networks, separated by commas."""
    try:
        return tuple(ip_network(part.strip(), strict=False) for part in behind.split(",") if part.strip())
    except ValueError as error:
        raise PolemosError(f"{behind!r} doesn't name a proxy: {error}. Write its address, such as 10.0.0.1.") from None


def limit(connection: ASGIConnection[Any, Any, Any, Any], kind: str, who: str | None = None) -> None:
    """Takes one from the bucket of this address or network, or of `who`."""
    buckets: Buckets = connection.app.state.buckets
    buckets.take(kind, network(address(connection)) if who is None else who)


def work(connection: ASGIConnection[Any, Any, Any, Any]) -> Work:
    found: Work = connection.app.state.work
    return found


def visitor(connection: ASGIConnection[Any, Any, Any, Any], who: Account | None = None) -> Visitor:
    """Who pays for the work that this connection causes."""
    return Visitor(network(address(connection)), None if who is None else who.id)


def owner(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Stands for whoever opens a table. It is stored, so the address cannot be read from it."""
    return accounts(connection).sign(f"visitor {network(address(connection))}")


async def account(connection: ASGIConnection[Any, Any, Any, Any]) -> Account | None:
    found = await accounts(connection).account_of(connection.cookies.get(COOKIE))
    return None if found is None or office(connection).bans.of_account(found.id) is not None else found


def token(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    kind, _, value = connection.headers.get("authorization", "").partition(" ")
    return value.strip() or None if kind.lower() == "bearer" else None


async def player_name(connection: ASGIConnection[Any, Any, Any, Any], wanted: str, who: Account | None) -> str:
    """A player's name as others see it, tidied: guests can choose any that nobody can mistake for another's.

    Empty if it is left open, which means the name of the account or, for guests, of the seat.
    """
    name = tidy(wanted, MAX_NAME)
    refuse(office(connection).bans.of_name(name or ("" if who is None else who.name)))
    if not name:
        return "" if who is None else who.name
    if who is not None and folded(name) == folded(who.name):
        return name
    owner = await accounts(connection).called(name)
    if owner is not None and owner != who:
        raise Forbidden(f"{name} looks like {owner.name}, who has an account. Sign in, or choose another name.")
    if (why := fault_in(name)) is not None:
        raise Forbidden(why)
    return name


def refuse_seat(
    connection: ASGIConnection[Any, Any, Any, Any], table: Table, seat: str | None, member: int = 0
) -> None:
    """Raises Banned if the address, or the account or name in a seat, is banned.

    The secret of a seat works without signing in. Called last: a ban may have come while somebody was joining.
    """
    bans = office(connection).bans
    refuse(bans.of_address(address(connection)))
    if seat is not None:
        refuse(bans.of_account(table.account_of(seat, member)) or bans.of_name(table.name_of(seat, member)))


def is_from_here(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Whether a browser's request comes from one of our pages. Programs do not say where they come from."""
    origin = connection.headers.get("origin")
    return origin is None or origin.partition("://")[2] == connection.headers.get("host")


def guard_change(request: ASGIConnection[Any, Any, Any, Any]) -> None:
    """Checks that a change requested by a browser comes from our page and has the token that only our page knows."""
    if not is_from_here(request):
        raise Forbidden("Requests from this site are not allowed.")
    cookie = request.cookies.get(COOKIE)
    if cookie is not None and not accounts(request).is_csrf(cookie, request.headers.get("x-csrf-token")):
        raise Forbidden("The header X-CSRF-Token is missing or wrong. Get the right one from GET /api/me.")
