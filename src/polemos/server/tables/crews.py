"""Several persons in one seat: who holds which role, and who is done. Pure.

The rules know seats only. A role that nobody holds is anybody's of the seat; one that somebody holds is that person's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct


class Member(Struct, frozen=True):
    player: str
    secret: str
    account: int | None = None


class Crew:
    """The persons of one seat. Number 0 is whoever sits there; others have joined."""

    def __init__(self, roles: Sequence[str]) -> None:
        self.roles = tuple(roles)
        self.joined: list[Member] = []
        self.holders: dict[str, int] = {}
        self.done: set[str] = set()

    @property
    def is_team(self) -> bool:
        return bool(self.joined)

    def of(self, member: int) -> tuple[str, ...]:
        """The roles whose orders a person may give."""
        return tuple(role for role in self.roles if self.holders.get(role, member) == member)

    def held_by(self, member: int) -> tuple[str, ...]:
        return tuple(role for role in self.roles if self.holders.get(role) == member)

    def hold(self, member: int, role: str, take: bool) -> None:
        if take:
            self.holders[role] = member
        elif self.holders.get(role) == member:
            del self.holders[role]

    def is_finished(self, also: Iterable[str]) -> bool:
        """Whether all who hold a role are done, these ones too; roles that nobody holds wait for nobody."""
        return set(self.holders) <= {*self.done, *also}


class Joint(Struct, frozen=True):
    """A sheet of several hands."""

    lines: list[Any]
    strange: list[Any] = []  # lines of whoever handed it in that are for others to order


def joint(
    role_of: Callable[[Any], str | None], mine: Sequence[str], before: Sequence[Any], given: Sequence[Any]
) -> Joint:
    """Of what one person gives only the lines of that person's roles count.

    Lines of others stand as they are, in the place where this person has seen them; those not yet seen come last.

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
