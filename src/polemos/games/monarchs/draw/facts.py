"""The hexes of a view as a picture needs them."""

from __future__ import annotations

from polemos.games.monarchs.board import INDEX, NAMES, POINTS
from polemos.games.monarchs.view import Setting, View
from polemos.pictures.hexmap import Cell


def cells_of(setting: Setting, view: View) -> list[Cell]:
    """The hexes of the setting; one that the view does not hold keeps nothing but its name and its star."""
    bases = set(setting.bases.values())
    cells = []
    for name in NAMES:
        if name not in setting.hexes:
            continue
        x, y = POINTS[INDEX[name]]
        ground = view.hexes.get(name)
        if ground is None:
            cells.append(Cell(name, x, y, star=name in bases))
        else:
            note = "" if ground.owner else "unclaimed"
            cells.append(Cell(name, x, y, True, ground.owner, ground.regiments, name in bases, note))
    return cells
