"""A bot asked again: the views that a seat of a recorded match was shown up to a turn, and the answers to them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from polemos.hosts import specs
from polemos.kernel import replay as replays
from polemos.kernel.errors import BadOptions, BotFault
from polemos.kernel.game import AnyGame
from polemos.kernel.hosted import Hosted, Stopwatch
from polemos.kernel.match import AnyMatch, seat_called
from polemos.kernel.orders import Fault, Sheet
from polemos.kernel.playing import ask
from polemos.kernel.replay import Replay
from polemos.wire.bot import Budget


class Question(Struct, frozen=True):
    """What a seat was told when it was to order, and what it ordered."""

    step: int
    view: Any
    faults: tuple[Fault, ...]  # of its sheet before
    answer: tuple[str, ...] | None  # None: there was none


class Past(Struct, frozen=True):
    """A seat's match up to a turn."""

    game: Any
    setting: Any
    seats: tuple[str, ...]
    seat: str
    seed: int
    questions: tuple[Question, ...]  # the last is the one that matters
    match: Any  # as it stood then


class Answer(Struct, frozen=True):
    """What a bot answers now."""

    sheet: Sheet[Any]  # judged
    verdict: str  # what cost it the turn or the match; empty if nothing did
    cpu: float  # seconds
    seconds: float  # on the clock
    log: str  # what it wrote to standard error in this turn
    others: tuple[int, ...]  # turns before at which it answered otherwise than in the match


def past(replay: Replay, game: AnyGame, seat: str, turn: int) -> Past:
    """What the seat was told until this turn. Verifies the replay on the way."""
    seats = tuple(replay.header.seats)
    seat = seat_called(seats, seat)
    questions: list[Question] = []
    faults: tuple[Fault, ...] = ()
    for match in replays.replayed(replay, game):
        number = len(match.steps)
        if number:
            step = match.steps[-1]
            faults = step.faults.get(seat, ()) if seat in step.orders else faults
        if number == len(replay.steps) or number >= turn:
            break
        if seat in match.to_act:
            answer = replay.steps[number].orders.get(seat)
            questions.append(Question(number + 1, match.view(seat), faults, answer))
    if not questions or questions[-1].step != turn:
        turns = ", ".join(str(question.step) for question in questions[-6:])
        raise BadOptions(
            f"{seat} did not order in turn {turn} of {len(replay.steps)}."
            + (f" Its last turns until then: {turns}." if turns else "")
        )
    seed = replay.end.seeds.get(seat, 0)
    return Past(game, match.setting, match.seats, seat, seed, tuple(questions), _before(match, turn))


def _before(match: AnyMatch, turn: int) -> AnyMatch:
    """The match when the turn was to be ordered."""
    while len(match.steps) >= turn:
        match.take_back()
    return match


def answer(past: Past, spec: str, *, budget: Budget, trust: bool, log: Path) -> Answer:
    """Restarts the bot, shows it all that its seat was shown, and gives its answer to the last view."""
    bot = specs.make(
        past.game, spec, past.setting, past.seat, past.seed, seats=past.seats, budget=budget, trust=trust, log=log
    )
    others: list[int] = []
    try:
        for question in past.questions[:-1]:
            lines, verdict = _asked(bot, question)
            if verdict:
                return Answer(Sheet(), f"turn {question.step}: {verdict}", 0.0, 0.0, _read(log, 0), tuple(others))
            if _texts(past.game, lines) != question.answer:
                others.append(question.step)
        written = log.stat().st_size if log.exists() else 0
        watch, began = Stopwatch(), time.monotonic()
        lines, verdict = _asked(bot, past.questions[-1])
        seconds, cpu = time.monotonic() - began, watch.read(bot)
        sheet = past.game.check(past.match.state, past.seat, list(lines))
        return Answer(sheet, verdict, cpu, seconds, _read(log, written), tuple(others))
    finally:
        specs.close([bot], None)


def _asked(bot: Any, question: Question) -> tuple[Sequence[object], str]:
    if isinstance(bot, Hosted):
        bot.told(question.faults)
    try:
        return list(ask(bot, question.view)), ""
    except BotFault as fault:
        return (), str(fault.verdict)


def _texts(game: AnyGame, lines: Sequence[object]) -> tuple[str, ...]:
    """Lines as a record keeps them."""
    texts = []
    for line in lines:
        try:
            texts.append(game.write(game.read(line)))
        except Exception:  # whatever a bot hands in
            texts.append(str(line))
    return tuple(texts)


def _read(log: Path, start: int) -> str:
    try:
        with log.open("rb") as file:
            file.seek(start)
            return file.read(1 << 16).decode(errors="replace")
    except OSError:
        return ""
