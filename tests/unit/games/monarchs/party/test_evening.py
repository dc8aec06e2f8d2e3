"""The journal of an evening: it can be read again, corrected, and fed with nonsense."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from polemos.games.monarchs import party
from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.party import acts, evening
from polemos.games.monarchs.party.acts import AnyAct, Entry
from polemos.games.monarchs.party.options import Court, Options, Setup, check
from polemos.games.monarchs.party.refusal import Refused
from polemos.games.monarchs.party.roles import CLOCK, GAMERUNNER, is_courtier
from polemos.games.monarchs.party.state import State, begin
from polemos.kernel.errors import BadOptions, PolemosError
from search import examples

from .random_party import a_setup, an_act, entries

SEEDS = st.integers(0, 2**32 - 1)


def refusal_of(state: State, entry: Entry) -> PolemosError | None:
    try:
        evening.apply(state, entry)
    except PolemosError as error:
        return error
    return None


def whole(seed: int, venue: str = "online") -> tuple[Setup, list[Entry], State]:
    setup = a_setup(seed, venue)
    steps = list(entries(setup, seed))
    return setup, [entry for _, entry, _ in steps], steps[-1][2]


@given(seed=SEEDS)
@examples(10)
def test_a_journal_read_again_gives_the_same_evening(seed: int) -> None:
    setup, kept, state = whole(seed)
    lines = [msgspec.json.encode(entry) for entry in kept]
    read = [msgspec.json.decode(line, type=Entry) for line in lines]
    assert read == kept
    again = msgspec.json.decode(msgspec.json.encode(setup), type=Setup)
    assert evening.open_evening(again, read).state == state


def test_journals_from_before_results_locked_anything_are_read() -> None:
    """12.25 A strike that is refused today stands in a journal of an earlier version."""
    setup, kept, _ = next(one for one in map(whole, range(200)) if isinstance(one[1][-1].act, acts.Reveal))
    strike = Entry(kept[-1].at + 1000, acts.Strike(len(kept), "a slip"))
    with pytest.raises(Refused, match="reveal has begun"):
        evening.add(evening.open_evening(setup, kept), strike)
    assert (
        evening.open_evening(setup, [*kept, strike]).state.revealed
        == evening.open_evening(setup, kept).state.revealed - 1
    )


@given(seed=SEEDS)
@examples(10)
def test_a_struck_entry_was_never_made(seed: int) -> None:
    """12.25 Whatever can be struck: the evening is the same as without it, but for the time."""
    setup, kept, state = whole(seed)
    told = evening.open_evening(setup, kept)
    chance = Random(seed)
    for number in chance.sample(range(1, len(kept) + 1), min(8, len(kept))):
        strike = Entry(state.at + 5000, acts.Strike(number, "a slip", overrule=True))
        without = [entry for place, entry in enumerate(kept, 1) if place != number]
        try:
            wanted = evening.open_evening(setup, without).state
        except Refused:  # others depend on it
            with pytest.raises(Refused, match=r"Rule 12\.25"):
                evening.add(told, strike)
            continue
        struck = evening.add(told, strike)
        assert replace(struck.state, at=wanted.at, notices=wanted.notices) == wanted
        assert evening.open_evening(setup, struck.entries) == struck


@given(seed=SEEDS)
@examples(10)
def test_a_refusal_cites_a_paragraph_and_changes_nothing(seed: int) -> None:
    _, _, state = whole(seed)
    chance = Random(seed)
    before = msgspec.json.encode(state)
    for _ in range(60):
        refusal = refusal_of(state, Entry(state.at + 1000, an_act(state, chance)))
        assert refusal is None or (refusal.rule or "").startswith("12.")
    assert msgspec.json.encode(state) == before


ODD = ["", "red", "red-0", "red-9", "blue-1", "guest-1", "guest-99", "desk", "hall", "clock", "gamerunner", "\x00", "é"]


@given(seed=SEEDS, roles=st.lists(st.sampled_from(ODD), min_size=2, max_size=2))
@examples(25)
def test_nonsense_is_refused_and_never_crashes(seed: int, roles: list[str]) -> None:
    _, _, state = whole(seed % 50)
    who, other = roles
    nation: Any = NATIONS[seed % 3]
    tried: list[AnyAct] = [
        acts.Deal({who: nation}),
        acts.Join(who),
        acts.Replace(who, other),
        acts.Give(nation, who),
        acts.Send(nation, who),
        acts.Alter(who, ()),
        acts.Arrive(who, "orders"),
        acts.Arrive(who, "map"),
        acts.HandIn(who),
        acts.HandIn(who, ()),
        acts.Leave(who),
        acts.Present(who),
        acts.Enter(who, other),
        acts.Admit(nation, who),
        acts.Dismiss(nation, who),
        acts.Recall(nation, who),
        acts.Summon(nation, who),
        acts.CallOff(nation),
        acts.Guess(nation, {"red": who, "green": other}),
        acts.Strike(seed + 1, "no such entry"),
    ]
    for act in tried:
        for by in (GAMERUNNER, who, CLOCK):
            refusal = refusal_of(state, Entry(state.at, act, by))
            assert refusal is None or refusal.rule is not None


@pytest.mark.parametrize("venue", ["online", "house"])
@given(seed=SEEDS)
@examples(10)
def test_what_always_holds(venue: str, seed: int) -> None:
    for _, entry, state in entries(a_setup(seed, venue), seed):
        for nation in NATIONS:
            own = [role for role in state.courtiers(nation) if state.rooms[role] == nation]
            assert len(own) <= 3, "12.14"
            assert state.rooms[nation] == nation, "12.11"
            carrier, fetcher = state.last_carrier.get(nation), state.last_fetcher.get(nation)
            assert carrier is None or carrier != fetcher, "12.3"
            if isinstance(entry.act, acts.Play):
                errand = state.errand(nation)
                assert (errand.delivered is None) == (errand.handed is None), "12.8"
        assert state.round - 1 <= state.played <= state.round or state.round == 0


@given(seed=SEEDS)
@examples(10)
def test_nobody_carries_twice_in_a_row(seed: int) -> None:
    """12.3 Over whole evenings: not who carried the most recent orders, not who fetched the most recent map."""
    last: dict[tuple[str, str], str] = {}
    for before, entry, _ in entries(a_setup(seed, "house"), seed):
        if isinstance(entry.act, acts.Arrive):
            role, errand = entry.act.role, entry.act.errand
            court = role.partition("-")[0]
            assert last.get((court, "orders")) != role
            assert last.get((court, "map")) != role
            assert is_courtier(role)
            last[court, errand] = role
        assert before.at <= entry.at


# ---- setting up


def a_court(*names: str) -> Court:
    return Court(names[0], names[1:])


@pytest.mark.parametrize(
    ("courts", "why"),
    [
        ({}, "There are three courts: red, green, blue."),
        ({"red": 2}, "The red court has 2 courtiers. It needs 3 to 8."),
        ({"red": 9, "green": 5, "blue": 5}, "The red court has 9 courtiers. It needs 3 to 8."),
    ],
)
def test_parties_that_cannot_begin(courts: dict[str, int], why: str) -> None:
    named = {nation: a_court(nation, *(f"{nation}{n}" for n in range(many))) for nation, many in courts.items()}
    if named and len(named) < 3:
        named |= {nation: a_court(nation, *(f"{nation}{n}" for n in range(5))) for nation in NATIONS if nation != "red"}
    with pytest.raises(BadOptions) as refused:
        begin(Setup("", "0" * 32, named))
    assert refused.value.why == why
    assert refused.value.rule == "12.1"


@pytest.mark.parametrize("name", ["", " Ann", "A\nB", "A  B", "x" * 61, "\u200b\x07"])
def test_names_that_nobody_can_have(name: str) -> None:
    setup = a_setup(1)
    with pytest.raises(BadOptions, match="can't be a name"):
        check(replace(setup, guests=(name,)))


@pytest.mark.parametrize("rooms", [("red",), ("desk",), ("hall", "hall"), ("",)])
def test_rooms_have_names_of_their_own(rooms: tuple[str, ...]) -> None:
    setup = a_setup(1)
    with pytest.raises(BadOptions, match="Each room"):
        check(replace(setup, options=replace(setup.options, common=rooms)))


@pytest.mark.parametrize(
    "given",
    [{"party": "2022-03"}, {"rounds": 51}, {"rounds": -1}, {"venue": "garden"}, {"common": []}, {"courtiers": 5}],
)
def test_options_that_do_not_exist_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(given, Options)


# ---- documents


@pytest.mark.parametrize("module", [found.name for found in pkgutil.iter_modules(party.__path__)])
def test_examples_in_docstrings_run(module: str) -> None:
    assert doctest.testmod(importlib.import_module(f"{party.__name__}.{module}")).failed == 0


def test_every_act_is_done_by_somebody() -> None:
    """No kind of act can be entered in a journal that nothing carries out."""
    kinds = set(acts.AnyAct.__args__)
    assert kinds == set(evening.DOES) | {acts.Rule, acts.Strike}
