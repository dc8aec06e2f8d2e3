"""The party without a house (12.26): an evening together with its board, for a server that knows neither.

The server stamps acts with a role and a time, keeps the journal, and sends sights; everything else is here. The board
follows from the journal too: a turn is played with the sheets that were handed in, and its maps are known by number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.game import GAME
from polemos.games.monarchs.party import acts, evening, reveal, rounds, steward
from polemos.games.monarchs.party.acts import Entry
from polemos.games.monarchs.party.bots import Temperament, chance
from polemos.games.monarchs.party.evening import Evening
from polemos.games.monarchs.party.options import Court, Options, Setup, board_options
from polemos.games.monarchs.party.options import check as check_setup
from polemos.games.monarchs.party.refusal import Refused
from polemos.games.monarchs.party.roles import (
    DESK,
    GAMERUNNER,
    SCREEN,
    SERVER,
    WATCHING,
    court_of,
    courtier,
    is_monarch,
)
from polemos.games.monarchs.party.sight import Lead, Sight, sight
from polemos.games.monarchs.party.standing import standing_of
from polemos.games.monarchs.party.state import Standing, State, places
from polemos.kernel.capabilities.online_parties import Deed
from polemos.kernel.errors import BadOptions
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.valid import message_complaint

PLAY: Final = "play"
HOSTING: Final = (acts.Deal, acts.Join, acts.Replace, acts.Pause, acts.Resume, acts.Tell, acts.Rule)


class Wish(Struct, frozen=True, forbid_unknown_fields=True):
    """What a host wishes for."""

    title: str
    courts: dict[str, Court]
    guests: tuple[str, ...] = ()
    options: Options = Options()
    # By role: monarchs and courtiers whose place nobody takes. `any` is drawn, so that a host who plays can't know it.
    bots: dict[str, Temperament | Literal["any"]] = {}
    is_led: bool = True  # by the server: it plays turns and releases maps at set times


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """What is settled before the first act."""

    setup: Setup
    bots: dict[str, Temperament] = {}
    is_led: bool = True


def begun(wish: Any, key: str) -> bytes:
    """12.1 The plan for a wish; refuses what no party can begin with."""
    try:
        read = msgspec.convert(wish, Wish)
    except msgspec.ValidationError as error:
        raise BadOptions(f"{error}.") from None
    options = replace(read.options, venue="online")
    if options.collected:
        raise BadOptions("Online the first orders are carried like all others.", rule="12.29")
    if read.is_led and not options.rounds:
        raise BadOptions("Say how many rounds there are, or lead the party yourself.", rule="12.16")
    setup = Setup(read.title, key, read.courts, read.guests, options)
    check_setup(setup)
    roles = {
        *NATIONS,
        *(courtier(nation, n + 1) for nation in NATIONS for n in range(len(setup.courts[nation].courtiers))),
    }
    if unknown := sorted(set(read.bots) - roles):
        raise BadOptions(f"A bot can be a monarch or a courtier, not {unknown[0][:20]!r}.", rule="12.1")
    kinds = {role: drawn_kind(key, role) if kind == "any" else kind for role, kind in read.bots.items()}
    return msgspec.json.encode(Plan(setup, kinds, read.is_led))


def drawn_kind(key: str, role: str) -> Temperament:
    """The temperament of a bot for which the host wishes none. A monarch only has one."""
    kinds: tuple[Temperament, ...] = get_args(Temperament)
    return "loyal" if is_monarch(role) else chance(key, role, "kind").choice(kinds)


def must_be_hosting(act: acts.AnyAct) -> None:
    """12.26 What a host may do where the server leads: nothing that changes what somebody carries or knows."""
    if not isinstance(act, HOSTING) or (isinstance(act, acts.Deal) and act.cards is not None):
        raise Refused(
            "The server leads this party. You can deal the cards, pause it, and let guests take over.", rule="12.26"
        )


def resumed(raw: bytes, journal: Iterable[bytes] = ()) -> Online:
    """The evening that began with this plan, after these lines of its journal."""
    plan = msgspec.json.decode(raw, type=Plan)
    entries = tuple(msgspec.json.decode(line, type=Entry) for line in journal)
    match = board(plan.setup, entries)
    return Online(plan, settled(evening.open_evening(plan.setup, entries), match), match)


class Online(Struct, frozen=True):
    """An evening and its board, at one moment. The board is never changed in place."""

    plan: Plan
    evening: Evening
    match: AnyMatch

    @property
    def state(self) -> State:
        return self.evening.state

    @property
    def title(self) -> str:
        return self.plan.setup.title

    @property
    def umpire(self) -> str:
        return GAMERUNNER

    @property
    def people(self) -> Mapping[str, str]:
        return self.state.names

    @property
    def screens(self) -> tuple[str, ...]:
        return WATCHING

    @property
    def bots(self) -> Mapping[str, Temperament]:
        """12.15 Bots in empty places; none where an understudy has taken over."""
        first, _ = places(self.plan.setup)
        return {role: kind for role, kind in self.plan.bots.items() if self.state.names[role] == first[role]}

    @property
    def has_begun(self) -> bool:
        return bool(self.state.serves)

    @property
    def is_over(self) -> bool:
        return reveal.is_over(self.state)

    def after(self, act: Any, by: str, at: int) -> tuple[Online, bytes]:
        """12.25 The evening after an act, and the line of the journal. To play the turn, the board is played first."""
        entry = Entry(at, self._read(act), GAMERUNNER if by == SERVER else by)
        if by == GAMERUNNER and self.plan.is_led:
            must_be_hosting(entry.act)
        match = self.match
        if isinstance(entry.act, acts.Play) and evening.may_do(
            self.state, entry.by, entry.act
        ):  # nobody else costs a turn
            match = played(self.match, self.state)
            entry = replace(entry, act=acts.Play(standing_of(match.view(UMPIRE))))
        fresh = evening.add(self.evening, entry)
        if isinstance(entry.act, acts.Strike):
            match = board(self.plan.setup, fresh.entries)
            fresh = settled(fresh, match)
        elif fresh.state.is_last and not self.state.is_last:
            match = announced(match)
        return replace(self, evening=fresh, match=match), msgspec.json.encode(entry)

    def _read(self, act: Any) -> acts.AnyAct:
        """An act as a page sends it. Nobody says how the board stands: it is asked."""
        if not isinstance(act, dict):
            raise Refused('That isn\'t an act of the party. Send an object that names one, such as {"act": "pause"}.')
        if act.get("act") == PLAY:
            return acts.Play(Standing({}, {}))
        try:
            read: acts.AnyAct = msgspec.convert(act, acts.AnyAct)
        except msgspec.ValidationError as error:
            raise Refused(message_complaint(acts.AnyAct, act) or f"That isn't an act of the party: {error}.") from None
        return read

    def about_link(self, role: str, is_moved: bool) -> Deed | None:
        """12.26 Where the host may play, everybody is told once there is a card to be read."""
        if not self.plan.is_led or not self.state.serves or self.is_over:
            return None
        return Deed(SERVER, msgspec.to_builtins(acts.Linked(role, is_moved)))

    def sight(self, role: str) -> bytes:
        return msgspec.json.encode(self._of_host() if role == GAMERUNNER else sight(self.state, role))

    def _of_host(self) -> Sight:
        """12.26 A host who leads is a gamerunner. If the server leads, they know what everybody knows."""
        known = sight(self.state, SCREEN if self.plan.is_led else GAMERUNNER)
        return replace(known, role=GAMERUNNER, lead=Lead(self.plan.is_led, bool(self.state.serves)))

    def map(self, role: str, number: int) -> bytes:
        """12.26 A map of the role's own nation, if it may read it now; after the reveal everybody reads all of them."""
        if reveal.is_over(self.state):
            if not 0 <= number <= len(self.match.steps):
                raise Refused("There is no such map.", rule="12.26")
            return self._map(number, UMPIRE)
        nation = court_of(role)
        if nation is None or number not in sight(self.state, role).maps:
            raise Refused("You don't have this map.", rule="12.26")
        return self._map(number, nation, with_options=is_monarch(role))

    def _map(self, number: int, who: str, with_options: bool = False) -> bytes:
        view = GAME.observe(self.match.state_at(number), who)
        options = GAME.options(self.match.setting, view) if with_options and view.outcome is None else []
        return msgspec.json.encode({"number": number, "setting": self.match.setting, "view": view, "options": options})

    def hearers(self, role: str) -> tuple[str, ...]:
        """12.26 Those in the same room. At the desk nobody hears anybody."""
        if role not in self.state.names:
            raise Refused("You only look on.", rule="12.26")
        room = self.state.rooms[role]
        if room == DESK:
            raise Refused("At the desk nobody but the gamerunners hears you.", rule="12.6")
        return tuple(other for other, where in sorted(self.state.rooms.items()) if where == room and other != role)

    def by_itself(self, at: int) -> tuple[Deed | None, int | None]:
        return steward.next_deed(self, at)


