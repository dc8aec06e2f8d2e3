"""Orders and positions as text, loss-free both ways; dice by name.

Orders: `D2-C3 2`, `bless G9`. Also read: `D2>C3 2`, `d2 c3 2`, `boost G9`.

Positions: clauses separated by `;` or new lines, such as
`turn 3/8; mode online; red A5 3, B4, C3 1; green ...; blue ...; won red C3; score 21 20 19; total 41 40 39`.
`start` begins with the starting position, `bare` with its owners and no regiments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from polemos.games.monarchs.board import BASES, CENTRE, INDEX, LETTERS, NAMES, NATIONS, NEIGHBOURS
from polemos.games.monarchs.rules.dice import AT_BORDER, FOR_GAME, FOR_RETREAT, IN_HEX, ONE_HEX
from polemos.games.monarchs.start import starting_position
from polemos.games.monarchs.state import (
    MAX_REGIMENTS,
    MAX_TURNS,
    MODES,
    NOBODY,
    ONLINE,
    REASONS,
    RULES,
    SCORINGS,
    State,
)
from polemos.kernel.dice import MAX_FIXED, Chance, die_of
from polemos.kernel.errors import BadPosition, IllegalOrder, NotationError
from polemos.kernel.orders import shown
from polemos.kernel.renamed import ONCE_SEED, word_today

# ---- orders


class March(Struct, frozen=True, tag_field="order", tag="march", rename={"origin": "from", "target": "to"}):
    """`number` regiments go from one hex to a neighbour (3.2)."""

    origin: str
    target: str
    number: int


class Bless(Struct, frozen=True, tag_field="order", tag="bless"):
    """The nation's armies fight better on this hex, this turn (3.7)."""

    hex: str


Order = March | Bless

_MAX_NUMBER = 10**9
_MAX_TEXT = 200
_MARCH = re.compile(r"([^\s,>-]+)\s*(?:->|[-,>]|\s)\s*([^\s,>-]+)(?:\s*,\s*|\s+)(\S+)")
_BLESSING = re.compile(r"(?:bless|boost)\s*[:,]?\s+(\S+)", re.IGNORECASE | re.ASCII)


def nation_of(word: object) -> str:
    """A nation by its name or letter, in any case."""
    text = word.strip().lower() if isinstance(word, str) else ""
    for name, letter in zip(NATIONS, LETTERS, strict=True):
        if text in (name, letter):
            return name
    raise NotationError(
        f"There is no nation called {shown(word)[:20]!r}. Nations are red, green, blue (or r, g, b).", rule="1.3"
    )


def hex_of(word: object) -> str:
    """3.2 The name of a hex; case and blanks are forgiven, look-alikes are not."""
    text = word.strip() if isinstance(word, str) else ""
    if text.isascii() and text.upper() in INDEX:
        return text.upper()
    raise NotationError(
        f"{shown(word)[:20]!r} is not a hex. A hex is a letter A to Q and a digit 1 to 9, such as G5.", rule="3.2"
    )


def number_of(value: object) -> int:
    """3.4 A whole number of at least 1."""
    if type(value) is not int or value < 1:
        raise NotationError(
            f"{shown(value)[:20]!r} is not a number of regiments. Use a whole number of at least 1.", rule="3.4"
        )
    if value >= _MAX_NUMBER:
        raise IllegalOrder("No hex can hold that many regiments.", rule="3.5")
    return value


def number_in(text: str) -> int:
    """3.4 A number on paper: plain digits, without sign, point or leading zero."""
    if re.fullmatch(r"[1-9][0-9]*", text, re.ASCII) is None:
        return number_of(text)
    return number_of(int(text) if len(text) < 10 else _MAX_NUMBER)


def read_order(line: object) -> Order:
    """The order that a text or an object means."""
    if isinstance(line, March):
        return March(hex_of(line.origin), hex_of(line.target), number_of(line.number))
    if isinstance(line, Bless):
        return Bless(hex_of(line.hex))
    if isinstance(line, str):
        return _read_text(line)
    if isinstance(line, Mapping):
        return _read_object(line)
    raise NotationError("An order must be a text such as G5-H4 2, or an object.", rule="3.2")


