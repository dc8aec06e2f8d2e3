"""A party can be held around a game: people have roles, act for themselves, and see what their role may know.

A server keeps the journal of a party, shows each role its sight, and knows nothing else about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct


class Deed(Struct, frozen=True):
    """Something that happens by itself, done for this role: an act as JSON would have it."""

    by: str
    act: Any


@runtime_checkable
class OnlineParty(Protocol):
    """A party at one moment. It never changes: every act makes another."""

    @property
    def title(self) -> str: ...

    @property
    def umpire(self) -> str:
        """The role of the host, who leads the party or lets the server lead it."""
        ...

    @property
    def people(self) -> Mapping[str, str]:
        """The names of everybody at the party, by role."""
        ...

    @property
    def screens(self) -> tuple[str, ...]:
        """Roles that look on, and do nothing."""
        ...

    @property
    def bots(self) -> Mapping[str, str]:
        """The roles that bots have, and of which kind they are."""
        ...

    @property
    def has_begun(self) -> bool:
        """Whether there is more to it than a list of people."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether everybody may know everything."""
        ...

    def after(self, act: Any, by: str, at: int) -> tuple[OnlineParty, bytes]:
        """The evening after an act at this wall time in milliseconds, and the line for its journal.

        Raises a PolemosError if nobody could do this now, or not this role.
        """
        ...

    def about_link(self, role: str, is_moved: bool) -> Deed | None:
        """What the journal says when a role's personal link is opened or moved to another phone; None for nothing."""
        ...

    def sight(self, role: str) -> bytes:
        """All that a role may know now, as JSON. Equal knowledge gives equal bytes."""
        ...

    def map(self, role: str, number: int) -> bytes:
        """A map that this role may read, as JSON; raises a PolemosError if it may not."""
        ...

    def hearers(self, role: str) -> tuple[str, ...]:
        """Who hears what somebody says now, without themselves; raises a PolemosError if nobody ever could."""
        ...

    def by_itself(self, at: int) -> tuple[Deed | None, int | None]:
        """What bots, or a server in the umpire's place, do at this wall time; and when to ask again at the latest."""
        ...


@runtime_checkable
class OnlineParties(Protocol):
    def begin_party(self, wish: Any, key: str) -> bytes:
        """What is settled before the first act, as JSON; raises BadOptions if no party can begin like that."""
        ...

    def resume_party(self, begun: bytes, journal: Iterable[bytes] = ()) -> OnlineParty:
        """The evening that began so, after everything in its journal."""
        ...
