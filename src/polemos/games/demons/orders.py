"""From the orders of a player to the record that the rules judge, and from its faults back to words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from polemos.games.demons.notation import Build, Destroy, Hire, Order, towers_listed, write_order
from polemos.games.demons.setup import ground_in, towers_in
from polemos.games.demons.state import (
    BUILDER,
    COMPASS,
    FINALS_ONLY,
    GOOD,
    HIRE,
    HIRING,
    MAX_LINES,
    NO_LANE,
    NO_TOWER,
    NOT_NOW,
    NOT_TERRITORY,
    OCCUPIED,
    PARTS,
    PLAYERS,
    PROVOKE,
    QUEUED,
    TOO_DEAR,
    TOWERS,
    TWICE,
    UNKNOWN_TOWER,
    Orders,
    State,
    Tile,
)
from polemos.games.demons.state import Order as OrderRecord
from polemos.kernel.errors import IllegalOrder, OrderError

_TILES: int = State.dtype.fields["tile"][1]  # type: ignore[index]
_ONE_LINE: Final = ("3.2", "4.1", "11.10")  # the paragraph of each part that gives it one line
_PAID: Final = ("3.5", "4.3", "11.10")


def part_of(order: Order) -> int:
    """Which part of a sheet a line belongs to."""
    if isinstance(order, Build | Destroy):
        return BUILDER
    return HIRE if isinstance(order, Hire) else PROVOKE


def clear(record: OrderRecord) -> None:
    """Empties a record: no orders at all."""
    record.build = record.build_at = record.destroy_at = record.hire = -1


def blank_sheets() -> Orders:
    """Sheets of both players without any orders."""
    sheets = Orders()
    for player in range(len(PLAYERS)):
        clear(sheets.of[player])
    return sheets


def enter(state: State, player: int, orders: Sequence[Order | None], record: OrderRecord) -> None:
    """Writes the orders of a player into a clear record."""
    for number, order in enumerate(orders, 1):
        if order is None:
            continue
        part = part_of(order)
        record.lines[part] += 1
        record.line[part] = min(number, MAX_LINES)
        if isinstance(order, Build):
            record.build, record.build_at = TOWERS.index(order.tower), tile_at(state, order.x, order.y)
        elif isinstance(order, Destroy):
            record.destroy_at = tile_at(state, order.x, order.y)
        elif isinstance(order, Hire):
            record.hire = COMPASS.index(_letter(state, player, order.direction))
        else:
            record.provoke = 1


def entered(state: State, player: int, orders: Sequence[Order | None]) -> OrderRecord:
    """The orders of a player as a record of their own."""
    record = OrderRecord()
    clear(record)
    enter(state, player, orders, record)
    return record


def _letter(state: State, player: int, direction: str) -> str:
    """1.8 The compass letter that a direction means to a player."""
    if direction in COMPASS:
        return direction
    return ground_in(state).directions[PLAYERS[player]][direction]


def tile_at(state: State, x: int, y: int) -> int:
    """The number of a tile; -2 where the map has none."""
    tiles: Any = np.frombuffer(memoryview(state), dtype=Tile.dtype, count=state.tiles, offset=_TILES)
    found = np.flatnonzero((tiles["x"] == x) & (tiles["y"] == y))
    return int(found[0]) if len(found) else -2


def error_of(state: State, player: int, order: Order, record: OrderRecord) -> OrderError | None:
    """The fault of a line in words: what was wrong and what would have been legal."""
    part = part_of(order)
    match record.fault[part]:
        case _ as fault if fault == GOOD:
            return None
        case _ as fault if fault == TWICE:
            text = f"A sheet can have only one {PARTS[part]} line; this one has {record.lines[part]}."
            return IllegalOrder(text, rule=_ONE_LINE[part])
        case _ as fault if fault == FINALS_ONLY:
            return IllegalOrder("You can provoke demons only under the rules of the finals.", rule="11.10")
        case _ as fault if fault == NOT_NOW:
            now = "hire a mercenary" if state.step == HIRING else "build or destroy a tower"
            return IllegalOrder(f"In this step you can only {now}.", rule="2.4")
        case _ as fault if fault == UNKNOWN_TOWER:
            return IllegalOrder(
                f"There is no such tower under these rules. {towers_listed(towers_in(state))}", rule="8.1"
            )
        case _ as fault if fault == NOT_TERRITORY:
            rule = "3.7" if isinstance(order, Destroy) else "3.3"
            return IllegalOrder(f"{write_order(order).split()[-1]} is not your land.", rule=rule)
        case _ as fault if fault == OCCUPIED:
            return IllegalOrder("There is already a tower there.", rule="3.4")
        case _ as fault if fault == NO_TOWER:
            return IllegalOrder("There is no tower there to destroy.", rule="3.7")
        case _ as fault if fault == NO_LANE:
            lawful = [COMPASS[d] for d in range(4) if state.exit_lane[player * 4 + d] >= 0]
            return IllegalOrder(f"No lane leaves your base that way. You can hire {', '.join(lawful)}.", rule="4.2")
        case _ as fault if fault == QUEUED:
            return IllegalOrder("You already have a mercenary queued there.", rule="4.4")
        case _ as fault if fault == TOO_DEAR:
            return IllegalOrder(
                f"You can't afford it: it costs more than you have left of your {state.gold[player]} gold.",
                rule=_PAID[part],
            )
        case fault:
            raise ValueError(f"A line cannot have the fault {fault}.")
