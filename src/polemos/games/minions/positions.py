"""16.3 Positions as text, loss-free both ways: clauses separated by `;` or new lines.

Of the match: `boards 2`, `to-win 2`, `turns 200`, `spell_price 8`, `start-money 12`, `yellow first`, `table 2025-07`
(or a whole table in quotation marks), `line SPW...`, `turn 5 blue`, `money 9/6`, `points 1/0`, `used yellow Arcane`,
`spells yellow 2 1`, `placed 1`, `teched 3`, `gave-up blue`, `ended yellow 1`, `start` (all boards as at the start),
`switches blinks resets` (17.1).

Of a board, `b2:` in front (board 1 without; `map` and `ring` without it: all boards): `map Midnight Lake` or its rows,
`state reset+1`, units such as `Nc2 zd4*1 Sd5*moved*used1*fresh Arcane@c3`, `ring`, `zone S2I zi`, `closed`, `killed`,
`resigned`, and `chosen` where the necromancers do not tell it (17.4). Capitals are Yellow's. If no unit is named, the
necromancers stand on their start hexes.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from polemos.games.minions import maps
from polemos.games.minions.line import chosen_line
from polemos.games.minions.maps import BadMap, hex_name, hex_of, name_of
from polemos.games.minions.rules.pieces import is_of, put, to_zone, type_of
from polemos.games.minions.rules.resets import lay_ring, start_hex
from polemos.games.minions.setup import (
    SPELL_PRICES,
    Options,
    bare_state,
    ground_in,
    lay,
    letters_of,
    line_in,
    occupied,
    points_to_win,
    set_up,
    switches_in,
    switches_of,
    table_called,
    table_in,
    table_name,
)
from polemos.games.minions.state import (
    BLUE,
    FRESH,
    MAX_BOARDS,
    MAX_CARDS,
    MAX_TYPES,
    MAX_ZONE,
    MOVED,
    NOBODY,
    NORMAL,
    REASONS,
    RESET0,
    RESET1,
    RESET2,
    RESETS,
    SIDES,
    STATES,
    TURN1,
    YELLOW,
    Board,
    State,
)
from polemos.games.minions.tables import BadTable, UnitTable
from polemos.games.minions.validate import unlawful, validate
from polemos.kernel.errors import BadOptions, BadPosition, NotationError

_MAX_TEXT: Final = 120_000
_TEAMS: Final = ("", "first", "second")


# ---- writing


def write_position(state: State) -> str:
    """Everything in a state."""
    table = table_in(state)
    house = table_name(table)
    named = house if "\n" not in house else msgspec.json.encode(house).decode().replace(";", "\\u003b")
    clauses = [f"boards {state.boards}", f"to-win {state.to_win}", f"turns {state.turns}"]
    clauses += [f"spell_price {state.spell_price}", f"start-money {state.start_money}"]
    clauses += [f"yellow {_TEAMS[state.teams]}"] if state.teams else []
    clauses += [f"switches {' '.join(switches_in(state))}"] if state.switches else []
    clauses += [f"table {named}", f"line {letters_of(table, line_in(state))}", f"turn {state.turn} {SIDES[state.side]}"]
    clauses += [f"money {state.money[0]}/{state.money[1]}", f"points {state.points[0]}/{state.points[1]}"]
    for side, name in enumerate(SIDES):
        used = [table.pool[i].replace(" ", "_") for i in range(state.pools) if state.used[side] >> i & 1]
        clauses += [f"used {name} {' '.join(used)}"] if used else []
        under = [state.spells[side * MAX_CARDS + card] for card in range(state.cards)]
        clauses += [f"spells {name} {' '.join(map(str, under[: len(under) - _tail(under)]))}"] if any(under) else []
        clauses += [f"gave-up {name}"] if state.gave_up[side] else []
    teched = [str(card + 1) for card in range(state.cards) if state.teched[card]]
    clauses += [f"placed {state.placed}"] if state.placed else []
    clauses += [f"teched {' '.join(teched)}"] if teched else []
    for at in range(state.boards):
        clauses += [f"b{at + 1}: {clause}" for clause in _board_clauses(state, at, table)]
    if state.reason:
        clauses.append(f"ended {'nobody' if state.winner == NOBODY else SIDES[state.winner]} {state.reason}")
    return "; ".join(clauses)


def _tail(under: list[int]) -> int:
    """How many cards at the end are without spells."""
    return len(under) - max((i + 1 for i, spells in enumerate(under) if spells), default=0)


def _board_clauses(state: State, at: int, table: UnitTable) -> list[str]:
    board = state.board[at]
    ground = ground_in(board)
    clauses = [f"map {name_of(ground) or maps.write_rows(ground)}", f"state {STATES[board.state]}"]
    units = [unit_text(state, board, hex, table) for hex in occupied(board)]
    clauses.append(f"units {' '.join(units) or 'none'}")
    clauses.append("zone " + " ".join(zone_text(state, board, side, table) for side in range(2)))
    for flag in ("closed", "killed", "resigned", *(["due"] if state.reason else [])):
        clauses += [flag] if getattr(board, flag) else []
    return clauses + (["chosen"] if has_chosen(state, board) else [])


def has_chosen(state: State, board: Board) -> bool:
    """17.4 Whether the choice was made, where the necromancers on the board do not tell."""
    return bool(state.switches & RESETS) and board.state in (RESET1, RESET2) and not board.due and not state.reason


def unit_text(state: State, board: Board, hex: int, table: UnitTable) -> str:
    """`Zd4*1`, `n` for Basic, `Arcane@c2` for the others; flags of this turn behind."""
    there = board.hex[hex]
    kind = type_of(there.piece)
    unit, units = table.types[kind], len(table.units)
    name = unit.letter if kind < units or kind == state.first else unit.name.replace(" ", "_") + "@"
    name = name if is_of(there.piece, YELLOW) else name.lower()
    marks = [f"*{there.damage}"] if there.damage else []
    marks += ["*moved"] if there.marks & MOVED else []
    marks += [f"*used{there.used}"] if there.used else []
    marks += ["*fresh"] if there.marks & FRESH else []
    return name + hex_name(hex) + "".join(marks)


def zone_text(state: State, board: Board, side: int, table: UnitTable) -> str:
    words = ""
    for kind, unit in enumerate(table.units):
        if count := board.zone[side * MAX_TYPES + kind]:
            words += unit.letter + (str(count) if count > 1 else "")
    return (words if side == YELLOW else words.lower()) or "-"


# ---- reading

_OF_MATCH: Final = (
    *("boards", "to-win", "turns", "spell_price", "start-money", "yellow", "table", "line", "turn", "money", "points"),
    *("used", "spells", "placed", "teched", "gave-up", "ended", "start", "switches"),
)


def read_position(text: str) -> State:
    """The state that a text means; raises BadPosition."""
    if len(text) > _MAX_TEXT:
        raise BadPosition("The text is too long for a position.")
    try:
        return _Reader(text).state
    except (NotationError, BadMap, BadTable, BadOptions) as error:
        raise BadPosition(error.why, rule=error.rule) from None
    except msgspec.MsgspecError:
        raise BadPosition("Write a table as a text in quotation marks.") from None


class _Reader:
    """First the clauses that set the match up, then those of the boards, then what is left to be filled in."""

    def __init__(self, text: str) -> None:
        parts = [part.strip() for part in re.split(r"[;\n]", text) if part.strip()]
        self.match: list[list[str]] = []
        self.boards: list[tuple[int | None, list[str]]] = []
        for part in parts:
            self._sort(part)
        facts = {words[0]: words[1:] for words in self.match}
        self.table = self._table(facts.get("table", ["2025-07"]))
        self.names = {unit.letter: i for i, unit in enumerate(self.table.units)}
        count = max([1, *(at + 1 for at, _ in self.boards if at is not None)])
        count = self._count(facts["boards"], MAX_BOARDS) if "boards" in facts else count
        if not 1 <= count <= MAX_BOARDS or any(at is not None and at >= count for at, _ in self.boards):
            raise BadPosition(f"A position must have 1 to {MAX_BOARDS} boards.", rule="2.2")
        line = chosen_line(" ".join(facts.get("line", ["sorted"])), self.table, None, 0)
        self.state = bare_state(self.table, [maps.OPEN] * count, line)
        self.placed_on: set[int] = set()
        self.chosen_on: set[int] = set()
        self._set_match(facts)
        self._set_boards()
        validate(self.state)

    def _sort(self, part: str) -> None:
        found = re.match(r"b([0-9]{1,2}):\s*(.*)$", part, re.ASCII | re.DOTALL)
        words = (found[2] if found else part).split()
        if not words:
            raise BadPosition(f"{part[:60]!r} is not a clause of a position.")
        if found is None and words[0] in _OF_MATCH:
            if words[0] == "table":
                words = ["table", part.partition(" ")[2].strip()]
            self.match.append(words)
            return
        at = int(found[1]) - 1 if found else None
        if at is not None and not 0 <= at < MAX_BOARDS:
            raise BadPosition(f"{part[:60]!r}: boards are 1 to {MAX_BOARDS}.", rule="2.2")
        self.boards.append((at, words))

    @staticmethod
    def _table(words: list[str]) -> UnitTable:
        text = words[0] if words else ""
        return table_called(msgspec.json.decode(text, type=str) if text.startswith('"') else text)

    @staticmethod
    def _count(words: list[str], most: int) -> int:
        if len(words) != 1 or not re.fullmatch(r"[0-9]{1,10}", words[0], re.ASCII) or int(words[0]) > most:
            raise unlawful(f"{' '.join(words)[:40]!r} is not a number up to {most}.")
        return int(words[0])

    # ---- the match

    def _set_match(self, facts: dict[str, list[str]]) -> None:
        state = self.state
        default = Options()
        state.to_win = self._count(facts["to-win"], 99) if "to-win" in facts else points_to_win(state.boards)
        state.turns = self._count(facts["turns"], 10_000) if "turns" in facts else default.turns
        usual = SPELL_PRICES["classic"]
        state.spell_price = self._count(facts["spell_price"], 999) if "spell_price" in facts else usual
        if "switches" in facts:
            state.switches = switches_of(Options(rules="umi-2025", switches=" ".join(facts["switches"])))
        state.start_money = self._count(facts["start-money"], 9999) if "start-money" in facts else 6 * state.boards
        state.turn = 5
        if "start" in facts:
            state.turn, state.money[BLUE] = 1, 6 * state.boards
        for words in self.match:
            try:
                self._match_clause(words)
            except (ValueError, IndexError):
                raise BadPosition(f"{' '.join(words)[:60]!r} is not a clause of a position.") from None

    def _match_clause(self, words: list[str]) -> None:
        state = self.state
        match words:
            case ["turn", number, side]:
                state.turn, state.side = self._count([number], 10_000), SIDES.index(side)
            case [("money" | "points"), both]:
                yellow, blue = both.split("/")
                array, most = (state.money, 1_999_999_999) if words[0] == "money" else (state.points, 999)
                array[YELLOW], array[BLUE] = self._count([yellow], most), self._count([blue], most)
            case ["used", side, *names]:
                self._use(SIDES.index(side), names)
            case ["spells", side, *numbers] if len(numbers) <= state.cards:
                for card, number in enumerate(numbers):
                    state.spells[SIDES.index(side) * MAX_CARDS + card] = self._count([number], 2)
            case ["placed", number]:
                state.placed = self._count([number], 2 * MAX_CARDS)
            case ["teched", *places]:
                for place in places:
                    if not self._count([place], state.cards) >= 1:
                        raise ValueError(place)
                    state.teched[int(place) - 1] = 1
            case ["yellow", team]:
                state.teams = ("first", "second").index(team) + 1
            case ["gave-up", side]:
                state.gave_up[SIDES.index(side)] = 1
            case ["ended", who, reason]:
                state.reason = REASONS.index(REASONS[self._count([reason], len(REASONS) - 1)])
                state.winner = NOBODY if who == "nobody" else SIDES.index(who)
            case [("boards" | "to-win" | "turns" | "spell_price" | "start-money" | "table" | "line" | "switches"), *_]:
                pass  # read before
            case ["start"]:
                for at in range(state.boards):
                    set_up(state, at)
            case _:
                raise ValueError(words)

    def _use(self, side: int, names: list[str]) -> None:
        """10.9 A list of all means an empty one."""
        pool = [name.lower().replace(" ", "_") for name in self.table.pool]
        for name in names:
            if name.lower() not in pool:
                raise BadPosition(f"There is no advanced necromancer called {name[:20]!r}.", rule="3.4")
            self.state.used[side] |= 1 << pool.index(name.lower())
        if self.state.used[side] == (1 << len(pool)) - 1:
            self.state.used[side] = 0

    # ---- the boards

    def _set_boards(self) -> None:
        state = self.state
        started = any(words == ["start"] for words in self.match)
        for at in range(state.boards):
            state.board[at].state = TURN1 if started else NORMAL
        for named, words in sorted(self.boards, key=lambda clause: clause[1][0] not in ("map", "state")):
            everywhere = named is None and words[0] in ("map", "ring")
            for board in range(state.boards) if everywhere else [0 if named is None else named]:
                try:
                    self._board_clause(board, words)
                except (ValueError, IndexError, KeyError):
                    raise BadPosition(f"{' '.join(words)[:60]!r} is not a clause of a position.") from None
        for board in range(state.boards):
            self._fill(board, started)

    def _fill(self, at: int, started: bool) -> None:
        """What was not said: necromancers on their start hexes, rings after a reset; whether a choice is due."""
        state, board = self.state, self.state.board[at]
        if at not in self.placed_on and not started:
            if board.state in (RESET0, RESET1):
                for side in range(2):
                    lay_ring(state, at, side)
            if board.state not in (RESET0, RESET1) or state.switches & RESETS:
                for side in range(2):
                    put(board, start_hex(side), side, state.first)
        if board.state in (RESET1, RESET2) and not state.reason:  # after the end the clause `due` says it
            own = [board.hex[hex].piece for hex in occupied(board) if is_of(board.hex[hex].piece, state.side)]
            board.due = all(type_of(piece) < state.types - state.necromancers for piece in own)
            board.due = at not in self.chosen_on if state.switches & RESETS else board.due

    def _board_clause(self, at: int, words: list[str]) -> None:
        state, board = self.state, self.state.board[at]
        match words:
            case ["map", *name]:
                text = " ".join(name)
                lay(board, maps.read_rows(text) if "/" in text else maps.load(text))
            case ["state", name]:
                board.state = STATES.index(name)
            case [("closed" | "killed" | "resigned" | "due")]:
                setattr(board, words[0], 1)
            case ["chosen"]:
                self.chosen_on.add(at)
            case ["ring"]:
                self.placed_on.add(at)
                for side in range(2):
                    for hex in maps.RINGS[side]:
                        self._put(at, hex, side, state.ring)
            case ["zone", yellow, blue]:
                self._zone(board, YELLOW, yellow)
                self._zone(board, BLUE, blue)
            case ["units", "none"]:
                self.placed_on.add(at)
            case _:
                self.placed_on.add(at)
                for word in words[1:] if words[0] == "units" else words:
                    self._unit(at, word)

    def _put(self, at: int, hex: int, side: int, kind: int) -> None:
        if self.state.board[at].hex[hex].piece:
            raise unlawful(f"Two units stand on {hex_name(hex)}.")
        put(self.state.board[at], hex, side, kind)

    def _unit(self, at: int, word: str) -> None:
        name, *marks = word.split("*")
        found = re.fullmatch(r"(?:([A-Za-z])|([A-Za-z0-9'_-]+)@)([a-j][0-9])", name, re.ASCII)
        if found is None:
            raise ValueError(word)
        first = (found[1] or found[2])[0]
        side = YELLOW if first.isupper() else BLUE
        kind = self._kind(found[1].upper()) if found[1] else self._necromancer(found[2])
        hex = hex_of(found[3])
        self._put(at, hex, side, kind)
        there = self.state.board[at].hex[hex]
        for mark in marks:
            if mark == "moved":
                there.marks |= MOVED
            elif mark == "fresh":
                there.marks |= FRESH
            elif mark.startswith("used"):
                there.used = self._count([mark[4:]], 99)
            else:
                there.damage = self._count([mark], 99)

    def _kind(self, letter: str) -> int:
        if letter == "N":
            return self.state.first
        if letter not in self.names:
            raise BadPosition(f"There is no unit with the letter {letter}.", rule="3.1")
        return self.names[letter]

    def _necromancer(self, name: str) -> int:
        names = [unit.name.lower().replace(" ", "_") for unit in self.table.necromancers]
        if name.lower() not in names:
            raise BadPosition(f"There is no necromancer called {name[:20]!r}.", rule="3.4")
        return len(self.table.units) + names.index(name.lower())

    def _zone(self, board: Board, side: int, text: str) -> None:
        for kind in range(MAX_TYPES):
            board.zone[side * MAX_TYPES + kind] = 0
        if text == "-":
            return
        if (text != text.upper() if side == YELLOW else text != text.lower()) or not re.fullmatch(
            r"([A-Za-z][0-9]{0,6})+", text, re.ASCII
        ):
            raise ValueError(text)
        for letter, number in re.findall(r"([A-Za-z])([0-9]*)", text):
            if letter.upper() == "N":
                raise unlawful("A necromancer can't be in a zone.")
            count = self._count([number], MAX_ZONE) if number else 1
            to_zone(board, side, self._kind(letter.upper()), count)
