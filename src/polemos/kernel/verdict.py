"""Verdicts: why a seat lost a turn, or dropped out. Hosts reach them, matches keep them, reports tell them.

In files and messages a verdict is a text such as `crash: ValueError: 7 archers` or `3 strikes: late: no answer in
time`. This module alone takes such a text apart.
"""

from __future__ import annotations

import re
from typing import Final, Literal, get_args

from msgspec import Struct

Kind = Literal[
    "crash",  # the bot raised an error, or its program ended
    "late",  # no answer in the time for a turn
    "unreadable",  # an answer that is not a sheet
    "time",  # the bank is empty
    "memory",  # more than it may have
    "output",  # a line longer than it may be
    "protocol",  # something that is not said at this point
    "start",  # the program cannot be started, or is not ready in time
    "box",  # the machine cannot box the program
    "dialect",  # a guest cannot be spoken to, or refuses the match
    "resigned",  # a person gave up
    "dropped out",  # the umpire was told so
    "request",  # whoever asks for one adjudication wants it so
    "failed",  # the umpire could not adjudicate the sheet
    "other",  # all else, and texts of before that have none of these words
]

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
_BY_WORD: Final[dict[str, Kind]] = {kind: kind for kind in KINDS if kind != "other"}
_STRUCK: Final = re.compile(r"([1-9]\d{0,8}) strikes(?:: )?(.*)", re.DOTALL)


class Verdict(Struct, frozen=True):
    """Why a seat lost its turn, or the match.

    `kind` may be shown to everybody. `detail` may name files of this machine or tell of the bot's play: it is for its
    owner and the records of the umpire.

    >>> str(Verdict("crash", "ValueError: 7 archers"))
    'crash: ValueError: 7 archers'
    >>> Verdict.read("3 strikes: late: no answer in time")
    Verdict(kind='late', detail='no answer in time', strikes=3)
    """

    kind: Kind
    detail: str = ""
    strikes: int = 0  # where it dropped out by strikes: how many; kind and detail are those of the last

    @classmethod
    def read(cls, text: str) -> Verdict:
        """The verdict that a text stands for. Every text stands for one, which reads the same when written."""
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
        """What everybody may know: the kind, or how many strikes it were. Empty where that cannot be told."""
        if self.strikes:
            return f"{self.strikes} strikes"
        return "" if self.kind == "other" else self.kind


def in_words(verdict: Verdict | None) -> str:
    """How a seat has dropped out, without the detail: that may tell of its play, or name files of this machine.

    >>> in_words(Verdict("time", "the bank is empty")), in_words(Verdict("crash", "ValueError: 7 archers at H4"))
    ('ran out of time', 'dropped out (crash)')
    >>> in_words(Verdict("other", "'/opt/bots/own' is not a program on this machine."))
    'dropped out'
    """
    word = "" if verdict is None else verdict.word
    known = {"": "dropped out", "dropped out": "dropped out", "resigned": "resigned", "time": "ran out of time"}
    return known.get(word, f"dropped out ({word})")
