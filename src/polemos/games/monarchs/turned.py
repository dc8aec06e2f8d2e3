"""The board turned by a third, and by two thirds: red's land comes to lie where blue's was, blue's where green's was.

The rules know no difference (2.2). Scripts do: they go through the hexes in one order, whoever they play for.
"""

from __future__ import annotations

from typing import Final

from polemos.games.monarchs.board import HEXES, POINTS
from polemos.games.monarchs.state import NATIONS, NOBODY, State

_TURNED: Final = tuple(POINTS.index((-(x + 3 * y) // 2, (x - y) // 2)) for x, y in POINTS)
_AFTER: Final = (2, 0, 1)  # in whose place each nation is then


def images(state: State) -> list[tuple[State, tuple[int, ...]]]:
    """The position as it stands and as it looks on the turned board; in whose place each nation is there."""
    once = turned(state)
    twice = turned(once)
    return [(state, (0, 1, 2)), (once, _AFTER), (twice, tuple(_AFTER[nation] for nation in _AFTER))]


def turned(state: State) -> State:
    """The position on the board turned by a third."""
    found = state.copy()
    for hex in range(HEXES):
        place, owner, battles = _TURNED[hex], state.owner[hex], state.battles[hex]
        found.owner[place] = NOBODY if owner == NOBODY else _AFTER[owner]
        found.regiments[place] = state.regiments[hex]
        found.battles[place] = sum(
            (battles >> n & 1) << _AFTER[n] | (battles >> 3 + n & 1) << 3 + _AFTER[n] for n in range(NATIONS)
        )
    for nation in range(NATIONS):
        after = _AFTER[nation]
        found.score[after], found.total[after] = state.score[nation], state.total[nation]
        found.dropped[after] = state.dropped[nation]
        if state.reason:
            found.places[nation] = _AFTER[state.places[nation]]
    return found
