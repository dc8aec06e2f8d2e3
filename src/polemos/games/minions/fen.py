"""Configurations and positions in the FEN of UMI engines, loss-free both ways. docs/reference/umi.md describes it.

A configuration is what never changes in a match: `2 BlackenedShores,MidnightLake S,P,W,...`, read as a state with
nobody on its boards. A position is one line of fields, `0|12 0|0 LLL...|LLL... f|I|i|||0/2ZZ6/... f|I|i|||... 0 1`.
What plain FEN cannot hold stands behind: `rules` in a configuration, a seventh and an eighth part of a board, and
words after the ply. None of these is written unless it is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote, unquote

import msgspec

from polemos.games.minions import maps
from polemos.games.minions.line import chosen_line
from polemos.games.minions.maps import BadMap, Ground, hex_name, hex_of
from polemos.games.minions.positions import has_chosen
from polemos.games.minions.rules.pieces import is_of, put, type_of
from polemos.games.minions.setup import (
    SPELL_PRICES,
    UMI_TABLE,
    Options,
    bare_state,
    ground_in,
    letters_of,
    line_in,
    set_up,
    switches_in,
    switches_of,
    table_called,
    table_in,
)
from polemos.games.minions.state import (
    ALL_SWITCHES,
    BLUE,
    FRESH,
    HEXES,
    MAX_BOARDS,
    MAX_CARDS,
    MAX_MONEY,
    MAX_SPELLS,
    MAX_TYPES,
    MAX_ZONE,
    MOVED,
    NOBODY,
    REASONS,
    RESET1,
    RESET2,
    RESETS,
    RULES,
    SIDE,
    YELLOW,
    Board,
    State,
)
from polemos.games.minions.tables import BadTable, UnitTable, load, shipped, write_table
from polemos.games.minions.validate import validate
from polemos.kernel.errors import BadOptions, BadPosition, NotationError
from polemos.kernel.orders import shown
from polemos.kernel.renamed import ONCE_SEED, word_today

MAX_TEXT: Final = 400_000
SIDE_NAMES: Final = ("Yellow", "Blue", "Nobody")

_STATES: Final = "fn012"  # in the order of the states
_SPELLS: Final = "LUA"  # none, one, two under a card
_OPEN: Final = "AllLand"
_TEAMS: Final = ("", "first", "second")
_NOBODY: Final = "-"
_WRITTEN_OUT: Final = 99  # so many units of a type in a zone are written letter by letter
_PLAIN_BOARD: Final = re.compile(r"[fn12]\|[A-Z]*\|[a-z]*\|\|\|[^|]*")


def unreadable(why: str, rule: str | None = None) -> NotationError:
    return NotationError(why, rule=rule)


# ---- parts


def _number(text: str, least: int, most: int, what: str) -> int:
    if not re.fullmatch(r"[0-9]{1,10}", text, re.ASCII) or not least <= int(text) <= most:
        raise unreadable(f"{what}: {shown(text)[:20]!r} is not a number from {least} to {most}.")
    return int(text)


def _both(text: str, what: str) -> tuple[str, str]:
    """`yellow|blue`"""
    parts = text.split("|", 2)
    if len(parts) != 2:
        raise unreadable(f"{what}: {shown(text)[:40]!r} must read yellow|blue.")
    return parts[0], parts[1]


def _words(text: str) -> list[str]:
    if len(text) > MAX_TEXT:
        raise unreadable(f"The text is longer than {MAX_TEXT} characters.")
    return text.split()


def name_word(name: str) -> str:
    """A name as one word; no name has an underscore of its own."""
    return name.replace(" ", "_")


# ---- configurations


def write_config(state: State) -> str:
    """What never changes in the match."""
    table = table_in(state)
    grounds = ",".join(_map_word(ground_in(state.board[at])) for at in range(state.boards))
    cards = ",".join(letters_of(table, line_in(state)))
    return " ".join([str(state.to_win), grounds, cards, *_rules(state, table)])


def _map_word(ground: Ground) -> str:
    name = maps.name_of(ground)
    return maps.write_rows(ground) if name is None else _OPEN if name == "open" else name.replace(" ", "")


def _rules(state: State, table: UnitTable) -> Iterator[str]:
    """`rules classic 8 2 2025-07`, then everything that is not the default; nothing if all of it is.

    The rules of the public engines need no words where all of them are on: their special cards tell (17.2).
    """
    usual, rules = Options(), RULES[bool(state.switches)]
    more = [*(["turns", str(state.turns)] if state.turns != usual.turns else [])]
    more += ["money", str(state.start_money)] if state.start_money != 6 * state.boards else []
    more += ["yellow", _TEAMS[state.teams]] if state.teams else []
    plain = state.switches in (0, ALL_SWITCHES) and table == load(_units(rules))
    if more or state.spell_price != SPELL_PRICES[rules] or not plain:
        profile = rules if state.switches in (0, ALL_SWITCHES) else f"{rules}:{','.join(switches_in(state))}"
        yield from ("rules", profile, str(state.spell_price), str(table.fixed), _table_word(table), *more)


def _units(rules: str) -> str:
    """The table that is played if none is named."""
    return Options().units if rules == "classic" else UMI_TABLE


def _table_word(table: UnitTable) -> str:
    """The name of a table of the house, or the whole table with %20 for a blank and so on."""
    if table.name in shipped() and _with_fixed(load(table.name), table.fixed) == table:
        return quote(table.name, safe="")
    return quote(write_table(table), safe="")


def _with_fixed(table: UnitTable, fixed: int) -> UnitTable:
    return table if table.fixed == fixed else msgspec.structs.replace(table, fixed=fixed)


def read_config(text: str) -> State:
    """The match that a configuration means, with nobody on its boards; raises NotationError."""
    words = _words(text)
    if len(words) < 3:
        raise unreadable("Write a configuration as points to win, maps, cards, such as 1 MidnightLake S,P,W,...")
    try:
        return _config(words)
    except (BadMap, BadTable, BadOptions) as error:
        raise unreadable(error.why, error.rule) from None


def _config(words: list[str]) -> State:
    usual = Options()
    rules = _read_rules(words[3:])
    special = any(card.isdigit() for card in words[2].split(","))
    name, _, switches = rules.get("profile", RULES[special]).partition(":")
    table = table_called(unquote(rules.get("units", _units(name))))
    if "fixed" in rules:
        table = _with_fixed(table, _number(rules["fixed"], 0, len(table.cards), "Fixed cards"))
    names = words[1].split(",", MAX_BOARDS)
    if len(names) > MAX_BOARDS:
        raise unreadable(f"A match has 1 to {MAX_BOARDS} boards, each with a map.", "2.2")
    cards = words[2].split(",", MAX_CARDS)
    if any(len(card) != 1 for card in cards):
        raise unreadable("Write cards as letters separated by commas, such as S,P,W.")
    state = bare_state(table, [_ground(name) for name in names], chosen_line(words[2], table, None, 0))
    state.to_win = _number(words[0], 1, 99, "Points to win")
    if name != "classic":
        state.switches = switches_of(Options(rules="umi-2025", switches=switches or "all"))
    state.spell_price = _number(rules.get("price", str(SPELL_PRICES[name])), 0, 999, "Price of a spell")
    state.turns = _number(rules.get("turns", str(usual.turns)), 1, 10_000, "Turns")
    state.start_money = _number(rules.get("money", str(6 * state.boards)), 0, 9999, "Money")
    state.teams = _TEAMS.index(rules.get("yellow", ""))
    return state


def _ground(word: str) -> Ground:
    if "/" in word:
        return maps.read_rows(word)
    return maps.OPEN if word.lower() == _OPEN.lower() else maps.load(word)


def _read_rules(words: list[str]) -> dict[str, str]:
    if not words:
        return {}
    if words[0] != "rules" or len(words) < 5 or len(words) % 2 == 0:
        raise unreadable(
            "After the cards: rules, profile, price of a spell, fixed cards, unit table; then turns, money."
        )
    profile = word_today(ONCE_SEED, words[1])
    if profile != "classic" and profile.partition(":")[0] != "umi-2025":
        raise unreadable(f"{shown(words[1])[:20]!r} is not a rule profile; use {' or '.join(RULES)}.")
    found = {"profile": profile, "price": words[2], "fixed": words[3], "units": words[4]}
    for key, value in zip(words[5::2], words[6::2], strict=True):
        if key not in ("turns", "money", "yellow") or key in found:
            raise unreadable(f"{shown(key)[:20]!r} does not go here; turns, money and yellow do, each once.")
        found[key] = value
    if found.get("yellow", "first") not in _TEAMS[1:]:
        raise unreadable("Yellow must be played by the team first or second.", "14.3")
    return found


def starting(config: State) -> State:
    """2.3 The position that a match of this configuration begins with; raises BadPosition if a map is not admitted."""
    state = config.copy()
    state.money[BLUE] = state.start_money
    for at in range(state.boards):
        try:
            maps.sound(ground_in(state.board[at]))
        except BadMap as error:
            raise BadPosition(f"A game can't start on the map of board {at}: {error.why}", rule=error.rule) from None
        set_up(state, at)
    return state


# ---- writing positions


def write_state(state: State, dialect: bool = True) -> str:
    """A position of a match; without the dialect only if plain FEN can hold it, otherwise raises NotationError."""
    table = table_in(state)
    line = ("".join(_SPELLS[state.spells[side * MAX_CARDS + card]] for card in range(state.cards)) for side in range(2))
    boards = [_write_board(state, state.board[at], table) for at in range(state.boards)]
    more = [*_write_more(state, table)]
    if not dialect and (more or not all(_PLAIN_BOARD.fullmatch(board) for board in boards)):
        raise unreadable("This position cannot be written without the dialect.")
    money, points = (f"{pair[YELLOW]}|{pair[BLUE]}" for pair in (state.money, state.points))
    clock = [str(state.side), str(2 * state.turn - 1 + state.side)]
    return " ".join([money, points, "|".join(line), *boards, *clock, *more])


def _write_board(state: State, board: Board, table: UnitTable) -> str:
    zones = [_write_zone(board, side, table) for side in range(2)]
    rows = "/".join(_write_row(board, rank, table) for rank in range(SIDE))
    types, marks = _write_types(state, board, table), ",".join(_write_marks(state, board))
    more = [types, marks] if marks else [types] if types else []
    return "|".join([_STATES[board.state], *zones, "", "", rows, *more])


def _write_zone(board: Board, side: int, table: UnitTable) -> str:
    text = ""
    for letter, kind in sorted((unit.letter, kind) for kind, unit in enumerate(table.units)):
        count = board.zone[side * MAX_TYPES + kind]
        text += letter * count if count <= _WRITTEN_OUT else f"{letter}{count}"
    return text if side == YELLOW else text.lower()


def _write_row(board: Board, rank: int, table: UnitTable) -> str:
    text, empty = "", 0
    for hex in range(SIDE * rank, SIDE * (rank + 1)):
        piece = board.hex[hex].piece
        if not piece:
            empty += 1
            continue
        letter = table.types[type_of(piece)].letter
        text += f"{empty or ''}{letter if is_of(piece, YELLOW) else letter.lower()}"
        empty = 0
    return text + (str(empty % SIDE) if empty else "")


def _write_types(state: State, board: Board, table: UnitTable) -> str:
    """`Arcane,Basic`, if not every necromancer is that of the start."""
    found = [_NOBODY, _NOBODY]
    for hex in range(HEXES):
        piece = board.hex[hex].piece
        if piece and type_of(piece) >= len(table.units):
            found[0 if is_of(piece, YELLOW) else 1] = name_word(table.types[type_of(piece)].name)
    return ",".join(found) if {*found} - {_NOBODY, name_word(table.types[state.first].name)} else ""


def _write_marks(state: State, board: Board) -> Iterator[str]:
    """What is true of this turn only; between turns there is nothing of it, at the end of the game there may be."""
    for flag in ("closed", "killed", "resigned"):
        if getattr(board, flag):
            yield flag
    if board.due and state.reason:
        yield "due"
    if has_chosen(state, board):
        yield "chosen"
    for hex in range(HEXES):
        there = board.hex[hex]
        marks = [f"*{there.damage}"] if there.damage else []
        marks += ["*moved"] if there.marks & MOVED else []
        marks += [f"*used{there.used}"] if there.used else []
        marks += ["*fresh"] if there.marks & FRESH else []
        if marks:
            yield hex_name(hex) + "".join(marks)


def _write_more(state: State, table: UnitTable) -> Iterator[str]:
    if any(state.used):
        sides = ([name_word(table.pool[i]) for i in range(state.pools) if used >> i & 1] for used in state.used)
        yield from ("used", "|".join(",".join(names) or _NOBODY for names in sides))
    if state.placed:
        yield from ("placed", str(state.placed))
    if teched := [str(card) for card in range(state.cards) if state.teched[card]]:
        yield from ("teched", ",".join(teched))
    if gone := [SIDE_NAMES[side] for side in range(2) if state.gave_up[side]]:
        yield from ("gaveup", ",".join(gone))
    if state.reason:
        yield from ("ended", f"{SIDE_NAMES[state.winner]},{state.reason}")


# ---- reading positions


def read_state(config: State, text: str) -> State:
    """The position that a text means in a match; raises NotationError, or BadPosition if it is not legal."""
    words = _words(text)
    state = _bare(config)
    fields = 5 + state.boards
    if len(words) < fields:
        why = (
            f"A position of {state.boards} boards has {fields} fields: money, points, techline, the boards, side, ply."
        )
        raise unreadable(why)
    side, ply = words[3 + state.boards : fields]
    state.side = _number(side, 0, 1, "Side")
    state.turn, odd = divmod(_number(ply, 1, 20_000, "Ply") + 1, 2)
    if odd != state.side:
        raise unreadable("Yellow, side 0, moves in plies 1, 3, 5 and so on, Blue, side 1, in those between.", "2.1")
    for pair, word, most, what in (
        (state.money, words[0], MAX_MONEY - 1, "Money"),
        (state.points, words[1], 199, "Points"),
    ):
        for of, amount in enumerate(_both(word, what)):
            pair[of] = _number(amount, 0, most, what)
    _read_line(state, words[2])
    more = _read_more(state, words[fields:])
    for at in range(state.boards):
        try:
            _Fields(state, at, words[3 + at]).enter()
        except NotationError as error:
            raise unreadable(f"Board {at}: {error.why}", error.rule) from None
    if "ended" not in more:
        validate(state, first=0)  # of a game that is over nothing is played any more
    return state


def _bare(config: State) -> State:
    """A match without its position."""
    grounds = [ground_in(config.board[at]) for at in range(config.boards)]
    state = bare_state(table_in(config), grounds, line_in(config))
    state.to_win, state.spell_price, state.turns = config.to_win, config.spell_price, config.turns
    state.start_money, state.teams, state.switches = config.start_money, config.teams, config.switches
    return state


def _read_line(state: State, word: str) -> None:
    for side, letters in enumerate(_both(word, "Techline")):
        if len(letters) != state.cards or {*letters} - {*_SPELLS}:
            raise unreadable(f"The techline has {state.cards} letters for each side: L no spell, U one, A two.", "8.1")
        for card, letter in enumerate(letters):
            state.spells[side * MAX_CARDS + card] = _SPELLS.index(letter)


_MORE: Final = ("used", "placed", "teched", "gaveup", "ended")


def _read_more(state: State, words: list[str]) -> dict[str, str]:
    if len(words) > 2 * len(_MORE) or len(words) % 2:
        raise unreadable(f"After the ply come pairs: {', '.join(_MORE)}, each with its value.")
    found: dict[str, str] = {}
    for key, value in zip(words[::2], words[1::2], strict=True):
        if key not in _MORE or key in found:
            raise unreadable(f"{shown(key)[:20]!r} does not go after the ply; {', '.join(_MORE)} do, each once.")
        found[key] = value
    if "used" in found:
        _read_used(state, found["used"])
    state.placed = _number(found.get("placed", "0"), 0, MAX_SPELLS, "Spells placed")
    for card in found["teched"].split(",", MAX_CARDS) if "teched" in found else ():
        state.teched[_number(card, 0, state.cards - 1, "Cards teched")] = 1
    for name in found["gaveup"].split(",", 2) if "gaveup" in found else ():
        state.gave_up[_side_called(name, NOBODY)] = 1
    if "ended" in found:
        name, _, reason = found["ended"].partition(",")
        state.winner = _side_called(name, NOBODY + 1)
        state.reason = _number(reason, 1, len(REASONS) - 1, "Why the game ended")
    return found


def _side_called(name: str, before: int) -> int:
    if name not in SIDE_NAMES[:before]:
        raise unreadable(f"{shown(name)[:20]!r} must be one of {', '.join(SIDE_NAMES[:before])}.")
    return SIDE_NAMES.index(name)


def _read_used(state: State, word: str) -> None:
    """10.9 A list of all means an empty one."""
    pool = [name_word(name).lower() for name in table_in(state).pool]
    for side, names in enumerate(_both(word, "Used necromancers")):
        for name in names.split(",", len(pool)) if names != _NOBODY else ():
            if name.lower() not in pool:
                raise unreadable(f"There is no advanced necromancer called {shown(name)[:20]!r}.", "3.4")
            state.used[side] |= 1 << pool.index(name.lower())
        if state.used[side] == (1 << len(pool)) - 1:
            state.used[side] = 0


class _Fields:
    """The parts of one board, on their way into the state."""

    def __init__(self, state: State, at: int, word: str) -> None:
        parts = word.split("|", 8)
        if not 6 <= len(parts) <= 8:
            raise unreadable("Write state|zone|zone|||rows, then perhaps |necromancers and |marks.")
        self.state, self.board = state, state.board[at]
        self.letter, self.zones, self.spells, self.rows = parts[0], parts[1:3], parts[3:5], parts[5]
        self.types, self.marks = [*parts[6:], "", ""][:2]
        self.table = table_in(state)
        self.kinds = {unit.letter: kind for kind, unit in enumerate(self.table.units)}

    def enter(self) -> None:
        if len(self.letter) != 1 or self.letter not in _STATES:
            raise unreadable("The state is f first turn, n normal, 0, 1 or 2 after a reset.", "10.1")
        if any(self.spells):
            raise unreadable("Spells can't be cast on boards.", "2.9")
        self.board.state = _STATES.index(self.letter)
        for side in range(2):
            self._zone(side)
        self._place()
        self._mark()

    def _kind(self, letter: str) -> int:
        if letter not in self.kinds:
            raise unreadable(f"There is no unit with the letter {shown(letter)!r}.", "3.1")
        return self.kinds[letter]

    def _zone(self, side: int) -> None:
        text = self.zones[side]
        if not re.fullmatch(r"(?:[A-Za-z][0-9]{0,5})*", text, re.ASCII):
            raise unreadable("A zone is letters of units, one for each, or a letter and a number.", "2.4")
        for letter, number in re.findall(r"([A-Za-z])([0-9]*)", text):
            if letter.upper() == "N":
                raise unreadable("A necromancer can't be in a zone.", "2.4")
            place = side * MAX_TYPES + self._kind(letter.upper())
            count = self.board.zone[place] + (_number(number, 1, MAX_ZONE, "Zone") if number else 1)
            self.board.zone[place] = _number(str(count), 0, MAX_ZONE, "Zone")

    def _place(self) -> None:
        rows = self.rows.split("/", SIDE)
        if len(rows) != SIDE:
            raise unreadable(f"Write {SIDE} rows separated by /, rank 0 first.", "1.1")
        types = self._read_types()
        met = [False, False]
        for rank, row in enumerate(rows):
            for file, sign in _signs(row, rank):
                side = YELLOW if sign.isupper() else BLUE
                kind = types[side] if sign.upper() == "N" else self._kind(sign.upper())
                if kind is None:
                    raise unreadable("A necromancer stands on the board whose type is -.")
                met[side] |= sign.upper() == "N"
                put(self.board, SIDE * rank + file, side, kind)
        if self.types and any(kind is not None and not there for kind, there in zip(types, met, strict=True)):
            raise unreadable("A necromancer has a type, but is not on the board; - stands for nobody.")
        if not self.state.reason and self.board.state in (RESET1, RESET2):
            chosen = "chosen" in self.marks.split(",") if self.state.switches & RESETS else met[self.state.side]
            self.board.due = not chosen

    def _read_types(self) -> list[int | None]:
        """What N and n are."""
        if not self.types:
            return [self.state.first, self.state.first]
        parts = self.types.split(",", 2)
        if len(parts) != 2:
            raise unreadable("The types of the necromancers are Yellow's and Blue's, such as Arcane,Basic or Arcane,-.")
        known = [name_word(unit.name).lower() for unit in self.table.necromancers]
        found: list[int | None] = []
        for part in parts:
            if part != _NOBODY and part.lower() not in known:
                raise unreadable(f"There is no necromancer called {shown(part)[:20]!r}.", "3.4")
            found.append(None if part == _NOBODY else len(self.table.units) + known.index(part.lower()))
        return found

    def _mark(self) -> None:
        flags = ("closed", "killed", "resigned", *(("due",) if self.state.reason else ()))
        for part in self.marks.split(",", HEXES + len(flags)) if self.marks else ():
            if part in flags:
                setattr(self.board, part, 1)
                continue
            if part == "chosen" and self.state.switches & RESETS:
                continue  # read with the units
            hex, *marks = part.split("*", 5)
            there = self.board.hex[hex_of(hex)]
            if not there.piece or not marks:
                raise unreadable(
                    f"{shown(part)[:20]!r} is not a mark. Marks are {', '.join(flags)}, or d4*1*moved*used1."
                )
            for mark in marks:
                if mark in ("moved", "fresh"):
                    there.marks |= MOVED if mark == "moved" else FRESH
                elif mark.startswith("used"):
                    there.used = _number(mark[4:], 1, 99, "Attacks used")
                else:
                    there.damage = _number(mark, 1, 99, "Damage")


def _signs(row: str, rank: int) -> Iterator[tuple[int, str]]:
    """The letters of a row with their files."""
    file = SIDE if row == "0" else 0
    for sign in row if row != "0" else "":
        if sign in "123456789":
            file += int(sign)
        elif sign.isascii() and sign.isalpha():
            if file < SIDE:
                yield file, sign
            file += 1
        else:
            raise unreadable(f"Rank {rank}: {shown(sign)!r} is neither a letter nor a digit from 1 to 9.", "1.1")
        if file > SIDE:
            break
    if file != SIDE:
        raise unreadable(f"Rank {rank}: a row makes {SIDE} hexes; an empty one is 0.", "1.1")
