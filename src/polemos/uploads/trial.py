"""The trial: a match against the game's simplest bot, in the box as on the ladder. A bot must finish it, not win it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from polemos import registry
from polemos.hosts import box, inprocess, specs
from polemos.hosts.bundle import Bundle
from polemos.hosts.process import Launch, ProcessBot
from polemos.kernel import dice, replay
from polemos.kernel.capabilities.pictures import Pictures, picture_of
from polemos.kernel.capabilities.turn_limit import TurnLimit
from polemos.kernel.game import UMPIRE, AnyGame
from polemos.kernel.match import AnyMatch, Match, Step
from polemos.kernel.outcome import Outcome
from polemos.kernel.playing import play
from polemos.kernel.rooms import bots_of
from polemos.kernel.verdict import Verdict
from polemos.uploads.logs import KEPT, around, plain
from polemos.uploads.refusals import LogLine, Refused, Unavailable, counted
from polemos.uploads.versions import Passed
from polemos.wire.bot import Budget

OPPONENT: Final = "random"  # or the game's first bot, if it has none of this name
PICTURES: Final = 0.25  # seconds between pictures
MUST_FINISH: Final = "A bot has to finish the trial; it doesn't have to win."


class Turn(Struct, frozen=True, tag_field="type", tag="turn"):
    """A turn of the trial, for those who watch. A picture comes with it a few times a second."""

    game: str
    turn: int
    turns: int | None  # of the whole match, if that is known
    seat: str  # the bot's
    view: Any  # the position as the umpire sees it
    picture: str = ""  # SVG
    cpu: float = 0.0  # seconds that the bot's answer took
    void_lines: int = 0  # of this turn
    over: bool = False

    def words(self) -> str:
        return f"turn {self.turn}" + (f" of {self.turns}" if self.turns else "")


class FailedTrial(Refused):
    """With the place where it went wrong."""

    def __init__(self, word: str, why: str, turn: int, line: str, log: str) -> None:
        super().__init__(word, why)
        self.turn, self.line, self.log = turn, line, log
        self.game = self.replay = ""
        self.lines: tuple[LogLine, ...] = around(log, line)


class Trial:
    """One match of a bundle in one game."""

    def __init__(
        self,
        bundle: Bundle,
        game: str,
        *,
        name: str,
        log: Path,
        record: Path,
        budget: Budget | None = None,
        options: dict[str, Any] | None = None,
        seed: object = "trial",
        on_turn: Callable[[Turn], None] = lambda turn: None,
        on_log: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._bundle, self._name, self._log, self._record = bundle, name, log, record
        self._game: AnyGame = registry.load(game)
        self._budget = budget or Budget()
        self._on_turn, self._on_log = on_turn, on_log
        self._seed = seed
        self._match: AnyMatch = Match(self._game, options or {}, seed=dice.derive(seed, game))
        self._seat = self._match.seats[0]
        self._drawn = 0.0
        self._told = 0  # bytes of the log
        self._bid: int | None = None

    def play(self) -> Passed:
        """Plays it; raises FailedTrial if the bot doesn't finish, Unavailable if this machine can't play it."""
        why = box.lack()
        if why is not None:
            raise Unavailable(f"The box does not work on this machine: {why}")
        bots: dict[str, Any] = {}
        outcome: Outcome | None = None
        try:
            for seat in self._match.seats:
                bots[seat] = self._bot(seat)
            self._show(None)
            outcome = play(self._match, bots, self._after)
            self._bid = bots[self._seat].bid
        finally:
            specs.close(list(bots.values()), outcome)
        others = {seat: self._opponent() for seat in self._match.seats}
        replay.write(self._record, self._match, others | {self._seat: self._name}, self._seeds())
        self._follow_log()
        self._judge()
        return self._passed(outcome)

    # ---- the match

    def _bot(self, seat: str) -> Any:
        setting = self._game.setting(self._match.state)  # each bot gets its own copy, so it cannot spoil the others'
        if seat != self._seat:
            return inprocess.make(self._game, self._opponent(), setting, seat, self._seeds()[seat])
        launch = Launch(self._bundle.command, self._budget, self._log, self._bundle)
        return ProcessBot(self._game, launch, setting, seat, self._seeds()[seat], seats=self._match.seats)

    def _opponent(self) -> str:
        bots = bots_of(self._game)
        return OPPONENT if OPPONENT in bots else next(iter(bots))

    def _seeds(self) -> dict[str, int]:
        return {seat: dice.number(self._seed, "bot", seat) for seat in self._match.seats}

    def _after(self, step: Step) -> None:
        self._follow_log()
        self._show(step)

    def _show(self, step: Step | None) -> None:
        """The board after a step. A picture is drawn a few times a second, and always at the end."""
        view = self._match.view(UMPIRE)
        over, now = self._match.outcome is not None, time.monotonic()
        picture = ""
        if isinstance(self._game, Pictures) and (over or now - self._drawn >= PICTURES):
            picture = picture_of(self._game, self._match.setting, view, "board", theme="screen")
            self._drawn = now
        self._on_turn(
            Turn(
                self._game.name,
                view.turn,
                self._game.turns(self._match.setting, view) if isinstance(self._game, TurnLimit) else None,
                self._seat,
                msgspec.to_builtins(view),
                picture,
                0.0 if step is None else step.cpu.get(self._seat, 0.0),
                0 if step is None else step.void_lines(self._seat),
                over,
            )
        )

    def _follow_log(self) -> None:
        """Tells what the bot wrote since the last turn, up to what is kept."""
        if self._told >= KEPT or not self._log.is_file():
            return
        with self._log.open("rb") as file:
            file.seek(self._told)
            new = file.read(KEPT - self._told)
        if new:
            self._told += len(new)
            self._on_log(plain(new))

    # ---- the verdict

    def _judge(self) -> None:
        for step in self._match.steps:
            verdict = step.forfeits.get(self._seat) or step.gone.get(self._seat)
            if verdict is not None:
                if verdict.kind == "box":
                    raise Unavailable(verdict.detail)
                raise self._failed(verdict, self._turn_of(step))

    def _turn_of(self, step: Step) -> int:
        turn: int = self._game.observe(self._match.state_at(step.step - 1), UMPIRE).turn
        return turn

    def _failed(self, verdict: Verdict, turn: int) -> FailedTrial:
        log = self._read_log()
        line = verdict.detail.partition(": ")[2] if verdict.kind == "crash" else ""
        why = f"{self._name} {_fault(verdict, turn)} {MUST_FINISH}"
        failed = FailedTrial(f"trial/{verdict.kind}", why, turn, line, log)
        failed.game, failed.replay = self._game.name, str(self._record)
        return failed

    def _read_log(self) -> str:
        if not self._log.is_file():
            return ""
        with self._log.open("rb") as file:
            head = file.read(KEPT)
            rest = file.read()
        left_out = len(rest) - KEPT
        note = f"\n[{left_out:,} bytes left out]\n".encode() if left_out > 0 else b""
        return plain(head + note + rest[-KEPT:])

    def _passed(self, outcome: Outcome) -> Passed:
        steps = self._match.steps
        points = outcome.points.get(self._seat, 0.0)
        won = "won" if outcome.winner == self._seat else "drew" if outcome.winner is None else "lost"
        turn = self._turn_of(steps[-1]) if steps else 0
        return Passed(
            self._game.name,
            self._game.edition,
            f"{won} against {self._opponent()} on turn {turn}: {outcome.reason}",
            turn,
            points,
            sum(step.void_lines(self._seat) for step in steps),
            sum(self._seat in step.strikes for step in steps),
            max((step.cpu.get(self._seat, 0.0) for step in steps), default=0.0),
            self._read_log().count("\n"),
            self._bid,
        )


def _fault(verdict: Verdict, turn: int) -> str:
    """What went wrong, as the rest of a sentence about the bot.

    >>> _fault(Verdict("crash", "exit code 1: ValueError: 7 archers"), 31)
    'stopped on turn 31 (exit code 1): ValueError: 7 archers.'
    >>> _fault(Verdict("late", "no answer in time", 3), 4)
    'got a third strike on turn 4: no answer in time.'
    """
    detail = verdict.detail.rstrip(".")
    if verdict.strikes:
        return f"got a third strike on turn {turn}: {detail or verdict.kind}."
    if verdict.kind == "crash":
        how, _, line = detail.partition(": ")
        return f"stopped on turn {turn} ({how}){f': {line}' if line else ''}."
    words = {
        "time": "ran out of time",
        "memory": "used too much memory",
        "output": "wrote too much",
        "protocol": "broke the protocol",
        "start": "did not start",
    }
    said = words.get(verdict.kind, "dropped out")
    return f"{said} on turn {turn}: {detail}." if detail else f"{said} on turn {turn}."


def summary(passed: Passed) -> str:
    """What the page says of a trial."""
    faults = [
        counted(number, thing)
        for number, thing in ((passed.void_lines, "void line"), (passed.strikes, "strike"))
        if number
    ]
    return passed.words + (f"; {', '.join(faults)}" if faults else "")
