"""A party for the tests of its desk: eighteen people, a clock that a test moves, and an evening played through."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from polemos import registry
from polemos.desk.party import PartyDesk

NATIONS = ("red", "green", "blue")
START = 1_800_000_000_000
NAMES = {
    "red": ("Ines", ("Tomas", "Wren", "Jonah", "Priya", "Kit")),
    "green": ("Otto", ("Leila", "Bram", "Noor", "Felix", "Esme")),
    "blue": ("Mara", ("Hugo", "Dele", "Yuki", "Sofia", "Rafe")),
}
SHEETS = {
    "red": ["G5-H4 3", "F4-H4 1", "A5-C6 2", "bless H4"],  # the third is void: there is no hex C6
    "green": ["K5-I5 2", "M9-L8 1"],
    "blue": [],
}


def game() -> Any:
    return registry.load("monarchs")


def setup(**options: Any) -> dict[str, Any]:
    courts = {nation: {"monarch": monarch, "courtiers": list(names)} for nation, (monarch, names) in NAMES.items()}
    return {"title": "Long Winter", "courts": courts, "guests": ["Piet"], "options": options}


class Clock:
    """Wall time in milliseconds, moved by hand."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> int:
        return self.at

    def wait(self, seconds: float) -> None:
        self.at += round(seconds * 1000)


def opened(folder: Path, clock: Callable[[], int], **options: Any) -> PartyDesk:
    return PartyDesk.open(folder, game(), setup(**options), seed="long winter", now=clock)


def free(desk: PartyDesk, nation: str) -> str:
    """Somebody who may carry now."""
    card = desk.rules.card(desk.evening, desk.now())
    return str(next(candidate.role for candidate in card.carriers[nation] if not candidate.why))


def fetch(desk: PartyDesk, clock: Clock, last: bool = False) -> None:
    """All courts come for their maps, which are released."""
    roles = [free(desk, nation) for nation in NATIONS]
    for role in roles:
        desk.do({"act": "arrive", "role": role, "errand": "map"})
    desk.do({"act": "release", "last": last})
    clock.wait(60)
    for role in roles:
        desk.do({"act": "leave", "role": role})


def deliver(desk: PartyDesk, clock: Clock) -> None:
    """All courts bring their orders in time, and wait."""
    for nation in NATIONS:
        desk.do({"act": "arrive", "role": free(desk, nation), "errand": "orders"})
    clock.wait(60)
    for nation in NATIONS:
        desk.file(nation, SHEETS[nation])


def guess(desk: PartyDesk) -> None:
    for nation in NATIONS:
        others = [other for other in NATIONS if other != nation]
        desk.do({"act": "guess", "court": nation, "spies": {others[0]: f"{nation}-1", others[1]: f"{nation}-2"}})


def played_through(desk: PartyDesk, clock: Clock, rounds: int = 2) -> None:
    """A whole evening up to the end of the reveal."""
    desk.do({"act": "deal"})
    for number in range(1, rounds + 1):
        fetch(desk, clock, last=number == rounds)
        deliver(desk, clock)
        if number == rounds:
            guess(desk)
        desk.play()
    while not desk.rules.is_over(desk.evening):
        desk.do({"act": "reveal"})
