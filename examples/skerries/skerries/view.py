"""5 What a seat, a spectator or the umpire sees, as messages."""

from __future__ import annotations

from random import Random

from msgspec import Struct

from polemos.kernel.errors import BadPosition
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.outcome import Outcome, by_score
from skerries.notation import Crew, position
from skerries.rules.sea import harbour, is_next
from skerries.rules.sight import look as fill
from skerries.rules.turn import is_over
from skerries.state import BOATS, NAMES, SEATS, SPECTATOR_EYES, UMPIRE_EYES, Sight, State

EYES = {**{name: seat for seat, name in enumerate(SEATS)}, SPECTATOR: SPECTATOR_EYES, UMPIRE: UMPIRE_EYES}


class Setting(Struct, frozen=True, forbid_unknown_fields=True):
    """What never changes and everybody knows."""

    turns: int
    places: dict[str, tuple[str, ...]]  # every skerry with its neighbours (1.2)
    harbours: dict[str, str]


class View(Struct, frozen=True, forbid_unknown_fields=True):
    """The position as `who` may know it."""

    who: str
    turn: int
    seen: tuple[str, ...]  # the skerries in sight; all others lie in the mist
    crews: dict[str, Crew]
    outcome: Outcome | None = None


def setting_of(state: State) -> Setting:
    places = range(3 * state.seats + 1)
    return Setting(
        state.turns,
        {NAMES[one]: tuple(NAMES[two] for two in places if is_next(state.seats, one, two)) for one in places},
        {SEATS[seat]: NAMES[harbour(seat)] for seat in range(state.seats)},
    )


def look(state: State, who: str) -> Sight:
    sight = Sight()
    fill(state, EYES[who], sight)
    return sight


def view_of(sight: Sight) -> View:
    """The sight as a message."""
    crews = {}
    for name, crew in zip(SEATS[: sight.known.seats], sight.known.crews, strict=False):
        boats = {place: number for place, number in zip(NAMES, crew.boats, strict=True) if number}
        crews[name] = Crew(crew.points, None if crew.out else boats)
    return View(
        who=next(name for name, eyes in EYES.items() if eyes == sight.who),
        turn=sight.known.turn,
        seen=tuple(place for place, seen in zip(NAMES, sight.seen, strict=True) if seen),
        crews=crews,
        outcome=outcome_of(sight.known),
    )


def outcome_of(state: State) -> Outcome | None:
    """4.2 The most points win; 4.3 those that dropped out come last."""
    if not is_over(state):
        return None
    scores = {SEATS[seat]: (not state.crews[seat].out, state.crews[seat].points) for seat in range(state.seats)}
    if state.turn > state.turns:
        return by_score(scores, "most points", "4.2")
    return by_score(scores, "the others dropped out", "4.3")


def imagine(setting: Setting, view: View, seed: object) -> State:
    """A state that gives this view. Boats of a seat that nobody sees lie together somewhere in the mist."""
    chance = Random(str(seed))
    hidden = [place for place in setting.places if place not in view.seen]
    crews = dict(view.crews)
    try:
        # Who can hide at home chooses last, so that nobody is left without a place.
        for name, crew in sorted(view.crews.items(), key=lambda item: setting.harbours[item[0]] in hidden):
            missing = 0 if crew.boats is None else BOATS - sum(crew.boats.values())
            if missing > 0:
                foreign = set(setting.harbours.values()) - {setting.harbours[name]}
                place = chance.choice([place for place in hidden if place not in foreign])
                hidden.remove(place)
                crews[name] = Crew(crew.points, {**(crew.boats or {}), place: missing})
    except (KeyError, IndexError):
        raise BadPosition("This is not a view of Skerries: it names what does not exist.") from None
    return position(view.turn, setting.turns, crews)
