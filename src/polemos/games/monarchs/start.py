"""The starting position, read from the data of the book (1.5, 1.6)."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from polemos.games.monarchs.board import BASES, INDEX, LETTERS, NAMES
from polemos.games.monarchs.state import NATIONS, NOBODY, RULES, State


@cache
def _ground() -> tuple[tuple[int, ...], tuple[int, ...], dict[str, int]]:
    data = tomllib.loads((files(__package__) / "data" / "start.toml").read_text(encoding="utf-8"))
    owners, regiments = [NOBODY] * len(NAMES), [0] * len(NAMES)
    for cell in " ".join(data["rows"]).split():
        name, what = cell.split(":")
        owners[INDEX[name]] = "rgb.".index(what[0])
        regiments[INDEX[name]] = int(what[1:])
    return tuple(owners), tuple(regiments), data["home"]


def starting_position(rules: str, mode: int, scoring: int, turns: int) -> State:
    """1.5 The first state of a game."""
    owners, regiments, home = _ground()
    state = State(turn=1, turns=turns, rules=RULES.index(rules), mode=mode, scoring=scoring)
    for hex, owner in enumerate(owners):
        state.owner[hex] = owner
        state.regiments[hex] = regiments[hex]
    for nation in range(NATIONS):
        state.regiments[BASES[nation]] = home[rules]
    return state


assert LETTERS == "rgb"
