"""What the words of the case files mean for Monarchs. `run` raises AssertionError where a case fails."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from casefile import Case, Part, all_cases
from expectations import monarchs_party
from polemos.games.monarchs.board import LETTERS, NAMES, NATIONS
from polemos.games.monarchs.game import GAME
from polemos.games.monarchs.notation import nation_of
from polemos.games.monarchs.state import NOBODY, State
from polemos.kernel import dice
from polemos.kernel.errors import PolemosError
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.verdict import Verdict

# Paragraphs about the umpire's desk and the key: tests/desk and tests/unit/kernel.
TESTED_ELSEWHERE = ("2.4", "11.1", "11.2")

KEYWORDS = {"rules", "options", "position", "orders", "dice", "expect", "drop", "call"}


def run(case: Case) -> AnyMatch:
    """Plays a case and checks what it expects."""
    if monarchs_party.is_about_party(case):
        monarchs_party.run(case)
        return Match(GAME)
    unknown = {word for part in case.parts for word in part.lines} - KEYWORDS
    assert not unknown, f"{case.where}: unknown words {unknown}"
    refused = [line.split()[1] for part in case.parts for line in part.get("expect") if line.startswith("refused")]
    if refused:
        _check_refusal(case, refused[0])
        return Match(GAME)
    match = _begin(case)
    first = match.state.copy()
    for part in case.parts:
        _play(match, part)
        for line in part.get("expect"):
            try:
                _expect(line, match, first)
            except AssertionError as error:
                raise AssertionError(f"{case.id} ({case.where}): expect {line}: {error}") from None
    return match


def _begin(case: Case) -> AnyMatch:
    options = [clause.split() for line in case.parts[0].get("options") for clause in line.split(";")]
    chosen: dict[str, Any] = {words[0]: " ".join(words[1:]) for words in options}
    position = "; ".join(case.parts[0].get("position")) or "start"
    if "turns" in chosen:
        position += f"; turn 1/{chosen['turns']}"
    state = GAME.read_position("; ".join([position, *(f"{k} {v}" for k, v in chosen.items() if k != "turns")]))
    return Match(GAME, position=GAME.write_position(state), seed="cases")


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
        match.forfeit(nation_of(line), Verdict("dropped out"))
    for nation, lines in _sheets(part.get("orders")):
        match.submit(nation, lines)
    if not part.lines.keys() & {"orders", "dice", "call", "drop"}:
        return  # the position itself is looked at
    match.chance = dice.chance_of(match.key)
    GAME.fix_dice(match.state, match.chance, _dice(part.get("dice")))
    match.run()


def _sheets(lines: list[str]) -> list[tuple[str, list[object]]]:
    """(nation, lines) in the order of handing in; `first` and `then` part two sheets of one nation."""
    sheets: list[tuple[str, list[object]]] = []
    for line in lines:
        words = line.split(maxsplit=1)
        if words and words[0] in NATIONS:
            sheets.append((words[0], []))
            line = re.sub(r"^(first|then)\b\s*", "", words[1] if len(words) > 1 else "")
        if line.startswith("json "):
            sheets[-1][1].append(msgspec.json.decode(line[5:]))
        elif line.strip() != "-":
            sheets[-1][1].extend(part for part in line.split(";") if part.strip())
    return sheets


def _dice(lines: list[str]) -> dict[str, dict[str, list[str]]]:
    fixed: dict[str, dict[str, list[str]]] = {}
    for line in lines:
        words = line.split()
        length = {"border": 2, "hex": 2, "retreat": 3, "coin": 1}[words[0]]
        rolls: dict[str, list[str]] = {}
        whose = ""
        for word in words[length:]:
            if re.fullmatch(r"[0-9.]+", word):
                rolls[whose].append(word)
            else:
                whose = word
                rolls[whose] = []
        fixed[" ".join(words[:length])] = rolls
    return fixed


# ---- expectations, one function per word


def _expect(line: str, match: AnyMatch, first: State) -> None:
    word, _, rest = line.partition(" ")
    if word == "no":
        word, _, rest = rest.partition(" ")
        word = f"no {word}"
    WORDS[word](rest.strip(), match, first)


def _changes(text: str, match: AnyMatch, first: State) -> None:
    wanted = {} if text == "none" else {cell.split()[0]: cell.split()[1] for cell in text.split(",")}
    found = {}
    for hex, name in enumerate(NAMES):
        now, before = _army(match.state, hex), _army(first, hex)
        if now != before:
            found[name] = now
    assert found == wanted, f"found {found}"


def _army(state: State, hex: int) -> str:
    return f"{LETTERS[state.owner[hex]]}{state.regiments[hex]}" if state.regiments[hex] else "-"


def _armies(text: str, match: AnyMatch, first: State) -> None:
    wanted = {}
    for clause in text.split(";"):
        nation, _, cells = clause.strip().partition(" ")
        for cell in cells.split(","):
            hex, number = cell.split()
            wanted[hex] = f"{nation[0]}{number}"
    found = {n: army for hex, n in enumerate(NAMES) if (army := _army(match.state, hex)) != "-"}
    assert found == wanted, f"found {found}"


def _owners(text: str, match: AnyMatch, first: State) -> None:
    wanted = {} if text == "none" else {cell.split()[0]: cell.split()[1] for cell in text.split(",")}
    names = (*NATIONS, "nobody")
    found = {
        name: names[match.state.owner[hex]]
        for hex, name in enumerate(NAMES)
        if match.state.owner[hex] != first.owner[hex]
    }
    assert found == wanted, f"found {found}"
    assert NOBODY == 3


def _void(text: str, match: AnyMatch, first: State) -> None:
    text, _, rule = text.partition(" by ")
    faults = match.rejected
    wanted = {}
    for clause in [] if text == "none" else text.split(";"):
        nation, *numbers = clause.split()
        wanted[nation] = [int(number) for number in numbers]
    if rule:
        for nation, lines in wanted.items():
            cited = {fault.line: fault.rule for fault in faults.get(nation, ())}
            assert all(cited.get(line) == rule.strip() for line in lines), f"cited {cited}"
    else:
        found = {nation: [fault.line for fault in of] for nation, of in faults.items()}
        assert found == wanted, f"found {found}"


def _numbers(text: str) -> dict[str, int]:
    words = text.split()
    return {words[i]: int(words[i + 1]) for i in range(0, len(words), 2)}


def _score(text: str, match: AnyMatch, first: State) -> None:
    found = {nation: match.state.score[n] for n, nation in enumerate(NATIONS)}
    assert found == _numbers(text), f"found {found}"
    for nation, score in found.items():
        assert match.view(nation).reports[nation].score == score


def _total(text: str, match: AnyMatch, first: State) -> None:
    found = {nation: match.state.total[n] for n, nation in enumerate(NATIONS)}
    assert found == _numbers(text), f"found {found}"


def _sees(text: str, match: AnyMatch, first: State) -> None:
    nation, *words = text.split()
    seen = match.view(nation).hexes
    if words[0].isdecimal():
        assert len(seen) == int(words[0]), f"sees {len(seen)}"
    else:
        assert set(words) <= set(seen), f"hidden: {set(words) - set(seen)}"


def _hides(text: str, match: AnyMatch, first: State) -> None:
    nation, *words = text.split()
    seen = set(match.view(nation).hexes)
    assert not set(words) & seen, f"seen: {set(words) & seen}"


def _shows(text: str, match: AnyMatch, first: State) -> None:
    who, hex, owner, regiments = text.split()
    ground = match.view(who).hexes[hex]
    assert (ground.owner or "nobody", ground.regiments) == (owner, int(regiments)), f"{ground}"


def _list(which: str) -> Callable[[str, AnyMatch, State], None]:
    def check(text: str, match: AnyMatch, first: State) -> None:
        nation, *words = text.split()
        found = getattr(match.view(nation).reports[nation], which)
        assert sorted(found) == sorted([] if words == ["none"] else words), f"found {found}"

    return check


def _same_view(text: str, match: AnyMatch, first: State) -> None:
    nation, _, other = text.partition(" same as ")
    twin = run(next(case for case in all_cases("monarchs") if case.id == other.strip()))
    assert match.view(nation) == twin.view(nation)
    assert match.told(nation) == twin.told(nation)
    assert match.faults_for(nation) == twin.faults_for(nation)


_LINE_EVENTS = {"marched": "marched", "held": "held at the border", "lost": "beaten", "blessed": "blessed"}


def _told(text: str, match: AnyMatch, first: State) -> None:
    nation, what, *rest = text.split()
    told: list[Any] = list(match.told(nation))
    faults = match.faults_for(nation)
    if what == "nothing":
        echoes = [event for event in told if event.kind not in ("won", "beaten", "base held", "scored", "ended")]
        assert not echoes, f"told {echoes}"
        assert not faults, f"told {faults}"
    elif what == "void":
        assert [fault.line for fault in faults] == [int(word) for word in rest], f"told {faults}"
    else:
        of_kind = [event for event in told if event.kind == _LINE_EVENTS[what]]
        found = [f"{event.hex}-{event.to} {event.number}" for event in of_kind if what in ("marched", "held")]
        found += [f"{event.hex}" for event in of_kind]
        assert " ".join(rest) in found, f"told {told}"


def _event(text: str, match: AnyMatch, first: State) -> None:
    rule, _, words = text.partition(" ")
    found = [GAME.chronicle.words(event) for event in match.told(UMPIRE) if event.rule == rule]
    assert any(words.strip() in sentence for sentence in found), f"found {found}"


def _no_event(text: str, match: AnyMatch, first: State) -> None:
    found = [GAME.chronicle.words(event) for event in match.told(UMPIRE) if event.rule == text]
    assert not found, f"found {found}"


def _winner(text: str, match: AnyMatch, first: State) -> None:
    outcome = match.outcome
    assert outcome is not None
    assert f"{outcome.winner} by {outcome.rule}" == text, f"{outcome}"


def _places(text: str, match: AnyMatch, first: State) -> None:
    assert match.outcome is not None
    assert match.outcome.places == tuple(text.split()), f"{match.outcome}"


def _running(text: str, match: AnyMatch, first: State) -> None:
    assert match.outcome is None, f"{match.outcome}"


def _find_option(nation: str, march: str, match: AnyMatch) -> list[Any]:
    found = GAME.options(match.setting, match.view(nation))
    return [option for option in found if option.text.split()[0] == march]


def _option(text: str, match: AnyMatch, first: State) -> None:
    nation, march, least, most = text.split()
    found = _find_option(nation, march, match)
    assert [(option.least, option.most) for option in found] == [(int(least), int(most))], f"found {found}"


def _no_option(text: str, match: AnyMatch, first: State) -> None:
    nation, march = text.split()
    assert not _find_option(nation, march, match)


WORDS: dict[str, Callable[[str, AnyMatch, State], None]] = {
    "changes": _changes,
    "armies": _armies,
    "owners": _owners,
    "void": _void,
    "score": _score,
    "total": _total,
    "sees": _sees,
    "hides": _hides,
    "shows": _shows,
    "victories": _list("victories"),
    "defeats": _list("defeats"),
    "view": _same_view,
    "told": _told,
    "event": _event,
    "no event": _no_event,
    "winner": _winner,
    "places": _places,
    "running": _running,
    "option": _option,
    "no option": _no_option,
}
