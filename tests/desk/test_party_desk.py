"""A party at the desk: the board follows from the journal, void lines are filed as delivered, undo keeps the dice."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
import pytest

from desk.houses import NATIONS, SHEETS, Clock, deliver, fetch, free, game, guess, opened, played_through, setup
from polemos.desk.desk import Desk
from polemos.desk.journal import JournalError
from polemos.desk.party import PartyDesk, is_party
from polemos.kernel import dice
from polemos.kernel.errors import PolemosError

pytestmark = pytest.mark.needs("monarchs")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> PartyDesk:
    return opened(tmp_path / "party", clock)


def reopened(desk: PartyDesk, clock: Clock) -> PartyDesk:
    """As after a kill: nothing but the folder is left."""
    desk.close()
    return PartyDesk.open(desk.folder, game(), now=clock)


def test_a_turn_is_played_with_the_sheets_as_delivered(desk: PartyDesk, clock: Clock) -> None:
    desk.do({"act": "deal"})
    fetch(desk, clock)
    deliver(desk, clock)
    assert desk.void_lines() == {"red": (4, 1), "green": (2, 0), "blue": (0, 0)}
    assert desk.events() == [], "nothing has been played"
    preview = desk.events(is_preview=True)
    assert any("H4" in words for words in preview)
    desk.play()
    assert desk.events() == preview, "the same dice"
    assert desk.void_lines()["red"] == (4, 1)
    assert {seat: list(lines or ()) for seat, lines in desk.match.steps[0].orders.items()} == SHEETS
    # 6.6: 4 + 0.5 for the blessing is at least 1 more than 3 + 0.25 for the own hex, so Red is sure to win
    assert desk.match.view("umpire").hexes["H4"].owner == "red"
    assert desk.match.view("umpire").hexes["I5"].owner == "green"


def test_the_journal_alone_is_the_evening(desk: PartyDesk, clock: Clock) -> None:
    desk.do({"act": "deal"})
    fetch(desk, clock)
    deliver(desk, clock)
    desk.play()
    desk.draft("blue", ["m1 l2"])
    before = msgspec.json.encode(desk.rules.card(desk.evening, clock()))
    digest, key = desk.match.state.digest(), desk.key
    again = reopened(desk, clock)
    assert msgspec.json.encode(again.rules.card(again.evening, clock())) == before
    assert (again.match.state.digest(), again.key, again.drafts["blue"]) == (digest, key, ["m1 l2"])


def test_a_filed_sheet_is_no_draft_even_if_the_desk_was_killed(desk: PartyDesk, clock: Clock) -> None:
    """One line of the journal does both: otherwise the next round began with the sheet of this one."""
    desk.do({"act": "deal"})
    fetch(desk, clock)
    desk.do({"act": "arrive", "role": free(desk, "red"), "errand": "orders"})
    clock.wait(60)
    desk.draft("red", SHEETS["red"])
    desk.do(desk.rules.hand_in(desk.evening, "red", SHEETS["red"], ""))  # and not a line more
    for found in (desk, reopened(desk, clock)):
        assert not found.drafts.get("red")


def test_a_sheet_that_was_taken_back_is_not_typed_again(desk: PartyDesk, clock: Clock) -> None:
    desk.do({"act": "deal"})
    fetch(desk, clock)
    desk.do({"act": "arrive", "role": free(desk, "red"), "errand": "orders"})
    clock.wait(60)
    desk.file("red", SHEETS["red"])
    desk.do({"act": "strike", "entry": last_entry(desk), "reason": "it was Green's paper"})
    assert desk.drafts["red"] == SHEETS["red"]
    assert desk.rules.next_turn(desk.evening).sheets["red"] is None
    desk = reopened(desk, clock)
    assert desk.drafts["red"] == SHEETS["red"]
    desk.file("red", SHEETS["red"][:1])
    desk.draft("red", ["A5-B6 1"])  # a correction has been begun
    desk.do({"act": "strike", "entry": last_entry(desk), "reason": "misread"})
    assert desk.drafts["red"] == ["A5-B6 1"], "what is being typed is newer"


def test_a_copy_that_is_noted_late_is_shown_beside_what_was_delivered(desk: PartyDesk, clock: Clock) -> None:
    desk.do({"act": "deal"})
    fetch(desk, clock)
    desk.do({"act": "write", "court": "green", "lines": ["K5-I5 1"]})
    for nation in ("red", "green"):
        desk.do({"act": "arrive", "role": free(desk, nation), "errand": "orders"})
    desk.do({"act": "write", "court": "red", "lines": ["G5-H4 1"]})  # the carrier has come already
    clock.wait(60)
    desk.file("red", SHEETS["red"])
    turn = desk.rules.next_turn(desk.evening)
    assert (turn.written["red"], turn.written["green"]) == (("G5-H4 1",), ("K5-I5 1",))
    assert list(turn.sheets["red"] or ()) == SHEETS["red"]


def test_whoever_was_checked_in_as_somebody_else_came_when_they_came(desk: PartyDesk, clock: Clock) -> None:
    """12.8, 12.25 A slip at the keyboard makes nobody late, and nobody waits twice."""
    desk.do({"act": "deal"})
    fetch(desk, clock)
    came = [
        role for role in ("red-1", "red-2", "red-3", "red-4", "red-5") if role != desk.evening.state.last_fetcher["red"]
    ]
    wrong, right, other = came[:3]
    clock.wait(839)  # one second is left
    desk.do({"act": "arrive", "role": wrong, "errand": "orders"})
    at, entry = clock.at, last_entry(desk)
    clock.wait(10)

    def strike(role: str, errand: str = "orders") -> None:
        instead = {"act": "arrive", "role": role, "errand": errand}
        desk.do({"act": "strike", "entry": entry, "reason": "wrong person checked in", "instead": instead})

    for role, errand in ((right, "map"), ("green-1", "orders"), (desk.evening.state.last_fetcher["red"], "orders")):
        with pytest.raises(PolemosError):
            strike(role, errand)
    strike(other)
    strike(right)
    state = desk.evening.state
    assert (state.rooms[right], state.rooms[wrong], state.rooms[other]) == ("desk", "hall", "hall")
    assert not state.errand("red").is_late
    assert state.last_carrier["red"] == right
    card = desk.rules.card(desk.evening, clock.at)
    assert card.came[right] == card.visits[-1].came == at
    deed = card.history[entry - 1]
    assert (deed.is_struck, deed.text) == (False, f"{state.names[right]} of Red came with orders")
    assert card.history[-1].text.startswith(f'Took back "{state.names[other]} of Red came with orders"')
    clock.wait(50)
    desk.file("red", ["A5-B6 1"])
    again = PartyDesk(desk.folder, desk.game, desk._journal, desk.now)
    assert again.evening.state == desk.evening.state


def test_the_turn_alone_is_taken_back(desk: PartyDesk, clock: Clock) -> None:
    """12.25 Whoever has come for its map meanwhile stays at the desk, with the minute that has begun."""
    desk.do({"act": "deal"})
    fetch(desk, clock)
    deliver(desk, clock)
    desk.play()
    turn = last_entry(desk)
    came = free(desk, "red")
    desk.do({"act": "arrive", "role": came, "errand": "map"})
    desk.do({"act": "strike", "entry": turn, "reason": "typed 1, paper says 2"})
    assert desk.match.steps == []
    assert desk.evening.state.fetching["red"].role == came
    desk.file("green", ["K5-I5 2", "M9-L8 2"], "typed 1, paper says 2")
    desk.play()
    desk.do({"act": "release"})
    clock.wait(60)
    desk.do({"act": "leave", "role": came})


def test_stepping_back_keeps_the_dice(desk: PartyDesk, clock: Clock) -> None:
    """12.25, R54: only the corrected sheet changes the turn."""
    desk.do({"act": "deal"})
    fetch(desk, clock)
    deliver(desk, clock)
    desk.play()
    first = desk.match.state.digest()
    with pytest.raises(PolemosError, match="reason"):
        desk.do({"act": "strike", "entry": last_entry(desk), "reason": " "})
    desk.do({"act": "strike", "entry": last_entry(desk), "reason": "typed 1, paper says 2"})
    assert desk.match.steps == []
    desk.file("green", ["K5-I5 2", "M9-L8 2"], "typed 1, paper says 2")
    desk.play()
    assert desk.match.view("umpire").hexes["L8"].regiments == 2
    desk.do({"act": "strike", "entry": last_entry(desk), "reason": "it was 1 after all"})
    desk.file("green", SHEETS["green"], "it was 1 after all")
    desk.play()
    assert desk.match.state.digest() == first


def test_scores_are_those_of_the_board_after_a_strike(desk: PartyDesk, clock: Clock) -> None:
    """12.25 A correction is struck after the last turn: the turn is played with the sheet as it was first typed."""
    desk.do({"act": "deal"})
    fetch(desk, clock, last=True)
    deliver(desk, clock)
    desk.file("green", ["M9-L8 1"], "the march to the centre is not on the paper")
    corrected = last_entry(desk)
    guess(desk)
    desk.play()
    assert desk.evening.state.standing.centre is None
    desk.do({"act": "strike", "entry": corrected, "reason": "it is, on the back"})
    for found in (desk, reopened(desk, clock)):
        standing = found.evening.state.standing
        assert (standing.centre, standing.hexes["green"]) == ("green", 21)
        assert standing.total == {nation: found.match.view("umpire").reports[nation].total for nation in NATIONS}


def last_entry(desk: PartyDesk) -> int:
    """The number of the last entry that stands."""
    history = desk.rules.card(desk.evening, desk.now()).history
    return int(next(deed.number for deed in reversed(history) if not deed.is_struck and deed.kind != "strike"))


def test_only_people_who_may_carry_are_offered(desk: PartyDesk, clock: Clock) -> None:
    """12.3, M8: not the carrier of the last orders, not the fetcher of the last map."""
    desk.do({"act": "deal"})
    fetch(desk, clock)
    fetcher = "red-1"
    carrier = free(desk, "red")
    deliver(desk, clock)
    card = desk.rules.card(desk.evening, clock())
    why = {candidate.role: candidate.why for candidate in card.carriers["red"] if candidate.why}
    assert why == {fetcher: "fetched the last map", carrier: "carried the last orders"}


def test_results_of_the_last_turn_stay_locked(desk: PartyDesk, clock: Clock) -> None:
    """12.18, M11: no map, no page and no count before all three guesses are in; no preview of the last turn either."""
    desk.do({"act": "deal"})
    fetch(desk, clock, last=True)
    deliver(desk, clock)
    with pytest.raises(PolemosError, match="have guessed"):
        desk.page("red", is_preview=True)
    desk.play()
    pages = partial(desk.page, "red"), partial(desk.page, "umpire")
    shown: list[Callable[[], object]] = [*pages, desk.events, desk.maps, desk.text_maps, lambda: desk.told(1)]
    for show in shown:
        with pytest.raises(PolemosError):
            show()
    guess(desk)
    assert "RED" in desk.page("red")


def test_the_last_round_is_on_the_maps_that_announce_it(desk: PartyDesk) -> None:
    desk.do({"act": "deal"})
    assert desk.page("red", is_last=True) != desk.page("red")
    assert "Last turn: it counts double" in desk.page("red", is_last=True)
    assert desk.match.view("red").turns == 0  # drawing announces nothing


def job_titles(job: bytes) -> set[bytes]:
    """The titles of a PDF, in both places where it can have one."""
    return {*re.findall(rb"/Title\s*\(([^)]*)\)", job), *re.findall(rb'<rdf:li xml:lang="x-default">([^<]*)<', job)}


def test_size_and_title_of_a_print_job_tell_nothing(desk: PartyDesk, clock: Clock, tmp_path: Path) -> None:
    """A printer's queue shows them. Cards differ in a letter or two, maps in what is seen."""
    other = PartyDesk.open(tmp_path / "other", game(), setup(rounds=1), seed="short summer", now=clock)
    same = PartyDesk.open(tmp_path / "same", game(), setup(rounds=1), seed="long winter", now=clock)
    for one in (desk, same, other):
        one.do({"act": "deal"})
    assert same.rules.loyalties(same.evening) != other.rules.loyalties(other.evening)
    papers = same.papers()
    assert len(papers) == len(other.papers())
    first = len(desk.maps())
    for job in (papers, desk.maps()):
        assert job_titles(job) == {b"Polemos desk"}
    fetch(desk, clock)
    deliver(desk, clock)
    desk.play()
    assert len(desk.maps()) == first