def _read_text(text: str) -> Order:
    text = text.strip()
    if len(text) > _MAX_TEXT:
        raise NotationError(f"A line can have at most {_MAX_TEXT} characters.", rule="3.2")
    if blessing := _BLESSING.fullmatch(text):
        return Bless(hex_of(blessing[1]))
    if march := _MARCH.fullmatch(text):
        return March(hex_of(march[1]), hex_of(march[2]), number_in(march[3]))
    raise NotationError("That isn't an order. Write it like G5-H4 2 (from, to, number) or bless G9.", rule="3.2")


def _read_object(fields: Mapping[Any, Any]) -> Order:
    kind = fields.get("order")
    if kind == "march" and set(fields) == {"order", "from", "to", "number"}:
        return March(hex_of(fields["from"]), hex_of(fields["to"]), number_of(fields["number"]))
    if kind == "bless" and set(fields) == {"order", "hex"}:
        return Bless(hex_of(fields["hex"]))
    raise NotationError(
        'Write it like {"order": "march", "from": "G5", "to": "H4", "number": 2} or {"order": "bless", "hex": "G9"}.',
        rule="3.2",
    )


def write_order(order: Order) -> str:
    """The order as text.

    >>> write_order(read_order("d2 > c3 2"))
    'D2-C3 2'
    """
    if isinstance(order, March):
        return f"{order.origin}-{order.target} {order.number}"
    return f"bless {order.hex}"


# ---- positions


def write_position(state: State) -> str:
    """Everything in a state."""
    clauses = [f"turn {state.turn}/{state.turns}"]
    clauses.append(f"rules {RULES[state.rules]}")
    clauses.append(f"mode {MODES[state.mode]}")
    clauses.append(f"scoring {SCORINGS[state.scoring]}")
    for nation, name in enumerate(NATIONS):
        owned = [hex for hex in range(len(NAMES)) if state.owner[hex] == nation]
        cells = (f"{NAMES[h]} {state.regiments[h]}" if state.regiments[h] else NAMES[h] for h in owned)
        clauses.append(f"{name} {', '.join(cells)}")
    for word, first in (("won", 1), ("lost", 8)):
        for nation, name in enumerate(NATIONS):
            if there := [NAMES[h] for h in range(len(NAMES)) if state.battles[h] & first << nation]:
                clauses.append(f"{word} {name} {' '.join(there)}")
    clauses.append("score " + " ".join(str(state.score[n]) for n in range(3)))
    clauses.append("total " + " ".join(str(state.total[n]) for n in range(3)))
    clauses.extend(f"dropped {name}" for nation, name in enumerate(NATIONS) if state.dropped[nation])
    if state.reason:
        clauses.append("ended " + " ".join(NATIONS[state.places[n]] for n in range(3)) + f" {state.reason}")
    return "; ".join(clauses)


def read_position(text: str) -> State:
    """The state that a text means; raises BadPosition."""
    if len(text) > 20_000:
        raise BadPosition("The text is too long for a position.")
    clauses = [words for part in re.split(r"[;\n]", text) if (words := part.split())]
    reader = _Reader(clauses)
    for number, words in enumerate(clauses):
        try:
            reader.clause(words, number)
        except BadPosition:
            raise
        except NotationError as error:
            raise BadPosition(f"In {' '.join(words)[:60]!r}: {error.why}", rule=error.rule) from None
        except (ValueError, IndexError, OverflowError):
            raise BadPosition(f"{' '.join(words)[:60]!r} is not a clause of a position.") from None
    validate(reader.state)
    return reader.state


