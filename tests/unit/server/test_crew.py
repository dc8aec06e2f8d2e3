"""Several persons in one seat: roles, one sheet of several hands, who is done."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from polemos.server.tables.papers import MAX_WRITTEN
from unit.server.conftest import Sit
from unit.server.serving import Person, Refused, Server, Web

pytestmark = pytest.mark.needs("minions")

TURN = {"kind": "turn", "seconds": 600.0}


def team(web: Web, sit: Sit, **wish: Any) -> tuple[Person, Person, Person]:
    """A general and two captains against a bot on two boards."""
    seated = web.open(
        "minions",
        **{
            "people": ["yellow"],
            "bots": {"blue": "random"},
            "options": {"boards": 2},
            "name": "Ann",
            "clock": TURN,
            **wish,
        },
    )
    ann = sit(seated)
    ann.until(lambda: ann.sheet["state"] == "empty")
    others = []
    for name in ("Bob", "Cid"):
        joined = web.post(f"/api/tables/{ann.table}/crew", {"link": ann.state["crew_link"], "name": name})
        assert joined.status_code == 201, joined.text
        others.append(sit(joined.json()))
    bob, cid = others
    ann.ask("role", role="general")
    bob.ask("role", role="captain 1")
    cid.ask("role", role="captain 2")
    for person in (ann, bob, cid):
        _until_all_have_roles(person)
    return ann, bob, cid


def _until_all_have_roles(person: Person) -> None:
    person.until(lambda: [one["roles"] for one in crew(person)] == [["general"], ["captain 1"], ["captain 2"]])


def crew(person: Person, seat: str = "yellow") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.seat(seat)["crew"]
    return found


def march(person: Person, board: int) -> str:
    """Some lawful order on a board."""
    texts = (option["text"] for option in person.sheet["options"] if option.get("least") is None)
    return str(next(text for text in texts if text.startswith(f"{board} ")))


def texts(person: Person) -> list[str]:
    return [line["text"] for line in person.sheet["lines"]]


def test_each_has_roles_and_sees_what_the_others_do(web: Web, sit: Sit) -> None:
    ann, bob, cid = team(web, sit)
    assert ann.state["roles"] == ["general"]
    assert bob.state["roles"] == ["captain 1"]
    assert [one["player"] for one in crew(cid)] == ["Ann", "Bob", "Cid"]
    assert [one["you"] for one in crew(cid)] == [False, False, True]
    assert all(one["here"] for one in crew(cid))
    bob.ask("looking", at="1 d4")
    ann.until(lambda: crew(ann)[1]["looks"] == "1 d4")
    watcher = sit(ann.table)
    assert all(one["looks"] is None and one["done"] == [] for one in crew(watcher))
    assert watcher.state["crew_link"] is None


def test_a_role_that_somebody_holds_is_not_to_be_had(web: Web, sit: Sit) -> None:
    ann, bob, cid = team(web, sit)
    with pytest.raises(Refused, match="Someone else on your team is captain 1"):
        cid.ask("role", role="captain 1")
    with pytest.raises(Refused, match="There is no role 'captain 3' here"):
        cid.ask("role", role="captain 3")
    bob.ask("role", role="captain 1", take=False)
    cid.ask("role", role="captain 1")
    cid.until(lambda: cid.state["roles"] == ["captain 1", "captain 2"])
    ann.until(lambda: crew(ann)[2]["roles"] == ["captain 1", "captain 2"])


def test_the_owner_of_a_seat_takes_over_from_someone_who_left_at_once(web: Web, sit: Sit) -> None:
    """Or a table without a clock would wait for ever."""
    ann, bob, cid = team(web, sit, clock={"kind": "none"})
    with pytest.raises(Refused, match="Someone else on your team is captain 1"):
        ann.ask("role", role="captain 1")
    assert crew(ann)[1]["wait"] is None
    bob.close()
    ann.until(lambda: crew(ann)[1]["wait"] == 0)
    ann.ask("role", role="captain 1")
    ann.until(lambda: ann.state["roles"] == ["general", "captain 1"])
    cid.ask("done", role="captain 2")
    ann.file([])
    ann.until(lambda: 1 in ann.frames)


def test_after_a_minute_anyone_of_the_side_takes_over(web: Web, sit: Sit, server: Server) -> None:
    _ann, bob, cid = team(web, sit)
    absences = server.hall.keepers[cid.table].voice.absences
    now = float(round(absences._clock()))  # whole seconds: no sum of them is rounded
    absences._clock = lambda: now
    bob.close()
    cid.until(lambda: crew(cid)[1]["wait"] is not None)
    assert crew(cid)[1]["wait"] == 60
    with pytest.raises(Refused, match=r"Bob has just left. You can take over as captain 1 in \d+ s."):
        cid.ask("role", role="captain 1")
    absences._clock = lambda: now + 61
    cid.ask("role", role="captain 1")
    cid.until(lambda: cid.state["roles"] == ["captain 1", "captain 2"])


def test_done_for_an_earlier_turn_ends_no_other(web: Web, sit: Sit) -> None:
    """A second click on the button may arrive in the next turn."""
    ann, bob, cid = team(web, sit)
    for person, role in ((ann, "general"), (bob, "captain 1"), (cid, "captain 2")):
        person.ask("done", role=role, step=0)
    ann.until(lambda: ann.step >= 2 and ann.sheet["state"] == "empty")
    with pytest.raises(Refused, match="This sheet is for another turn"):
        ann.ask("done", role="general", step=0)
    assert crew(ann)[0]["done"] == []


def test_the_sheet_is_of_several_hands(web: Web, sit: Sit) -> None:
    ann, bob, cid = team(web, sit)
    one, two = march(ann, 1), march(ann, 2)
    bob.ask("draft", lines=[one])
    ann.until(lambda: texts(ann) == [one])
    cid.ask("draft", lines=[two])  # has not seen what bob wrote, or does not care: it stands
    bob.until(lambda: sorted(texts(bob)) == sorted([one, two]))
    bob.ask("draft", lines=[two])  # takes back what is his
    ann.until(lambda: texts(ann) == [two])
    bob.ask("draft", lines=[])  # what is not his he cannot take back
    ann.until(lambda: texts(ann) == [two])


def test_an_order_for_somebody_elses_role_is_refused_and_stays_to_be_struck(web: Web, sit: Sit) -> None:
    """Minions 2.6."""
    ann, bob, cid = team(web, sit)
    one, two = march(ann, 1), march(ann, 2)
    cid.ask("draft", lines=[two])
    ann.until(lambda: texts(ann) == [two])
    ann.ask("draft", lines=[one, two])
    assert texts(ann) == [two, one]
    fault = ann.sheet["lines"][1]["fault"]
    assert (fault["rule"], fault["why"]) == ("2.6", "Only the captain 1 can give this order.")
    assert ann.sheet["lines"][0]["fault"] is None
    bob.until(lambda: texts(bob) == [two])
    bob.listen()
    assert texts(bob) == [two], "nobody else hears of it"
    bob.ask("draft", lines=[])
    ann.listen()
    assert texts(ann) == [two, one], "it stays while others write"
    ann.ask("draft", lines=[two])
    assert texts(ann) == [two]


def test_a_line_that_its_captain_has_struck_is_nobodys_fault(web: Web, sit: Sit) -> None:
    ann, _bob, cid = team(web, sit)
    two = march(ann, 2)
    cid.ask("draft", lines=[two])
    cid.ask("draft", lines=[])
    ann.ask("draft", lines=[two])  # as the general saw it a moment ago
    assert texts(ann) == []


def test_lines_that_stood_once_are_not_remembered_without_end(web: Web, sit: Sit, server: Server) -> None:
    """Somebody may write other lines for ever at a table without a clock."""
    ann, _bob, _cid = team(web, sit)
    alone = sit(web.open("skerries", people=["red"], bots={"blue": "random"}))
    for turn in range(4):
        for person in (ann, alone):
            person.ask("draft", lines=[f"{turn} {number}" for number in range(4000)])
    for person in (ann, alone):
        papers = server.hall.keepers[person.table].papers
        assert sum(map(len, papers._written.values())) <= MAX_WRITTEN


def test_a_line_for_somebody_else_goes_when_its_turn_is_taken_back(web: Web, sit: Sit) -> None:
    ann, bob, cid = team(web, sit, take_back=True)
    for person, role in ((ann, "general"), (bob, "captain 1"), (cid, "captain 2")):
        person.ask("done", role=role, done=True)
    ann.until(lambda: ann.step >= 2 and ann.sheet["state"] == "empty")
    ann.ask("draft", lines=[march(ann, 1)])
    assert len(texts(ann)) == 1
    ann.act("offer take back")
    ann.until(lambda: ann.step == 0 and ann.sheet["step"] == 0)
    assert texts(ann) == []


def test_a_teammate_plays_the_rematch_under_a_name_of_their_own(web: Web, sit: Sit, server: Server) -> None:
    with Web(server.address, browser=True) as own:
        own.sign_in("Rosalind of the rematch")
        seated = own.open("minions", people=["yellow"], bots={"blue": "random"}, clock=TURN)
    ann = sit(seated)
    ann.until(lambda: ann.state["crew_link"])
    joined = web.post(f"/api/tables/{ann.table}/crew", {"link": ann.state["crew_link"], "name": "Bob"}).json()
    ann.act("resign")
    ann.until(lambda: ann.status == "over")
    again = web.post(f"/api/tables/{ann.table}/rematch", token=joined["token"]).json()
    sitter = server.hall.keepers[again["table"]].table.seats["blue"]
    assert sitter is not None
    assert (sitter.player, sitter.account) == ("Bob", None)


def test_the_turn_ends_when_all_who_hold_a_role_are_done(web: Web, sit: Sit) -> None:
    ann, bob, cid = team(web, sit)
    one = march(ann, 1)
    bob.ask("draft", lines=[one])
    bob.ask("done", role="captain 1")
    ann.until(lambda: crew(ann)[1]["done"] == ["captain 1"])
    bob.ask("draft", lines=[])  # done is done, until it is taken back
    ann.until(lambda: texts(ann) == [one])
    cid.file([])  # files for the roles that are his
    assert ann.step == 0
    bob.ask("done", role="captain 1", done=False)
    ann.ask("done", role="general")
    assert ann.step == 0
    bob.ask("done", role="captain 1")
    ann.until(lambda: ann.step >= 1)
    ann.until(lambda: 1 in ann.frames)
    assert ann.frames[1]["orders"]["yellow"] == [one]
    ann.until(lambda: ann.step >= 2 and ann.sheet["state"] == "empty")  # the bot has answered
    assert all(one["done"] == [] for one in crew(ann)), "a new turn"


def test_the_time_of_a_team_is_one_time(web: Web, sit: Sit, server: Server) -> None:
    """Minions 13.4: what was ordered before the bell stands."""
    ann, bob, _cid = team(web, sit)
    one = march(bob, 1)
    bob.ask("draft", lines=[one])
    bob.ask("done", role="captain 1")
    server.ring(ann.table)  # nobody else does anything
    ann.until(lambda: 1 in ann.frames)
    assert ann.frames[1]["orders"]["yellow"] == [one]


def test_a_crew_survives_and_a_wrong_link_does_not(web: Web, sit: Sit) -> None:
    ann, bob, _cid = team(web, sit)
    again = sit(ann.table, bob.token)
    assert again.state["roles"] == ["captain 1"]
    for link in ("", "0" * 32, bob.token or ""):
        answer = web.post(f"/api/tables/{ann.table}/crew", {"link": link, "name": "Eve"})
        assert answer.status_code == 403
        assert "belong to a seat at this table" in answer.json()["why"]
    alone = sit(web.open("skerries", people=["red"], bots={"blue": "random"}))
    assert alone.state["crew_link"] is None, "a game without roles"
    assert alone.state["roles"] == []


def test_what_one_of_a_team_has_filed_survives_the_server(tmp_path: Path, database: str | None) -> None:
    """It is acknowledged, so that it is on disk, though the sheet is filed by the last of them."""
    with Server(tmp_path, database) as server, Web(server.address) as web, ExitStack() as stack:
        ann, bob, cid = team(web, _sitting(server, stack))
        one, two = march(ann, 1), march(ann, 2)
        bob.file([one])
        tokens = [ann.token, cid.token]
        table = ann.table
        # Drafts may be lost.
        server.hall.ledger.write_soon = lambda *given, **fence: None  # type: ignore[method-assign]
    with Server(tmp_path, database) as server, ExitStack() as stack:
        sit = _sitting(server, stack)
        ann, cid = sit(table, tokens[0]), sit(table, tokens[1])
        assert texts(ann) == [one]
        assert crew(ann)[1]["done"] == ["captain 1"]
        cid.file([two])
        ann.ask("done", role="general")
        ann.until(lambda: 1 in ann.frames)
        assert sorted(ann.frames[1]["orders"]["yellow"]) == sorted([one, two])


def test_one_without_a_role_does_not_file_for_the_others(web: Web, sit: Sit) -> None:
    ann, bob, _cid = team(web, sit)
    bob.ask("role", role="captain 1", take=False)
    with pytest.raises(Refused, match="You have no role left to finish"):
        bob.file([])
    ann.listen()
    assert ann.step == 0


def test_a_link_is_worth_nothing_when_the_seat_has_changed_hands(web: Web, sit: Sit) -> None:
    """Whoever had it would see what the next person in that seat sees."""
    ann = sit(web.open("minions", people=["yellow"], options={"boards": 2}, clock=TURN))
    link = ann.state["crew_link"]
    ann.act("leave")
    assert web.post(f"/api/tables/{ann.table}/crew", {"link": link, "name": "Ann"}).status_code == 403
    eve = sit(web.take(ann.table, "yellow", "Eve"))
    assert web.post(f"/api/tables/{ann.table}/crew", {"link": link, "name": "Ann"}).status_code == 403
    assert web.post(f"/api/tables/{ann.table}/crew", {"link": eve.state["crew_link"]}).status_code == 201
    assert eve.state["crew_link"] != link


def _sitting(server: Server, stack: ExitStack) -> Sit:
    def sit(seated: Any, token: str | None = None) -> Person:
        table, mine = (seated["table"], seated["token"]) if isinstance(seated, dict) else (seated, token)
        return stack.enter_context(Person(server.address, table, mine))

    return sit


def test_only_the_first_one_can_give_up_the_seat(web: Web, sit: Sit) -> None:
    ann, bob, _ = team(web, sit)
    assert "resign" in ann.may
    assert "resign" not in bob.may
    with pytest.raises(Refused) as refused:
        bob.act("resign")
    assert refused.value.said["word"] == "table/refused"
    ann.listen()
    assert ann.status == "playing"
    ann.act("resign")
    bob.until(lambda: bob.status == "over")


def test_before_the_match_only_the_first_one_can_leave(web: Web, sit: Sit) -> None:
    ann = sit(web.open("minions", people=["yellow"], clock=TURN, name="Ann"))
    joined = web.post(f"/api/tables/{ann.table}/crew", {"link": ann.state["crew_link"], "name": "Bob"})
    bob = sit(joined.json())
    assert (ann.may, bob.may) == (["leave"], [])
    with pytest.raises(Refused):
        bob.act("leave")
    ann.act("leave")
    ann.until(lambda: ann.state["you"] is None)
