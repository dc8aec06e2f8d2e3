"""The time that bots used. It depends on the machine, so results never do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from polemos.kernel.match import Step


class Used(Struct, frozen=True):
    """The time of one bot in one or more games, in seconds."""

    games: int = 0
    answers: int = 0
    cpu: float = 0.0
    wall: float = 0.0  # on the clock
    slowest: float = 0.0  # answer, on the clock

    def plus(self, other: Used) -> Used:
        return Used(
            self.games + other.games,
            self.answers + other.answers,
            round(self.cpu + other.cpu, 6),
            round(self.wall + other.wall, 6),
            max(self.slowest, other.slowest),
        )


def used(steps: Iterable[Step], seat: str) -> Used:
    """The time of a seat in one game."""
    cpu = [step.cpu[seat] for step in steps if seat in step.cpu]
    wall = [step.wall[seat] for step in steps if seat in step.wall]
    return Used(1, len(wall), round(sum(cpu), 6), round(sum(wall), 6), max(wall, default=0.0))


def total(parts: Iterable[Used]) -> Used:
    found = Used()
    for part in parts:
        found = found.plus(part)
    return found


COLUMNS = ("CPU/game", "clock/game", "slowest")


def cells(of: Used) -> Sequence[str]:
    """What tables say under `COLUMNS`: the mean CPU time and time on the clock of a game, and the slowest answer."""
    if not of.answers:
        return ("", "", "")
    return brief(of.cpu / of.games), brief(of.wall / of.games), brief(of.slowest)


def brief(seconds: float) -> str:
    """Seconds in a few signs.

    >>> brief(0.00004), brief(0.0042), brief(0.25), brief(1.234), brief(83)
    ('<0.1 ms', '4.2 ms', '250 ms', '1.2 s', '83 s')
    """
    if seconds < 0.0001:
        return "<0.1 ms" if seconds > 0 else "0 ms"
    if seconds < 0.9995:
        ms = seconds * 1000
        return f"{ms:.1f} ms" if ms < 9.95 else f"{ms:.0f} ms"
    return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:,.0f} s"