def test_the_fingerprint_is_on_the_first_maps_only(desk: PartyDesk, clock: Clock) -> None:
    desk.do({"act": "deal"})
    assert dice.fingerprint(desk.key) in desk.page("red")
    fetch(desk, clock)
    deliver(desk, clock)
    desk.play()
    assert dice.fingerprint(desk.key) not in desk.page("red")


def test_the_fingerprint_is_on_the_first_maps_that_are_released(tmp_path: Path, clock: Clock) -> None:
    """12.29 If the first orders are collected, those are the maps after turn 1."""
    desk = opened(tmp_path / "collected", clock, collected=True)
    for nation in NATIONS:
        desk.file(nation, SHEETS[nation])
    desk.play()
    desk.do({"act": "deal"})
    assert dice.fingerprint(desk.key) in desk.page("red")
    fetch(desk, clock)
    assert dice.fingerprint(desk.key) in desk.page("red")  # printed again
    deliver(desk, clock)
    desk.play()
    assert dice.fingerprint(desk.key) not in desk.page("red")


def test_the_replay_is_open_when_the_reveal_is_over(desk: PartyDesk, clock: Clock) -> None:
    desk.do({"act": "deal"})
    fetch(desk, clock, last=True)
    desk.do({"act": "write", "court": "red", "lines": ["G5-H4 1"]})
    desk.do({"act": "write", "court": "green", "lines": ["k5 i5 2", "m9 l8 1"]})  # the same in another hand
    deliver(desk, clock)
    guess(desk)
    desk.play()
    with pytest.raises(PolemosError, match="reveal is over"):
        desk.told(1)
    while not desk.rules.is_over(desk.evening):
        desk.do({"act": "reveal"})
    told = desk.told(1)
    assert told["changed"] == ["red"]
    assert told["carriers"] == {nation: f"{nation}-2" for nation in NATIONS}  # 12.3: the first ones fetched the maps
    assert [line["text"] for line in told["ordered"]["sheets"]["red"]] == ["G5-H4 1"]
    assert told["delivered"]["sheets"]["red"][2]["void"]
    # 10.1: one regiment against three loses: Red 20 hexes - 2, Blue 20 + 2; Green walks into the centre, 21
    assert told["ordered"]["scores"] == {"red": 18, "green": 21, "blue": 22}
    assert told["delivered"]["scores"]["red"] > 18
    assert desk.told_picture(1, "red", "ordered", "dark").startswith("<svg")
    with pytest.raises(PolemosError, match="no court called"):
        desk.told_picture(1, "purple", "ordered", "dark")
    assert desk.write_replay().is_file()


