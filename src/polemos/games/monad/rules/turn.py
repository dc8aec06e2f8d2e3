"""3 The turn: the stages in their order (3.1)."""

from __future__ import annotations

from polemos.games.monad.rules.checking import check, wipe
from polemos.games.monad.rules.end import end_of_turn, forfeits
from polemos.games.monad.rules.fights import fights
from polemos.games.monad.rules.founding import foundings
from polemos.games.monad.rules.mining import mining
from polemos.games.monad.rules.moving import collisions, moves
from polemos.games.monad.rules.working import production
from polemos.games.monad.state import Order, State, Work
from polemos.kernel.log import Log
from polemos.kernel.record import Many
from polemos.kernel.rule import entry, rule


@rule
def turn(state: State, orders: Many[Order], count: int, log: Log, work: Work) -> None:
    """3.1 One turn. The orders of one player stand in the order of that player's list."""
    if forfeits(state, log):  # 9.7
        return
    check(state, orders, count, log, work)  # 2
    collisions(state, log, work)  # 4.2
    moves(state, log, work)  # 4
    foundings(state, orders, log, work)  # 5
    mining(state, log, work)  # 7
    fights(state, log, work)  # 8
    production(state, log, work)  # 6
    wipe(state, orders, work)
    end_of_turn(state, log)  # 9


@entry
def resolve(state: State, orders: Many[Order], count: int, log: Log, work: Work) -> None:
    """One turn, for callers from Python."""
    turn(state, orders, count, log, work)


@entry
def judge(state: State, orders: Many[Order], count: int, log: Log, work: Work) -> None:
    """Marks what is void on one player's list; the state stays as it is."""
    check(state, orders, count, log, work)
    wipe(state, orders, work)
