"""Scripted players in compiled code, for batches, bots and searches. No paragraph of the book.

All of them are one script with different habits. It plays like the bot `overlord`, not the same games: it draws from a
key instead of a stream, counts in whole numbers, and takes the shortest ways in an order of its own.
"""

from __future__ import annotations

from typing import Final

from polemos.games.monad.rules.colonies import colonise
from polemos.games.monad.rules.husbandry import call, dig, expand, ore_steps, settle, staff, trek
from polemos.games.monad.rules.minds import COLUMNS, FAR, HABITS, Mind, wake
from polemos.games.monad.rules.warfare import (
    advance,
    bystander,
    cost_of_war,
    dares,
    guard,
    hunt,
    march,
    plan,
    strike,
    survey,
)
from polemos.games.monad.state import Order, State
from polemos.kernel.dice import scatter
from polemos.kernel.record import Many, table, u64
from polemos.kernel.rule import rule

RANDOM: Final = 0
POLICIES: Final = (
    "random",
    "settler",
    "pioneer",
    "baron",
    "margrave",
    "reeve",
    "lord",
    "holder",
    "raider",
    "storm",
)
MANY: Final = 1 << 30

# `lord` grows and ends the game when it outweighs somebody, like `overlord`; `settler` and `pioneer` choose where to
# dig by how long they can dig there, and go to war early: the one for two players, who also settles in fresh ore, the
# other for more; `baron`, `margrave` and `reeve` are lords who go to war in larger groups; all these habits were found
# by playing many games against `lord`; `holder` grows and stays at home; `raider` goes for the nearest core as soon as
# that alone would fall; `storm` goes for it at once. The columns are the fields of `Habits`.
_HABITS: Final = table(
    (
        (MANY, 8, 48, 5, 2, 115, 5, 0, 0, 0, 120, 100, 1, 700, 6, 0, 20, 4, 9, 6, 0, 5, 105, 0, 0, 0, 0),
        (MANY, 8, 48, 5, 1, 115, 5, 0, 50, 0, 120, 100, 0, 0, 0, 0, 0, 0, 6, 6, 0, 15, 105, 0, 0, 0, 0),
        (MANY, 8, 48, 5, 2, 115, 20, 0, 0, 11, 80, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 105, 0, 0, 0, 0),
        (MANY, 8, 24, 5, 2, 150, 20, 0, 80, 11, 80, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 105, 0, 0, 0, 0),
        (MANY, 8, 48, 5, 2, 150, 5, 0, 80, 11, 80, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 105, 0, 0, 0, 0),
        (MANY, 8, 48, 5, 3, 130, 10, 0, 0, 0, 100, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 105, 0, 0, 0, 0),
        (MANY, 8, 48, 5, 3, 300, 50, 0, MANY, 0, 100, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 105, 0, 0, 0, 0),
        (MANY, 8, 48, 5, 3, 150, 5, 1, 0, 0, 100, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 105, 0, 0, 0, 0),
        (1, 8, 48, 5, 2, 0, 1, 1, 0, 0, 100, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 105, 0, 0, 0, 0),
    )
)


def habits_of(policy: str) -> tuple[int, ...]:
    """The habits of a policy, in the order of `TRAITS`."""
    return tuple(int(value) for value in _HABITS[POLICIES.index(policy) - 1])


_TURNED: Final = 1 << 20  # a count of the key beside those of tiles


@rule
def recall(mind: Mind) -> None:
    """Gives every policy its habits, once."""
    if mind.told == 0:
        mind.told = 1
        for policy in range(HABITS):
            for which in range(COLUMNS):
                mind.temper[policy * COLUMNS + which] = _HABITS[policy][which]


@rule
def take_habits(policy: int, mind: Mind) -> None:
    """What the scripted players do differently."""
    recall(mind)
    at = (policy - 1) * COLUMNS
    habits = mind.habits
    habits.most = mind.temper[at]
    habits.crowd = mind.temper[at + 1]
    habits.helper = mind.temper[at + 2]
    habits.fetch = mind.temper[at + 3]
    habits.alarm = mind.temper[at + 4]
    habits.sure = mind.temper[at + 5]
    habits.reserve = mind.temper[at + 6]
    habits.local = mind.temper[at + 7]
    habits.brave = mind.temper[at + 8]
    habits.wave = mind.temper[at + 9]
    habits.lead = mind.temper[at + 10]
    habits.press = mind.temper[at + 11]
    habits.ahead = mind.temper[at + 12]
    habits.walk = mind.temper[at + 13]
    habits.party = mind.temper[at + 14]
    habits.apart = mind.temper[at + 15]
    habits.poor = mind.temper[at + 16]
    habits.shy = mind.temper[at + 17]
    habits.greed = mind.temper[at + 18]
    habits.look = mind.temper[at + 19]
    habits.vein = mind.temper[at + 20]
    habits.grab = mind.temper[at + 21]
    habits.calm = mind.temper[at + 22]
    habits.dodge = mind.temper[at + 23]
    habits.rally = mind.temper[at + 24]
    habits.chase = mind.temper[at + 25]
    habits.prey = mind.temper[at + 26]


@rule
def script(
    policy: int, state: State, seat: int, manner: u64, count: int, limit: int, mind: Mind, orders: Many[Order]
) -> int:
    """The list of one player, behind `count` orders of others; says how many orders there are then.

    `manner` is a key for the whole game: of two players with the same habits each has a taste of its own.
    """
    take_habits(policy, mind)
    wake(state, seat, scatter(manner, _TURNED + seat), count, limit, mind)
    settle(state, mind, orders)
    rival = plan(state, mind)
    number = 0
    wanted = 0
    if rival >= 0:
        number = cost_of_war(state, rival, mind)
        wanted = number + bystander(state, rival, mind)
    staff(state, 0 < 2 * wanted <= state.units[seat], mind, orders)
    guard(state, mind, orders)
    strike(state, mind, orders)
    colonise(state, idle(mind), mind, orders)
    expand(state, manner, mind, orders)
    hunt(state, mind, orders)
    call(state, mind, orders)
    if rival >= 0 and mind.habits.sure == 0:
        march(state, MANY, mind, orders)
    elif rival >= 0 and wanted <= idle(mind):
        march(state, number, mind, orders)
    if state.buildings[seat] < mind.habits.most:
        dig(state, mind, orders)
    daring = dares(state, mind)
    for i in range(mind.stacks):
        if mind.free[mind.stack[i]] > 0:
            roam(state, mind.stack[i], daring, mind, orders)
    return mind.count


@rule
def idle(mind: Mind) -> int:
    """Free units in all."""
    count = 0
    for i in range(mind.stacks):
        count += mind.free[mind.stack[i]]
    return count


@rule
def roam(state: State, tile: int, daring: bool, mind: Mind, orders: Many[Order]) -> None:
    """Who has nothing to dig near by goes to ore further away, if the enemy is not nearer; or else to war."""
    survey(state, mind)
    far = ore_steps(state, tile, mind)
    if far < FAR and far < mind.steps[tile] and trek(state, tile, mind, orders) > 0:
        return
    if daring and mind.free[tile] >= mind.habits.wave:
        advance(state, tile, mind.free[tile], mind, orders)
