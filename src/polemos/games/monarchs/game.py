"""The adapter: Monarchs in the words of the kernel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from polemos.games.monarchs import bench, lawful, notation, scenes
from polemos.games.monarchs import view as views
from polemos.games.monarchs.board import INDEX, NAMES, NATIONS
from polemos.games.monarchs.notation import March, Order
from polemos.games.monarchs.rules import events, play, turn
from polemos.games.monarchs.rules.sight import is_open
from polemos.games.monarchs.sheets import enter
from polemos.games.monarchs.start import starting_position
from polemos.games.monarchs.state import (
    GOOD,
    MAX_LINES,
    MAX_TURNS,
    MODES,
    NO_NUMBER,
    NOT_NEXT,
    NOT_YOURS,
    ONLINE,
    RULES,
    SCORINGS,
    SECOND_BLESSING,
    TOO_MANY,
    Sheets,
    Sight,
    State,
    Work,
)
from polemos.games.monarchs.state import Sheet as SheetRecord
from polemos.games.monarchs.view import Setting, View
from polemos.kernel.capabilities.advice import Advice, Alert
from polemos.kernel.capabilities.fixable_dice import FixableDice
from polemos.kernel.capabilities.fog import Fog
from polemos.kernel.capabilities.in_library import InLibrary, Library
from polemos.kernel.capabilities.online_parties import OnlineParties, OnlineParty
from polemos.kernel.capabilities.party import Party, PartyRules
from polemos.kernel.capabilities.pictures import Pictures, SmallPictures
from polemos.kernel.capabilities.presets import Presets
from polemos.kernel.capabilities.simulation import Simulation
from polemos.kernel.capabilities.staging import Staging
from polemos.kernel.capabilities.turn_limit import TurnLimit
from polemos.kernel.capabilities.umpire_calls import UmpireCalls
from polemos.kernel.chronicle import ALL, ECHO, OWN, Event
from polemos.kernel.dice import Chance
from polemos.kernel.errors import IllegalOrder, NotationError, OrderError
from polemos.kernel.game import UMPIRE, Facts, Game, Option
from polemos.kernel.log import SILENT, Log
from polemos.kernel.named import named
from polemos.kernel.orders import Sheet
from polemos.kernel.outcome import Outcome
from polemos.kernel.positions import read_options
from polemos.kernel.record import Many
from polemos.kernel.renamed import ONCE_SEED
from polemos.kernel.scenes import Stage


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a match."""

    rules: Annotated[
        Literal["classic", "2022-04"],
        ONCE_SEED,
        named(
            {"classic": "Classic", "2022-04": "April 2022"},
            description="April 2022 starts with five regiments on each home base instead of three (1.6).",
        ),
    ] = "classic"
    mode: Annotated[
        Literal["party", "online", "open", "court"],
        named(
            {
                "party": "Your map and results",
                "online": "Also what became of your orders",
                "open": "Everything",
                "court": "As at a party with courts",
            },
            title="What you learn after a turn",
            description="From little to everything (9.5). Courts are for parties online.",
        ),
    ] = "online"
    scoring: Annotated[
        Literal["regiments", "battles"],
        named(
            {"regiments": "By regiments beaten", "battles": "By battles won"},
            description="Score by regiments beaten (10.1) or by battles won (10.3).",
        ),
    ] = "regiments"
    turns: Annotated[
        int,
        Meta(ge=0, le=MAX_TURNS, description="How many turns to play; 0 until the umpire announces the last (10.4)."),
    ] = 8


