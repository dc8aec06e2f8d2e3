"""What a nation, a spectator and the umpire may see (9), as typed messages."""

from __future__ import annotations

import random
from typing import Annotated

from msgspec import Struct

from polemos.games.monarchs.board import BASES, CENTRE, INDEX, NAMES, NATIONS, NEIGHBOURS
from polemos.games.monarchs.notation import validate
from polemos.games.monarchs.rules import sight as seeing
from polemos.games.monarchs.start import starting_position
from polemos.games.monarchs.state import (
    MODES,
    NOBODY,
    REASONS,
    RULES,
    SCORINGS,
    SPECTATOR_EYES,
    UMPIRE_EYES,
    Sight,
    State,
)
from polemos.kernel.errors import BadPosition
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.outcome import Outcome
from polemos.kernel.renamed import ONCE_SEED


class Ground(Struct, frozen=True, forbid_unknown_fields=True):
    """A hex in sight: whose it is (None: unclaimed) and how many of the owner's regiments stand on it (9.2)."""

    owner: str | None
    regiments: int


class Report(Struct, frozen=True, forbid_unknown_fields=True):
    """What comes with the map of one nation about the turn just played (9.4)."""

    victories: tuple[str, ...]
    defeats: tuple[str, ...]
    score: int
    total: int


class View(Struct, frozen=True, forbid_unknown_fields=True):
    """The position as `who` may know it. A hex that is missing from `hexes` lies in the fog (9.3)."""

    who: str  # a nation, "spectator" or "umpire"
    turn: int  # the turn that is to be ordered now; after the end the last turn plus one
    turns: int  # the number of turns of the game; 0 while the last one is not announced (10.4)
    hexes: dict[str, Ground]
    reports: dict[str, Report]  # a nation gets its own; the umpire, and everybody after the end, all three
    dropped: tuple[str, ...] = ()  # nations that gave up their orders (10.6)
    outcome: Outcome | None = None


class Setting(Struct, frozen=True, forbid_unknown_fields=True):
    """What never changes in a match and everybody may know; sent once."""

    rules: Annotated[str, ONCE_SEED]
    mode: str
    scoring: str
    hexes: dict[str, tuple[str, ...]]  # every hex with its neighbours
    bases: dict[str, str]  # nation to home base
    centre: str


# ---- from the state to the view


def setting_of(state: State) -> Setting:
    return Setting(
        rules=RULES[state.rules],
        mode=MODES[state.mode],
        scoring=SCORINGS[state.scoring],
        hexes={name: tuple(NAMES[other] for other in NEIGHBOURS[hex]) for name, hex in INDEX.items()},
        bases={nation: NAMES[base] for nation, base in zip(NATIONS, BASES, strict=True)},
        centre=NAMES[CENTRE],
    )


def outcome_of(state: State | Sight) -> Outcome | None:
    """10.5 The places, once the last turn was played."""
    if not state.reason:
        return None
    places = tuple(NATIONS[state.places[place]] for place in range(3))
    return Outcome(
        winner=places[0],
        places=places,
        points={nation: 1.0 if nation == places[0] else 0.0 for nation in NATIONS},
        reason=REASONS[state.reason],
        rule="10.6" if REASONS[state.reason] == "the others dropped out" else "10.5",
    )


_EYES = {**{name: nation for nation, name in enumerate(NATIONS)}, SPECTATOR: SPECTATOR_EYES, UMPIRE: UMPIRE_EYES}
_WHOSE = {eyes: name for name, eyes in _EYES.items()}


def look(state: State, who: str) -> Sight:
    """9 All that `who` may know."""
    sight = Sight()
    seeing.look(state, _EYES[who], sight)
    return sight


