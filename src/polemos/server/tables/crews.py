"""Several people in one seat: who has which role, and who is done. Pure.

The rules only know seats. A role that nobody has taken can be played by anyone in the seat; otherwise only its holder
can play it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self

import msgspec
from msgspec import Struct


class Member(Struct, frozen=True):
    player: str
    secret: str
    account: int | None = None


class Crew:
    """The people in one seat. Number 0 took the seat; the others joined later."""

    def __init__(self, roles: Sequence[str]) -> None:
        self.roles = tuple(roles)
        self.joined: list[Member] = []
        self.holders: dict[str, int] = {}
        self.done: set[str] = set()

    def copy(self) -> Self:
        fresh = type(self)(self.roles)
        fresh.joined, fresh.holders, fresh.done = self.joined.copy(), self.holders.copy(), self.done.copy()
        return fresh

    @property
    def is_team(self) -> bool:
        return bool(self.joined)

    def of(self, member: int) -> tuple[str, ...]:
        """The roles that a person may give orders for."""
        return tuple(role for role in self.roles if self.holders.get(role, member) == member)

    def held_by(self, member: int) -> tuple[str, ...]:
        return tuple(role for role in self.roles if self.holders.get(role) == member)

    def hold(self, member: int, role: str, take: bool) -> None:
        if take:
            self.holders[role] = member
        elif self.holders.get(role) == member:
            del self.holders[role]

    def is_finished(self, also: Iterable[str]) -> bool:
        """Whether all roles that are taken are done, counting these as done. Roles that nobody has do not matter."""
        return set(self.holders) <= {*self.done, *also}


class Joint(Struct, frozen=True):
    """A sheet written by several people."""

    lines: list[Any]
    strange: list[Any] = []  # lines by the sender that only others may give


def joint(
    role_of: Callable[[Any], str | None], mine: Sequence[str], before: Sequence[Any], given: Sequence[Any]
) -> Joint:
    """Merges one person's lines into the sheet; only lines for that person's roles count.

    The others' lines stay unchanged, in the places where this person saw them; new ones come last.

    >>> sheet = joint(lambda line: line[0], ["a"], ["b1", "b2", "a1"], ["b1", "a2", "a1", "b9"])
    >>> sheet.lines, sheet.strange
    (['b1', 'a2', 'a1', 'b2'], ['b9'])
    """
    others = [line for line in before if role_of(line) not in (None, *mine)]
    unseen = Counter(map(msgspec.json.encode, others))
    sheet: list[Any] = []
    strange: list[Any] = []
    seen: Counter[bytes] = Counter()
    for line in given:
        role, written = role_of(line), msgspec.json.encode(line)
        if role is None or role in mine:
            sheet.append(line)
        elif seen[written] < unseen[written]:
            seen[written] += 1
            sheet.append(line)
        else:
            strange.append(line)
    for line in others:
        written = msgspec.json.encode(line)
        if seen[written]:
            seen[written] -= 1
        else:
            sheet.append(line)
    return Joint(sheet, strange)
