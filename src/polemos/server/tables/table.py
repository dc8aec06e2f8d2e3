"""One table: its match, the players, filed sheets, offers and clocks. No files, no sockets.

Acts are checked before they are carried out. Carrying one out never fails, and depends only on the act and its time.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import copy
from math import ceil
from typing import Any, Final, Self

from msgspec import Struct
from msgspec.structs import replace

from polemos.kernel.capabilities.roles import Roles
from polemos.kernel.capabilities.sealed_bids import SealedBids
from polemos.kernel.errors import PolemosError
from polemos.kernel.game import AnyGame
from polemos.kernel.match import Match
from polemos.kernel.strikes import Strikes
from polemos.kernel.verdict import Verdict
from polemos.server.tables.acts import (
    Act,
    Answered,
    Away,
    Bid,
    Called,
    Closed,
    Dropped,
    Filed,
    Finished,
    Held,
    Joined,
    Missed,
    Next,
    Offered,
    Paused,
    Ran,
    Resumed,
    Sat,
    Stood,
    Withdrew,
)
from polemos.server.tables.clocks import Clocks
from polemos.server.tables.crews import Crew, Member
from polemos.wire.table import Kind, OpenTable, Status

DRAW: Final = "draw"
TAKE_BACK: Final = "take back"
KEPT: Final = 600.0  # seconds to keep a seat in a rematch for its previous player
PEOPLE: Final = ("person", "program")  # seats played from outside this process


class Refusal(PolemosError):
    """Something can't be done at this table now."""

    word = "table/refused"


class Sitter(Struct, frozen=True):
    kind: Kind
    player: str
    secret: str = ""
    account: int | None = None


