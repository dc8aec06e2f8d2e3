"""A position of Monarchs in words: captions, the printed page, the terminal, people who cannot see the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polemos.games.monarchs.board import NAMES, NATIONS
from polemos.games.monarchs.view import Report, Setting, View


def name(view: View) -> str:
    return f"Monarchs, map of {view.who}. {occasion(view)}."


def occasion(view: View) -> str:
    return f"For the orders of turn {view.turn}" if view.outcome is None else "After the last turn"


def sight(setting: Setting, view: View) -> str:
    position = "Starting position." if view.turn == 1 else f"Position after turn {view.turn - 1}."
    count = f"{len(view.hexes)} of {len(setting.hexes)} hexes"
    return f"{position} You see {count}." if view.who in NATIONS else f"{position} {count} in sight."


def note(view: View) -> str:
    """What must not be overlooked: who won, or that this turn is the last."""
    if view.outcome is not None:
        return f"{view.outcome.winner.capitalize()} wins" if view.outcome.winner else "A draw"
    return "Last turn: it counts double" if view.turns and view.turn == view.turns else ""


def verdict(view: View) -> str:
    """How it ended and by which paragraph; empty before the end."""
    if view.outcome is None:
        return ""
    return f"{note(view)}: {view.outcome.reason}. Rule {view.outcome.rule}."


def reports(view: View) -> Iterator[tuple[str, Report]]:
    """The reports that may be shown: a nation's own; all to the umpire, and to everybody after the end."""
    everything = view.who not in NATIONS or view.outcome is not None
    for nation in NATIONS:
        if nation in view.reports and (everything or nation == view.who):
            yield nation, view.reports[nation]


def lists(view: View, report: Report | None) -> tuple[Sequence[str], Sequence[str], str]:
    """Victories, defeats and score as printed; dashes where no turn was played yet."""
    if report is None or view.turn == 1:
        return ("–",), ("–",), "–"
    return report.victories or ("none",), report.defeats or ("none",), str(report.score)


def describe(setting: Setting, view: View) -> str:
    """The position in words, for people who cannot see the picture."""
    parts = [f"{name(view)} {sight(setting, view)}"]
    seen = [(name, view.hexes[name]) for name in NAMES if name in view.hexes]
    for nation in NATIONS:
        owned = [(name, ground.regiments) for name, ground in seen if ground.owner == nation]
        armies = [f"{name} {regiments}" for name, regiments in owned if regiments]
        empty = [name for name, regiments in owned if not regiments]
        if armies:
            parts.append(f"{nation.capitalize()} regiments: {', '.join(armies)}.")
        if empty:
            parts.append(f"{nation.capitalize()} without regiments: {', '.join(empty)}.")
    free = [name for name, ground in seen if ground.owner is None]
    if free:
        parts.append(f"Unclaimed: {', '.join(free)}.")
    return " ".join(parts)
