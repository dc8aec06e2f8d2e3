"""Numbers of orders as the pages of the games document them, written down again for the tests."""

from __future__ import annotations

from typing import Any

BOARD = 14_482  # numbers of a board of Minions
RESIGN = 42 + 14_481  # the first of them
FILES = "abcdefghij"
TOWERS = ("house", "crossbow", "cannon", "minigun", "church")
DIRECTIONS = ("up", "right", "down", "left")


def demons(state: Any, order: dict[str, Any]) -> int:
    cell = int(order.get("y", 0) * state.width + order.get("x", 0))
    match order["order"]:
        case "hire":
            return 1 + "NESW".index(order["direction"])
        case "provoke":
            return 5
        case "destroy":
            return 6 + 6 * cell + 5
    return 6 + 6 * cell + TOWERS.index(order["tower"])


def monarchs(state: Any, order: dict[str, Any]) -> int:
    from polemos.games.monarchs.board import NAMES, NEXT

    if order["order"] == "bless":
        return 367 + NAMES.index(order["hex"])
    origin = NAMES.index(order["from"])
    return 1 + 6 * origin + NEXT[origin].index(NAMES.index(order["to"]))


def monad(state: Any, order: dict[str, Any]) -> int:
    first = 1 + 10 * int(order["y"] * state.width + order["x"])
    match order["order"]:
        case "move":
            return first + DIRECTIONS.index(order["direction"])
        case "mine":
            return first + 4
        case "work":
            return first + 5
    return first + 6 + DIRECTIONS.index(order["direction"])


def minions(state: Any, order: dict[str, Any]) -> int:
    from polemos.games.minions.setup import table_in
    from polemos.games.minions.state import RESETS

    table = table_in(state)
    letters = [unit.letter for unit in table.units]
    match order["order"]:
        case "end":
            return 0
        case "spells":
            (spell,) = order["spells"]
            return 1 if spell == "march" else 2 + int(spell.removeprefix("tech ")) - 1
    first = 42 + BOARD * ((order["board"] or 1) - 1)
    match order["order"]:
        case "move" | "attack":
            return first + 100 * _hex(order["start"]) + _hex(order["target"])
        case "tick":  # a swap
            start, target = order["moves"][0].split("-")
            return first + 100 * _hex(start) + _hex(target)
        case "blink":
            return first + 101 * _hex(order["start"])
        case "buy":
            return first + 10_000 + letters.index(order["unit"])
        case "spawn":
            return first + 10_040 + 100 * letters.index(order["unit"]) + _hex(order["target"])
        case "choose":
            names = [unit.name for unit in table.necromancers]
            keep = order["keep"] and letters.index(order["keep"])
            if state.switches & RESETS:
                assert order["necromancer"] == table.first
                return first + (14_480 if keep is None else 14_440 + keep)
            type_ = len(table.units) + names.index(order["necromancer"])
            place = [state.pool[i] for i in range(state.pools)].index(type_)
            return first + 14_040 + 40 * place + keep
    assert order["order"] == "resign"
    return BOARD * ((order["board"] or 1) - 1) + RESIGN


def _hex(name: str) -> int:
    return 10 * int(name[1]) + FILES.index(name[0])


NUMBER_OF = {"demons": demons, "minions": minions, "monad": monad, "monarchs": monarchs}