def test_marches_that_changed_on_the_way_have_a_full_disc(desk: PartyDesk, clock: Clock) -> None:
    desk.do({"act": "deal"})
    fetch(desk, clock, last=True)
    desk.do({"act": "write", "court": "red", "lines": ["g5 h4 3", "f4 h4 2", "bless h4"]})
    deliver(desk, clock)
    guess(desk)
    desk.play()
    while not desk.rules.is_over(desk.evening):
        desk.do({"act": "reveal"})
    before = desk.board([])

    def full(side: str, *marked: str) -> bool:
        lines = ["g5 h4 3", "f4 h4 2", "bless h4"] if side == "ordered" else SHEETS["red"]
        orders, changed = (desk.game.check(before.state, "red", list(texts)).orders for texts in (lines, marked))
        wanted = desk.rules.board_with_orders(before.setting, before.view("umpire"), orders, "dark", changed)
        return desk.told_picture(1, "red", side, "dark") == wanted

    assert full("ordered", "f4 h4 2")
    assert full("delivered", "f4 h4 1")
    assert not full("delivered")


def test_the_register_has_the_times_of_the_wall_clock(desk: PartyDesk, clock: Clock) -> None:
    """A pause afterwards moves none of them, and what was struck is not among them."""
    desk.do({"act": "deal"})
    fetch(desk, clock)
    wrong = {"act": "arrive", "role": "red-3", "errand": "orders"}
    desk.do(wrong)
    desk.do({"act": "strike", "entry": len(desk.evening.entries), "reason": "wrong person"})
    clock.wait(5)
    came = clock.at
    deliver(desk, clock)
    desk.do({"act": "pause"})
    clock.wait(300)
    desk.do({"act": "resume"})
    visits = desk.rules.card(desk.evening, clock.at).visits
    assert [(one.turn, one.court) for one in visits] == [(1, nation) for nation in NATIONS]
    assert {one.came for one in visits} == {came}
    assert {one.handed for one in visits} == {came + 60_000}


