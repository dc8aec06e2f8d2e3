"""What happens by itself at a party online: bots act, timers end, and a server can lead in the gamerunners' place.

Turns are played and maps released at times that follow from the clocks alone (12.7, 12.6), never sooner because all
sheets are in: nobody can tell from the length of a round when somebody handed something in.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.bots import BOTS
from polemos.games.monarchs.game import GAME
from polemos.games.monarchs.party import acts, bots, carriers, errands, evening, guesses, reveal, times
from polemos.games.monarchs.party.acts import AnyAct, Entry
from polemos.games.monarchs.party.refusal import Refused
from polemos.games.monarchs.party.roles import DESK, GAMERUNNER, SERVER, court_of, is_monarch
from polemos.games.monarchs.party.sight import Sight, sight
from polemos.games.monarchs.party.state import Lines, Standing, State
from polemos.games.monarchs.party.times import SECOND
from polemos.kernel.capabilities.online_parties import Deed

if TYPE_CHECKING:
    from polemos.games.monarchs.party.online import Online

BEATS: Final = 60  # a bot does something at most this often in a round
SHOWN: Final = 4 * SECOND  # how long each thing of the reveal is shown before the next, at most
PLAYER: Final = "raider"  # orders for a bot on a throne: quick, and never the same as people's
GIVES: Final = 0.3  # of a round, until a bot on a throne gives its sheet away


def next_deed(online: Online, at: int) -> tuple[Deed | None, int | None]:
    """What happens by itself at this wall time, if anything; and when to ask again at the latest."""
    state = replace(online.state, at=max(online.state.at, at))
    if state.clock.stopped is not None or not state.serves or reveal.is_over(state):
        return None, None
    looks: list[int] = []
    due = led(online, state) if online.plan.is_led else ()
    for when, act in (*brought(online, state), *cleared(state), *due):
        if state.now >= when:
            if _is_allowed(online, act, GAMERUNNER, at):
                return Deed(SERVER, msgspec.to_builtins(act)), at
        else:
            looks.append(times.until(state.clock, when).at or at)
    beat = max(50, state.options.round_seconds * SECOND // BEATS)
    acted = _last_acts(online)
    present = online.bots
    for role in present:
        rest = acted.get(role, 0) + int(beat * (0.5 + bots.chance(state.setup.key, role, state.round).random())) - at
        if rest > 0:
            looks.append(at + rest)
            continue
        looks.append(at + beat)
        for act in _wishes(online, state, role, present):
            if _is_allowed(online, act, role, at):
                return Deed(role, msgspec.to_builtins(act)), at
    return None, min(looks, default=None)


def _is_allowed(online: Online, act: AnyAct, by: str, at: int) -> bool:
    if isinstance(act, acts.Play):
        return True
    try:
        evening.add(online.evening, Entry(at, act, by))
    except Refused:
        return False
    return True


def _last_acts(online: Online) -> dict[str, int]:
    """When each role last did something that others may notice: a changed sheet must not make a carrier slower."""
    return {entry.by: entry.at for entry in online.evening.entries if not isinstance(entry.act, acts.Alter)}


# ---- timers, whoever leads: online nobody stands beside people who could insist


def last_time(online: Online, is_meant: Callable[[AnyAct], bool]) -> int | None:
    """12.9 The party time of the last act that is meant: a pause before it has not been waited for yet."""
    clock, found = times.Clock(), None
    for number, entry in enumerate(online.evening.entries, 1):
        if number in online.evening.struck:
            continue
        match entry.act:
            case acts.Pause():
                clock = times.pause(clock, entry.at)
            case acts.Resume():
                clock = times.resume(clock, entry.at)
            case act if is_meant(act):
                found = times.party_time(clock, entry.at)
    return found


def brought(online: Online, state: State) -> Iterable[tuple[int, AnyAct]]:
    """12.13 Nobody refuses a summons: whoever has not come in time is brought in, unless they carry something."""
    for nation in NATIONS:
        summons = state.summons.get(nation)
        if summons is None or summons.came is not None or carriers.is_carrying(state, summons.role):
            continue
        call = acts.Summon(nation, summons.role)
        called = last_time(online, lambda act, call=call: act == call)  # type: ignore[misc]
        if called is not None and state.rooms[summons.role] != DESK:
            yield called + state.options.summons_seconds * SECOND, acts.Enter(summons.role, nation)


def closing(state: State) -> int:
    """12.8 When a carrier who came at the last moment has waited: then the turn is played, whoever came."""
    assert state.due is not None
    return state.due + state.options.holding_seconds * SECOND + SECOND


def cleared(state: State) -> Iterable[tuple[int, AnyAct]]:
    """12.10 Nobody keeps the desk: neither the others waiting with a sheet, nor the court's next fetcher out."""
    if not state.round or state.played == state.round:
        return
    for nation in NATIONS:
        errand, trip = state.errand(nation), state.fetching.get(nation)
        if errand.carrier is not None and errand.arrived is not None and errand.handed is None and not errand.is_late:
            yield closing(state), acts.HandIn(errand.carrier)
        if trip is not None and errands.is_map_there(state, nation):
            yield closing(state), acts.Leave(trip.role)


