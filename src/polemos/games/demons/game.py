"""The adapter: Demons in the words of the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import numpy as np

from polemos.games.demons import advice, events, notation, positions
from polemos.games.demons import view as views
from polemos.games.demons.events import Event
from polemos.games.demons.ground import BadMap
from polemos.games.demons.layout import faults
from polemos.games.demons.notation import Build, Destroy, Hire, Order
from polemos.games.demons.rules import events as kinds
from polemos.games.demons.rules import play, turn
from polemos.games.demons.setup import Options, first_state, ground_in
from polemos.games.demons.state import (
    BUILDERS,
    COMPASS,
    GOOD,
    HIRING,
    MOST_LINES,
    NO_LANE,
    NO_TOWER,
    NOT_TERRITORY,
    OCCUPIED,
    PLAYERS,
    QUEUED,
    TOO_DEAR,
    TOWERS,
    UNKNOWN_TOWER,
    Orders,
    State,
    Tile,
    Work,
)
from polemos.games.demons.state import Order as OrderRecord
from polemos.games.demons.view import Setting, View
from polemos.kernel.dialect import DialectMaker
from polemos.kernel.dice import Chance
from polemos.kernel.errors import IllegalOrder, NotationError, OrderError
from polemos.kernel.game import Alert, Facts, Game, Option
from polemos.kernel.log import SILENT, Log, emit
from polemos.kernel.orders import Sheet
from polemos.kernel.outcome import Outcome
from polemos.kernel.record import Many

_TILES: int = State.dtype.fields["tile"][1]  # type: ignore[index]

# Parts of a sheet: what a line is about, and at most one line of each (3.2, 4.1).
_PARTS = ("builder", "hire", "provoke")

MOMENTS: Final = ("provoked", "banished", "strengthened", "dropped out", "ended")


class Demons(Game[State, Order, View, Event]):
    name = "demons"
    title = "Demons"
    edition = 1
    facts = Facts(
        seats=PLAYERS,
        fewest=2,
        simultaneous=True,
        incremental=False,
        fog=False,
        dice=False,
        roles=(),
        most_lines=MOST_LINES,
        lines_rule="3.6",
        most_events=8192,
        summary="Red against blue: towers, mercenaries and a demon invasion on lanes.",
    )
    state_type = State
    options_type = Options
    order_type: ClassVar[Any] = Order
    view_type = View
    setting_type = Setting
    event_type = Event
    bench: ClassVar[dict[str, Any]] = {"map": "long-march"}
    examples = (
        {"turns": 60},
        {"map": "hourglass", "decisions": "two", "turns": 40, "coin": "on"},
        {"map": "random", "turns": 50, "limit_by_hp": "on"},
        {"map": "pinwheel", "rules": "finals-2025", "turns": 60},
        {"map": "gauntlet", "rules": "finals-2025", "quirks": "none", "turns": 40},
    )

    # ---- the beginning

    def setup(self, options: Mapping[str, Any], seed: object = 0) -> State:
        chosen: Options = self.read_options(options)
        state = first_state(chosen, seed)
        flaws = [flaw for flaw in faults(ground_in(state)) if chosen.rules == "seed" or flaw[0] != "1.7"]
        if flaws:
            rule, why = flaws[0]
            more = f" Faults besides: {len(flaws) - 1}." if len(flaws) > 1 else ""
            raise BadMap(f"The map is not fair. {why}{more}", rule=rule)
        return state

    def options_of(self, state: State) -> dict[str, Any]:
        return views.options_in(state)

    def setting(self, state: State) -> Setting:
        return views.setting_of(state)

    # ---- a step

    def to_act(self, state: State) -> tuple[str, ...]:
        if state.reason:
            return ()
        return tuple(name for player, name in enumerate(PLAYERS) if not state.dropped[player])

    def read(self, line: object) -> Order:
        return notation.read_order(line)

    def write(self, order: Order) -> str:
        return notation.write_order(order)

    def judge(self, state: State, seat: str, orders: Sequence[Order | None]) -> list[OrderError | None]:
        if not orders:
            return []
        errors = _doubles(state, orders)
        filed = _blank()
        player = PLAYERS.index(seat)
        _enter(state, filed.of[player], seat, [o if e is None else None for o, e in zip(orders, errors, strict=True)])
        scratch = state.copy()
        turn.judge(scratch, filed, SILENT, Work())
        record = filed.of[player]
        faults = {"builder": record.build_fault, "hire": record.hire_fault, "provoke": record.provoke_fault}
        return [
            error or (None if order is None else _error(state, seat, order, faults[_part(order)]))
            for order, error in zip(orders, errors, strict=True)
        ]

    def resolve(self, state: State, sheets: Mapping[str, Sheet[Order] | None], chance: Chance, log: Log) -> None:
        if state.reason:
            raise IllegalOrder("The game has ended.", rule="9.1")
        filed = _blank()
        for player, name in enumerate(PLAYERS):
            sheet = sheets.get(name)
            if sheet is not None and not state.dropped[player]:
                _enter(state, filed.of[player], name, list(sheet.orders))
        turn.resolve(state, filed, chance, log, Work())

    def forfeit(self, state: State, seat: str, log: Log) -> None:
        player = PLAYERS.index(seat)
        state.dropped[player] = 1
        emit(log, kinds.DROPPED, player, -1, -1, -1, 0, 0)

    def outcome(self, state: State) -> Outcome | None:
        return views.outcome_of(state)

    # ---- what is seen

    def observe(self, state: State, who: str) -> View:
        return views.observe(state, who)

    def happened(self, state: State, log: Log) -> list[Event]:
        return events.happened(state, log)

    def witness(self, state: State, event: Event, who: str) -> Event | None:
        return event

    def words(self, event: Event) -> str:
        return events.words(event)

    def rule_of(self, event: Event) -> str:
        return event.rule

    def seat_of(self, event: Event) -> str | None:
        return event.side

    def is_moment(self, event: Event) -> bool:
        return event.kind in MOMENTS

    # ---- what may be done

    def options(self, setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Option]:
        return advice.options(setting, view, draft)

    def line_figures(self, setting: Setting, view: View, draft: Sequence[Order]) -> list[dict[str, Any]]:
        return advice.line_figures(setting, view, draft)

    def alerts(self, setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Alert]:
        return advice.alerts(setting, view, draft)

    def figures(self, setting: Setting, view: View) -> dict[str, dict[str, float]]:
        return advice.curves(setting, view)

    def imagine(self, setting: Setting, view: View, seed: object) -> State:
        return views.imagine(setting, view)

    # ---- notation

    def write_position(self, state: State) -> str:
        return positions.write_position(state)

    def read_position(self, text: str) -> State:
        return positions.read_position(text)

    def fix_dice(self, chance: Chance, dice: Mapping[str, Any]) -> None:
        notation.fix_dice(chance, dice)

    # ---- guests

    @property
    def dialects(self) -> Mapping[str, DialectMaker]:
        from polemos.games.demons.guests import Competition  # most matches have no guests

        return {"competition": Competition}

    # ---- mass play

    def rollout(self, states: Many[State], start: State, seed: int, steps: int) -> int:
        return play.rollout(states, start, seed, steps, Orders(), Chance(), SILENT, Work())


def _blank() -> Orders:
    filed = Orders()
    for player in range(2):
        order = filed.of[player]
        order.build = order.build_at = order.destroy_at = order.hire = -1
    return filed


def _part(order: Order) -> str:
    if isinstance(order, Build | Destroy):
        return "builder"
    return "hire" if isinstance(order, Hire) else "provoke"


def _doubles(state: State, orders: Sequence[Order | None]) -> list[OrderError | None]:
    """3.2, 4.1 Two lines of one part void each other; 2.4 lines of another step, and of other rules, are void."""
    parts = [None if order is None else _part(order) for order in orders]
    errors: list[OrderError | None] = []
    for part in parts:
        if part is not None and parts.count(part) > 1:
            rule = {"builder": "3.2", "hire": "4.1", "provoke": "11.10"}[part]
            errors.append(IllegalOrder(f"A sheet has one {part} line; this one has {parts.count(part)}.", rule=rule))
        elif part == "provoke" and not state.rules:
            errors.append(IllegalOrder("Demons are provoked in the finals only.", rule="11.10"))
        elif (part == "builder" and state.step == HIRING) or (part == "hire" and state.step == BUILDERS):
            now = "mercenaries are hired" if state.step == HIRING else "towers are built"
            errors.append(IllegalOrder(f"In this step {now}.", rule="2.4"))
        else:
            errors.append(None)
    return errors


def _enter(state: State, record: OrderRecord, seat: str, orders: Sequence[Order | None]) -> None:
    """Writes the orders of a player into the record that the rules read."""
    for order in orders:
        if isinstance(order, Build):
            record.build, record.build_at = TOWERS.index(order.tower), _tile_at(state, order.x, order.y)
        elif isinstance(order, Destroy):
            record.destroy_at = _tile_at(state, order.x, order.y)
        elif isinstance(order, Hire):
            letter = ground_in(state).directions[seat].get(order.direction, order.direction)
            record.hire = COMPASS.index(letter)
        elif order is not None:
            record.provoke = 1


def _tile_at(state: State, x: int, y: int) -> int:
    """The number of a tile; -2 where the map has none."""
    tiles: Any = np.frombuffer(memoryview(state), dtype=Tile.dtype, count=state.tiles, offset=_TILES)
    found = np.flatnonzero((tiles["x"] == x) & (tiles["y"] == y))
    return int(found[0]) if len(found) else -2


def _error(state: State, seat: str, order: Order, fault: int) -> OrderError | None:
    """The fault of a line in words: what was wrong and what would have been lawful."""
    player = PLAYERS.index(seat)
    gold = state.gold[player]
    match fault:
        case _ if fault == GOOD:
            return None
        case _ if fault == UNKNOWN_TOWER:
            return IllegalOrder("These rules have no such tower.", rule="8.1")
        case _ if fault == NOT_TERRITORY:
            rule = "3.7" if isinstance(order, Destroy) else "3.3"
            return IllegalOrder(f"{notation.write_order(order).split()[-1]} is no {seat} territory.", rule=rule)
        case _ if fault == OCCUPIED:
            return IllegalOrder("A tower stands there already.", rule="3.4")
        case _ if fault == NO_TOWER:
            return IllegalOrder("No tower stands there.", rule="3.7")
        case _ if fault == NO_LANE:
            lawful = [COMPASS[d] for d in range(4) if state.exit_lane[player * 4 + d] >= 0]
            return IllegalOrder(f"No lane leaves your base there. Lanes: {', '.join(lawful)}.", rule="4.2")
        case _ if fault == QUEUED:
            return IllegalOrder("A mercenary is queued there already.", rule="4.4")
        case _ if fault == TOO_DEAR:
            rule = {"builder": "3.5", "hire": "4.3", "provoke": "11.10"}[_part(order)]
            return IllegalOrder(f"It costs more than is left of your {gold} gold.", rule=rule)
        case _:
            raise NotationError("This line is void.", rule="3.6")


GAME = Demons()
