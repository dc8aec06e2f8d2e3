"""How an upload gets on: the news of its reception, folded into what its author sees."""

from __future__ import annotations

import zlib
from typing import Final, Literal

import msgspec
from msgspec import Struct

from polemos.kernel.rooms import bots_of
from polemos.server import shelf
from polemos.uploads.logs import KEPT
from polemos.uploads.reception import Accepted, Change, Logged, News
from polemos.uploads.refusals import STEPS, Refusal
from polemos.uploads.trial import OPPONENT, Turn
from polemos.wire.authors import Log, LogLine, Step, StepName, StepState, TrialBoard, UploadRefused

TAIL: Final = 40  # lines of a log that the page shows
MAX_LOG: Final = 2 * KEPT  # characters that are stored
MAX_PICTURE: Final = 1 << 20  # characters; a larger one is not shown


class Progress(Struct):
    """What is known of an upload so far."""

    steps: dict[StepName, tuple[StepState, str]] = {}
    build: str = ""  # logs
    log: str = ""
    board: TrialBoard | None = None
    name: str = ""
    game: str = ""
    language: str = ""
    digest: str = ""
    words: str = ""
    refused: UploadRefused | None = None
    replay: str = ""  # the file of a trial that failed
    again: bool = False

    def hear(self, news: News) -> None:
        """Takes in one piece of news."""
        match news:
            case Change():
                self._step(news)
            case Logged(step="built"):
                self.build = (self.build + news.text)[:MAX_LOG]
            case Logged():
                self.log = (self.log + news.text)[:MAX_LOG]
            case Turn():
                self.board = self._board(news)
            case Accepted():
                self.words = news.words
            case Refusal():
                self._refuse(news)

    def refuse(self, step: StepName, word: str, why: str) -> None:
        """Ends it for a reason that only the server knows."""
        self._refuse(Refusal(step, word, why))

    def _step(self, news: Change) -> None:
        if news.state == "began":
            at = STEPS.index(news.step)
            for later in STEPS[at + 1 :]:  # an upload that was begun again
                self.steps.pop(later, None)
            if news.step == "built":
                self.build = ""
            elif news.step == "trial":
                self.log, self.board = "", None
        self.steps[news.step] = (news.state, news.words)
        self.digest = news.digest or self.digest
        if news.step == "recognised" and news.state == "done":
            self.name, self.game, self.language = news.name, news.game, news.language

    def _board(self, turn: Turn) -> TrialBoard:
        last = self.board
        picture = turn.picture if len(turn.picture) <= MAX_PICTURE else ""
        return TrialBoard(
            game=turn.game,
            turn=turn.turn,
            turns=turn.turns,
            seat=turn.seat,
            opponent=_opponent(turn.game),
            picture=picture or (last.picture if last else ""),
            cpu=max(turn.cpu, last.cpu if last else 0.0),
            void_lines=turn.void_lines + (last.void_lines if last else 0),
            over=turn.over,
        )

    def _refuse(self, refusal: Refusal) -> None:
        self.steps[refusal.step] = ("failed", "")
        lines = tuple(LogLine(line.number, line.text, line.is_cause) for line in refusal.lines)
        seat = self.board.seat if self.board is not None else ""
        self.refused = UploadRefused(
            refusal.step, refusal.word, refusal.why, lines, refusal.turn, seat, bool(refusal.replay)
        )
        self.words, self.replay = refusal.why, refusal.replay
        if refusal.log and refusal.step == "built":
            self.build = refusal.log[:MAX_LOG]
        elif refusal.log:
            self.log = refusal.log[:MAX_LOG]

    def listed(self) -> tuple[Step, ...]:
        """All steps, with those that have not begun."""
        return tuple(Step(step, *self.steps.get(step, ("todo", ""))) for step in STEPS)


def _opponent(game: str) -> str:
    bots = bots_of(shelf.load(game))
    return OPPONENT if OPPONENT in bots else next(iter(bots))


def pack(progress: Progress) -> bytes:
    return zlib.compress(msgspec.json.encode(progress), 1)


def unpack(raw: bytes) -> Progress:
    return msgspec.json.decode(zlib.decompress(raw), type=Progress) if raw else Progress()


def tail(log: str) -> Log:
    """The last lines of a log.

    >>> tail("a\\nb\\n")
    Log(lines=(LogLine(number=1, text='a', is_cause=False), LogLine(number=2, text='b', is_cause=False)), total=2)
    """
    lines = log.split("\n")
    lines = lines[:-1] if lines[-1] == "" else lines
    first = max(0, len(lines) - TAIL)
    return Log(tuple(LogLine(first + i + 1, text) for i, text in enumerate(lines[first:])), len(lines))


Kind = Literal["build", "log"]
