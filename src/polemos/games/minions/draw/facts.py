"""What the pictures of Minions show, read from the setting and a view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polemos.games.minions.maps import GRAVEYARD, Ground, hex_name, hex_of, read_rows
from polemos.games.minions.tables import LETTER
from polemos.games.minions.units import uses
from polemos.games.minions.view import BoardView, Setting, TypeFacts, Unit, View
from polemos.kernel.errors import PolemosError
from polemos.pictures.svg import PictureError, clean

SIDES: Final = ("yellow", "blue")  # in the order of the game
NECROMANCER: Final = LETTER  # of all of them
_LONGEST: Final = 40  # characters of a map's name


def other(side: str) -> str:
    return SIDES[side == SIDES[0]]


def below(view: View) -> str:
    """The side whose spells stand below the cards: the viewer's own, Yellow's for everybody else."""
    return view.who if view.who in SIDES else SIDES[0]


def map_name(setting: Setting, number: int) -> str:
    """The name of a board's map, which people may have given: cleaned and not too long; empty if it has none."""
    given = setting.names[number - 1] if number <= len(setting.names) else ""
    name = clean(given[: 4 * _LONGEST])
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


def ground(setting: Setting, number: int) -> Ground:
    """The hundred hexes of a board's map (15.1)."""
    try:
        return read_rows(setting.maps[number - 1])
    except (IndexError, PolemosError) as error:
        raise PictureError(f"Board {number} has no map that can be drawn.") from error


def yards(setting: Setting, board: BoardView) -> dict[str, str]:
    """The graveyards of a board by hex, each with the side whose unit stands on it (1.6), or with nothing."""
    holders = {unit.hex: unit.side for unit in board.units}
    named = (hex_name(hex) for hex, kind in enumerate(ground(setting, board.number)) if kind == GRAVEYARD)
    return {hex: holders.get(hex, "") for hex in named}


def held(setting: Setting, board: BoardView, side: str) -> list[str]:
    return [hex for hex, holder in yards(setting, board).items() if holder == side]


def place(unit: Unit) -> tuple[int, int]:
    """File and rank, from 0."""
    rank, file = divmod(hex_of(unit.hex), 10)
    return file, rank


def facts_of(setting: Setting, unit: Unit) -> TypeFacts | None:
    """The row of the table; a necromancer and a unit may share a name."""
    rows = setting.necromancers if unit.letter == NECROMANCER else setting.units
    return next((row for row in rows if row.name == unit.type), None)


def spent(setting: Setting, unit: Unit) -> bool:
    """Whether a unit can do nothing more this turn: fresh (9.9), attacks used up, or moved and unable to attack."""
    facts = facts_of(setting, unit)
    if unit.fresh or facts is None:
        return unit.fresh or unit.moved or unit.used > 0
    if unit.used:  # it does not move any more (5.5)
        return unit.used >= uses(facts)
    return unit.moved and ("Lumbering" in facts.keywords or facts.range == 0)


def left(setting: Setting, unit: Unit) -> int | None:
    """What is left of a damaged unit's defence; None if it is whole or its defence unknown."""
    facts = facts_of(setting, unit)
    return None if facts is None or not unit.damage else facts.defence - unit.damage


def second(setting: Setting, unit: Unit) -> str:
    """The letters behind the N of an advanced necromancer: one, or two where two types begin alike."""
    if unit.letter != NECROMANCER or unit.type not in setting.pool:
        return ""
    alike = sum(name[:1] == unit.type[:1] for name in setting.pool)
    return unit.type[: 1 if alike == 1 else 2]


def zone(setting: Setting, board: BoardView, side: str) -> list[tuple[str, str, int]]:
    """The units of a zone: name, letter and number, in the order of the table."""
    counts = {name: count for name, count in board.zones.get(side, {}).items() if count > 0}
    known = {row.name: row.letter for row in setting.units}
    names = [name for name in known if name in counts] + sorted(name for name in counts if name not in known)
    return [(name, known.get(name, name[:1].upper()), counts[name]) for name in names]


def spells(view: View, side: str, card: int) -> int:
    """The spells of a side under a card, counted from 0."""
    row = view.spells.get(side, ())
    return row[card] if card < len(row) else 0


def owner(view: View, card: int) -> str:
    """The side that teched a card (8.5), or nothing."""
    return next((side for side in SIDES if spells(view, side, card) > 1), "")


def card_facts(setting: Setting, name: str) -> TypeFacts | None:
    return next((row for row in setting.units if row.name == name), None)


def letters(setting: Setting, places: Sequence[int]) -> list[str]:
    """The letters of cards by their places, counted from 1."""
    rows = (card_facts(setting, setting.line[place - 1]) for place in places if 1 <= place <= len(setting.line))
    return [row.letter for row in rows if row]
