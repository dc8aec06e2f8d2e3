"""What everybody sees of Demons (10.1), as typed messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from polemos.games.demons.ground import BadMap, read_map, write_map
from polemos.games.demons.notation import Build, Destroy, Hire, Order, Provoke, write_order
from polemos.games.demons.rules.arrivals import next_health
from polemos.games.demons.rules.lanes import put_unit
from polemos.games.demons.rules.phases import PROVOKING, raise_tower
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
    Q14,
    REASONS,
    RULES,
    STEP_NAMES,
    TOWERS,
    State,
)
from polemos.games.demons.validate import validate
from polemos.kernel.errors import BadOptions, BadPosition
from polemos.kernel.game import Alert, Option
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
    )


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


# ---- what may be ordered


def options(setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Option]:
    """3, 4 What is still lawful beside the draft, at the prices of this turn."""
    if view.who not in PLAYERS or view.outcome is not None or view.who in view.dropped:
        return []
    built = any(isinstance(order, Build | Destroy) for order in draft)
    hired = any(isinstance(order, Hire) for order in draft)
    gold = view.bases[view.who].gold - _spent(setting, view, draft)
    found: list[Order] = []
    if not built and view.step != "mercenaries":
        found += _buildings(setting, view, gold)
    if not hired and view.step != "builders":
        price = figures(setting.rules)["mercenary_price"]
        found += [
            Hire(letter)
            for letter, queued in view.bases[view.who].queued.items()
            if gold >= price and (queued == 0 or setting.rules != "seed")
        ]
    if setting.rules != "seed" and gold >= PROVOKING and not any(isinstance(order, Provoke) for order in draft):
        found.append(Provoke())
    return [Option(order=msgspec.to_builtins(order), text=write_order(order)) for order in found]


def _spent(setting: Setting, view: View, draft: Sequence[Order]) -> int:
    """What the draft costs; what a destruction brings back counts against it where it can be spent."""
    spent = 0
    for order in draft:
        if isinstance(order, Build):
            spent += view.prices[view.who].get(order.tower, 0)
        elif isinstance(order, Hire):
            spent += int(figures(setting.rules)["mercenary_price"])
        elif isinstance(order, Provoke):
            spent += PROVOKING
        elif setting.rules == "seed":
            kinds = [tower.kind for tower in view.towers if (tower.x, tower.y) == (order.x, order.y)]
            spent -= sum(setting.towers[kind].price // 2 for kind in kinds)
    return spent


def _buildings(setting: Setting, view: View, gold: int) -> list[Order]:
    mine = "rp" if view.who == "red" else "bq"
    taken = {(tower.x, tower.y): tower for tower in view.towers}
    found: list[Order] = []
    for y, row in enumerate(setting.rows):
        for x, letter in enumerate(row):
            if letter in mine:
                if (x, y) in taken:
                    found.append(Destroy(x, y))
                else:
                    found += [Build(kind, x, y) for kind, price in view.prices[view.who].items() if price <= gold]
    return found


def alerts(setting: Setting, view: View, draft: Sequence[Order] = ()) -> list[Alert]:
    """What a player would want to know before filing."""
    found = []
    for portal in view.portals:
        if portal.next_in <= 1 and portal.target == view.who:
            when = "this turn" if portal.next_in == 0 else "next turn"
            text = f"A demon of {portal.health} health comes for you {when} at {portal.x},{portal.y}."
            found.append(Alert(text, "7.5", f"{portal.x},{portal.y}"))
    return found


def curves(view: View) -> dict[str, dict[str, float]]:
    """Curves for charts."""
    return {
        "gold": {name: float(base.gold) for name, base in view.bases.items()},
        "health": {name: float(base.health) for name, base in view.bases.items()},
        "towers": {name: float(sum(tower.owner == name for tower in view.towers)) for name in PLAYERS},
        "mercenaries": {
            name: float(sum(unit.side == name and unit.kind == "mercenary" for unit in view.units)) for name in PLAYERS
        },
    }
