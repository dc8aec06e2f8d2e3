"""Many games side by side, for programs that learn and search.

from polemos.batch import Batch

batch = Batch("demons", {"map": "long-march"}, 1024, seed=7)
batch.play("random", 100)
batch.rewards, batch.states["turn"]
"""

from __future__ import annotations

from polemos.batch.batch import Batch

__all__ = ["Batch"]
