"""The adapter: Monad in the words of the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from polemos.games.monad import lawful, notation, positions
from polemos.games.monad import view as views
from polemos.games.monad.notation import Order
from polemos.games.monad.orders import records_of, scratch
from polemos.games.monad.rules import events, play, turn
from polemos.games.monad.rules import sight as sights
from polemos.games.monad.setup import Options, fair, first_state, ground_of, options_in, require_random
from polemos.games.monad.state import (
    DIRECTIONS,
    GOOD,
    MAX_TILES,
    NO_CORE,
    NO_SPACE,
    NO_SUCH_BLOCK,
    NO_WAY,
    NO_WORK,
    NOBODY_FREE,
    NOT_YOURS,
    SEATS,
    TOO_DEAR,
    Sight,
    State,
    Work,
)
from polemos.games.monad.state import Order as OrderRecord
from polemos.games.monad.view import Setting, View
from polemos.kernel.capabilities.advice import Advice, Alert
from polemos.kernel.capabilities.in_library import InLibrary, Library
from polemos.kernel.capabilities.ladder_maps import LadderMaps
from polemos.kernel.capabilities.phrased_orders import PhrasedOrders
from polemos.kernel.capabilities.pictures import Pictures, SmallPictures
from polemos.kernel.capabilities.presets import Presets
from polemos.kernel.capabilities.sheet_size import SheetSize
from polemos.kernel.capabilities.simulation import Simulation
from polemos.kernel.capabilities.turn_limit import TurnLimit
from polemos.kernel.dice import Chance
from polemos.kernel.errors import IllegalOrder, OrderError
from polemos.kernel.game import Facts, Game, Option
from polemos.kernel.log import SILENT, Log
from polemos.kernel.orders import Sheet
from polemos.kernel.outcome import Outcome
from polemos.kernel.positions import read_options
from polemos.kernel.record import Many, many

LINES_A_TILE: Final = 6  # 2.9: four moves, build, mine are all that can matter
LADDER: Final = ("duel", "crossing", "narrows", "quarry", "twin-rivers", "veins")  # for two


class Monad(
    Game[State, Order, Sight, View],
    Advice[View, Order],
    InLibrary,
    LadderMaps,
    PhrasedOrders[Order],
    Pictures[View],
    SmallPictures[View],
    Presets,
    SheetSize[State],
    Simulation[State],
    TurnLimit[View],
):
    name = "monad"
    title = "Monad"
    edition = 1
    facts = Facts(
        seats=SEATS,
        min_seats=2,
        simultaneous=True,
        fog=False,
        dice=False,
        max_lines=LINES_A_TILE * MAX_TILES,
        lines_rule="2.9",
        max_events=1 << 16,
        summary="Stacks of units on a grid mine, build, multiply and fight. Two to four players.",
    )
    chronicle = events.CHRONICLE
    state_type = State
    sight_type = Sight
    options_type = Options
    order_type: ClassVar[Any] = Order
    view_type = View
    setting_type = Setting
    packs = True
    bench: ClassVar[dict[str, Any]] = {"units": 60, "turns": 114}  # about 110 orders a turn
    examples = (
        {"turns": 60},
        {"seats": 4, "turns": 40, "units": 9},
        {"map": "random", "size": "9x13", "obstacles": "many", "turns": 50, "stock": 300},
        {"map": "duel", "turns": 40, "base": 1, "slots": "none", "unit_cost": 3, "cost": 30, "defence": 2, "units": 20},
        {"seats": 3, "turns": 30, "units": 5},
    )

    _kept: tuple[Setting, View, Sight] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """For copies: the last sight is not copied."""
        return {}

    # ---- the beginning

    def ladder_maps(self) -> dict[str, dict[str, Any]]:
        return {name.replace("-", " ").title(): {"map": name} for name in LADDER}

    def setup(self, options: Mapping[str, Any], seed: object = 0) -> State:
        chosen: Options = read_options(self, options)
        require_random(options, chosen)
        return first_state(chosen, fair(ground_of(chosen, seed)))

    def options_of(self, state: State) -> dict[str, Any]:
        return options_in(state)

    def setting(self, state: State) -> Setting:
        return views.setting_of(state)

    def seats(self, state: State) -> tuple[str, ...]:
        return SEATS[: state.seats]

    # ---- a step

    def to_act(self, state: State) -> tuple[str, ...]:
        if state.reason:
            return ()
        return tuple(name for seat, name in enumerate(self.seats(state)) if not state.forfeited[seat])

    def read(self, line: object) -> Order:
        return notation.read_order(line)

    def write(self, order: Order) -> str:
        return notation.write_order(order)

    def order_phrase(self, order: Order) -> str:
        return notation.phrase_of(order)

    def max_lines(self, state: State) -> int:
        return LINES_A_TILE * state.width * state.height

    def judge(self, state: State, seat: str, orders: Sequence[Order | None]) -> list[OrderError | None]:
        records = records_of(state, [(SEATS.index(seat), orders)])
        turn.judge(state, records, len(records), SILENT, scratch())
        faults = iter(records.numbers()["fault"].tolist())
        return [
            None if order is None or (fault := next(faults)) == GOOD else _error(state, order, fault)
            for order in orders
        ]

    def resolve(self, state: State, sheets: Mapping[str, Sheet[Order] | None], chance: Chance, log: Log) -> None:
        if state.reason:
            raise IllegalOrder("The game has ended.", rule="9.4")
        standing = [
            (seat, [line.order if line.fault is None else None for line in sheet.lines])
            for seat, name in enumerate(self.seats(state))
            if (sheet := sheets.get(name)) is not None and not state.forfeited[seat]
        ]
        records = records_of(state, standing)
        turn.resolve(state, records, len(records), log, scratch())

    def forfeit(self, state: State, seat: str, log: Log) -> None:
        state.forfeited[SEATS.index(seat)] = state.turn + 1
        events.forfeited(log, SEATS.index(seat))

    def turns(self, setting: Setting, view: View) -> int:
        return view.turns

    def outcome(self, state: State) -> Outcome | None:
        return views.outcome_of(state)

    # ---- what is seen, and what may be done

    def look(self, state: State, who: str) -> Sight:
        sight = Sight()
        sights.look(state, views.eyes_of(who), sight)
        return sight

    def view(self, sight: Sight) -> View:
        return views.view_of(sight)

    def lawful(self, sight: Sight, draft: Sequence[Order] = ()) -> list[Option]:
        return lawful.options(sight, draft)

    def options(self, setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Option]:
        return lawful.options(self._sight_in(setting, view), draft)

    def line_figures(self, setting: Setting, view: View, draft: Sequence[Order]) -> list[dict[str, Any]]:
        return lawful.line_figures(self._sight_in(setting, view), draft)

    def _sight_in(self, setting: Setting, view: View) -> Sight:
        """For callers who only have a view. They ask about the same one again and again, so the last sight is kept."""
        kept = self._kept
        if kept is None or kept[0] is not setting or kept[1] is not view:
            kept = self._kept = (setting, view, self.look(self.imagine(setting, view, 0), view.who))
        return kept[2]

    def alerts(self, setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Alert]:
        return lawful.alerts(setting, view, draft)

    def figures(self, setting: Setting, view: View) -> dict[str, dict[str, float]]:
        return lawful.figures(setting, view)

    def imagine(self, setting: Setting, view: View, seed: object) -> State:
        return views.imagine(setting, view)

    # ---- notation

    def write_position(self, state: State) -> str:
        return positions.write_position(state)

    def read_position(self, text: str) -> State:
        return positions.read_position(text)

    # ---- mass play

    def rollout(self, states: Many[State], start: State, seed: int, steps: int) -> int:
        room = 2 * start.width * start.height + 2
        return play.rollout(states, start, seed, steps, many(OrderRecord, room), SILENT, Work())

    @property
    def library(self) -> Library:
        from polemos.games.monad.library import LIBRARY  # only programs in other languages need it

        return LIBRARY

    def measures(self, seconds: float) -> dict[str, float]:
        return {"orders_per_turn": round(_orders_per_turn(self), 1)}


def _orders_per_turn(game: Monad) -> float:
    """How many orders the bench's random games have in a turn, over whole games."""
    start = game.setup(game.bench, 0)
    states, orders = many(State, 64, start.extent()), many(OrderRecord, 2 * start.width * start.height + 2)
    for i in range(64):
        states[i] = start
    count = 0
    for turn_ in range(start.turns):
        count += sum(play.invent_orders(states[i], orders, i) for i in range(64))
        game.rollout(states, start, turn_, 64)
    return count / (64 * start.turns)


def _error(state: State, order: Order, fault: int) -> OrderError:
    """The fault of a line in words: what was wrong and what would have been legal."""
    here = f"{order.x},{order.y}"
    cost = state.cost
    rule, why = {
        NOT_YOURS: ("2.3", f"You have no units on {here}."),
        NOBODY_FREE: ("2.6", f"All your units on {here} already have orders."),
        NO_WAY: (
            "4.1",
            f"You can't go {getattr(order, 'direction', '')} from {here}: the map ends there or the tile is blocked.",
        ),
        NO_SUCH_BLOCK: ("5.2", f"A building's direction must be {', '.join(DIRECTIONS)}, or left out."),
        NO_SPACE: ("5.3", f"A building on {here} needs a free block of 2 x 2 tiles; this one isn't free."),
        TOO_DEAR: ("5.4", f"A building costs {cost}; you have less than that left."),
        NO_CORE: ("5.8", f"{here} is part of a building, and not the core of one of yours."),
        NO_WORK: ("6.1", f"{here} is not the core of a building of yours, so nobody can work there."),
    }[fault]
    return IllegalOrder(why[0].upper() + why[1:], rule=rule)


GAME = Monad()
