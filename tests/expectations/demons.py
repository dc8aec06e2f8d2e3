"""What the words of the case files mean for Demons. `run` raises AssertionError where a case fails."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from casefile import CASES, Case, Part
from polemos.games.demons.game import GAME
from polemos.games.demons.ground import read_map, shipped
from polemos.games.demons.layout import faults
from polemos.kernel import dice
from polemos.kernel.errors import BadPosition, PolemosError
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.verdict import Verdict

TESTED_ELSEWHERE: tuple[str, ...] = ()

KEYWORDS = {"rules", "options", "position", "orders", "play", "dice", "expect", "call", "drop"}
PLAYERS = ("red", "blue")


def run(case: Case) -> AnyMatch:
    """Plays a case and checks what it expects."""
    unknown = {word for part in case.parts for word in part.lines} - KEYWORDS
    assert not unknown, f"{case.where}: unknown words {unknown}"
    refused = [line.split()[1] for part in case.parts for line in part.get("expect") if line.startswith("refused")]
    if refused:
        _check_refusal(case, refused[0])
        return Match(GAME)
    match = _begin(case)
    for part in case.parts:
        _play(match, part)
        for line in part.get("expect"):
            try:
                _expect(line, match)
            except AssertionError as error:
                raise AssertionError(f"{case.id} ({case.where}): expect {line}: {error}") from None
    return match


def _begin(case: Case) -> AnyMatch:
    position, given = _position(case.parts[0].get("position"))
    for line in case.parts[0].get("options"):
        for clause in filter(None, (clause.split() for clause in line.split(";"))):
            if clause[0] == "decisions":
                position += "\nstep builders"
            elif clause[0] == "turns":
                position = re.sub(r"\nturn (\d+)$", rf"\nturn \1/{clause[1]}", position, flags=re.MULTILINE)
                position += "" if "\nturn " in position else f"\nturn 0/{clause[1]}"
            else:
                position += "\n" + " ".join(clause)
    if given is not None:
        flaws = [rule for rule, why in faults(read_map(given)) if why != "The map has no portal."]
        if flaws:
            raise BadPosition("unfair", rule=flaws[0])
    return Match(GAME, position=position, seed="cases")


def _position(lines: list[str]) -> tuple[str, str | None]:
    """The position in the notation of the game, and the map if it was drawn in the case."""
    clauses: list[str] = []
    given: str | None = None
    rows: list[str] | None = None
    for line in lines:
        if rows is not None:
            if line == "end":
                given = "\n".join(rows)
                clauses += _map_clauses(given)
                rows = None
            else:
                rows.append(line)
        elif line == "rows":
            rows = []
        else:
            for clause in filter(None, (clause.strip() for clause in line.split(";"))):
                words = clause.split()
                if words[0] == "map" and len(words) == 2 and words[1] not in shipped():
                    clauses += _map_clauses((CASES / "demons" / "maps" / f"{words[1]}.map").read_text())
                elif clause != "map":
                    clauses.append(clause)
    return "\n".join(clauses), given


def _map_clauses(text: str) -> list[str]:
    ground = read_map(text)
    return [
        f"name {msgspec.json.encode(ground.name).decode()}",
        f"symmetry {ground.symmetry}",
        *(["facing"] if ground.facing else []),
        f"rows {'/'.join(ground.rows)}",
    ]


def _check_refusal(case: Case, rule: str) -> None:
    try:
        match = _begin(case)
        for part in case.parts:
            _play(match, part)
            assert part is not case.parts[-1], f"{case.id}: accepted, expected a refusal by {rule}"
    except PolemosError as error:
        assert error.rule == rule, f"{case.id}: refused by {error.rule}, not {rule}: {error}"


def _play(match: AnyMatch, part: Part) -> None:
    for line in part.get("call"):
        match.call(line)
    for line in part.get("drop"):
        match.forfeit(line, Verdict("dropped out"))
    match.chance = dice.chance_of(match.key)
    for line in part.get("dice"):
        GAME.fix_dice(match.state, match.chance, _dice(line))
    for line in part.get("play"):
        for _ in range(int(line)):
            if match.outcome is None:
                match.run()
    if not part.lines.keys() & {"orders", "drop"} or "play" in part.lines:
        return
    player = ""
    sheets: dict[str, list[object]] = {}
    for line in part.get("orders"):
        words = line.split(maxsplit=1)
        if words and words[0] in PLAYERS:
            player, line = words[0], re.sub(r"^(first|then)\b\s*", "", words[1] if len(words) > 1 else "-")
            sheets[player] = []
        if line.startswith("json "):
            sheets[player].append(msgspec.json.decode(line[5:]))
        elif line.strip() != "-":
            sheets[player].extend(part for part in line.split(";") if part.strip())
    for name, lines in sheets.items():
        if name in match.to_act:
            match.submit(name, lines)
    match.run()


def _dice(line: str) -> dict[str, dict[str, list[str]]]:
    name, *words = line.split()
    if name == "tower":
        name = f"tower {words.pop(0)}"
    rolls: dict[str, list[str]] = {}
    whose = ""
    for word in words:
        if word in PLAYERS or "," in word:
            whose = word
            rolls[whose] = []
        else:
            rolls[whose].append(word)
    return {name: rolls}


# ---- expectations, one function per word


def _expect(line: str, match: AnyMatch) -> None:
    word, _, rest = line.partition(" ")
    if word == "no":
        word, _, rest = rest.partition(" ")
        word = f"no {word}"
    if word == "shows":
        who, _, rest = rest.strip().partition(" ")
        assert match.view(who).bases == match.view(UMPIRE).bases
        assert match.view(who).units == match.view(UMPIRE).units
        _expect(rest.strip(), match)
        return
    WORDS[word](rest.strip(), match)


def _numbers(text: str) -> dict[str, int]:
    words = text.split()
    return {words[i]: int(words[i + 1]) for i in range(0, len(words), 2)}


def _of_bases(what: str) -> Callable[[str, AnyMatch], None]:
    def check(text: str, match: AnyMatch) -> None:
        found = {name: getattr(base, what) for name, base in match.view(UMPIRE).bases.items()}
        for name, number in _numbers(text).items():
            assert found[name] == number, f"found {found}"

    return check


def _units(text: str, match: AnyMatch) -> None:
    wanted = [] if text == "none" else [" ".join(clause.split()) for clause in text.split(";") if clause.strip()]
    found = []
    for unit in match.view(UMPIRE).units:
        kind = "merc" if unit.kind == "mercenary" else "demon"
        found.append(f"{kind} {unit.side} {unit.x},{unit.y} {unit.health}")
    assert sorted(found) == sorted(wanted), f"found {found}"


def _tower(text: str, match: AnyMatch) -> None:
    kind, owner, place, _, cooldown = text.split()
    found = [f"{t.kind} {t.owner} {t.x},{t.y} cd {t.cooldown}" for t in match.view(UMPIRE).towers]
    assert f"{kind} {owner} {place} cd {cooldown}" in found, f"found {found}"


def _no_tower(text: str, match: AnyMatch) -> None:
    assert text not in [f"{t.x},{t.y}" for t in match.view(UMPIRE).towers]


def _towers(text: str, match: AnyMatch) -> None:
    found = {name: sum(t.owner == name for t in match.view(UMPIRE).towers) for name in PLAYERS}
    wanted = {"red": 0, "blue": 0} if text == "none" else _numbers(text)
    assert found == {**found, **wanted}, f"found {found}"


def _queued(text: str, match: AnyMatch) -> None:
    found = {
        f"{name} {letter}" for name, base in match.view(UMPIRE).bases.items() for letter, n in base.queued.items() if n
    }
    wanted = set() if text == "none" else {" ".join(clause.split()) for clause in text.split(";")}
    assert found == wanted, f"found {found}"


def _portal(text: str, match: AnyMatch) -> None:
    place, *words = text.split()
    portal = next(p for p in match.view(UMPIRE).portals if f"{p.x},{p.y}" == place)
    names = {"next": "target", "queue": "queued", "in": "next_in", "health": "health"}
    for key, value in zip(words[::2], words[1::2], strict=True):
        assert str(getattr(portal, names[key])) == value, f"{portal}"


def _turn(text: str, match: AnyMatch) -> None:
    assert match.view(UMPIRE).turn == int(text), f"turn {match.view(UMPIRE).turn}"


def _void(text: str, match: AnyMatch) -> None:
    faults_ = match.rejected
    wanted = {}
    for clause in [] if text == "none" else text.split(";"):
        lines, _, rule = clause.partition(" by ")
        player, *numbers = lines.split()
        wanted[player] = [int(number) for number in numbers]
        cited = {fault.line: fault.rule for fault in faults_.get(player, ())}
        assert not rule or all(cited.get(line) == rule.strip() for line in wanted[player]), f"cited {cited}"
    found = {player: [fault.line for fault in of] for player, of in faults_.items()}
    if " by " not in text:
        assert found == wanted, f"found {found}"


def _winner(text: str, match: AnyMatch) -> None:
    outcome = match.outcome
    assert outcome is not None
    name, _, rule = text.partition(" by ")
    assert (outcome.winner, rule and outcome.rule) == (name, rule), f"{outcome}"


def _draw(text: str, match: AnyMatch) -> None:
    outcome = match.outcome
    assert outcome is not None
    assert outcome.winner is None
    assert text in ("", f"by {outcome.rule}"), f"{outcome}"


def _running(text: str, match: AnyMatch) -> None:
    assert match.outcome is None, f"{match.outcome}"


def _event(text: str, match: AnyMatch) -> None:
    rule, _, words = text.partition(" ")
    found = [GAME.chronicle.words(event) for event in match.told(UMPIRE) if event.rule == rule]
    assert any(words.strip() in sentence for sentence in found), f"found {found}"


def _no_event(text: str, match: AnyMatch) -> None:
    assert not [event for event in match.told(UMPIRE) if event.rule == text]


def _options(text: str, match: AnyMatch) -> list[Any]:
    player, _, order = text.partition(" ")
    return [option for option in GAME.options(match.setting, match.view(player)) if option.text == order]


def _option(text: str, match: AnyMatch) -> None:
    assert _options(text, match)


def _no_option(text: str, match: AnyMatch) -> None:
    assert not _options(text, match)


WORDS: dict[str, Callable[[str, AnyMatch], None]] = {
    "gold": _of_bases("gold"),
    "health": _of_bases("health"),
    "units": _units,
    "tower": _tower,
    "no tower": _no_tower,
    "towers": _towers,
    "queued": _queued,
    "portal": _portal,
    "turn": _turn,
    "void": _void,
    "winner": _winner,
    "draw": _draw,
    "running": _running,
    "event": _event,
    "no event": _no_event,
    "option": _option,
    "no option": _no_option,
}
