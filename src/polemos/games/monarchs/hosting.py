"""The party of Monarchs as a desk runs it: everything as messages (chapter 12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.notation import March, Order
from polemos.games.monarchs.party import acts, carriers, evening, guesses, options, reveal, rounds, stages
from polemos.games.monarchs.party.acts import Entry
from polemos.games.monarchs.party.errands import is_map_there
from polemos.games.monarchs.party.evening import Evening
from polemos.games.monarchs.party.options import Setup
from polemos.games.monarchs.party.refusal import Refused
from polemos.games.monarchs.party.roles import DESK, GAMERUNNER, court_of
from polemos.games.monarchs.party.sight import Sight, sight
from polemos.games.monarchs.party.stages import Stage
from polemos.games.monarchs.party.standing import standing_of
from polemos.games.monarchs.party.state import Errand, State
from polemos.games.monarchs.view import Setting, View
from polemos.kernel.capabilities.party import Lines, Turn
from polemos.kernel.decode import Unreadable
from polemos.kernel.errors import BadOptions, PolemosError


class BadEntry(PolemosError):
    """A message that isn't an act of a party."""

    word = "party/unreadable"


class Candidate(Struct, frozen=True, omit_defaults=True):
    """A courtier of a court, and why they may not carry now."""

    role: str
    name: str
    why: str = ""


class Deed(Struct, frozen=True, omit_defaults=True):
    """A line of the history: an entry of the journal in words."""

    number: int
    at: int  # wall time
    text: str
    kind: str  # of the act
    signed: str = ""
    is_struck: bool = False


class Visit(Struct, frozen=True):
    """A line of the register: when the orders of one court came in one round, and when they were handed in."""

    turn: int
    court: str
    came: int  # wall time
    handed: int | None = None  # wall time


class Card(Struct, frozen=True):
    """What the gamerunners' desk shows."""

    sight: Sight
    stage: Stage
    carriers: dict[str, tuple[Candidate, ...]]  # by court
    came: dict[str, int]  # by courtier: wall time of the last arrival at the desk
    visits: tuple[Visit, ...]  # oldest first
    has_map: dict[str, bool]  # by court: whether its newest map is still at the desk
    history: tuple[Deed, ...]
    is_evening_over: bool  # whether a round released now passes the end of the evening (12.16)


