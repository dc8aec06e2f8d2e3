"""The party without a house: an evening with its board, bots in empty places, and a server that leads it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.game import GAME
from polemos.games.monarchs.party import acts, bots
from polemos.games.monarchs.party.online import Online
from polemos.games.monarchs.party.refusal import Refused
from polemos.games.monarchs.party.reveal import Bonus, Courtiers, Loyalty, Monarchs, items
from polemos.games.monarchs.party.roles import courtier
from polemos.games.monarchs.party.sight import Called, Card, Errand, InHand, Sight, Times, Waiting
from polemos.games.monarchs.party.times import Until
from polemos.kernel import dice
from polemos.kernel.capabilities.online_parties import OnlineParties
from polemos.kernel.errors import BadOptions

KEY = dice.derive("online", "chance")
SECOND = 1000


def a_wish(bots: dict[str, str] | None = None, courtiers: int = 5, **options: Any) -> dict[str, Any]:
    return {
        "title": "Rehearsal",
        "courts": {
            nation: {"monarch": f"Monarch of {nation}", "courtiers": [f"{nation[0]}{n}" for n in range(courtiers)]}
            for nation in NATIONS
        },
        "options": {"rounds": 2, "round_seconds": 60, "holding_seconds": 4, "summons_seconds": 4, **options},
        "bots": bots or {},
    }


def all_bots(courtiers: int = 5, **named: str) -> dict[str, str]:
    kinds = dict.fromkeys(NATIONS, "loyal")
    kinds |= {courtier(nation, n + 1): "treacherous" for nation in NATIONS for n in range(courtiers)}
    return kinds | {role.replace("_", "-"): kind for role, kind in named.items()}


class Driver:
    """An evening on a clock that a test moves."""

    def __init__(self, wish: dict[str, Any]) -> None:
        self.plan = GAME.begin_party(wish, KEY)
        found = GAME.resume_party(self.plan)
        assert isinstance(found, Online)
        self.evening: Online = found
        self.journal: list[bytes] = []
        self.at = 1_000_000
        self.takes = 0  # milliseconds for each thing that happens by itself

    def do(self, act: dict[str, Any], by: str = "gamerunner") -> None:
        self.evening, line = self.evening.after(act, by, self.at)
        self.journal.append(line)

    def run(self, until: int) -> None:
        """Lets everything happen that happens by itself, until this time."""
        while self.at < until:
            deed, again = self.evening.by_itself(self.at)
            if deed is not None:
                self.do(deed.act, deed.by)
                self.at += self.takes
            elif again is None:
                return
            else:
                self.at = min(until, max(again, self.at + 1))

    def sight(self, role: str) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.json.decode(self.evening.sight(role))
        return found


def test_bots_alone_play_a_whole_evening_and_the_sums_are_right() -> None:
    party = Driver(a_wish(all_bots()))
    party.do({"act": "deal"})
    party.run(party.at + 600 * SECOND)
    assert party.evening.is_over
    state = party.evening.state
    assert [entry.errand.delivered is not None for entry in state.deliveries] == [True] * len(state.deliveries)
    changed = [entry.errand.carrier for entry in state.deliveries if entry.errand.changes]
    assert all(state.serves[role] != role.partition("-")[0] for role in changed if role is not None)
    shown = items(state)
    monarchs = next(item for item in shown if isinstance(item, Monarchs))
    courtiers = next(item for item in shown if isinstance(item, Courtiers))
    for nation, score in monarchs.monarchs.items():
        right = sum(state.serves[role or ""] == other for other, role in state.guesses[nation].items())
        assert score == monarchs.nations[nation] + 5 * right
    for one in courtiers.scores:
        own = monarchs.monarchs[one.role.partition("-")[0]]
        loyal = one.role.startswith(one.serves)
        full = own - 18 * 3 if loyal else 2 * monarchs.monarchs[one.serves] - own - 19 * 3
        assert one.full == full
        assert one.score == (full // 2 if one.is_called else full)


def test_an_evening_goes_on_from_its_journal() -> None:
    party = Driver(a_wish(all_bots(), rounds=1))
    party.do({"act": "deal"})
    for _ in range(30):
        party.run(party.at + 3 * SECOND)
        again = GAME.resume_party(party.plan, party.journal)
        for role in ("gamerunner", "red", "red-1", "clock", "screen"):
            assert again.sight(role) == party.evening.sight(role)
        assert again.by_itself(party.at) == party.evening.by_itself(party.at)


def test_a_round_lasts_as_long_whoever_hands_in_and_when() -> None:
    """12.7, 12.8 The length of a round betrays nothing."""
    released: list[list[int]] = []
    for kinds in (all_bots(), {"green": "loyal"}, {}):
        party = Driver(a_wish(kinds))
        party.do({"act": "deal"})
        party.run(party.at + 200 * SECOND)
        entries = party.evening.evening.entries
        released.append([entry.at for entry in entries if isinstance(entry.act, acts.Release | acts.Play)])
    assert released[0] == released[1] == released[2]
    # Two holding times and a second after the cards; a round, a holding time and a second; a holding time; again.
    first = 1_000_000 + 9 * SECOND
    assert released[0] == [first, first + 65 * SECOND, first + 69 * SECOND, first + 134 * SECOND]


@pytest.mark.parametrize("dawdlers", [0, 1, 3])
def test_the_clocks_do_not_tell_how_many_sheets_a_server_had_to_take(dawdlers: int) -> None:
    """12.10 Each of them takes a moment, and deadlines are told to the millisecond."""
    party = Driver(a_wish())
    party.do({"act": "deal"})
    party.run(party.at + 10 * SECOND)
    for nation in NATIONS:
        carrier, fetcher = f"{nation}-1", f"{nation}-2"
        for role in (carrier, fetcher):
            party.do({"act": "enter", "role": role, "room": nation}, role)
        party.do({"act": "give", "court": nation, "to": carrier}, nation)
        party.do({"act": "send", "court": nation, "to": fetcher}, nation)
    for nation in NATIONS[:dawdlers]:
        party.do({"act": "arrive", "role": f"{nation}-1", "errand": "orders"}, f"{nation}-1")
    party.run(party.at + 62 * SECOND)  # the round is over
    party.do({"act": "arrive", "role": "blue-2", "errand": "map"}, "blue-2")
    party.takes = 7
    first = 1_000_000 + 9 * SECOND
    party.run(first + 66 * SECOND)
    assert party.evening.state.played == 1
    assert party.sight("blue-2")["waiting"] == {"errand": "map", "until": {"at": first + 69 * SECOND}}
    party.run(first + 70 * SECOND)
    assert party.sight("clock")["times"]["due"] == {"at": first + (69 + 60) * SECOND}


def test_a_pause_before_the_cards_are_dealt_does_not_put_off_the_first_maps() -> None:
    """12.9"""
    party = Driver(a_wish())
    party.do({"act": "pause"})
    party.at += 3600 * SECOND
    party.do({"act": "resume"})
    party.do({"act": "deal"})
    dealt = party.at
    party.run(dealt + 60 * SECOND)
    # Two holding times and a second after the cards; then a round.
    assert party.sight("clock")["times"] == {"round": 1, "due": {"at": dealt + (9 + 60) * SECOND}}


def test_a_carrier_who_dawdles_at_the_desk_hands_in_what_is_in_hand() -> None:
    party = Driver(a_wish())
    party.do({"act": "deal"})
    party.run(party.at + 10 * SECOND)
    party.do({"act": "enter", "role": "red-1", "room": "red"}, "red-1")
    party.do({"act": "write", "court": "red", "lines": ["A5-B6 1"]}, "red")
    party.do({"act": "give", "court": "red", "to": "red-1"}, "red")
    party.do({"act": "arrive", "role": "red-1", "errand": "orders"}, "red-1")
    party.do({"act": "alter", "role": "red-1", "lines": ["A5-B4 1"]}, "red-1")
    written = party.sight("red")["errand"]
    party.run(party.at + 70 * SECOND)
    assert party.evening.state.played == 1
    assert party.evening.state.deliveries or party.evening.state.errand("red").delivered == ("A5-B4 1",)
    assert party.evening.match.steps[0].orders["red"] == ("A5-B4 1",)
    assert written["written"] == ["A5-B6 1"], "the monarch sees what they wrote"


def test_a_host_who_does_not_lead_knows_what_everybody_knows() -> None:
    """12.26 A host may play if the server leads: nothing secret is sent to them, and nothing can be done for others."""
    party = Driver(a_wish(all_bots()))
    party.do({"act": "deal"})
    noticed = set()
    while not party.evening.is_over:
        told = {name: value for name, value in party.sight("gamerunner").items() if name not in ("role", "lead")}
        screen = party.sight("screen")
        del screen["role"]
        assert told == screen
        noticed.add(msgspec.json.encode(told))
        party.run(party.at + 20 * SECOND)
    assert len(noticed) > 2
    party = Driver(a_wish())
    with pytest.raises(Refused, match="server leads"):
        party.do({"act": "deal", "cards": {}})
    party.do({"act": "deal"})
    assert party.sight("gamerunner")["lead"] == {"is_led": True, "is_dealt": True}
    for act in ({"act": "release"}, {"act": "play"}, {"act": "strike", "entry": 1, "reason": "no"}):
        with pytest.raises(Refused, match="server leads"):
            party.do(act)
    party.do({"act": "join", "name": "Zoe"})
    party.do({"act": "pause"})


def test_maps_are_read_by_those_who_have_them() -> None:
    party = Driver({**a_wish(), "is_led": False})
    party.do({"act": "deal"})
    for role in ("red", "red-1", "green", "screen", "gamerunner"):
        with pytest.raises(Refused, match="You don't have this map"):
            party.evening.map(role, 0)
    party.do({"act": "enter", "role": "red-1", "room": "red"}, "red-1")
    party.do({"act": "send", "court": "red", "to": "red-1"}, "red")
    party.do({"act": "arrive", "role": "red-1", "errand": "map"}, "red-1")
    seen = msgspec.json.decode(party.evening.map("red-1", 0))
    assert seen["view"]["who"] == "red"
    assert seen["options"] == [], "only a monarch writes a sheet"
    party.at += 10 * SECOND
    party.do({"act": "release"})
    party.do({"act": "leave", "role": "red-1"}, "red-1")
    party.do({"act": "enter", "role": "red-1", "room": "red"}, "red-1")
    party.do({"act": "present", "role": "red-1"}, "red-1")
    assert msgspec.json.decode(party.evening.map("red", 0))["options"]
    with pytest.raises(Refused):
        party.evening.map("red-1", 0)


def test_a_bot_goes_when_an_understudy_takes_its_place() -> None:
    """12.15"""
    party = Driver({**a_wish({"red": "loyal", "red-1": "clumsy"}), "guests": ["Zoe"]})
    party.do({"act": "replace", "role": "red-1", "guest": "guest-1"})
    assert dict(party.evening.bots) == {"red": "loyal"}


def test_people_hear_those_in_their_room() -> None:
    party = Driver(a_wish(courtiers=3))
    assert party.evening.hearers("red") == ()
    assert "green-2" in party.evening.hearers("red-1")
    party.do({"act": "enter", "role": "red-1", "room": "red"}, "red-1")
    assert party.evening.hearers("red-1") == ("red",)
    assert "red-1" not in party.evening.hearers("green-2")
    with pytest.raises(Refused, match="look on"):
        party.evening.hearers("screen")


def test_striking_a_turn_takes_the_board_back() -> None:
    party = Driver({**a_wish(round_seconds=0, holding_seconds=0), "is_led": False})
    party.do({"act": "deal"})
    party.do({"act": "release"})
    party.at += SECOND
    party.do({"act": "play"})
    assert len(party.evening.match.steps) == 1
    total = party.evening.state.standing
    party.do({"act": "strike", "entry": 3, "reason": "too soon"})
    assert len(party.evening.match.steps) == 0
    party.do({"act": "play"})
    assert party.evening.state.standing == total


def test_scores_are_those_of_the_board_after_a_strike() -> None:
    """12.25 Without the carrier's change the turn takes the centre, and the scores say so."""
    party = Driver({**a_wish(rounds=1, holding_seconds=0), "is_led": False})
    party.do({"act": "deal"})
    party.do({"act": "release"})
    party.do({"act": "enter", "role": "red-1", "room": "red"}, "red-1")
    party.do({"act": "write", "court": "red", "lines": ["G5-I5 1"]}, "red")
    party.do({"act": "give", "court": "red", "to": "red-1"}, "red")
    party.do({"act": "alter", "role": "red-1", "lines": []}, "red-1")
    changed = len(party.journal)
    party.do({"act": "arrive", "role": "red-1", "errand": "orders"}, "red-1")
    party.do({"act": "handin", "role": "red-1"}, "red-1")
    party.at += 61 * SECOND
    party.do({"act": "play"})
    party.do({"act": "strike", "entry": changed, "reason": "the phone was stolen"})
    resumed = GAME.resume_party(party.plan, party.journal)
    assert isinstance(resumed, Online)
    for found in (party.evening, resumed):
        assert found.state.standing is not None
        assert found.state.standing.centre == "red"
        # 10.1, 10.4: the last turn counts twice
        assert found.state.standing.total == {"red": 42, "green": 40, "blue": 40}


