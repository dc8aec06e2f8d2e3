"""The bans in force, by account, by name and by network."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import UTC, datetime
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from polemos.kernel.errors import PolemosError
from polemos.server.names import looks
from polemos.wire.office import BanRow

Network = IPv4Network | IPv6Network


class Banned(PolemosError):
    """Somebody may not use this server for now; says why."""

    word = "account/banned"


class Bans:
    """Looked up at every request, so the number of bans does not matter."""

    def __init__(self, found: Iterable[tuple[str, BanRow]] = ()) -> None:
        """Each ban comes with what it matches: the number of an account, the looks of a name, a network."""
        self._plain: dict[tuple[str, str], BanRow] = {}
        self._networks: dict[tuple[int, int], dict[int, BanRow]] = {}  # version and bits, then the network
        for target, ban in sorted(found, key=lambda one: _end(one[1])):  # the longest one counts
            if ban.kind == "address":
                network = ip_network(target)
                self._networks.setdefault((network.version, network.prefixlen), {})[int(network.network_address)] = ban
            else:
                self._plain[ban.kind, target] = ban

    def of_account(self, id: int | None) -> BanRow | None:
        return None if id is None else _in_force(self._plain.get(("account", str(id))))

    def of_name(self, name: str) -> BanRow | None:
        return _in_force(self._plain.get(("name", looks(name)))) if name else None

    def of_address(self, address: str) -> BanRow | None:
        found = _parsed(address) if self._networks else None
        if found is None:
            return None
        for (version, bits), networks in self._networks.items():
            if version == found.version:
                kept = int(found) >> (found.max_prefixlen - bits) << (found.max_prefixlen - bits)
                if (ban := _in_force(networks.get(kept))) is not None:
                    return ban
        return None


def refuse(ban: BanRow | None) -> None:
    """Raises Banned, if there is a ban."""
    if ban is not None:
        raise Banned(told(ban))


def told(ban: BanRow) -> str:
    """What the person concerned is told."""
    about = {"account": "This account is banned", "name": "This name is banned", "address": "Your address is banned"}
    until = "" if ban.until is None else f" until {datetime.fromtimestamp(ban.until, UTC):%Y-%m-%d %H:%M} UTC"
    return f"{about[ban.kind]}{until}: {ban.why}"


def network_of(text: str) -> Network | None:
    """The network that a text names. A single address of version 6 stands for the /64 of its customer.

    >>> str(network_of("2001:db8::7")), str(network_of("192.0.2.7")), str(network_of("192.0.2.7/24")), network_of("x")
    ('2001:db8::/64', '192.0.2.7/32', '192.0.2.0/24', None)
    """
    try:
        found = ip_network(text.strip(), strict=False)
    except ValueError:
        return None
    if isinstance(found, IPv6Network) and found.prefixlen > 64:
        mapped = found.network_address.ipv4_mapped
        return ip_network((found.network_address, 64), strict=False) if mapped is None else ip_network(mapped)
    return found


def shortened(address: str) -> str:
    """An address without the part that points to one customer.

    >>> shortened("203.0.113.7"), shortened("2001:db8:1:2::/64"), shortened("")
    ('203.0.113.*', '2001:db8:1::/48', '')
    """
    found = network_of(address)
    if isinstance(found, IPv6Network):
        return str(found.supernet(new_prefix=48)) if found.prefixlen >= 48 else str(found)
    return "" if found is None else f"{str(found.network_address).rpartition('.')[0]}.*"


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(address)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def _in_force(ban: BanRow | None) -> BanRow | None:
    return None if ban is None or (ban.until is not None and ban.until <= time.time()) else ban


def _end(ban: BanRow) -> float:
    return float("inf") if ban.until is None else ban.until
