"""Steps, sheets and events in words, as printed by several commands."""

from __future__ import annotations

from typing import Any

from polemos.kernel.book import paragraphs
from polemos.kernel.match import AnyMatch
from polemos.kernel.orders import shown
from polemos.kernel.rooms import book_of
from polemos.kernel.telling import stages


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
    lines += [f"{seat:8} forfeits: {shown(str(verdict))}" for seat, verdict in step.forfeits.items()]
    lines += [f"{seat:8} is gone and passes from now on: {shown(str(why))}" for seat, why in step.gone.items()]
    lines += [f"umpire   calls: {text}" for text in step.calls]
    return lines


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
