"""Messages about groups, their tournaments, challenges and seasons."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

GroupKind = Literal["class", "club", "competition"]
GroupRole = Literal["organiser", "member", "asked", "stranger"]
LogReaders = Literal["author", "organiser"]
TournamentSystem = Literal["round-robin", "swiss", "knock-out"]

_Name = Annotated[str, Meta(min_length=1, max_length=60)]
_Who = Annotated[str, Meta(min_length=1, max_length=80)]
_Number = Annotated[int, Meta(ge=0, le=1 << 62)]  # of a row
_When = Annotated[float, Meta(ge=0, le=1e10)]  # seconds since 1970

# ---- what people can do


class NewGroup(Struct, frozen=True, forbid_unknown_fields=True):
    """A group that plays by the rules of a public ladder."""

    name: _Name
    kind: GroupKind
    ladder: _Number


class EnterBot(Struct, frozen=True, tag_field="act", tag="enter", forbid_unknown_fields=True):
    """A member's bot that plays in the group."""

    bot: _Number


class WithdrawBot(Struct, frozen=True, tag_field="act", tag="withdraw", forbid_unknown_fields=True):
    pass


class LeaveGroup(Struct, frozen=True, tag_field="act", tag="leave", forbid_unknown_fields=True):
    pass


class LetIn(Struct, frozen=True, tag_field="act", tag="let in", forbid_unknown_fields=True):
    who: _Who


class RemoveMember(Struct, frozen=True, tag_field="act", tag="remove", forbid_unknown_fields=True):
    """Removes a member, or turns down somebody who asked to join."""

    who: _Who


class NewInvite(Struct, frozen=True, tag_field="act", tag="new link", forbid_unknown_fields=True):
    """Replaces the invitation link; the old one stops working."""


class RenameGroup(Struct, frozen=True, tag_field="act", tag="rename", forbid_unknown_fields=True):
    name: _Name


class CloseGroup(Struct, frozen=True, tag_field="act", tag="close", forbid_unknown_fields=True):
    """Ends the group for good. Its members can still read everything."""


class Appoint(Struct, frozen=True, tag_field="act", tag="appoint", forbid_unknown_fields=True):
    """A member helps to run the group from now on, or no more."""

    who: _Who
    runs: bool


class PassOn(Struct, frozen=True, tag_field="act", tag="pass on", forbid_unknown_fields=True):
    """A member becomes the organiser; whoever was it before helps to run the group."""

    who: _Who


class StopFinal(Struct, frozen=True, tag_field="act", tag="stop", forbid_unknown_fields=True):
    """Ends the tournament that is being played, without a winner."""


class SetEntrance(Struct, frozen=True, tag_field="act", tag="entrance", forbid_unknown_fields=True):
    """Whether the organiser lets in everyone who uses the link, and who reads logs from now on."""

    asks: bool
    logs: LogReaders


class SetDates(Struct, frozen=True, tag_field="act", tag="dates", forbid_unknown_fields=True):
    sign_up: _When | None
    lock_at: _When | None


class GiveTime(Struct, frozen=True, tag_field="act", tag="extra time", forbid_unknown_fields=True):
    who: _Who
    seconds: Annotated[float, Meta(ge=0, le=60 * 86400)]


class LockNow(Struct, frozen=True, tag_field="act", tag="lock", forbid_unknown_fields=True):
    pass


class SetFinal(Struct, frozen=True, tag_field="act", tag="final", forbid_unknown_fields=True):
    """The tournament to come."""

    system: TournamentSystem
    rounds: Annotated[int, Meta(ge=1, le=500)] | None  # None: as many as the system needs
    games: Annotated[int, Meta(ge=1, le=200)]  # per meeting
    maps: Annotated[int, Meta(ge=0, le=100)]  # how many are drawn; 0: all
    starts: _When | None


class StartFinal(Struct, frozen=True, tag_field="act", tag="start", forbid_unknown_fields=True):
    """Begins the tournament now."""


class AnnounceToGroup(Struct, frozen=True, tag_field="act", tag="announce", forbid_unknown_fields=True):
    text: Annotated[str, Meta(min_length=1, max_length=1000)]


