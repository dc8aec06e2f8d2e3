"""The adapter: Minions in the words of the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, ClassVar

from polemos.games.minions import bench, lawful, notation, positions, scenes
from polemos.games.minions import view as views
from polemos.games.minions.giving import Giving
from polemos.games.minions.notation import Order
from polemos.games.minions.orders import record_of
from polemos.games.minions.progress import ROLES, role_of
from polemos.games.minions.rules import events, play, turn
from polemos.games.minions.setup import Options, first_state, options_in
from polemos.games.minions.state import SIDES, Sight, State, Work
from polemos.games.minions.state import Order as OrderRecord
from polemos.games.minions.units import stats
from polemos.games.minions.view import Setting, View
from polemos.kernel.capabilities.advice import Advice, Alert
from polemos.kernel.capabilities.dialects import DialectMaker, Dialects
from polemos.kernel.capabilities.glossary import Glossary
from polemos.kernel.capabilities.in_library import InLibrary, Library
from polemos.kernel.capabilities.order_by_order import OrderByOrder
from polemos.kernel.capabilities.pictures import Pictures, SmallPictures
from polemos.kernel.capabilities.presets import Presets
from polemos.kernel.capabilities.roles import Roles
from polemos.kernel.capabilities.sealed_bids import Sealed, SealedBids
from polemos.kernel.capabilities.simulation import Simulation
from polemos.kernel.capabilities.staging import Staging
from polemos.kernel.capabilities.turn_limit import TurnLimit
from polemos.kernel.chronicle import Event
from polemos.kernel.dice import Chance
from polemos.kernel.errors import IllegalOrder, OrderError
from polemos.kernel.game import Facts, Game, Option
from polemos.kernel.log import SILENT, Log
from polemos.kernel.orders import Sheet
from polemos.kernel.outcome import Outcome
from polemos.kernel.positions import read_options
from polemos.kernel.record import Many
from polemos.kernel.rooms import package_of
from polemos.kernel.scenes import Stage


class Minions(
    Game[State, Order, Sight, View],
    Advice[View, Order],
    Dialects,
    Glossary,
    InLibrary,
    OrderByOrder[State, Order],
    Pictures[View],
    SmallPictures[View],
    Presets,
    Roles[State, Order],
    SealedBids[State],
    Simulation[State],
    Staging[View],
    TurnLimit[View],
):
    name = "minions"
    title = "Minions"
    edition = 1
    facts = Facts(
        seats=SIDES,
        min_seats=2,
        simultaneous=False,
        fog=False,
        dice=False,
        max_lines=6000,
        lines_rule="13.5",
        max_events=1 << 16,
        summary="Yellow against blue on several hex boards with one techline, led by a general and captains.",
    )
    chronicle = events.CHRONICLE
    roles_rule = "2.6"
    state_type = State
    sight_type = Sight
    options_type = Options
    order_type: ClassVar[Any] = Order
    view_type = View
    setting_type = Setting
    packs = True
    bench: ClassVar[dict[str, Any]] = {"boards": 1}
    examples = (
        {"boards": 1, "turns": 30},
        {"boards": 3, "turns": 15},
        {"boards": 2, "maps": "random", "bids": "9,12", "turns": 20, "spell_price": 1, "line": "sorted"},
        {"boards": 1, "maps": "River Styx", "points": 3, "turns": 60, "money": 40, "spell_price": 0},
    )

    # ---- the beginning

    def setup(self, options: Mapping[str, Any], seed: object = 0) -> State:
        return first_state(read_options(self, options), seed)

    def options_of(self, state: State) -> dict[str, Any]:
        return options_in(state)

    def setting(self, state: State) -> Setting:
        return views.setting_of(state)

    # ---- a step

    def to_act(self, state: State) -> tuple[str, ...]:
        return () if state.reason else (SIDES[state.side],)

    def read(self, line: object) -> Order:
        return notation.read_order(line)

    def write(self, order: Order) -> str:
        return notation.write_order(order)

    def judge(self, state: State, seat: str, orders: Sequence[Order | None]) -> list[OrderError | None]:
        """4.4 One after the other, each on the position as it then stands."""
        giving = Giving(state.copy(), seat)
        return [giving.give(order) for order in orders]

    def resolve(self, state: State, sheets: Mapping[str, Sheet[Order] | None], chance: Chance, log: Log) -> None:
        if state.reason:
            raise IllegalOrder("The game has ended.", rule="12.8")
        sheet, work = sheets.get(SIDES[state.side]), Work()
        if sheet is not None and not any(state.gave_up):
            for number, line in enumerate(sheet.lines, 1):
                if line.order is not None and line.fault is None:
                    turn.apply(state, record_of(state, line.order, number), log, work)
        turn.end(state, log)

    def apply(self, state: State, seat: str, order: Order, log: Log) -> None:
        if error := Giving(state, seat, log).give(order):
            raise error

    def forfeit(self, state: State, seat: str, log: Log) -> None:
        state.gave_up[SIDES.index(seat)] = 1
        events.gave_up(log, SIDES.index(seat))

    def turns(self, setting: Setting, view: View) -> int | None:
        """12.9 After so many turns of each side the game ends."""
        return setting.turns

    def outcome(self, state: State) -> Outcome | None:
        return views.outcome_of(state)

    # ---- what is seen

    def look(self, state: State, who: str) -> Sight:
        return views.look(state, who)

    def view(self, sight: Sight) -> View:
        return views.view(sight)

    def stages(self, setting: Setting, before: View, events: Sequence[Event]) -> tuple[Stage, ...]:
        return scenes.stages(setting, before, events)

    # ---- what may be done

    def lawful(self, sight: Sight, draft: Sequence[Order] = ()) -> list[Option]:
        return lawful.lawful(sight, draft)

    def options(self, setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Option]:
        return lawful.options(setting, view, draft)

    def line_figures(self, setting: Setting, view: View, draft: Sequence[Order]) -> list[dict[str, Any]]:
        return lawful.line_figures(setting, view, draft)

    def alerts(self, setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Alert]:
        return lawful.alerts(setting, view, draft)

    def figures(self, setting: Setting, view: View) -> dict[str, dict[str, float]]:
        return lawful.figures(setting, view)

    def sealed(self, options: Mapping[str, Any]) -> Sealed | None:
        """14.2 Bids for what Blue starts with."""
        boards = read_options(self, {**options, "bids": "", "yellow": ""}).boards
        return Sealed(
            title="Bid for Blue's money",
            text=(
                "Blue plays second and starts with money. Name the sum for which you would play Blue. The lower bid "
                "plays Blue and starts with the average of both; the other plays Yellow and starts with nothing."
            ),
            rule="14.2",
            least=0,
            most=9999,
            usual=6 * boards,
        )

    def unseal(self, options: Mapping[str, Any], named: Mapping[str, int]) -> dict[str, Any]:
        """14.3 The first seat's team is the first one."""
        kept = {name: value for name, value in options.items() if name not in ("money", "yellow", "bids")}
        return {**kept, "bids": ",".join(str(named[side]) for side in SIDES)}

    def moved(self, state: State) -> dict[str, str]:
        """14.3 The lower bid plays Blue, wherever it sat when it was made."""
        return {SIDES[0]: SIDES[1], SIDES[1]: SIDES[0]} if state.teams == 2 else {}

    def roles(self, state: State) -> tuple[str, ...]:
        """2.6 The general, and a captain for every board."""
        return ROLES[: 1 + state.boards]

    def role(self, order: Order) -> str | None:
        return role_of(order)

    def imagine(self, setting: Setting, view: View, seed: object) -> State:
        return views.imagine(setting, view)

    def about(self, setting: Setting, name: str) -> str | None:
        """The figures of units by their name or letter, in words."""
        wanted = name.strip().lower()
        rows = [
            row for row in (*setting.units, *setting.necromancers) if wanted in (row.name.lower(), row.letter.lower())
        ]
        return "\n".join(stats(row) for row in rows) or None

    # ---- notation

    def write_position(self, state: State) -> str:
        return positions.write_position(state)

    def read_position(self, text: str) -> State:
        return positions.read_position(text)

    # ---- guests

    @property
    def dialects(self) -> Mapping[str, DialectMaker]:
        return {"umi": import_module(f"{package_of(self)}.guests").UmiGuest}

    # ---- mass play

    def rollout(self, states: Many[State], start: State, seed: int, steps: int) -> int:
        return play.rollout(states, start, seed, steps, OrderRecord(), SILENT, Work())

    @property
    def library(self) -> Library:
        from polemos.games.minions.library import LIBRARY  # only programs in other languages need it

        return LIBRARY

    def measures(self, seconds: float) -> dict[str, float]:
        return bench.measures(self)


GAME = Minions()