# ---- the board


def board(setup: Setup, entries: Iterable[Entry]) -> AnyMatch:
    """The board after a journal: told again, without the entries that were struck."""
    match: AnyMatch = Match(GAME, board_options(setup.options), key=setup.key)
    told = evening.open_evening(setup)
    entries = tuple(entries)
    struck = {entry.act.entry for entry in entries if isinstance(entry.act, acts.Strike)}
    state = told.state
    for number, entry in enumerate(entries, 1):
        if number in struck or isinstance(entry.act, acts.Strike):
            continue
        if isinstance(entry.act, acts.Play):
            match = played(match, state)
        was_last, state = state.is_last, evening.apply(state, entry)
        if state.is_last and not was_last:
            match = announced(match)
    return match


def played(match: AnyMatch, state: State) -> AnyMatch:
    """12.10 The board after the turn, played with the sheets as they were handed in; after the last, as it is."""
    fresh = match.copy()
    if fresh.outcome is not None:
        return fresh
    for nation, lines in rounds.sheets_to_play(state).items():
        if lines is not None:
            fresh.submit(nation, list(lines))
    fresh.run()
    return fresh


def announced(match: AnyMatch) -> AnyMatch:
    """12.16 The board once its last turn is announced."""
    fresh = match.copy()
    if fresh.outcome is None:
        fresh.call("last")
    return fresh


def settled(told: Evening, match: AnyMatch) -> Evening:
    """12.25 Without a struck entry turns may have been played with other sheets: scores are those of the board."""
    if not told.state.played:
        return told
    return replace(told, state=replace(told.state, standing=standing_of(match.view(UMPIRE))))
