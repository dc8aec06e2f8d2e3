"""What the words of the case files mean for Monad. `run` raises AssertionError where a case fails."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from casefile import Case, Part
from polemos.games.monad.game import GAME
from polemos.games.monad.rules import events
from polemos.kernel.errors import PolemosError
from polemos.kernel.game import UMPIRE, worth_offering
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.verdict import Verdict

# Maps in test_maps.py; sight, length of lists and the exploits in test_lists.py; seats in test_fairness.py.
TESTED_ELSEWHERE: tuple[str, ...] = ("1.6", "1.8", "2.9", "10.2", "10.3", "10.4")

KEYWORDS = {"rules", "options", "position", "orders", "play", "repeat", "forfeit", "expect"}
SEATS = ("red", "blue", "green", "yellow")
FAR = {"red": "0,18", "blue": "17,0", "green": "17,18", "yellow": "0,0"}


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
    clauses = [c.split() for line in case.parts[0].get("position") for c in line.split(";") if c.strip()]
    clauses += [c.split() for line in case.parts[0].get("options") for c in line.split(";") if c.strip()]
    given = " ".join(word for clause in clauses for word in clause)
    given += " ".join(line for part in case.parts for line in part.get("orders") + part.get("forfeit"))
    seats = max([2, *(i + 1 for i, seat in enumerate(SEATS) if seat in given)])
    lines: list[str] = []
    stock = dict.fromkeys(SEATS, "100")
    turns = ""
    for clause in clauses:
        match clause:
            case ["seats", number]:
                seats = int(number)
            case ["turns", number]:
                turns = number
            case ["ore", place, number]:
                lines.append(f"field {place} {number}")
            case ["blocked", place]:
                lines.append(f"field {place} #")
            case ["stock", number]:
                stock = dict.fromkeys(SEATS, number)
            case ["stock", *words]:
                stock.update(zip(words[::2], words[1::2], strict=True))
            case ["far", *who]:
                lines += [f"far {seat}" for seat in who or SEATS]
            case _:
                lines.append(" ".join(clause))
    playing = SEATS[:seats]
    lines = [f"building {line[4:]} {FAR[line[4:]]} right" if line.startswith("far ") else line
             for line in lines if not line.startswith("far ") or line[4:] in playing]  # fmt: skip
    lines.append("stock " + " ".join(f"{seat} {stock[seat]}" for seat in playing))
    if turns:
        lines = [f"{line}/{turns}" if line.startswith("played ") else line for line in lines]
        lines += [] if any(line.startswith("played ") for line in lines) else [f"played 0/{turns}"]
    return Match(GAME, position="\n".join([f"seats {seats}", *lines]), seed="cases")


def _check_refusal(case: Case, rule: str) -> None:
    try:
        _begin(case)
    except PolemosError as error:
        assert error.rule == rule, f"{case.id}: refused by {error.rule}, not {rule}: {error}"
    else:
        raise AssertionError(f"{case.id}: accepted, expected a refusal by {rule}")


def _play(match: AnyMatch, part: Part) -> None:
    for line in part.get("play"):
        for _ in range(int(line)):
            match.run()
    if not part.lines.keys() & {"orders", "forfeit"}:
        return
    sheets = _sheets(part.get("orders"))
    for _ in range(int((part.get("repeat") or ["1"])[0])):
        for line in part.get("forfeit"):
            for seat in line.split():
                match.forfeit(seat, Verdict("dropped out"))
        for seat, lines in sheets.items():
            if seat in match.to_act:
                match.submit(seat, lines)
        match.run()


def _sheets(given: list[str]) -> dict[str, list[object]]:
    seat = ""
    sheets: dict[str, list[object]] = {}
    for line in given:
        words = line.split(maxsplit=1)
        if words and words[0] in SEATS:
            seat, line = words[0], words[1] if len(words) > 1 else "-"
            sheets.setdefault(seat, [])
        if line.startswith("json "):
            sheets[seat].append(msgspec.json.decode(line[5:]))
        elif line.strip() != "-":
            sheets[seat].extend(part for part in line.split(";") if part.strip())
    return sheets


# ---- expectations, one function per word


def _expect(line: str, match: AnyMatch) -> None:
    word, _, rest = line.partition(" ")
    if word == "no":
        word, _, rest = rest.partition(" ")
        word = f"no {word}"
    WORDS[word](rest.strip(), match)


def _numbers(text: str) -> dict[str, int]:
    words = text.split()
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


def _stacks(match: AnyMatch) -> list[str]:
    return [f"{s.owner} {s.x},{s.y} {s.units}" for s in match.view(UMPIRE).stacks]


def _units(text: str, match: AnyMatch) -> None:
    wanted = [] if text == "none" else [" ".join(clause.split()) for clause in text.split(";") if clause.strip()]
    assert sorted(_stacks(match)) == sorted(wanted), f"found {_stacks(match)}"


def _has(text: str, match: AnyMatch) -> None:
    assert " ".join(text.split()) in _stacks(match), f"found {_stacks(match)}"


def _empty(text: str, match: AnyMatch) -> None:
    assert not [stack for stack in _stacks(match) if stack.split()[1] == text], f"found {_stacks(match)}"


def _buildings(text: str, match: AnyMatch) -> None:
    found = {seat: sum(b.owner == seat for b in match.view(UMPIRE).buildings) for seat in match.seats}
    assert found == {**found, **_numbers(text)}, f"found {found}"


def _core(text: str, match: AnyMatch) -> None:
    owner, place, *words = text.split()
    found = [b for b in match.view(UMPIRE).buildings if (b.owner, f"{b.x},{b.y}") == (owner, place)]
    assert len(found) == 1, f"found {match.view(UMPIRE).buildings}"
    if words and words[0] != "points":
        assert found[0].direction == words.pop(0), f"found {found}"
    if words:
        assert found[0].points == int(words[1]), f"found {found}"


def _no_core(text: str, match: AnyMatch) -> None:
    assert text not in [f"{b.x},{b.y}" for b in match.view(UMPIRE).buildings]


def _points(text: str, match: AnyMatch) -> None:
    found = {seat: sum(b.points for b in match.view(UMPIRE).buildings if b.owner == seat) for seat in match.seats}
    assert found == {**found, **_numbers(text)}, f"found {found}"


def _stock(text: str, match: AnyMatch) -> None:
    found = match.view(UMPIRE).stock
    assert found == {**found, **_numbers(text)}, f"found {found}"


def _ore(text: str, match: AnyMatch) -> None:
    place, left = text.split()
    x, y = map(int, place.split(","))
    found = {(ore.x, ore.y): ore.left for ore in match.view(UMPIRE).ore}.get((x, y), match.setting.ore[y][x])
    assert found == int(left), f"found {found}"


def _void(text: str, match: AnyMatch) -> None:
    faults = match.rejected
    found = {seat: [fault.line for fault in of] for seat, of in faults.items()}
    wanted: dict[str, list[int]] = {}
    for clause in [] if text == "none" else text.split(";"):
        lines, _, rule = clause.partition(" by ")
        seat, *numbers = lines.split()
        wanted.setdefault(seat, []).extend(int(number) for number in numbers)
        cited = {fault.line: fault.rule for fault in faults.get(seat, ())}
        if rule:
            assert all(cited.get(int(line)) == rule.strip() for line in numbers), f"cited {cited}"
    if " by " not in text:
        assert found == wanted, f"found {found}"


def _cut(text: str, match: AnyMatch) -> None:
    seat, line, _, number = text.split()
    sheet = match.steps[-1].orders[seat]
    assert sheet is not None
    order = GAME.read(sheet[int(line) - 1])
    found = [e for e in GAME.chronicle.those(events.cut, match.told(UMPIRE)) if (e.seat, e.line) == (seat, int(line))]
    wanted = ((order.x, order.y), int(number), order.number)
    assert [(e.at, e.number, e.of) for e in found] == [wanted], f"found {found}"
    assert re.search(rf"cut from {order.number} to {number}\b", GAME.chronicle.words(found[0]))


def _event(text: str, match: AnyMatch) -> None:
    rule, _, words = text.partition(" ")
    found = [GAME.chronicle.words(event) for event in match.told(UMPIRE) if event.rule == rule]
    assert any(words.strip() in sentence for sentence in found), f"found {found}"


def _no_event(text: str, match: AnyMatch) -> None:
    assert not [event for event in match.told(UMPIRE) if event.rule == text]


def _winner(text: str, match: AnyMatch) -> None:
    outcome = match.outcome
    assert outcome is not None
    name, _, rule = text.partition(" by ")
    assert (outcome.winner, rule and outcome.rule) == (name, rule), f"{outcome}"


def _draw(text: str, match: AnyMatch) -> None:
    outcome = match.outcome
    assert outcome is not None
    assert outcome.winner is None
    if text.startswith("of "):
        sharing = set(text[3:].split(" by ")[0].split())
        assert {seat for seat, rank in outcome.ranks.items() if rank == 1} == sharing, f"{outcome}"
    if "by " in text:
        assert text.split("by ")[1] == outcome.rule, f"{outcome}"


def _running(text: str, match: AnyMatch) -> None:
    assert match.outcome is None, f"{match.outcome}"


def _places(text: str, match: AnyMatch) -> None:
    assert match.outcome is not None
    assert match.outcome.ranks == _numbers(text), f"{match.outcome}"


def _out(text: str, match: AnyMatch) -> None:
    found = match.view(UMPIRE).out
    assert set(text.split()) <= set(found), f"found {found}"


def _turn(text: str, match: AnyMatch) -> None:
    assert match.view(UMPIRE).turn == int(text), f"turn {match.view(UMPIRE).turn}"


def _offered(text: str, match: AnyMatch) -> list[Any]:
    """`red 5,5 move right`: the options of this kind; work is offered where a build is asked for on an own core."""
    seat, place, word, *direction = text.split()
    x, y = map(int, place.split(","))
    found = []
    for option in worth_offering(GAME.options(match.setting, match.view(seat))):
        order = option.order
        words = ("build", "work") if word == "build" else (word,)
        if (order["x"], order["y"]) == (x, y) and order["order"] in words:
            if not direction or order.get("direction") in (direction[0], None):
                found.append(option)
    return found


def _option(text: str, match: AnyMatch) -> None:
    *what, least, most = text.split()
    found = _offered(" ".join(what), match)
    assert [(o.least, o.most) for o in found] == [(int(least), int(most))], f"found {found}"


def _no_option(text: str, match: AnyMatch) -> None:
    assert not _offered(text, match)


WORDS: dict[str, Callable[[str, AnyMatch], None]] = {
    "units": _units,
    "has": _has,
    "empty": _empty,
    "buildings": _buildings,
    "core": _core,
    "no core": _no_core,
    "points": _points,
    "stock": _stock,
    "ore": _ore,
    "void": _void,
    "cut": _cut,
    "event": _event,
    "no event": _no_event,
    "winner": _winner,
    "draw": _draw,
    "running": _running,
    "places": _places,
    "out": _out,
    "turn": _turn,
    "option": _option,
    "no option": _no_option,
}
