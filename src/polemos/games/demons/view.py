"""What everybody sees of Demons (10.1), as typed messages."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final

import numpy as np
from msgspec import Struct

from polemos.games.demons.ground import write_map
from polemos.games.demons.rules import sight as sights
from polemos.games.demons.rules.arrivals import DEMON_DAMAGE, MERCENARY_HEALTH
from polemos.games.demons.rules.towers import reaches
from polemos.games.demons.setup import Options, figures, ground_in, quirks_text
from polemos.games.demons.state import (
    ACTS,
    ALL_EQUAL,
    COIN,
    COINS,
    COMPASS,
    DROPPED_OUT,
    HEALTHIER_BASE,
    KINDS,
    NOBODY,
    PLAYERS,
    Q2,
    Q6,
    Q12,
    REASONS,
    RULES,
    SPECTATOR_EYES,
    STEP_NAMES,
    TOWERS,
    UMPIRE_EYES,
    Sight,
    State,
)
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.outcome import Outcome
from polemos.kernel.record import Record
from polemos.kernel.renamed import ONCE_SEED, holds_options

_EYES: Final = {"red": 0, "blue": 1, SPECTATOR: SPECTATOR_EYES, UMPIRE: UMPIRE_EYES}
_NAMES: Final = {number: name for name, number in _EYES.items()}
_SORTS: Final = ("mercenary", "mercenary", "demon", "demon")  # of the kinds of units


class Base(Struct, frozen=True, forbid_unknown_fields=True):
    x: int
    y: int
    health: int
    gold: int
    queued: dict[str, int]  # compass letter to mercenaries waiting there; directions without a lane are missing


class Tower(Struct, frozen=True, forbid_unknown_fields=True):
    kind: str  # house, crossbow, cannon, minigun, church
    owner: str
    x: int
    y: int
    cooldown: int  # turns until it acts, this one included


class Unit(Struct, frozen=True, forbid_unknown_fields=True):
    kind: str  # mercenary or demon
    side: str  # a mercenary's owner; the target of a demon
    x: int
    y: int
    health: int
    damage: int
    state: str  # what it did last: moving, fighting, waiting, new


class Portal(Struct, frozen=True, forbid_unknown_fields=True):
    """7.5 A demon spawner and what it will do next."""

    x: int
    y: int
    next_in: int  # turns to the next wave; 0: this very turn
    queued: int
    target: str  # of the next demon
    health: int  # of the next demon
    fixed: bool
    released: int = 0  # demons so far


class View(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything but the orders of this turn."""

    who: str
    turn: int  # the clock: the turn to be ordered now
    turns: int
    step: str  # sheet; builders, mercenaries where decisions are two (2.4); toss, then toss red or toss blue (9.4)
    bases: dict[str, Base]
    towers: tuple[Tower, ...]
    units: tuple[Unit, ...]
    portals: tuple[Portal, ...]
    prices: dict[str, dict[str, int]]  # player, kind of tower, gold
    dropped: tuple[str, ...] = ()
    fallen: dict[str, tuple[int, int]] = {}  # mercenaries killed this turn and their health, where it counts (11.13)
    outcome: Outcome | None = None


class TowerFacts(Struct, frozen=True, forbid_unknown_fields=True):
    price: int
    cooldown: int
    range: int
    damage: int


class MercenaryFacts(Struct, frozen=True, forbid_unknown_fields=True):
    price: int
    health: int
    damage: int


class Guide(Struct, frozen=True, forbid_unknown_fields=True):
    """Figures of the rules that people want to see on a board."""

    health: int  # of a base at the start
    wave: int  # turns from wave to wave (7.2, 11.12)
    ready: int  # the cooldown with which a tower acts this turn (8.2, 11.5)
    mercenary: MercenaryFacts
    covers: dict[str, tuple[tuple[int, int], ...]]  # kind of tower, tiles in its range as steps east and south (8.3)
    demon_damage: int = DEMON_DAMAGE  # of a demon that no rule has strengthened (5.7)
    spares: bool = False  # towers leave demons alone that are bound for the other base (11.7)


class Setting(Struct, frozen=True, forbid_unknown_fields=True):
    """What never changes in a match."""

    rules: Annotated[str, ONCE_SEED]
    options: Annotated[dict[str, str | int], holds_options(Options)]
    name: str  # of the map
    symmetry: str
    rows: tuple[str, ...]  # the map in our text format, one letter a tile
    lanes: tuple[tuple[tuple[int, int], ...], ...]  # tiles from red's base to blue's, lane by lane as red counts them
    lane_of_blue: tuple[int, ...]  # blue's lane i is this lane
    directions: dict[str, dict[str, str]]  # player, word (ahead, back, left, right), compass letter
    towers: dict[str, TowerFacts]
    facing: bool = False
    guide: Guide | None = None


# ---- from the state to the view


def options_in(state: State) -> dict[str, Any]:
    """The options of a match in full."""
    return {
        "rules": RULES[state.rules],
        "map": write_map(ground_in(state)),
        "turns": state.turns,
        "decisions": "two" if state.two_decisions else "one",
        "coin": COINS[state.coin],
        "limit_by_hp": "on" if state.limit_by_hp else "off",
        "quirks": quirks_text(state.quirks) if state.rules else "all",
        "first": ("red", "blue", "drawn")[state.first],
    }


