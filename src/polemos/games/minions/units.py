"""What the figures of a unit mean, for cards and captions: how often and how far it strikes, what its keywords do."""

from __future__ import annotations

from typing import Final, Protocol


class Figures(Protocol):
    """A row of the unit table, or of the setting."""

    @property
    def attack(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def speed(self) -> int: ...
    @property
    def range(self) -> int: ...
    @property
    def keywords(self) -> tuple[str, ...]: ...


_KEYWORDS: Final = {
    "Flying": "Flies over water and units.",
    "Lumbering": "Moves or attacks, not both.",
    "Spawn": "Units spawn next to it.",
    "Persistent": "Unsummoning deals it 1 damage.",
    "Necromancer": "Its death loses the board.",
    "Soul": "Pays 1 more.",
}


def uses(row: Figures) -> int:
    """How often a unit may attack in a turn (6.4 to 6.7)."""
    return row.number if row.attack in ("flurry", "unsummon") else 1


def reach(row: Figures) -> int:
    """How far it strikes in a turn: after its move, unless it is Lumbering (7.2) or has no range (6.2)."""
    return row.range + (row.speed if row.range and "Lumbering" not in row.keywords else 0)


def in_words(row: Figures) -> str:
    """What its attack does and what its keywords mean, one short sentence for each."""
    return " ".join((f"{_attack(row)}.", *(_KEYWORDS[word] for word in row.keywords if word in _KEYWORDS)))


def _attack(row: Figures) -> str:
    times = uses(row)
    if not row.range:
        return "Never attacks"
    if row.attack == "flurry":
        return "One attack of 1 damage" if times == 1 else f"Up to {times} attacks of 1 damage"
    if row.attack == "unsummon":
        who = "one enemy" if times == 1 else f"up to {times} enemies"
        return f"Sends {who} a turn back to the reserve"
    if row.attack == "deathtouch":
        return "One attack that destroys any unit but a necromancer"
    return f"One attack of {row.number} damage"
