"""Random evenings for properties: acts that people might try, of which the legal ones happen."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.party import acts, evening
from polemos.games.monarchs.party.acts import AnyAct, Entry
from polemos.games.monarchs.party.options import Court, Options, Setup
from polemos.games.monarchs.party.refusal import Refused
from polemos.games.monarchs.party.roles import CLOCK, GAMERUNNER, SCREEN, SPECTATOR, court_of, is_courtier, is_monarch
from polemos.games.monarchs.party.state import Standing, State, begin
from polemos.kernel import dice

WATCHERS = (GAMERUNNER, CLOCK, SCREEN, SPECTATOR)
SHEETS = ((), ("G5-H4 1",), ("G5-H4 2", "bless H4"), ("bless I5",), ("F4-G3 1", "E3-F2 2"))


def a_setup(seed: int, venue: str = "online", party: str = "2022-04", courtiers: int = 4) -> Setup:
    options: dict[str, Any] = {"venue": venue, "party": party, "rounds": 2, "common": ("hall", "garden")}
    return Setup(
        title="Random",
        key=dice.derive(seed, "chance"),
        courts={
            nation: Court(nation.capitalize(), tuple(f"{nation[0]}{n}" for n in range(courtiers))) for nation in NATIONS
        },
        guests=("Uma", "Ugo"),
        options=Options(**options, round_seconds=60, holding_seconds=4, summons_seconds=4, evening_seconds=120),
    )


def a_standing(chance: Random) -> Standing:
    return Standing(
        {nation: chance.randrange(30, 60) for nation in NATIONS},
        {nation: chance.randrange(15, 25) for nation in NATIONS},
        chance.choice([None, *NATIONS]),
    )


def an_act(state: State, chance: Random) -> AnyAct:
    """Something that somebody might try now."""
    people = sorted(state.names)
    courtiers = [role for role in people if is_courtier(role)]
    walkers = [role for role in people if not is_monarch(role)]
    court: Any = chance.choice(NATIONS)
    own = state.courtiers(court)
    spies: Any = dict(zip((n for n in NATIONS if n != court), chance.sample(own, 2), strict=True))
    sheet = chance.choice(SHEETS)
    common: list[AnyAct] = [
        acts.Write(court, sheet),
        acts.Give(court, chance.choice(own)),
        acts.Send(court, chance.choice(own)),
        acts.Alter(chance.choice(courtiers), sheet),
        acts.Arrive(chance.choice(courtiers), "orders"),
        acts.Arrive(chance.choice(courtiers), "map"),
        acts.HandIn(chance.choice(courtiers), None if state.is_online else sheet),
        acts.Leave(chance.choice(courtiers)),
        acts.Present(chance.choice(courtiers)),
        acts.Enter(chance.choice(walkers), chance.choice([*NATIONS, "hall", "garden"])),
        acts.Enter(chance.choice(own), court),
        acts.Release(),
        acts.Play(a_standing(chance)),
    ]
    seldom: list[AnyAct] = [
        acts.Admit(court, chance.choice(walkers)),
        acts.Dismiss(court, chance.choice(walkers), chance.choice([None, 5, 20])),
        acts.Recall(court, chance.choice(walkers)),
        acts.Summon(court, chance.choice(walkers)),
        acts.CallOff(court),
        acts.Correct(court, sheet, "typed wrongly"),
        acts.Guess(court, spies),
        acts.Pause(),
        acts.Resume(),
        acts.Replace(chance.choice(people), "guest-1"),
        acts.Tell("Hear, hear."),
        acts.Linked(chance.choice(people), chance.random() < 0.5),
        acts.Rule("A 7 may have a bar."),
        acts.Last("time flies"),
        acts.Reveal(),
    ]
    return chance.choice(common if chance.random() < 0.75 else seldom)


def what_comes_next(state: State, chance: Random) -> AnyAct:
    """An act that moves the evening on, so that random evenings reach their end."""
    for nation in NATIONS:
        errand, trip = state.errand(nation), state.fetching.get(nation)
        if errand.arrived is not None and errand.handed is None and not errand.is_late:
            assert errand.carrier is not None
            return acts.HandIn(errand.carrier, None if state.is_online else chance.choice(SHEETS))
        if errand.given is not None and errand.arrived is None and chance.random() < 0.5:
            assert errand.carrier is not None
            return acts.Arrive(errand.carrier, "orders")
        if trip is not None and chance.random() < 0.5:
            return acts.Leave(trip.role)
    for role in state.maps:
        if is_courtier(role) and chance.random() < 0.7:
            court = court_of(role)
            assert court is not None
            return acts.Present(role) if state.rooms[role] == court else acts.Enter(role, court)
    if state.played < state.round:
        return acts.Play(a_standing(chance))
    if state.is_last and state.round:
        return acts.Reveal()
    return acts.Release()


def entries(setup: Setup, seed: int, tries: int = 260) -> Iterator[tuple[State, Entry, State]]:
    """The entries of a random evening, each with the state before and after."""
    chance = Random(seed)
    state, at = begin(setup), 1_000_000
    for number in range(tries):
        act: AnyAct
        if number == 0:
            act = acts.Deal()
        else:
            act = what_comes_next(state, chance) if chance.random() < 0.25 else an_act(state, chance)
        at += chance.choice([0, 0, 1000, 2000, 5000])
        entry = Entry(at, act)
        try:
            after = evening.apply(state, entry)
        except Refused:
            continue
        yield state, entry, after
        state = after
