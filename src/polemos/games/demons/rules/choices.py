"""All single orders that are legal beside a draft, tried one by one. No paragraph of its own: 3, 4 and 11 judge."""

from __future__ import annotations

from polemos.games.demons.rules.phases import judge_sheet, why_not_line
from polemos.games.demons.state import (
    BUILDER,
    GOOD,
    HIRE,
    KINDS,
    PARTS,
    PROVOKE,
    TOSS,
    Choice,
    Order,
    Sight,
    State,
    Work,
)
from polemos.kernel.record import Many
from polemos.kernel.rule import entry, rule


@entry
def may_order(state: State, player: int) -> bool:
    """9.1, 9.6 While the game runs, the players who have not dropped out; 9.4 nobody while the coin is in the air."""
    return state.reason == 0 and state.dropped[player] == 0 and state.step < TOSS


@entry
def list_choices(sight: Sight, draft: Order, found: Many[Choice], work: Work) -> int:
    """Lists them and says how many there are; `found` has room for every kind of tower on every tile, and five more."""
    if sight.who < 0 or not may_order(sight.state, sight.who):
        return 0
    judge_sheet(sight.state, sight.who, draft)
    count = buildings(sight.state, sight.who, draft, found, work)
    count = mercenaries(sight.state, sight.who, draft, found, count, work)
    if one_more(sight.state, PROVOKE, draft, work):
        work.trial.provoke = 1
        count = offer(sight.state, sight.who, PROVOKE, 0, draft, found, count, work)
    return count


@rule
def buildings(state: State, player: int, draft: Order, found: Many[Choice], work: Work) -> int:
    """3 On each tile off the lanes what can be built, or that it can be cleared."""
    if not one_more(state, BUILDER, draft, work):
        return 0
    count = 0
    trial = work.trial
    for at in range(state.path, state.tiles):
        trial.build_at = at
        trial.destroy_at = -1
        for kind in range(KINDS):
            trial.build = kind
            count = offer(state, player, BUILDER, kind, draft, found, count, work)
        trial.build = -1
        trial.build_at = -1
        trial.destroy_at = at
        count = offer(state, player, BUILDER, -1, draft, found, count, work)
    return count


@rule
def mercenaries(state: State, player: int, draft: Order, found: Many[Choice], count: int, work: Work) -> int:
    """4 Where a mercenary can be hired."""
    if one_more(state, HIRE, draft, work):
        for direction in range(4):
            work.trial.hire = direction
            count = offer(state, player, HIRE, direction, draft, found, count, work)
    return count


@rule
def one_more(state: State, part: int, draft: Order, work: Work) -> bool:
    """Begins a trial: the draft with one more line of a part, if it can have one."""
    work.trial = draft
    work.trial.lines[part] += 1
    return why_not_line(state, part, work.trial.lines[part]) == GOOD


@rule
def offer(
    state: State, player: int, part: int, kind: int, draft: Order, found: Many[Choice], count: int, work: Work
) -> int:
    """The trial is one more choice if its new line is good, and all that was good before."""
    trial = work.trial
    left = judge_sheet(state, player, trial)
    for other in range(len(PARTS)):
        if trial.fault[other] != GOOD and (other == part or draft.fault[other] == GOOD):
            return count
    choice = found[count]
    choice.part = part
    choice.kind = kind
    choice.price = trial.price[part]
    choice.left = left
    if part == BUILDER:
        tile = state.tile[trial.build_at if kind >= 0 else trial.destroy_at]
        choice.x = tile.x
        choice.y = tile.y
    return count + 1