def test_only_gamerunners_play_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Playing costs more than anything else here, so whoever may not is refused before it."""
    party = Driver({**a_wish(), "is_led": False})
    monkeypatch.setattr("polemos.games.monarchs.party.online.played", None)
    with pytest.raises(Refused, match="not yours"):
        party.do({"act": "play"}, "red")


@pytest.mark.parametrize(
    "wrong",
    [
        {"bots": {"red-9": "loyal"}},
        {"bots": {"red-1": "cheerful"}},
        {"courts": {}},
        {"title": "x" * 81},
        {"title": "Long\nWinter"},
        {"options": {"rounds": 0}},
        {"options": {"rounds": 1, "collected": True}},
        {"nonsense": 1},
    ],
)
def test_wishes_that_no_party_can_begin_with(wrong: dict[str, Any]) -> None:
    assert isinstance(GAME, OnlineParties)
    with pytest.raises(BadOptions):
        GAME.begin_party({**a_wish(), **wrong}, KEY)


def carrying(card: str, *lines: str) -> Sight:
    return Sight("red-1", Times(3), card=Card(card), sheet=InHand(lines, lines))


def test_what_bots_do_to_a_sheet() -> None:
    sheet = ("G5-H4 3", "A5-B6 1", "bless H4")
    assert bots.as_delivered(carrying("b", *sheet), "loyal", KEY) == sheet
    assert bots.as_delivered(carrying("r", *sheet), "treacherous", KEY) == sheet
    # Blue's base is M1: from G5 to H4 is a step towards it, from A5 to B6 is not.
    assert bots.as_delivered(carrying("b", *sheet), "treacherous", KEY) == ("A5-B6 1",)
    clumsy = {bots.as_delivered(carrying("r", *sheet), "clumsy", dice.derive(n)) for n in range(40)}
    assert sheet in clumsy
    assert len(clumsy) > 3
    assert all(len(lines) in (2, 3) for lines in clumsy)


def test_a_bot_on_a_throne_does_not_wait_for_ever_for_somebody_who_does_not_come() -> None:
    known = Sight("red", Times(3), maps=(2,), errand=Errand(), may_carry=("red-1", "red-2", "red-3"))

    def wishes(called: str | None, is_time: bool) -> list[acts.AnyAct]:
        calls = () if called is None else (Called("red", called),)
        return list(bots.monarch_acts(replace(known, summons=calls), is_time, None, KEY))

    [first], [later] = wishes(None, False), wishes(None, True)
    assert isinstance(first, acts.Summon)
    assert isinstance(later, acts.Summon)
    assert wishes(first.role, False) == []
    for role in known.may_carry:
        assert wishes(role, True) == ([] if role == later.role else [acts.CallOff("red")])


@pytest.mark.parametrize("kind", ["loyal", "clumsy", "treacherous"])
def test_a_bot_that_changes_the_sheet_leaves_the_court_like_an_honest_one(kind: bots.Temperament) -> None:
    """12.6 Sheets are changed in the minute at the desk, which nobody sees."""
    sheet = ("G5-H4 3", "A5-B6 1", "bless H4")
    in_court = replace(carrying("b", *sheet), room="red")
    first = next(iter(bots.courtier_acts(in_court, kind, False, "hall", KEY)))
    assert first == acts.Arrive("red-1", "orders")
    at_desk = replace(in_court, room="desk", waiting=Waiting("orders", Until(at=1)))
    first = next(iter(bots.courtier_acts(at_desk, kind, False, "hall", KEY)))
    handed = bots.as_delivered(at_desk, kind, KEY)
    assert first == (acts.HandIn("red-1") if handed == sheet else acts.Alter("red-1", handed))


def test_a_bot_that_changes_the_sheet_comes_back_like_an_honest_one() -> None:
    """12.6 Whoever is in the hall sees carriers return, and could otherwise tell by the time."""
    returned: list[list[tuple[str, int]]] = []
    changed: list[int] = []
    for kind in ("loyal", "clumsy"):
        kinds = {role: "loyal" if role in NATIONS else kind for role in all_bots()}
        party = Driver(a_wish(kinds, rounds=1))
        party.do({"act": "deal"})
        party.run(party.at + 75 * SECOND)
        entries = party.evening.evening.entries
        returned.append([(entry.by, entry.at) for entry in entries if isinstance(entry.act, acts.HandIn)])
        changed.append(sum(isinstance(entry.act, acts.Alter) for entry in entries))
    assert changed[0] < changed[1]
    assert returned[0] == returned[1]


def test_of_which_kind_a_bot_is_can_be_left_to_a_draw() -> None:
    """A host who plays must not know which of them never betray. It stays the same after a kill."""
    party = Driver(a_wish(dict.fromkeys(all_bots(8), "any"), courtiers=8))
    kinds = party.evening.bots
    assert {kinds[nation] for nation in NATIONS} == {"loyal"}
    assert set(kinds.values()) == {"loyal", "clumsy", "treacherous"}
    assert GAME.resume_party(party.plan).bots == kinds


@pytest.mark.parametrize(("people", "waiting"), [((), 2), (("red-1",), 1), (("red-1", "red-2", "red-3"), 1)])
def test_bots_leave_room_for_people_in_their_court(people: tuple[str, ...], waiting: int) -> None:
    """12.14 At most three of a court's courtiers are in it."""
    party = Driver(a_wish({role: kind for role, kind in all_bots().items() if role not in (*people, "red")}))
    party.do({"act": "deal"})
    party.run(party.at + 8 * SECOND)
    assert sum(role.startswith("red-") for role in party.sight("red")["here"]) == waiting


