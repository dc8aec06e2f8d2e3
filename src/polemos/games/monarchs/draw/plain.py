"""The map of Monarchs for a terminal, with what was reported below."""

from __future__ import annotations

from textwrap import wrap

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.draw import words as told
from polemos.games.monarchs.draw.facts import cells_of
from polemos.games.monarchs.view import Report, Setting, View
from polemos.pictures import terminal


def text(setting: Setting, view: View, colour: bool = False) -> str:
    """The map for a terminal, at most 100 columns wide, with what was reported below."""
    lines = _wrapped(f"Monarchs, {view.who}. {told.occasion(view)}. {told.sight(setting, view)}")
    if told.note(view):
        lines += _wrapped(told.verdict(view) or f"{told.note(view)}.")
    lines += ["", *terminal.lines(cells_of(setting, view), colour), ""]
    lines += _wrapped("r red, g green, b blue, . unclaimed, ? not in sight, * home base")
    for nation, report in told.reports(view):
        lines += _report(view, nation, report)
    if view.dropped:
        lines += _wrapped(f"Gave up their orders: {', '.join(view.dropped)}")
    return "\n".join(lines) + "\n"


def _report(view: View, nation: str, report: Report) -> list[str]:
    """A report as lines for a terminal."""
    victories, defeats, score = told.lists(view, report)
    whose = "" if nation == view.who else f"{nation.capitalize()}: "
    heading = "Score" if view.turn == 1 else f"Score of turn {view.turn - 1}"
    total = f", total {report.total}" if view.outcome is not None or view.who not in NATIONS else ""
    lines = (
        f"{whose}Victories: {' '.join(victories)}",
        f"{whose}Defeats: {' '.join(defeats)}",
        f"{whose}{heading}: {score}{total}",
    )
    return [part for line in lines for part in _wrapped(line, "  ")]


def _wrapped(line: str, indent: str = "") -> list[str]:
    return wrap(line, terminal.width(), subsequent_indent=indent)
