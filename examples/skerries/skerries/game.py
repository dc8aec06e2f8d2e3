"""The adapter: Skerries in the words of the kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct

from polemos.kernel.capabilities.advice import Advice
from polemos.kernel.capabilities.fixable_dice import FixableDice
from polemos.kernel.capabilities.fog import Fog
from polemos.kernel.capabilities.pictures import Pictures
from polemos.kernel.capabilities.simulation import Simulation
from polemos.kernel.capabilities.turn_limit import TurnLimit
from polemos.kernel.chronicle import ALL, Event
from polemos.kernel.dice import Chance
from polemos.kernel.game import UMPIRE, Facts, Game
from polemos.kernel.log import SILENT, Log
from polemos.kernel.orders import Sheet
from polemos.kernel.positions import read_options
from polemos.kernel.record import Many
from skerries import lawful, notation
from skerries import view as views
from skerries.notation import Row
from skerries.rules import events, play, turn
from skerries.rules.sea import harbour
from skerries.state import BOATS, MAX_LINES, MAX_TURNS, NAMES, SEATS, Sheets, Sight, State
from skerries.view import Setting, View


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a match."""

    seats: Annotated[int, Meta(ge=2, le=len(SEATS), description="How many crews are on the sea.")] = 2
    turns: Annotated[int, Meta(ge=1, le=MAX_TURNS, description="How many turns the game has (4.2).")] = 8


class Skerries(
    Game[State, Row, Sight, View],
    Advice[View, Row],
    FixableDice[State],
    Fog[State],
    Pictures[View],
    Simulation[State],
    TurnLimit[View],
):
    name = "skerries"
    title = "Skerries"
    edition = 1
    facts = Facts(
        seats=SEATS,
        min_seats=2,
        simultaneous=True,
        fog=True,
        dice=True,
        max_lines=MAX_LINES,
        lines_rule="2.1",
        max_events=500,
        summary="Crews row between islands in the mist, and throw dice where they meet.",
    )
    chronicle = events.CHRONICLE
    state_type = State
    sight_type = Sight
    options_type = Options
    order_type: ClassVar[Any] = Row
    view_type = View
    setting_type = Setting
    examples = ({}, {"seats": 3, "turns": 4}, {"seats": 8})

    # What other rooms do already.
    setting = staticmethod(views.setting_of)
    outcome = staticmethod(views.outcome_of)
    look = staticmethod(views.look)
    view = staticmethod(views.view_of)
    imagine = staticmethod(views.imagine)
    judge = staticmethod(lawful.judge)
    alerts = staticmethod(lawful.alerts)
    figures = staticmethod(lawful.figures)
    line_figures = staticmethod(lawful.line_figures)
    lawful = staticmethod(lawful.options)
    read = staticmethod(notation.read_order)
    write = staticmethod(notation.write_order)
    read_position = staticmethod(notation.read_position)
    write_position = staticmethod(notation.write_position)
    fix_dice = staticmethod(notation.fix_dice)

    def setup(self, options: Mapping[str, Any], seed: object) -> State:
        chosen: Options = read_options(self, options)
        crews = {SEATS[seat]: notation.Crew(0, {NAMES[harbour(seat)]: BOATS}) for seat in range(chosen.seats)}
        return notation.position(1, chosen.turns, crews)

    def options_of(self, state: State) -> dict[str, Any]:
        return {"seats": state.seats, "turns": state.turns}

    def seats(self, state: State) -> tuple[str, ...]:
        return SEATS[: state.seats]

    def turns(self, setting: Setting, view: View) -> int:
        return setting.turns

    def to_act(self, state: State) -> tuple[str, ...]:
        over = turn.is_over(state)
        return tuple(SEATS[seat] for seat in range(state.seats) if not over and not state.crews[seat].out)

    def resolve(self, state: State, sheets: Mapping[str, Sheet[Row] | None], chance: Chance, log: Log) -> None:
        filed = Sheets()
        for name, sheet in sheets.items():
            if sheet is not None:
                lawful.enter(filed.of[SEATS.index(name)], [line.order for line in sheet.lines])
        turn.turn(state, filed, chance, log)

    def forfeit(self, state: State, seat: str, log: Log) -> None:
        """4.3 The seat takes its boats off the sea."""
        crew = state.crews[SEATS.index(seat)]
        crew.out = 1
        for place in range(len(NAMES)):
            crew.boats[place] = 0
        events.dropped(log, SEATS.index(seat))

    def witness(self, state: State, event: Event, who: str) -> Event | None:
        """5.2 Rowing is told to its seat alone, all else to everybody; after the end there are no secrets."""
        told = self.chronicle.of(event).told == ALL or who in (UMPIRE, self.chronicle.seat_of(event))
        return event if told or turn.is_over(state) else None

    def tells_faults(self, state: State, who: str, whose: str) -> bool:
        return who == whose or turn.is_over(state)

    def rollout(self, states: Many[State], start: State, seed: int, steps: int) -> int:
        return play.rollout(states, start, seed, steps, Sheets(), Chance(), SILENT)


GAME = Skerries()
