"""What each role may know (12.26). Everything that leaves the desk for a person or a screen is made from a `Sight`.

A sight is built from what the role has seen, never by leaving things out of the whole: what is not fetched here can't
be told. Lists are sorted by role, so that their order betrays nothing, and a loyalty is one letter, so that all cards
have the same size.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from polemos.games.monarchs.board import LETTERS, NATIONS
from polemos.games.monarchs.party import carriers, courts, errands, guesses, reveal, times
from polemos.games.monarchs.party.clocks import Clocks, clocks
from polemos.games.monarchs.party.options import Options
from polemos.games.monarchs.party.refusal import Refused
from polemos.games.monarchs.party.reveal import AnyItem
from polemos.games.monarchs.party.roles import CLOCK, DESK, GAMERUNNER, WATCHING, court_of, is_courtier, is_monarch
from polemos.games.monarchs.party.state import Lines, Note, State
from polemos.games.monarchs.party.times import Until
from polemos.kernel import dice


class Times(Struct, frozen=True, omit_defaults=True):
    """The clock on every wall: the same for everybody."""

    round: int
    is_last: bool = False
    is_paused: bool = False
    due: Until | None = None


class Agreed(Struct, frozen=True):
    """What was agreed before the evening, and everybody knows."""

    party: str  # the edition
    rounds: int  # 0: until the last is announced
    round_seconds: int
    holding_seconds: int
    summons_seconds: int
    common: tuple[str, ...]
    abstain: bool
    dice: str  # the fingerprint of the key, which the reveal ends with (12.24)


class Person(Struct, frozen=True):
    """Who somebody is. Everybody knows this: courtiers wear the colours of their court."""

    role: str
    name: str
    court: str | None


class Card(Struct, frozen=True):
    """A courtier's card: the letter of the nation they serve."""

    serves: str


class InHand(Struct, frozen=True):
    """A sheet in a courtier's hands: as they got it, and as it is now."""

    given: Lines
    lines: Lines


class Waiting(Struct, frozen=True):
    """A carrier's minute at the desk."""

    errand: str
    until: Until


class Called(Struct, frozen=True, omit_defaults=True):
    """A summons, for the one who was summoned or for the monarch. The minute starts when they come."""

    court: str
    role: str
    until: Until | None = None


class Ban(Struct, frozen=True, omit_defaults=True):
    """A dismissal. Without an end it is for good."""

    court: str
    role: str
    until: Until | None = None


class Errand(Struct, frozen=True, omit_defaults=True):
    """A monarch's own sheet: what they wrote, and who has it since when. Nothing of what became of it."""

    written: Lines = ()
    carrier: str | None = None
    given: int | None = None  # wall time
    fetcher: str | None = None  # sent for a map last
    fetches: int | None = None  # the number of that map


class Lead(Struct, frozen=True):
    """For the host of a party online: whether the server leads it, and whether the cards are dealt."""

    is_led: bool
    is_dealt: bool


class Sight(Struct, frozen=True, omit_defaults=True):
    """Everything that one role may know at this moment."""

    role: str
    times: Times
    agreed: Agreed | None = None
    people: tuple[Person, ...] = ()
    notices: tuple[Note, ...] = ()
    shown: tuple[AnyItem, ...] = ()  # by the reveal
    room: str | None = None
    here: tuple[str, ...] = ()  # who else is in the room
    maps: tuple[int, ...] = ()  # numbers of the maps of their own nation that they may read now
    card: Card | None = None
    sheet: InHand | None = None
    waiting: Waiting | None = None
    may_carry: tuple[str, ...] = ()  # the courtiers this monarch can choose from
    is_sent: bool = False  # for the map, by their monarch
    summons: tuple[Called, ...] = ()
    bans: tuple[Ban, ...] = ()
    admitted: tuple[str, ...] = ()  # for a monarch: who may come in; for anybody else: which courts let them in
    errand: Errand | None = None  # of this monarch
    guess: dict[str, str | None] | None = None  # of this monarch
    lead: Lead | None = None  # for the host of a party online
    clocks: Clocks | None = None  # for gamerunners
    everything: State | None = None  # for gamerunners; for everybody after the reveal


def sight(state: State, role: str) -> Sight:
    """12.26 What this role may know now. It never depends on when somebody else did something in secret."""
    known = Sight(role, clock_of(state))
    if role == CLOCK:
        return known
    known = replace(
        known,
        agreed=agreed(state.options, state.setup.key),
        people=tuple(Person(other, state.names[other], court_of(other)) for other in sorted(state.names)),
        notices=state.notices,
        shown=reveal.shown(state),
    )
    if reveal.is_over(state):
        known = replace(known, everything=state)
    if role == GAMERUNNER:
        known = replace(known, clocks=clocks(state))
        return known if reveal.is_over(state) else replace(known, everything=at_the_desk(state))
    if role in WATCHING:
        return known
    if role not in state.names:
        raise Refused(f"Nobody at this party has the role {role[:20]!r}.", rule="12.1")
    known = of_anybody(state, role, known)
    if is_monarch(role):
        return of_monarch(state, role, known)
    return of_courtier(state, role, known) if is_courtier(role) else known


