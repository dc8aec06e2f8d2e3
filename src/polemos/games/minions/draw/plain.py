"""The table of Minions for a terminal: rhombs of signs with notes beside them, then the line, money and points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Final

from polemos.games.minions.draw import facts
from polemos.games.minions.draw import words as told
from polemos.games.minions.maps import FILES, GRAVEYARD, PLAIN, SIDE, WATER
from polemos.games.minions.view import BoardView, Setting, Unit, View
from polemos.pictures import terminal
from polemos.pictures.svg import clean

WIDTH: Final = 110
RHOMB: Final = 3 * SIDE + 1  # columns: digit, blank, two to a hex, one more for each rank
_GAP: Final = 2
_NOTES: Final = 18  # columns that notes beside a board need at least
_GROUND: Final = {PLAIN: ".", WATER: "~", GRAVEYARD: "*"}
_KEY: Final = (
    "Capitals Yellow, small letters Blue. . land, ~ water, * graveyard nobody holds; "
    "behind a unit * or ~ is what it stands on."
)


def text(setting: Setting, view: View, colour: bool = False) -> str:
    """The table for a terminal, two boards side by side where there is room; at most 110 columns wide."""
    wide = terminal.width(WIDTH)
    lines = wrap(told.name(setting, view), wide)
    for side in facts.SIDES:
        lines += wrap(f"{side.capitalize()}: {_points(setting, view, side)}, {told.purse(setting, view, side)}", wide)
    lines.append("")
    half = (wide - _GAP) // 2
    pairs = len(view.boards) > 1 and half >= RHOMB + _GAP + _NOTES
    for i in range(0, len(view.boards), 2 if pairs else 1):
        row = [_block(setting, view, one, half if pairs else wide, colour) for one in view.boards[i : i + 1 + pairs]]
        lines += [*_beside(row, half + _GAP), ""]
    lines += [*wrap(_KEY, wide), "", *_line(setting, view)]
    for side in facts.SIDES:
        if view.used.get(side):
            lines += wrap(f"{side.capitalize()} has used {', '.join(map(clean, view.used[side]))}.", wide)
    return "\n".join(line.rstrip() if not line.strip() else line for line in lines) + "\n"


def rhomb(setting: Setting, board: BoardView, colour: bool = False) -> list[str]:
    """A board from rank 9 down to the letters of the files: lines of one width."""
    ground = facts.ground(setting, board.number)
    at = {facts.place(unit): unit for unit in board.units}
    lines = []
    for y in reversed(range(SIDE)):
        cells = "".join(_cell(at.get((x, y)), ground[SIDE * y + x], colour) for x in range(SIDE))
        lines.append(" " * y + f"{y} {cells}" + " " * (SIDE - 1 - y))
    return [*lines, ("  " + " ".join(FILES)).ljust(RHOMB)]


def _cell(unit: Unit | None, kind: int, colour: bool) -> str:
    """Two signs: what stands there, and below it what the ground is if that is not plain land."""
    if unit is None:
        return f"{_GROUND[kind]} "
    letter = sign(unit)
    below = " " if kind == PLAIN else _GROUND[kind]
    style = terminal.STYLES.get(unit.side) if colour else None
    return f"\x1b[{style}m{letter}\x1b[0m{below}" if style else letter + below


def sign(unit: Unit) -> str:
    """The letter of the notation: a capital for Yellow, a small one for Blue."""
    return _cased(unit.letter, unit.side)


def _cased(letter: str, side: str) -> str:
    shown = clean(letter)[:1] or "?"
    return shown.upper() if side == facts.SIDES[0] else shown.lower()


# ---- boards and their notes


def _block(setting: Setting, view: View, board: BoardView, wide: int, colour: bool) -> list[tuple[str, int]]:
    """The lines of a board, each with its width on the screen: the heading, the rhomb with notes, further notes."""
    room = max(_NOTES, wide - RHOMB - _GAP)
    notes = [line for note in _notes(setting, view, board) for line in wrap(note, room, subsequent_indent="  ")]
    drawn, widths = rhomb(setting, board, colour), [len(line) for line in rhomb(setting, board)]
    named = f"Board {board.number}" + (f", {name}" if (name := facts.map_name(setting, board.number)) else "")
    lines = [(heading := named[:wide], len(heading))]
    for i in range(max(len(drawn), len(notes))):
        first, used = (drawn[i], widths[i]) if i < len(drawn) else (" " * RHOMB, RHOMB)
        note = notes[i] if i < len(notes) else ""
        lines.append((first + " " * _GAP + note, used + _GAP + len(note)) if note else (first, used))
    return lines


def _beside(blocks: Sequence[Sequence[tuple[str, int]]], apart: int) -> Iterator[str]:
    """Blocks side by side."""
    for i in range(max(map(len, blocks))):
        line, used = "", 0
        for j, block in enumerate(blocks):
            words, wide = block[i] if i < len(block) else ("", 0)
            start = j * apart
            if words:
                line += " " * (start - used) + words
                used = start + wide
        yield line


def _notes(setting: Setting, view: View, board: BoardView) -> Iterator[str]:
    """The state, the graveyards, the reserves, the necromancers, and every unit with damage or marks of the turn."""
    if told.state(view, board):
        yield told.state(view, board)
    yield from told.news(setting, view, board)
    counts = (f"{side.capitalize()} {len(facts.held(setting, board, side))}" for side in facts.SIDES)
    yield f"Graveyards {', '.join(counts)}"
    for side in facts.SIDES:
        kept = facts.zone(setting, board, side)
        units = " ".join(f"{_cased(letter, side)}{count if count > 1 else ''}" for _, letter, count in kept)
        yield f"{side.capitalize()} reserve: {units or 'none'}"
    for unit in board.units:
        condition = told.condition(setting, unit)
        if unit.letter == facts.NECROMANCER or condition:
            kind = f" {clean(unit.type)}" if unit.letter == facts.NECROMANCER else ""
            yield f"{sign(unit)}{unit.hex}{kind}{f': {condition}' if condition else ''}"


# ---- the line and the sides


def _points(setting: Setting, view: View, side: str) -> str:
    return f"{view.points.get(side, 0)} of {told.some(setting.to_win, 'point')}"


def _line(setting: Setting, view: View) -> list[str]:
    """The cards in columns, read downwards: place, letter, name, cost, spells of both sides; who teched it."""
    names = [clean(name) for name in setting.line]
    longest = max(map(len, names), default=0)
    cards = []
    for i, name in enumerate(names):
        row = facts.card_facts(setting, setting.line[i])
        letter, cost = (row.letter, str(row.cost)) if row else (name[:1].upper(), "")
        spells = " ".join(f"{side[0].upper()}{facts.spells(view, side, i) or '-'}" for side in facts.SIDES)
        mark = facts.owner(view, i)[:1].upper()
        cards.append(f"{i + 1:>2} {letter} {name:<{longest}} {cost:>2} {spells} {mark:<1}")
    if not cards:
        return []
    columns = max(1, (terminal.width(WIDTH) + 2) // (len(cards[0]) + 2))
    rows = -(-len(cards) // columns)
    heading = "Techline: place, letter, unit, cost, spells of Yellow and Blue; who has teched it"
    if view.outcome is None:
        heading += f". {'. '.join(told.free_spell(setting, view))}"
    lines = ["  ".join(cards[i::rows]).rstrip() for i in range(rows)]
    if view.teched and view.outcome is None:
        lines += wrap(f"Teched this turn: {told.listed(setting, view.teched)}.", terminal.width(WIDTH))
    return [*wrap(heading, terminal.width(WIDTH)), *lines]
