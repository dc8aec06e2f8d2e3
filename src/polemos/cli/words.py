"""Steps, sheets and events in words, as printed by several commands."""

from __future__ import annotations

from typing import Any

from polemos.arena.times import brief
from polemos.kernel.book import paragraphs
from polemos.kernel.match import AnyMatch, Step
from polemos.kernel.rooms import book_of
from polemos.kernel.tame import tame
from polemos.kernel.telling import stages

MAX_VERDICT = 240  # characters of one that are shown: it ends with the useful line of a bot's log


def counted(number: int, noun: str) -> str:
    """
    >>> counted(1, "line"), counted(2, "line")
    ('1 line', '2 lines')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def sheet_lines(match: Any) -> list[str]:
    """The sheets of the last step, with void lines marked."""
    step = match.steps[-1]
    lines = []
    for seat, orders in step.orders.items():
        void = {fault.line: fault for fault in step.void_of(seat)}
        if orders is None:
            lines.append(f"{seat:8} no sheet")
        elif not orders:
            lines.append(f"{seat:8} empty sheet")
        for number, order in enumerate(orders or (), 1):
            fault = void.get(number)
            mark = "" if fault is None else f"   void: {fault.why} Rule {fault.rule}." if fault.rule else "   void"
            lines.append(f"{seat if number == 1 else '':8} {order}{mark}")
    lines += [f"{seat:8} strike: {tame(str(verdict), MAX_VERDICT)}" for seat, verdict in step.strikes.items()]
    lines += [f"{seat:8} forfeits: {tame(str(verdict), MAX_VERDICT)}" for seat, verdict in step.forfeits.items()]
    lines += [
        f"{seat:8} is gone and passes from now on: {tame(str(why), MAX_VERDICT)}" for seat, why in step.gone.items()
    ]
    lines += [f"umpire   calls: {text}" for text in step.calls]
    if times := _times(step):
        lines.append(f"time     {times}")
    return lines


def _times(step: Step) -> str:
    """The time that bots took, of the processor and on the clock."""
    return ", ".join(
        f"{seat} {brief(step.cpu.get(seat, 0.0))} of CPU time and {brief(step.wall[seat])} on the clock"
        for seat in step.wall
    )


def step_events(match: AnyMatch, who: str) -> list[str]:
    """The events of the last step that `who` may know."""
    return told_lines(match, len(match.steps), who)


def told_lines(match: AnyMatch, number: int, who: str) -> list[str]:
    """The events of a step that `who` may know, one sentence per line with its paragraph, under the turn's stages."""
    game, events = match.game, match.told_at(number, who)
    if not events:
        return []
    stage_of = {
        at: stage.name
        for stage in stages(game, match.setting, lambda: game.observe(match.state_at(number - 1), who), events)
        for beat in stage.beats
        for first, many in beat.events
        for at in range(first, first + many)
    }
    lines, stage = [], ""
    for at, event in enumerate(events):
        if stage_of.get(at, "") != stage:
            stage = stage_of.get(at, "")
            lines += [f"-- {stage}"] if stage else ["--"]
        lines.append(f"{game.chronicle.words(event)} Rule {event.rule}.")
    return lines


def paragraph(game: Any, number: str) -> str:
    """A paragraph of the rule book, or the list of its paragraphs if it doesn't exist."""
    found = paragraphs(book_of(game) / "rules.md")
    if number not in found:
        return f"There is no paragraph {number!r}. The rule book has {', '.join(found)}."
    return f"{found[number].number} {found[number].title}\n{found[number].text}"
