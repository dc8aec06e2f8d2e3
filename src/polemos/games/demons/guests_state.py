"""The state of the original competition, made of our views: its keys, letters and types, see docs/reference/guests.md.

Views name nobody. A unit is recognised by where it must have come from: it walks at most one tile a turn, and its state
says whether it did. Where it died follows from the view before, because no order changes how units walk. Nothing but
views and the setting is used, so a guest is told what the seat may see and no more.

Bots rely on the order of the original's lists. It appended units as they appeared: oldest first, of one turn red before
blue and each side's N, S, W, E, demons in the order of the spawners. The dead kept their place until the next turn.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from polemos.games.demons.imagine import restored
from polemos.games.demons.orders import clear
from polemos.games.demons.rules import events, turn
from polemos.games.demons.rules.arrivals import DEMON_DAMAGE
from polemos.games.demons.setup import quirks_of
from polemos.games.demons.state import PLAYERS, Q2, TOSS, TOWERS, Orders, Work
from polemos.games.demons.view import Portal, Setting, Tower, Unit, View
from polemos.kernel.dice import chance_of
from polemos.kernel.log import Log

Place = tuple[int, int]

LETTERS: Final = {"red": "r", "blue": "b"}
BEYOND_MEANS: Final = 2**31 - 1  # price of a tower that the rules do not know: more gold than anybody can own (1.9)
RELOAD: Final = 10  # turns (7.2, 11.12)
WAYS: Final = ((0, -1), (0, 1), (-1, 0), (1, 0))  # N, S, W, E: the order in which a base released its mercenaries

_FLOOR: Final = {".": " ", "r": "r", "p": "r", "b": "b", "q": "b"}  # everything else is path, bases too


class Known(NamedTuple):
    """A unit with the name that it keeps, and its place in the order of arrival."""

    age: int
    name: str
    unit: Unit


class Register:
    """Who is who on the board, followed from view to view."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._lanes = setting.lanes
        self._steps = {
            tile: (lane, step) for lane, tiles in enumerate(setting.lanes) for step, tile in enumerate(tiles)
        }
        self._ages = 0
        self._counts: Counter[str] = Counter()
        self._towers: dict[Place, str] = {}
        self._last: View | None = None
        self.living: dict[Place, Known] = {}
        self.dead: list[Known] = []  # since the last view

    def follow(self, view: View, provoked: bool) -> None:
        """Takes the next view: old names for units that lived on, new ones for the others.

        `provoked` says whether the bot has provoked the demons since the last view, and paid for it.
        """
        last, self._last = self._last, view
        before, self.living, strangers = self.living, {}, list[Unit]()
        for unit in view.units:
            known = self._recognised(unit, before)
            if known is None:
                strangers.append(unit)
            else:
                self.living[unit.x, unit.y] = known._replace(unit=unit)
        self.dead, shot = list(before.values()), list[Unit]()
        if last is not None and view.turn == last.turn + 1:  # turns can be taken back
            self.dead, shot = self._fallen(last, view, before, provoked), _shot_on_arrival(self._setting, last, view)
        for unit in sorted(strangers + shot, key=lambda unit: _rank(unit, view)):
            known = self._newcomer(unit)
            if unit in shot:
                self.dead.append(known)
            else:
                self.living[unit.x, unit.y] = known
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

    def _fallen(self, last: View, view: View, before: dict[Place, Known], provoked: bool) -> list[Known]:
        """Those who died since the last view, where they died. Demons that were banished (11.10) were not listed."""
        if provoked and _all_banished(last, view, before):
            last = replace(last, units=tuple(unit for unit in last.units if unit.kind != "demon"))
            before = {place: known for place, known in before.items() if known.unit.kind != "demon"}
        if not before:
            return []
        walked = _walked(self._setting, last)
        found = []
        for place, known in before.items():
            x, y = walked.get(place, place)
            found.append(known._replace(unit=replace(known.unit, x=x, y=y)))
        return found

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


# ---- what views do not say in so many words


def _rank(unit: Unit, view: View) -> tuple[int, int, int]:
    """The place of a unit in the list among those that appeared with it.

    Units of a position that was set up may stand anywhere; they are older than those beside their base or on a portal.
    """
    if unit.kind == "demon":
        gates = [(portal.x, portal.y) for portal in view.portals]
        return (1, 0, gates.index((unit.x, unit.y))) if (unit.x, unit.y) in gates else (0, 0, 0)
    base = view.bases[unit.side]
    step = (unit.x - base.x, unit.y - base.y)
    return (1, PLAYERS.index(unit.side), WAYS.index(step)) if step in WAYS else (0, 0, 0)


def _released(last: View, view: View) -> list[tuple[Portal, int, int]]:
    """The portals as they were, and how many demons each has released and queued since."""
    return [
        (old, new.released - old.released, new.released + new.queued - old.released - old.queued)
        for old, new in zip(last.portals, view.portals, strict=True)
    ]


def _all_banished(last: View, view: View, gone: dict[Place, Known]) -> bool:
    """11.10 Whether no demon of the last view is left, and portals have not queued one more than by the clock."""
    demons = sum(unit.kind == "demon" for unit in last.units)
    lost = sum(known.unit.kind == "demon" for known in gone.values())
    more = any(queued > (portal.next_in == 0) for portal, _, queued in _released(last, view))
    return demons == lost > 0 and not more


def _shot_on_arrival(setting: Setting, last: View, view: View) -> list[Unit]:
    """Demons that were released and shot in the same turn: no view has them, but their portal has counted them."""
    new = {(unit.x, unit.y) for unit in view.units if unit.kind == "demon" and unit.state == "new"}
    return [
        Unit("demon", portal.target, portal.x, portal.y, 0, _damage(setting, portal), "new")
        for portal, released, _ in _released(last, view)
        if released and (portal.x, portal.y) not in new
    ]


def _damage(setting: Setting, portal: Portal) -> int:
    """5.7, 11.11 The damage of the next demon."""
    return DEMON_DAMAGE if setting.rules == "classic" else 10 + 3 * portal.released


def _walked(setting: Setting, view: View) -> dict[Place, Place]:
    """Where units went in the turn after a view: they walk before anybody's orders can change their way."""
    state, log = restored(setting, view), Log(limit=8192)
    orders, chance = Orders(), chance_of("00" * 32)
    for player in range(len(PLAYERS)):
        clear(orders.of[player])
    while state.turn == view.turn and not state.reason and state.step < TOSS:  # twice with two decisions (2.4)
        turn.resolve(state, orders, chance, log, Work())
    happened: list[Any] = events.CHRONICLE.read(state, log.written())
    return {event.at: event.to for event in happened if event.kind == "moved"}


class Telling:
    """Turns the views of one match into states."""

    def __init__(self, setting: Setting) -> None:
        self._register = Register(setting)
        self._floor = ["".join(_FLOOR.get(letter, "O") for letter in row) for row in setting.rows]
        # In the original a cooldown of 0 acts this turn. Only Q2 counts so; otherwise it is 1 that acts.
        finals = setting.rules != "classic" and quirks_of(str(setting.options.get("quirks", "all"))) & Q2
        self._spare = 0 if finals else 1

    def state(self, view: View, teams: dict[str, str], *, provoked: bool = False) -> dict[str, Any]:
        """What the original would have shown; each view must be passed in once, since it tells who died."""
        self._register.follow(view, provoked)
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
