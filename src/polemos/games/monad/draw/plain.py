"""The board of Monad for a terminal: cells of fixed width, everything else in a table and in words below."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Final, TypeAlias

from polemos.games.monad.draw import words as told
from polemos.games.monad.draw.facts import block, blocked, holding, ore_left
from polemos.games.monad.view import Setting, View
from polemos.pictures import terminal
from polemos.pictures.squares import Tile

Mark: TypeAlias = tuple[str, str]  # the signs of a tile, and the player to whom they belong

_WIDEST: Final = 30  # tiles; wider boards have narrow cells
_CELLS: Final = (5, 3, 2)  # columns of a tile, as many as there is room for
_LABEL: Final = 4
_COLUMNS: Final = ("", "Units", "Tiles", "Buildings", "Stock", "")
_SHORT: Final = (("g", 10**9), ("m", 10**6), ("k", 10**3))
_POWERS: Final = "xcm"  # tens, hundreds, thousands and more

_WIDE_SIGNS: Final = (
    "R118 units of a player (k thousand, m million, g billion)", "@ core", "+ other tile of a building",
    "r owner of a building on a tile without units", "a figure alone: ore left", "(12) ore below units", ". no ore",
    "#### blocked",
)  # fmt: skip
_NARROW_SIGNS: Final = (
    "R5 units of a player", "Rx ten or more", "Rc a hundred or more", "Rm a thousand or more",
    "r5 units on their own core", "@r core", "+r other tile of a building",
    "a figure alone: tens of ore left, 9 for 90 and more, below units too", ". no ore", "## blocked",
)  # fmt: skip


_MIDDLE_SIGNS: Final = (
    "R15 units of a player", "Rc a hundred or more", "Rm a thousand or more", "r5 units on their own core", "@r core",
    "+r other tile of a building", "a figure alone: ore left, 99 for more, below units too", ". no ore", "## blocked",
)  # fmt: skip
_SIGNS: Final = dict(zip(_CELLS, (_WIDE_SIGNS, _MIDDLE_SIGNS, _NARROW_SIGNS), strict=True))


def text(setting: Setting, view: View, colour: bool = False) -> str:
    """The board for a terminal, with the players and their buildings below."""
    usual = _LABEL + _CELLS[0] * _WIDEST
    cell = next((cell for cell in _CELLS if _LABEL + cell * setting.width <= terminal.width(usual)), _CELLS[-1])
    if setting.width > _WIDEST and terminal.width(0) == 0:
        cell = _CELLS[-1]
    lines = wrap(told.name(setting, view), terminal.width())
    for band in terminal.bands(setting.width, cell, _LABEL, max(usual, _LABEL + cell * setting.width)):
        lines += ["", *_axis(band, cell), *_tiles(setting, view, band, cell, colour)]
    lines.append("")
    lines += _wrapped("", ", ".join(map(_whole, _SIGNS[cell])))
    lines += ["", *_table(setting, view)]
    if told.survivor(setting, view):
        lines += ["", told.survivor(setting, view)]
    owned = [(seat, [one for one in view.buildings if one.owner == seat]) for seat in setting.seats]
    if view.buildings:
        lines += ["", "Buildings by their cores"]
    for seat, buildings in owned:
        items = "; ".join(_whole(told.building_told(one)) for one in buildings)
        lines += _wrapped(f"  {seat.capitalize()}: ", items) if buildings else []
    return "\n".join(lines) + "\n"


def small(number: int) -> str:
    """A number in at most three signs, cut.

    >>> [small(number) for number in (999, 1000, 34567, 123456, 2**31 - 1)]
    ['999', '1k', '34k', '.1m', '2g']
    """
    if number < 1000:
        return str(number)
    for letter, unit in _SHORT:
        if number >= unit:
            return f"{min(99, number // unit)}{letter}"
        if number >= unit // 10:
            return f".{number * 10 // unit}{letter}"
    return str(number)


# ---- the board


def _axis(band: range, cell: int) -> list[str]:
    """The numbers of the columns: in narrow cells tens above units."""
    if cell > 3:
        return [" " * _LABEL + "".join(f" {x}".ljust(cell) for x in band)]
    left = " " * (cell - 2)
    tens = "".join((left + (str(x // 10) if x % 10 == 0 else "")).ljust(cell) for x in band)
    units = "".join(f"{left}{x % 10}".ljust(cell) for x in band)
    return [" " * _LABEL + line for line in (tens, units)]


def _tiles(setting: Setting, view: View, band: range, cell: int, colour: bool) -> list[str]:
    """One line a row, all of one width, and below it one more where units stand on ore."""
    under = _ore_under_units(setting, view, cell)
    marks = _wide(setting, view) if cell == _CELLS[0] else _narrow(setting, view, cell - 1)
    lines = []
    for y in range(setting.height):
        line = f"{y:>2}".ljust(_LABEL)
        for x in band:
            shown, seat = marks[x, y]
            style = terminal.STYLES.get(seat) if colour else None
            line += f"\x1b[{style}m{shown}\x1b[0m" + " " * (cell - len(shown)) if style else shown.ljust(cell)
        lines.append(line)
        if any((x, y) in under for x in band):
            lines.append(" " * _LABEL + "".join(under.get((x, y), "").ljust(cell) for x in band))
    return lines


def _ore_under_units(setting: Setting, view: View, cell: int) -> dict[Tile, str]:
    """What is left in the ground where units hide it."""
    ore = ore_left(setting, view)
    hidden = {(stack.x, stack.y): ore.get((stack.x, stack.y), 0) for stack in view.stacks}
    if cell == _CELLS[0]:
        return {tile: f"{f'({small(left)})':>5}" for tile, left in hidden.items() if left}
    return {tile: _short_ore(left, cell - 1) for tile, left in hidden.items() if left}


def _short_ore(left: int, figures: int) -> str:
    """Ore in one figure, by tens, or in two; more than that is cut."""
    return f" {min(9, left // 10)}" if figures == 1 else f"{min(99, left):>3}"


def _wide(setting: Setting, view: View) -> dict[Tile, Mark]:
    marks: dict[Tile, Mark] = dict.fromkeys(blocked(setting), (" ####", ""))
    ore = ore_left(setting, view)
    marks |= {tile: (f"{left or '.':>4}" if left < 10000 else " " + small(left), "") for tile, left in ore.items()}
    signs = {}
    for building in view.buildings:
        for tile in block(building):
            sign = signs[tile] = "@" if tile == (building.x, building.y) else "+"
            marks[tile] = (
                f"{sign}{building.owner[0]}{small(ore.get(tile, 0)) if ore.get(tile) else '.':>3}",
                building.owner,
            )
    for stack in view.stacks:
        tile = (stack.x, stack.y)
        marks[tile] = f"{signs.get(tile, ' ')}{stack.owner[0].upper()}{small(stack.units)}", stack.owner
    return marks


def _narrow(setting: Setting, view: View, figures: int) -> dict[Tile, Mark]:
    """A letter and one figure, or two."""
    marks: dict[Tile, Mark] = dict.fromkeys(blocked(setting), ("##" if figures == 1 else " ##", ""))
    for tile, left in ore_left(setting, view).items():
        marks[tile] = (_short_ore(left, figures) if left else f"{'.':>{figures + 1}}", "")
    cores = {(building.x, building.y) for building in view.buildings}
    for building in view.buildings:
        for tile in block(building):
            marks[tile] = ("@" if tile in cores else "+") + building.owner[0], building.owner
    for stack in view.stacks:
        letter = stack.owner[0] if (stack.x, stack.y) in cores else stack.owner[0].upper()
        number = str(stack.units) if stack.units < 10**figures else _power(stack.units)
        marks[stack.x, stack.y] = letter + number, stack.owner
    return marks


def _power(units: int) -> str:
    return str(units) if units < 10 else _POWERS[min(len(str(units)), 4) - 2]


# ---- below the board


def _table(setting: Setting, view: View) -> list[str]:
    """A line for each player, in columns."""
    rows: list[Sequence[str]] = [_COLUMNS]
    for seat in setting.seats:
        has = holding(view, seat)
        values = (f"{value:,}" for value in (has.units, has.tiles, has.buildings, has.stock))
        rows.append((f"{seat[0].upper()} {seat.capitalize()}", *values, told.fate(view, seat)))
    widths = [max(len(row[i]) for row in rows) for i in range(len(_COLUMNS))]
    lines = []
    for first, *figures, last in rows:
        cells = [one.rjust(wide) for one, wide in zip(figures, widths[1:-1], strict=True)]
        lines.append("  ".join((first.ljust(widths[0]), *cells, last)).rstrip())
    return lines


def _whole(words: str) -> str:
    """Words that stay on one line."""
    return words.replace(" ", "\xa0")


def _wrapped(start: str, items: str) -> list[str]:
    lines = wrap(start + items, terminal.width(), subsequent_indent="    " if start else "", break_on_hyphens=False)
    return [line.replace("\xa0", " ") for line in lines]