def agreed(options: Options, key: str) -> Agreed:
    return Agreed(
        options.party,
        options.rounds,
        options.round_seconds,
        options.holding_seconds,
        options.summons_seconds,
        options.common,
        options.abstain,
        dice.fingerprint(key),
    )


def clock_of(state: State) -> Times:
    """12.26 The clock page: the round and its deadline, no nation and nothing of the game."""
    due = None if state.due is None else times.until(state.clock, state.due)
    return Times(state.round, state.is_last, state.clock.stopped is not None, due)


def at_the_desk(state: State) -> State:
    """12.26 Gamerunners know everything but the key; 12.18 and how the last turn ended, until all have guessed."""
    state = replace(state, setup=replace(state.setup, key=""))
    return replace(state, standing=None) if guesses.are_results_locked(state) else state


def of_anybody(state: State, role: str, known: Sight) -> Sight:
    """12.26 Somebody at the party: their own room and who is in it, and what concerns them alone."""
    room = state.rooms[role]
    # 12.6 Carriers at the desk are seen by gamerunners only.
    here = () if room == DESK else tuple(sorted(other for other in courts.in_room(state, room) if other != role))
    return replace(
        known,
        room=room,
        here=here,
        maps=state.maps.get(role, ()),
        summons=summons_of(state, role),
        bans=tuple(ban for nation in NATIONS for ban in bans(state, nation) if ban.role == role),
        admitted=tuple(nation for nation in NATIONS if role in state.admitted.get(nation, ())),
    )


def summons_of(state: State, role: str) -> tuple[Called, ...]:
    """The courts that are calling this person, and the one where they have to stay."""
    found = [Called(nation, role) for nation in NATIONS if courts.is_called(state, role, nation)]
    if role in state.stays:
        stay = state.stays[role]
        found.append(Called(stay.court, role, times.until(state.clock, stay.until)))
    return tuple(found)


def called(state: State, nation: str) -> Called:
    """A monarch's last summons."""
    summons = state.summons[nation]
    ends = courts.stays_until(state, summons)
    return Called(nation, summons.role, None if ends is None else times.until(state.clock, ends))


def bans(state: State, nation: str) -> list[Ban]:
    """The dismissals of a court, also those whose time is over: when that is, is for the reader's clock to say."""
    dismissed = state.dismissed.get(nation, {})
    return [
        Ban(nation, role, None if ends is None else times.until(state.clock, ends))
        for role, ends in sorted(dismissed.items())
    ]


def of_monarch(state: State, nation: str, known: Sight) -> Sight:
    """12.26 A monarch: what they ordered, never what was delivered."""
    errand, sent = state.errand(nation), state.sent.get(nation)
    if errand.given is None:
        own = Errand(state.sheets.get(nation, ()))
    else:
        own = Errand(errand.written or (), errand.carrier, errand.given)
    return replace(
        known,
        may_carry=carriers.may_carry(state, nation) if state.is_online else (),
        summons=(called(state, nation),) if nation in state.summons else (),
        bans=tuple(bans(state, nation)),
        admitted=state.admitted.get(nation, ()),
        errand=own if sent is None else replace(own, fetcher=sent.role, fetches=sent.map),
        guess=state.guesses.get(nation),
    )


def of_courtier(state: State, role: str, known: Sight) -> Sight:
    """12.26 A courtier: their own card, and what they have in their hands."""
    nation = court_of(role)
    assert nation is not None
    errand, sent, trip = state.errand(nation), state.sent.get(nation), state.fetching.get(nation)
    card = Card(LETTERS[NATIONS.index(state.serves[role])]) if state.serves else None
    in_hand = carriers.sheet_in_hand(state, role)
    sheet = None if in_hand is None else InHand(in_hand.written or (), in_hand.carried or ())
    waiting = None
    if trip is not None and trip.role == role:
        waiting = Waiting("map", times.until(state.clock, errands.has_map_until(state, trip)))
        if errands.is_map_there(state, nation):
            known = replace(known, maps=(*known.maps, state.played))
    elif state.rooms[role] == DESK and errand.carrier == role and errand.arrived is not None:
        waiting = Waiting("orders", times.until(state.clock, errands.waits_until(state, errand.arrived)))
    is_sent = sent is not None and sent.role == role and state.fetched.get(nation, -1) < sent.map
    return replace(known, card=card, sheet=sheet, waiting=waiting, is_sent=is_sent)
