"""What the words of the case files mean for Minions. `run` raises AssertionError where a case fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from casefile import Case
from expectations.minions_tables import changed_table
from polemos.games.minions import maps
from polemos.games.minions.game import GAME
from polemos.games.minions.lawful import options_in
from polemos.games.minions.line import laid, shuffled
from polemos.games.minions.maps import distance, hex_name, hex_of, neighbours
from polemos.games.minions.notation import Spells, read_order, write_order
from polemos.games.minions.orders import record_of
from polemos.games.minions.positions import unit_text, zone_text
from polemos.games.minions.progress import LINE, ROLES, Dropped, Turn
from polemos.games.minions.rules import events
from polemos.games.minions.rules import turn as rules
from polemos.games.minions.setup import line_in, points_to_win, table_in
from polemos.games.minions.state import HEXES, MAX_CARDS, SIDES, STATES, State, Work
from polemos.games.minions.tables import load, write_table
from polemos.kernel.chronicle import Event
from polemos.kernel.errors import OrderError, PolemosError
from polemos.kernel.log import Log
from polemos.kernel.outcome import Outcome
from polemos.kernel.positions import load_position, position_of

TESTED_ELSEWHERE: tuple[str, ...] = ()

KEYWORDS = {"rules", "options", "table", "keys", "shuffle", "position", "orders", "expect"}


class Play:
    """A case being played: the turn in progress, and what was remembered on the way."""

    def __init__(self, state: State, options: dict[str, Any], key: int, refusals: int) -> None:
        self.turn = Turn(state)
        self.options, self.key = options, key
        self.turn.most_refused = refusals
        self.refusals = refusals
        self.marks: dict[str, str] = {}
        self.events: list[Event] = []
        self.dropped: list[Dropped] = []

    @property
    def state(self) -> State:
        return self.turn.state

    @property
    def outcome(self) -> Outcome | None:
        return GAME.outcome(self.state)

    @property
    def text(self) -> str:
        return GAME.write_position(self.state)

    def end(self) -> None:
        log = Log(limit=GAME.facts.max_events)
        after = self.turn.end(log)
        assert not log.lost
        self.events = [*self.events, *GAME.chronicle.read(after, log.written())]
        self._begin(after)

    def give_up(self, sides: list[str]) -> None:
        log = Log(limit=GAME.facts.max_events)
        after = self.turn.start.copy()
        for side in sides:
            GAME.forfeit(after, side, log)
        self._resolve(after, {}, log)

    def hand_in(self, lines: list[str]) -> None:
        """A whole turn as one sheet; its void lines are left out."""
        after = self.turn.start.copy()
        sheet = GAME.check(after, self.turn.side, lines)
        self._resolve(after, {self.turn.side: sheet}, Log(limit=GAME.facts.max_events))

    def _resolve(self, after: State, sheets: dict[str, Any], log: Log) -> None:
        GAME.resolve(after, sheets, None, log)  # type: ignore[arg-type]
        self.events = [*self.events, *GAME.chronicle.read(after, log.written())]
        self._begin(after)

    def _begin(self, state: State) -> None:
        self.turn = Turn(state)
        self.turn.most_refused = self.refusals


# ---- setting up


def run(case: Case) -> Play | None:
    """Plays a case and checks what it expects."""
    unknown = {word for part in case.parts for word in part.lines} - KEYWORDS
    assert not unknown, f"{case.where}: unknown words {unknown}"
    first = case.parts[0]
    wanted = [line for part in case.parts for line in part.get("expect")]
    try:
        if first.get("shuffle"):
            _check_shuffle(first.get("shuffle")[0], wanted, _keys(case))
            return None
        if refused := [line.split()[1] for line in wanted if line.startswith("refused")]:
            _check_refusal(case, refused[0])
            return None
        if first.get("keys"):
            _check_keys(case, wanted)
            return None
        play = _begin(case, _options(case)[1])
        for part in case.parts:
            play.events = []
            for line in part.get("orders"):
                _give(play, line)
            for line in part.get("expect"):
                _expect(line, play)
        return play
    except AssertionError as error:
        raise AssertionError(f"{case.id} ({case.where}): {error}") from None


def _keys(case: Case) -> range:
    return range(1, int((case.parts[0].get("keys") or ["20"])[0]) + 1)


def _options(case: Case) -> tuple[dict[str, Any], int, int]:
    """The options, the key, and how many refusals end a turn."""
    options: dict[str, Any] = {}
    for line in case.parts[0].get("options"):
        for clause in filter(None, (clause.strip() for clause in line.split(";"))):
            name, _, value = clause.partition(" ")
            options[name] = int(value) if re.fullmatch(r"-?[0-9]{1,12}", value) else value.strip()
    key, refusals = options.pop("key", 1), options.pop("refusals", 1000)
    return options, key, refusals


def _begin(case: Case, key: int) -> Play:
    options, _, refusals = _options(case)
    first = case.parts[0]
    table = changed_table(load("2025-07"), first.get("table")) if first.get("table") else None
    if "position" not in first.lines:
        if table is not None:
            options["units"] = write_table(table)
        state = GAME.setup(options, key)
        assert GAME.setup(GAME.options_of(state), key + 1) == state, "the options do not make the same game"
        return Play(state, options, key, refusals)
    return Play(GAME.read_position(_position(first.get("position"), options, table)), options, key, refusals)


def _position(lines: list[str], options: dict[str, Any], table: Any) -> str:
    import msgspec

    clauses = [clause.strip() for line in lines for clause in line.split(";") if clause.strip()]
    renamed = {"points": "to-win", "money": "start-money"}
    clauses += [f"{renamed.get(name, name)} {value}" for name, value in options.items() if name not in ("line", "maps")]
    if table is not None:
        clauses.append("table " + msgspec.json.encode(write_table(table)).decode().replace(";", "\\u003b"))
    return "\n".join(clauses)


def _check_refusal(case: Case, rules: str) -> None:
    try:
        _begin(case, _options(case)[1])
    except PolemosError as error:
        # Values out of bounds are refused by the reading of options, which cites nothing.
        found = error.rule or "16.1"
        assert found in rules.split("|") or (error.rule is None and "16.2" in rules), f"refused by {found}: {error}"
    else:
        raise AssertionError(f"accepted, expected a refusal by {rules}")


def _check_keys(case: Case, wanted: list[str]) -> None:
    plays = [_begin(case, key) for key in _keys(case)]
    for line in wanted:
        if line.startswith("some "):
            assert any(_holds(line[5:], play) for play in plays), f"expect {line}: never"
        else:
            for play in plays:
                _expect(line, play)


def _holds(line: str, play: Play) -> bool:
    try:
        _expect(line, play)
    except AssertionError:
        return False
    return True


def _check_shuffle(text: str, wanted: list[str], keys: range) -> None:
    numbers, _, packs = text.partition(" packs ")
    cards, fixed = map(int, numbers.split())
    names = [str(number + 1) for number in range(cards)]
    if packs:
        first, second = (pack.split() for pack in packs.split("/"))
        lines = [(*names[:fixed], *laid(first, second))]
    else:
        lines = [shuffled(names, fixed, key) for key in keys]
    for line in wanted:
        some, line = line.startswith("some "), line.removeprefix("some ")
        word, _, rest = line.partition(" ")
        good = [list(found) == rest.split() if word == "cards" else _is_shuffled(found, fixed) for found in lines]
        assert any(good) if some else all(good), f"expect {line}: {lines[:3]}"


def _is_shuffled(line: tuple[str, ...], fixed: int) -> bool:
    """15.10 First cards in place, every card once, two ascending packs laid down in turn."""
    numbers = [int(card) for card in line]
    rest = numbers[fixed:]
    half = len(rest) // 2
    first, second = rest[: 2 * half : 2], rest[1 : 2 * half : 2] + rest[2 * half :]
    return (
        numbers[:fixed] == list(range(1, fixed + 1))
        and sorted(numbers) == list(range(1, len(numbers) + 1))
        and first == sorted(first)
        and second == sorted(second)
    )


# ---- orders


def _give(play: Play, line: str) -> None:
    if line.startswith("?"):
        _expect(line[1:].strip(), play)
        return
    order, _, rules = line.partition(" ! ")
    order = order.rstrip().removesuffix("!").strip() if not rules else order.strip()
    if found := re.match(r"repeat (\d+) (.*)$", order):
        for _ in range(int(found[1])):
            _give(play, f"{found[2]} ! {rules}" if rules else found[2])
        return
    before, refused = play.text, play.turn.refused
    try:
        _do(play, order)
    except OrderError as error:
        assert rules, f"{line!r} was refused: {error}"
        assert error.rule in rules.strip().split("|"), f"{line!r} was refused by {error.rule}: {error}"
        assert play.text == before, f"{line!r} was refused and changed the position"
    else:
        assert not rules, f"{line!r} was accepted"
    assert play.turn.refused >= refused or play.outcome is not None or play.turn.refused == 0
    if play.turn.refused >= play.refusals and play.outcome is None:
        play.end()  # 13.5
    if play.outcome is None:
        assert GAME.read_position(play.text) == play.state, f"after {line!r} the text does not hold the position"
        assert load_position(GAME, position_of(GAME, play.state)) == play.state, f"after {line!r} the view is not exact"


def _do(play: Play, order: str) -> None:
    side, roles = play.turn.side, set(ROLES)
    if found := re.match(r"\[(yellow|blue)((?: general| captain| [1-8])*)\]\s*(.*)$", order):
        side, order = found[1], found[3]
        if found[2]:
            named = found[2].split()
            roles = {"general"} & set(named) | {f"captain {word}" for word in named if word.isdigit()}
    match order.split():
        case ["undo", which]:
            play.turn.undo(_list(which), side, roles)
        case ["redo", which]:
            play.turn.redo(_list(which), side, roles)
        case ["back", "all"]:
            play.turn.take_all_back(side, roles)
        case ["back", which, number]:
            play.dropped = play.turn.take_back(_list(which), int(number), side, roles)
        case ["end"] | ["timeout"]:
            if order == "end":
                play.turn.give("end", side, roles)
            play.end()
        case ["pass", number]:
            for _ in range(int(number)):
                play.end()
        case ["giveup", *sides]:
            play.give_up(sides)
        case ["sheet", *_]:
            play.hand_in([line.strip() for line in order.removeprefix("sheet").split(";")])
        case ["mark", name]:
            play.marks[name] = play.text
        case _:
            play.turn.give(order[1:-1] if order.startswith('"') else order, side, roles)


def _list(word: str) -> int:
    return LINE if word == "line" else int(word.removeprefix("b"))


# ---- expectations, one function per word


def _expect(line: str, play: Play) -> None:
    found = re.match(r"b(\d):\s*(.*)$", line)
    at, rest = (int(found[1]) - 1, found[2]) if found else (0, line)
    if sees := re.match(r"(yellow|blue|spectator) sees (.*)$", rest):
        seen = GAME.imagine(GAME.setting(play.turn.start), GAME.observe(play.turn.start, sees[1]), 0)
        own = sees[1] == play.turn.side
        other = Play(play.state if own else seen, play.options, play.key, play.refusals)
        other.events = play.events
        _expect(sees[2] if not found else f"b{found[1]}: {sees[2]}", other)
        return
    word, _, rest = rest.partition(" ")
    if word == "no":
        word, _, rest = rest.partition(" ")
        word = f"no {word}"
    assert word in WORDS, f"unknown expectation {line!r}"
    try:
        WORDS[word](rest.strip(), play, at)
    except AssertionError as error:
        raise AssertionError(f"expect {line}: {error}") from None


def _texts(play: Play, at: int) -> dict[str, str]:
    """Hex to the unit on it, as in the notation."""
    board, table = play.state.board[at], table_in(play.state)
    found = {hex_name(hex): unit_text(play.state, board, hex, table) for hex in range(HEXES) if board.hex[hex].piece}
    if table.first != "Basic":  # the letter stands for another one
        found = {hex: re.sub(r"^N(?=[a-j][0-9])", f"{table.first}@", unit) for hex, unit in found.items()}
        found = {hex: re.sub(r"^n(?=[a-j][0-9])", f"{table.first.lower()}@", unit) for hex, unit in found.items()}
    return found


def _same_unit(wanted: str, found: str) -> bool:
    """Name, hex and damage exact; moved, used and fresh only where written."""
    (name, *asked), (other, *has) = wanted.split("*"), found.split("*")
    damage = [mark for mark in asked if mark.isdigit()]
    return (
        name.lower() == other.lower()
        and name[0].isupper() == other[0].isupper()
        and damage == [mark for mark in has if mark.isdigit()]
        and set(asked) - {"used0"} <= set(has)
        and not ("used0" in asked and any(mark.startswith("used") for mark in has))
    )


def _units(text: str, play: Play, at: int) -> None:
    wanted = [] if text == "none" else text.split()
    found = _texts(play, at)
    by_hex = {re.search(r"([a-j][0-9])(\*.*)?$", unit)[1]: unit for unit in wanted}  # type: ignore[index]
    assert by_hex.keys() == found.keys(), f"found {list(found.values())}"
    assert all(_same_unit(unit, found[hex]) for hex, unit in by_hex.items()), f"found {list(found.values())}"


def _at(text: str, play: Play, at: int) -> None:
    hex, unit = text.split()
    found = _texts(play, at).get(hex)
    if unit == "none":
        assert found is None, f"found {found}"
        return
    name, *marks = unit.split("*")
    full = (f"{name}@{hex}" if len(name) > 1 else name + hex) + "".join(f"*{mark}" for mark in marks)
    assert found is not None, "nothing is there"
    assert _same_unit(full, found), f"found {found}"


def _ring(text: str, play: Play, at: int) -> None:
    letter = chr(play.state.type[play.state.ring].letter)
    wanted = {hex_name(hex): letter if side == 0 else letter.lower() for side in range(2) for hex in maps.RINGS[side]}
    assert _texts(play, at) == {hex: name + hex for hex, name in wanted.items()}, f"found {_texts(play, at)}"


def _zone(text: str, play: Play, at: int) -> None:
    board, table = play.state.board[at], table_in(play.state)
    found = [zone_text(play.state, board, side, table) for side in range(2)]

    def parts(zone: str) -> list[str]:
        return sorted(re.findall(r"[A-Za-z]\d*|-", zone.upper()))

    wanted = text.split()
    assert [parts(zone) for zone in wanted] == [parts(zone) for zone in found], f"found {found}"


def _pair(values: Callable[[State], Any]) -> Callable[[str, Play, int], None]:
    def check(text: str, play: Play, at: int) -> None:
        found = f"{values(play.state)[0]}/{values(play.state)[1]}"
        assert text == found, f"found {found}"

    return check


def _state(text: str, play: Play, at: int) -> None:
    assert text == STATES[play.state.board[at].state], f"found {STATES[play.state.board[at].state]}"


def _turn(text: str, play: Play, at: int) -> None:
    found = f"{play.state.turn} {SIDES[play.state.side]}"
    assert text == found, f"found {found}"


def _used(text: str, play: Play, at: int) -> None:
    side, *names = text.split()
    found = GAME.observe(play.state, "umpire").used[side]
    assert sorted(found) == sorted([] if names == ["none"] else names), f"found {found}"


def _spells(text: str, play: Play, at: int) -> None:
    side, *numbers = text.split()
    wanted = [] if numbers == ["none"] else [int(number) for number in numbers]
    cards = play.state.cards
    found = [play.state.spells[SIDES.index(side) * MAX_CARDS + card] for card in range(cards)]
    assert wanted + [0] * (cards - len(wanted)) == found, f"found {found}"


def _line(text: str, play: Play, at: int) -> None:
    letters = {unit.name: unit.letter for unit in table_in(play.state).units}
    found = [letters[name] for name in line_in(play.state)]
    assert text.split() == found[: len(text.split())], f"found {found}"


def _income(text: str, play: Play, at: int) -> None:
    found = [event.number for event in GAME.chronicle.those(events.income, play.events)][-play.state.boards :]
    assert [int(number) for number in text.split()] == found, f"found {found}"


def _running(text: str, play: Play, at: int) -> None:
    assert play.outcome is None, f"{play.outcome}"


def _winner(text: str, play: Play, at: int) -> None:
    assert play.outcome is not None, "the game goes on"
    name, _, rules = text.partition(" by ")
    assert play.outcome.winner == name, f"{play.outcome}"
    assert not rules or play.outcome.rule in rules.split("|"), f"{play.outcome}"


def _draw(text: str, play: Play, at: int) -> None:
    assert play.outcome is not None, "the game goes on"
    assert play.outcome.winner is None, f"{play.outcome}"
    assert not text or play.outcome.rule in text.removeprefix("by ").split("|"), f"{play.outcome}"


def _sentences(text: str, play: Play) -> tuple[list[str], list[str]]:
    rule, _, wanted = text.partition(" ")
    found = [GAME.chronicle.words(event) for event in _happened(play) if event.rule == rule]
    return found, [sentence for sentence in found if wanted.strip().lower() in sentence.lower()]


def _happened(play: Play) -> list[Event]:
    """What happened since the part began. The orders of the turn in progress have happened too."""
    log, work = Log(limit=GAME.facts.max_events), Work()
    after = play.turn.start.copy()
    for line, order in enumerate(play.turn.given, 1):
        rules.apply(after, record_of(after, order, line), log, work)
    return [*play.events, *GAME.chronicle.read(after, log.written())]


def _told(text: str, play: Play, at: int) -> None:
    """`told moved; line 2; hex c1; to c0; tick 1`: one event of this kind has these fields."""
    kind, *fields = (clause.strip() for clause in text.split(";"))
    wanted = dict(clause.split(" ", 1) for clause in fields)
    found = [event for event in _happened(play) if event.kind == kind]
    fit = [event for event in found if all(str(getattr(event, name)) == value for name, value in wanted.items())]
    assert len(fit) == 1, f"found {found}"


def _event(text: str, play: Play, at: int) -> None:
    found, matching = _sentences(text, play)
    assert matching, f"found {found}"


def _no_event(text: str, play: Play, at: int) -> None:
    assert not _sentences(text, play)[1], f"found {_sentences(text, play)[1]}"


def _offers(play: Play, at: int) -> Iterator[dict[str, Any]]:
    for option in options_in(play.state):
        if option.order.get("board", at + 1) == at + 1:
            yield option.order


def _listed(kind: str, what: Callable[[dict[str, Any]], Any]) -> Callable[[str, Play, int], None]:
    """`moves d4: c4 e4`: all that is offered to this unit or of this type."""

    def check(text: str, play: Play, at: int) -> None:
        subject, _, rest = text.partition(":")
        wanted = [] if rest.strip() == "none" else rest.split()
        offered = [{**order, "subject": subject.strip()} for order in _offers(play, at) if order["order"] == kind]
        found = [value for order in offered if (value := what(order)) is not None]
        assert sorted(found) == sorted(wanted), f"found {sorted(found)}"

    return check


def _of_unit(order: dict[str, Any]) -> str | None:
    return order["target"] if order["start"] == order["subject"] else None


def _of_type(order: dict[str, Any]) -> str | None:
    return order["target"] if order["unit"] == order["subject"] else None


def _swapped(order: dict[str, Any]) -> str | None:
    one, other = order["moves"][0].split("-")
    return {one: other, other: one}.get(order["subject"])


def _named(kind: str, field: str) -> Callable[[str, Play, int], None]:
    def check(text: str, play: Play, at: int) -> None:
        found = sorted({order[field] for order in _offers(play, at) if order["order"] == kind})
        assert found == sorted([] if text == "none" else text.split()), f"found {found}"

    return check


def _is_offered(text: str, play: Play, at: int) -> bool:
    wanted = read_order(text)
    if not isinstance(wanted, Spells) and getattr(wanted, "board", 1) is None:
        wanted = replace(wanted, board=at + 1)
    return write_order(wanted) in [option.text for option in options_in(play.state)]


def _offered(text: str, play: Play, at: int) -> None:
    assert _is_offered(text, play, at), "it is not offered"


def _not_offered(text: str, play: Play, at: int) -> None:
    assert not _is_offered(text, play, at), "it is offered"


def _dropped(text: str, play: Play, at: int) -> None:
    wanted = [] if text == "none" else [clause.strip() for clause in text.split(";")]
    found = [f"{write_order(replace(d.order, board=None) if hasattr(d.order, 'board') else d.order)} by {d.rule}"
             for d in play.dropped]  # fmt: skip
    plain = [re.sub(r"^b?\d:? ", "", clause) for clause in wanted]
    assert plain == found, f"found {found}"


def _count_listed(text: str, play: Play, at: int) -> None:
    which, number = text.split()
    assert len(play.turn.listed(_list(which))) == int(number), f"found {play.turn.listed(_list(which))}"


def _same(text: str, play: Play, at: int) -> None:
    assert play.text == play.marks[text], f"now {play.text}\nthen {play.marks[text]}"


def _differs(text: str, play: Play, at: int) -> None:
    assert play.text != play.marks[text]


def _role(text: str, play: Play, at: int) -> None:
    role, _, order = text.partition(" of ")
    assert GAME.role(read_order(order)) == role, f"found {GAME.role(read_order(order))}"


def _neighbours(text: str, play: Play, at: int) -> None:
    hex, _, rest = text.partition(":")
    found = sorted(map(hex_name, neighbours(hex_of(hex))))
    assert found == sorted(rest.split()), f"found {found}"


def _distance(text: str, play: Play, at: int) -> None:
    a, b, number = text.split()
    assert distance(hex_of(a), hex_of(b)) == int(number), f"found {distance(hex_of(a), hex_of(b))}"


def _row(necromancer: bool) -> Callable[[str, Play, int], None]:
    def check(text: str, play: Play, at: int) -> None:
        name, *rest = text.split()
        table = table_in(play.state)
        rows = table.necromancers if necromancer else table.units
        row = next(row for row in rows if row.name == name)
        attack = [row.attack] if row.attack == "deathtouch" else [row.attack, str(row.number)]
        figures = [*attack, str(row.defence), str(row.speed), str(row.range)]
        keywords = set(row.keywords)
        if necromancer:
            keywords -= {"Necromancer", "Spawn", "Persistent"}
        else:
            figures = [row.letter, *figures, str(row.cost), str(row.rebate)]
        count = len(figures)
        assert (rest[:count], set(rest[count:])) == (figures, keywords), f"found {row}"

    return check


def _w(text: str, play: Play, at: int) -> None:
    assert [points_to_win(n + 1) for n in range(len(text.split()))] == [int(number) for number in text.split()]


def _to_win(text: str, play: Play, at: int) -> None:
    assert play.state.to_win == int(text), f"found {play.state.to_win}"


def _sides(text: str, play: Play, at: int) -> None:
    words_ = text.split()
    found = GAME.setting(play.state).sides
    assert found == dict(zip(words_[::2], words_[1::2], strict=True)), f"found {found}"


def _is_line_shuffled(text: str, play: Play, at: int) -> None:
    deck = list(table_in(play.state).cards)
    line = tuple(str(deck.index(name) + 1) for name in line_in(play.state))
    assert _is_shuffled(line, int(text)), f"found {line}"


def _maps(text: str, play: Play, at: int) -> None:
    grounds = [maps.read_rows(rows) for rows in GAME.setting(play.state).maps]
    if text == "lawful":
        assert not [flaw for ground in grounds for flaw in maps.flaws(ground)]
    elif text == "no ring graves":
        kept = [*maps.START, *maps.RINGS[0], *maps.RINGS[1]]
        assert not [hex for ground in grounds for hex in kept if ground[hex] == 1]
    elif text == "differ":
        assert grounds[0] != grounds[1]
    else:
        found = [maps.name_of(ground) for ground in grounds]
        assert found == [name.strip() for name in text.split(",")], f"found {found}"


def _repeatable(text: str, play: Play, at: int) -> None:
    assert GAME.setup(play.options, play.key) == play.state


def _lawful(text: str, play: Play, at: int) -> None:
    """The position, options or table were accepted, or the case would not be here."""


WORDS: dict[str, Callable[[str, Play, int], None]] = {
    "units": _units,
    "at": _at,
    "ring": _ring,
    "zone": _zone,
    "money": _pair(lambda state: state.money),
    "points": _pair(lambda state: state.points),
    "state": _state,
    "turn": _turn,
    "used": _used,
    "spells": _spells,
    "line": _line,
    "income": _income,
    "running": _running,
    "winner": _winner,
    "draw": _draw,
    "event": _event,
    "told": _told,
    "no event": _no_event,
    "moves": _listed("move", _of_unit),
    "swaps": _listed("tick", _swapped),
    "targets": _listed("attack", _of_unit),
    "spawns": _listed("spawn", _of_type),
    "buys": _named("buy", "unit"),
    "choices": _named("choose", "necromancer"),
    "keeps": _named("choose", "keep"),
    "offers": _offered,
    "no offers": _not_offered,
    "dropped": _dropped,
    "listed": _count_listed,
    "same": _same,
    "differs": _differs,
    "role": _role,
    "lawful": _lawful,
    "neighbours": _neighbours,
    "distance": _distance,
    "unit": _row(False),
    "necromancer": _row(True),
    "w": _w,
    "to-win": _to_win,
    "sides": _sides,
    "shuffled": _is_line_shuffled,
    "maps": _maps,
    "repeatable": _repeatable,
}