class Remind(Struct, frozen=True, tag_field="act", tag="remind", forbid_unknown_fields=True):
    """Reminds members who have no bot in the group yet."""

    who: _Who | None = None  # None: all of them


MemberAct = EnterBot | WithdrawBot | LeaveGroup
OrganiserAct = (
    LetIn
    | RemoveMember
    | NewInvite
    | SetEntrance
    | SetDates
    | GiveTime
    | LockNow
    | SetFinal
    | StartFinal
    | AnnounceToGroup
    | Remind
    | RenameGroup
    | CloseGroup
    | Appoint
    | PassOn
    | StopFinal
)
GroupAct = MemberAct | OrganiserAct


# ---- what a group's page shows


class GroupLadder(Struct, frozen=True):
    """A public ladder whose rules a new group can play by."""

    id: int
    game: str
    title: str


class GroupCard(Struct, frozen=True):
    """A group in the list of somebody's groups."""

    id: str
    name: str
    kind: GroupKind
    role: GroupRole
    organiser: str
    title: str  # of its ladder; empty for those who have only asked to join
    members: int
    lock_at: float | None
    closed: bool


class GroupBot(Struct, frozen=True):
    """A bot on the ladder of a group."""

    bot: int
    name: str
    version: int | None
    member: str  # its author; empty for our own bots
    ours: bool
    language: str
    state: str  # active or paused
    why: str  # it is paused
    locked: bool  # this version counts
    elo: float | None
    margin: float | None
    placing: bool
    rank_from: int | None
    rank_to: int | None
    band: int | None
    games: int
    faults: int
    uploaded: float | None  # this version
    strikes: int = 0
    cpu: float = 0.0  # seconds, in all games


class GroupMember(Struct, frozen=True):
    """A member as the organiser sees them, or somebody who asked to join."""

    name: str
    asked: bool
    since: float
    bot: str | None
    version: int | None
    refused: str  # why the last upload was refused, if it was
    refused_at: float | None
    extra: float  # seconds after the lock
    logs: LogReaders  # what they were told when they joined
    runs: bool  # a second organiser


class GroupNews(Struct, frozen=True):
    at: float
    text: str


class MemberBot(Struct, frozen=True):
    """A bot that a member could enter."""

    bot: int
    name: str
    version: int | None  # that plays; None: none has passed its trial
    entered: bool


class FinalPlan(Struct, frozen=True):
    """The tournament to come."""

    system: TournamentSystem
    rounds: int | None  # None: as many as the system needs
    games: int
    maps: int
    all_maps: int
    starts: float | None


class TournamentCard(Struct, frozen=True):
    number: int  # of this group, from 1
    system: TournamentSystem
    over: bool
    begun: float
    ended: float | None
    bots: int
    stopped: bool  # by the organiser, before its end


class GroupInside(Struct, frozen=True):
    """What members and the organiser see."""

    ladder: int
    game: str
    title: str
    seats: int
    anchor: str  # the bot whose rating is 1500
    members: int
    bots: tuple[GroupBot, ...]
    rated: float | None  # when the ratings were fitted
    final: FinalPlan
    tournaments: tuple[TournamentCard, ...]
    news: tuple[GroupNews, ...]
    joined: bool  # whether whoever asks can enter a bot; organisers may or may not
    own: tuple[MemberBot, ...]
    my_lock: float | None  # when the versions of whoever asks are locked
    my_logs: LogReaders  # what whoever asks was told when they joined


class GroupTools(Struct, frozen=True):
    """What only the organisers see."""

    first: bool  # whether whoever asks is the organiser, who alone closes the group and says who else runs it
    invite: str
    asks: bool
    people: tuple[GroupMember, ...]


class GroupPage(Struct, frozen=True):
    """A group. Those who are not members see its name, its organiser, its dates, and who reads logs."""

    id: str
    name: str
    kind: GroupKind
    role: GroupRole
    organiser: str
    now: float  # the time of the server
    created: float
    sign_up: float | None
    lock_at: float | None
    locked: bool
    settled: bool  # those with extra time are locked too
    starts: float | None
    asks: bool  # the organiser lets people in one by one
    logs: LogReaders
    closed: bool  # its ladder has ended
    inside: GroupInside | None
    tools: GroupTools | None


