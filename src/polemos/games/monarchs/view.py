"""What a nation, a spectator and the umpire may see (9), as typed messages."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from polemos.games.monarchs import odds
from polemos.games.monarchs.board import BASES, CENTRE, INDEX, NAMES, NATIONS, NEIGHBOURS
from polemos.games.monarchs.notation import Bless, March, Order, validate, write_order
from polemos.games.monarchs.rules.sight import is_open, look
from polemos.games.monarchs.start import starting_position
from polemos.games.monarchs.state import MODES, MOST_TURNS, NOBODY, REASONS, RULES, SCORINGS, Sight, State
from polemos.kernel.errors import BadPosition
from polemos.kernel.game import SPECTATOR, UMPIRE, Alert, Option
from polemos.kernel.outcome import Outcome


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

    rules: str
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


def outcome_of(state: State) -> Outcome | None:
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


def observe(state: State, who: str) -> View:
    """9 The position as `who` may know it."""
    nation = NATIONS.index(who) if who in NATIONS else -1
    everything = who == UMPIRE or is_open(state)
    sight = Sight()
    if nation >= 0:
        look(state, nation, sight)
    seen = [hex for hex in range(len(NAMES)) if everything or sight.seen[hex]]
    return View(
        who=who,
        turn=state.turn,
        turns=state.turns,
        hexes={NAMES[hex]: _ground(state, hex) for hex in seen},
        reports={name: _report(state, index) for index, name in enumerate(NATIONS) if everything or index == nation},
        dropped=tuple(name for index, name in enumerate(NATIONS) if state.dropped[index]),
        outcome=outcome_of(state),
    )


def _ground(state: State, hex: int) -> Ground:
    owner = state.owner[hex]
    return Ground(None if owner == NOBODY else NATIONS[owner], state.regiments[hex])


def _report(state: State, nation: int) -> Report:
    """9.4 Victories and defeats as hex names, and the nation's own score."""
    return Report(
        victories=tuple(NAMES[h] for h in range(len(NAMES)) if state.battles[h] & 1 << nation),
        defeats=tuple(NAMES[h] for h in range(len(NAMES)) if state.battles[h] & 8 << nation),
        score=state.score[nation],
        total=state.total[nation],
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
            "This is no view of Monarchs: it names what does not exist, or a number is too large."
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


# ---- what may be ordered


def _free(view: View, draft: Sequence[Order]) -> dict[str, int]:
    """Regiments of `view.who` that the draft leaves unordered, by hex."""
    free = {h: ground.regiments for h, ground in view.hexes.items() if ground.owner == view.who and ground.regiments}
    for order in draft:
        if isinstance(order, March) and order.origin in free:
            free[order.origin] -= order.number
    return free


def options(setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Option]:
    """3 Every march that the draft leaves possible, with its odds, and the blessing if it is still to give."""
    if view.who not in NATIONS or view.outcome is not None or view.who in view.dropped:
        return []
    found = []
    for origin, left in _free(view, draft).items():
        for target in setting.hexes[origin]:
            if left > 0:
                march = March(origin, target, 1)
                found.append(
                    Option(
                        order=msgspec.to_builtins(march),
                        text=write_order(march),
                        least=1,
                        most=left,
                        figures=_figures(setting, view, draft, target, left),
                    )
                )
    if not any(isinstance(order, Bless) for order in draft):
        blessings = [Bless(hex) for hex in setting.hexes]
        found += [Option(order=msgspec.to_builtins(b), text=write_order(b)) for b in blessings]
    return found


def _figures(setting: Setting, view: View, draft: Sequence[Order], target: str, left: int) -> dict[str, object]:
    """What is seen of the target, and the chance in percent for each number: if they do not bless, and if they do.

    Counts what is in sight, together with what the draft already sends there.
    """
    ground = view.hexes.get(target)
    if ground is None or ground.owner in (view.who, None):
        return {}
    if target in setting.bases.values():
        return {"holds": ground.regiments, "base": True}
    if ground.regiments == 0:
        return {"holds": 0}
    sent = sum(order.number for order in draft if isinstance(order, March) and order.target == target)
    blessed = any(isinstance(order, Bless) and order.hex == target for order in draft)
    chances = [
        [float(100 * odds.attack(sent + n - ground.regiments, blessed, they_bless)) for they_bless in (False, True)]
        for n in range(1, left + 1)
    ]
    return {"holds": ground.regiments, "chances": chances}


def line_figures(setting: Setting, view: View, draft: Sequence[Order]) -> list[dict[str, object]]:
    """The odds of each march of the draft, counted with all its other lines."""
    found: list[dict[str, object]] = []
    for i, order in enumerate(draft):
        others = [*draft[:i], *draft[i + 1 :]]
        left = _free(view, others).get(order.origin, 0) if isinstance(order, March) else 0
        found.append(
            _figures(setting, view, others, order.target, left) if isinstance(order, March) and left > 0 else {}
        )
    return found


def alerts(setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Alert]:
    """What is lawful but seldom meant."""
    found = []
    for order in draft:
        if isinstance(order, March):
            host = next((n for n, base in setting.bases.items() if base == order.target), view.who)
            if host != view.who:
                text = f"{order.target} is {host}'s home base: whoever enters it is beaten there."
                found.append(Alert(text, "7.1", order.target))
    if not any(isinstance(order, Bless) for order in draft):
        found.append(Alert("Nothing is blessed yet.", "3.7"))
    if view.turn == (view.turns or MOST_TURNS):
        found.append(Alert("This is the last turn. It counts twice.", "10.4"))
    return found


def figures(view: View) -> dict[str, dict[str, float]]:
    """Curves for charts, as far as they are in sight."""
    land = [(ground.owner, ground.regiments) for ground in view.hexes.values() if ground.owner]
    known = [view.who] if view.who in NATIONS and view.outcome is None else list(NATIONS)
    if view.who == SPECTATOR and not land:
        known = []
    return {
        "hexes": {n: float(sum(owner == n for owner, _ in land)) for n in known},
        "regiments": {n: float(sum(r for owner, r in land if owner == n)) for n in known},
        "score": {n: float(report.score) for n, report in view.reports.items()},
        "total": {n: float(report.total) for n, report in view.reports.items()},
    }
