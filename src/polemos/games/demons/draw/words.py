"""A position of Demons in words, for captions, the printed page, the terminal and people who cannot see the picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from polemos.games.demons.draw.facts import SIDES, covers, guide, wait
from polemos.games.demons.view import Base, Setting, Tower, Unit, View
from polemos.pictures.svg import clean

Row: TypeAlias = tuple[str, str]  # a heading and what belongs to it

_DOING: Final = {"fighting": ", fights", "waiting": ", waits"}
_WORDS: Final = {"N": "north", "E": "east", "S": "south", "W": "west"}
_LONGEST: Final = 40  # characters of a map's name


def map_name(setting: Setting) -> str:
    """The name of the map, which people gave: without control characters, and not too long."""
    name = clean(setting.name[: 4 * _LONGEST])
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


def name(setting: Setting, view: View) -> str:
    named = f", {map_name(setting)}" if map_name(setting) else ""
    return f"Demons{named}. {moment(view)} {verdict(view)}".rstrip()


def moment(view: View) -> str:
    """The turn in progress, or how the game ended."""
    if view.outcome is not None:
        return f"Over {_when(view)}."
    if view.step.startswith("toss"):
        return f"{_when(view).capitalize()}: the coin decides."
    step = "" if view.step in ("", "sheet") else f", {view.step}"
    return f"Turn {view.turn} of {view.turns}{step}."


def _when(view: View) -> str:
    """When it ended: in the middle of a turn, or at the limit (9.1)."""
    return f"on turn {view.turn}" if view.turn < view.turns else f"after {view.turns} turns"


def position(setting: Setting, view: View) -> str:
    """The map, and after which turn it is drawn."""
    if view.outcome is not None:
        return f"{map_name(setting)}, {_when(view)}: {view.outcome.reason}. Rule {view.outcome.rule}."
    if view.turn == 0:
        return f"{map_name(setting)}. Starting position."
    return f"{map_name(setting)}. Position after turn {view.turn - 1}."


def note(view: View) -> str:
    """Who won; empty before the end."""
    if view.outcome is None:
        return ""
    return f"{view.outcome.winner.capitalize()} wins" if view.outcome.winner else "A draw"


def verdict(view: View) -> str:
    """How it ended and by which paragraph; empty before the end."""
    return f"{note(view)}: {view.outcome.reason}. Rule {view.outcome.rule}." if view.outcome else ""


def until(turns: int) -> str:
    return "this turn" if turns <= 0 else "in 1 turn" if turns == 1 else f"in {turns} turns"


def tower_told(setting: Setting, view: View, tower: Tower) -> Row:
    """Which tower it is; when it acts and what it covers."""
    facts = setting.towers[tower.kind]
    subject = f"{tower.owner.capitalize()} {tower.kind} at {tower.x},{tower.y}."
    said = f"Acts {until(wait(setting, tower))}"
    if facts.damage:
        said += f", {facts.damage} damage"
    if not facts.range:
        return subject, f"{said}."
    tiles = sum(covers(setting, tower, tile) for lane in setting.lanes for tile in lane)
    said += f", range {facts.range}: covers {_some(tiles, 'lane tile')}"
    if facts.damage:
        inside = [unit for unit in view.units if covers(setting, tower, (unit.x, unit.y))]
        enemies = sum(_hostile(setting, tower, unit) for unit in inside)
        said += f", {_some(enemies, 'target') if enemies else 'no target'} in range"
    return subject, f"{said}."


def _hostile(setting: Setting, tower: Tower, unit: Unit) -> bool:
    """Whether a tower shoots at a unit (8.4, 11.7)."""
    if unit.kind == "mercenary":
        return unit.side != tower.owner
    return unit.side == tower.owner or not guide(setting).spares


def _some(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def side_rows(setting: Setting, view: View, side: str) -> list[Row]:
    """What a player has: base, gold, the queued, towers with the turns until they act, mercenaries."""
    base = view.bases[side]
    rows = [("Base", f"{base.health} health at {base.x},{base.y}"), ("Gold", str(base.gold))]
    queued = _queued(base)
    if queued:
        rows.append(("Queued", queued))
    for kind in setting.towers:
        towers = [tower for tower in view.towers if tower.owner == side and tower.kind == kind]
        listed = [
            f"{tower.x},{tower.y} {'' if i else 'acts '}{_soon(setting, tower)}" for i, tower in enumerate(towers)
        ]
        if towers:
            rows.append((f"{kind.capitalize()} {len(towers)}", "; ".join(listed)))
    units = [unit for unit in view.units if unit.kind == "mercenary" and unit.side == side]
    if units:
        rows.append((f"Mercenary {len(units)}", _units(setting, view, units)))
    return rows


def other_rows(setting: Setting, view: View) -> list[Row]:
    """What belongs to nobody: demons, and portals with what they will do next (7.5)."""
    rows = []
    for side in SIDES:
        units = [unit for unit in view.units if unit.kind == "demon" and unit.side == side]
        if units:
            rows.append((f"To {side} {len(units)}", _units(setting, view, units)))
    for portal in view.portals:
        target = f"always to {portal.target}" if portal.fixed else f"to {portal.target}"
        waiting = f", {portal.queued} waiting" if portal.queued else ""
        wave = f"next wave {until(portal.next_in)}, {target}, {portal.health} health{waiting}"
        rows.append((f"Portal {portal.x},{portal.y}", wave))
    return rows


def describe(setting: Setting, view: View) -> str:
    """The position in words, for people who cannot see the picture."""
    parts = [name(setting, view)]
    for side in SIDES:
        parts += [f"{side.capitalize()}.", *_sentences(side_rows(setting, view, side))]
    others = other_rows(setting, view)
    if others:
        parts += ["Demons.", *_sentences(others)]
    return " ".join(parts)


def _sentences(rows: list[Row]) -> list[str]:
    return [f"{heading}: {listed}." for heading, listed in rows]


def _soon(setting: Setting, tower: Tower) -> str:
    return f"in {wait(setting, tower)}" if wait(setting, tower) else "now"


def _queued(base: Base) -> str:
    """Where mercenaries wait, with their number where there are more than one."""
    waiting = [(word, base.queued.get(letter, 0)) for letter, word in _WORDS.items()]
    return ", ".join(word if count == 1 else f"{word} {count}" for word, count in waiting if count > 0)


def _units(setting: Setting, view: View, units: Sequence[Unit]) -> str:
    """Where units stand and in what condition; the word for the figures stands once. Usual damage is not told."""
    told_damage = any(unit.damage != guide(setting).demon_damage for unit in view.units)
    listed = []
    for i, unit in enumerate(units):
        strength = f"{unit.health}" if i else f"{unit.health} health"
        if told_damage:
            strength += f" and {unit.damage}" if i else f" and {unit.damage} damage"
        listed.append(f"{unit.x},{unit.y} with {strength}{_DOING.get(unit.state, '')}")
    return "; ".join(listed)
