"""The state of the original competition, made of our views: its keys, letters and types, see docs/reference/guests.md.

Views name nobody. A unit is recognised by where it must have come from: it walks at most one tile a turn, and its state
says whether it did. Nothing but views and the setting is used, so a guest is told what the seat may see and no more.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final, NamedTuple

from polemos.games.demons.setup import quirks_of
from polemos.games.demons.state import PLAYERS, Q2, TOWERS
from polemos.games.demons.view import Setting, Tower, Unit, View

Place = tuple[int, int]

LETTERS: Final = {"red": "r", "blue": "b"}
BEYOND_MEANS: Final = 2**31 - 1  # price of a tower that the rules do not know: more gold than anybody can own (1.9)
RELOAD: Final = 10  # turns (7.2, 11.12)

_FLOOR: Final = {".": " ", "r": "r", "p": "r", "b": "b", "q": "b"}  # everything else is path, bases too


class Known(NamedTuple):
    """A unit with the name that it keeps, and its place in the order of arrival."""

    age: int
    name: str
    unit: Unit


class Register:
    """Who is who on the board, followed from view to view."""

    def __init__(self, setting: Setting) -> None:
        self._lanes = setting.lanes
        self._steps = {
            tile: (lane, step) for lane, tiles in enumerate(setting.lanes) for step, tile in enumerate(tiles)
        }
        self._ages = 0
        self._counts: Counter[str] = Counter()
        self._towers: dict[Place, str] = {}
        self.living: dict[Place, Known] = {}
        self.dead: list[Known] = []  # since the last view

    def follow(self, view: View) -> None:
        """Takes the next view: old names for units that lived on, new ones for the others."""
        before, self.living = self.living, {}
        for unit in view.units:
            known = self._recognised(unit, before) or self._newcomer(unit)
            self.living[unit.x, unit.y] = known._replace(unit=unit)
        self.dead = list(before.values())
        self._towers = {(tower.x, tower.y): self._tower(tower) for tower in view.towers}

    def name_of(self, tower: Tower) -> str:
        return self._towers[tower.x, tower.y]

    @property
    def names(self) -> dict[Place, str]:
        """Everybody who stands somewhere. The dead do not."""
        return self._towers | {place: known.name for place, known in self.living.items()}

    def _recognised(self, unit: Unit, before: dict[Place, Known]) -> Known | None:
        """Who it was a turn ago, taken out of those."""
        place = self._left(unit)
        known = before.get(place)
        if known is None or unit.state == "new" or (known.unit.kind, known.unit.side) != (unit.kind, unit.side):
            return None
        return before.pop(place)

    def _newcomer(self, unit: Unit) -> Known:
        self._ages += 1
        kind = "Demon" if unit.kind == "demon" else unit.side.capitalize()
        return Known(self._ages, f"{kind}-{self._next(kind)}", unit)

    def _left(self, unit: Unit) -> Place:
        """Where a unit stood a turn ago."""
        if unit.state != "moving" or (unit.x, unit.y) not in self._steps:
            return unit.x, unit.y
        lane, step = self._steps[unit.x, unit.y]
        to_blue = (unit.side == "blue") == (unit.kind == "demon")
        step += -1 if to_blue else 1
        return self._lanes[lane][step] if 0 <= step < len(self._lanes[lane]) else (unit.x, unit.y)

    def _tower(self, tower: Tower) -> str:
        """The name of a tower; no tile is torn down and built on in one turn, so it belongs to its tile."""
        known = self._towers.get((tower.x, tower.y))
        letter = LETTERS[tower.owner].upper()
        return known or f"{letter}_{tower.kind.capitalize()}_{self._next(letter)}"

    def _next(self, what: str) -> int:
        self._counts[what] += 1
        return self._counts[what]


class Telling:
    """Turns the views of one match into states."""

    def __init__(self, setting: Setting) -> None:
        self._register = Register(setting)
        self._floor = ["".join(_FLOOR.get(letter, "O") for letter in row) for row in setting.rows]
        # In the original a cooldown of 0 acts this turn. Only Q2 counts so; otherwise it is 1 that acts.
        finals = setting.rules != "classic" and quirks_of(str(setting.options.get("quirks", "all"))) & Q2
        self._spare = 0 if finals else 1

    def state(self, view: View, teams: dict[str, str]) -> dict[str, Any]:
        """What the original would have shown; each view must be passed in once, since it tells who died."""
        self._register.follow(view)
        red, blue = (view.bases[player] for player in PLAYERS)
        return {
            "TeamNameR": teams["red"],
            "TeamNameB": teams["blue"],
            "Victory": None,
            "VictoryReason": "",
            "TurnsRemaining": view.turns - view.turn,
            "CurrentTurn": view.turn,
            "PlayerBaseR": _base(view, "red"),
            "PlayerBaseB": _base(view, "blue"),
            "RedTeamMoney": red.gold,
            "BlueTeamMoney": blue.gold,
            "FloorTiles": self._floor,
            "EntityGrid": self._grid(),
            "Towers": [self._tower(tower) for tower in view.towers],
            "Mercenaries": self._units("mercenary"),
            "Demons": self._units("demon"),
            "DemonSpawners": _portals(view),
            "TowerPricesR": _prices(view, "red"),
            "TowerPricesB": _prices(view, "blue"),
        }

    def _grid(self) -> list[list[str]]:
        names = self._register.names
        return [[names.get((x, y), "") for x in range(len(row))] for y, row in enumerate(self._floor)]

    def _tower(self, tower: Tower) -> dict[str, Any]:
        return {
            "Name": self._register.name_of(tower),
            "Type": tower.kind.capitalize(),
            "Team": LETTERS[tower.owner],
            "x": tower.x,
            "y": tower.y,
            "Targets": [],  # no view says who shot at which unit
            "Cooldown": max(0, tower.cooldown - self._spare),
        }

    def _units(self, kind: str) -> list[dict[str, Any]]:
        """The living and, once, the dead, in the order in which they came."""
        living = [(known, known.unit.health, _word(known.unit)) for known in self._register.living.values()]
        dead = [(known, 0, "dead") for known in self._register.dead]
        return [
            {
                "Name": known.name,
                "Team": LETTERS[known.unit.side],
                "x": known.unit.x,
                "y": known.unit.y,
                "Health": health,
                "Damage": known.unit.damage,
                "State": state,
            }
            for known, health, state in sorted(living + dead, key=lambda entry: entry[0].age)
            if known.unit.kind == kind
        ]


def _word(unit: Unit) -> str:
    """The original had no word for units that have just arrived."""
    return "moving" if unit.state == "new" else unit.state


def _base(view: View, player: str) -> dict[str, Any]:
    base = view.bases[player]
    return {"Team": LETTERS[player], "Health": base.health, "Money": base.gold, "x": base.x, "y": base.y}


def _portals(view: View) -> list[dict[str, Any]]:
    return [
        {
            "x": portal.x,
            "y": portal.y,
            "Target": LETTERS[portal.target],
            "ReloadTime": portal.next_in,
            "MaxReloadTime": RELOAD,
        }
        for portal in view.portals
    ]


def _prices(view: View, player: str) -> dict[str, int]:
    return {kind.capitalize(): view.prices[player].get(kind, BEYOND_MEANS) for kind in TOWERS}
