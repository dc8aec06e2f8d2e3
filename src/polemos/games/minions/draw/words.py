"""A position of Minions in words: captions, the printed page, the terminal, people who cannot see the picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polemos.games.minions.draw.facts import (
    NECROMANCER,
    SIDES,
    facts_of,
    held,
    map_name,
    other,
    owner,
)
from polemos.games.minions.view import BoardView, Setting, Unit, View
from polemos.pictures.svg import clean

_NUMBERS: Final = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight")

# What a state is called, and its phases (10.1).
_STATES: Final = {
    "turn1": ("First turn", ("attack",)),
    "normal": ("Normal", ("attack", "spawn")),
    "reset+0": ("Just reset", ()),
    "reset+1": ("Reset", ("choose", "attack")),
    "reset+2": ("Reset", ("choose", "attack", "spawn")),
}


def some(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def name(setting: Setting, view: View) -> str:
    return f"Minions, {boards(setting).lower()}. {moment(view)} {verdict(view)}".rstrip()


def boards(setting: Setting) -> str:
    count = setting.boards
    number = _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)
    return f"{number} board" if count == 1 else f"{number} boards"


def moment(view: View) -> str:
    """Whose turn it is, or when it ended."""
    if view.outcome is not None:
        return f"Over on turn {view.turn}."
    return f"Turn {view.turn}, {view.side.capitalize()} to move."


def note(view: View) -> str:
    """Who won; empty before the end."""
    if view.outcome is None:
        return ""
    return f"{view.outcome.winner.capitalize()} wins" if view.outcome.winner else "A draw"


def verdict(view: View) -> str:
    """How it ended and by which paragraph; empty before the end."""
    return f"{note(view)}: {view.outcome.reason}. Rule {view.outcome.rule}." if view.outcome else ""


def goal(setting: Setting) -> str:
    return f"first to {some(setting.to_win, 'point')}"


def purse(setting: Setting, view: View, side: str) -> str:
    """The money of a side, and for the side to move what the end of its turn brings (11.2)."""
    has = f"{view.money.get(side, 0):,} money"
    if side != view.side or view.outcome is not None:
        return has
    return f"{has}, +{sum(board.income.get(side, 0) for board in view.boards):,} at the end"


def free_spell(setting: Setting, view: View) -> tuple[str, str]:
    """What the next spell costs, and what the one after it (8.2, 8.3)."""
    if view.placed:
        return f"{some(view.placed, 'spell')} placed", f"Another costs {setting.spell_price:,}."
    return "1 free spell", f"Another costs {setting.spell_price:,}."


def listed(setting: Setting, places: Sequence[int]) -> str:
    """Cards by their places, counted from 1."""
    return ", ".join(clean(setting.line[place - 1]) for place in places if 1 <= place <= len(setting.line))


# ---- boards


def board_name(setting: Setting, number: int) -> str:
    return map_name(setting, number) or f"Board {number}"


def state(view: View, board: BoardView) -> str:
    """What can still be done on a board: "Normal: attack, spawn"."""
    if view.outcome is not None:
        return ""
    called, phases = _STATES.get(board.state, (board.state, ()))
    done = {"choose"} if not board.due else set()
    if board.closed:
        done.add("attack")
    open_ = [phase for phase in phases if phase not in done]
    if board.resigned or not open_:
        return f"{called}: no orders"
    return f"{called}: {', '.join(open_)}"


def news(setting: Setting, view: View, board: BoardView) -> list[str]:
    """What must not be overlooked on a board: a kill, a resignation, graveyards that decide it."""
    said = []
    if board.killed:
        said.append(f"{other(view.side).capitalize()}'s necromancer is destroyed")
    if board.resigned:
        said.append(f"{view.side.capitalize()} has resigned it")
    for side in SIDES:
        count = len(held(setting, board, side))
        if count == setting.graveyards - 1:
            said.append(f"{side.capitalize()} holds {count} graveyards and needs {setting.graveyards} to win the board")
        elif count >= setting.graveyards:
            said.append(f"{side.capitalize()} holds {count} graveyards")
    return said


# ---- units


def called(unit: Unit) -> str:
    """The name of a unit; necromancers may share it with one."""
    named = clean(unit.type)
    return f"{named} necromancer" if unit.letter == NECROMANCER else named


def condition(setting: Setting, unit: Unit) -> str:
    """Damage and what a unit has done this turn; empty for one that is fresh from the start of it."""
    said = []
    if unit.damage:
        facts = facts_of(setting, unit)
        rest = f", {facts.defence - unit.damage} left" if facts else ""
        said.append(f"{unit.damage} damage{rest}")
    if unit.fresh:
        said.append("spawned")
    if unit.moved:
        said.append("moved")
    if unit.used:
        said.append("attacked" if unit.used == 1 else f"attacked {unit.used} times")
    return ", ".join(said)


# ---- everything


def describe(setting: Setting, view: View) -> str:
    """The position in words, for people who cannot see the picture."""
    points = ", ".join(f"{side.capitalize()} {view.points.get(side, 0)}" for side in SIDES)
    money = ", ".join(f"{side.capitalize()} {view.money.get(side, 0):,}" for side in SIDES)
    parts = [f"{name(setting, view)} Points, {goal(setting)}: {points}. Money: {money}."]
    for board in view.boards:
        title = f"Board {board.number}"
        named = f", {map_name(setting, board.number)}" if map_name(setting, board.number) else ""
        doing = f", {state(view, board).lower()}" if state(view, board) else ""
        forces = "; ".join(_force(setting, board, side) for side in SIDES)
        parts.append(f"{title}{named}{doing}. {forces}.")
        parts += [f"{said}." for said in news(setting, view, board)]
    for side in SIDES:
        teched = [clean(card) for i, card in enumerate(setting.line) if owner(view, i) == side]
        if teched:
            parts.append(f"{side.capitalize()} has teched {', '.join(teched)}.")
    return " ".join(parts)


def _force(setting: Setting, board: BoardView, side: str) -> str:
    """What a side has on a board."""
    units = [unit for unit in board.units if unit.side == side]
    leader = next((f", {called(unit)} on {unit.hex}" for unit in units if unit.letter == NECROMANCER), "")
    kept = sum(board.zones.get(side, {}).values())
    yards = some(len(held(setting, board, side)), "graveyard")
    return f"{side.capitalize()}: {some(len(units), 'unit')}{leader}, {yards}, {kept} in reserve"
