"""Why an upload is not accepted, in a sentence for its author, and the line of the log that says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

Step = Literal["received", "unpacked", "recognised", "built", "trial", "accepted"]
STEPS: tuple[Step, ...] = ("received", "unpacked", "recognised", "built", "trial", "accepted")


class LogLine(Struct, frozen=True):
    """A line of a log, by its number."""

    number: int
    text: str
    is_cause: bool = False


class Refusal(Struct, frozen=True, tag_field="type", tag="refused"):
    """The end of an upload that cannot play."""

    step: Step  # which of them failed
    word: str  # the kind of fault, for programs: `archive/bomb`, `build/time`, `trial/crash`, ...
    why: str  # one or two sentences
    line: str = ""  # the line of its log that says why
    lines: tuple[LogLine, ...] = ()  # that line and those around it
    log: str = ""  # all that was kept of the log
    turn: int | None = None  # of the trial
    game: str = ""  # of the trial
    replay: str = ""  # the file of the trial


class Refused(Exception):
    """Raised by the step that fails."""

    def __init__(self, word: str, why: str) -> None:
        super().__init__(why)
        self.word, self.why = word, why


class Unavailable(Exception):
    """This machine cannot do it now. It is not the bot's fault; try again, perhaps elsewhere."""


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names in a sentence.

    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else "".join(names)


def counted(number: int, thing: str) -> str:
    """
    >>> counted(1, "file"), counted(2000, "file")
    ('1 file', '2,000 files')
    """
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def size(bytes_: int) -> str:
    """
    >>> size(900), size(41_000), size(64 << 20)
    ('900 bytes', '40 KB', '64 MB')
    """
    if bytes_ < 1024:
        return counted(bytes_, "byte")
    return f"{bytes_ >> 10} KB" if bytes_ < 1 << 20 else f"{bytes_ >> 20} MB"
