"""The colours of the look: light, dark, and black on white for paper. Values as in `tokens.css`.

Colour belongs to the seats; everything else is ink on paper.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from polemos.pictures.svg import PictureError


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
    ore: tuple[str, str, str, str, str]
    seats: Mapping[str, Tones]


def _seats(**tones: tuple[str, str, str, str, str, str, str]) -> Mapping[str, Tones]:
    return MappingProxyType({seat: Tones(*values) for seat, values in tones.items()})


LIGHT: Final = Theme(
    name="light",
    page="#F5F2EA",
    surface="#FDFCF9",
    raised="#FFFFFF",
    sunken="#EBE6D9",
    line="#DAD4C5",
    line_strong="#86816F",
    ink="#1B1E22",
    ink_2="#454A50",
    ink_3="#62676B",
    signal="#93256A",
    signal_tint="#F6E3EE",
    land="#ECE7D8",
    land_line="#CBC3AE",
    water="#CDD6D6",
    wave="#8DA0A4",
    path="#EFE7D2",
    path_line="#D6CBB0",
    grave="#E3DBC6",
    fog_line="#86816F",
    halo="#FDFCF9",
    ore=("#F2EEE3", "#E8E1CF", "#DBD0B6", "#CBBC98", "#B8A67C"),
    seats=_seats(
        red=("#C4391F", "#FFFFFF", "#14181C", "#A52A14", "#C4391F", "#EFC3B6", "#D58C79"),
        blue=("#1A4E8F", "#FFFFFF", "#14181C", "#1A4E8F", "#1A4E8F", "#BCCFEA", "#86A4D4"),
        green=("#52B896", "#14181C", "#1B1E22", "#0F6449", "#28876A", "#D6EFE2", "#8FCBB3"),
        yellow=("#F7C948", "#14181C", "#1B1E22", "#735200", "#A07000", "#FBE7A9", "#DDB84A"),
        horde=("#24272C", "#FFFFFF", "#14181C", "#1B1E22", "#1B1E22", "#EBE6D9", "#86816F"),
    ),
)

DARK: Final = Theme(
    name="dark",
    page="#14171A",
    surface="#1D2125",
    raised="#262B30",
    sunken="#0F1113",
    line="#343A40",
    line_strong="#7C848B",
    ink="#ECE9E2",
    ink_2="#C3C4C2",
    ink_3="#A4A9AD",
    signal="#F3A3CF",
    signal_tint="#3C2233",
    land="#2B3035",
    land_line="#424A51",
    water="#192126",
    wave="#4C626C",
    path="#343A40",
    path_line="#4A525A",
    grave="#3A3F3F",
    fog_line="#757D84",
    halo="#14171A",
    ore=("#23282C", "#302F2B", "#413E34", "#555040", "#6C644B"),
    seats=_seats(
        red=("#C4391F", "#FFFFFF", "#ECE9E2", "#FF9E88", "#F0705A", "#57271F", "#8E4538"),
        blue=("#1A4E8F", "#FFFFFF", "#ECE9E2", "#93BFF7", "#6FA5EC", "#1E3456", "#3F649A"),
        green=("#52B896", "#14181C", "#0B0D0F", "#86DBBB", "#6FD0AE", "#285343", "#4B8A73"),
        yellow=("#F7C948", "#14181C", "#0B0D0F", "#F7D06A", "#F7D06A", "#5E4B12", "#9A7F2E"),
        horde=("#ECE9E2", "#16191C", "#ECE9E2", "#ECE9E2", "#ECE9E2", "#0F1113", "#7C848B"),
    ),
)

_BLACK: Final = "#000"
_WHITE: Final = "#fff"
_PRINTED: Final = (_WHITE, _BLACK, _BLACK, _BLACK, _BLACK, _WHITE, _BLACK)

# No greys: printers make dots of them.
PRINT: Final = Theme(
    name="print",
    page=_WHITE,
    surface=_WHITE,
    raised=_WHITE,
    sunken=_WHITE,
    line=_BLACK,
    line_strong=_BLACK,
    ink=_BLACK,
    ink_2=_BLACK,
    ink_3=_BLACK,
    signal=_BLACK,
    signal_tint=_WHITE,
    land=_WHITE,
    land_line=_BLACK,
    water=_WHITE,
    wave=_BLACK,
    path=_WHITE,
    path_line=_BLACK,
    grave=_WHITE,
    fog_line=_BLACK,
    halo=_WHITE,
    ore=(_WHITE, _WHITE, _WHITE, _WHITE, _WHITE),
    seats=_seats(red=_PRINTED, blue=_PRINTED, green=_PRINTED, yellow=_PRINTED, horde=_PRINTED),
)

THEMES: Final[Mapping[str, Theme]] = MappingProxyType({theme.name: theme for theme in (LIGHT, DARK, PRINT)})


def theme_called(name: str) -> Theme:
    """The theme of that name."""
    if name not in THEMES:
        raise PictureError(f"There is no theme {name!r}; choose one of {', '.join(THEMES)}.")
    return THEMES[name]
