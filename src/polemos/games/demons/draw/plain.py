"""The map of Demons for a terminal: one or two signs a tile, everything else in words below."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from polemos.games.demons.draw import words as told
from polemos.games.demons.draw.facts import SIDES, paths, size_of, territory
from polemos.games.demons.draw.words import Row
from polemos.games.demons.view import Setting, View
from polemos.pictures import terminal
from polemos.pictures.squares import Tile

# In a terminal: capitals are red's, small letters blue's.
_LETTERS: Final = {"house": "H", "crossbow": "X", "cannon": "C", "minigun": "G", "church": "K"}
_STYLES: Final = {"red": "1;31", "blue": "7;94"}


def text(setting: Setting, view: View, colour: bool = False) -> str:
    """The map for a terminal, at most 100 columns wide up to 96 tiles, with everything else in words below."""
    columns, _ = size_of(setting)
    pitch = 2 if 2 * columns + 4 <= terminal.width() else 1
    lines = wrap(told.name(setting, view), terminal.width())
    for band in terminal.bands(columns, pitch, 4, terminal.WIDTH):
        lines += ["", *_axis(band, columns, pitch), *_tiles(setting, view, band, pitch, colour)]
    lines.append("")
    lines += _legend(setting, pitch)
    for side in SIDES:
        lines += ["", side.capitalize(), *_listed(told.side_rows(setting, view, side))]
    others = told.other_rows(setting, view)
    if others:
        lines += ["", "Demons", *_listed(others)]
    return "\n".join(lines) + "\n"


def _legend(setting: Setting, pitch: int) -> list[str]:
    """What the signs mean; no line ends within a meaning."""
    towers = [f"{_LETTERS[kind]} {kind}" for kind in setting.towers]
    signs = ["R base", *towers, "M mercenary", "D demon to red", "O portal with the next demon to red"]
    signs += ["| red territory", "- blue territory", ". lane"]
    if pitch == 2:
        signs += ["! fights", "after O the turns to the wave", "+ ten or more"]
    return _wrapped("Capitals are red's, small letters blue's: ", ", ".join(map(_whole, signs)))


def _axis(band: range, columns: int, pitch: int) -> list[str]:
    """The numbers of the columns, tens above units."""
    tens = "".join(str(x // 10 if x % 10 == 0 and x else " ").ljust(pitch) for x in band)
    units = "".join(str(x % 10).ljust(pitch) for x in band)
    return [f"    {line}".rstrip() for line in ((tens, units) if columns > 10 else (units,))]


def _tiles(setting: Setting, view: View, band: range, pitch: int, colour: bool) -> list[str]:
    marks = _marks(setting, view)
    _, rows = size_of(setting)
    lines = []
    for y in range(rows):
        line = f"{y:>2}  "
        for x in band:
            sign, style = marks.get((x, y), (" ", ""))
            shown = sign[:pitch]
            line += (f"\x1b[{style}m{shown}\x1b[0m" if colour and style else shown) + " " * (pitch - len(shown))
        lines.append(line.rstrip())
    return lines


def _marks(setting: Setting, view: View) -> dict[Tile, tuple[str, str]]:
    """One or two signs a tile, and how a terminal may paint them; what stands on a tile hides what lies there."""
    marks = dict.fromkeys(paths(setting), (".", ""))
    for side, sign, style in (("red", "|", "31"), ("blue", "-", "94")):
        marks |= dict.fromkeys(territory(setting, side), (sign, style))
    for tower in view.towers:
        marks[tower.x, tower.y] = _cased(_LETTERS[tower.kind], tower.owner), _STYLES[tower.owner]
    for side, base in view.bases.items():
        marks[base.x, base.y] = "R" if side == "red" else "b", _STYLES[side]
    for portal in view.portals:
        turns = str(portal.next_in) if portal.next_in < 10 else "+"
        marks[portal.x, portal.y] = _cased("O", portal.target) + turns, "1"
    for unit in view.units:
        sign = _cased("M" if unit.kind == "mercenary" else "D", unit.side)
        sign += "!" if unit.state == "fighting" else ""
        marks[unit.x, unit.y] = sign, _STYLES[unit.side] if unit.kind == "mercenary" else "1"
    return marks


def _cased(letter: str, side: str) -> str:
    return letter if side == "red" else letter.lower()


def _listed(rows: Sequence[Row]) -> list[str]:
    """Rows as lines for a terminal; no line ends within an item."""
    items = ((heading, "; ".join(map(_whole, listed.split("; ")))) for heading, listed in rows)
    return [line for heading, listed in items for line in _wrapped(f"  {heading}: ", listed)]


def _whole(words: str) -> str:
    """Words that stay on one line."""
    return words.replace(" ", "\xa0")


def _wrapped(start: str, items: str) -> list[str]:
    lines = wrap(start + items, terminal.width(), subsequent_indent="    ", break_on_hyphens=False)
    return [line.replace("\xa0", " ") for line in lines]