def test_the_client_knows_the_fields_of_a_sight() -> None:
    """Its types are written by hand; `clocks` is for the desk."""
    folder = Path(__file__).parents[5] / "web/src/games/monarchs"
    files = [folder / "party/wire.ts", folder / "desk/reveal/reveal.ts"]  # what the desk's big screen shows, too
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    for kind, left_out in (
        (Sight, {"clocks"}),
        (Loyalty, set()),
        (Bonus, set()),
        (Monarchs, set()),
        (Courtiers, set()),
    ):
        [body] = re.findall(rf"export interface {kind.__name__} {{\n(.*?)\n}}", text, re.DOTALL)
        fields = set(re.findall(r"^  (\w+)\??:", body, re.MULTILINE)) - {"shown" if kind is not Sight else ""}
        assert fields == set(kind.__struct_fields__) - left_out


@pytest.mark.parametrize(("paused", "is_led"), [(0, True), (30, True), (0, False)])
def test_nobody_refuses_a_summons(paused: int, is_led: bool) -> None:
    """12.13 Whoever has not come within a minute is brought in. In a pause nobody's minute runs."""
    party = Driver({**a_wish(summons_seconds=60), "is_led": is_led})
    party.do({"act": "deal"})
    party.do({"act": "summon", "court": "red", "role": "green-1"}, "red")
    if paused:
        party.do({"act": "pause"})
        party.run(party.at + paused * SECOND)
        party.at += paused * SECOND
        party.do({"act": "resume"})
    called = party.at
    party.run(called + 59 * SECOND)
    assert party.sight("green-1")["room"] == "hall"
    party.run(called + 60 * SECOND + 1)
    assert party.sight("green-1")["room"] == "red"
    assert party.sight("green-1")["summons"][0]["until"]["at"] == called + 120 * SECOND


