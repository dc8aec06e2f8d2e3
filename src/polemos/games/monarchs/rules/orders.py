"""3 Orders: each line is read against the position at the start of the turn; void lines harm no others."""

from __future__ import annotations

from polemos.games.monarchs.rules import events
from polemos.games.monarchs.rules.tables import behind, border_between, direction_of
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
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def read_sheets(state: State, sheets: Sheets, log: Log, work: Work) -> None:
    """2.1 The first stage: all sheets are read; the regiments that march leave the ground of their hex."""
    work.groups = 0
    for nation in range(NATIONS):
        read_sheet(state, nation, sheets.of[nation], work)
        if work.blessed[nation] >= 0:
            events.blessed(log, work.blessing[nation], nation, work.blessed[nation])


@rule
def read_sheet(state: State, nation: int, sheet: Sheet, work: Work) -> None:
    """3.5 Lines are read from top to bottom; 3.10 a void line uses nothing."""
    work.blessed[nation] = -1
    for i in range(sheet.count):
        line = sheet.lines[i]
        if line.fault == UNREADABLE:
            continue
        if line.kind == BLESS:
            line.fault = bless(nation, line.target, i + 1, work)
        else:
            line.fault = march(state, nation, line, i + 1, work)


@rule
def bless(nation: int, hex: int, number: int, work: Work) -> int:
    """3.7 The blessing of a sheet, or why there is none."""
    fault = bless_fault(nation, work)
    if fault != GOOD:
        return fault
    work.blessed[nation] = hex
    work.blessing[nation] = number
    return GOOD


@rule
def bless_fault(nation: int, work: Work) -> int:
    """3.7 One blessing a sheet; the first counts."""
    return SECOND_BLESSING if work.blessed[nation] >= 0 else GOOD


@rule
def march(state: State, nation: int, line: Line, at: int, work: Work) -> int:
    """3.3 to 3.6 A march is void, or its regiments join the group at the border. `at` is the number of the line."""
    fault = march_fault(state, nation, line.origin, line.target, line.number, work)
    if fault != GOOD:
        return fault
    border = border_between(line.origin, line.target)
    state.regiments[line.origin] -= line.number
    if is_ordered(border, work):  # the same pair again adds up
        work.group[group_over(border, work)] += line.number
    else:
        work.group_at[work.groups] = border
        work.group[work.groups] = line.number
        work.line[work.groups] = at
        work.groups += 1
        work.heads[line.origin] |= 1 << direction_of(border)
    return GOOD


@rule
def is_ordered(border: int, work: Work) -> bool:
    """Whether a group is ordered over a border."""
    return work.heads[behind(border)] >> direction_of(border) & 1 != 0


@rule
def group_over(border: int, work: Work) -> int:
    """The number of the group that is ordered over a border."""
    group = 0
    while work.group_at[group] != border:
        group += 1
    return group


@rule
def march_fault(state: State, nation: int, origin: int, target: int, number: int, work: Work) -> int:
    """3.3 to 3.6 What is wrong with a march beside the lines that were read before."""
    if border_between(origin, target) < 0:
        return NOT_NEXT
    if number < 1:
        return NO_NUMBER
    if number > state.regiments[origin] or state.owner[origin] != nation:
        return why_not_enough(state, nation, origin, work)
    return GOOD


@rule
def why_not_enough(state: State, nation: int, origin: int, work: Work) -> int:
    """3.6 None of the nation's regiments stood there, or 3.5 fewer are left than the line asks for."""
    if state.owner[origin] != nation:
        return NOT_YOURS
    stood = state.regiments[origin]
    for group in range(work.groups):
        if behind(work.group_at[group]) == origin:
            stood += work.group[group]
    return TOO_MANY if stood > 0 else NOT_YOURS
