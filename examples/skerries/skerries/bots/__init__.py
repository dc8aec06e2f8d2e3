"""Two bots, from the simplest to the strongest. They get views only, like everybody else."""

from __future__ import annotations

from random import Random
from typing import Final

from polemos.kernel.game import BotMaker
from skerries.notation import Row
from skerries.view import Setting, View


class RandomBot:
    """Rows one boat from every skerry to a neighbour."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        self.seat, self.chance = seat, Random(seed)
        foreign = {home for other, home in setting.harbours.items() if other != seat}
        self.near = {place: [n for n in near if n not in foreign] for place, near in setting.places.items()}

    def boats(self, view: View) -> dict[str, int]:
        return view.crews[self.seat].boats or {}

    def orders(self, view: View, time_left: float) -> list[Row]:
        return [Row(place, self.chance.choice(self.near[place]), 1) for place in self.boats(view)]


class SettlerBot(RandomBot):
    """Leaves a boat on every skerry and sends the others to where nobody is, first of all to the beacon."""

    def orders(self, view: View, time_left: float) -> list[Row]:
        taken = {place for crew in view.crews.values() for place in crew.boats or ()}
        free = [place for place in self.near if place not in taken]
        sheet: dict[tuple[str, str], int] = {}
        for place, boats in self.boats(view).items():
            stay = 0 if place.endswith("1") else 1
            for _ in range(boats - stay):
                ahead = [near for near in self.near[place] if near in free] or self.near[place]
                target = "M" if "M" in ahead else self.chance.choice(ahead)
                free = [other for other in free if other != target]
                sheet[place, target] = sheet.get((place, target), 0) + 1
        return [Row(origin, target, number) for (origin, target), number in sheet.items()]


BOTS: Final[dict[str, BotMaker]] = {"random": RandomBot, "settler": SettlerBot}
