"""The adapter: Demons in the words of the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from msgspec.structs import replace

from polemos.games.demons import dicing, lawful, notation, positions, scenes
from polemos.games.demons import view as views
from polemos.games.demons.ground import BadMap
from polemos.games.demons.imagine import imagine, restored
from polemos.games.demons.layout import faults
from polemos.games.demons.notation import Order, towers_listed
from polemos.games.demons.orders import blank_sheets, enter, entered, error_of
from polemos.games.demons.rules import events, play, turn
from polemos.games.demons.rules.choices import may_order
from polemos.games.demons.setup import Options, first_state, ground_in, towers_in
from polemos.games.demons.state import BY_CALL, FELL, MAX_LINES, PLAYERS, TOSS, Orders, Sight, State, Work
from polemos.games.demons.view import Setting, View
from polemos.kernel.capabilities.advice import Advice, Alert
from polemos.kernel.capabilities.cautions import Cautions
from polemos.kernel.capabilities.dialects import DialectMaker, Dialects
from polemos.kernel.capabilities.fixable_dice import FixableDice
from polemos.kernel.capabilities.in_library import InLibrary, Library
from polemos.kernel.capabilities.ladder_maps import LadderMaps
from polemos.kernel.capabilities.pictures import Pictures, SmallPictures
from polemos.kernel.capabilities.presets import Presets
from polemos.kernel.capabilities.simulation import Simulation
from polemos.kernel.capabilities.staging import Staging
from polemos.kernel.capabilities.turn_limit import TurnLimit
from polemos.kernel.capabilities.umpire_calls import UmpireCalls
from polemos.kernel.chronicle import Event
from polemos.kernel.dice import Chance
from polemos.kernel.errors import IllegalOrder, NotationError, OrderError
from polemos.kernel.game import Facts, Game, Option
from polemos.kernel.log import SILENT, Log
from polemos.kernel.orders import Fault, Line, Sheet
from polemos.kernel.outcome import Outcome
from polemos.kernel.positions import read_options
from polemos.kernel.record import Many
from polemos.kernel.scenes import Stage

LADDER: Final = (
    "twin-gates",
    "hourglass",
    "serpent",
    "pinwheel",
    "causeway",
    "maelstrom",
    "three-bridges",
    "skirmish",
)


class Demons(
    Game[State, Order, Sight, View],
    Advice[View, Order],
    Cautions[State],
    Dialects,
    FixableDice[State],
    InLibrary,
    LadderMaps,
    Pictures[View],
    SmallPictures[View],
    Presets,
    Simulation[State],
    Staging[View],
    TurnLimit[View],
    UmpireCalls[State],
):
    name = "demons"
    title = "Demons"
    edition = 1
    facts = Facts(
        seats=PLAYERS,
        min_seats=2,
        simultaneous=True,
        fog=False,
        dice=False,
        max_lines=MAX_LINES,
        lines_rule="3.6",
        max_events=8192,
        summary="Red against blue: towers, mercenaries and a demon invasion on lanes.",
    )
    chronicle = events.CHRONICLE
    state_type = State
    sight_type = Sight
    options_type = Options
    order_type: ClassVar[Any] = Order
    view_type = View
    setting_type = Setting
    bench: ClassVar[dict[str, Any]] = {"map": "long-march"}
    examples = (
        {"turns": 60},
        {"map": "hourglass", "decisions": "two", "turns": 40, "coin": "on"},
        {"map": "random", "turns": 50, "limit_by_hp": "on"},
        {"map": "pinwheel", "rules": "finals-2025", "turns": 60},
        {"map": "gauntlet", "rules": "finals-2025", "quirks": "none", "turns": 40},
    )

    # ---- the beginning

    def ladder_maps(self) -> dict[str, dict[str, Any]]:
        return {name.replace("-", " ").title(): {"map": name} for name in LADDER}

    def setup(self, options: Mapping[str, Any], seed: object = 0) -> State:
        chosen: Options = read_options(self, options)
        state = first_state(chosen, seed)
        if not state.rules and (flaws := faults(ground_in(state))):
            rule, why = flaws[0]
            more = f" Faults besides this: {len(flaws) - 1}." if len(flaws) > 1 else ""
            raise BadMap(f"The map is not fair. {why}{more}", rule=rule)
        return state

    def cautions(self, state: State) -> list[str]:
        """11.1 The finals were played on any map."""
        flaws = [flaw for flaw in faults(ground_in(state)) if flaw[0] != "1.7"]
        return [f"The map is not fair. {flaws[0][1]} Rule {flaws[0][0]}."] if flaws else []

    def options_of(self, state: State) -> dict[str, Any]:
        return views.options_in(state)

    def setting(self, state: State) -> Setting:
        return views.setting_of(state)

    # ---- a step

    def to_act(self, state: State) -> tuple[str, ...]:
        return tuple(name for player, name in enumerate(PLAYERS) if may_order(state, player))

    def read(self, line: object) -> Order:
        return notation.read_order(line)

    def write(self, order: Order) -> str:
        return notation.write_order(order)

    def check(self, state: State, seat: str, lines: Sequence[object]) -> Sheet[Order]:
        """8.1 As ever, but a line alone does not know which towers there are: a refusal lists those of these rules."""
        sheet = super().check(state, seat, lines)
        if not any(line.fault and towers_listed() in line.fault.why for line in sheet.lines):
            return sheet
        known = towers_listed(towers_in(state))
        return Sheet(tuple(line if line.fault is None else _listing(line, line.fault, known) for line in sheet.lines))

    def judge(self, state: State, seat: str, orders: Sequence[Order | None]) -> list[OrderError | None]:
        player = PLAYERS.index(seat)
        record = entered(state, player, orders)
        turn.judge(state, player, record)
        return [None if order is None else error_of(state, player, order, record) for order in orders]

    def resolve(self, state: State, sheets: Mapping[str, Sheet[Order] | None], chance: Chance, log: Log) -> None:
        if state.reason:
            raise IllegalOrder("The game has ended.", rule="9.1")
        if waits := self.awaited(state):
            raise IllegalOrder(waits, rule="9.4")
        filed = blank_sheets()
        for player, name in enumerate(PLAYERS):
            sheet = sheets.get(name)
            if sheet is not None and not state.dropped[player]:
                standing = [None if line.fault else line.order for line in sheet.lines]
                enter(state, player, standing, filed.of[player])
        turn.resolve(state, filed, chance, log, Work())

    def forfeit(self, state: State, seat: str, log: Log) -> None:
        player = PLAYERS.index(seat)
        state.dropped[player] = 1
        events.dropped(log, player)

    def call(self, state: State, text: str) -> None:
        """9.4 `coin red` or `coin blue`: the side that won the toss of a real coin."""
        words = text.lower().split()
        if state.step < TOSS or state.reason:
            raise IllegalOrder("Nobody waits for a coin now.", rule="9.4")
        side = next((name for name in PLAYERS if words in (["coin", name], ["coin", name[0]])), None)
        if side is None:
            raise NotationError("Toss a coin and say how it fell: coin red or coin blue.", rule="9.4")
        state.step = FELL + PLAYERS.index(side)

    def awaited(self, state: State) -> str | None:
        return "Nothing differs: toss a coin and call coin red or coin blue." if state.step == TOSS else None

    def may_wait(self, state: State) -> bool:
        return state.coin == BY_CALL

    def outcome(self, state: State) -> Outcome | None:
        return views.outcome_of(state)

    # ---- what is seen

    def look(self, state: State, who: str) -> Sight:
        return views.look(state, who)

    def view(self, sight: Sight) -> View:
        return views.view(sight)

    def stages(self, setting: Setting, before: View, events: Sequence[Event]) -> tuple[Stage, ...]:
        return scenes.stages(before, events)

    def turns(self, setting: Setting, view: View) -> int | None:
        return view.turns

    # ---- what may be done

    def lawful(self, sight: Sight, draft: Sequence[Order] = ()) -> list[Option]:
        return lawful.lawful(sight, draft)

    def options(self, setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Option]:
        # What was seen can be reached: unlike a position that somebody made, it needs no examining.
        return lawful.lawful(views.look(restored(setting, view), view.who), draft)

    def line_figures(self, setting: Setting, view: View, draft: Sequence[Order]) -> list[dict[str, Any]]:
        return lawful.line_figures(views.look(restored(setting, view), view.who), draft)

    def alerts(self, setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Alert]:
        return lawful.alerts(setting, view, draft)

    def figures(self, setting: Setting, view: View) -> dict[str, dict[str, float]]:
        return lawful.curves(setting, view)

    def imagine(self, setting: Setting, view: View, seed: object) -> State:
        return imagine(setting, view)

    # ---- notation

    def write_position(self, state: State) -> str:
        return positions.write_position(state)

    def read_position(self, text: str) -> State:
        return positions.read_position(text)

    def fix_dice(self, state: State, chance: Chance, dice: Mapping[str, Any]) -> None:
        dicing.fix_dice(state, chance, dice)

    # ---- guests

    @property
    def dialects(self) -> Mapping[str, DialectMaker]:
        from polemos.games.demons.guests import Competition  # most matches have no guests

        return {"competition": Competition}

    # ---- mass play

    def rollout(self, states: Many[State], start: State, seed: int, steps: int) -> int:
        return play.rollout(states, start, seed, steps, Orders(), Chance(), SILENT, Work())

    @property
    def library(self) -> Library:
        from polemos.games.demons.library import LIBRARY  # only programs in other languages need it

        return LIBRARY


def _listing(line: Line[Order], fault: Fault, known: str) -> Line[Order]:
    return replace(line, fault=replace(fault, why=fault.why.replace(towers_listed(), known)))


GAME = Demons()
