"""Everything that can go wrong, as a small tree of exceptions.

    PolemosError
     ├─ BadOptions          no match can be set up with these options
     ├─ BadPosition         play can never reach this position
     ├─ OrderError          a line of a sheet is void
     │   ├─ NotationError       the text is not an order
     │   └─ IllegalOrder        well formed, but a paragraph forbids it here
     ├─ BotFault            a bot failed to start, crashed, or broke a limit: it drops out
     │   └─ BotStrike           a late or unreadable answer: it costs the turn
     │       └─ BotGone             it is gone for good, but its seat stays in the match and passes
     ├─ ReplayError         a replay cannot be trusted
     │   ├─ NotAReplay          the file is something else
     │   ├─ Damaged             bytes were changed
     │   ├─ Truncated           the end is missing
     │   ├─ WrongEdition        played under other rules
     │   └─ Diverged            adjudicating again gives a different game
     ├─ NoSuchGame          no game with this name is installed
     ├─ NoPicture           this game cannot draw pictures
     ├─ NoSimulation        this game has no random play in compiled code
     ├─ NoLibrary           this game has no C library, or it cannot be built here
     ├─ MissingPart         not installed, or not possible on this machine
     └─ BrokenGame          an invariant failed: a bug in Polemos

Each has a stable word for the wire (`word`), and says what is wrong and how to put it right.
"""

from __future__ import annotations

from typing import ClassVar

from polemos.kernel.verdict import Verdict


class PolemosError(Exception):
    """The root: catch it to catch everything that Polemos raises on purpose."""

    word: ClassVar[str] = "error"

    def __init__(self, why: str, *, rule: str | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.why} Rule {self.rule}." if self.rule else self.why


class BadOptions(PolemosError):
    word = "options/bad"


class BadPosition(PolemosError):
    word = "position/bad"


class OrderError(PolemosError):
    word = "order/bad"


class NotationError(OrderError):
    word = "order/notation"


class IllegalOrder(OrderError):
    word = "order/illegal"


class BotFault(PolemosError):
    """Its verdict goes into the records of the match. A plain text becomes a verdict of kind "other"."""

    word = "bot/fault"

    def __init__(self, why: str | Verdict) -> None:
        super().__init__(str(why))
        self.verdict = why if isinstance(why, Verdict) else Verdict("other", why)


class BotStrike(BotFault):
    """It costs the turn. A silence that lasts for several turns counts as a strike once."""

    word = "bot/strike"

    def __init__(self, why: str | Verdict, *, counts: bool = True) -> None:
        super().__init__(why)
        self.counts = counts


class BotGone(BotStrike):
    """The bot is gone for good, but its seat stays in the match and passes, because the bot's own umpire ruled so."""

    word = "bot/gone"

    def __init__(self, why: str | Verdict) -> None:
        super().__init__(why, counts=False)


class ReplayError(PolemosError):
    word = "replay/bad"


class NotAReplay(ReplayError):
    word = "replay/other"


class Damaged(ReplayError):
    word = "replay/damaged"


class Truncated(ReplayError):
    word = "replay/truncated"


class WrongEdition(ReplayError):
    word = "replay/edition"


class Diverged(ReplayError):
    word = "replay/diverged"


class NoSuchGame(PolemosError):
    word = "game/unknown"


class NoPicture(PolemosError):
    word = "picture/none"


class NoSimulation(PolemosError):
    word = "simulation/none"


class NoLibrary(PolemosError):
    word = "library/none"


class MissingPart(PolemosError):
    word = "part/missing"


class BrokenGame(PolemosError):
    word = "game/broken"
