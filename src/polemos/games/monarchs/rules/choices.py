"""3 All single lines that are legal beside a draft, as the nation that gives them sees the board."""

from __future__ import annotations

from polemos.games.monarchs.board import HEXES
from polemos.games.monarchs.rules.orders import bless_fault, march_fault, read_sheet
from polemos.games.monarchs.rules.tables import degree, neighbour
from polemos.games.monarchs.state import BLESS, GOOD, MARCH, MAX_LINES, NOBODY, Choice, Sheet, Sight, State, Work
from polemos.kernel.record import Many
from polemos.kernel.rule import entry, rule


@rule
def stand_in(sight: Sight, state: State) -> None:
    """What orders are judged by, as far as it is seen: whose hex it is, and with how many regiments."""
    for hex in range(HEXES):
        state.owner[hex] = sight.owner[hex] if sight.seen[hex] else NOBODY
        state.regiments[hex] = sight.regiments[hex]


@entry
def list_choices(sight: Sight, draft: Sheet, found: Many[Choice], state: State, work: Work) -> int:
    """Lists them and says how many there are. `state` and `work` are scratch space."""
    nation = sight.who
    if nation < 0 or sight.reason != 0 or sight.dropped[nation] or draft.count >= MAX_LINES:
        return 0
    stand_in(sight, state)
    work.groups = 0
    read_sheet(state, nation, draft, work)
    count = 0
    for origin in range(HEXES):
        for i in range(degree(origin)):
            target = neighbour(origin, i)
            if march_fault(state, nation, origin, target, 1, work) == GOOD:
                count = add(found, count, MARCH, origin, target, state.regiments[origin])
    for hex in range(HEXES):
        if bless_fault(nation, work) == GOOD:
            count = add(found, count, BLESS, -1, hex, 0)
    return count


@rule
def add(found: Many[Choice], count: int, kind: int, origin: int, target: int, most: int) -> int:
    choice = found[count]
    choice.kind = kind
    choice.origin = origin
    choice.target = target
    choice.most = most
    return count + 1
