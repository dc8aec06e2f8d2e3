"""An evening: the journal of its acts, and the state that follows from them (12.25).

`apply` is the whole party as one function: state and entry in, next state out, or a refusal that cites a paragraph.
`Evening` adds what no single state can do: striking an earlier entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from polemos.games.monarchs.party import acts, courts, errands, guesses, loyalty, reveal, rounds, times
from polemos.games.monarchs.party.acts import AnyAct, Entry, Leave, Strike
from polemos.games.monarchs.party.options import Setup
from polemos.games.monarchs.party.refusal import Refused
from polemos.games.monarchs.party.roles import GAMERUNNER, court_of
from polemos.games.monarchs.party.state import Note, State, begin


def pause(state: State, act: acts.Pause) -> State:
    """12.9 Gamerunners may pause the evening for everybody."""
    if state.clock.stopped is not None:
        raise Refused("The clocks are paused.", rule="12.9")
    return replace(state, clock=times.pause(state.clock, state.at))


def resume(state: State, act: acts.Resume) -> State:
    """12.9 The evening goes on for everybody."""
    if state.clock.stopped is None:
        raise Refused("The clocks are running.", rule="12.9")
    return replace(state, clock=times.resume(state.clock, state.at))


def tell(state: State, act: acts.Tell) -> State:
    """12.26 All courts are told the same."""
    return replace(state, notices=(*state.notices, Note(state.round, state.at, act.text)))


# What each kind of act does.
DOES: Final[dict[type[acts.Act], Callable[[State, Any], State]]] = {
    acts.Deal: loyalty.deal,
    acts.Join: loyalty.join,
    acts.Replace: loyalty.stand_in,
    acts.Linked: loyalty.linked,
    acts.Release: rounds.release,
    acts.Last: rounds.announce_last,
    acts.Collect: rounds.collect,
    acts.Play: rounds.play,
    acts.Correct: errands.correct,
    acts.Pause: pause,
    acts.Resume: resume,
    acts.Write: errands.write,
    acts.Give: errands.give,
    acts.Send: errands.send,
    acts.Alter: errands.alter,
    acts.Arrive: errands.arrive,
    acts.HandIn: errands.hand_in,
    acts.Leave: errands.leave,
    acts.Present: errands.present,
    acts.Enter: courts.enter,
    acts.Admit: courts.admit,
    acts.Dismiss: courts.dismiss,
    acts.Recall: courts.recall,
    acts.Summon: courts.summon,
    acts.CallOff: courts.call_off,
    acts.Guess: guesses.guess,
    acts.Reveal: reveal.reveal,
    acts.Tell: tell,
}


def may_do(state: State, by: str, act: AnyAct) -> bool:
    """12.26 Gamerunners enter any act; online a role also does its own."""
    return by == GAMERUNNER or (state.is_online and by in state.names and acts.doer(act) == by)


def apply(state: State, entry: Entry) -> State:
    """The state after an act. An act stamped before the last one counts at the time of the last one."""
    if not may_do(state, entry.by, entry.act):
        raise Refused("This is not yours to do.", rule="12.26")
    state = replace(state, at=max(state.at, entry.at))
    match entry.act:
        case acts.Rule(text):
            note = Note(max(state.round, 1), state.at, text, entry.signed)
            return replace(state, rulings=(*state.rulings, note))
        case Strike():
            raise Refused("Only an evening can strike an entry.", rule="12.25")
        case act:
            return DOES[type(act)](state, act)


# What happens at the desk during a round, before its turn is played.
AT_THE_DESK: Final = (acts.Arrive, acts.HandIn, acts.Correct)


class Evening(Struct, frozen=True):
    """A journal and the state that follows from it."""

    setup: Setup
    state: State
    entries: tuple[Entry, ...] = ()
    was_open: bool = False  # whether the results of the last turn could be seen at some moment, struck since or not

    @property
    def struck(self) -> frozenset[int]:
        """The numbers of entries that were taken back, and for which nothing else stands."""
        return frozenset(number for number, strike in _strikes(self.entries).items() if strike.instead is None)

    @property
    def standing(self) -> list[tuple[int, Entry]]:
        """The entries that stand, as they stand, with their numbers. Strikes are among them."""
        strikes, found = _strikes(self.entries), []
        for number, entry in enumerate(self.entries, 1):
            if number not in strikes:
                found.append((number, entry))
            elif (instead := strikes[number].instead) is not None:
                found.append((number, replace(entry, act=instead)))
        return found


def _strikes(entries: Iterable[Entry]) -> dict[int, Strike]:
    """The last strike of each entry that has one."""
    return {entry.act.entry: entry.act for entry in entries if isinstance(entry.act, Strike)}


def open_evening(setup: Setup, entries: Iterable[Entry] = ()) -> Evening:
    """An evening with these entries in its journal."""
    evening = Evening(setup, begin(setup))
    for entry in entries:
        evening = add(evening, entry, is_read=True)
    return evening


def add(evening: Evening, entry: Entry, is_read: bool = False) -> Evening:
    """The evening with one more entry; refuses what the book forbids, and then nothing has changed.

    `is_read`: the entry stands in a journal. In earlier versions results did not lock anything, and whoever came for a
    map that there never was had to wait for it.
    """
    entries = (*evening.entries, entry)
    if isinstance(entry.act, Strike):
        check_strike(evening, entry)
        if not is_read:
            check_shown(evening, entry.act)
        state = told_again(replace(evening, entries=entries))
    else:
        if not is_read:
            check_map(evening.state, entry.act)
        state = apply(evening.state, entry)
    was_open = evening.was_open or guesses.is_open(state)
    return replace(evening, entries=entries, state=state, was_open=was_open)


def check_map(state: State, act: AnyAct) -> None:
    """12.18 After the last turn nobody comes for a map: they would wait until the end of the party."""
    if isinstance(act, acts.Arrive) and act.errand == "map" and state.is_last_played:
        raise Refused("The last turn has been played: no map follows before the reveal.", rule="12.18")


def check_strike(evening: Evening, entry: Entry) -> None:
    """12.25 A reason is needed; what happened before a map left the desk stands, unless that is overruled."""
    strike = entry.act
    assert isinstance(strike, Strike)
    if not may_do(evening.state, entry.by, strike):
        raise Refused("This is not yours to do.", rule="12.26")
    if not strike.reason.strip():
        raise Refused("Give a reason; it is kept in the journal.", rule="12.25")
    numbered = dict(enumerate(evening.entries, 1))
    if strike.entry not in numbered or isinstance(numbered[strike.entry].act, Strike):
        raise Refused(f"There is no entry {strike.entry} that could be struck.", rule="12.25")
    if strike.entry in evening.struck:
        raise Refused(f"Entry {strike.entry} has been struck already.", rule="12.25")
    standing = [(number, given.act) for number, given in evening.standing]
    if strike.instead is not None:
        check_instead(evening, dict(standing)[strike.entry], strike.instead)
    out = [number for number, act in standing if isinstance(act, Leave)]
    if isinstance(numbered[strike.entry].act, AT_THE_DESK):
        # No map shows it before the turn has been played: one of the last turn that leaves later changes nothing.
        turns = [number for number, act in standing if isinstance(act, acts.Play)]
        out = out if turns and strike.entry < turns[-1] else []
    if out and strike.entry <= out[-1] and not strike.overrule:
        raise Refused("A map has left the desk since then, so this stands.", rule="12.25")


def check_instead(evening: Evening, was: AnyAct, act: acts.Arrive) -> None:
    """12.25 Whoever was checked in as somebody else keeps the time at which they came."""
    if evening.state.is_online or not isinstance(was, acts.Arrive):
        raise Refused("Only an arrival at the desk can be somebody else's.", rule="12.25")
    if (court_of(act.role), act.errand) != (court_of(was.role), was.errand):
        raise Refused("It can only have been somebody else of the same court, on the same errand.", rule="12.25")


def check_shown(evening: Evening, strike: Strike) -> None:
    """12.25 A guess stands once results can be seen, and all before the reveal once it has begun, unless overruled."""
    if strike.overrule:
        return
    # Entries that were struck count, too: what people have seen they know.
    shown = [number for number, entry in enumerate(evening.entries, 1) if isinstance(entry.act, acts.Reveal)]
    if shown and strike.entry <= shown[-1]:
        raise Refused("The reveal has begun since then, so this stands.", rule="12.25")
    if evening.was_open and isinstance(evening.entries[strike.entry - 1].act, acts.Guess):
        raise Refused("This guess is locked: the results could be seen since then.", rule="12.25")


def told_again(evening: Evening) -> State:
    """12.25 The state after all entries that stand."""
    state, last = begin(evening.setup), evening.entries[-1].act
    for number, entry in evening.standing:
        match entry.act:
            case Strike(overrule=overrule):
                state = replace(state, at=max(state.at, entry.at))
                if overrule:
                    note = Note(state.round, state.at, correction(evening.entries[entry.act.entry - 1].act))
                    state = replace(state, notices=(*state.notices, note))
            case _:
                try:
                    state = apply(state, entry)
                except Refused as refusal:
                    if isinstance(last, Strike) and last.entry == number:
                        raise  # whoever is said to have come instead may not
                    raise Refused(
                        f"Strike entry {number} first, which needs this one. {refusal}", rule="12.25"
                    ) from None
    return state


def correction(act: AnyAct) -> str:
    """12.25 What all courts are told when an entry is struck that stood."""
    match act:
        case acts.Guess(court):
            return f"The gamerunners have taken back the guess of the {court} court, although results could be seen."
        case acts.Reveal():
            return "The gamerunners have taken back a step of the reveal."
        case _:
            return "The gamerunners have corrected an earlier turn."