def setting_of(state: State) -> Setting:
    ground = ground_in(state)
    options = options_in(state)
    del options["map"]
    return Setting(
        rules=RULES[state.rules],
        options=options,
        name=ground.name,
        symmetry=ground.symmetry,
        rows=ground.rows,
        lanes=ground.lanes,
        lane_of_blue=ground.lane_of_blue,
        directions=ground.directions,
        towers={name: TowerFacts(*facts) for name, facts in figures(RULES[state.rules])["towers"].items()},
        facing=ground.facing,
        guide=_guide(state),
    )


def _guide(state: State) -> Guide:
    book = figures(RULES[state.rules])
    return Guide(
        health=book["health"],
        wave=11 if state.quirks & Q12 else 10,
        ready=0 if state.quirks & Q2 else 1,
        mercenary=MercenaryFacts(book["mercenary_price"], MERCENARY_HEALTH, book["mercenary_damage"]),
        covers={
            name: _covered(state.rules, state.quirks, facts[2]) for name, facts in book["towers"].items() if facts[2]
        },
        spares=bool(state.quirks & Q6),
    )


@cache
def _covered(rules: int, quirks: int, reach: int) -> tuple[tuple[int, int], ...]:
    """8.3, 11.6 Where a tower of a range reaches, row by row, in steps east and south of it."""
    steps = range(-reach, reach + 1)
    return tuple((dx, dy) for dy in steps for dx in steps if reaches(rules, quirks, reach, dx, dy))


def outcome_of(state: State) -> Outcome | None:
    """9 Who won and why."""
    if not state.reason:
        return None
    rules = {1: "9.2", COIN: "9.4", HEALTHIER_BASE: "9.5", DROPPED_OUT: "9.6"}
    rules[ALL_EQUAL] = "11.13" if state.rules else "9.4"
    draw = state.winner == NOBODY
    if state.dropped[0] and state.dropped[1]:
        rules = {}
    otherwise = "9.6" if not rules else "9.5" if state.turn == state.turns else "9.3"
    winner = None if draw else PLAYERS[state.winner]
    return Outcome(
        winner=winner,
        places=PLAYERS if draw or winner == "red" else ("blue", "red"),
        points={player: 0.5 if draw else float(player == winner) for player in PLAYERS},
        reason=REASONS[state.reason],
        rule=rules.get(state.reason, otherwise),
    )


def look(state: State, who: str) -> Sight:
    """10.1 What a player, the spectators or the umpire may know of a state."""
    sight = Sight()
    sights.look(state, _EYES[who], sight)
    return sight


def view(sight: Sight) -> View:
    """The same as a message."""
    state, seen = sight.state, numbers_of(sight)["state"]
    xs, ys = (seen["tile"][axis][: state.tiles].tolist() for axis in ("x", "y"))
    gold, health = seen["gold"].tolist(), seen["health"].tolist()
    queue, lanes = seen["queue"].tolist(), seen["exit_lane"].tolist()
    price, sold = seen["price"].tolist(), [kind for kind in range(KINDS) if state.book.price[kind]]
    return View(
        who=_NAMES[sight.who],
        turn=state.turn,
        turns=state.turns,
        step=STEP_NAMES[state.step],
        bases={
            name: Base(
                x=state.base_x[player],
                y=state.base_y[player],
                health=health[player],
                gold=gold[player],
                queued={
                    letter: queue[player * 4 + direction]
                    for direction, letter in enumerate(COMPASS)
                    if lanes[player * 4 + direction] >= 0
                },
            )
            for player, name in enumerate(PLAYERS)
        },
        towers=tuple(
            [
                Tower(TOWERS[kind], PLAYERS[owner], xs[tile], ys[tile], cooldown)
                for tile, kind, owner, cooldown in seen["tower"][: state.towers].tolist()
            ]
        ),
        units=tuple(
            [
                Unit(_SORTS[kind], PLAYERS[kind % 2], xs[tile], ys[tile], health_, damage, ACTS[act])
                for tile, kind, act, health_, damage in seen["unit"][: state.units].tolist()
            ]
        ),
        portals=tuple([_portal(sight, i, xs, ys) for i in range(state.portals)]),
        prices={
            name: {TOWERS[kind]: price[player * KINDS + kind] for kind in sold} for player, name in enumerate(PLAYERS)
        },
        dropped=tuple([name for player, name in enumerate(PLAYERS) if state.dropped[player]]),
        fallen={
            name: (state.fallen[player], state.fallen_health[player])
            for player, name in enumerate(PLAYERS)
            if state.fallen[player]
        },
        outcome=outcome_of(state),
    )


def _portal(sight: Sight, i: int, xs: list[int], ys: list[int]) -> Portal:
    """7.5 When the next wave comes, for which side, and how strong."""
    portal = sight.state.portal[i]
    return Portal(
        x=xs[portal.tile],
        y=ys[portal.tile],
        next_in=sight.next_in[i],
        queued=portal.queued,
        target=PLAYERS[portal.target],
        health=sight.next_health[i],
        fixed=bool(portal.fixed),
        released=portal.released,
    )


def numbers_of(record: Record) -> Any:
    """All fields of a record at once, sharing its memory; reading them one by one takes several times as long."""
    return np.frombuffer(memoryview(record), dtype=type(record).dtype, count=1)[0]
