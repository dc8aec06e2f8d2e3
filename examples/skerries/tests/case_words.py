"""What the words of the case files mean. `run` raises AssertionError where a case fails."""

from __future__ import annotations

from polemos.kernel.casefile import Case, Part
from polemos.kernel.errors import PolemosError
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.verdict import Verdict
from skerries.game import GAME

TESTED_ELSEWHERE: tuple[str, ...] = ()  # paragraphs that no case can show


def run(case: Case) -> None:
    """Plays a case and checks what it expects."""
    match = None
    for part in case.parts:
        try:
            match = match or begun(part)
        except PolemosError as error:
            assert part.get("expect") == [f"refused by {error.rule}"], error
            return
        for seat in part.get("drop"):
            match.forfeit(seat, Verdict("resigned"))
        for line in part.get("orders"):
            seat, _, orders = line.partition(" ")
            match.submit(seat, orders)
        for line in part.get("dice"):
            place, *thrown = line.split()
            GAME.fix_dice(
                match.state, match.chance, {place: dict(zip(thrown[::2], map(int, thrown[1::2]), strict=True))}
            )
        if part.lines.keys() & {"orders", "drop"}:
            match.run()
        for line in part.get("expect"):
            expect(case, match, line)


def begun(part: Part) -> AnyMatch:
    options = dict(pair.split("=") for line in part.get("options") for pair in line.split())
    position = "".join(part.get("position")) or None
    return Match(GAME, {name: int(value) for name, value in options.items()}, position=position, seed=0)


def expect(case: Case, match: AnyMatch, line: str) -> None:
    """One line of what a case expects."""
    word, _, rest = line.partition(" ")
    seat, _, what = rest.partition(" ")
    steps = match.steps[-1:]
    void = [f"{of} {fault.line} by {fault.rule}" for step in steps for of in step.faults for fault in step.faults[of]]
    told = [GAME.chronicle.words(event) for event in match.told(seat if seat in match.seats else UMPIRE)]
    seen = sorted(match.view(seat if seat in match.seats else UMPIRE).seen)
    winners = [of for of, points in match.outcome.points.items() if points] if match.outcome else []
    holds = {
        "position": GAME.write_position(match.state) == rest,
        "void": void == rest.split(", "),
        "sees": seen == sorted(what.split()),
        "told": what in told,
        "untold": what not in " ".join(told),
        "wins": winners == rest.split(),
    }
    found = f"{GAME.write_position(match.state)}; void {void}; told {told}; seen {seen}; winners {winners}"
    assert holds.get(word), f"{case.id} ({case.where}): {line}\nfound: {found}"
