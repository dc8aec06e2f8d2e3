"""Personal links: each role has one at a time, and it can be used once.

A code follows from the server's secret, the role and the number of the link, so the database holds none. A phone that
used it gets a token, of which the database holds the hash. To move a role to another phone the number grows: then the
old code and the old token are worth nothing.

The host has a second link, the spare: it opens the host's page in another browser, if the first is lost or two lead.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from polemos.kernel.errors import PolemosError

SPARE: Final = "spare"  # whose role is the host's


class NoSuchLink(PolemosError):
    """A code or a token that is worth nothing, or nothing any more."""

    word = "party/link"


class Link(Struct, frozen=True):
    """The link of a role: its number, and the hash of the token of the phone that used it."""

    role: str
    number: int = 1
    token: str = ""

    @property
    def is_used(self) -> bool:
        return bool(self.token)


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


class Links:
    """The links of one party."""

    def __init__(self, party: str, sign: Callable[[str], str], links: dict[str, Link]) -> None:
        self._party, self._sign = party, sign
        self.links = links

    def code(self, role: str) -> str:
        return self._sign(f"party link {self._party} {role} {self.links[role].number}")

    def screen(self, role: str) -> str:
        """The token of a screen. Several may use it: a screen shows nothing that is not for everybody."""
        return self._sign(f"party screen {self._party} {role}")

    def used(self, code: str) -> tuple[Link, str]:
        """The link with this code as it will be once it has been used, and the token for the phone."""
        for role, link in self.links.items():
            if hmac.compare_digest(self.code(role).encode(), code.encode(errors="replace")):
                if link.is_used:
                    raise NoSuchLink("This link has been used on another phone. Ask the gamerunner for a new one.")
                token = secrets.token_urlsafe(24)
                return replace(link, token=hashed(token)), token
        raise NoSuchLink("This link is no longer valid. Ask the gamerunner for a new one.")

    def moved(self, role: str) -> Link:
        """The link of a role once it may be used again, elsewhere."""
        if role not in self.links:
            raise NoSuchLink("Nobody at this party has this role.")
        return Link(role, self.links[role].number + 1)

    def holder(self, token: str | None, screens: tuple[str, ...] = ()) -> str:
        """The link, or the screen, that this token belongs to."""
        if token is not None:
            found = hashed(token)
            for role, link in self.links.items():
                if link.is_used and hmac.compare_digest(link.token, found):
                    return role
            for role in screens:
                if hmac.compare_digest(self.screen(role).encode(), token.encode(errors="replace")):
                    return role
        raise NoSuchLink("This phone is not at the party, or not any more. Open your personal link again.")
