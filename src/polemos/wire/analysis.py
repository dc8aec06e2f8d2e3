"""Messages about the analysis of a finished match. The analysis itself is `polemos.search.analysis.Analysis`."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from polemos.search.analysis import Analysis


class AnalysisCard(Struct, frozen=True):
    """How far the analysis of a match is."""

    state: Literal["none", "waiting", "running", "done", "failed", "impossible"]
    done: int = 0  # playouts that were made,
    of: int = 0  # and that are planned
    why: str = ""  # it failed, or is impossible
    analysis: Analysis | None = None  # when it is done
