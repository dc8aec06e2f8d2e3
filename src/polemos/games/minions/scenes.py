"""A turn as a show: the techline, each board, the end; every order is a beat.

Boards do not touch each other, so each is shown as a whole. What kinds of events do to the board stands beside them;
here is what follows from the view before: zones that a choice empties, boards that are reset.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from polemos.games.minions.maps import RINGS, hex_name
from polemos.games.minions.rules import events as kinds
from polemos.games.minions.rules.events import CHRONICLE
from polemos.games.minions.state import SIDES, START
from polemos.games.minions.view import Setting, View
from polemos.kernel.chronicle import Event
from polemos.kernel.scenes import Beat, Op, Stage, runs

LONGEST: Final = 1200  # milliseconds of a stage
A_MOVE: Final = 160
AN_ATTACK: Final = 320
A_TICK: Final = 240
OTHERWISE: Final = 200
AT_THE_END: Final = 320

Told = tuple[int, Any]  # an event, and its number among those told


def stages(setting: Setting, before: View, events: Sequence[Event]) -> tuple[Stage, ...]:
    """The stages of a turn, in the sequence of their first orders."""
    table = _Table(setting, before)
    beats: dict[str, list[Beat]] = {}
    spans: dict[str, int] = {}
    for line, run in groupby(enumerate(events), lambda told: told[1].line):
        of = list(run)
        name = _name(setting, of[0][1])
        if line:
            found, ms = [table.beat(of, before.side, line)], _span([event for _, event in of])
        else:
            found = table.end(of)
            ms = AT_THE_END * len(found)
        beats.setdefault(name, []).extend(found)
        spans[name] = spans.get(name, 0) + ms
    return tuple(Stage(name, min(LONGEST, spans[name]), tuple(_joined(of))) for name, of in beats.items())


def _joined(beats: Iterable[Beat]) -> Iterator[Beat]:
    """Orders that follow each other as one beat that stands for them all: it says the same in fewer words."""
    for (line, ops), run in groupby(beats, lambda beat: (bool(beat.line), beat.ops)):
        of = list(run)
        if line and not ops and len(of) > 1:
            yield Beat(runs(number for beat in of for number in _numbers(beat)), seat=of[0].seat, by_line=True)
        else:
            yield from of


def _numbers(beat: Beat) -> Iterator[int]:
    for first, many in beat.events:
        yield from range(first, first + many)


def _name(setting: Setting, event: Any) -> str:
    stage = CHRONICLE.stage_of(event)
    if setting.boards > 1 and stage in (kinds.ATTACK, kinds.SPAWN):
        return f"Board {event.board}"
    return CHRONICLE.stages[stage].name


def _span(events: Sequence[Event]) -> int:
    """How long an order takes to be shown."""
    moves = len(CHRONICLE.those(kinds.moved, events))
    if moves:
        return A_MOVE if moves == 1 else A_TICK
    return AN_ATTACK if any("by_unit" in CHRONICLE.of(event).fields for event in events) else OTHERWISE


class _Table:
    """What stands on the boards and waits in the zones, event by event."""

    def __init__(self, setting: Setting, before: View) -> None:
        self.setting = setting
        self.units = {  # by board and hex: side, type, whether it is a necromancer
            (board.number, unit.hex): (unit.side, unit.type, unit.letter == "N")
            for board in before.boards
            for unit in board.units
        }
        self.zones = {(board.number, side): Counter(board.zones[side]) for board in before.boards for side in SIDES}
        self.kept: str | None = None
        self.resets = "resets" in setting.switches  # 17.4

    def beat(self, of: Sequence[Told], seat: str = "", line: int = 0) -> Beat:
        """What one order brought, all at once."""
        leaving = {(event.board, event.hex): event.to for event in CHRONICLE.those(kinds.moved, _events(of))}
        going = [(board, to, self.units.pop((board, hex))) for (board, hex), to in leaving.items()]
        self.units.update({(board, to): unit for board, to, unit in going})
        ops = tuple(op for event in _events(of) for op in self._happen(event))
        return Beat(runs(number for number, _ in of), ops, seat=seat, line=line)

    def end(self, of: Sequence[Told]) -> list[Beat]:
        """11.1 Choices and income; then boards that are won or lost; last the rings of those."""
        over = [number for number, event in of if CHRONICLE.of(event) in _DECISIONS]
        first = min(over, default=of[-1][0] + 1)
        found = [self.beat(part) for part in (_before(of, first), _from(of, first)) if part]
        anew = [event.board for event in CHRONICLE.those(kinds.reset, _events(of))]
        return [*found, Beat(ops=tuple(op for board in anew for op in self._rings(board)))] if anew else found

    # ---- what one event changes, as far as its kind does not show it

    def _happen(self, event: Any) -> Iterable[Op]:
        kind = CHRONICLE.of(event)
        if kind in (CHRONICLE[kinds.destroyed], CHRONICLE[kinds.unsummoned], CHRONICLE[kinds.blinked]):
            del self.units[event.board, event.hex]
        if kind in (CHRONICLE[kinds.bought], CHRONICLE[kinds.unsummoned], CHRONICLE[kinds.blinked]):
            self.zones[event.board, event.side][event.unit] += 1
        elif kind is CHRONICLE[kinds.spawned]:
            self.zones[event.board, event.side][event.unit] -= 1
            self.units[event.board, event.hex] = (event.side, event.unit, False)
        elif kind is CHRONICLE[kinds.kept]:
            self.kept = event.unit
        elif kind is CHRONICLE[kinds.chosen]:
            yield from self._choose(event)
        elif kind is CHRONICLE[kinds.lost]:
            yield Op("count", f"points {SIDES[1 - SIDES.index(event.side)]}", number=1)
        elif kind is CHRONICLE[kinds.reset]:
            yield from self._clear(event.board)

    def _choose(self, event: Any) -> Iterable[Op]:
        """10.7, 10.10, 10.12 The necromancer appears; of the zone one unit stays, and the gift is added.

        17.4 It stands there already, and where no unit is named, all of the zone stays.
        """
        stays = Counter(filter(None, [self.kept]))
        if self.resets and self.kept is None:
            stays = self.zones[event.board, event.side]
        yield from self._fill(event.board, event.side, stays + Counter([self.setting.gift]))
        self.kept = None
        if self.resets:
            return
        type = event.unit.removesuffix(" necromancer")
        self.units[event.board, event.hex] = (event.side, type, True)
        place = _place(event.board, event.hex)
        yield Op("appear", f"unit {event.board}", place, set={"side": event.side, "type": type, "letter": "N"})

    def _clear(self, board: int) -> Iterable[Op]:
        """10.5 All units but necromancers go to their zones, and each side gets a gift, but not under 17.4."""
        gift = Counter([] if self.resets else [self.setting.gift])
        filled = {side: self.zones[board, side] + gift for side in SIDES}
        for at, hex in [place for place in self.units if place[0] == board]:
            side, type, is_necromancer = self.units.pop((at, hex))
            if not is_necromancer:
                filled[side][type] += 1
        for side in SIDES:
            yield from self._fill(board, side, filled[side])

    def _rings(self, board: int) -> Iterable[Op]:
        """10.5, 2.3; 17.4 with necromancers"""
        for side, start in zip(SIDES, START, strict=True) if self.resets else ():
            piece = {"side": side, "type": self.setting.first, "letter": "N"}
            yield Op("appear", f"unit {board}", _place(board, hex_name(start)), set=piece)
        for side, ring in zip(SIDES, RINGS, strict=True):
            for hex in ring:
                place = _place(board, hex_name(hex))
                yield Op("appear", f"unit {board}", place, set={"side": side, "type": self.setting.ring})

    def _fill(self, board: int, side: str, now: Counter[str]) -> Iterable[Op]:
        """From what waits in a zone to what does then."""
        before = self.zones[board, side]
        for type in sorted({*+before, *+now}):
            what, more = f"reserve {side} {type}", now[type] - before[type]
            if not now[type]:
                yield Op("vanish", what, str(board))
            elif more > 0:
                yield Op("appear", what, str(board), number=more, set={"side": side, "type": type})
            elif more:
                yield Op("count", what, str(board), number=more)
        self.zones[board, side] = now


_DECISIONS: Final = (CHRONICLE[kinds.won], CHRONICLE[kinds.lost])


def _events(of: Sequence[Told]) -> list[Event]:
    return [event for _, event in of]


def _before(of: Sequence[Told], first: int) -> list[Told]:
    return [(number, event) for number, event in of if number < first]


def _from(of: Sequence[Told], first: int) -> list[Told]:
    return [(number, event) for number, event in of if number >= first]


def _place(board: int, hex: str) -> str:
    return f"{board} {hex}"
