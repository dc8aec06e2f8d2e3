"""What the decisions of a match have shown about scripts: how much better each does than the others.

A turn has time for a few playouts only, and which script is best changes slowly, so what was seen earlier counts, too.
It is kept for each way in which the others may play: who they are in a world says much about its value, and nothing
about which script is best against those who really play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from polemos.search.choosing import Numbers

MEMORY: Final = 16  # worlds of one kind after which what was learned in one of them has mostly faded

Kind = tuple[int, ...]  # of a world: who the others are; empty where nobody asks


class Lore:
    def __init__(self, scripts: int) -> None:
        self._count = scripts
        self._ahead: dict[Kind, Numbers] = {}
        self._worlds: dict[Kind, int] = {}

    def learn(self, kind: Kind, scripts: Sequence[int], values: Sequence[float]) -> None:
        """What these scripts brought in one world. Those that were not tried there keep their place."""
        ahead = self._ahead.setdefault(kind, np.zeros(self._count))
        worlds = self._worlds.get(kind, 0)
        at = list(scripts)
        level = float(np.mean(ahead[at])) - float(np.mean(values))
        ahead[at] += (np.asarray(values, float) + level - ahead[at]) / min(worlds + 1, MEMORY)
        self._worlds[kind] = worlds + 1

    def worth(self, chances: Mapping[Kind, float]) -> Numbers:
        """How far each script is ahead, if worlds are of these kinds; those never seen are left out of account."""
        found, total = np.zeros(self._count), 0.0
        for kind, chance in chances.items():
            if kind in self._ahead:
                found += chance * self._ahead[kind]
                total += chance
        return found / total if total > 0 else found