def view_of(sight: Sight) -> View:
    """The sight as a message."""
    # Read at once: a record is asked for single numbers much more slowly.
    owner, regiments, seen = list(sight.owner), list(sight.regiments), list(sight.seen)
    return View(
        who=_WHOSE[sight.who],
        turn=sight.turn,
        turns=sight.turns,
        hexes={name: Ground(_OWNERS[owner[hex]], regiments[hex]) for hex, name in enumerate(NAMES) if seen[hex]},
        reports={name: _report(sight, nation) for nation, name in enumerate(NATIONS) if sight.reported[nation]},
        dropped=tuple(name for nation, name in enumerate(NATIONS) if sight.dropped[nation]),
        outcome=outcome_of(sight),
    )


_OWNERS = (*NATIONS, None)


def _report(sight: Sight, nation: int) -> Report:
    """9.4 Victories and defeats as hex names, and the nation's own score."""
    battles = list(sight.battles)
    return Report(
        victories=tuple(name for hex, name in enumerate(NAMES) if battles[hex] & 1 << nation),
        defeats=tuple(name for hex, name in enumerate(NAMES) if battles[hex] & 8 << nation),
        score=sight.score[nation],
        total=sight.total[nation],
    )


# ---- and back


def imagine(setting: Setting, view: View, seed: object) -> State:
    """A state that agrees with the view; what lies in the fog is drawn from the seed."""
    try:
        state = starting_position(setting.rules, MODES.index(setting.mode), SCORINGS.index(setting.scoring), view.turns)
        state.turn = view.turn
        if (state.turn, state.turns) != (view.turn, view.turns):
            raise ValueError(f"turn {view.turn} of {view.turns}")
        if view.who == UMPIRE and (set(view.hexes) != set(NAMES) or set(view.reports) != set(NATIONS)):
            raise ValueError("the umpire sees all 61 hexes and three reports")
        _set_reports(state, view)
        for nation in view.dropped:
            state.dropped[NATIONS.index(nation)] = 1
        if view.outcome is not None:
            state.reason = REASONS.index(view.outcome.reason)
            for place, nation in enumerate(view.outcome.places):
                state.places[place] = NATIONS.index(nation)
        _set_ground(state, view, random.Random(f"{seed}"))
    except (ValueError, KeyError, IndexError, OverflowError):
        raise BadPosition(
            "This is not a view of Monarchs: it names something that does not exist, or a number is too large."
        ) from None
    validate(state)
    return state


def _set_reports(state: State, view: View) -> None:
    for name, report in view.reports.items():
        nation = NATIONS.index(name)
        state.score[nation], state.total[nation] = report.score, report.total
        if (state.score[nation], state.total[nation]) != (report.score, report.total):
            raise ValueError(f"a score of {report.score}, {report.total}")
        for hex in report.victories:
            state.battles[INDEX[hex]] |= 1 << nation
        for hex in report.defeats:
            state.battles[INDEX[hex]] |= 8 << nation


def _set_ground(state: State, view: View, chance: random.Random) -> None:
    """What is seen is set as seen. Hidden land goes mostly to its first owner, hidden regiments stand there."""
    totals = [sum(state.regiments[h] for h in range(len(NAMES)) if state.owner[h] == n) for n in range(3)]
    strangers = [n for n, name in enumerate(NATIONS) if name != view.who]
    hidden: list[int] = []
    for hex, name in enumerate(NAMES):
        state.regiments[hex] = 0
        if name in view.hexes:
            ground = view.hexes[name]
            state.owner[hex] = NOBODY if ground.owner is None else NATIONS.index(ground.owner)
            state.regiments[hex] = ground.regiments
            if state.regiments[hex] != ground.regiments:
                raise ValueError(f"{ground.regiments} regiments on {name}")
        else:
            hidden.append(hex)
            if hex not in BASES and (state.owner[hex] not in strangers or chance.random() < 0.2):
                state.owner[hex] = chance.choice(strangers)
    for nation in strangers:
        land = [hex for hex in hidden if state.owner[hex] == nation]
        seen = sum(state.regiments[h] for h in range(len(NAMES)) if state.owner[h] == nation)
        for _ in range(totals[nation] - seen if land else 0):
            state.regiments[chance.choice(land)] += 1
