"""5 Moves: all groups that no border held back move at once."""

from __future__ import annotations

from polemos.games.monarchs.rules import events
from polemos.games.monarchs.rules.tables import behind, beyond
from polemos.games.monarchs.state import State, Work
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def move(state: State, log: Log, work: Work) -> None:
    """5.1 Groups join into one army a nation on each hex they enter; 5.3 what they left stays their owner's."""
    fields = 0
    for group in range(work.groups):
        border = work.group_at[group]
        number = work.group[group]
        origin = behind(border)
        work.heads[origin] = 0
        if number > 0:
            target = beyond(border)
            nation = state.owner[origin]
            field = work.entered[target]
            work.field[fields] = target
            fields += field == 0
            field = field if field > 0 else fields
            work.entered[target] = field
            work.force[field * 4 - 4 + nation] += number
            events.marched(log, work.line[group], nation, origin, target, number)
    work.fields = fields
