"""Who is who, and the rooms. Vocabulary only.

A role is a duty, not a person: `red` is the red monarch, `red-1` to `red-8` are the red courtiers, `guest-1` and so on
everyone else. If an understudy steps in, the role keeps its card, its errands and its room, and only its name changes.
"""

from __future__ import annotations

from typing import Final

from polemos.games.monarchs.board import NATIONS

GAMERUNNER: Final = "gamerunner"
SERVER: Final = "server"  # leads a party online in the gamerunners' place
CLOCK: Final = "clock"
SCREEN: Final = "screen"
SPECTATOR: Final = "spectator"
WATCHING: Final = (CLOCK, SCREEN, SPECTATOR)

DESK: Final = "desk"

MIN_COURTIERS: Final = 3
MAX_COURTIERS: Final = 8


def courtier(nation: str, number: int) -> str:
    """
    >>> courtier("red", 3)
    'red-3'
    """
    return f"{nation}-{number}"


def guest(number: int) -> str:
    return f"guest-{number}"


def court_of(role: str) -> str | None:
    """The nation of a monarch or courtier; None for anybody else.

    >>> court_of("red"), court_of("blue-2"), court_of("guest-1")
    ('red', 'blue', None)
    """
    nation = role.partition("-")[0]
    return nation if nation in NATIONS else None


def is_monarch(role: str) -> bool:
    return role in NATIONS


def is_courtier(role: str) -> bool:
    return court_of(role) is not None and not is_monarch(role)


def others(nation: str) -> tuple[str, str]:
    """The two other nations.

    >>> others("green")
    ('red', 'blue')
    """
    one, other = (name for name in NATIONS if name != nation)
    return one, other