class _Reader:
    """Reads a position clause by clause. Nothing is guessed: every word must have its place."""

    def __init__(self, clauses: list[list[str]]) -> None:
        named = [word_today(ONCE_SEED, words[1]) for words in clauses if words[0] == "rules" and len(words) == 2]
        agreed = [rules for rules in named if rules in RULES]
        self.state = starting_position(agreed[0] if agreed else RULES[0], ONLINE, 0, 8)
        self.listed: set[int] = set()
        self.said: set[str] = set()
        base = clauses[0][0] if clauses else ""
        if base != "start":
            for hex in range(len(NAMES)):
                self.state.regiments[hex] = 0
                if base != "bare" and hex not in BASES:
                    self.state.owner[hex] = NOBODY

    def clause(self, words: list[str], number: int) -> None:
        key, rest = words[0], words[1:]
        if key in ("start", "bare") and not rest and number == 0:
            return
        if key in NATIONS or (key in LETTERS and len(key) == 1):
            self.land(NATIONS.index(nation_of(key)), " ".join(rest))
        elif key == "free":
            for word in rest:
                self.put(INDEX[hex_of(word)], NOBODY, 0)
        elif key in ("won", "lost"):
            self.once(f"{key} {rest[0]}")
            bit = (1 if key == "won" else 8) << NATIONS.index(nation_of(rest[0]))
            for word in rest[1:]:
                self.state.battles[INDEX[hex_of(word)]] |= bit
        elif key == "dropped" and len(rest) == 1:
            self.once(f"{key} {rest[0]}")
            self.state.dropped[NATIONS.index(nation_of(rest[0]))] = 1
        else:
            self.once(key)
            self.fact(key, rest)

    def once(self, what: str) -> None:
        if what in self.said:
            raise BadPosition(f"{what!r} is given twice.")
        self.said.add(what)

    def land(self, nation: int, cells: str) -> None:
        for cell in filter(None, (cell.split() for cell in cells.split(","))):
            if len(cell) > 2:
                raise BadPosition(
                    f"Write a hex and its number of regiments, such as G5 3, not {' '.join(cell)[:40]!r}."
                )
            if len(cell) == 2 and not re.fullmatch(r"0|[1-9][0-9]{0,9}", cell[1], re.ASCII):
                raise BadPosition(f"{cell[1][:20]!r} is not a number of regiments.", rule="1.7")
            regiments = int(cell[1]) if len(cell) == 2 else 0
            self.put(INDEX[hex_of(cell[0])], nation, min(regiments, MAX_REGIMENTS + 1))

    def put(self, hex: int, owner: int, regiments: int) -> None:
        if hex in self.listed:
            raise BadPosition(f"{NAMES[hex]} is listed twice; a hex holds one nation.", rule="1.7")
        self.listed.add(hex)
        self.state.owner[hex] = owner
        self.state.regiments[hex] = regiments

    def fact(self, key: str, rest: list[str]) -> None:
        state = self.state
        match key, rest:
            case "turn", [numbers]:
                found = re.fullmatch(r"([0-9]{1,3})(?:/([0-9]{1,3}))?", numbers, re.ASCII)
                if found is None:
                    raise BadPosition(f"{numbers[:20]!r} is not a turn. Write it like 3/8.", rule="10.4")
                state.turn = int(found[1])
                state.turns = int(found[2]) if found[2] else state.turns
            case "rules", [rules]:
                state.rules = RULES.index(word_today(ONCE_SEED, rules))
            case "mode", [mode]:
                state.mode = MODES.index(mode)
            case "scoring", [scoring]:
                state.scoring = SCORINGS.index(scoring)
            case "score", [_, _, _]:
                for nation in range(3):
                    state.score[nation] = _signed(rest[nation], 30_000)
            case "total", [_, _, _]:
                for nation in range(3):
                    state.total[nation] = _signed(rest[nation], 2_000_000)
            case "ended", [_, _, _, reason]:
                for place in range(3):
                    state.places[place] = NATIONS.index(nation_of(rest[place]))
                state.reason = _count(reason)
            case _:
                raise ValueError(key)


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", text, re.ASCII):
        raise ValueError(text)
    return int(text)


def _signed(text: str, most: int) -> int:
    if not re.fullmatch(r"-?[0-9]{1,9}", text, re.ASCII) or abs(int(text)) > most:
        raise ValueError(text)
    return int(text)


