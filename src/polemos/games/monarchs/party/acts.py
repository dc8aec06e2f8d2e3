"""The acts of an evening, as they stand in its journal; and who may do which."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from polemos.games.monarchs.party.roles import GAMERUNNER
from polemos.games.monarchs.party.state import Standing

MAX_LINES = 1000  # the board reads fewer (3.1); this bounds the journal
MAX_LINE = 200
MAX_TEXT = 1000

Role = Annotated[str, Meta(min_length=1, max_length=20)]
Nation = Literal["red", "green", "blue"]
Sheet = Annotated[tuple[Annotated[str, Meta(max_length=MAX_LINE)], ...], Meta(max_length=MAX_LINES)]
Text = Annotated[str, Meta(max_length=MAX_TEXT)]


class Act(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="act", tag=str.lower):
    """Something done at the party."""


# ---- people


class Deal(Act, frozen=True):
    """The loyalties are dealt: with the key, or as cards that were drawn by hand."""

    cards: dict[Role, Nation] | None = None


class Join(Act, frozen=True):
    """One more guest."""

    name: str


class Replace(Act, frozen=True):
    """A guest takes over a role; whoever had it becomes a guest."""

    role: Role
    guest: Role


class Linked(Act, frozen=True):
    """Somebody's personal link was opened, or moved to another phone. A server enters this where a host may play."""

    role: Role
    is_moved: bool = False


# ---- rounds


class Release(Act, frozen=True):
    """The carriers with the maps are released, and the clock of the next round starts."""

    last: bool = False


class Last(Act, frozen=True):
    """The round that is running is announced as the last, after its maps went out."""

    reason: Text


class Collect(Act, frozen=True):
    """A monarch's first orders, collected before the party."""

    court: Nation
    lines: Sheet


class Play(Act, frozen=True):
    """The turn was played on the board."""

    standing: Standing


class Correct(Act, frozen=True):
    """A sheet was typed wrongly; these are its lines."""

    court: Nation
    lines: Sheet
    reason: Text


class Pause(Act, frozen=True):
    pass


class Resume(Act, frozen=True):
    pass


# ---- errands


class Write(Act, frozen=True):
    """A monarch writes the sheet."""

    court: Nation
    lines: Sheet


class Give(Act, frozen=True):
    """A monarch gives the sheet to a courtier."""

    court: Nation
    to: Role


class Send(Act, frozen=True):
    """A monarch sends a courtier for the map."""

    court: Nation
    to: Role


class Alter(Act, frozen=True):
    """A carrier changes the sheet on the way."""

    role: Role
    lines: Sheet


class Arrive(Act, frozen=True):
    """A carrier comes to the desk."""

    role: Role
    errand: Literal["orders", "map"]


class HandIn(Act, frozen=True):
    """A carrier hands in the sheet. In a house gamerunners type its lines; online it is the sheet in their hands."""

    role: Role
    lines: Sheet | None = None


class Leave(Act, frozen=True):
    """A carrier leaves the desk with the map."""

    role: Role


class Present(Act, frozen=True):
    """A courtier gives the monarch the maps they carry."""

    role: Role


# ---- courts


class Enter(Act, frozen=True):
    """Somebody goes to another room."""

    role: Role
    room: Annotated[str, Meta(max_length=60)]


class Admit(Act, frozen=True):
    """A monarch lets somebody in, once."""

    court: Nation
    role: Role


class Dismiss(Act, frozen=True):
    """A monarch sends somebody away, for a time or for good."""

    court: Nation
    role: Role
    seconds: Annotated[int, Meta(ge=1, le=86_400)] | None = None


class Recall(Act, frozen=True):
    """A monarch ends a dismissal."""

    court: Nation
    role: Role


class Summon(Act, frozen=True):
    court: Nation
    role: Role


class CallOff(Act, frozen=True):
    """A monarch withdraws a summons."""

    court: Nation


# ---- the end


class Guess(Act, frozen=True):
    """A monarch names the courtier who serves each other nation; None abstains."""

    court: Nation
    spies: dict[Nation, Role | None]


class Reveal(Act, frozen=True):
    """The next thing is shown on the big screen."""


# ---- the gamerunners' book


class Tell(Act, frozen=True):
    """All courts are told the same."""

    text: Text


class Rule(Act, frozen=True):
    """A ruling for tonight's book."""

    text: Text


class Strike(Act, frozen=True):
    """An earlier entry of the journal is taken back, as if it had never been made."""

    entry: Annotated[int, Meta(ge=1)]
    reason: Text
    overrule: bool = False  # although maps have gone out since: all courts are told
    instead: Arrive | None = None  # the wrong person was checked in: this one came, at the time of that entry


AnyAct = (
    Deal | Join | Replace | Linked
    | Release | Last | Collect | Play | Correct | Pause | Resume
    | Write | Give | Send | Alter | Arrive | HandIn | Leave | Present
    | Enter | Admit | Dismiss | Recall | Summon | CallOff
    | Guess | Reveal
    | Tell | Rule | Strike
)  # fmt: skip


class Entry(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of the journal: when, by which role, and what. Entries are numbered from 1."""

    at: int  # wall time in milliseconds
    act: AnyAct
    by: str = GAMERUNNER
    signed: str = ""  # the name of the gamerunner, for the register


def doer(act: AnyAct) -> str:
    """Who does this act in person. At the desk gamerunners may enter any act for anybody."""
    match act:
        case Write(court) | Give(court) | Send(court) | Admit(court) | Dismiss(court) | Recall(court):
            return court
        case Summon(court) | CallOff(court) | Guess(court):
            return court
        case Alter(role) | Arrive(role) | HandIn(role) | Leave(role) | Present(role) | Enter(role):
            return role
        case _:
            return GAMERUNNER