class TournamentRow(Struct, frozen=True):
    """A bot in the table of a tournament."""

    entrant: int
    name: str
    member: str
    place: int
    points: float
    played: int
    wins: int
    draws: int
    losses: int
    tie_break: float
    byes: int
    walkovers: int
    forfeits: int
    strikes: int
    void_lines: int
    cpu: float  # seconds, in all games
    paused: bool
    elo: float | None
    low: float | None
    high: float | None


class TournamentGame(Struct, frozen=True):
    game: int | None  # its number on the ladder, for its page
    map: str
    seating: tuple[int, ...]  # entrants
    points: tuple[float, ...]  # empty if it could not be played, or not yet
    reason: str


class TournamentMeeting(Struct, frozen=True):
    round: int
    players: tuple[int, ...]
    games: tuple[TournamentGame, ...]


class TournamentPage(Struct, frozen=True):
    number: int
    group: str
    name: str  # of the group
    game: str
    system: TournamentSystem
    rounds: int
    games: int  # per meeting
    maps: tuple[str, ...]
    over: bool
    stopped: bool  # by the organiser, before its end
    begun: float
    ended: float | None
    played: int
    expected: int
    rows: tuple[TournamentRow, ...]
    meetings: tuple[TournamentMeeting, ...]  # the newest round first
    notices: tuple[str, ...]


# ---- challenges


class NewChallenge(Struct, frozen=True, forbid_unknown_fields=True):
    """Bots of a ladder that play each other on a map of one's choice."""

    ladder: _Number
    bots: Annotated[tuple[_Number, ...], Meta(min_length=1, max_length=8)]
    map: Annotated[str, Meta(max_length=80)]
    meetings: Annotated[int, Meta(ge=1, le=25)] = 1  # each is one game for every seat
    counts: bool = False  # for ratings


class ChallengeBot(Struct, frozen=True):
    """A bot that can be challenged."""

    bot: int
    name: str
    version: int
    author: str  # empty for our own bots
    own: bool  # of whoever asks


class ChallengeForm(Struct, frozen=True):
    """Everything that somebody can choose from."""

    ladder: int
    game: str
    title: str
    seats: int
    maps: tuple[str, ...]
    bots: tuple[ChallengeBot, ...]
    rated: bool  # whether challenges can count now
    used: int  # games of challenges in the last hour
    most: int  # an hour
    frees: float | None  # when there is room again; None: there is
    queue: int  # games that are played before


class ChallengeGame(Struct, frozen=True):
    game: int
    state: str  # waiting, leased or done
    cause: str  # played, broken or called off
    entries: tuple[int, ...]  # the bots in order of their seats
    ranks: tuple[int, ...]
    reason: str
    replay: bool
    faults: tuple[str, ...]  # of the bots, in the same order: why it dropped out, if it did
    strikes: tuple[int, ...]
    cpu: tuple[float, ...]  # seconds


class ChallengePage(Struct, frozen=True):
    id: int
    ladder: int
    title: str
    by: str
    created: float
    map: str
    counts: bool
    bots: tuple[ChallengeBot, ...]
    games: tuple[ChallengeGame, ...]
    before: int  # games that are played before the next one
    score: tuple[float, ...]  # of the bots, so far


# ---- seasons


class SeasonCard(Struct, frozen=True):
    number: int
    phase: Literal["open", "final", "over"]
    begun: float
    ends: float
    ended: float | None
    winners: tuple[str, ...]  # bots that nobody is surely above, once it is over


class SeasonRow(Struct, frozen=True):
    """A bot in the archive of a season."""

    bot: int
    name: str
    version: int
    author: str
    ours: bool
    elo: float
    margin: float
    games: int
    rank_from: int | None
    rank_to: int | None
    band: int | None
    faults: int = 0  # games that it dropped out of
    strikes: int = 0
    void_lines: int = 0
    cpu: float = 0.0  # seconds, in all games


class SeasonPage(Struct, frozen=True):
    """A season that is over; its table stands still."""

    ladder: int
    game: str
    title: str
    season: SeasonCard
    games: int
    rows: tuple[SeasonRow, ...]
    seasons: tuple[SeasonCard, ...]  # all of this ladder, the newest first
