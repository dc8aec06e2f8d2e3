"""Steps, sheets and events in words, as several verbs print them."""

from __future__ import annotations

from typing import Any

from polemos.kernel.book import paragraphs
from polemos.kernel.orders import shown


def sheet_lines(match: Any) -> list[str]:
    """The sheets of the last step, void lines marked."""
    step = match.steps[-1]
    lines = []
    for seat, orders in step.orders.items():
        void = {fault.line: fault for fault in step.faults.get(seat, ())}
        if orders is None:
            lines.append(f"{seat:8} no sheet")
        elif not orders:
            lines.append(f"{seat:8} an empty sheet")
        for number, order in enumerate(orders or (), 1):
            mark = f"   void: {void[number].why} Rule {void[number].rule}." if number in void else ""
            lines.append(f"{seat if number == 1 else '':8} {order}{mark}")
    lines += [f"{seat:8} forfeits: {shown(str(verdict))}" for seat, verdict in step.forfeits.items()]
    lines += [f"umpire   calls: {text}" for text in step.calls]
    return lines


def step_events(game: Any, match: Any, who: str) -> list[str]:
    """What `who` may know of the last step, a sentence a line with its paragraph."""
    return [f"{game.words(event)} Rule {game.rule_of(event)}." for event in match.told(who)]


def paragraph(game: Any, number: str) -> str:
    """A paragraph of the book, or what paragraphs there are."""
    found = paragraphs(game.book / "rules.md")
    if number not in found:
        return f"There is no paragraph {number!r}. The book has {', '.join(found)}."
    return f"{found[number].number} {found[number].title}\n{found[number].text}"