@pytest.mark.parametrize("is_led", [True, False])
def test_nobody_keeps_the_desk(is_led: bool) -> None:
    """12.10 A carrier who does not hand in stops no turn, and a fetcher who does not leave stops only one map."""
    party = Driver({**a_wish(rounds=3), "is_led": is_led})

    def lead(act: str) -> None:
        if not is_led:
            party.do({"act": act})

    def goes(role: str, act: str, errand: str) -> None:
        party.do({"act": "enter", "role": role, "room": "red"}, role)
        party.do({"act": act, "court": "red", "to": role}, "red")
        party.do({"act": "arrive", "role": role, "errand": errand}, role)

    party.do({"act": "deal"})
    goes("red-1", "send", "map")
    party.run(party.at + 10 * SECOND)
    lead("release")
    released = party.at
    goes("red-2", "give", "orders")
    party.run(released + 60 * SECOND)
    assert {party.evening.state.rooms[role] for role in ("red-1", "red-2")} == {"desk"}
    party.at = max(party.at, released + 66 * SECOND)
    party.run(party.at + SECOND)
    assert {party.evening.state.rooms[role] for role in ("red-1", "red-2")} == {"hall"}
    assert party.evening.state.maps["red-1"] == (0,)
    lead("play")
    party.run(party.at + 5 * SECOND)
    lead("release")
    assert (party.evening.state.played, party.evening.state.round) == (1, 2)
    goes("red-3", "send", "map")
    party.at += 5 * SECOND
    party.do({"act": "leave", "role": "red-3"}, "red-3")
    assert party.evening.state.maps["red-3"] == (1,)


