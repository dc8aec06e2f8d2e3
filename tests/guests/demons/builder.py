"""A sound guest: houses, guns where units pass, mercenaries against demons. It never orders what is void."""

from __future__ import annotations

import json
from typing import Any

SIDES = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
Place = tuple[int, int]
State = dict[str, Any]


class Player:
    def __init__(self, colour: str) -> None:
        self.colour = colour  # r or b
        self.hired = ""  # towards where, last turn
        self.seen: set[str] = set()

    def action(self, state: State) -> State:
        base, prices = state[f"PlayerBase{self.colour.upper()}"], state[f"TowerPrices{self.colour.upper()}"]
        finals = prices["Church"] < 1000
        money, fee = base["Money"], 10 if finals else 20
        answer = {"action": "nothing", "x": 0, "y": 0, "tower_type": "", "merc_direction": "", "provoke_demons": False}
        ways = self._ways(state, base)
        foes, friends = self._foes(state), self._places(state["Mercenaries"], self.colour)
        threatened = [way for way, lane in ways.items() if foes & set(lane) and not friends & set(lane)]
        self.hired = ""
        if money >= fee and threatened:
            self.hired = threatened[0]
        elif money >= 2 * fee and ways:
            self.hired = list(ways)[state["CurrentTurn"] % len(ways)]
        if self.hired:
            money -= fee
            answer["merc_direction"] = self.hired
        wanted = self._wanted(state, finals)
        place = self._place(state, base, wanted)
        if place is not None and money >= prices[wanted]:
            money -= prices[wanted]
            answer |= {"action": "build", "x": place[0], "y": place[1], "tower_type": wanted}
        if finals and money >= 60 and state["CurrentTurn"] % 50 == 49:
            answer["provoke_demons"] = True
        self.seen = {unit["Name"] for unit in state["Mercenaries"]}
        return answer

    def _places(self, units: list[State], colour: str) -> set[Place]:
        return {(each["x"], each["y"]) for each in units if each["Team"] == colour and each["State"] != "dead"}

    def _foes(self, state: State) -> set[Place]:
        """Where somebody is who comes for this side, or will be this turn."""
        gates = [gate for gate in state["DemonSpawners"] if gate["Target"] == self.colour and gate["ReloadTime"] == 0]
        mercenaries = self._places(state["Mercenaries"], "b" if self.colour == "r" else "r")
        return self._places(state["Demons"], self.colour) | mercenaries | {(gate["x"], gate["y"]) for gate in gates}

    def _wanted(self, state: State, finals: bool) -> str:
        mine = [tower["Type"] for tower in state["Towers"] if tower["Team"] == self.colour]
        houses, guns = mine.count("House"), len(mine) - mine.count("House")
        if state["TurnsRemaining"] > 60 and houses < 5 and houses <= guns:
            return "House"
        if finals and mine.count("Minigun") >= 2 and "Church" not in mine:
            return "Church"
        if not finals:
            return "Cannon"
        return "Crossbow" if mine.count("Crossbow") <= mine.count("Minigun") else "Minigun"

    def _place(self, state: State, base: State, kind: str) -> Place | None:
        """A free tile: for a house where least is in reach, for the others where most is."""
        floor, grid = state["FloorTiles"], state["EntityGrid"]
        tiles = [(x, y, tile) for y, row in enumerate(floor) for x, tile in enumerate(row)]
        path = [(x, y) for x, y, tile in tiles if tile == "O"]
        free = [(x, y) for x, y, tile in tiles if tile == self.colour and grid[y][x] == ""]

        def worth(tile: Place) -> tuple[int, int]:
            near = sum(abs(x - tile[0]) + abs(y - tile[1]) <= 3 for x, y in path)
            far = abs(base["x"] - tile[0]) + abs(base["y"] - tile[1])
            return (-near if kind == "House" else near), -far

        return max(free, key=worth, default=None)

    def _ways(self, state: State, base: State) -> dict[str, list[Place]]:
        """The lanes, by the exits of the base where surely nobody is queued.

        An exit is free, or, where somebody was hired last turn, a newcomer of ours stands on it.
        """
        units = {(unit["x"], unit["y"]): unit for unit in state["Mercenaries"] if unit["State"] != "dead"}
        found = {}
        for way, (dx, dy) in SIDES.items():
            lane = self._lane(state, base, (base["x"] + dx, base["y"] + dy))
            unit = units.get(lane[0]) if lane else None
            arrived = unit is not None and unit["Team"] == self.colour and unit["Name"] not in self.seen
            empty = bool(lane) and state["EntityGrid"][lane[0][1]][lane[0][0]] == ""
            if arrived if way == self.hired else empty:
                found[way] = lane
        return found

    def _lane(self, state: State, base: State, tile: Place) -> list[Place]:
        """The path from an exit on; lanes never cross."""
        floor, seen = state["FloorTiles"], {(base["x"], base["y"])}
        lane: list[Place] = []
        ahead = [tile]
        while ahead:
            x, y = ahead.pop()
            if (x, y) in seen or not (0 <= y < len(floor) and 0 <= x < len(floor[y])) or floor[y][x] != "O":
                continue
            seen.add((x, y))
            other = state["PlayerBaseB" if self.colour == "r" else "PlayerBaseR"]
            if (x, y) == (other["x"], other["y"]):
                break
            lane.append((x, y))
            ahead += [(x + dx, y + dy) for dx, dy in SIDES.values()]
        return lane


def main() -> None:
    player = Player("r" if input() == "--YOU ARE RED--" else "b")
    state = json.loads(input())
    assert input() == "--END INITIAL GAME STATE--"
    print("Sound Builders")
    while True:
        print(json.dumps(player.action(state)))
        state = json.loads(input())
        assert input() == "--END OF TURN--"


if __name__ == "__main__":
    main()
