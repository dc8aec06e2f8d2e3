"""Players who do what the introductions of the client advise (`web/src/games/*/intro.ts`), and no more.

Level 1 should lose four of five games to them: `python -m benchmarks.levels demons --pairs advice:level-1`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from typing import Any, Final

LAST: Final = 30  # turns before the end from which on gold is saved, because it decides
MORE: Final = 50  # turns after which there is one cannon more
CLOSE: Final = 6  # turns before a foe strikes, when a mercenary is sent


def demons() -> Callable[[Any, str, int], Any]:
    """A cannon for each lane, houses far away, more cannons as time goes by, a mercenary against what is close."""
    sight = import_module("polemos.games.demons.bots.sight")
    front = import_module("polemos.games.demons.bots.front")

    class Pupil:
        def __init__(self, setting: Any, seat: str, seed: int) -> None:
            self._terrain = sight.Terrain(setting, seat, Random(seed))

        def orders(self, view: Any, time_left: float) -> Sequence[Any]:
            if not sight.may_order(view):
                return ()
            terrain, draft = self._terrain, sight.Draft(self._terrain, view)
            near = front.Front(terrain, view).unmet(CLOSE, terrain.shots(view))
            if near:
                draft.hire(near[0].lane)
            cannons = sum(tower.kind == "cannon" for tower in draft.mine.values())
            if cannons < min(len(terrain.lanes), 1 + len(draft.mine) // 2) + view.turn // MORE:
                draft.build("cannon", terrain.best("cannon", draft.free))
            elif view.turn < view.turns - LAST:
                draft.build("house", terrain.quiet(draft.free))
            return list(draft.orders)

    return Pupil


def monarchs() -> Callable[[Any, str, int], Any]:
    """Two regiments into an empty hex, all of an army where the odds are good, and a blessing for that."""
    sight = import_module("polemos.games.monarchs.bots.sight")

    class Pupil:
        def __init__(self, setting: Any, seat: str, seed: int) -> None:
            self._setting, self._chance = setting, Random(seed)

        def orders(self, view: Any, time_left: float) -> Sequence[Any]:
            if not sight.may_order(view):
                return ()
            seen = sight.Sight(self._setting, view)
            marches: dict[tuple[str, str], int] = {}
            taken: set[str] = set()
            attacked: list[str] = []
            for origin, regiments in sorted(seen.armies.items(), key=lambda army: -army[1]):
                goals = [hex for hex in seen.before(origin) if hex not in taken]
                self._chance.shuffle(goals)
                # The owner of a hex counts a quarter more.
                odds = {hex: regiments - 1.25 * seen.goals[hex].regiments for hex in goals if seen.goals[hex].regiments}
                best = max(odds, key=odds.__getitem__, default=None)
                empty = [hex for hex in goals if not seen.goals[hex].regiments]
                if best is not None and odds[best] > 0:
                    marches[origin, best] = regiments
                    taken.add(best)
                    attacked.append(best)
                elif empty:
                    marches[origin, empty[0]] = min(2, regiments)
                    taken.add(empty[0])
                elif ways := seen.onward(origin):
                    marches[origin, self._chance.choice(ways)] = regiments
            return list(sight.sheet(marches, attacked[0] if attacked else None))

    return Pupil


def monad() -> Callable[[Any, str, int], Any]:
    """Five workers for each building, all others dig, a building for every 100 ore; who is stronger attacks."""
    habits = import_module("polemos.games.monad.bots.habits")
    kit = import_module("polemos.games.monad.kit")

    class Pupil:
        def __init__(self, setting: Any, seat: str, seed: int) -> None:
            self._grid, self._chance = kit.Grid(setting, seat), Random(seed)

        def orders(self, view: Any, time_left: float) -> Sequence[Any]:
            grid = self._grid
            grid.update(view)
            habits.settle(grid)
            habits.staff(grid)
            tiles = grid.mine()
            self._chance.shuffle(tiles)
            for tile in tiles:
                if grid.stock >= grid.setting.cost and grid.free(tile):
                    grid.build(tile)
            cores = grid.cores("enemies") or grid.enemies()
            needs = {core: grid.units(core) + grid.setting.defence for core in cores}
            strongest = max((grid.total(seat) for seat in grid.setting.seats if seat != grid.seat), default=0)
            if grid.total() > strongest:
                needs = dict.fromkeys(cores, 0)
            for tile in tiles:
                habits.dig(grid, tile)
                weaker = [core for core, needed in needs.items() if grid.free(tile) > needed]
                grid.move_towards(tile, grid.nearest(tile, weaker))
            return list(grid.orders)

    return Pupil


def minions() -> Callable[[Any, str, int], Any]:
    """A unit on every graveyard, the rest towards the enemy's necromancer, the free spell, and all money into units."""
    bots = "polemos.games.minions.bots"
    drafts = import_module(f"{bots}.draft")
    state, rules = import_module("polemos.games.minions.state"), "polemos.games.minions.rules"
    choices, pieces = import_module(f"{rules}.choices"), import_module(f"{rules}.pieces")
    distance = import_module("polemos.games.minions.maps").distance
    list_of = import_module("polemos.kernel.record").many

    class Pupil:
        def __init__(self, setting: Any, seat: str, seed: int) -> None:
            self._setting, self._chance = setting, Random(seed)
            self._found = list_of(state.Choice, 8192)

        def orders(self, view: Any, time_left: float) -> Sequence[Any]:
            if not drafts.may_order(view):
                return ()
            draft = drafts.Draft(self._setting, view)
            any(draft.spell(card) for card in (*range(draft.state.cards), state.MARCH))  # the second one unlocks a card
            boards = range(draft.state.boards)
            buys = True
            while buys:  # one unit on each board in turn, so that none goes without
                for at in boards:
                    while self._one(draft, at, (state.CHOOSE, state.ATTACK, state.MOVE, state.SPAWNING)):
                        pass
                buys = sum(self._one(draft, at, (state.BUY,)) for at in boards) > 0
            return list(draft.orders)

        def _one(self, draft: Any, at: int, kinds: Sequence[int]) -> bool:
            """The next order on a board, of the first kind of which there is one."""
            count = choices.list_choices(draft.state, at, self._found, draft.work)
            rows = self._found.numbers()[:count].tolist()
            self._chance.shuffle(rows)
            board = draft.state.board[at]
            for kind in kinds:
                found = [row for row in rows if row[0] == kind and not row[4]]
                if kind == state.MOVE:
                    found = self._walks(draft.state, board, found)
                elif kind == state.ATTACK:
                    found.sort(key=lambda row: not pieces.has(draft.state, board.hex[row[2]].piece, state.NECROMANCER))
                elif kind == state.SPAWNING:
                    found.sort(key=lambda row: self._way(draft.state, board, row[2]))
                elif kind == state.BUY:
                    found.sort(key=lambda row: -draft.state.type[row[3]].cost)
                for kind, start, target, type, swap in found:
                    if draft.give(kind, at, state.KEEP_DEAREST if kind == state.CHOOSE else start, target, type, swap):
                        return True
            return False

        def _walks(self, position: Any, board: Any, rows: list[Any]) -> list[Any]:
            """Moves towards what should be held or struck next. Necromancers stay, as do holders of graveyards."""
            found = []
            for row in rows:
                start, target = row[1], row[2]
                if pieces.has(position, board.hex[start].piece, state.NECROMANCER):
                    continue
                if board.hex[start].ground != state.GRAVEYARD:
                    gain = self._way(position, board, start) - self._way(position, board, target)
                    if gain > 0:
                        found.append((gain, row))
            return [row for _, row in sorted(found, key=lambda one: -one[0])]

        def _way(self, position: Any, board: Any, hex: int) -> int:
            """To the next graveyard that nobody of the side holds, or else to the enemy's necromancer."""
            side, cells = position.side, range(state.HEXES)
            held = [pieces.is_of(board.hex[cell].piece, side) and cell != hex for cell in cells]
            goals = [cell for cell in cells if board.hex[cell].ground == state.GRAVEYARD and not held[cell]]
            goals = goals or [
                cell
                for cell in cells
                if pieces.is_enemy(board.hex[cell].piece, side)
                and pieces.has(position, board.hex[cell].piece, state.NECROMANCER)
            ]
            return min((distance(hex, goal) for goal in goals), default=0)

    return Pupil


PUPILS: Final[dict[str, Callable[[], Any]]] = {
    "demons": demons,
    "minions": minions,
    "monad": monad,
    "monarchs": monarchs,
}


def pupils_of(game: Any) -> dict[str, Any]:
    """The pupil of a game, if somebody has written one."""
    return {"advice": PUPILS[game.name]()} if game.name in PUPILS else {}