class Table:
    """A table, defined by its acts."""

    def __init__(self, id: str, game: AnyGame, wish: OpenTable, key: str, created: float) -> None:
        self.id, self.game, self.wish, self.key, self.created = id, game, wish, key, created
        self.match = Match(game, wish.options, key=key)
        self.seats: dict[str, Sitter | None] = dict.fromkeys(self.match.seats)
        self.crews = {
            seat: Crew(game.roles(self.match.state) if isinstance(game, Roles) else ()) for seat in self.match.seats
        }
        self.clocks = Clocks(wish.clock)
        self.begun = False
        self.asked = game.sealed(wish.options) if wish.sealed and isinstance(game, SealedBids) else None
        self.bids: dict[str, int] = {}
        self.moved: dict[str, str] = {}  # new seats of players who changed seats after the bids
        self.held: tuple[str, ...] | None = None  # while paused: the seats whose clocks were running
        self.offers: dict[str, str] = {}  # the offer, and the seat that made it
        self.agreed: dict[str, set[str]] = {}  # the offer, and the seats that agree
        self.next: str | None = None
        self.closed: str | None = None  # why an operator closed the table
        self.acts = 0
        self.positions = 0  # how many positions the match has reached; a turn that was taken back counts again
        self.out: set[str] = set()  # seats that dropped out in a completed step: everyone knows
        self._leaving: dict[str, Verdict] = {}  # seats that will drop out on their next turn, and why
        self._missed: dict[str, Missed] = {}
        self._strikes = Strikes()
        self._cpu: dict[str, float] = {}
        self._wall: dict[str, float] = {}

    def copy(self) -> Self:
        """The same table, for acts that are not on disk yet: they change the copy alone."""
        fresh = copy(self)
        vars(fresh).update({name: of.copy() for name, of in vars(self).items() if isinstance(of, dict | list | set)})
        fresh.match, fresh.clocks, fresh._strikes = self.match.copy(), self.clocks.copy(), self._strikes.copy()
        fresh.crews = {seat: crew.copy() for seat, crew in self.crews.items()}
        fresh.agreed = {what: seats.copy() for what, seats in self.agreed.items()}
        return fresh

    # ---- queries

    @property
    def status(self) -> Status:
        if self.match.outcome is not None:
            return "over"
        if not self.begun:
            return "sealed" if self.asked is not None and all(self.seats.values()) else "open"
        return "paused" if self.held is not None else "playing"

    def is_due(self, seat: str) -> bool:
        """Whether the match is waiting for this seat."""
        return self.status == "playing" and seat in self.match.to_act and not self.has_acted(seat)

    def waits_for_account(self, seat: str, account: int) -> bool:
        """Whether this account has something to do here: orders, a bid, its part of a team's turn."""
        sitter, crew = self.seats[seat], self.crews[seat]
        people = [] if sitter is None else [sitter.account, *(member.account for member in crew.joined)]
        if account not in people:
            return False
        if self.status == "sealed":
            return seat not in self.bids
        held = crew.held_by(people.index(account))
        return self.is_due(seat) and not (held and set(held) <= crew.done)

    def has_acted(self, seat: str) -> bool:
        return seat in self.match.filed or seat in self._missed

    def has_missed(self, seat: str) -> bool:
        """Whether its time for this step is up."""
        return seat in self._missed

    def is_out(self, seat: str) -> bool:
        """Whether it has dropped out, or will in the next step."""
        return seat in self._leaving or seat in self.out

    @property
    def is_complete(self) -> bool:
        """Whether the step can be played, because all orders are in."""
        return self.status == "playing" and all(self.has_acted(seat) for seat in self.match.to_act)

    def name_of(self, seat: str, member: int) -> str:
        """The name of a person in a seat, as others see it."""
        sitter, crew = self.seats[seat], self.crews[seat]
        if member:
            return crew.joined[member - 1].player
        return seat if sitter is None else sitter.player

    @property
    def accounts(self) -> set[int]:
        """The accounts of all people who play here."""
        people: list[Sitter | Member] = [sitter for sitter in self.seats.values() if sitter is not None]
        people += [member for crew in self.crews.values() for member in crew.joined]
        return {person.account for person in people if person.account is not None}

    def account_of(self, seat: str, member: int) -> int | None:
        """The account of a person in a seat, if they were signed in."""
        sitter, crew = self.seats[seat], self.crews[seat]
        person: Sitter | Member | None = crew.joined[member - 1] if member else sitter
        return None if person is None else person.account

    def of_kind(self, *kinds: Kind) -> list[str]:
        return [seat for seat, sitter in self.seats.items() if sitter is not None and sitter.kind in kinds]

    def verdict(self, seat: str) -> Verdict | None:
        """Why it dropped out, or will."""
        if seat in self._leaving:
            return self._leaving[seat]
        return next((step.forfeits[seat] for step in self.match.steps if seat in step.forfeits), None)

    def kept_for(self, seat: str, at: float) -> str | None:
        """The name of the player that a free seat is kept for."""
        spec = self.wish.seats.get(seat)
        if spec is None or spec.kind != "kept" or self.seats[seat] is not None or at > self.created + KEPT:
            return None
        return spec.bot

    def is_in(self, seat: str) -> bool:
        """Whether it is still playing, as far as others may know: with fog, a resignation is secret until the step."""
        return seat not in self.out and (self.game.facts.fog or seat not in self._leaving)

    @property
    def people(self) -> list[str]:
        return [seat for seat in self.of_kind("person") if self.is_in(seat)]

    # ---- checks

    def check_filing(self, seat: str, step: int) -> None:
        if self.status != "playing":
            raise Refusal(f"You can't file a sheet now: the table is {self.status}.")
        if step != len(self.match.steps):
            raise Refusal("This sheet is for another turn. Look at the new position and file again.")
        if seat not in self.match.to_act:
            raise Refusal(f"{seat} can't give orders now.")
        if seat in self._missed:
            raise Refusal("The time for this turn is up.")

    def check_bid(self, seat: str, number: int) -> None:
        if self.status != "sealed" or self.asked is None:
            raise Refusal("You can't bid now.")
        if not self.asked.least <= number <= self.asked.most:
            raise Refusal(f"Bid a number from {self.asked.least} to {self.asked.most}.", rule=self.asked.rule)

    def check_role(self, seat: str, member: int, role: str, wait: float | None = None) -> None:
        """`wait`: seconds until this person may take the role over from someone who is away."""
        crew = self.crews[seat]
        if role not in crew.roles:
            raise Refusal(f"There is no role {role[:20]!r} here. The roles are {', '.join(crew.roles) or 'none'}.")
        if role in crew.of(member) or (wait is not None and wait <= 0):
            return
        if wait is None:
            raise Refusal(f"Someone else on your team is {role}.")
        holder = self.name_of(seat, crew.holders[role])
        raise Refusal(f"{holder} has just left. You can take over as {role} in {ceil(wait)} s.")

    def check_withdrawal(self, seat: str) -> None:
        if self.status != "playing":
            raise Refusal(f"You can't withdraw a sheet now: the table is {self.status}.")
        if seat not in self.match.filed:
            raise Refusal("You haven't filed a sheet to withdraw.")

    def may(self, seat: str | None, member: int = 0) -> tuple[str, ...]:
        """The actions open to a person in a seat besides filing. Only the first one there can give up the seat."""
        if seat is None or self.seats.get(seat) is None:
            return ()
        if self.status in ("open", "sealed"):
            return ("leave",) if self.status == "open" and member == 0 else ()
        if self.status == "over":
            return ("rematch",) if self.closed is None else ()
        found: list[str] = []
        if self.status == "playing" and seat in self.match.to_act and seat not in self._missed:
            found.append("file")
        if not self.is_out(seat):
            if member == 0:
                found.append("resign")
            if DRAW not in self.offers and self._can_be_drawn():
                found.append("offer draw")
            if self.wish.take_back and self.match.steps and TAKE_BACK not in self.offers:
                found.append("offer take back")
        if len(self.people) == 1:
            found.append("resume" if self.status == "paused" else "pause")
        return tuple(found)

    def _can_be_drawn(self) -> bool:
        """Whether a draw can be offered. Bots never agree to one, so all seats still playing must have people."""
        return len(self.people) > 1 and self.people == [seat for seat in self.seats if self.is_in(seat)]

    def needs(self, what: str) -> list[str]:
        """The seats that must agree to an offer. Bots always agree to take back a turn."""
        return self.people

    def unanswered(self, what: str) -> list[str]:
        """The seats that must agree to an open offer and haven't yet."""
        return [seat for seat in self.needs(what) if seat not in self.agreed[what]]

    # ---- carrying out

    def carry_out(self, act: Act, at: float) -> None:
        self.acts += 1
        match act:
            case Sat():
                self.seats[act.seat] = Sitter(act.kind, act.player, act.secret, act.account)
                if all(self.seats.values()):
                    self._begin(at)
            case Called():
                if (sitter := self.seats[act.seat]) is not None:
                    self.seats[act.seat] = replace(sitter, player=act.player)
            case Bid():
                self._bid(act, at)
            case Stood():
                self.seats[act.seat] = None
                self.crews[act.seat] = Crew(self.crews[act.seat].roles)
            case Joined():
                self.crews[act.seat].joined.append(Member(act.player, act.secret, act.account))
            case Held():
                self.crews[act.seat].hold(act.member, act.role, act.take)
            case Finished():
                (self.crews[act.seat].done.add if act.done else self.crews[act.seat].done.discard)(act.role)
            case Filed():
                self.match.submit(act.seat, act.lines)
                self._time(act)
                self.clocks.stop(act.seat, at)
            case Withdrew():
                self.match.withdraw(act.seat)
                self.clocks.go_on(act.seat, at)
            case Missed():
                self._time(act)
                self._miss(act, at)
            case Dropped():
                self._time(act)
                self._drop(act.seat, Verdict.read(act.why), at)
            case Ran():
                self._run(at)
            case Offered():
                self.offers[act.what] = act.seat
                self.agreed[act.what] = {act.seat}
                self._settle(act.what, at)
            case Answered():
                self._answer(act, at)
            case Paused():
                self.held = self.clocks.hold(at)
            case Resumed():
                self._resume(at)
            case Away():
                self.clocks.skip(act.since, at)
            case Next():
                self.next = act.table
            case Closed():
                self._close(act.why, at)

    def _begin(self, at: float) -> None:
        """Begins the match once all seats are taken, or the bidding before it. Bots bid the default."""
        if self.asked is None:
            self.begun = True
            self._begin_step(at)
            return
        self.bids = dict.fromkeys(self.of_kind("bot", "program"), self.asked.usual)
        waiting = [seat for seat in self.seats if seat not in self.bids]
        self.clocks.begin_step(waiting, at)
        if not waiting:
            self._unseal(at)

    def _bid(self, act: Bid, at: float) -> None:
        self.bids[act.seat] = act.number
        self.clocks.stop(act.seat, at)
        if set(self.bids) == set(self.seats):
            self._unseal(at)

    def _unseal(self, at: float) -> None:
        """Begins the match once every seat has bid, and moves everyone to the seat they won."""
        game = self.game
        assert isinstance(game, SealedBids)
        self.match = Match(self.game, game.unseal(self.wish.options, self.bids), key=self.key)
        self.moved = game.moved(self.match.state)
        self.seats = {seat: self.seats[self._from(seat)] for seat in self.seats}
        self.crews = {seat: self.crews[self._from(seat)] for seat in self.crews}
        self.clocks = Clocks(self.wish.clock)
        self.begun = True
        self._begin_step(at)

    def _from(self, seat: str) -> str:
        """The previous seat of the players who sit here now."""
        return next((before for before, after in self.moved.items() if after == seat), seat)

    def _resume(self, at: float) -> None:
        ran, self.held = self.held or (), None
        self.clocks.release([seat for seat in ran if self.is_due(seat)], at)

    def _begin_step(self, at: float) -> None:
        self.positions += 1
        for crew in self.crews.values():
            crew.done.clear()
        for seat, verdict in self._leaving.items():
            self.match.forfeit(seat, verdict)  # if its orders are due
        timed = [seat for seat in self.match.to_act if self._is_timed(seat)]
        self.clocks.begin_step(timed, at)

    def _is_timed(self, seat: str) -> bool:
        sitter = self.seats[seat]
        return sitter is not None and sitter.kind in PEOPLE

    def _time(self, act: Filed | Missed | Dropped) -> None:
        """Keeps the time that a bot took for this step. People are not measured: their sheets take none."""
        if isinstance(act, Filed) or act.cpu:
            self._cpu[act.seat] = act.cpu
        if act.wall:
            self._wall[act.seat] = act.wall

    def _miss(self, act: Missed, at: float) -> None:
        self.match.withdraw(act.seat)
        self._missed[act.seat] = act
        self.clocks.stop(act.seat, at)
        verdict = self._strikes.strike(act.seat, Verdict.read(act.why)) if act.strike else None
        if verdict is not None:
            self._drop(act.seat, verdict, at)

    def _drop(self, seat: str, verdict: Verdict, at: float) -> None:
        self.clocks.stop(seat, at)
        self._leaving[seat] = verdict
        self.match.forfeit(seat, verdict)  # now if its orders are due, otherwise as soon as they are
        if not self.game.facts.fog:
            self.offers = {}
        if self.held is not None and not any(not self.is_out(person) for person in self.of_kind("person")):
            self._resume(at)  # nobody is left to do it

    def _run(self, at: float) -> None:
        step = self.match.run(self._cpu, self._strikes.next_step(), self._wall)
        self._missed, self._cpu, self._wall, self.offers = {}, {}, {}, {}
        for seat in step.forfeits:
            self.out.add(seat)
            self._leaving.pop(seat, None)
        if self.match.outcome is None:
            self._begin_step(at)
        else:
            self.clocks.hold(at)

    def _answer(self, act: Answered, at: float) -> None:
        if act.what not in self.offers:
            return
        if not act.yes:
            del self.offers[act.what]
            return
        self.agreed[act.what].add(act.seat)
        self._settle(act.what, at)

    def _settle(self, what: str, at: float) -> None:
        """Carries out an offer once everyone asked has agreed."""
        if self.unanswered(what):
            return
        del self.offers[what]
        if what == DRAW:
            self.match.agree_on_draw([seat for seat in self.seats if self.is_in(seat)])
            self.clocks.hold(at)
        else:
            self._take_back(at)

    def _close(self, why: str, at: float) -> None:
        """Ends the match without a winner. Its record reads as an agreed draw; `closed` says what it was."""
        self.closed, self.held, self.offers = why, None, {}
        if self.match.outcome is None:
            self.match.agree_on_draw(self.match.seats)
        self.clocks.hold(at)

    def _take_back(self, at: float) -> None:
        """Goes back to the last position in which a person gave orders; turns of bots alone are undone along with it.

        Seats that have dropped out since will drop out again.
        """
        while self.match.steps:
            undone = self.match.take_back()
            self._missed, self._cpu, self._wall = {}, {}, {}
            self._strikes.next_step()  # the strikes still count, but their step is gone
            self._leaving.update(undone.forfeits)
            self.out -= set(undone.forfeits)
            if any(self._is_timed(seat) for seat in self.match.to_act):
                break
        self.offers = {}
        self._begin_step(at)
        if self.held is not None:
            self.held = self.clocks.hold(at)


