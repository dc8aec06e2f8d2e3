"""The messages between the server and the phones at a party. Acts and sights are the game's own."""

from __future__ import annotations

from typing import Any

from msgspec import Raw, Struct

# ---- over HTTP


class OpenParty(Struct, frozen=True, forbid_unknown_fields=True):
    """A party, as its host wishes for it; what a wish is, the game says."""

    game: str
    wish: Any


class Opened(Struct, frozen=True):
    """A new party. The token is the host's, who has the umpire's role."""

    id: str
    role: str
    token: str


class Claim(Struct, frozen=True, forbid_unknown_fields=True):
    """The code of a personal link. It can be used once."""

    code: str


class Claimed(Struct, frozen=True):
    """The role of this phone, and the secret by which it will be known."""

    role: str
    token: str


class LinkRow(Struct, frozen=True):
    """The link of one role, for the host. It has a code until somebody has used it, and none while a bot is there."""

    role: str
    name: str
    is_bot: bool
    code: str | None
    is_used: bool
    is_host: bool = False  # the link of the host's other browser


class Doing(Struct, frozen=True, forbid_unknown_fields=True):
    """An act by HTTP."""

    act: Any


# ---- from a phone


class JoinParty(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="join"):
    """The first message."""

    token: str
    id: int | None = None


class Do(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="do"):
    act: Any
    id: int | None = None


class SayAloud(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="say"):
    """To everybody in the room."""

    text: str
    id: int | None = None


PartyAsks = JoinParty | Do | SayAloud

# ---- to a phone


class Here(Struct, frozen=True, tag_field="type", tag="here"):
    """The answer to joining: who you are, and the time on the server's clock in milliseconds."""

    role: str
    game: str
    title: str
    now: int


class SightSaid(Struct, frozen=True, tag_field="type", tag="sight"):
    """All that this role may know now. It is sent when it has changed, and only then."""

    sight: Raw


class Heard(Struct, frozen=True, tag_field="type", tag="heard"):
    """Something that was said in the room."""

    at: int
    role: str
    name: str
    text: str


class Done(Struct, frozen=True, tag_field="type", tag="done"):
    """What was asked for is done, and on disk."""

    re: int | None


class NotDone(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="refused"):
    re: int | None
    word: str
    why: str
    rule: str | None = None


class Moved(Struct, frozen=True, tag_field="type", tag="moved"):
    """The last message to a phone whose role has been given to another one."""

    why: str


class GoingDown(Struct, frozen=True, tag_field="type", tag="restarting"):
    """The last message before the server stops: connect again after so many seconds."""

    seconds: float


PartySays = Here | SightSaid | Heard | Done | NotDone | Moved | GoingDown
