"""What may be ordered, what a player would want to know, and numbers for charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from polemos.games.monad.ground import Tile
from polemos.games.monad.layout import STEPS, block
from polemos.games.monad.notation import Build, Mine, Move, Order, Work, write_order
from polemos.games.monad.view import Building, Setting, View
from polemos.kernel.game import Alert, Option


class _Board:
    """The view with the draft taken into account."""

    def __init__(self, setting: Setting, view: View, draft: Sequence[Order]) -> None:
        self.setting = setting
        self.cores: dict[Tile, Building] = {(b.x, b.y): b for b in view.buildings}
        self.covered = {tile for b in view.buildings for tile in block((b.x, b.y), b.direction)}
        self.left = {(ore.x, ore.y): ore.left for ore in view.ore}
        self.free = {(stack.x, stack.y): stack.units for stack in view.stacks if stack.owner == view.who}
        self.stock = view.stock[view.who]
        self.who = view.who
        self.held = {(stack.x, stack.y): stack for stack in view.stacks}
        self.busy: Counter[tuple[type[Order], Tile]] = Counter()  # units that mine or work
        self.sent: Counter[Tile] = Counter()  # units on their way to a tile
        for order in draft:
            self._take(order)

    def _take(self, order: Order) -> None:
        tile = (order.x, order.y)
        if isinstance(order, Move):
            self.sent[_target(order)] += order.number
        elif isinstance(order, Mine):
            self.busy[Mine, tile] += order.number
        elif isinstance(order, Work) or self.works(tile):
            self.busy[Work, tile] += order.number
        else:
            self.stock -= self.setting.cost
            self.covered.update(block(tile, order.direction or "right"))
        if tile in self.free:
            self.free[tile] = max(0, self.free[tile] - order.number)

    def works(self, tile: Tile) -> bool:
        return tile in self.cores and self.cores[tile].owner == self.who

    def is_open(self, tile: Tile) -> bool:
        x, y = tile
        return 0 <= x < self.setting.width and 0 <= y < self.setting.height and self.setting.ore[y][x] >= 0

    def ore(self, tile: Tile) -> int:
        return self.left.get(tile, self.setting.ore[tile[1]][tile[0]])

    def strength(self, core: Building) -> int:
        """8.3 What it takes to destroy a building, if nothing changes on its core."""
        garrison = self.held.get((core.x, core.y))
        return self.setting.defence + (garrison.units if garrison is not None and garrison.owner == core.owner else 0)

    def has_room(self, tile: Tile, direction: str) -> bool:
        return all(self.is_open(part) and part not in self.covered for part in block(tile, direction))


def _target(order: Move) -> Tile:
    dx, dy = STEPS[order.direction]
    return order.x + dx, order.y + dy


def options(setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Option]:
    """2 Every order that the draft leaves possible, by stack; the number is free up to the units that are."""
    if view.who not in setting.seats or view.outcome is not None or view.who in view.forfeited:
        return []
    board = _Board(setting, view, draft)
    return [
        Option(
            order=msgspec.to_builtins(order),
            text=write_order(order),
            least=1,
            most=free,
            figures=_figures(board, order, free),
        )
        for tile, free in board.free.items()
        if free > 0
        for order in _orders(board, tile)
    ]


def _orders(board: _Board, tile: Tile) -> Iterator[Order]:
    x, y = tile
    for direction, (dx, dy) in STEPS.items():
        if board.is_open((x + dx, y + dy)):
            yield Move(x, y, 1, direction)
    if board.ore(tile) > 0:
        yield Mine(x, y, 1)
    if board.works(tile):
        yield Work(x, y, 1)
    elif tile not in board.covered and board.stock >= board.setting.cost:
        for direction in STEPS:
            if board.has_room(tile, direction):
                yield Build(x, y, 1, direction)


def _figures(board: _Board, order: Order, free: int) -> dict[str, int]:
    """`useful`: more units would do nothing (5.5, 6.3, 7.1). `needs`: what destroys the building there (8.3)."""
    tile = (order.x, order.y)
    if isinstance(order, Move):
        core = board.cores.get(_target(order))
        return {} if core is None or core.owner == board.who else {"needs": board.strength(core)}
    if isinstance(order, Mine):
        return {"useful": max(0, min(free, board.ore(tile) - board.busy[Mine, tile]))}
    if isinstance(order, Work) or board.works(tile):
        slots = free if board.setting.slots is None else board.setting.slots - board.busy[Work, tile]
        return {"useful": max(0, min(free, slots))}
    return {"useful": 1}


def line_figures(setting: Setting, view: View, draft: Sequence[Order]) -> list[dict[str, int]]:
    """Of each move onto a foreign core: what destroys the building, and how many the whole draft sends there."""
    board = _Board(setting, view, draft)
    return [
        told | {"sent": board.sent[_target(order)]}
        if isinstance(order, Move) and (told := _figures(board, order, 0))
        else {}
        for order in draft
    ]


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
                text = f"{enemy.capitalize()} has {units} units next to your core on {where}, which holds {strength}."
                found.append(Alert(text, "8.3", where))
    if view.alone is not None and view.alone[0] != view.who:
        text = f"{view.alone[0].capitalize()} alone has had units for {view.alone[1]} turns; at 10 the game is won."
        found.append(Alert(text, "9.2"))
    return found


def figures(setting: Setting, view: View) -> dict[str, dict[str, float]]:
    """Curves for charts."""
    return {
        "units": {name: float(view.units[name]) for name in setting.seats},
        "buildings": {name: float(sum(b.owner == name for b in view.buildings)) for name in setting.seats},
        "stock": {name: float(view.stock[name]) for name in setting.seats},
        "tiles": {name: float(sum(s.owner == name for s in view.stacks)) for name in setting.seats},
    }
