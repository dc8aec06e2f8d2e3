"""12.26 Equal knowledge gives equal bytes, for every role and at every moment of random evenings."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.party import acts, evening
from polemos.games.monarchs.party.acts import AnyAct, Entry
from polemos.games.monarchs.party.options import Setup
from polemos.games.monarchs.party.refusal import Refused
from polemos.games.monarchs.party.reveal import is_over
from polemos.games.monarchs.party.roles import CLOCK, DESK, GAMERUNNER, court_of, is_courtier, others
from polemos.games.monarchs.party.sight import sight
from polemos.games.monarchs.party.state import State, begin
from polemos.kernel import dice
from search import examples

from .random_party import SHEETS, WATCHERS, a_setup, entries

SEEDS = st.integers(0, 2**32 - 1)
VENUES = pytest.mark.parametrize("venue", ["online", "house"])
EVERYBODY = {"release", "last", "pause", "resume"}
ALL_BUT_CLOCKS = {"join", "replace", "linked", "tell", "reveal"}
NOBODY = {"rule", "correct", "collect"}


def told(state: State, role: str) -> bytes:
    """A sight as bytes, but for the fingerprint: twins have other keys, and nobody can read a key from it."""
    known = sight(state, role)
    return msgspec.json.encode(known if known.agreed is None else replace(known, agreed=replace(known.agreed, dice="")))


def test_everybody_knows_the_fingerprint_from_the_beginning() -> None:
    """12.24 Otherwise nobody could check at the end that the key was not chosen later."""
    setup = a_setup(3)
    for role in everyone(begin(setup)):
        agreed = sight(begin(setup), role).agreed
        assert role == CLOCK or (agreed is not None and agreed.dice == dice.fingerprint(setup.key))


def everyone(state: State) -> list[str]:
    return [*sorted(state.names), *WATCHERS]


def kind(act: AnyAct) -> str:
    return type(act).__name__.lower()


def in_the_room(state: State, role: str, room: str) -> bool:
    return room != DESK and state.rooms.get(role) == room


def notices(role: str, act: AnyAct, before: State, after: State) -> bool:
    """Whether this role may notice the act, by 12.26."""
    if role == GAMERUNNER or kind(act) in EVERYBODY:
        return True
    if kind(act) in NOBODY or role == CLOCK:
        return False
    if kind(act) in ALL_BUT_CLOCKS:
        return True
    if role in WATCHERS:
        return False
    moved = [who for who in before.rooms if before.rooms[who] != after.rooms[who]]
    if any(in_the_room(before, role, before.rooms[who]) or in_the_room(after, role, after.rooms[who]) for who in moved):
        return True
    match act:
        case acts.Deal():
            return is_courtier(role)
        case acts.Play():  # whoever stands at the desk for the map gets it
            return any(trip.role == role for trip in before.fetching.values())
        case acts.Write(court) | acts.Guess(court):
            return role == court
        case acts.Give(court, to):
            return role in (court, to)
        case acts.Send(court, to):
            return role in (court, to) or (court in before.sent and before.sent[court].role == role)
        case acts.CallOff(court):
            return role in (court, before.summons[court].role)
        case acts.Admit(court, who) | acts.Dismiss(court, who) | acts.Recall(court, who) | acts.Summon(court, who):
            return role in (court, who)
        case acts.Alter(who) | acts.Arrive(who) | acts.HandIn(who) | acts.Leave(who) | acts.Enter(who):
            return role == who
        case acts.Present(who):
            return role in (who, court_of(who))
    raise AssertionError(act)


@VENUES
@given(seed=SEEDS)
@examples(15)
def test_nobody_notices_what_is_not_theirs_to_notice(venue: str, seed: int) -> None:
    setup = a_setup(seed, venue)
    known = {role: told(begin(setup), role) for role in everyone(begin(setup)) if role != GAMERUNNER}
    for before, entry, after in entries(setup, seed):
        for role in known:
            now = told(after, role)
            assert now == known[role] or notices(role, entry.act, before, after) or is_over(after), (role, entry)
            known[role] = now


def test_random_evenings_do_everything_and_come_to_an_end() -> None:
    """Otherwise the properties here would be about less than they seem to be."""
    happened, ended = set(), 0
    for seed in range(100):
        for _, entry, after in entries(a_setup(seed), seed):
            happened.add(type(entry.act))
            ended += is_over(after)
    assert happened >= set(evening.DOES) - {acts.Join, acts.Collect, acts.Last}
    assert ended > 0


# ---- the same evening with other secrets


def other_cards(state: State, role: str, chance: Random) -> dict[str, str]:
    """Another deal in which this role has the same card."""
    serves: dict[str, str] = {}
    for nation in NATIONS:
        own = list(state.courtiers(nation))
        masters = [*others(nation)] + [nation] * (len(own) - 2)
        while True:
            chance.shuffle(masters)
            dealt = dict(zip(own, masters, strict=True))
            if role not in dealt or dealt[role] == state.serves[role]:
                break
        serves |= dealt
    return serves


def with_other_secrets(role: str, act: AnyAct, is_noticed: bool, chance: Random) -> AnyAct:
    """The act as it might have been for all that this role knows."""
    own = court_of(role)
    match act:
        case acts.Alter() | acts.Correct() | acts.Collect() | acts.HandIn(lines=tuple()) if not is_noticed:
            return replace(act, lines=chance.choice(SHEETS))
        case acts.HandIn(who, lines) if lines is not None and who != role:
            return replace(act, lines=chance.choice(SHEETS))
        case acts.Write(court) if court != own:
            return replace(act, lines=chance.choice(SHEETS))
        case acts.Guess(court, spies) if court != own:
            one, two = spies
            return acts.Guess(court, {one: spies[two], two: spies[one]})
        case acts.Play(standing):
            return acts.Play(replace(standing, total={nation: chance.randrange(30, 60) for nation in NATIONS}))
    return act


def twin_of(
    setup: Setup, steps: list[tuple[State, Entry, State]], role: str, chance: Random
) -> list[tuple[State, State]]:
    """Pairs of states, of the evening and of a twin with another key, other secrets and other hidden moments."""
    pairs = []
    twin = begin(replace(setup, key=dice.derive(chance.random(), "chance")))
    for before, entry, after in steps:
        is_noticed = notices(role, entry.act, before, after)
        act: AnyAct
        if isinstance(entry.act, acts.Deal):
            act = acts.Deal(other_cards(after, role, chance))  # type: ignore[arg-type]
        else:
            act = with_other_secrets(role, entry.act, is_noticed, chance)
        earlier = entry.at if is_noticed else entry.at - chance.randrange(400)
        try:
            twin = evening.apply(twin, Entry(earlier, act))
        except Refused:  # it happened at the first possible moment
            twin = evening.apply(twin, Entry(entry.at, act))
        if after.revealed:
            break
        pairs.append((after, twin))
    return pairs


@VENUES
@given(seed=SEEDS)
@examples(8)
def test_other_secrets_give_the_same_bytes(venue: str, seed: int) -> None:
    setup, chance = a_setup(seed, venue), Random(seed)
    steps = list(entries(setup, seed))
    for role in [*sorted(begin(setup).names), *WATCHERS]:
        if role != GAMERUNNER:
            for one, two in twin_of(setup, steps, role, chance):
                assert told(one, role) == told(two, role), role


def test_the_twins_really_differ() -> None:
    """The comparison above is about evenings with different secrets."""
    pairs = []
    for seed in range(5):
        setup = a_setup(seed)
        pairs += twin_of(setup, list(entries(setup, seed)), "red", Random(seed))
    assert all(one != two for one, two in pairs)
    assert sum(one.orders != two.orders for one, two in pairs) > 10
    assert sum(one.at != two.at for one, two in pairs) > 10


# ---- sizes and moments


@given(seed=SEEDS)
@examples(3)
def test_all_cards_have_the_same_size(seed: int) -> None:
    setup = a_setup(seed)
    sizes = set()
    for number in range(20):
        dealt = evening.apply(begin(replace(setup, key=dice.derive(number, "chance"))), Entry(0, acts.Deal()))
        sizes |= {(role, len(told(dealt, role))) for role in dealt.all_courtiers}
    assert len(sizes) == len({role for role, _ in sizes})


@VENUES
@given(seed=SEEDS)
@examples(4)
def test_what_is_known_does_not_depend_on_the_time_of_the_last_act(venue: str, seed: int) -> None:
    for _, _, after in entries(a_setup(seed, venue), seed):
        later = replace(after, at=after.at + 12_345)
        for role in everyone(after):
            if role != GAMERUNNER and not is_over(after):
                assert told(later, role) == told(after, role)


@given(seed=SEEDS)
@examples(5)
def test_everybody_sees_themselves_in_their_room_and_no_carrier_at_the_desk(seed: int) -> None:
    for _, _, after in entries(a_setup(seed), seed):
        for role in after.names:
            seen = sight(after, role)
            assert seen.room == after.rooms[role]
            assert all(after.rooms[other] == seen.room != DESK for other in seen.here)


def test_nobody_without_a_role_is_told_anything() -> None:
    with pytest.raises(Refused, match=r"Nobody at this party has the role 'red-9'. Rule 12.1."):
        sight(begin(a_setup(1)), "red-9")


def refusal_of(state: State, act: AnyAct, by: str) -> str:
    with pytest.raises(Refused) as refused:
        evening.apply(state, Entry(state.at, act, by))
    return str(refused.value)


def test_a_monarch_does_not_learn_why_somebody_cannot_come() -> None:
    """12.13 In another court, at the desk, carrying, summoned elsewhere: the same words."""
    setup = a_setup(1)
    told: list[AnyAct] = [acts.Deal(), acts.Release(), acts.Enter("green-1", "green")]
    ways: dict[str, list[AnyAct]] = {
        "in another court": [],
        "carrying": [acts.Give("green", "green-1"), acts.Enter("green-1", "hall")],
        "at the desk": [acts.Give("green", "green-1"), acts.Arrive("green-1", "orders")],
        "called elsewhere": [acts.Enter("green-1", "hall"), acts.Summon("blue", "green-1")],
    }
    said = set()
    for way in ways.values():
        state = evening.open_evening(setup, [Entry(0, act) for act in (*told, *way)]).state
        said.add(refusal_of(state, acts.Summon("red", "green-1"), "red"))
    assert said == {"g0 can't come now. Ask again later. Rule 12.13."}


def tries(state: State, role: str) -> list[AnyAct]:
    """What somebody could try in order to learn something, without what doors tell as in a real house."""
    court = court_of(role)
    rooms = [room for room in (*NATIONS, *state.options.common) if room != court]
    walks: list[AnyAct] = [acts.Enter(role, room) for room in rooms]
    if court is None:
        return walks
    own = state.courtiers(court)
    if role == court:
        nation: Any = court
        found: list[AnyAct] = [acts.CallOff(nation), acts.Write(nation, ())]
        for one in own:
            found += [
                acts.Give(nation, one),
                acts.Send(nation, one),
                acts.Recall(nation, one),
                acts.Dismiss(nation, one),
            ]
        return found
    found = [acts.HandIn(role), acts.Leave(role), acts.Present(role), acts.Alter(role, ()), acts.Arrive(role, "orders")]
    is_sent = court in state.sent and state.sent[court].role == role
    return walks + found + ([] if is_sent else [acts.Arrive(role, "map")])


def answer(state: State, act: AnyAct, by: str, at: int) -> str:
    try:
        evening.apply(state, Entry(at, act, by))
    except Refused as refused:
        return str(refused)
    return "done"


@given(seed=SEEDS)
@examples(4)
def test_refusals_tell_nobody_what_is_not_theirs_to_notice(seed: int) -> None:
    setup = a_setup(seed)
    for before, entry, after in entries(setup, seed):
        for role in sorted(before.names):
            if not notices(role, entry.act, before, after):
                for act in tries(before, role):
                    told = [answer(state, act, role, after.at) for state in (before, after)]
                    assert told[0] == told[1], (role, act, entry.act)


@pytest.mark.parametrize("errand", ["orders", "map"])
def test_nobody_learns_at_the_door_of_the_desk_who_has_come(errand: str) -> None:
    """12.6, 12.26 Online somebody without an errand is told the same, whoever is at the desk."""
    told: list[AnyAct] = [acts.Deal(), acts.Release(), acts.Enter("red-1", "red")]
    told.append(acts.Give("red", "red-1") if errand == "orders" else acts.Send("red", "red-1"))
    said = set()
    for came in ([], [acts.Arrive("red-1", errand)]):  # type: ignore[arg-type]
        state = evening.open_evening(a_setup(1), [Entry(0, act) for act in (*told, *came)]).state
        said.add(refusal_of(state, acts.Arrive("red-2", errand), "red-2"))  # type: ignore[arg-type]
    assert len(said) == 1, said


def test_the_reveal_shows_one_thing_at_a_time() -> None:
    """12.27 The next name is not in what is sent before its key is pressed."""
    seed = next(seed for seed in range(100) if any(is_over(after) for _, _, after in entries(a_setup(seed), seed)))
    shown = [after for _, entry, after in entries(a_setup(seed), seed) if isinstance(entry.act, acts.Reveal)]
    assert [len(sight(state, "screen").shown) for state in shown] == list(range(1, len(shown) + 1))
    for one, two in pairwise(shown):
        assert sight(two, "screen").shown[:-1] == sight(one, "screen").shown