def test_the_history_is_in_words(desk: PartyDesk) -> None:
    """What was taken back is named: nobody at a desk knows entries by their numbers."""
    desk.do({"act": "dismiss", "court": "red", "role": "red-5", "seconds": 600})
    desk.do({"act": "dismiss", "court": "red", "role": "green-5", "seconds": 30})
    desk.do({"act": "strike", "entry": 1, "reason": "it was Wren"})
    told = [deed.text for deed in desk.rules.card(desk.evening, desk.now()).history]
    assert told == [
        "Red dismissed Kit for 10 min",
        "Red dismissed Esme for 30 s",
        'Took back "Red dismissed Kit for 10 min": it was Wren',
    ]


def test_a_second_laptop_takes_over_with_a_copy_of_the_folder(desk: PartyDesk, clock: Clock, tmp_path: Path) -> None:
    desk.do({"act": "deal"})
    fetch(desk, clock)
    shutil.copytree(desk.folder, tmp_path / "copy")
    second = PartyDesk.open(tmp_path / "copy", game(), now=clock)
    deliver(second, clock)
    second.play()
    assert second.match.clock == 2


def test_one_folder_is_open_once_and_other_evenings_are_told_apart(desk: PartyDesk, tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="already open"):
        PartyDesk.open(desk.folder, game())
    assert is_party(desk.folder)
    desk.close()
    with pytest.raises(JournalError, match="polemos desk"):
        Desk.open(desk.folder, game(), {}, {})
    Desk.open(tmp_path / "board", game(), {}, {}).close()
    assert not is_party(tmp_path / "board")
    with pytest.raises(JournalError, match="without a party"):
        PartyDesk.open(tmp_path / "board", game())


