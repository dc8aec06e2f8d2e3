"""5 Moves: all groups that no border held back move at once."""

from __future__ import annotations

from polemos.games.monarchs.rules import events
from polemos.games.monarchs.rules.tables import beyond
from polemos.games.monarchs.state import State, Work
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def move(state: State, log: Log, work: Work) -> None:
    """5.1 Groups join into one army a nation on each hex they enter; 5.3 what they left stays their owner's."""
    fields = 0
    for i in range(work.groups):
        border = work.group_at[i]
        number = work.group[border]
        if number > 0:
            work.group[border] = 0
            origin = border // 6
            target = beyond(border)
            nation = state.owner[origin]
            work.force[target * 4 + nation] += number
            work.field[fields] = target
            fields += 1 - work.entered[target]
            work.entered[target] = 1
            events.marched(log, work.line[border], nation, origin, target, number)
    work.fields = fields
