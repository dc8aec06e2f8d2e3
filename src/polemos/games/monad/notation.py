"""Orders as text and as objects, loss-free both ways.

Written `move 3,4 right 5`, `build 3,4 left`, `work 3,4 2`, `mine 3,4 10`; also read with the tile in front,
`3,4 move 5 right`, `3,4 build 1 left`, `3,4 mine 10`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from polemos.games.monad.state import DIRECTIONS, MAX_UNITS, SEATS, WORDS
from polemos.kernel.errors import NotationError
from polemos.kernel.orders import shown

ODD: Final = "?"  # stands for any word that is not a direction (5.2)
_PLACE = re.compile(r"(-?[0-9]{1,6})\s*,\s*(-?[0-9]{1,6})", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]{1,200}", re.ASCII)
_FAR: Final = 10**6
_EXAMPLE: Final = "Write it like move 3,4 right 5, build 3,4 right, work 3,4 2 or mine 3,4 10."
_TILE: Final = r"(?P<place>[-+0-9]+\s*,\s*[-+0-9]+)"
_WORD: Final = r"(?P<word>move|build|work|mine)"
_WORDY: Final = re.compile(rf"{_WORD}\s+{_TILE}(?P<rest>(\s.*)?)", re.ASCII | re.IGNORECASE)
# As `write_order` writes: so are nearly all of the thousands of lines in a record, and they are read in one go.
_WRITTEN: Final = re.compile(
    r"(move|build|work|mine) ([0-9]{1,6}),([0-9]{1,6})(?: (up|right|down|left))? ([1-9][0-9]{0,8})"
)
_PLACED: Final = re.compile(rf"{_TILE}\s+{_WORD}(?P<rest>(\s.*)?)", re.ASCII | re.IGNORECASE)


class Move(Struct, frozen=True, tag_field="order", tag="move", gc=False):
    """Units go one step (4.1)."""

    x: int
    y: int
    number: int
    direction: str


class Build(Struct, frozen=True, tag_field="order", tag="build", gc=False):
    """Units found a building (5), or work in their own (6.1). The direction picks the block; None is right."""

    x: int
    y: int
    number: int
    direction: str | None = None


class Work(Struct, frozen=True, tag_field="order", tag="work", gc=False):
    """Units work in their own building, and never found one (6.1)."""

    x: int
    y: int
    number: int


class Mine(Struct, frozen=True, tag_field="order", tag="mine", gc=False):
    """Units take ore from their tile (7.1)."""

    x: int
    y: int
    number: int


Order = Move | Build | Work | Mine


def seat_of(word: object) -> str:
    text = word.strip().lower() if isinstance(word, str) else ""
    if text in SEATS:
        return text
    raise NotationError(f"There is no player called {shown(word)[:20]!r}. Players are {', '.join(SEATS)}.", rule="1.5")


def place_in(text: str) -> tuple[int, int]:
    found = _PLACE.fullmatch(text.strip())
    if found is None:
        raise NotationError(f"{text[:20]!r} is not a tile. Write it like 5,4: x to the right, y down.", rule="2.2")
    return int(found[1]), int(found[2])


def coordinate(value: object) -> int:
    """A coordinate given as data."""
    if type(value) is not int or abs(value) > _FAR:
        raise NotationError(f"x and y must be whole numbers, not {shown(value)[:20]!r}.", rule="2.2")
    return value


def number_of(value: object) -> int:
    """2.4 A whole number of units, 1 or more. What no stack can hold is cut here already (2.5)."""
    if type(value) is not int or value < 1:
        raise NotationError(
            f"{shown(value)[:20]!r} is not a number of units. Use a whole number of at least 1.", rule="2.4"
        )
    return min(value, MAX_UNITS)


def _number_in(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise NotationError(f"{text[:20]!r} is not a number of units. Use a whole number of at least 1.", rule="2.4")
    return number_of(int(text))


def _step(word: object) -> str:
    """4.1 The direction of a move."""
    text = word.strip().lower() if isinstance(word, str) else ""
    if text in DIRECTIONS:
        return text
    raise NotationError(f"{shown(word)[:20]!r} is not a direction. Choose one of {', '.join(DIRECTIONS)}.", rule="4.1")


def _block(word: object) -> str | None:
    """5.2 The direction of a build; a word that is none is kept as such, since workers do not read it (6.1)."""
    text = word.strip().lower() if isinstance(word, str) else None
    return None if word is None else text if text in DIRECTIONS else ODD


def read_order(line: object) -> Order:
    """2.2 The order that a text or an object means."""
    if isinstance(line, Move):
        return Move(coordinate(line.x), coordinate(line.y), number_of(line.number), _step(line.direction))
    if isinstance(line, Mine):
        return Mine(coordinate(line.x), coordinate(line.y), number_of(line.number))
    if isinstance(line, Work):
        return Work(coordinate(line.x), coordinate(line.y), number_of(line.number))
    if isinstance(line, Build):
        return Build(coordinate(line.x), coordinate(line.y), number_of(line.number), _block(line.direction))
    if isinstance(line, str):
        return _read_text(line)
    if isinstance(line, Mapping):
        return _read_object(line)
    raise NotationError(f"An order must be a text or an object. {_EXAMPLE}", rule="2.2")


def _read_text(text: str) -> Order:
    """`move 3,4 right 5` as it is written, or `3,4 move 5 right`."""
    written = _WRITTEN.fullmatch(text)
    if written is not None and (written[1] != "move" or written[4]):
        return _order(written[1], int(written[2]), int(written[3]), int(written[5]), written[4])
    if len(text) > 200:
        raise NotationError("A line can have at most 200 characters.", rule="2.2")
    found = _WORDY.fullmatch(text.strip()) or _PLACED.fullmatch(text.strip())
    if found is None:
        raise NotationError(f"That isn't an order. {_EXAMPLE}", rule="2.2")
    x, y = place_in(found["place"])
    rest = found["rest"].split()
    if found.re is _PLACED:
        numbers, ways = rest[:1], rest[1:]
    else:
        numbers = [word for word in rest if word[0] in "-+.0123456789"]
        ways = [word for word in rest if word not in numbers]
    if len(numbers) > 1 or len(ways) > 1:
        raise NotationError(f"That isn't an order. {_EXAMPLE}", rule="2.2")
    word = found["word"].lower()
    if word == "build" and not numbers and found.re is _WORDY:
        numbers = ["1"]  # one unit is enough to found a building (5.5)
    number, direction = _number_in("".join(numbers)), ways[0] if ways else None
    return _order(word, x, y, number, _step(direction) if word == "move" else _block(direction))


def _order(word: str, x: int, y: int, number: int, direction: str | None) -> Order:
    if word == "move":
        assert direction is not None
        return Move(x, y, number, direction)
    if word == "build":
        return Build(x, y, number, direction)
    return Work(x, y, number) if word == "work" else Mine(x, y, number)


_FIELDS: Final = {"order", "x", "y", "number", "direction"}


def _read_object(fields: Mapping[Any, Any]) -> Order:
    word, direction = fields.get("order"), fields.get("direction")
    word = word.lower() if isinstance(word, str) else ""
    if word not in WORDS or not {"x", "y"} <= set(fields) <= _FIELDS:
        raise NotationError(
            'Write an order as an object like {"order": "move", "x": 5, "y": 5, "number": 8, "direction": "right"}.',
            rule="2.2",
        )
    x, y, number = coordinate(fields["x"]), coordinate(fields["y"]), number_of(fields.get("number"))
    return _order(word, x, y, number, _step(direction) if word == "move" else _block(direction))


def write_order(order: Order) -> str:
    """The order as text.

    >>> write_order(read_order("5, 5 MOVE 8 right"))
    'move 5,5 right 8'
    """
    if isinstance(order, Move | Build):
        return text_of("move" if isinstance(order, Move) else "build", order.x, order.y, order.direction, order.number)
    return text_of("mine" if isinstance(order, Mine) else "work", order.x, order.y, None, order.number)


def phrase_of(order: Order) -> str:
    """The same with fields in braces."""
    return _PHRASES[type(order), isinstance(order, Move | Build) and order.direction is not None]


def text_of(word: str, x: int | str, y: int | str, direction: str | None, number: int | str) -> str:
    """How every order is written."""
    return f"{word} {x},{y} {number}" if direction is None else f"{word} {x},{y} {direction} {number}"


_PHRASES: Final = {
    (kind, directed): text_of(word, "{x}", "{y}", "{direction}" if directed else None, "{number}")
    for word, kind, directed in (
        ("move", Move, True),
        ("build", Build, True),
        ("build", Build, False),
        ("work", Work, False),
        ("mine", Mine, False),
    )
}
