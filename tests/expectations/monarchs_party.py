"""What the words of the case files about the party mean. A case is about the party if it has acts.

Monarchs are called red, green and blue; courtiers R1, R2 ..., G1 ..., B1 ..., guests U1 ..., unless `names` says
otherwise. Times are minutes and seconds of the evening. The loyalties are dealt before the first act, as `serves` says
or by the key. With a `position`, turns are played on a board.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import msgspec

from casefile import Case, all_cases
from polemos.games.monarchs.board import CENTRE, NATIONS
from polemos.games.monarchs.game import GAME
from polemos.games.monarchs.party import (
    acts,
    carriers,
    courts,
    evening,
    guesses,
    options,
    raffle,
    reveal,
    rounds,
    scores,
    sight,
    stages,
)
from polemos.games.monarchs.party.acts import AnyAct, Entry
from polemos.games.monarchs.party.evening import Evening
from polemos.games.monarchs.party.options import Court, Options, Setup
from polemos.games.monarchs.party.refusal import Refused
from polemos.games.monarchs.party.roles import CLOCK, GAMERUNNER, WATCHING, court_of, courtier, guest, is_monarch
from polemos.games.monarchs.party.state import Standing, State
from polemos.kernel import dice
from polemos.kernel.errors import BadOptions
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch, Match

KEYWORDS = {"rules", "party", "names", "serves", "position", "acts", "expect"}
KEY = dice.derive("cases", "chance")
AFTER = 1000  # milliseconds: the first one after a round is over


@dataclass
class Party:
    """A case while it is played."""

    evening: Evening
    roles: dict[str, str]  # by name at the start of the case
    match: AnyMatch | None = None
    at: int = 0
    heard: list[list[str]] = field(default_factory=list)  # of each turn played on the board: what happened

    @property
    def state(self) -> State:
        return self.evening.state

    def role(self, word: str) -> str:
        return word if is_monarch(word) or word in WATCHING or word == GAMERUNNER else self.roles[word]

    def name(self, role: str) -> str:
        return next((name for name, known in self.roles.items() if known == role), role)

    def names(self, roles: Any) -> list[str]:
        return [self.name(role) for role in roles]


def is_about_party(case: Case) -> bool:
    return any("acts" in part.lines or "party" in part.lines for part in case.parts)


def run(case: Case) -> Party:
    """Plays a case and checks what it expects."""
    unknown = {word for part in case.parts for word in part.lines} - KEYWORDS
    assert not unknown, f"{case.where}: unknown words {unknown}"
    refused = [line.split()[1] for line in case.parts[0].get("expect") if line.startswith("refused")]
    if refused:
        try:
            begin(case)
        except BadOptions as error:
            assert error.rule == refused[0], f"{case.id}: refused by {error.rule}: {error}"
        else:
            raise AssertionError(f"{case.id}: accepted, expected a refusal by {refused[0]}")
    party = begin(case) if not refused else None
    for part in case.parts if party is not None else ():
        assert party is not None
        for line in part.get("acts"):
            try:
                perform(party, line)
            except (Refused, AssertionError) as error:
                raise AssertionError(f"{case.id} ({case.where}): {line}: {error}") from None
        for line in part.get("expect"):
            try:
                expect(party, line)
            except AssertionError as error:
                raise AssertionError(f"{case.id} ({case.where}): expect {line}: {error}") from None
    return party or Party(evening.open_evening(_setup({}, {})[0]), {})


# ---- the beginning


def begin(case: Case) -> Party:
    first = case.parts[0]
    agreed: dict[str, str] = {}
    for line in first.get("party"):
        for clause in filter(None, (clause.strip() for clause in line.split(";"))):
            word, _, rest = clause.partition(" ")
            agreed[word] = rest.strip()
    names = {}
    for line in first.get("names"):
        nation, _, rest = line.partition(" ")
        names[nation] = [name.strip() for name in rest.split(",") if name.strip()]
    setup, roles = _setup(agreed, names)
    party = Party(evening.open_evening(setup), roles)
    if first.get("position"):
        position = "; ".join([*first.get("position"), "mode party"])
        party.match = Match(GAME, position=GAME.write_position(GAME.read_position(position)), key=setup.key)
    if "undealt" not in agreed:
        cards = None
        if first.get("serves"):
            cards = {role: court_of(role) for role in party.state.all_courtiers}
            for clause in ",".join(first.get("serves")).split(","):
                name, nation = clause.split()
                cards[roles[name]] = nation
        add(party, acts.Deal(msgspec.convert(cards, dict[str, acts.Nation] | None)))
    return party


def _setup(agreed: dict[str, str], names: dict[str, list[str]]) -> tuple[Setup, dict[str, str]]:
    chosen: dict[str, Any] = {}
    for word, value in agreed.items():
        match word:
            case "edition":
                chosen["party"] = value
            case "venue" | "rules":
                chosen[word] = value
            case "rounds" | "evening_seconds" | "round_seconds":
                chosen[word] = int(value)
            case "abstain" | "collected":
                chosen[word] = True
            case "common":
                chosen["common"] = tuple(value.split())
            case "courtiers" | "guests" | "undealt" | "key":
                pass
            case _:
                raise AssertionError(f"unknown clause {word}")
    many = int(agreed.get("courtiers", 5))
    lists = {nation: names.get(nation, [f"{nation[0].upper()}{n}" for n in range(1, many + 1)]) for nation in NATIONS}
    guests = [f"U{n}" for n in range(1, int(agreed.get("guests", 0)) + 1)]
    roles = {name: courtier(nation, n) for nation, found in lists.items() for n, name in enumerate(found, 1)}
    roles |= {name: guest(n) for n, name in enumerate(guests, 1)}
    setup = Setup(
        title="Cases",
        key=dice.derive(agreed["key"], "chance") if "key" in agreed else KEY,
        courts={nation: Court(nation.capitalize(), tuple(found)) for nation, found in lists.items()},
        guests=tuple(guests),
        options=msgspec.convert(chosen, Options),
    )
    return setup, roles


# ---- acts


def add(party: Party, act: AnyAct, by: str = GAMERUNNER) -> None:
    party.evening = evening.add(party.evening, Entry(party.at, act, by))


def perform(party: Party, line: str) -> None:
    """One line of acts: an optional time, the act, and `-> refused PARAGRAPH` if the book forbids it."""
    text, _, refusal = (part.strip() for part in line.partition("->"))
    if timed := re.match(r"(\d+):(\d\d(?:\.\d+)?) ", text):
        party.at = int((int(timed[1]) * 60 + Decimal(timed[2])) * 1000)
        text = text[timed.end() :].strip()
    by = GAMERUNNER
    if done_by := re.match(r"as (\S+): ", text):
        by, text = party.role(done_by[1]), text[done_by.end() :]
    if not refusal:
        _do(party, text, by)
        return
    before = party.evening
    try:
        _do(party, text, by)
    except (Refused, BadOptions) as error:
        assert f"refused {error.rule}" == refusal, f"refused by {error.rule}: {error}"
        assert party.evening == before, "a refusal has changed something"
    else:
        raise AssertionError(f"accepted, expected it to be {refusal}")


def _do(party: Party, text: str, by: str) -> None:
    for pattern, do in ACTS:
        if found := re.fullmatch(pattern, text):
            made = do(party, *found.groups())
            if made is not None:
                _carry_out(party, made, by)
            return
    raise AssertionError(f"not an act: {text}")


def _carry_out(party: Party, act: AnyAct, by: str) -> None:
    add(party, act, by)
    if isinstance(act, acts.Strike) and party.match is not None:
        if isinstance(party.evening.entries[act.entry - 1].act, acts.Play):
            party.match.take_back()


def _lines(text: str | None) -> tuple[str, ...]:
    return tuple(line.strip() for line in (text or "").split(";") if line.strip() not in ("", "nothing"))


def _seconds(text: str) -> int:
    minutes, seconds = text.split(":")
    return int(minutes) * 60 + int(seconds)


def _play(party: Party, totals: str | None, centre: str | None, hexes: str | None) -> acts.Play:
    if party.match is not None:
        return acts.Play(_on_the_board(party, party.match))
    numbers = [int(word) for word in (totals or "20 20 20").split()]
    owned = [int(word) for word in (hexes or "20 20 20").split()]
    standing = Standing(dict(zip(NATIONS, numbers, strict=True)), dict(zip(NATIONS, owned, strict=True)), centre)
    return acts.Play(standing)


def _on_the_board(party: Party, match: AnyMatch) -> Standing:
    for nation, lines in rounds.sheets_to_play(party.state).items():
        if lines is not None:
            match.submit(nation, list(lines))
    match.run()
    party.heard.append([GAME.chronicle.words(event) for event in match.told(UMPIRE)])
    state = match.state
    owners = [*NATIONS, None]
    return Standing(
        {nation: int(state.total[n]) for n, nation in enumerate(NATIONS)},
        {nation: sum(int(owner) == n for owner in state.owner) for n, nation in enumerate(NATIONS)},
        owners[state.owner[CENTRE]],
    )


def _pass_rounds(party: Party, number: str) -> None:
    """Rounds in which nobody sends orders."""
    for _ in range(int(number)):
        add(party, acts.Release())
        _time_over(party)
        add(party, _play(party, None, None, None))


def _time_over(party: Party) -> None:
    due = party.state.due
    assert due is not None
    party.at = max(party.at, due + party.state.clock.lost) + AFTER


def _guess(party: Party, court: str, text: str) -> acts.Guess:
    spies: dict[Any, str | None] = {}
    for clause in text.split(","):
        name, nation = clause.split()
        spies[nation] = None if name == "nobody" else party.role(name)
    return acts.Guess(msgspec.convert(court, acts.Nation), spies)


def _reveal(party: Party, number: str | None) -> None:
    for _ in range(int(number or 1)):
        add(party, acts.Reveal())


def _join(party: Party, name: str) -> acts.Join:
    party.roles[name] = guest(1 + sum(court_of(role) is None for role in party.state.names))
    return acts.Join(name)


def _deal(party: Party, text: str | None) -> acts.Deal:
    if text is None:
        return acts.Deal()
    cards: dict[str, Any] = {role: court_of(role) for role in party.state.all_courtiers}
    cards |= {party.role(clause.split()[0]): clause.split()[1] for clause in text.split(",")}
    return acts.Deal(cards)


COURT, NAME, REST = "(red|green|blue)", r"(\S+)", "(.*)"
ACTS: list[tuple[str, Callable[..., AnyAct | None]]] = [
    (r"deal(?: (.+))?", _deal),
    (f"{NAME} joins", _join),
    (f"{NAME} replaces {NAME}", lambda p, who, whom: acts.Replace(p.role(whom), p.role(who))),
    ("release", lambda p: acts.Release()),
    ("release last", lambda p: acts.Release(last=True)),
    (f"announce last(?: because {REST})?", lambda p, why: acts.Last(why or "")),
    (r"pass (\d+) rounds?", _pass_rounds),
    ("time over", _time_over),
    (f"collect {COURT} {REST}", lambda p, court, text: acts.Collect(court, _lines(text))),
    (r"play(?: (-?\d+ -?\d+ -?\d+))?(?: centre (\w+))?(?: hexes (\d+ \d+ \d+))?", _play),
    (
        f"correct {COURT} (.*?)(?: because {REST})?",
        lambda p, court, text, why: acts.Correct(court, _lines(text), why or ""),
    ),
    ("pause", lambda p: acts.Pause()),
    ("resume", lambda p: acts.Resume()),
    (f"{COURT} writes {REST}", lambda p, court, text: acts.Write(court, _lines(text))),
    (f"{COURT} gives {NAME} the sheet", lambda p, court, who: acts.Give(court, p.role(who))),
    (f"{COURT} sends {NAME} for the map", lambda p, court, who: acts.Send(court, p.role(who))),
    (f"{NAME} changes the sheet to {REST}", lambda p, who, text: acts.Alter(p.role(who), _lines(text))),
    (f"{NAME} arrives with orders", lambda p, who: acts.Arrive(p.role(who), "orders")),
    (f"{NAME} comes for the map", lambda p, who: acts.Arrive(p.role(who), "map")),
    (f"{NAME} hands in", lambda p, who: acts.HandIn(p.role(who))),
    (f"{NAME} hands in {REST}", lambda p, who, text: acts.HandIn(p.role(who), _lines(text))),
    (f"{NAME} leaves with the map", lambda p, who: acts.Leave(p.role(who))),
    (f"{NAME} gives the map", lambda p, who: acts.Present(p.role(who))),
    (f"{NAME} enters {NAME}", lambda p, who, room: acts.Enter(p.role(who), room)),
    (f"{COURT} lets in {NAME}", lambda p, court, who: acts.Admit(court, p.role(who))),
    (
        rf"{COURT} dismisses {NAME}(?: for (\d+:\d\d))?",
        lambda p, court, who, time: acts.Dismiss(court, p.role(who), None if time is None else _seconds(time)),
    ),
    (f"{COURT} recalls {NAME}", lambda p, court, who: acts.Recall(court, p.role(who))),
    (f"{COURT} summons {NAME}", lambda p, court, who: acts.Summon(court, p.role(who))),
    (f"{COURT} calls off", lambda p, court: acts.CallOff(court)),
    (f"{COURT} guesses {REST}", _guess),
    (r"reveal(?: (\d+))?", _reveal),
    (f"{NAME} opens the link", lambda p, who: acts.Linked(p.role(who))),
    (f"{NAME} changes phones", lambda p, who: acts.Linked(p.role(who), True)),
    (f"tell {REST}", lambda p, text: acts.Tell(text)),
    (f"rule {REST}", lambda p, text: acts.Rule(text)),
    (
        rf"strike (\d+)( overruling)?(?: because {REST})?",
        lambda p, number, over, why: acts.Strike(int(number), why or "", over is not None),
    ),
    (
        rf"strike (\d+): {NAME} came (with orders|for the map)",
        lambda p, number, who, errand: acts.Strike(
            int(number),
            "wrong person checked in",
            instead=acts.Arrive(p.role(who), "orders" if errand == "with orders" else "map"),
        ),
    ),
]


# ---- expectations, one function per word


def expect(party: Party, line: str) -> None:
    for words in sorted(WORDS, key=len, reverse=True):
        if line == words or line.startswith(f"{words} "):
            WORDS[words](party, line[len(words) :].strip())
            return
    raise AssertionError("unknown words")


def same(found: object, wanted: object) -> None:
    assert found == wanted, f"found {found}"


def _numbers(text: str) -> dict[str, int]:
    words = text.split()
    return {words[i]: int(words[i + 1]) for i in range(0, len(words), 2)}


def _may_carry(party: Party, text: str) -> None:
    court, *names = text.split()
    same(party.names(carriers.may_carry(party.state, court)), names)


def _orders(party: Party, text: str) -> None:
    court, _, rest = text.partition(" ")
    wanted = None if rest == "none" else _lines(rest)
    same(rounds.sheets_to_play(party.state)[court], wanted)


def _room(party: Party, text: str) -> None:
    name, room = text.split()
    same(party.state.rooms[party.role(name)], room)


def _by_name(party: Party, value: Callable[[scores.CourtierScore], int]) -> dict[str, int]:
    return {party.name(one.role): value(one) for one in scores.courtier_scores(party.state)}


def _some(found: dict[str, int], text: str) -> None:
    wanted = _numbers(text)
    same({name: found[name] for name in wanted}, wanted)


def _tickets(party: Party) -> dict[str, int]:
    return _by_name(party, lambda one: raffle.tickets(one.score, party.state.is_february))


def _winners(party: Party) -> tuple[raffle.Winner, ...]:
    found = {one.role: one.score for one in scores.courtier_scores(party.state)}
    return raffle.winners(found, party.state.setup.key, party.state.is_february)


def _winner(party: Party, text: str) -> None:
    standing = party.state.standing
    assert standing is not None
    who, why = scores.winning_monarch(scores.monarchs(party.state), standing, party.state.setup.key)
    named, _, reason = text.partition(" by ")
    assert who in named.split(" or "), f"found {who}"
    same(why, reason)


def _won(party: Party, text: str) -> None:
    """`1 B5 best score` or `2 raffle of 6396`: the first, second or third winner."""
    number, *words = text.split()
    winner = _winners(party)[int(number) - 1]
    if words[0] in party.roles:
        same(party.name(winner.role), words.pop(0))
    same(winner.how + (f" of {winner.of}" if winner.of else ""), " ".join(words))
    if winner.of:
        same(raffle.held_by(winner.ticket, dict(winner.held)), winner.role)


def _winners_differ(party: Party, text: str) -> None:
    found = _winners(party)
    same(len({winner.role for winner in found}), len(found))


def _spies(party: Party, text: str) -> None:
    """`red 2`: a court has so many spies, one for each other nation."""
    court, number = text.split()
    masters = [party.state.serves[role] for role in party.state.courtiers(court)]
    found = [master for master in masters if master != court]
    same((len(found), len(set(found))), (int(number), 2))


def _sees(party: Party, text: str) -> None:
    who, what, *rest = text.split(maxsplit=2)
    words = rest[0] if rest else ""
    known = sight.sight(party.state, party.role(who))
    match what:
        case "here":
            same(party.names(known.here), [] if words == "nobody" else words.split())
        case "card":
            same(None if known.card is None else known.card.serves, None if words == "none" else words)
        case "sheet":
            same(None if known.sheet is None else known.sheet.lines, None if words == "none" else _lines(words))
        case "given":
            same(None if known.sheet is None else known.sheet.given, None if words == "none" else _lines(words))
        case "written":
            assert known.errand is not None
            same(known.errand.written, _lines(words))
        case "carrier":
            assert known.errand is not None
            same(party.name(known.errand.carrier or "nobody"), words)
        case "maps":
            same(" ".join(map(str, known.maps)) or "none", words)
        case "choice":
            same(party.names(known.may_carry), words.split())
        case "shown":
            same(len(known.shown), int(words))
        case "everything":
            assert known.everything is not None
        case "standing":
            assert known.everything is not None
            same(known.everything.standing is not None, words == "yes")
        case "key":
            assert known.everything is not None
            same(bool(known.everything.setup.key), words == "yes")
        case "notices":
            same(len(known.notices), int(words))
        case "until":
            deadlines = [called.until for called in known.summons] + [ban.until for ban in known.bans]
            deadlines += [known.waiting.until] if known.waiting is not None else []
            found = [d.at for d in deadlines if d is not None]
            same(found, [_seconds(word) * 1000 for word in words.split()])
        case _:
            raise AssertionError("unknown words")


def _not_everything(party: Party, text: str) -> None:
    for who in text.split():
        assert sight.sight(party.state, party.role(who)).everything is None


def _sight_same(party: Party, text: str) -> None:
    """`red same as CASE`: this role knows exactly the same at the end of both cases."""
    who, _, other = text.partition(" same as ")
    twin = run(next(case for case in all_cases("monarchs") if case.id == other.strip()))
    one, two = (msgspec.json.encode(sight.sight(p.state, p.role(who.strip()))) for p in (party, twin))
    same(one.decode(), two.decode())
    assert party.state != twin.state, "the two cases do not differ at all"


def _due(party: Party, text: str) -> None:
    due = sight.sight(party.state, CLOCK).times.due
    if text.startswith("left "):
        assert due is not None
        same(due.left, _seconds(text[5:]) * 1000)
    else:
        same(None if due is None else due.at, None if text == "none" else _seconds(text) * 1000)


def _clock(party: Party, text: str) -> None:
    """`evening 180:00`, `round none`, `holding R1 1:00` or `summons G1 none`: a clock of the gamerunners."""
    word, *who, wanted = text.split()
    found = sight.sight(party.state, GAMERUNNER).clocks
    assert found is not None
    kept = {"evening": found.evening, "round": found.round} if not who else {}
    running = {"holding": found.holding, "summons": found.summons}.get(word, {})
    until = running.get(party.role(who[0])) if who else kept[word]
    same(None if until is None else until.at, None if wanted == "none" else _seconds(wanted) * 1000)


def _next(party: Party, text: str) -> None:
    """`orders green blue, R1`: what the gamerunners do next, for which courts, and who waits at the desk."""
    found = stages.stage(party.state, party.at)
    waiting = ", " + " ".join(party.names(found.at_desk)) if found.at_desk else ""
    same(" ".join([found.next, *found.courts]) + waiting, text)


def _shown(party: Party, text: str) -> None:
    """The item that was shown last, as JSON fields: `loyalty R2 said green truth green`."""
    item = reveal.shown(party.state)[-1]
    match item:
        case reveal.Loyalty(_, role, said, spy_for):
            same(f"loyalty {party.name(role)} said {said or 'loyal'} truth {spy_for or 'loyal'}", text)
        case reveal.Bonus(court, points):
            same(f"bonus {court} {points}", text)
        case _:
            same(type(item).__name__.lower(), text)


def _battle_as_before(party: Party, text: str) -> None:
    one, two = ([words for words in heard if text in words] for heard in party.heard[-2:])
    assert one, "there was no battle"
    same(two, one)


def _battle_not_as_before(party: Party, text: str) -> None:
    one, two = ([words for words in heard if text in words] for heard in party.heard[-2:])
    assert one != two, f"both times {one}"


def _named(party: Party, text: str) -> None:
    role, name = text.split()
    same(party.state.names[party.role(role)], name)


def _summons(party: Party, text: str) -> None:
    court, who = text.split()
    found = party.state.summons.get(court)
    is_over = courts.is_summons_over(party.state, court)
    same("nobody" if found is None or is_over else party.name(found.role), who)


def _board(party: Party, text: str) -> None:
    found = options.board_options(party.state.options)
    same(" ".join(f"{key} {value}" for key, value in sorted(found.items())), text)


def _deliveries(party: Party, text: str) -> None:
    """`1 red R1`: who carried the orders of a turn, as the register has it."""
    turn, court, name = text.split()
    found = [one.name for one in rounds.deliveries(party.state) if (one.turn, one.court) == (int(turn), court)]
    same(found, [name])


def _fetched(party: Party, text: str) -> None:
    number, court, name = text.split()
    same([one.name for one in party.state.departures if (one.map, one.court) == (int(number), court)], [name])


def _changed(party: Party, text: str) -> None:
    """`red G5-H4 2 // bless H4`: every version of the sheet that its carrier left."""
    court, _, rest = text.partition(" ")
    same([change.lines for change in party.state.errand(court).changes], [_lines(part) for part in rest.split("//")])


def _is(value: Callable[[State], bool], wanted: bool) -> Callable[[Party, str], None]:
    return lambda party, text: same(value(party.state), wanted)


def _passes(party: Party, text: str) -> None:
    """`yes` or `no`: whether a round released now is the last by the clock of the evening."""
    same(rounds.passes_the_evening(party.state, party.state.now), text == "yes")


WORDS: dict[str, Callable[[Party, str], None]] = {
    "may carry": _may_carry,
    "orders": _orders,
    "late": lambda party, text: same([party.state.errand(court).is_late for court in text.split()], [True]),
    "in time": lambda party, text: same([party.state.errand(court).is_late for court in text.split()], [False]),
    "room": _room,
    "round": lambda party, text: same(party.state.round, int(text)),
    "monarchs": lambda party, text: same(scores.monarchs(party.state), _numbers(text)),
    "winner": _winner,
    "full": lambda party, text: _some(_by_name(party, lambda one: one.full), text),
    "scores": lambda party, text: _some(_by_name(party, lambda one: one.score), text),
    "tickets": lambda party, text: _some(_tickets(party), text),
    "tickets in all": lambda party, text: same(sum(_tickets(party).values()), int(text)),
    "won": _won,
    "winners differ": _winners_differ,
    "spies": _spies,
    "locked": _is(guesses.are_results_locked, True),
    "not locked": _is(guesses.are_results_locked, False),
    "last": _is(lambda state: state.is_last, True),
    "not last": _is(lambda state: state.is_last, False),
    "over": _is(reveal.is_over, True),
    "not over": _is(reveal.is_over, False),
    "sees": _sees,
    "not everything": _not_everything,
    "sight": _sight_same,
    "due": _due,
    "clock": _clock,
    "next": _next,
    "shown": _shown,
    "battle as before": _battle_as_before,
    "battle not as before": _battle_not_as_before,
    "named": _named,
    "summoned": _summons,
    "board": _board,
    "register": _deliveries,
    "fetched": _fetched,
    "changed": _changed,
    "passes the evening": _passes,
    "rulings": lambda party, text: same(len(party.state.rulings), int(text)),
    "entries": lambda party, text: same(len(party.evening.entries), int(text)),
}
