"""The legal orders, alerts for a player, and numbers for charts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polemos.games.monad.layout import STEPS
from polemos.games.monad.notation import Order, text_of
from polemos.games.monad.orders import records_of, scratch
from polemos.games.monad.rules import choices
from polemos.games.monad.setup import cells_of
from polemos.games.monad.state import DIRECTIONS, MINE, MOVE, NO_DIRECTION, SURVIVAL, WORDS, Assault, Choice, Sight
from polemos.games.monad.view import Setting, View
from polemos.kernel.capabilities.advice import Alert
from polemos.kernel.game import Option
from polemos.kernel.log import SILENT
from polemos.kernel.record import many

_MEANS_CORE: Final = (
    "If all of them move onto the core this turn, the building and its garrison are gone. Each unit you move there "
    "or leave there makes it one stronger. Buildings fall after all moves."
)
_MEANS_ALONE: Final = "The count starts again as soon as another player has a unit at the end of a turn."
CHOICES_A_TILE: Final = 9  # four moves, mine, and four blocks to build or the work of a core


def options(sight: Sight, draft: Sequence[Order] = ()) -> list[Option]:
    """2 Every order that the draft leaves possible, by stack; the number is free up to the units that are."""
    width = sight.state.width
    found = many(Choice, CHOICES_A_TILE * width * sight.state.height)
    orders = records_of(sight.state, [(sight.who, draft)])
    count = choices.list_choices(sight, orders, len(orders), SILENT, found, scratch())
    return _options(width, found.numbers()[:count].tolist(), cells_of(sight.state)["ore"].tolist())


def _options(width: int, found: list[tuple[int, int, int, int, int]], ore: list[int]) -> list[Option]:
    """`useful`: more units would do nothing (5.5, 6.3, 7.1). `needs`: what destroys the building there (8.3).

    Where there is no ore, to mine is to stand there (7.1). There may be thousands, so each is made in one go.
    """
    options = []
    for word, direction, tile, free, figure in found:
        y, x = divmod(tile, width)
        name, figures = WORDS[word], {"useful": figure}
        if word == MOVE:
            figures = {"needs": figure} if figure >= 0 else {}
        if direction == NO_DIRECTION:
            order, text = {"order": name, "x": x, "y": y, "number": 1}, text_of(name, x, y, None, 1)
        else:
            way = DIRECTIONS[direction]
            order = {"order": name, "x": x, "y": y, "number": 1, "direction": way}
            text = text_of(name, x, y, way, 1)
        options.append(Option(order, text, 1, free, figures, word == MINE and not ore[tile]))
    return options


def line_figures(sight: Sight, draft: Sequence[Order]) -> list[dict[str, int]]:
    """Of each move onto a foreign core: what destroys the building, and how many the whole draft sends there."""
    orders = records_of(sight.state, [(sight.who, draft)])
    found = many(Assault, len(orders))
    choices.figure_lines(sight, orders, len(orders), SILENT, found, scratch())
    return [{"needs": needs, "sent": sent} if needs else {} for needs, sent in found.numbers().tolist()]


def alerts(setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Alert]:
    """8.3 Own cores that enemies next to them could destroy this turn; 9.2 when time runs out."""
    if view.who not in setting.seats or view.outcome is not None:
        return []
    stacks = {(stack.x, stack.y): stack for stack in view.stacks}
    found = []
    for core in view.buildings:
        if core.owner != view.who:
            continue
        near: dict[str, int] = {}
        for dx, dy in STEPS.values():
            stack = stacks.get((core.x + dx, core.y + dy))
            if stack is not None and stack.owner != view.who:
                near[stack.owner] = near.get(stack.owner, 0) + stack.units
        here = stacks.get((core.x, core.y))
        strength = setting.defence + (here.units if here is not None else 0)
        for enemy, units in near.items():
            if units >= strength:
                where = f"{core.x},{core.y}"
                has = f"{enemy.capitalize()} has {units} units next to your core on {where}"
                text = f"{has}; {strength} are enough to destroy it."
                found.append(Alert(text, "8.3", where, _MEANS_CORE, urgent=True))
    if view.alone is not None and view.alone[0] != view.who:
        seat, turns = view.alone
        text = f"Only {seat.capitalize()} has had units for {turns} turns, and wins after {SURVIVAL}."
        found.append(Alert(text, "9.2", means=_MEANS_ALONE, urgent=True))
    return found


def figures(setting: Setting, view: View) -> dict[str, dict[str, float]]:
    """Curves for charts."""
    return {
        "units": {name: float(view.units[name]) for name in setting.seats},
        "buildings": {name: float(sum(b.owner == name for b in view.buildings)) for name in setting.seats},
        "stock": {name: float(view.stock[name]) for name in setting.seats},
        "tiles": {name: float(sum(s.owner == name for s in view.stacks)) for name in setting.seats},
    }