def test_a_summoned_courtier_who_runs_an_errand_is_not_brought_in() -> None:
    party = Driver(a_wish(summons_seconds=10, holding_seconds=20, round_seconds=600))
    party.do({"act": "deal"})
    party.do({"act": "enter", "role": "red-1", "room": "red"}, "red-1")
    party.do({"act": "send", "court": "red", "to": "red-1"}, "red")
    party.do({"act": "enter", "role": "red-1", "room": "hall"}, "red-1")
    party.do({"act": "summon", "court": "blue", "role": "red-1"}, "blue")
    party.do({"act": "arrive", "role": "red-1", "errand": "map"}, "red-1")
    party.run(party.at + 60 * SECOND)
    assert party.evening.state.round == 1
    assert party.sight("red-1")["room"] == "desk"
    party.do({"act": "leave", "role": "red-1"}, "red-1")
    party.run(party.at + 60 * SECOND)  # with the map in hand
    assert party.sight("red-1")["room"] == "hall"
    party.do({"act": "enter", "role": "red-1", "room": "red"}, "red-1")
    party.do({"act": "present", "role": "red-1"}, "red-1")
    party.run(party.at + 2 * SECOND)
    assert party.sight("red-1")["room"] == "blue"


def test_nobody_is_kept_at_the_desk_after_the_last_turn() -> None:
    """12.18 There is no map to wait for, and whoever stands at the desk hears nobody."""
    party = Driver(a_wish(rounds=1))
    party.do({"act": "deal"})
    party.run(party.at + 10 * SECOND)
    for nation in ("red", "green"):
        fetcher = courtier(nation, 1)
        party.do({"act": "enter", "role": fetcher, "room": nation}, fetcher)
        party.do({"act": "send", "court": nation, "to": fetcher}, nation)
    party.run(party.at + 62 * SECOND)
    party.do({"act": "arrive", "role": "red-1", "errand": "map"}, "red-1")
    assert party.evening.state.rooms["red-1"] == "desk"
    party.run(party.at + 5 * SECOND)
    assert party.evening.state.is_last_played
    assert party.evening.state.rooms["red-1"] == "hall"
    late = {"act": "arrive", "role": "green-1", "errand": "map"}
    with pytest.raises(Refused, match="no map follows"):
        party.do(late, "green-1")
    # Journals of earlier versions have such arrivals.
    line = msgspec.json.encode({"at": party.at, "act": late, "by": "green-1"})
    told = GAME.resume_party(party.plan, [*party.journal, line])
    assert isinstance(told, Online)
    assert told.state.rooms["green-1"] == "desk"
    assert "maps" not in msgspec.json.decode(told.sight("green-1")), "and sees nothing of the last turn"
    with pytest.raises(Refused, match="have not been released"):
        told.after({"act": "leave", "role": "green-1"}, "green-1", party.at)
    with pytest.raises(Refused, match="don't have this map"):
        told.map("green-1", 1)


@pytest.mark.parametrize(
    "act", [None, 5, "pause", ["pause"], {}, {"act": ["pause"]}, {"act": "write", "lines": ["x" * 201]}]
)
def test_what_is_not_an_act_is_refused_in_words(act: Any) -> None:
    party = Driver(a_wish())
    with pytest.raises(
        Refused, match=r'such as {"act": "pause"}|It must be one of admit|a text of at most 200 characters'
    ):
        party.do(act)