class Monarchs(
    Game[State, Order, Sight, View],
    Advice[View, Order],
    FixableDice[State],
    Fog[State],
    InLibrary,
    OnlineParties,
    Party,
    Pictures[View],
    SmallPictures[View],
    Presets,
    Simulation[State],
    Staging[View],
    TurnLimit[View],
    UmpireCalls[State],
):
    name = "monarchs"
    title = "Monarchs"
    edition = 1
    facts = Facts(
        seats=NATIONS,
        min_seats=3,
        simultaneous=True,
        fog=True,
        dice=True,
        max_lines=MAX_LINES,
        lines_rule="3.1",
        max_events=8192,
        summary="Three nations on 61 hexes march at once in the fog of war.",
    )
    chronicle = events.CHRONICLE
    state_type = State
    sight_type = Sight
    options_type = Options
    order_type: ClassVar[Any] = Order
    view_type = View
    setting_type = Setting
    evening: ClassVar[dict[str, Any]] = {"mode": "party"}  # R61: nothing betrays which orders were carried out
    evening_rules: ClassVar[dict[str, str]] = {"again": "11.1", "stands": "11.2"}
    examples = (
        {},
        {"mode": "party", "turns": 3},
        {"mode": "open", "rules": "2022-04", "scoring": "battles"},
    )

    # ---- the beginning

    def setup(self, options: Mapping[str, Any], seed: object = 0) -> State:
        chosen: Options = read_options(self, options)
        return starting_position(chosen.rules, MODES.index(chosen.mode), SCORINGS.index(chosen.scoring), chosen.turns)

    def options_of(self, state: State) -> dict[str, Any]:
        return {
            "rules": RULES[state.rules],
            "mode": MODES[state.mode],
            "scoring": SCORINGS[state.scoring],
            "turns": state.turns,
        }

    def setting(self, state: State) -> Setting:
        return views.setting_of(state)

    # ---- a step

    def to_act(self, state: State) -> tuple[str, ...]:
        if state.reason:
            return ()
        return tuple(name for nation, name in enumerate(NATIONS) if not state.dropped[nation])

    def read(self, line: object) -> Order:
        return notation.read_order(line)

    def write(self, order: Order) -> str:
        return notation.write_order(order)

    def judge(self, state: State, seat: str, orders: Sequence[Order | None]) -> list[OrderError | None]:
        sheet = SheetRecord()
        enter(sheet, orders)
        scratch, work = state.copy(), Work()
        turn.judge(scratch, NATIONS.index(seat), sheet, work)
        return [
            None if order is None else _error(state, order, sheet.lines[i].fault, scratch)
            for i, order in enumerate(orders)
        ]

    def resolve(self, state: State, sheets: Mapping[str, Sheet[Order] | None], chance: Chance, log: Log) -> None:
        if state.reason:
            raise IllegalOrder("The game has ended.", rule="10.4")
        filed = Sheets()
        for nation, name in enumerate(NATIONS):
            sheet = sheets.get(name)
            if sheet is not None and not state.dropped[nation]:
                enter(filed.of[nation], [line.order for line in sheet.lines])
        turn.resolve(state, filed, chance, log, Work())

    def forfeit(self, state: State, seat: str, log: Log) -> None:
        nation = NATIONS.index(seat)
        state.dropped[nation] = 1
        events.dropped(log, nation)

    def call(self, state: State, text: str) -> None:
        """10.4 `last`: this is the last turn. `turns N`: the game has N turns."""
        words = text.lower().split()
        if state.reason:
            raise IllegalOrder("The game has ended.", rule="10.4")
        if words == ["last"]:
            turns = state.turn
        elif len(words) == 2 and words[0] == "turns" and words[1].isascii() and words[1].isdecimal():
            turns = int(words[1]) if len(words[1]) < 10 else MAX_TURNS + 1
        else:
            raise NotationError("The umpire may call: last, or turns N.", rule="10.4")
        if not state.turn <= turns <= MAX_TURNS:
            raise IllegalOrder(f"The number of turns must lie between {state.turn} and {MAX_TURNS}.", rule="10.4")
        state.turns = turns

    def turns(self, setting: Setting, view: View) -> int | None:
        return view.turns or None

    def outcome(self, state: State) -> Outcome | None:
        return views.outcome_of(state)

    # ---- what is seen, and what may be done

    def look(self, state: State, who: str) -> Sight:
        return views.look(state, who)

    def view(self, sight: Sight) -> View:
        return views.view_of(sight)

    def witness(self, state: State, event: Event, who: str) -> Event | None:
        """9.5 The event as `who` may know it. Nobody learns who fought against each other before the end."""
        kind = events.CHRONICLE.of(event)
        if who == UMPIRE or kind.told == ALL or is_open(state):
            return event
        if events.CHRONICLE.seat_of(event) != who:
            return None
        if kind.told == OWN or (kind.told == ECHO and state.mode == ONLINE):
            return replace(event, **kind.hides)
        return None

    def tells_faults(self, state: State, who: str, whose: str) -> bool:
        return bool(is_open(state)) or (state.mode == ONLINE and who == whose)

    def stages(self, setting: Setting, before: View, events: Sequence[Event]) -> tuple[Stage, ...]:
        return scenes.stages(before, events)

    def lawful(self, sight: Sight, draft: Sequence[Order] = ()) -> list[Option]:
        return lawful.options(sight, draft)

    def line_figures(self, setting: Setting, view: View, draft: Sequence[Order]) -> list[dict[str, Any]]:
        return lawful.line_figures(view, draft)

    def alerts(self, setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Alert]:
        return lawful.alerts(setting, view, draft)

    def figures(self, setting: Setting, view: View) -> dict[str, dict[str, float]]:
        return lawful.figures(view)

    def imagine(self, setting: Setting, view: View, seed: object) -> State:
        return views.imagine(setting, view, seed)

    # ---- notation

    def write_position(self, state: State) -> str:
        return notation.write_position(state)

    def read_position(self, text: str) -> State:
        return notation.read_position(text)

    def fix_dice(self, state: State, chance: Chance, dice: Mapping[str, Any]) -> None:
        notation.fix_dice(chance, dice)

    # ---- mass play

    def measures(self, seconds: float) -> dict[str, float]:
        return {"adjudications_per_second": bench.adjudications_per_second(seconds)}

    def rollout(self, states: Many[State], start: State, seed: int, steps: int) -> int:
        return play.rollout(states, start, seed, steps, Sheets(), Chance(), SILENT, Work())

    # ---- the party

    def begin_party(self, wish: Any, key: str) -> bytes:
        from polemos.games.monarchs.party import online  # it plays this game

        return online.begun(wish, key)

    def resume_party(self, begun: bytes, journal: Iterable[bytes] = ()) -> OnlineParty:
        from polemos.games.monarchs.party import online

        return online.resumed(begun, journal)

    @property
    def library(self) -> Library:
        from polemos.games.monarchs.library import LIBRARY  # only programs in other languages need it

        return LIBRARY

    @property
    def party(self) -> PartyRules:
        from polemos.games.monarchs.hosting import HOST  # only a desk needs it

        return HOST


