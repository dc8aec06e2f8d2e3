"""Positions as text, loss-free both ways: clauses separated by `;` or new lines.

`map twin-gates` or `rows RoooB/...` with `symmetry half-turn` and `name "Twin Gates"`; `rules classic`; `turn 3/1000`;
`portals 9,4 7,4` where their order is not the reading order; `gold red 20 blue 8`; `health red 93 blue 100`;
`merc red 5,1 20`; `demon red 6,1 10` (one that walks to red);
`tower cannon red 4,0 cd 1`; `queue red E`; `portal 6,1 next blue queue 0`; `no houses` takes the start houses away.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from polemos.games.demons.ground import BadMap, Ground, load, read_map, read_places, sound, write_map
from polemos.games.demons.notation import place_in, player_of, tower_of, towers_listed
from polemos.games.demons.rules.lanes import put_unit, unit_on
from polemos.games.demons.rules.phases import raise_tower
from polemos.games.demons.setup import Options, figures, first_state, ground_in, quirks_text, towers_in
from polemos.games.demons.state import (
    ACTS,
    COINS,
    COMPASS,
    DEMON,
    FELL,
    HIRING,
    KINDS,
    MAX_PORTALS,
    MAX_UNITS,
    NOBODY,
    PLAYERS,
    REASONS,
    RULES,
    STEP_NAMES,
    TOSS,
    TOWERS,
    State,
)
from polemos.games.demons.validate import validate
from polemos.kernel import valid
from polemos.kernel.errors import BadOptions, BadPosition, NotationError
from polemos.kernel.renamed import renamed

_MAX_TEXT = 60_000


def write_position(state: State) -> str:
    """Everything in a state."""
    ground = ground_in(state)
    clauses = [f"name {msgspec.json.encode(ground.name).decode().replace(';', chr(92) + 'u003b')}"]
    clauses += [f"symmetry {ground.symmetry}", *(["facing"] if ground.facing else [])]
    clauses += [f"portals {' '.join(f'{x},{y}' for x, y in ground.order)}"] if ground.order else []
    clauses += [f"rows {'/'.join(ground.rows)}", f"rules {RULES[state.rules]}", f"turn {state.turn}/{state.turns}"]
    clauses += [f"step {STEP_NAMES[min(state.step, HIRING)]}"] if state.two_decisions else []
    clauses += [STEP_NAMES[state.step]] if state.step >= TOSS else []
    clauses += [f"coin {COINS[state.coin]}"] if state.coin else []
    clauses += ["limit_by_hp on"] if state.limit_by_hp else []
    clauses += [f"quirks {quirks_text(state.quirks)}"] if state.rules else ["no houses"]
    clauses += [f"first {PLAYERS[state.first]}"] if state.first < 2 else []
    for word, values in (("gold", state.gold), ("health", state.health)):
        clauses.append(f"{word} red {values[0]} blue {values[1]}")
    for player, name in enumerate(PLAYERS):
        if state.rules:
            clauses.append(f"prices {name} " + " ".join(str(state.price[player * KINDS + k]) for k in range(KINDS)))
        for direction, letter in enumerate(COMPASS):
            if queued := state.queue[player * 4 + direction]:
                clauses.append(f"queue {name} {letter} {queued}")
        if state.dropped[player]:
            clauses.append(f"dropped {name}")
        if state.fallen[player] or state.fallen_health[player]:
            clauses.append(f"fallen {name} {state.fallen[player]} {state.fallen_health[player]}")
    clauses += [_unit(state, i) for i in range(state.units)]
    for i in range(state.towers):
        tower = state.tower[i]
        clauses.append(
            f"tower {TOWERS[tower.kind]} {PLAYERS[tower.owner]} {_place(state, tower.tile)} cd {tower.cooldown}"
        )
    for i in range(state.portals):
        p = state.portal[i]
        clauses.append(
            f"portal {_place(state, p.tile)} next {PLAYERS[p.target]} queue {p.queued}"
            f" released {p.released} reload {p.reload}"
        )
    if state.reason:
        clauses.append(f"ended {'nobody' if state.winner == NOBODY else PLAYERS[state.winner]} {state.reason}")
    return "; ".join(clauses)


def _place(state: State, tile: int) -> str:
    return f"{state.tile[tile].x},{state.tile[tile].y}"


def _unit(state: State, i: int) -> str:
    unit = state.unit[i]
    kind = "demon" if unit.kind >= DEMON else "merc"
    place, side = _place(state, unit.tile), PLAYERS[unit.kind % 2]
    return f"{kind} {side} {place} {unit.health} {unit.damage} {ACTS[unit.act]}"


def read_position(text: str) -> State:
    """The state that a text means; raises BadPosition."""
    if len(text) > _MAX_TEXT:
        raise BadPosition("The text is too long for a position.")
    clauses = [part.strip() for part in re.split(r"[;\n]", text) if part.strip()]
    try:
        reader = _Reader(clauses)
        for clause in clauses:
            try:
                reader.clause(clause)
            except (ValueError, IndexError, KeyError, OverflowError):
                raise BadPosition(f"{clause[:60]!r} is not a clause of a position.") from None
    except (NotationError, BadMap, BadOptions) as error:
        raise BadPosition(error.why, rule=error.rule) from None
    except msgspec.MsgspecError:
        raise BadPosition("Write the name of the map in quotation marks.") from None
    validate(reader.state)
    return reader.state


_SETTING = ("map", "name", "symmetry", "facing", "portals", "rows", "rules", "coin", "limit_by_hp", "quirks", "first")


class _Reader:
    """First the map and the options, then clause by clause what stands on the board."""

    def __init__(self, clauses: list[str]) -> None:
        facts: dict[str, str] = {}
        for clause in clauses:
            key, _, rest = clause.partition(" ")
            if key in _SETTING:
                if key in facts:
                    raise BadPosition(f"{key!r} is given twice.")
                facts[key] = rest.strip()
        ground = self._ground(facts)
        two = any(clause.startswith("step ") for clause in clauses)
        chosen: dict[str, Any] = {
            key: facts[key] for key in ("rules", "coin", "limit_by_hp", "quirks", "first") if key in facts
        }
        try:
            options = msgspec.convert(
                {"map": write_map(ground), "decisions": "two" if two else "one", **renamed(Options, chosen)}, Options
            )
        except msgspec.ValidationError as error:
            why = valid.complaint(Options, chosen, "option", "of Demons")
            raise BadPosition(why or f"{error}.") from None
        self.state = first_state(options, 0)
        self.tiles = {(self.state.tile[i].x, self.state.tile[i].y): i for i in range(self.state.tiles)}

    @staticmethod
    def _ground(facts: dict[str, str]) -> Ground:
        if "rows" not in facts:
            return load(facts.get("map", "twin-gates"))
        name = msgspec.json.decode(facts["name"], type=str) if "name" in facts else ""
        ground = read_map("\n".join(facts["rows"].split("/")))
        ground = sound(Ground(name, facts.get("symmetry", ground.symmetry), ground.rows, "facing" in facts))
        return ground.ordered(read_places(facts["portals"])) if "portals" in facts else ground

    def tile(self, text: str) -> int:
        place = place_in(text)
        if place not in self.tiles:
            raise BadPosition(f"Nothing can stand at {place[0]},{place[1]}.", rule="1.9")
        return self.tiles[place]

    def clause(self, clause: str) -> None:
        key, *rest = clause.split()
        state = self.state
        match key, rest:
            case ("turn", [numbers]):
                turn, slash, turns = numbers.partition("/")
                state.turn, state.turns = _count(turn), _count(turns) if slash else state.turns
            case ("step", [name]):
                state.step = STEP_NAMES.index(name, 0, TOSS)
            case (("gold" | "health"), [_, _] | [_, _, _, _]):
                for player, number in zip(rest[::2], rest[1::2], strict=True):
                    (state.gold if key == "gold" else state.health)[_player(player)] = _signed(number)
            case ("prices", [player, *prices]) if len(prices) == KINDS:
                for kind, price in enumerate(prices):
                    state.price[_player(player) * KINDS + kind] = _count(price)
            case (("merc" | "demon"), [player, place, *more]) if len(more) <= 3:
                self.unit(_player(player) + (DEMON if key == "demon" else 0), self.tile(place), more)
            case ("tower", [kind, player, place, *more]) if not more or (more[0] == "cd" and len(more) == 2):
                self.tower(self.kind(kind), _player(player), self.tile(place), more[1] if more else None)
            case ("queue", [player, letter, *more]) if len(more) <= 1:
                state.queue[_player(player) * 4 + COMPASS.index(letter)] = _count(more[0]) if more else 1
            case ("portal", [place, *more]):
                self.portal(self.tile(place), more)
            case ("portal-queue", [place]):
                self.portal(self.tile(place), ["queue", "1"])
            case ("dropped", [player]):
                state.dropped[_player(player)] = 1
            case ("fallen", [player, number, health]):
                state.fallen[_player(player)], state.fallen_health[_player(player)] = _count(number), _signed(health)
            case ("ended", [winner, reason]):
                state.winner = NOBODY if winner == "nobody" else _player(winner)
                state.reason = REASONS.index(REASONS[_count(reason)])
            case ("toss", []):
                state.step = TOSS
            case ("toss", [player]):
                state.step = FELL + _player(player)
            case ("no", ["houses"]):
                for i in range(state.towers):
                    state.tile[state.tower[i].tile].tower = 0
                    state.tower[i] = type(state.tower[i])()
                state.towers = 0
            case ("no", ["portals"]):
                for i in range(state.portals):
                    state.portal[i] = type(state.portal[i])()
                state.portals = 0
                state.first = 2
            case _ if key in _SETTING:
                pass  # read before
            case _:
                raise ValueError(clause)

    def unit(self, kind: int, tile: int, more: list[str]) -> None:
        state = self.state
        if unit_on(state, tile) >= 0 or state.units == MAX_UNITS:
            raise BadPosition("Two units stand on one tile.", rule="1.9")
        if tile >= state.path:
            raise BadPosition("A unit stands off the path.", rule="1.9")
        damage = state.book.mercenary_damage if kind < DEMON or not state.rules else 10
        put_unit(state, tile, kind, _signed(more[0]) if more else 20, _count(more[1]) if len(more) > 1 else damage)
        if len(more) > 2:
            state.unit[unit_on(state, tile)].act = ACTS.index(more[2])

    def kind(self, word: str) -> str:
        """8.1 A tower by name; a refusal lists those of the rules that are played."""
        try:
            return tower_of(word)
        except NotationError as error:
            known = towers_listed(towers_in(self.state))
            raise BadPosition(error.why.replace(towers_listed(), known), rule=error.rule) from None

    def tower(self, kind: str, player: int, tile: int, cooldown: str | None) -> None:
        state = self.state
        if tile < state.path or state.tile[tile].kind != player or state.tile[tile].tower:
            raise BadPosition("A tower stands off its owner's land, or on another tower.", rule="1.9")
        if kind not in figures(RULES[state.rules])["towers"]:
            raise BadPosition(f"There is no {kind} under these rules. {towers_listed(towers_in(state))}", rule="8.1")
        raise_tower(state, player, TOWERS.index(kind), tile)
        if cooldown is not None:
            state.tower[state.towers - 1].cooldown = _count(cooldown)

    def portal(self, tile: int, more: list[str]) -> None:
        """An existing portal's figures, or with `6,1 red [fixed]` a new one."""
        state = self.state
        found = [i for i in range(state.portals) if state.portal[i].tile == tile]
        if not found and tile < state.path and state.portals < MAX_PORTALS and more:
            self._new_portal(tile, more)
            return
        portal = state.portal[found[0]]
        for key, value in zip(more[::2], more[1::2], strict=True):
            match key:
                case "next":
                    portal.target = _player(value)
                case "queue":
                    portal.queued = _count(value)
                case "released":
                    portal.released = _count(value)
                case "reload":
                    portal.reload = _count(value)
                case _:
                    raise ValueError(key)

    def _new_portal(self, tile: int, more: list[str]) -> None:
        state = self.state
        portal = state.portal[state.portals]
        portal.tile, portal.first, portal.target = tile, _player(more[0]), _player(more[0])
        portal.fixed = more[1:] == ["fixed"]
        portal.reload = 10 if state.rules else 0
        if more[1:] not in ([], ["fixed"]):
            raise ValueError(more)
        state.portals += 1


def _player(word: str) -> int:
    return PLAYERS.index(player_of(word))


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text, re.ASCII):
        raise ValueError(text)
    return int(text)


def _signed(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,9}", text, re.ASCII):
        raise ValueError(text)
    return int(text)
