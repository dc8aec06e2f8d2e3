"""A party of eight rounds with eighteen people, three of them at phones: they see, write, carry, guess and win."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from browser.conftest import LONGEST, NewPage, Server
from browser.serve import KEY
from browser.test_axe import check
from browser.test_traps import click_twice

NATIONS = ("red", "green", "blue")
ROUNDS = 8
COURTIERS = 5


class Guests:
    """Everybody who is not at a page: they act by HTTP, from what they may know."""

    def __init__(self, address: str, wish: dict[str, Any]) -> None:
        self.address = address
        self.web = httpx.Client(base_url=address, timeout=90)
        opened = self.web.post("/api/parties", json={"game": "monarchs", "wish": wish}).raise_for_status().json()
        self.id = opened["id"]
        self.tokens = {"gamerunner": opened["token"]}

    def codes(self) -> dict[str, str]:
        return {row["role"]: row["code"] for row in self._get("links", "gamerunner")}

    def _head(self, role: str) -> dict[str, str]:
        if role not in self.tokens:
            claimed = self.web.post(f"/api/parties/{self.id}/claim", json={"code": self.codes()[role]})
            self.tokens[role] = claimed.raise_for_status().json()["token"]
        return {"Authorization": f"Bearer {self.tokens[role]}"}

    def _get(self, what: str, role: str) -> Any:
        answer = self.web.get(f"/api/parties/{self.id}/{what}", headers=self._head(role))
        assert answer.is_success, answer.text
        return answer.json()

    def sight(self, role: str) -> dict[str, Any]:
        found: dict[str, Any] = self._get("sight", role)
        return found

    def map(self, role: str, number: int) -> dict[str, Any]:
        found: dict[str, Any] = self._get(f"maps/{number}", role)
        return found

    def do(self, who: str, act: str, /, **fields: Any) -> None:
        body = {"act": {"act": act, **fields}}
        answer = self.web.post(f"/api/parties/{self.id}/acts", json=body, headers=self._head(who))
        assert answer.status_code == 204, answer.text

    def go(self, role: str, room: str) -> None:
        self.do(role, "enter", role=role, room=room)


@pytest.fixture
def longest() -> int:
    return 2 * LONGEST


@pytest.fixture
def party(server: Server) -> Iterator[Guests]:
    courts = {
        nation: {"monarch": f"Queen {nation}", "courtiers": [f"{nation} {n + 1}" for n in range(COURTIERS)]}
        for nation in NATIONS
    }
    options = {"rounds": ROUNDS, "holding_seconds": 0}
    guests = Guests(server.address, {"title": "Winter", "courts": courts, "options": options, "is_led": False})
    yield guests
    guests.web.close()


def enter(new_page: NewPage, party: Guests, role: str) -> Page:
    page = new_page(390, 844, touch=True, bypass_csp=True)  # for axe
    page.goto(f"{party.address}/party/{party.id}#code={party.codes()[role]}")
    expect(page.get_by_role("tablist")).to_be_visible()
    assert "code" not in page.url, "nobody reads the code over a shoulder"
    party.tokens[role] = page.evaluate("id => JSON.parse(localStorage.getItem(`polemos.party.${id}`))", party.id)
    return page


def tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=re.compile(name)).click()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=re.compile(name)).click()


def fetch(party: Guests, nation: str, number: int) -> str:
    """The map before this round, brought by somebody who may carry: they take turns."""
    role = f"{nation}-{3 + number % 2}"
    party.go(role, nation)
    party.do(nation, "send", court=nation, to=role)
    party.do(role, "arrive", role=role, errand="map")
    return role


def bring(party: Guests, nation: str, role: str) -> None:
    party.do(role, "leave", role=role)
    party.go(role, nation)
    party.do(role, "present", role=role)
    party.go(role, "hall")


def send_orders(party: Guests, nation: str, number: int) -> tuple[list[str], list[str]]:
    """A court without a page: what its monarch orders, and what the carrier hands in."""
    role = f"{nation}-{1 + number % 2}"
    options = party.map(nation, number - 1)["options"]
    lines = [f"{one['text'].split()[0]} 1" for one in options[:: max(1, len(options) // 5)] if "-" in one["text"]]
    party.go(role, nation)
    party.do(nation, "write", court=nation, lines=lines)
    party.do(nation, "give", court=nation, to=role)
    handed = lines
    if party.sight(role)["card"]["serves"] != nation[0]:
        handed = lines[:-1]
        party.do(role, "alter", role=role, lines=handed)
    party.do(role, "arrive", role=role, errand="orders")
    party.do(role, "handin", role=role)
    return lines, handed


def ticket(number: int, of: int) -> int:
    text = "\x1f".join([KEY, "party", "raffle", str(number)])
    return int(hashlib.blake2b(text.encode(), digest_size=16, person=b"polemos-stream").hexdigest(), 16) % of + 1


def test_eight_rounds_with_eighteen_people(new_page: NewPage, party: Guests) -> None:
    queen, *couriers = (enter(new_page, party, role) for role in ("red", "red-1", "red-2"))
    party.do("gamerunner", "deal")
    ordered: dict[tuple[int, str], tuple[list[str], list[str]]] = {}

    tab(couriers[0], "Card")
    card = couriers[0].get_by_role("button", name="Hold to open")
    card.hover()
    couriers[0].mouse.down()
    expect(couriers[0].get_by_text("You serve")).to_be_visible()
    couriers[0].mouse.up()
    expect(couriers[0].get_by_text("You serve")).to_be_hidden()

    party.do("gamerunner", "tell", text="Dinner is at nine.")
    expect(queen.get_by_role("status")).to_contain_text("To all courts: Dinner is at nine.")  # on whichever tab
    press(queen, "^Close$")
    expect(queen.get_by_text("Dinner is at nine.")).to_have_count(0)

    for number in range(1, ROUNDS + 1):
        fetchers = {nation: fetch(party, nation, number) for nation in NATIONS}
        party.do("gamerunner", "release")
        for nation, role in fetchers.items():
            bring(party, nation, role)
        courier, role = couriers[(number - 1) % 2], f"red-{1 + (number - 1) % 2}"

        # The courier comes to the court, and the queen writes by tapping her map.
        tab(courier, "Room")
        courier.locator(".plan button", has_text="your court").click()
        tab(queen, "Sheet")
        expect(queen.get_by_text(f"Your map for turn {number}.")).to_be_visible()
        if number == 1:
            march = choices(party, number)[0]
            queen.locator(f'[data-hex="{march["from"]}"]').tap()
            queen.locator(f'[data-hex="{march["to"]}"]').tap()
            queen.locator(".ask button", has_text="1").first.tap()
            expect(queen.get_by_text("1 line. Saved.")).to_be_visible()
            check(courier, "a room")
            written = [f"{march['from']}-{march['to']} 1"]
        else:
            expect(queen.get_by_text("0 lines. Saved.")).to_be_visible()
            written = []
        queen.locator(".pick button", has_text=f"red {role[-1]}").click()
        if number == 1:
            check(queen, "a sheet")
        press(queen, "Give the sheet to")
        press(queen, "for good")
        expect(queen.get_by_text(f"red {role[-1]} has your sheet")).to_be_visible()

        # The courier reads it, changes it in the first two rounds, and hands it in.
        tab(courier, "Sheet")
        handed = list(written)
        if number == 1:
            check(courier, "a sheet in a courier's hands")
            press(courier, "One more from")
            handed = [f"{written[0].split()[0]} 2"]
        elif number == 2:
            courier.get_by_label("Another line").fill("bless a5")
            press(courier, "Add a line")
            handed = ["bless a5"]
        press(courier, "Take it to the desk")
        press(courier, "^Hand in")
        press(courier, "Yes, hand it in")
        expect(courier.get_by_text("Your hands are empty")).to_be_visible()
        expect(queen.get_by_text(f"red {role[-1]} has your sheet")).to_be_visible()
        ordered[number, "red"] = (written, handed)
        for nation in ("green", "blue"):
            ordered[number, nation] = send_orders(party, nation, number)
        party.do("gamerunner", "play")

    named = {"red": {"green": "red-1", "blue": "red-2"}}
    guess = queen.locator("form.guess select")
    guess.nth(0).select_option("red-1")
    guess.nth(1).select_option("red-2")
    press(queen, "Lock my guess")
    press(queen, "my guess for good")
    expect(queen.get_by_text("Your guess is locked.")).to_be_visible()
    for nation in ("green", "blue"):
        first, second = (other for other in NATIONS if other != nation)
        named[nation] = {first: f"{nation}-1", second: f"{nation}-4"}
        party.do(nation, "guess", court=nation, spies=named[nation])
    for _ in range(3 * COURTIERS + 3 + 2 + 3 + 1):
        party.do("gamerunner", "reveal")

    # 12.19 to 12.23, done again from the board and the cards.
    everything = party.sight("green-5")["everything"]
    serves = everything["serves"]
    final = party.map("green-5", ROUNDS)["view"]["reports"]
    monarchs = {
        court: final[court]["total"] + 5 * sum(serves[role] == nation for nation, role in named[court].items())
        for court in NATIONS
    }
    scores = {}
    for role, master in serves.items():
        court = role.partition("-")[0]
        if master == court:
            score = monarchs[court] - 18 * (ROUNDS + 1)
        else:
            score = 2 * monarchs[master] - monarchs[court] - 19 * (ROUNDS + 1)
        scores[role] = score // 2 if role in named[court].values() else score
    shown = party.sight("green-5")["shown"]
    assert next(item for item in shown if item["shown"] == "monarchs")["monarchs"] == monarchs
    courtiers = next(item for item in shown if item["shown"] == "courtiers")
    assert {one["role"]: one["score"] for one in courtiers["scores"]} == scores
    winners = [item["winner"] for item in shown if item["shown"] == "won"]
    assert scores[winners[0]["role"]] == max(scores.values())
    left = {role: max(score, 0) ** 2 for role, score in scores.items()}
    for number, winner in enumerate(winners):
        if number:
            held = left if any(left.values()) else dict.fromkeys(left, 1)
            drawn = ticket(number, sum(held.values()))
            assert (winner["ticket"], winner["of"]) == (drawn, sum(held.values()))
            assert winner["role"] == holder(drawn, held)
        del left[winner["role"]]

    # Everybody sees who changed what.
    told = {(one["turn"], one["court"]): one["errand"] for one in everything["deliveries"]}
    told |= {(ROUNDS, court): errand for court, errand in everything["orders"].items()}
    for (number, nation), (written, handed) in ordered.items():
        assert (told[number, nation]["written"], told[number, nation]["delivered"]) == (written, handed)
    tab(queen, "Reveal")
    expect(queen.get_by_text("Who changed what")).to_be_visible()
    expect(queen.get_by_text("as delivered: bless a5")).to_be_visible()
    expect(queen.get_by_text(f"{winners[1]['role'].replace('-', ' ')} wins").first).to_be_visible()
    press(queen, f"^Turn {ROUNDS}$")
    expect(queen.get_by_text(f"After turn {ROUNDS}.")).to_be_visible()
    check(queen, "the reveal")
    queen.get_by_role("button", name="Show both on the board").first.click()
    expect(queen.locator(".both .say")).to_contain_text(["As ordered.", "As delivered."])


def test_a_host_opens_a_party_that_the_server_leads(new_page: NewPage, server: Server) -> None:
    """One name is enough, bots have the other places; the host's page has links and shows nothing secret."""
    page = new_page(1280, 900)
    page.goto(f"{server.address}/party/new/monarchs")
    page.locator("fieldset", has_text="Red court").get_by_label("Courtiers").fill("Zoe")
    page.get_by_label("Rehearsal").check()
    press(page, "Open the party")
    expect(page.get_by_text("0 of 1 people are here.")).to_be_visible()
    page.locator("li", has_text="Zoe").get_by_role("button", name="Link").click()
    expect(page.get_by_role("img", name="The link of Zoe as a code")).to_be_visible()
    press(page, "Deal the cards and begin")
    expect(page.get_by_text("The cards are dealt.")).to_be_visible()
    expect(page.get_by_role("button", name="Play the turn")).to_have_count(0)
    page.get_by_label("One more guest").fill("Piet")
    press(page, "^Add$")
    expect(page.locator("li", has_text="Piet").get_by_role("button", name="Link")).to_be_visible()
    page.get_by_label("Tell all courts alike").fill("Dinner is at nine.")
    press(page, "Tell them")
    expect(page.get_by_label("Tell all courts alike")).to_have_value("")
    press(page, "Pause all clocks")
    expect(page.get_by_role("button", name="Go on")).to_be_visible()


def test_two_clicks_deal_the_cards_and_begin_no_round(new_page: NewPage, server: Server) -> None:
    """What releases the maps comes where the cards were dealt."""
    page = new_page(1280, 900)
    page.goto(f"{server.address}/party/new/monarchs")
    page.locator("fieldset", has_text="Red court").get_by_label("Courtiers").fill("Zoe")
    page.get_by_label("Turns are played and maps released by themselves").uncheck()
    press(page, "Open the party")
    click_twice(page, page.get_by_role("button", name="Deal the cards and begin"))
    expect(page.get_by_role("button", name="Release the maps")).to_be_enabled()
    expect(page.get_by_text("The cards are dealt. Monarchs send for their maps.")).to_be_visible()


def choices(party: Guests, number: int) -> list[dict[str, Any]]:
    """The marches of more than one regiment that the queen's map offers."""
    offered = party.map("red", number - 1)["options"]
    return [one["order"] for one in offered if one["order"]["order"] == "march" and (one.get("most") or 1) > 1]


def holder(drawn: int, held: dict[str, int]) -> str:
    for role, count in held.items():
        if drawn <= count:
            return role
        drawn -= count
    raise AssertionError("no such ticket")
