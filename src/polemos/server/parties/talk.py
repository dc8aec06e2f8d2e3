"""What people say to each other at a party. Whoever was in the room heard it, and reads it again after a reload."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from polemos.wire.party import Heard

KEPT: Final = 200  # lines that a phone gets when it connects


class Said(Struct, frozen=True):
    """A line, and who heard it: people, not roles. An understudy hears what is said from then on."""

    at: int
    role: str
    name: str
    text: str
    to: tuple[str, ...]  # their roles at that moment
    heard_by: tuple[str, ...] | None = None  # their names; None in parties of earlier versions, which knew roles alone

    def is_for(self, role: str, name: str) -> bool:
        if self.heard_by is None:
            return role == self.role or role in self.to
        return name == self.name or name in self.heard_by

    @property
    def heard(self) -> Heard:
        return Heard(self.at, self.role, self.name, self.text)
