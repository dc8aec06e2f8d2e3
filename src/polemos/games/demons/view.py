"""What everybody sees of Demons (10.1), as typed messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from polemos.games.demons.ground import BadMap, read_map, write_map
from polemos.games.demons.rules.arrivals import DEMON_DAMAGE, MERCENARY_HEALTH, next_health
from polemos.games.demons.rules.lanes import put_unit
from polemos.games.demons.rules.phases import raise_tower
from polemos.games.demons.setup import Options, figures, first_state, ground_in, quirks_text
from polemos.games.demons.state import (
    ACTS,
    ALL_EQUAL,
    COIN,
    COMPASS,
    DEMON,
    DROPPED_OUT,
    HEALTHIER_BASE,
    KINDS,
    NOBODY,
    PLAYERS,
    Q2,
    Q3,
    Q6,
    Q12,
    Q14,
    REASONS,
    RULES,
    STEP_NAMES,
    TOWERS,
    State,
)
from polemos.games.demons.validate import validate
from polemos.kernel.errors import BadOptions, BadPosition
from polemos.kernel.outcome import Outcome


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
    step: str  # sheet, or builders / mercenaries where decisions are two (2.4)
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

    rules: str
    options: dict[str, str | int]
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
        "coin": "on" if state.coin else "off",
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
        covers={name: tuple(_covered(state, facts[2])) for name, facts in book["towers"].items() if facts[2]},
        spares=bool(state.quirks & Q6),
    )


def _covered(state: State, reach: int) -> Iterator[tuple[int, int]]:
    """8.3 Steps along rows and columns; 11.6 in the finals a circle, whose east and south rim may be left out."""
    cut = state.quirks & Q3
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            round_ = dx * dx + dy * dy <= reach * reach and not (cut and reach in (dx, dy))
            if round_ if state.rules else abs(dx) + abs(dy) <= reach:
                yield dx, dy


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


def observe(state: State, who: str) -> View:
    """10.1 Everybody sees everything but the orders of this turn."""
    return View(
        who=who,
        turn=state.turn,
        turns=state.turns,
        step=STEP_NAMES[state.step],
        bases={name: _base(state, player) for player, name in enumerate(PLAYERS)},
        towers=tuple(_tower(state, i) for i in range(state.towers)),
        units=tuple(_unit(state, i) for i in range(state.units)),
        portals=tuple(_portal(state, i) for i in range(state.portals)),
        prices={
            name: {TOWERS[k]: state.price[player * KINDS + k] for k in range(KINDS) if state.book.price[k]}
            for player, name in enumerate(PLAYERS)
        },
        dropped=tuple(name for player, name in enumerate(PLAYERS) if state.dropped[player]),
        fallen={
            name: (state.fallen[player], state.fallen_health[player])
            for player, name in enumerate(PLAYERS)
            if state.fallen[player] and state.quirks & Q14
        },
        outcome=outcome_of(state),
    )


def _base(state: State, player: int) -> Base:
    return Base(
        x=state.base_x[player],
        y=state.base_y[player],
        health=state.health[player],
        gold=state.gold[player],
        queued={
            letter: state.queue[player * 4 + direction]
            for direction, letter in enumerate(COMPASS)
            if state.exit_lane[player * 4 + direction] >= 0
        },
    )


def _tower(state: State, i: int) -> Tower:
    tower = state.tower[i]
    tile = state.tile[tower.tile]
    return Tower(TOWERS[tower.kind], PLAYERS[tower.owner], tile.x, tile.y, tower.cooldown)


def _unit(state: State, i: int) -> Unit:
    unit = state.unit[i]
    tile = state.tile[unit.tile]
    kind = "demon" if unit.kind >= DEMON else "mercenary"
    return Unit(kind, PLAYERS[unit.kind % 2], tile.x, tile.y, unit.health, unit.damage, ACTS[unit.act])


def _portal(state: State, i: int) -> Portal:
    """7.5 When the next wave comes, for whom, and how strong."""
    portal = state.portal[i]
    tile = state.tile[portal.tile]
    next_in = portal.reload if state.rules else -state.turn % 10
    return Portal(
        x=tile.x,
        y=tile.y,
        next_in=next_in,
        queued=portal.queued,
        target=PLAYERS[portal.target],
        health=next_health(state, i, state.turn if portal.queued else state.turn + next_in),
        fixed=bool(portal.fixed),
        released=portal.released,
    )


# ---- and back


def imagine(setting: Setting, view: View) -> State:
    """The state that a view shows: nothing is hidden, so it is exact."""
    header = f"name: {setting.name}\nsymmetry: {setting.symmetry}\nfacing: {'yes' if setting.facing else 'no'}\n"
    try:
        text = (header if setting.name else header.split("\n", 1)[1]) + "\n".join(setting.rows)
        options = msgspec.convert({**setting.options, "map": text + "\n"}, Options)
        read_map(options.map)
        state = first_state(options, 0)
        _set(state, view)
    except BadPosition:
        raise
    except (BadMap, BadOptions) as error:
        raise BadPosition(error.why, rule=error.rule) from None
    except (ValueError, KeyError, IndexError, OverflowError, msgspec.ValidationError):
        raise BadPosition(
            "This is no view of Demons: it names what does not exist, or a number does not fit."
        ) from None
    validate(state)
    return state


def _set(state: State, view: View) -> None:
    tiles = {(state.tile[i].x, state.tile[i].y): i for i in range(state.tiles)}
    state.turn, state.step = view.turn, STEP_NAMES.index(view.step)
    for i in range(state.towers):
        state.tile[state.tower[i].tile].tower = 0
        state.tower[i] = type(state.tower[i])()
    state.towers = 0
    for name, base in view.bases.items():
        player = PLAYERS.index(name)
        state.gold[player], state.health[player] = base.gold, base.health
        for letter, queued in base.queued.items():
            state.queue[player * 4 + COMPASS.index(letter)] = queued
        for tower_kind, price in view.prices[name].items():
            state.price[player * KINDS + TOWERS.index(tower_kind)] = price
    for tower in view.towers:
        at = tiles[tower.x, tower.y]
        raise_tower(state, PLAYERS.index(tower.owner), TOWERS.index(tower.kind), at)
        state.tower[state.towers - 1].cooldown = tower.cooldown
    for unit in view.units:
        kind = PLAYERS.index(unit.side) + (DEMON if unit.kind == "demon" else 0)
        at = tiles[unit.x, unit.y]
        put_unit(state, at, kind, unit.health, unit.damage)
        for i in range(state.units):
            if state.unit[i].tile == at:
                state.unit[i].act = ACTS.index(unit.state)
    for i, portal in enumerate(view.portals):
        entry = state.portal[i]
        entry.queued, entry.target, entry.released = portal.queued, PLAYERS.index(portal.target), portal.released
        entry.reload = portal.next_in if state.rules else 0
    for name in view.dropped:
        state.dropped[PLAYERS.index(name)] = 1
    for name, (fallen, health) in view.fallen.items():
        state.fallen[PLAYERS.index(name)], state.fallen_health[PLAYERS.index(name)] = fallen, health
    if view.outcome is not None:
        state.reason = REASONS.index(view.outcome.reason)
        state.winner = NOBODY if view.outcome.winner is None else PLAYERS.index(view.outcome.winner)
