"""Verdicts: why a seat lost a turn or dropped out. Hosts reach them, matches record them, reports show them.

In files and messages a verdict is a text such as `crash: ValueError: 7 archers` or `3 strikes: late: no answer in
time`. Only this module parses such a text.
"""

from __future__ import annotations

import re
from typing import Final, Literal, get_args

from msgspec import Struct

from polemos.kernel.tame import tame

Kind = Literal[
    "crash",  # the bot raised an error, or its program ended
    "late",  # no answer within the time for a turn
    "unreadable",  # the answer is not a sheet
    "time",  # the bank is empty
    "memory",  # over the memory limit
    "output",  # a line is too long
    "protocol",  # a message that is not allowed at this point
    "start",  # the program cannot be started, or is not ready in time
    "box",  # this machine cannot run the program in a box
    "dialect",  # the match cannot be played in the guest's language, or the guest refuses it
    "resigned",  # a person gave up
    "dropped out",  # the umpire was told so
    "request",  # the request for an adjudication said so
    "failed",  # the umpire could not adjudicate the sheet
    "other",  # anything else, and old texts without any of these words
]

MAX_REASON: Final = 200  # characters
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
_BY_WORD: Final[dict[str, Kind]] = {kind: kind for kind in KINDS if kind != "other"}
_STRUCK: Final = re.compile(r"([1-9]\d{0,8}) strikes(?:: )?(.*)", re.DOTALL)


class Verdict(Struct, frozen=True):
    """Why a seat lost its turn or the match.

    `kind` may be shown to everyone. `detail` may name files on this machine or reveal how the bot plays, so it is
    only for the bot's owner and the umpire's records.

    >>> str(Verdict("crash", "ValueError: 7 archers"))
    'crash: ValueError: 7 archers'
    >>> Verdict.read("3 strikes: late: no answer in time")
    Verdict(kind='late', detail='no answer in time', strikes=3)
    """

    kind: Kind
    detail: str = ""
    strikes: int = 0  # if it dropped out through strikes, how many; kind and detail describe the last one

    @classmethod
    def read(cls, text: str) -> Verdict:
        """Reads a verdict. Any text is a valid verdict, and writing the verdict gives the same text again."""
        struck = _STRUCK.fullmatch(text)
        strikes, rest = (int(struck[1]), struck[2]) if struck else (0, text)
        word, _, detail = rest.partition(": ")
        kind = _BY_WORD.get(word)
        found = cls("other", rest, strikes) if kind is None else cls(kind, detail, strikes)
        return found if str(found) == text else cls("other", text)

    def __str__(self) -> str:
        struck = f"{self.strikes} strikes" if self.strikes else ""
        return ": ".join(part for part in (struck, "" if self.kind == "other" else self.kind, self.detail) if part)

    @property
    def word(self) -> str:
        """The part everyone may know: the kind, or the number of strikes. Empty if there is nothing to tell."""
        if self.strikes:
            return f"{self.strikes} strikes"
        return "" if self.kind == "other" else self.kind


def in_words(verdict: Verdict | None) -> str:
    """How a seat dropped out, without the detail, which may reveal its play or name files on this machine.

    >>> in_words(Verdict("time", "the bank is empty")), in_words(Verdict("crash", "ValueError: 7 archers at H4"))
    ('ran out of time', 'dropped out (crash)')
    >>> in_words(Verdict("other", "'/opt/bots/own' is not a program on this machine."))
    'dropped out'
    """
    word = "" if verdict is None else verdict.word
    known = {"": "dropped out", "dropped out": "dropped out", "resigned": "resigned", "time": "ran out of time"}
    return known.get(word, f"dropped out ({word})")


def public(text: str) -> str:
    """A verdict as text, without the detail.

    >>> public("crash: exit code 1: ValueError: 7 archers"), public("3 strikes: late: no answer in time"), public("?")
    ('crash', '3 strikes', 'dropped out')
    """
    return Verdict.read(text).word or "dropped out"


# Kinds whose detail is written by the host alone, and quotes nothing of what the program wrote.
_PLAIN: Final = ("late", "time", "memory", "output", "resigned", "dropped out")


def without_quotes(verdict: Verdict) -> Verdict:
    """The same without what it quotes from a program's log or answers.

    >>> str(without_quotes(Verdict("crash", "exit code 1: ValueError: 7 archers")))
    'crash'
    >>> str(without_quotes(Verdict("late", "no answer in time", 3)))
    '3 strikes: late: no answer in time'
    """
    return verdict if verdict.kind in _PLAIN or not verdict.detail else Verdict(verdict.kind, "", verdict.strikes)


def struck(verdict: Verdict) -> str:
    """A strike in words.

    >>> struck(Verdict("late", "no answer in time"))
    'was late'
    """
    return {"late": "was late", "unreadable": "sent an unreadable answer"}.get(verdict.kind, "lost the turn")


# Kinds whose detail is about the program alone: what it wrote, or which of its limits it broke.
_OWN: Final = ("crash", "late", "unreadable", "time", "memory", "output", "protocol", "dialect")


def reason(verdict: Verdict) -> str:
    """The detail, for those who may know how the seat plays; empty if it could name files on this machine.

    >>> reason(Verdict("crash", "exit code 1: ValueError: no bow")), reason(Verdict("start", "'/opt/bot' is missing"))
    ('exit code 1: ValueError: no bow', '')
    """
    return tame(verdict.detail, MAX_REASON) if verdict.kind in _OWN else ""
