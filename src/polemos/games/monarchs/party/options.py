"""What is agreed before the evening: the edition of the party, the venue, the clocks; and who comes."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.party.roles import DESK, MAX_COURTIERS, MIN_COURTIERS
from polemos.kernel.errors import BadOptions
from polemos.kernel.orders import shown

MAX_ROUNDS: Final = 50
MAX_NAME: Final = 60
MAX_TITLE: Final = 80
MAX_GUESTS: Final = 100
MAX_SECONDS: Final = 86_400

Seconds = Annotated[int, Meta(ge=0, le=MAX_SECONDS)]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a party. What the board needs of them is in `board_options`."""

    party: Annotated[
        Literal["2022-04", "2022-02"],
        Meta(description="2022-02 has no summons, no crowd limit, and a raffle for all three winners (12.28)."),
    ] = "2022-04"
    rules: Annotated[
        Literal["classic", "2022-04"],
        Meta(description="The rules of the board, whatever the edition of the party (1.6, 12.28)."),
    ] = "classic"
    venue: Annotated[
        Literal["house", "online"],
        Meta(description="In a house gamerunners enter everything; online everyone acts for themselves (12.26)."),
    ] = "house"
    rounds: Annotated[
        int, Meta(ge=0, le=MAX_ROUNDS, description="How many rounds to play; 0 until the last is announced (12.16).")
    ] = 0
    abstain: Annotated[bool, Meta(description="Monarchs may leave a spy unnamed in the final guess (12.17).")] = False
    collected: Annotated[
        bool, Meta(description="The first orders are collected from the monarchs before the party (12.29).")
    ] = False
    common: Annotated[
        tuple[str, ...], Meta(min_length=1, max_length=12, description="The rooms of the common area (12.11).")
    ] = ("hall",)
    round_seconds: Annotated[Seconds, Meta(description="From the release of the maps to the deadline (12.7).")] = 900
    holding_seconds: Annotated[Seconds, Meta(description="How long a carrier waits at the desk (12.6).")] = 60
    summons_seconds: Annotated[Seconds, Meta(description="How long a summoned person stays (12.13).")] = 60
    evening_seconds: Annotated[Seconds, Meta(description="The round that passes this mark is the last (12.16).")] = (
        10_800
    )


class Court(Struct, frozen=True, forbid_unknown_fields=True):
    """The names of one court."""

    monarch: str
    courtiers: tuple[str, ...]


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that is settled before the first act. The key is that of the game's dice."""

    title: str
    key: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    courts: dict[str, Court]
    guests: tuple[str, ...] = ()  # understudies first
    options: Options = Options()


def board_options(options: Options) -> dict[str, Any]:
    """9.5, 12.28 The options with which the board of this party begins."""
    mode = "court" if options.venue == "online" else "party"
    scoring = "battles" if options.party == "2022-02" else "regiments"
    return {"rules": options.rules, "mode": mode, "scoring": scoring, "turns": options.rounds}


def check(setup: Setup) -> None:
    """12.1 Refuses a setup that no party can begin with."""
    if tuple(sorted(setup.courts)) != tuple(sorted(NATIONS)):
        raise BadOptions(f"There are three courts: {', '.join(NATIONS)}.", rule="12.1")
    for nation, court in setup.courts.items():
        if not MIN_COURTIERS <= len(court.courtiers) <= MAX_COURTIERS:
            wanted = f"It needs {MIN_COURTIERS} to {MAX_COURTIERS}."
            raise BadOptions(f"The {nation} court has {len(court.courtiers)} courtiers. {wanted}", rule="12.1")
    if len(setup.title) > MAX_TITLE or setup.title != shown(setup.title):
        raise BadOptions(f"A title has at most {MAX_TITLE} letters, on one line.", rule="12.1")
    if len(setup.guests) > MAX_GUESTS:
        raise BadOptions(f"There can be at most {MAX_GUESTS} guests.", rule="12.1")
    taken: set[str] = set()
    for name in names(setup):
        check_name(name, taken)
        taken.add(name.casefold())
    rooms = setup.options.common
    if len(set(rooms)) != len(rooms) or {*NATIONS, DESK} & set(rooms) or not all(map(is_tidy, rooms)):
        raise BadOptions("Each room of the common area needs a name of its own.", rule="12.11")


def names(setup: Setup) -> list[str]:
    """Everybody's name: by court the monarch and the courtiers, then the guests."""
    courts = [setup.courts[nation] for nation in NATIONS]
    return [name for court in courts for name in (court.monarch, *court.courtiers)] + list(setup.guests)


def check_name(name: str, taken: set[str]) -> None:
    """12.1 Everybody at the party has a different name."""
    if not is_tidy(name):
        raise BadOptions(f"{shown(name)!r} can't be a name. Write 1 to {MAX_NAME} letters on one line.", rule="12.1")
    if name.casefold() in taken:
        raise BadOptions(f"Two people are called {name}. Add something that tells them apart.", rule="12.1")


def is_tidy(name: str) -> bool:
    return 0 < len(name) <= MAX_NAME and name == shown(name).strip() == " ".join(name.split())
