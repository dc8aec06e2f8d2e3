"""Orders and positions as text, loss-free both ways.

Orders: `build cannon 3,4`, `destroy 3,4`, `hire N` (or `hire left`, as the player sees it), in the finals `provoke`.

Positions: clauses separated by `;` or new lines. A position carries its map, row by row, so that it stands alone:
`map Twin Gates, half-turn, prrr.../rroo...; rules classic; turn 3/1000; gold red 20 blue 8; merc red 5,1 20; ...`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from polemos.games.demons.state import COMPASS, TOWERS
from polemos.kernel.errors import NotationError
from polemos.kernel.orders import shown

WORDS = ("ahead", "right", "back", "left")
_PLACE = re.compile(r"(-?[0-9]{1,4})\s*,\s*(-?[0-9]{1,4})", re.ASCII)
_FAR = 10**6


class Build(Struct, frozen=True, tag_field="order", tag="build"):
    """One tower on one tile (3.3)."""

    tower: str
    x: int
    y: int


class Destroy(Struct, frozen=True, tag_field="order", tag="destroy"):
    """Tears down one of your own towers (3.7)."""

    x: int
    y: int


class Hire(Struct, frozen=True, tag_field="order", tag="hire"):
    """One mercenary: N, E, S, W, or ahead, back, left, right as the player sees it (1.8, 4.1)."""

    direction: str


class Provoke(Struct, frozen=True, tag_field="order", tag="provoke"):
    """Pays for demons to come sooner (11.10)."""


Order = Build | Destroy | Hire | Provoke

_EXAMPLE = "Write it like build cannon 3,4, destroy 3,4, hire N or hire left."


def player_of(word: object) -> str:
    text = word.strip().lower() if isinstance(word, str) else ""
    for name in ("red", "blue"):
        if text in (name, name[0]):
            return name
    raise NotationError(f"There is no player called {shown(word)[:20]!r}. The players are red and blue.", rule="2.3")


def towers_listed(names: Sequence[str] = TOWERS) -> str:
    """Which towers there are, for refusals: all, or those of a rule set."""
    return f"Towers: {', '.join(names)}."


def tower_of(word: object) -> str:
    text = word.strip().lower() if isinstance(word, str) else ""
    if text in TOWERS:
        return text
    raise NotationError(f"There is no tower called {shown(word)[:20]!r}. {towers_listed()}", rule="8.1")


def direction_of(word: object) -> str:
    text = word.strip() if isinstance(word, str) else ""
    if text.upper() in COMPASS and len(text) == 1 and text.isascii():
        return text.upper()
    if text.lower() in WORDS:
        return text.lower()
    raise NotationError(
        f"{shown(word)[:20]!r} is not a direction. Choose one of N, E, S, W, {', '.join(WORDS)}.", rule="4.2"
    )


def whole(value: object) -> int:
    """A coordinate given as data."""
    if type(value) is not int or abs(value) > _FAR:
        raise NotationError(f"x and y must be whole numbers, not {shown(value)[:20]!r}.", rule="3.6")
    return value


def place_in(text: str) -> tuple[int, int]:
    found = _PLACE.fullmatch(text.strip())
    if found is None:
        raise NotationError(f"{text[:20]!r} is not a place. Write it like 3,4: x to the right, y down.", rule="3.6")
    return int(found[1]), int(found[2])


def read_order(line: object) -> Order:
    """The order that a text or an object means."""
    if isinstance(line, Build):
        return Build(tower_of(line.tower), whole(line.x), whole(line.y))
    if isinstance(line, Destroy):
        return Destroy(whole(line.x), whole(line.y))
    if isinstance(line, Hire):
        return Hire(direction_of(line.direction))
    if isinstance(line, Provoke):
        return line
    if isinstance(line, str):
        return _read_text(line)
    if isinstance(line, Mapping):
        return _read_object(line)
    raise NotationError(f"An order must be a text or an object. {_EXAMPLE}", rule="3.6")


def _read_text(text: str) -> Order:
    if len(text) > 200:
        raise NotationError("A line can have at most 200 characters.", rule="3.6")
    words = text.split()
    match [word.lower() for word in words[:1]]:
        case ["build"] if len(words) >= 3:
            return Build(tower_of(words[1]), *place_in("".join(words[2:])))
        case ["destroy"] if len(words) >= 2:
            return Destroy(*place_in("".join(words[1:])))
        case ["hire"] if len(words) == 2:
            return Hire(direction_of(words[1]))
        case ["provoke"] if len(words) == 1:
            return Provoke()
    raise NotationError(f"That isn't an order. {_EXAMPLE}", rule="3.6")


def _read_object(fields: Mapping[Any, Any]) -> Order:
    kind, names = fields.get("order"), set(fields)
    if kind == "build" and names == {"order", "tower", "x", "y"}:
        return Build(tower_of(fields["tower"]), whole(fields["x"]), whole(fields["y"]))
    if kind == "destroy" and names == {"order", "x", "y"}:
        return Destroy(whole(fields["x"]), whole(fields["y"]))
    if kind == "hire" and names == {"order", "direction"}:
        return Hire(direction_of(fields["direction"]))
    if kind == "provoke" and names == {"order"}:
        return Provoke()
    raise NotationError(
        'Write an order as an object like {"order": "build", "tower": "cannon", "x": 3, "y": 4}.', rule="3.6"
    )


def write_order(order: Order) -> str:
    """The order as text.

    >>> write_order(read_order("BUILD cannon 3, 4"))
    'build cannon 3,4'
    """
    match order:
        case Build():
            return f"build {order.tower} {order.x},{order.y}"
        case Destroy():
            return f"destroy {order.x},{order.y}"
        case Hire():
            return f"hire {order.direction}"
        case Provoke():
            return "provoke"
