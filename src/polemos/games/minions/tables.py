"""Unit tables (3.1 to 3.4, 15.8, 15.9): the figures of all units, as data with a date.

A table is TOML. Names of units and of necromancers are two lists, so that a necromancer may be called Zombie:

    name = "2025-07"
    ring = "Zombie"          # on the start ring
    gift = "Initiate"        # given free of charge
    basic = ["Zombie", "Initiate"]
    first = "Basic"          # the necromancer of the start
    pool = ["Arcane", ...]   # the advanced ones, in order
    cards = ["Skeleton", ...]
    fixed = 2

    [[units]]                # and so on; [[necromancers]] alike
    name = "Zombie"
    letter = "Z"
    attack = "normal"
    number = 1
    defence = 1
    speed = 1
    range = 1
    cost = 2
    rebate = 0
    keywords = ["Lumbering"]

A row of `units` with a digit for a letter is a special card, which can be teched, but never bought (17.2).
`flaws` names every bound that a table breaks; no other table is read, written or played.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec
from msgspec import Struct

from polemos.games.minions.state import ATTACKS, KEYWORDS, MAX_CARDS, MAX_NAME, MAX_POOL, MAX_TYPES
from polemos.kernel.errors import PolemosError
from polemos.kernel.orders import shown

MAX_TEXT: Final = 40_000
MAX_UNITS: Final = MAX_TYPES - MAX_POOL
MAX_NECROMANCERS: Final = MAX_POOL
LETTER: Final = "N"  # of all necromancers
ALWAYS: Final = ("Necromancer", "Spawn", "Persistent")  # of all necromancers
ONLY: Final = ("Necromancer", "Soul")  # of necromancers only
RESERVED: Final = ("keep", "march", "none", "tech")  # words of orders (4.3)

_NAME: Final = re.compile(r"[A-Za-z0-9'-]+( [A-Za-z0-9'-]+)*")


class BadTable(PolemosError):
    """A table that cannot be played."""

    word = "table/bad"


class Unit(Struct, frozen=True, forbid_unknown_fields=True):
    """3.1 A row of the table."""

    name: str
    letter: str
    attack: str  # one of ATTACKS
    number: int  # 0 for deathtouch
    defence: int
    speed: int
    range: int
    cost: int
    rebate: int
    keywords: tuple[str, ...] = ()


class UnitTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """15.8 All that a table states."""

    name: str
    ring: str
    gift: str
    basic: tuple[str, ...]
    first: str
    pool: tuple[str, ...]
    cards: tuple[str, ...]
    fixed: int
    units: tuple[Unit, ...]
    necromancers: tuple[Unit, ...]

    @property
    def types(self) -> tuple[Unit, ...]:
        """All types in the order of the table: units, then necromancers."""
        return self.units + self.necromancers


# ---- bounds


def flaws(table: UnitTable) -> list[str]:
    """15.8, 15.9 Every bound that a table breaks, each as a sentence."""
    crowd = [*_numbers(table)]
    if crowd:
        return crowd  # of so many rows nothing more is said
    return [*_named(table), *_lettered(table), *_figures(table), *_keywords(table), *_roles(table), *_cards(table)]


def sound(table: UnitTable) -> UnitTable:
    """15.8 The table itself, if it breaks no bound; raises BadTable."""
    found = flaws(table)
    if found:
        more = f" Faults besides this: {len(found) - 1}." if len(found) > 1 else ""
        raise BadTable(found[0] + more, rule="15.8")
    return table


def _numbers(table: UnitTable) -> Iterator[str]:
    bounds: tuple[tuple[str, Sequence[object], int], ...] = (
        ("units", table.units, MAX_UNITS),
        ("necromancers", table.necromancers, MAX_NECROMANCERS),
        ("cards", table.cards, MAX_CARDS),
        ("basic units", table.basic, MAX_UNITS),
        ("advanced necromancers", table.pool, MAX_POOL),
    )
    for what, rows, most in bounds:
        if len(rows) > most:
            yield f"A table can have at most {most} {what}, not {len(rows)}."


def _named(table: UnitTable) -> Iterator[str]:
    if not _fit_name(table.name):
        yield f"{_short(table.name)} can't be the name of a table: {_NAMES}"
    for what, rows in (("unit", table.units), ("necromancer", table.necromancers)):
        names = [row.name.lower() for row in rows]
        for i, row in enumerate(rows):
            if not _fit_name(row.name):
                yield f"{_short(row.name)} can't be the name of a {what}: {_NAMES}"
            elif not _callable(row):
                yield f"{row.name} can't be the name of a {what}: orders would be ambiguous (4.3)."
            if names[i] in names[:i]:
                yield f"Two {what}s are called {_short(row.name)}; names must differ, not only in capitals."


_NAMES: Final = f"use 1 to {MAX_NAME} letters, digits, single blanks, - and '."


def _fit_name(name: str) -> bool:
    return len(name) <= MAX_NAME and _NAME.fullmatch(name) is not None


def _callable(row: Unit) -> bool:
    """4.3 A name is not taken for a number, for a letter of another unit or for a word of an order."""
    words = row.name.lower().split()
    alone = len(row.name) == 1 and row.name.upper() != row.letter
    return row.name[0].isalpha() and not alone and not any(word in RESERVED for word in words)


def _lettered(table: UnitTable) -> Iterator[str]:
    letters = [unit.letter for unit in table.units]
    for i, unit in enumerate(table.units):
        if not re.fullmatch(r"[A-Z1-9]", unit.letter):
            yield (
                f"{_short(unit.name)}: {_short(unit.letter)} is not a letter; use a single capital from A to Z, or a"
                " digit for a special card."
            )
        elif unit.letter == LETTER:
            yield f"{_short(unit.name)}: a unit can't have the letter {LETTER}, which stands for necromancers."
        elif unit.letter in letters[:i]:
            yield f"{_short(unit.name)}: the letter {unit.letter} is taken; letters must differ."
    for row in table.necromancers:
        if row.letter != LETTER:
            yield f"{_short(row.name)}: the letter of every necromancer must be {LETTER}, not {_short(row.letter)}."


def _figures(table: UnitTable) -> Iterator[str]:
    for row in table.types:
        yield from (f"{_short(row.name)}: {why}" for why in (*_attack(row), *_body(row)))
    for unit in table.units:
        yield from (f"{_short(unit.name)}: {why}" for why in _price(unit))
    for row in table.necromancers:
        if row.cost or row.rebate:
            yield f"{_short(row.name)}: cost and rebate of a necromancer must be 0."


def _attack(row: Unit) -> Iterator[str]:
    if row.attack not in ATTACKS:
        yield f"{_short(row.attack)} is not an attack. Choose one of {', '.join(ATTACKS)}."
    elif row.attack == "deathtouch":
        if row.number:
            yield "deathtouch has no number, so 0 must be given."
    else:
        yield from _within("the number of its attack", row.number, 1, 99)


def _body(row: Unit) -> Iterator[str]:
    yield from _within("defence", row.defence, 1, 99)
    yield from _within("speed", row.speed, 0, 8)
    yield from _within("range", row.range, 0, 18)


def _price(unit: Unit) -> Iterator[str]:
    if unit.letter.isdigit():  # 17.2
        if unit.cost or unit.rebate or unit.speed or unit.range or unit.keywords:
            yield "a special card, which has a digit for a letter, has no cost, rebate, speed, range or keyword."
        return
    yield from _within("cost", unit.cost, 1, 99)
    if not 0 <= unit.rebate <= unit.cost:
        yield f"the rebate must be from 0 to the cost, not {_amount(unit.rebate)}."


def _within(what: str, amount: int, least: int, most: int) -> Iterator[str]:
    if not least <= amount <= most:
        yield f"{what} must be {least} to {most}, not {_amount(amount)}."


def _keywords(table: UnitTable) -> Iterator[str]:
    for row in table.types:
        unknown = next((word for word in row.keywords if word not in KEYWORDS), None)
        if unknown is not None:
            yield f"{_short(row.name)}: {_short(unknown)} is not a keyword. Keywords are {', '.join(KEYWORDS)}."
        if len({*row.keywords}) < len(row.keywords):
            yield f"{_short(row.name)}: a keyword is given twice."
    for row in table.necromancers:
        lacking = [word for word in ALWAYS if word not in row.keywords]
        if lacking:
            yield f"{_short(row.name)}: a necromancer must have {', '.join(ALWAYS)}; {', '.join(lacking)} is missing."
    for unit in table.units:
        wrong = [word for word in ONLY if word in unit.keywords]
        if wrong:
            yield f"{_short(unit.name)}: only necromancers have {' and '.join(wrong)}."


def _roles(table: UnitTable) -> Iterator[str]:
    """15.8 Ring, gift, and which necromancers are for the start and which for later."""
    units = {unit.name for unit in table.units}
    for what, name in (("the unit of the ring", table.ring), ("the free unit", table.gift)):
        if name not in units:
            yield f"{_short(name)} is {what}, but not a unit of the table."
    special = [unit.name for unit in table.units if unit.letter.isdigit()]
    for name in dict.fromkeys((table.ring, table.gift, *table.basic)):
        if name in special:
            yield f"{_short(name)} is a special card, so nobody can have it on a board."
    names = [row.name for row in table.necromancers]
    if table.first not in names:
        yield f"{_short(table.first)} is the necromancer of the start, but not a necromancer of the table."
    if not table.pool:
        yield "There must be at least one advanced necromancer."
    for name in dict.fromkeys(table.pool):
        if name not in names:
            yield f"{_short(name)} is an advanced necromancer, but not a necromancer of the table."
    for name in dict.fromkeys(names):
        if table.pool.count(name) + (name == table.first) > 1:
            yield f"{_short(name)} may be the necromancer of the start or once an advanced one, not both."


def _cards(table: UnitTable) -> Iterator[str]:
    """15.8, 15.9 Every unit is basic or has one card."""
    if not table.cards:
        yield "There must be at least one card."
    if not 0 <= table.fixed <= len(table.cards):
        yield f"0 to {len(table.cards)} cards can be fixed, not {_amount(table.fixed)} (15.9)."
    units = [unit.name for unit in table.units]
    for name in dict.fromkeys(table.basic + table.cards):
        if name not in units:
            yield f"{_short(name)} is basic or has a card, but is not a unit of the table."
    for name in dict.fromkeys(units):
        if table.basic.count(name) + table.cards.count(name) != 1:
            yield f"{_short(name)} must be basic or have exactly one card, not both."


def _short(text: str) -> str:
    return repr(shown(text)[: MAX_NAME + 1])


def _amount(amount: int) -> str:
    """A number for a message; Python refuses to write those that are too long."""
    return str(amount) if abs(amount) < 10**9 else "a number of many digits"


# ---- text


def read_table(text: object) -> UnitTable:
    """15.8 The table that a text means; raises BadTable."""
    if not isinstance(text, str):
        raise BadTable("A unit table must be a text.", rule="15.8")
    if len(text) > MAX_TEXT:
        raise BadTable(f"A unit table can have at most {MAX_TEXT} characters, not {len(text)}.", rule="15.8")
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadTable(f"This is not TOML: {shown(str(error))[:80]}", rule="15.8") from None
    try:
        table = msgspec.convert(found, UnitTable)
    except (msgspec.ValidationError, RecursionError) as error:
        raise BadTable(f"This is not a unit table: {shown(str(error))[:160]}.", rule="15.8") from None
    return sound(table)


def write_table(table: UnitTable) -> str:
    """15.8 A table as text that `read_table` reads back; raises BadTable."""
    sound(table)
    lines = [
        f"name = {_quoted(table.name)}",
        f"ring = {_quoted(table.ring)}",
        f"gift = {_quoted(table.gift)}",
        f"basic = {_list(table.basic)}",
        f"first = {_quoted(table.first)}",
        f"pool = {_list(table.pool)}",
        f"cards = {_list(table.cards)}",
        f"fixed = {table.fixed}",
        *_rows("units", table.units),
        *_rows("necromancers", table.necromancers),
    ]
    return "\n".join([*lines, ""])


def _rows(what: str, rows: Sequence[Unit]) -> Iterator[str]:
    yield f"{what} = ["
    for row in rows:
        amounts = ("number", "defence", "speed", "range", "cost", "rebate")
        figures = ", ".join(f"{amount} = {getattr(row, amount)}" for amount in amounts)
        head = f"name = {_quoted(row.name)}, letter = {_quoted(row.letter)}, attack = {_quoted(row.attack)}"
        yield f"  {{ {head}, {figures}, keywords = {_list(row.keywords)} }},"
    yield "]"


def _list(words: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, words))}]"


def _quoted(word: str) -> str:
    """Words of a sound table need no escapes."""
    return f'"{word}"'


# ---- the tables of the house


@cache
def _texts() -> dict[str, str]:
    folder = files(__package__) / "data" / "units"
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return {file.name.removesuffix(".toml"): file.read_text(encoding="utf-8") for file in found}


def shipped() -> tuple[str, ...]:
    """The names by which `load` knows our own tables."""
    return tuple(_texts())


@cache
def _loaded(name: str) -> UnitTable:
    return read_table(_texts()[name])


def load(name: object) -> UnitTable:
    """15.8 One of our own tables, by its name; raises BadTable."""
    word = name.strip().lower() if isinstance(name, str) else ""
    if word not in _texts():
        raise BadTable(
            f"There is no unit table called {shown(name)[:40]!r}. There are {', '.join(_texts())}.", rule="15.8"
        )
    return _loaded(word)
