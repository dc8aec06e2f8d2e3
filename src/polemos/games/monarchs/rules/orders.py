"""3 Orders: each line is read against the position at the start of the turn; void lines harm no others."""

from __future__ import annotations

from polemos.games.monarchs.rules.events import BLESSED
from polemos.games.monarchs.rules.tables import border_between
from polemos.games.monarchs.state import (
    BLESS,
    GOOD,
    NATIONS,
    NO_NUMBER,
    NOT_NEXT,
    NOT_YOURS,
    SECOND_BLESSING,
    TOO_MANY,
    UNREADABLE,
    Line,
    Sheet,
    Sheets,
    State,
    Work,
)
from polemos.kernel.log import Log, emit
from polemos.kernel.rule import rule


@rule
def read_sheets(state: State, sheets: Sheets, log: Log, work: Work) -> None:
    """2.1 The first stage: all sheets are read; the regiments that march leave the ground of their hex."""
    work.groups = 0
    for nation in range(NATIONS):
        read_sheet(state, nation, sheets.of[nation], work)
        if work.blessed[nation] >= 0:
            emit(log, BLESSED, nation, -1, work.blessed[nation], -1, 0, 0)


@rule
def read_sheet(state: State, nation: int, sheet: Sheet, work: Work) -> None:
    """3.5 Lines are read from top to bottom; 3.10 a void line uses nothing."""
    work.blessed[nation] = -1
    for i in range(sheet.count):
        line = sheet.lines[i]
        if line.fault == UNREADABLE:
            continue
        if line.kind == BLESS:
            line.fault = bless(nation, line.target, work)
        else:
            line.fault = march(state, nation, line, work)


@rule
def bless(nation: int, hex: int, work: Work) -> int:
    """3.7 One blessing a sheet; the first counts."""
    if work.blessed[nation] >= 0:
        return SECOND_BLESSING
    work.blessed[nation] = hex
    return GOOD


@rule
def march(state: State, nation: int, line: Line, work: Work) -> int:
    """3.3 to 3.6 A march is void, or its regiments join the group at the border."""
    origin = line.origin
    number = line.number
    border = border_between(origin, line.target)
    if border < 0:
        return NOT_NEXT
    if number < 1:
        return NO_NUMBER
    left = state.regiments[origin]
    if number > left or state.owner[origin] != nation:
        return why_not_enough(state, nation, origin, work)
    state.regiments[origin] = left - number
    ordered = work.group[border]
    work.group[border] = ordered + number
    work.group_at[work.groups] = border
    work.groups += ordered == 0  # the same pair again adds up
    return GOOD


@rule
def why_not_enough(state: State, nation: int, origin: int, work: Work) -> int:
    """3.6 None of the nation's regiments stood there, or 3.5 fewer are left than the line asks for."""
    if state.owner[origin] != nation:
        return NOT_YOURS
    stood = state.regiments[origin]
    for direction in range(6):
        stood += work.group[origin * 6 + direction]
    return TOO_MANY if stood > 0 else NOT_YOURS
