"""The colours of the look: light, dark, either of these as the page decides, and black on white for paper.

Values come from `look.json`, which the client shares.

Only seats have colours; everything else is ink on paper. There are eight seats: `look.json` has the colour, shape and
hatching of each, and `tools/look` generates the client's style sheet and tables from it. Any two pieces can be told
apart by colour alone, by shape alone, and by hatching alone, so they also work in grey and for colour-blind people.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from polemos.pictures.svg import PictureError

LOOK: Final[Mapping[str, Any]] = json.loads((files(__package__) / "look.json").read_text(encoding="utf-8"))
HORDE: Final = "horde"  # things that belong to no seat


@dataclass(frozen=True)
class Tones:
    """The colours of one seat. Pieces look the same in light and dark, only the rim changes."""

    piece: str
    on: str  # figures on the piece
    rim: str
    text: str
    line: str
    tint: str  # territory
    hatch: str  # hatching on the tint


@dataclass(frozen=True)
class Theme:
    """All colours of one theme."""

    name: str
    page: str
    surface: str
    raised: str
    sunken: str
    line: str
    line_strong: str
    ink: str
    ink_2: str
    ink_3: str
    signal: str
    signal_tint: str
    land: str
    land_line: str
    water: str
    wave: str
    path: str
    path_line: str
    grave: str
    fog_line: str
    halo: str
    ore: tuple[str, ...]
    seats: Mapping[str, Tones]


_NOBODY: Final = ("demon", "on-demon", "rim-lo", "ink", "ink", "sunken", "line-strong")  # the tones of the horde


def _theme(name: str) -> Theme:
    values = LOOK["themes"][name]
    seats = {}
    for seat, look in LOOK["seats"].items():
        own = look[name]
        tones = (own["text"], own["line"], own["tint"], own["hatch"])
        seats[seat] = Tones(look["piece"], look["on"], values[look["rim"]], *tones)
    seats[HORDE] = Tones(*(values[tone] for tone in _NOBODY))
    plain = [field.name for field in fields(Theme) if field.name not in ("name", "ore", "seats")]
    return Theme(
        name=name,
        ore=tuple(values["ore"]),
        seats=MappingProxyType(seats),
        **{field: values[field.replace("_", "-")] for field in plain},
    )


def _print() -> Theme:
    """Black and white only: printers turn greys into dots."""
    black, white = "#000", "#fff"
    light = {"page", "surface", "raised", "sunken", "signal_tint", "land", "water", "path", "grave", "halo"}
    plain = [field.name for field in fields(Theme) if field.name not in ("name", "ore", "seats")]
    tones = Tones(white, black, black, black, black, white, black)
    return Theme(
        name="print",
        ore=(white,) * 5,
        seats=MappingProxyType(dict.fromkeys((*LOOK["seats"], HORDE), tones)),
        **{field: white if field in light else black for field in plain},
    )


def _screen() -> Theme:
    """Light or dark, like the page around the picture: every colour is a variable of the client's style sheet."""
    plain = [field.name for field in fields(Theme) if field.name not in ("name", "ore", "seats")]
    seats = {}
    for seat, look in LOOK["seats"].items():
        own = (f"var(--{seat}-{tone})" for tone in ("text", "line", "tint", "hatch"))
        seats[seat] = Tones(f"var(--{seat}-piece)", f"var(--on-{seat})", f"var(--{look['rim']})", *own)
    seats[HORDE] = Tones(*(f"var(--{tone})" for tone in _NOBODY))
    return Theme(
        name="screen",
        ore=tuple(f"var(--ore-{i})" for i in range(1, 1 + len(LOOK["themes"]["light"]["ore"]))),
        seats=MappingProxyType(seats),
        **{field: f"var(--{field.replace('_', '-')})" for field in plain},
    )


LIGHT: Final = _theme("light")
DARK: Final = _theme("dark")
PRINT: Final = _print()
SCREEN: Final = _screen()

THEMES: Final[Mapping[str, Theme]] = MappingProxyType({theme.name: theme for theme in (LIGHT, DARK, PRINT, SCREEN)})


def theme_called(name: str) -> Theme:
    """The theme with this name."""
    if name not in THEMES:
        raise PictureError(f"There is no theme {name!r}. Choose one of {', '.join(THEMES)}.")
    return THEMES[name]
