"""Who may see and do what in a group, as pure functions of the group, the person and the time.

The organiser is not a member, unless they join as well: whoever sets the dates need not compete.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Struct

from polemos.kernel.errors import PolemosError

Kind = Literal["class", "club", "competition"]
Logs = Literal["author", "organiser"]  # who reads the logs of bots, besides their author
Membership = Literal["asked", "member", "organiser", "removed"]
STOPPED: Final = "stopped"  # the state of a tournament that was ended before its end; otherwise playing or over
INSIDE: Final = ("member", "organiser")  # those who have joined; the second kind helps to run the group
Role = Literal["organiser", "member", "asked", "stranger"]


class GroupRefusal(PolemosError):
    """Something that the rules of a group do not allow."""

    word = "group/refused"


class NoSuchGroup(PolemosError):
    """There is no such group, or it does not concern whoever asks."""

    word = "group/unknown"


class Group(Struct, frozen=True):
    """A group as its row says. Times are those of the database."""

    id: str
    name: str
    kind: Kind
    organiser: int
    ladder: int
    invite: str
    asks: bool
    logs: Logs
    created: float
    sign_up: float | None
    lock_at: float | None
    locked: float | None
    settled: bool
    system: Literal["round-robin", "swiss", "knock-out"]
    rounds: int | None
    games: int
    maps: int
    starts: float | None
    closed: bool = False  # its ladder has ended; members can read it


class Member(Struct, frozen=True):
    """Somebody who has joined, asked to, or was removed."""

    account: int
    state: Membership
    since: float = 0.0
    logs: Logs = "author"  # what they were told when they joined
    extra: float = 0.0  # seconds after the lock

    @property
    def is_inside(self) -> bool:
        return self.state in INSIDE


def group_of(row: Any, *, closed: bool) -> Group:
    """A row of the table as a group."""
    others = ("organiser", "ladder", "closed")
    return Group(
        organiser=row.organiser_id,
        ladder=row.ladder_id,
        closed=closed,
        **{name: row._mapping[name] for name in Group.__struct_fields__ if name not in others},
    )


# ---- who sees what


def role_of(group: Group, account: int | None, member: Member | None) -> Role:
    if account is not None and account == group.organiser:
        return "organiser"
    if member is None or member.state == "removed":
        return "stranger"
    return member.state


def sees_inside(role: Role) -> bool:
    """Whether somebody sees the ladder, the members' bots, announcements and results. Others see name and dates."""
    return role in ("organiser", "member")


def reads_logs(group: Group, reader: int | None, author: int | None, author_in: Member | None) -> bool:
    """Whether somebody reads the log of a bot in a game of this group.

    Authors do. The organiser does only if the group said so when the author joined. Those who help to run the group
    don't: nobody was told of them.
    """
    if reader is None:
        return False
    if reader == author:
        return True
    return reader == group.organiser and author_in is not None and author_in.logs == "organiser"


# ---- joining


def joined(group: Group, account: int, member: Member | None, now: float, *, invited: bool) -> Membership:
    """What becomes of somebody who wants to join; raises GroupRefusal if they can't.

    Somebody who was removed can ask again, but not walk in with the link they still have.
    """
    if member is not None and member.is_inside:
        return member.state
    if group.closed:
        raise GroupRefusal("This group is closed.")
    if account == group.organiser:
        return "member"
    if group.sign_up is not None and now >= group.sign_up:
        raise GroupRefusal("Sign-up for this group is closed. Ask its organiser.")
    if member is not None and member.state == "removed":
        return "asked"
    return "member" if invited and not group.asks else "asked"


# ---- dates


def deadline(group: Group, member: Member | None) -> float | None:
    """When somebody's version is locked; None if no date is set."""
    return None if group.lock_at is None else group.lock_at + (0.0 if member is None else member.extra)


def is_locked(group: Group, member: Member | None, now: float) -> bool:
    end = deadline(group, member)
    return end is not None and now >= end


def check_dates(sign_up: float | None, lock_at: float | None, starts: float | None) -> None:
    """Dates come in order: sign-up, lock, tournament."""
    if sign_up is not None and lock_at is not None and sign_up > lock_at:
        raise GroupRefusal("Sign-up must close before the versions are locked.")
    if starts is not None and lock_at is None:
        raise GroupRefusal("Set the date of the lock first: the tournament is played by the locked versions.")
    if starts is not None and lock_at is not None and starts < lock_at:
        raise GroupRefusal("The tournament can't begin before the versions are locked.")


def check_entry(group: Group, member: Member | None, now: float) -> None:
    """Raises GroupRefusal if a member can no longer enter, change or withdraw a bot."""
    if group.closed:
        raise GroupRefusal("This group is closed.")
    if member is None or not member.is_inside:
        raise GroupRefusal("Only members enter a bot. Ask to join first.")
    if is_locked(group, member, now):
        raise GroupRefusal(
            "The versions of this group are locked. What you upload now plays on the public ladder only."
        )


def check_starts(group: Group, latest: float | None, now: float) -> None:
    """Raises GroupRefusal if the tournament can't begin yet. `latest`: the deadline of the member with most time."""
    if group.lock_at is None or group.locked is None:
        raise GroupRefusal("Lock the versions first: the tournament is played by the locked versions.")
    if not group.settled and latest is not None and latest > now:
        raise GroupRefusal("A member with extra time can still upload. The tournament begins after that.")