class Host:
    """Implements the kernel's `PartyRules`."""

    # ---- setup

    def read_setup(self, said: Mapping[str, Any], key: str) -> Setup:
        try:
            setup = msgspec.convert({**said, "key": key}, Setup)
        except msgspec.ValidationError as error:
            raise BadOptions(f"This is not a party: {error}.", rule="12.1") from None
        options.check(setup)
        return setup

    def write_setup(self, setup: Setup) -> dict[str, Any]:
        said: dict[str, Any] = msgspec.to_builtins(setup)
        del said["key"]
        return said

    def board_options(self, setup: Setup) -> dict[str, Any]:
        return options.board_options(setup.options)

    def turns_before_maps(self, setup: Setup) -> int:
        return 1 if setup.options.collected else 0  # 12.29

    # ---- the journal

    def begin(self, setup: Setup) -> Evening:
        return evening.open_evening(setup)

    def read_entry(self, said: Mapping[str, Any]) -> Entry:
        try:
            return msgspec.convert(said, Entry)
        except (msgspec.ValidationError, Unreadable) as error:
            raise BadEntry(f"The desk doesn't know this act: {error}.") from None

    def add(self, evening_: Evening, entry: Entry, is_read: bool = False) -> Evening:
        return evening.add(evening_, entry, is_read)

    # ---- the board

    def turns(self, evening: Evening) -> list[Turn]:
        state = evening.state
        errands = {(one.turn, one.court): one.errand for one in state.deliveries}
        if state.played:
            errands |= {(max(state.round, 1), court): errand for court, errand in state.orders.items()}
        return [_turn({n: errands.get((turn, n), Errand()) for n in NATIONS}) for turn in range(1, state.played + 1)]

    def next_turn(self, evening: Evening) -> Turn:
        return _turn({nation: evening.state.errand(nation) for nation in NATIONS})

    def last_turn(self, evening: Evening) -> int | None:
        state = evening.state
        return state.round if state.is_last and state.round else None

    def play(self, view: View) -> dict[str, Any]:
        return {"act": "play", "standing": msgspec.to_builtins(standing_of(view))}

    def settled(self, evening: Evening, view: View) -> Evening:
        return replace(evening, state=replace(evening.state, standing=standing_of(view)))

    def hand_in(self, evening: Evening, seat: str, lines: Sequence[str], reason: str) -> dict[str, Any]:
        state = evening.state
        errand = state.errand(seat)
        if rounds.needs_collecting(state):
            return {"act": "collect", "court": seat, "lines": list(lines)}
        if errand.handed is not None:
            return {"act": "correct", "court": seat, "lines": list(lines), "reason": reason}
        if errand.carrier is None:
            raise Refused(f"Nobody of the {seat} court has brought a sheet.", rule="12.4")
        return {"act": "handin", "role": errand.carrier, "lines": list(lines)}

    def draft_after(self, evening: Evening, entry: Entry) -> tuple[str, Lines] | None:
        match entry.act:
            case acts.Collect(court) | acts.Correct(court):
                return court, ()
            case acts.HandIn(role):
                return court_of(role) or "", ()
            case acts.Strike(number):
                match evening.entries[number - 1].act:
                    case acts.Collect(court, lines):
                        return court, lines
                    case acts.HandIn(role, lines):
                        return court_of(role) or "", lines or ()
        return None

    def has_locked_results(self, evening: Evening) -> bool:
        return guesses.are_results_locked(evening.state)

    def is_over(self, evening: Evening) -> bool:
        return reveal.is_over(evening.state)

    def refuse_locked(self, evening: Evening, is_preview: bool = False) -> None:
        state = evening.state
        if guesses.are_results_locked(state) or (is_preview and state.is_last and state.round):
            guesses.must_be_in(state)

    def refuse_unrevealed(self, evening: Evening) -> None:
        if not reveal.is_over(evening.state):
            raise Refused("This is shown when the reveal is over.", rule="12.27")

    # ---- what is shown

    def sight(self, evening: Evening, role: str) -> Sight:
        return sight(evening.state, role)

    def card(self, evening: Evening, at: int) -> Card:
        state = evening.state
        now = replace(state, at=max(state.at, at))
        known = sight(state, GAMERUNNER)
        assert known.everything is not None
        return Card(
            replace(known, everything=_covered(known.everything)),
            stages.stage(state, at),
            {nation: _candidates(state, nation) for nation in NATIONS},
            {entry.act.role: entry.at for _, entry in evening.standing if isinstance(entry.act, acts.Arrive)},
            tuple(_visits(evening)),
            {nation: is_map_there(state, nation) for nation in NATIONS},
            tuple(_history(evening)),
            rounds.passes_the_evening(now, now.now),
        )

    def loyalties(self, evening: Evening) -> dict[str, str]:
        return evening.state.serves

    def next_errand(self, evening: Evening, seat: str, at: int) -> dict[str, Any] | None:
        state, stage = evening.state, stages.stage(evening.state, at)
        errand, free = state.errand(seat), carriers.may_carry(state, seat)
        if seat in state.fetching:
            is_released = state.round == state.played + 1 and is_map_there(state, seat)
            return {"act": "leave", "role": state.fetching[seat].role} if is_released else None
        if stage.next == "orders" and seat in stage.courts:
            if is_map_there(state, seat) and free:
                return {"act": "arrive", "role": free[0], "errand": "map"}
            if errand.arrived is None and free:
                return {"act": "arrive", "role": free[0], "errand": "orders"}
            return {"act": "handin", "role": errand.carrier} if errand.carrier and errand.handed is None else None
        return None

    # ---- paper

    def papers(self, evening: Evening, setting: Setting, start: View, paper: str) -> list[str]:
        from polemos.games.monarchs.draw import papers

        state = evening.state
        if not state.serves:
            raise Refused("Deal the loyalties first: the role cards need them.", rule="12.2")
        return papers(evening.setup, [sight(state, role) for role in state.all_courtiers], setting, start, paper)

    def board_with_orders(
        self, setting: Setting, view: View, orders: Sequence[Order], theme: str, marked: Sequence[Order] = ()
    ) -> str:
        from polemos.games.monarchs.draw import board

        return board(setting, view, theme, [_drawn(order) for order in orders], [_drawn(order) for order in marked])


def _turn(errands: Mapping[str, Errand]) -> Turn:
    written: dict[str, Lines] = {
        nation: errand.written for nation, errand in errands.items() if errand.written is not None
    }
    carriers = {nation: errand.carrier for nation, errand in errands.items() if errand.carrier is not None}
    return Turn({nation: errand.delivered for nation, errand in errands.items()}, written, carriers)


def _drawn(order: Order) -> tuple[str, str, str, int] | tuple[str, str]:
    return ("march", order.origin, order.target, order.number) if isinstance(order, March) else ("bless", order.hex)


def _candidates(state: State, nation: str) -> tuple[Candidate, ...]:
    """12.3 Everybody of the court; those who may carry have no reason against them."""
    found = []
    for role in state.courtiers(nation):
        why = ""
        if state.last_carrier.get(nation) == role:
            why = "carried the last orders"
        elif state.last_fetcher.get(nation) == role:
            why = "fetched the last map"
        elif state.rooms[role] == DESK:
            why = "at the desk"
        found.append(Candidate(role, state.names[role], why))
    return tuple(found)


def _covered(state: State) -> State:
    """The state without loyalties and without the lines of any sheet: no screen at the desk shows them unasked."""
    return replace(
        state,
        serves=dict.fromkeys(state.serves, ""),
        sheets={},
        orders={nation: _sealed(errand) for nation, errand in state.orders.items()},
        deliveries=tuple(replace(one, errand=_sealed(one.errand)) for one in state.deliveries),
    )


