"""Orders as text and as objects, loss-free both ways (4.3).

Written `1 move d4-e4`, `1 tick d4-e4 e4-d4`, `1 attack e4-f4`, `1 buy Z`, `1 spawn Z d3`, `1 choose Arcane keep S`,
`1 resign`, `march`, `march 2`, `tech 3`, `march 1 tech 1`, `end`. The board may also read `b1:`, and be left out where
there is one. What a name means is known only with the unit table, so orders keep names and letters as they are given,
but for capitals: `z` is written `Z`, `zombie` and `ZOMBIE` are written `Zombie`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from polemos.games.minions.maps import hex_name, hex_of
from polemos.games.minions.state import HEXES, MAX_BOARDS, MAX_SPELLS
from polemos.kernel.errors import NotationError
from polemos.kernel.orders import shown

_EXAMPLE: Final = "Write it like 1 move d4-e4, 1 attack e4-f4, 1 buy Z, 1 spawn Z d3, march or tech 3."
MAX_TEXT: Final = 2000


class Move(Struct, frozen=True, tag_field="order", tag="move"):
    """One unit goes from one hex to another (5)."""

    board: int | None
    start: str
    target: str


class Tick(Struct, frozen=True, tag_field="order", tag="tick"):
    """Several units move at once (5.10); each move reads d4-e4."""

    board: int | None
    moves: tuple[str, ...]


class Attack(Struct, frozen=True, tag_field="order", tag="attack"):
    """One attack (6)."""

    board: int | None
    start: str
    target: str


class Blink(Struct, frozen=True, tag_field="order", tag="blink"):
    """One unit goes back to its zone, where the rules know blinks (17.3)."""

    board: int | None
    start: str


class Buy(Struct, frozen=True, tag_field="order", tag="buy"):
    """One unit into the zone (9.3)."""

    board: int | None
    unit: str


class Spawn(Struct, frozen=True, tag_field="order", tag="spawn"):
    """One unit from the zone onto the board (9.4)."""

    board: int | None
    unit: str
    target: str


class Choose(Struct, frozen=True, tag_field="order", tag="choose"):
    """A new necromancer, and the unit to keep; if none is named, the most expensive is kept (10.7)."""

    board: int | None
    necromancer: str
    keep: str | None = None


class Resign(Struct, frozen=True, tag_field="order", tag="resign"):
    """Gives a board up (13.1)."""

    board: int | None


class Spells(Struct, frozen=True, tag_field="order", tag="spells"):
    """A list of spells from left to right (8.8): each reads march, or tech and a card."""

    spells: tuple[str, ...]


class End(Struct, frozen=True, tag_field="order", tag="end"):
    """Ends the turn (4.8)."""


Order = Move | Tick | Attack | Blink | Buy | Spawn | Choose | Resign | Spells | End
KINDS: Final = {"move": Move, "tick": Tick, "attack": Attack, "buy": Buy, "spawn": Spawn, "choose": Choose}


def unreadable(why: str) -> NotationError:
    return NotationError(f"{why} {_EXAMPLE}", rule="4.3")


# ---- parts


def _hex(text: object) -> str:
    return hex_name(hex_of(text))


def _board(value: object) -> int | None:
    if value is None or (type(value) is int and 1 <= value <= MAX_BOARDS):
        return value
    raise unreadable(f"{shown(value)[:20]!r} is not a board.")


def _name(value: object) -> str:
    """The name or letter of a unit."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    if not re.fullmatch(r"[A-Za-z0-9'. -]{1,40}", text, re.ASCII):
        raise unreadable(f"{shown(value)[:20]!r} is not a unit.")
    return " ".join(map(_capital, text.split()))


def _capital(word: str) -> str:
    """A word of a name with its capital. One that mixes capitals and small letters, as a table may, stays as it is."""
    return word[0].upper() + word[1:].lower() if word in (word.lower(), word.upper()) else word


def pair_of(text: object) -> tuple[int, int]:
    """d4-e4, or d4e4."""
    found = (
        re.fullmatch(r"([a-j][0-9])\s*-?\s*([a-j][0-9])", text.strip().lower(), re.ASCII)
        if isinstance(text, str)
        else None
    )
    if found is None:
        raise unreadable(f"{shown(text)[:20]!r} is not a move from one hex to another.")
    return hex_of(found[1]), hex_of(found[2])


def _pair(text: object) -> str:
    start, target = pair_of(text)
    return f"{hex_name(start)}-{hex_name(target)}"


def _spell(text: object) -> str:
    words = text.split() if isinstance(text, str) else []
    if [word.lower() for word in words] == ["march"]:
        return "march"
    if len(words) >= 2 and words[0].lower() == "tech":
        card = _name(" ".join(words[1:]))
        if not card.isdigit():
            return f"tech {card}"
        if 1 <= int(card) < 1000:
            return f"tech {int(card)}"
    raise unreadable(f"{shown(text)[:20]!r} is not a spell.")


# ---- reading


def read_order(line: object) -> Order:
    """The order that a text or an object means."""
    if isinstance(line, str):
        return _read_text(line)
    if isinstance(line, Struct):
        line = _plain(line)
    if isinstance(line, Mapping):
        return _read_object(line)
    raise unreadable("An order must be a text or an object.")


def _plain(order: Struct) -> object:
    try:
        return msgspec.to_builtins(order)
    except Exception:  # a stranger's object with a stranger's fields
        return None


def _read_text(text: str) -> Order:
    if len(text) > MAX_TEXT:
        raise NotationError(f"A line can have at most {MAX_TEXT} characters.", rule="4.3")
    found = re.match(
        r"\s*(?:b?\s*([0-9]{1,3})\s*[:.]?\s+|b([0-9]{1,3})\s*:\s*)?(\S.*?)\s*$",
        text,
        re.ASCII | re.IGNORECASE | re.DOTALL,
    )
    if found is None:
        raise unreadable("That isn't an order.")
    board = _board(int(found[1] or found[2])) if found[1] or found[2] else None
    word, *rest = found[3].split()
    word = word.lower()
    if board is None and word in ("march", "tech"):
        return _read_spells([word, *rest])
    if board is None and word == "end" and not rest:
        return End()
    return _read_board(board, word, rest)


def _read_board(board: int | None, word: str, rest: list[str]) -> Order:
    if word in ("move", "attack") and rest:
        start, target = pair_of("".join(rest))
        return (Move if word == "move" else Attack)(board, hex_name(start), hex_name(target))
    if word == "tick" and 1 <= len(rest) <= HEXES:
        return Tick(board, tuple(map(_pair, rest)))
    if word == "blink" and len(rest) == 1:
        return Blink(board, _hex(rest[0]))
    if word == "buy" and rest:
        return Buy(board, _name(" ".join(rest)))
    if word == "spawn" and len(rest) >= 2:
        return Spawn(board, _name(" ".join(rest[:-1])), _hex(rest[-1]))
    if word == "choose" and rest:
        words = [part.lower() for part in rest]
        at = words.index("keep") if "keep" in words else len(rest)
        keep = _name(" ".join(rest[at + 1 :])) if at < len(rest) else None
        return Choose(board, _name(" ".join(rest[:at])), keep)
    if word == "resign" and not rest:
        return Resign(board)
    raise unreadable("That isn't an order.")


def _read_spells(words: list[str]) -> Spells:
    """`march`, `march 2`, `tech 3`, `march 1 tech 1 tech W`: marches count, techs name cards."""
    spells: list[str] = []
    at = 0
    while at < len(words):
        word, more = words[at].lower(), []
        at += 1
        while at < len(words) and words[at].lower() not in ("march", "tech"):
            more.append(words[at])
            at += 1
        if word == "march" and len(more) <= 1:
            spells += ["march"] * (_times(more[0]) if more else 1)
        elif word == "tech" and more:
            numbers = all(part.isdigit() for part in more)
            spells += [_spell(f"tech {part}") for part in (more if numbers else [" ".join(more)])]
        else:
            raise unreadable("That isn't a list of spells.")
    return _spells(spells)


def _times(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", text, re.ASCII) or not 1 <= int(text) <= MAX_SPELLS:
        raise unreadable(f"{text[:20]!r} is not a number of marches.")
    return int(text)


def _spells(spells: Sequence[str]) -> Spells:
    if not 1 <= len(spells) <= MAX_SPELLS:
        raise unreadable(f"A list must have 1 to {MAX_SPELLS} spells.")
    return Spells(tuple(spells))


_FIELDS: Final = {
    "move": {"board", "start", "target"},
    "tick": {"board", "moves"},
    "attack": {"board", "start", "target"},
    "blink": {"board", "start"},
    "buy": {"board", "unit"},
    "spawn": {"board", "unit", "target"},
    "choose": {"board", "necromancer", "keep"},
    "resign": {"board"},
    "spells": {"spells"},
    "end": set(),
}


def _read_object(fields: Mapping[Any, Any]) -> Order:
    kind = fields.get("order")
    if not isinstance(kind, str) or kind not in _FIELDS or not set(fields) - {"order"} <= _FIELDS[kind]:
        raise unreadable(
            'Write an order as an object like {"order": "move", "board": 1, "start": "d4", "target": "e4"}.'
        )
    board = _board(fields.get("board"))
    match kind:
        case "move" | "attack":
            return (Move if kind == "move" else Attack)(board, _hex(fields.get("start")), _hex(fields.get("target")))
        case "tick":
            return Tick(board, tuple(map(_pair, _listed(fields.get("moves"), HEXES))))
        case "blink":
            return Blink(board, _hex(fields.get("start")))
        case "buy":
            return Buy(board, _name(fields.get("unit")))
        case "spawn":
            return Spawn(board, _name(fields.get("unit")), _hex(fields.get("target")))
        case "choose":
            keep = fields.get("keep")
            return Choose(board, _name(fields.get("necromancer")), None if keep is None else _name(keep))
        case "resign":
            return Resign(board)
        case "spells":
            return _spells([_spell(spell) for spell in _listed(fields.get("spells"), MAX_SPELLS)])
        case _:
            return End()


def _listed(value: object, most: int) -> list[Any]:
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= most:
        raise unreadable(f"Give a list of 1 to {most}.")
    return list(value)


# ---- writing


def write_order(order: Order) -> str:
    """The order as text.

    >>> write_order(read_order("b2: Move D4E4"))
    '2 move d4-e4'
    """
    if isinstance(order, Spells):
        return _write_spells(order.spells)
    if isinstance(order, End):
        return "end"
    prefix = f"{order.board} " if order.board is not None else ""
    match order:
        case Move() | Attack():
            return f"{prefix}{'move' if isinstance(order, Move) else 'attack'} {order.start}-{order.target}"
        case Tick():
            return f"{prefix}tick {' '.join(order.moves)}"
        case Blink():
            return f"{prefix}blink {order.start}"
        case Buy():
            return f"{prefix}buy {order.unit}"
        case Spawn():
            return f"{prefix}spawn {order.unit} {order.target}"
        case Choose():
            return f"{prefix}choose {order.necromancer}" + ("" if order.keep is None else f" keep {order.keep}")
        case Resign():
            return f"{prefix}resign"


def _write_spells(spells: tuple[str, ...]) -> str:
    words: list[str] = []
    marches = 0
    for spell in (*spells, ""):
        if spell == "march":
            marches += 1
            continue
        if marches:
            words.append("march" if marches == 1 and len(spells) == 1 else f"march {marches}")
            marches = 0
        words.append(spell)
    return " ".join(filter(None, words))
