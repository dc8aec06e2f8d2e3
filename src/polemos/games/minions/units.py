"""What the figures of a unit mean, for cards and captions: how often and how far it strikes, what its keywords do."""

from __future__ import annotations

from typing import Final, Protocol

from polemos.pictures.svg import clean


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


class Row(Figures, Protocol):
    """All that a setting tells of a unit."""

    @property
    def name(self) -> str: ...
    @property
    def defence(self) -> int: ...
    @property
    def cost(self) -> int: ...
    @property
    def rebate(self) -> int: ...
    @property
    def basic(self) -> bool: ...


_LINE: Final = 110  # characters
_KEYWORDS: Final = {
    "Flying": "Flies over water and units.",
    "Lumbering": "Moves or attacks, not both.",
    "Spawn": "Units spawn next to it.",
    "Persistent": "Unsummoning deals it 1 damage.",
    "Necromancer": "Its death loses the board.",
    "Soul": "Pays 1 more.",
    "Blink": "Can go back to its zone.",
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


def stats(row: Row) -> str:
    """The figures of a unit on one line, or on two if they are many."""
    necromancer = "Necromancer" in row.keywords
    named = f"{clean(row.name)} necromancer" if necromancer else clean(row.name)
    if not row.cost and not necromancer:
        return f"{named}: a special card, no unit can be bought with it (17.2)"
    strikes = f" (reaches {reach(row)})" if row.range else ""
    price = "never bought" if necromancer else f"costs {row.cost}, rebate {row.rebate}"
    figures = f"{named}: {_strike(row)}, defence {row.defence}, speed {row.speed}, range {row.range}{strikes}"
    keywords = [word for word in row.keywords if word != "Necromancer"] or ["no keywords"]
    words = ", ".join((*(["basic"] if row.basic else []), *keywords))
    whole = f"{figures}, {price}, {words}"
    return whole if len(whole) <= _LINE else f"{figures}, {price},\n{words}"


def _strike(row: Figures) -> str:
    """What a unit's attack does (6.4 to 6.7), in few words."""
    times = uses(row)
    if not row.range:
        return "never attacks"
    if row.attack == "flurry":
        return f"{times} hit{'' if times == 1 else 's'} of 1 damage a turn"
    if row.attack == "unsummon":
        return f"unsummons {times} unit{'' if times == 1 else 's'} a turn"
    if row.attack == "deathtouch":
        return "destroys 1 unit a turn"
    return f"{row.number} damage once a turn"
