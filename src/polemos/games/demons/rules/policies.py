"""Scripted players in compiled code, in the manner of our bots `economist` and `rusher`. No paragraph.

They see no more than a player does. Where the bots draw from a stream these draw from a key of the game, and in another
order.
"""

from __future__ import annotations

from polemos.games.demons.rules.play import clear
from polemos.games.demons.rules.scouting import (
    Survey,
    build,
    count_towers,
    demon_next,
    first_place,
    hire,
    shortest,
    site,
    watch,
)
from polemos.games.demons.state import CANNON, CROSSBOW, HOUSE, KINDS, Order, State
from polemos.kernel.dice import scatter
from polemos.kernel.record import u64
from polemos.kernel.rule import rule


@rule
def economist(state: State, player: int, manner: u64, key: u64, order: Order, found: Survey) -> None:
    """A house a turn. Foes at the gate are shot at by a few towers; only a weakened base hires."""
    clear(order)
    first = first_place(state, player, key)
    near = watch(state, player, 4 + scatter(manner, 2 * player) % 5, True, found)
    guns = count_towers(state, player, False)
    houses = count_towers(state, player, True)
    gold = state.gold[player]
    weak = state.health[player] < 80
    if near >= 0 and weak:
        gold = hire(state, player, near, gold, order)
    if near >= 0 and guns < 8 + scatter(manner, 2 * player + 1) % 7 and guns <= (guns + houses) // 3:
        kind = CROSSBOW if guns % 3 == 2 else CANNON
        gold = build(state, player, kind, site(state, player, kind, False, first, found), gold, order)
    if not weak or gold >= state.book.mercenary_price + state.price[player * KINDS + HOUSE]:
        build(state, player, HOUSE, site(state, player, CANNON, True, first, found), gold, order)


@rule
def rusher(state: State, player: int, manner: u64, key: u64, order: Order, found: Survey) -> None:
    """Hires down the shortest lane, or where its base is in need; what is left over is built."""
    clear(order)
    first = first_place(state, player, key)
    near = watch(state, player, 8, True, found)
    if near < 0:
        near = demon_next(state, player)
    gold = state.gold[player]
    if near >= 0 and state.health[player] < 50:
        gold = build(state, player, CANNON, site(state, player, CANNON, False, first, found), gold, order)
    gold = hire(state, player, near, gold, order)
    if scatter(key, 10 + player) % 5 == 0:
        gold = hire(state, player, scatter(key, 12 + player) % state.lanes, gold, order)
    gold = hire(state, player, shortest(state), gold, order)
    fee = state.book.mercenary_price
    if count_towers(state, player, True) < 6 + scatter(manner, 2 * player) % 7 and (gold < fee or gold >= fee + 10):
        build(state, player, HOUSE, site(state, player, CANNON, True, first, found), gold, order)