def test_nobody_else_at_this_computer_reads_the_folder(desk: PartyDesk) -> None:
    """It has the key, the loyalties and the role cards."""
    assert desk.folder.stat().st_mode & 0o077 == 0


def test_bad_setups_are_refused_and_leave_nothing_behind(tmp_path: Path) -> None:
    bad = setup()
    bad["courts"]["red"]["courtiers"] = ["Tomas"]
    with pytest.raises(PolemosError, match="1 courtiers"):
        PartyDesk.open(tmp_path / "party", game(), bad)
    PartyDesk.open(tmp_path / "party", game(), setup()).close()


def test_a_rehearsal_goes_by_itself(tmp_path: Path, clock: Clock) -> None:
    players = {"red": "steady", "green": "holder", "blue": "raider"}
    quick = setup(round_seconds=60, holding_seconds=1)
    desk = PartyDesk.open(tmp_path, game(), quick, players, seed=1, now=clock)
    desk.do({"act": "deal"})
    desk.do({"act": "release"})
    acts = 0
    while desk.rules.card(desk.evening, clock()).stage.next != "play":
        acts += desk.rehearse()
        clock.wait(2)
    assert acts == 3 * 4  # for the map, away with it, with orders, handed in
    desk.play()
    assert any(desk.match.steps[0].orders.values())


def test_a_whole_evening(desk: PartyDesk, clock: Clock) -> None:
    played_through(desk, clock)
    kinds = [deed.kind for deed in desk.rules.card(desk.evening, clock()).history]
    assert kinds.count("reveal") == 15 + 3 + 2 + 3 + 1  # 12.27
    assert desk.match.outcome is not None
