"""Changes to a unit table, as case files of Minions write them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from polemos.games.minions.tables import Unit, UnitTable

_FIGURES = ("defence", "speed", "range", "cost", "rebate")
_LISTS = ("basic", "pool", "cards")
_NAMES = ("ring", "gift", "first")


def changed_table(table: UnitTable, lines: list[str]) -> UnitTable:
    """The table with these changes, one a line."""
    for line in lines:
        table = _changed(replace(table, name="changed"), line.split())
    return table


def _changed(table: UnitTable, words: list[str]) -> UnitTable:
    match words:
        case ["without", name]:
            cards = tuple(card for card in table.cards if card != name)
            return replace(table, units=tuple(unit for unit in table.units if unit.name != name), cards=cards)
        case ["unit", *rest]:
            return replace(table, units=(*table.units, _unit(rest)))
        case [what, *names] if what in _LISTS:
            return replace(table, **{what: () if names == ["none"] else tuple(names)})
        case [what, name] if what in _NAMES:
            return replace(table, **{what: name})
        case ["card", name]:
            return replace(table, cards=(*table.cards, name))
        case ["fixed", number]:
            return replace(table, fixed=int(number))
        case [name, "necromancer", *rest]:
            rows = tuple(_row(row, rest) if row.name == name else row for row in table.necromancers)
            return replace(table, necromancers=rows)
        case [name, *rest]:
            assert name in [unit.name for unit in table.units], words
            return replace(table, units=tuple(_row(row, rest) if row.name == name else row for row in table.units))
    raise AssertionError(words)


def _attack(words: list[str]) -> tuple[dict[str, Any], list[str]]:
    if words[0] == "deathtouch":
        return {"attack": words[0], "number": 0}, words[1:]
    return {"attack": words[0], "number": int(words[1])}, words[2:]


def _unit(words: list[str]) -> Unit:
    name, letter, *rest = words
    attack, rest = _attack(rest)
    figures: dict[str, Any] = dict(zip(_FIGURES, map(int, rest[:5]), strict=True))
    return Unit(name=name, letter=letter, **attack, **figures, keywords=tuple(rest[5:]))


def _row(row: Unit, words: list[str]) -> Unit:
    match words:
        case ["keywords", *keywords]:
            return replace(row, keywords=() if keywords == ["none"] else tuple(keywords))
        case ["letter", letter]:
            return replace(row, letter=letter)
        case ["attack", *rest]:
            return replace(row, **_attack(rest)[0])
        case [figure, number]:
            return replace(row, **{figure: int(number)})
    raise AssertionError(words)
