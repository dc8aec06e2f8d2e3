"""Silhouettes of the units: one idea for each, taken from its name. The paths stand in `glyphs.json`."""

from __future__ import annotations

from typing import Final

from polemos.pictures.glyphs import read

# By the name of the type. A unit whose name is not here shows its letter alone.
UNITS: Final = read(__package__)
NECROMANCER: Final = UNITS.pop("necromancer")
STONE: Final = UNITS.pop("stone")