def check_wish(game: Any, bots: Collection[str], wish: OpenTable, seats: Sequence[str], again: bool = False) -> None:
    """Raises a Refusal if a table could not be played."""
    for seat, spec in wish.seats.items():
        if seat not in seats:
            raise Refusal(f"There is no seat {seat[:20]!r} in this match. The seats are {', '.join(seats)}.")
        if spec.kind == "kept" and not again:
            raise Refusal("Seats can only be kept for someone in a rematch.")
        if spec.kind == "bot" and spec.bot not in bots:
            raise Refusal(f"{game.title} has no bot called {spec.bot[:40]!r}. Choose one of {', '.join(bots)}.")
    clock = wish.clock
    if clock.kind != "none" and not 1 <= clock.seconds <= 30 * 86400:
        raise Refusal("Set the clock to between 1 second and 30 days.")
    if not 0 <= clock.increment <= 86400:
        raise Refusal("Set the increment to between 0 seconds and 1 day.")
    if wish.sealed and not (isinstance(game, SealedBids) and game.sealed(wish.options)):
        raise Refusal(f"{game.title} has no secret bids. Open the table without `sealed`.")
    others = [seat for seat in seats if wish.seats.get(seat) is None or wish.seats[seat].kind != "bot"]
    if wish.lesson:
        _check_lesson(wish, others)
    if clock.kind == "none" and len(others) > 1:
        raise Refusal("A table for several people needs a clock, so that nobody is held up by someone who has left.")
    if not 0 <= wish.pace <= 60:
        raise Refusal("Set the pace to between 0 and 60 seconds.")


def _check_lesson(wish: OpenTable, people: Sequence[str]) -> None:
    """Everyone knows the dice of an introduction: it must not matter to anybody else how it ends."""
    if len(people) != 1 or wish.rated or wish.listed or wish.clock.kind != "none":
        raise Refusal("An introduction is for one person against our bots: not listed, not rated, without a clock.")
