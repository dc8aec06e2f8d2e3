"""1.9 Which positions are legal."""

from __future__ import annotations

from polemos.games.demons.rules.end import is_level
from polemos.games.demons.rules.lanes import goal_of, steps_to
from polemos.games.demons.setup import MAX_TURNS
from polemos.games.demons.state import BY_CALL, DEMON, KINDS, MAX_HEALTH, PLAYERS, TOSS, TOWERS, State
from polemos.kernel.errors import BadPosition

_MAX = 2_000_000_000


def validate(state: State) -> None:
    """Refuses what play cannot reach."""
    _require(1 <= state.turns <= MAX_TURNS and 0 <= state.turn <= state.turns, "The turn is outside the game.", "2.1")
    tossed = state.step >= TOSS
    if tossed:
        _toss(state)
    over = bool(state.reason) or tossed
    _require((state.turn == state.turns) <= over, "The game is over after its last turn.", "9.5")
    fits = tossed or (state.step == 0) != bool(state.two_decisions)
    _require(fits, "The step does not match the decisions per turn.", "2.4")
    for player, name in enumerate(PLAYERS):
        _require(0 <= state.gold[player] <= _MAX, f"{name}'s gold must be from 0 to {_MAX}.", "1.9")
        _require(abs(state.health[player]) <= _MAX, f"{name}'s base has more health than can be counted.", "1.9")
        if not over:
            _require(state.health[player] >= 1, f"{name}'s base is destroyed, but the game goes on.", "1.9")
        for direction in range(4):
            _queue(state, player, direction)
        for kind in range(KINDS):
            price, least = state.price[player * KINDS + kind], state.book.price[kind]
            fits = price >= least if state.rules and least else price == least
            _require(fits, f"A {TOWERS[kind]} cannot cost {name} {price}.", "8.1")
    _units(state)
    _towers(state)
    for i in range(state.portals):
        portal = state.portal[i]
        _require(0 <= portal.queued <= (1000 if state.rules else 1), "A portal's queue is too long.", "1.9")
        _require(
            0 <= portal.reload <= 10 and 0 <= portal.released <= 20_000, "A portal's figures are impossible.", "1.9"
        )


def _require(holds: bool, why: str, rule: str) -> None:
    if not holds:
        raise BadPosition(why, rule=rule)


def _toss(state: State) -> None:
    """9.4 A coin is waited for where it was agreed, nothing differs, and nothing else is left to decide."""
    _require(state.coin == BY_CALL and not state.reason, "Nobody waits for a coin in this game.", "9.4")
    fallen = state.health[0] <= 0 and state.health[1] <= 0
    last = state.turn == state.turns or bool(state.dropped[0] and state.dropped[1])
    standing = state.health[0] >= 1 and state.health[1] >= 1
    ready = fallen or (last and standing)
    _require(ready and is_level(state), "The coin decides only when all is over and nothing differs.", "9.4")


def _queue(state: State, player: int, direction: int) -> None:
    queued = state.queue[player * 4 + direction]
    most = 0 if state.exit_lane[player * 4 + direction] < 0 else 1000 if state.rules else 1
    _require(0 <= queued <= most, f"{PLAYERS[player]} has {queued} mercenaries queued where {most} is the most.", "1.9")


def _units(state: State) -> None:
    seen: set[int] = set()
    for i in range(state.units):
        unit = state.unit[i]
        _require(unit.tile not in seen, "Two units stand on one tile.", "1.9")
        seen.add(unit.tile)
        _require(0 <= unit.tile < state.path, "A unit stands off the path.", "1.9")
        _require(1 <= unit.health <= MAX_HEALTH, "A unit has no health, or too much.", "1.9")
        _require(0 <= unit.damage <= MAX_HEALTH, "A unit's damage is impossible.", "1.9")
        far = steps_to(state, unit.tile, goal_of(unit.kind)) >= 2 or state.rules == 1  # 11.11 knows such units
        _require(far, "A unit stands beside the base it attacks.", "1.9")
        if state.rules == 0:
            _require(unit.damage == 7, "Units do 7 damage.", "5.7")
        _require(unit.kind < DEMON + 2, "There is no such unit.", "1.9")


def _towers(state: State) -> None:
    seen: set[int] = set()
    for i in range(state.towers):
        tower = state.tower[i]
        _require(tower.tile not in seen, "Two towers stand on one tile.", "1.9")
        seen.add(tower.tile)
        _require(
            0 <= tower.tile < state.tiles and state.tile[tower.tile].kind == tower.owner,
            "A tower stands off its owner's land.",
            "1.9",
        )
        _require(
            0 <= tower.kind < KINDS and state.book.price[tower.kind] > 0,
            f"There is no {TOWERS[tower.kind]} under these rules.",
            "8.1",
        )
        least = 0 if state.rules else 1
        _require(least <= tower.cooldown <= state.book.cooldown[tower.kind], "A tower's cooldown is impossible.", "1.9")