def validate(state: State) -> None:
    """1.7 Refuses what play cannot reach."""
    for nation, base in enumerate(BASES):
        if state.owner[base] != nation:
            raise BadPosition(f"{NAMES[base]} is {NATIONS[nation]}'s home base and always belongs to it.", rule="1.7")
    for hex in range(len(NAMES)):
        if not 0 <= state.owner[hex] <= NOBODY or (state.owner[hex] == NOBODY and hex != CENTRE):
            raise BadPosition(f"{NAMES[hex]} has no owner; only the centre I5 can be unclaimed.", rule="1.4")
        if state.regiments[hex] < 0 or (state.owner[hex] == NOBODY and state.regiments[hex]):
            raise BadPosition(f"The regiments on {NAMES[hex]} are not on their nation's land.", rule="1.7")
    for nation in range(3):
        if sum(state.regiments[h] for h in range(len(NAMES)) if state.owner[h] == nation) > MAX_REGIMENTS:
            raise BadPosition(f"A nation can have at most {MAX_REGIMENTS} regiments.", rule="1.7")
    last = state.turns or MAX_TURNS
    if not 0 <= state.turns <= MAX_TURNS or not 1 <= state.turn <= last + 1:
        raise BadPosition(f"Turn {state.turn} of {state.turns}: a game has 1 to {MAX_TURNS} turns.", rule="10.4")
    _validate_end(state)


def _validate_end(state: State) -> None:
    over = state.turn > (state.turns or MAX_TURNS)
    if over != bool(state.reason) or not 0 <= state.reason < len(REASONS):
        raise BadPosition("The game must be over after its last turn, and not before.", rule="10.4")
    if state.reason and sorted(state.places[n] for n in range(3)) != [0, 1, 2]:
        raise BadPosition("The places at the end must name each nation once.", rule="10.5")


# ---- dice


def _where(name: str) -> tuple[int, int, str | None]:
    """(what, place, nation of a retreat) of a name such as `hex H4`, `border G5-H4`, `retreat red H4`, `coin`."""
    words = re.split(r"[\s-]+", name.strip())
    if words[0] == "hex" and len(words) == 2:
        return IN_HEX, INDEX[hex_of(words[1])] * 64 + ONE_HEX, None
    if words[0] == "border" and len(words) == 3:
        a, b = sorted(INDEX[hex_of(word)] for word in words[1:])
        if b not in NEIGHBOURS[a]:
            raise NotationError(f"{words[1]} and {words[2]} do not share a border.", rule="1.2")
        return AT_BORDER, a * 64 + b, None
    if words[0] == "retreat" and len(words) == 3:
        return FOR_RETREAT, INDEX[hex_of(words[2])] * 64, nation_of(words[1])
    if words == ["coin"]:
        return FOR_GAME, CENTRE * 64 + ONE_HEX, None
    raise NotationError(
        f"There are no dice called {name[:40]!r}. Use hex H4, border G5-H4, retreat red H4 or coin.", rule="2.3"
    )


def fix_dice(chance: Chance, dice: Mapping[str, Any]) -> None:
    """Fixes rolls by name: `{"hex H4": {"red": ["0.6"]}, "retreat red H4": {"F4": ["0.3", "0.5"]}}`."""
    if not isinstance(dice, Mapping):
        raise NotationError('Write dice as an object like {"hex H4": {"red": ["0.6"]}}.', rule="2.3")
    for name, rolls in dice.items():
        what, where, retreating = _where(str(name))
        if not isinstance(rolls, Mapping):
            raise NotationError(f"The dice of {str(name)[:40]!r} must be an object of lists.", rule="2.3")
        for whose, values in rolls.items():
            if retreating is not None:
                place, who = where + INDEX[hex_of(whose)], NATIONS.index(retreating)
            else:
                place, who = where, NATIONS.index(nation_of(whose))
            listed = values if isinstance(values, list | tuple) else [values]
            for again, value in enumerate(listed):
                if chance.fixed == MAX_FIXED:
                    raise NotationError(f"At most {MAX_FIXED} dice can be fixed.", rule="2.3")
                fixed = chance.rolls[chance.fixed]
                fixed.what, fixed.where, fixed.who, fixed.again = what, place, who, again
                fixed.value = die_of(value, "2.3")
                chance.fixed += 1