# ---- leading


def opening(online: Online, state: State) -> int:
    """12.7 When the first maps are released: after the cards were dealt there is time to go to a court and be sent."""
    dealt = last_time(online, lambda act: isinstance(act, acts.Deal))
    assert dealt is not None
    return dealt + 2 * state.options.holding_seconds * SECOND + SECOND


def led(online: Online, state: State) -> Iterable[tuple[int, AnyAct]]:
    """12.7 to 12.10 and 12.27 What gamerunners do next, and from which party time on."""
    if not state.round:
        yield opening(online, state), acts.Release()
    elif state.played < state.round:
        yield closing(state), acts.Play(evening_standing())
    elif not state.is_last:
        yield state.ready + state.options.holding_seconds * SECOND, acts.Release()
    elif guesses.is_open(state):
        pause = min(SHOWN, state.options.round_seconds * SECOND // BEATS)
        yield times.party_time(state.clock, online.state.at) + pause, acts.Reveal()


def evening_standing() -> Standing:
    """A turn is played without saying how it ends: the board says that."""
    return Standing({}, {})


# ---- bots


def _wishes(online: Online, state: State, role: str, present: Mapping[str, bots.Temperament]) -> Iterable[AnyAct]:
    known = sight(state, role)
    if is_monarch(role):
        return bots.monarch_acts(known, _is_time(state, role), _orders(online, known), state.setup.key)
    court = court_of(role)
    assert court is not None
    is_on_duty = role in _on_duty(state, court, present)
    return bots.courtier_acts(known, present[role], is_on_duty, state.hall, state.setup.key)


def _is_time(state: State, role: str) -> bool:
    """Whether a bot on a throne gives its sheet away: at a moment of its own, the same whatever the others do."""
    if state.released is None:
        return False
    part = GIVES + 0.2 * bots.chance(state.setup.key, role, state.round, "gives").random()
    return state.now >= state.released + part * state.options.round_seconds * SECOND


def _on_duty(state: State, court: str, present: Collection[str]) -> tuple[str, ...]:
    """The bots that wait in their court: two who may carry, as a monarch would ask them to; fewer beside people."""
    most = bots.IDLE if all(role in present for role in state.courtiers(court)) else bots.BESIDE_PEOPLE
    able = [role for role in carriers.may_carry(state, court) if role in present]
    bots.chance(state.setup.key, court, state.round, "duty").shuffle(able)
    return tuple(able[:most])


def _orders(online: Online, known: Sight) -> Lines | None:
    """Orders for the newest map that was brought to this monarch; None without a map of this round."""
    round = known.times.round
    if not round or round - 1 not in known.maps or known.errand is None or known.errand.given is not None:
        return None
    if known.errand.written:
        return known.errand.written
    view = GAME.observe(online.match.state_at(round - 1), known.role)
    seed = bots.chance(online.plan.setup.key, known.role, round, "orders").randrange(2**32)
    orders = BOTS[PLAYER](online.match.setting, known.role, seed).orders(view, 1.0)
    return tuple(GAME.write(order) for order in orders)  # type: ignore[arg-type]