def _error(state: State, order: Order, fault: int, after: State) -> OrderError | None:
    """The fault of a line in words: what was wrong and what would have been legal."""
    if fault == GOOD:
        return None
    if not isinstance(order, March):
        assert fault == SECOND_BLESSING
        return IllegalOrder("You can bless only one hex per turn, and an earlier line already does.", rule="3.7")
    origin = INDEX[order.origin]
    if fault == NOT_NEXT:
        lawful = ", ".join(views.setting_of(state).hexes[order.origin])
        why = f"{order.target} is not next to {order.origin}. You can march to {lawful}."
        return IllegalOrder(why, rule="3.3")
    if fault == NO_NUMBER:
        return IllegalOrder("The number of regiments must be a whole number of at least 1.", rule="3.4")
    if fault == NOT_YOURS:
        return IllegalOrder(f"You have no regiments on {order.origin}.", rule="3.6")
    assert fault == TOO_MANY
    holds, left = state.regiments[origin], after.regiments[origin]
    regiments = "regiment" if holds == 1 else "regiments"
    others = "" if left == holds else f", and other lines leave {left or 'none'}"
    why = f"{NAMES[origin]} holds {holds} {regiments}{others}; this line asks for {order.number}."
    return IllegalOrder(why, rule="3.5")


GAME = Monarchs()