def _sealed(errand: Errand) -> Errand:
    delivered = None if errand.delivered is None else ()
    return replace(errand, written=None, carried=None, changes=(), delivered=delivered)


def _visits(evening: Evening) -> list[Visit]:
    """Every carrier who brought orders, from the entries that stand: a state knows these times only without pauses."""
    turn = 0
    found: dict[tuple[int, str], Visit] = {}
    for _, entry in evening.standing:
        match entry.act:
            case acts.Release():
                turn += 1
            case acts.Play() if turn == 0:  # orders that were collected before the party
                turn = 1
            case acts.Arrive(role, "orders") if court := court_of(role):
                found[turn, court] = Visit(turn, court, entry.at)
            case acts.HandIn(role) if (turn, court := court_of(role) or "") in found:
                found[turn, court] = replace(found[turn, court], handed=entry.at)
    return list(found.values())


# ---- the history in words

WORDS: Final[dict[type[acts.Act], str]] = {
    acts.Deal: "Loyalties dealt",
    acts.Pause: "All clocks paused",
    acts.Resume: "All clocks running again",
    acts.Reveal: "Reveal: next",
}


def _history(evening: Evening) -> list[Deed]:
    names = evening.state.names
    found: list[Deed] = []
    for number, entry in enumerate(evening.entries, 1):
        kind = type(entry.act).__name__.lower()
        if isinstance(entry.act, acts.Strike):
            overruled = ", overruled" if entry.act.overrule else ""
            was = found[entry.act.entry - 1]
            text = f'Took back "{was.text}"{overruled}: {entry.act.reason}'
            if entry.act.instead is not None:  # the next strike of it takes this back
                found[was.number - 1] = replace(was, text=_told(entry.act.instead, names))
        else:
            text = _told(entry.act, names)
        found.append(Deed(number, entry.at, text, kind, entry.signed, number in evening.struck))
    return found


def _told(act: acts.AnyAct, names: Mapping[str, str]) -> str:
    """An act in the words of the register. Lines of sheets are counted, not shown."""

    def name(role: str) -> str:
        return names.get(role, role)

    def court(role: str) -> str:
        return (court_of(role) or "").capitalize()

    match act:
        case acts.Join(who):
            return f"{who} joined as a guest"
        case acts.Replace(role, guest):
            return f"{name(guest)} and {name(role)} changed places"
        case acts.Linked(role, is_moved):
            return f"The link of {name(role)} was {'moved to another phone' if is_moved else 'opened'}"
        case acts.Release(last):
            return "Maps released, the last round" if last else "Maps released"
        case acts.Last(reason):
            return f"Last round announced late: {reason}"
        case acts.Collect(nation, lines):
            return f"{nation.capitalize()}'s first orders collected, {_lines(lines)}"
        case acts.Play():
            return "Turn played"
        case acts.Correct(nation, lines, reason):
            return f"{nation.capitalize()}'s sheet corrected, {_lines(lines)}: {reason}"
        case acts.Write(nation, _):
            return f"{nation.capitalize()}'s own copy noted"
        case acts.Give(nation, to) | acts.Send(nation, to):
            return f"{nation.capitalize()} sent {name(to)}"
        case acts.Alter(role, _):
            return f"{name(role)} changed the sheet"
        case acts.Arrive(role, errand):
            return f"{name(role)} of {court(role)} came {'with orders' if errand == 'orders' else 'for the map'}"
        case acts.HandIn(role, lines):
            return f"{court(role)}'s sheet filed, {_lines(lines or ())}"
        case acts.Leave(role):
            return f"{name(role)} left with {court(role)}'s map"
        case acts.Present(role):
            return f"{name(role)} gave {court(role)} the map"
        case acts.Enter(role, room):
            return f"{name(role)} went to {room if room not in NATIONS else f'the {room} court'}"
        case acts.Admit(nation, role):
            return f"{nation.capitalize()} lets {name(role)} in"
        case acts.Dismiss(nation, role, seconds):
            for_how_long = "for good" if seconds is None else f"for {_lasting(seconds)}"
            return f"{nation.capitalize()} dismissed {name(role)} {for_how_long}"
        case acts.Recall(nation, role):
            return f"{nation.capitalize()} called {name(role)} back"
        case acts.Summon(nation, role):
            return f"{nation.capitalize()} summoned {name(role)}"
        case acts.CallOff(nation):
            return f"{nation.capitalize()} withdrew the summons"
        case acts.Guess(nation, _):
            return f"{nation.capitalize()}'s guess locked"
        case acts.Tell(text):
            return f"Told all courts: {text}"
        case acts.Rule(text):
            return f"Ruling: {text}"
        case _:
            return WORDS[type(act)]


def _lines(lines: Sequence[str]) -> str:
    return f"{len(lines)} line{'' if len(lines) == 1 else 's'}"


def _lasting(seconds: int) -> str:
    return f"{seconds} s" if seconds % 60 else f"{seconds // 60} min"


HOST: Final = Host()
