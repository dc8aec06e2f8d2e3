"""Sheets at the gamerunners' desk that were misread or mistyped, and people who are let go by the one dark button."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response, expect

from browser.conftest import NewPage
from browser.test_desk import DeskServer, check_in, file_sheet, print_maps, set_up, sit_down
from desk.houses import NATIONS

pytestmark = [pytest.mark.slow, pytest.mark.needs("monarchs")]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[DeskServer]:
    running = DeskServer(tmp_path / "party")
    yield running
    running.kill()


def type_lines(page: Page, *lines: str) -> None:
    for line in lines:
        page.keyboard.type(line)
        page.keyboard.press("Enter")


def test_a_line_is_typed_again_in_its_place_and_no_reading_is_lost(desk: DeskServer, new_page: NewPage) -> None:
    page = new_page(1280, 800)
    screen = new_page(1280, 800)
    screen.goto(f"{desk.address}/screen")
    sit_down(page, desk, "Anna")
    set_up(page)
    page.get_by_role("button", name="Open the evening").click()
    page.get_by_role("button", name="Deal the loyalties").click()
    print_maps(page)
    for court in range(3):
        page.locator(".res3 > section").nth(court).locator("button.tag").first.click()
        expect(page.locator(".res3 > section").nth(court)).to_contain_text("is here for it")
    page.get_by_role("button", name="Release maps").click()
    expect(screen.get_by_text("after the last round")).to_be_visible()
    expect(screen.get_by_role("button", name="Start")).to_have_count(0)

    for nation in NATIONS:  # whoever has waited for a map leaves by the same button as everything else
        expect(page.get_by_role("button", name=f"leaves with {nation.capitalize()}'s map")).to_be_enabled()
        page.keyboard.press("Control+Enter")  # this key files and plays: it lets nobody go
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=f"leaves with {nation.capitalize()}'s map")).to_have_count(0)
    expect(page.get_by_text("Nobody is at the desk.")).to_be_visible()

    check_in(page)
    expect(page.locator("h3", has_text="may hand in now")).to_have_count(3)
    page.keyboard.press("r")
    page.keyboard.press("r")
    line = page.get_by_label("A line of Red's sheet")
    expect(line).to_be_focused()
    sheet = page.locator(".sheet .t")
    type_lines(page, "g5 h4 2", "a5 b6 2", "bless h4")
    expect(sheet).to_have_count(3)
    page.get_by_role("button", name="Change line 1").click()
    expect(line).to_be_focused()
    line.fill("g5 h4 3")
    page.keyboard.press("Enter")
    expect(sheet).to_have_text(["G5 → H43", "A5 → B62", "Bless H4"])

    page.keyboard.type("f4 h4 1")  # without Enter
    page.get_by_role("button", name="Change line 1").click()
    expect(sheet).to_have_text(["G5 → H43", "A5 → B62", "Bless H4", "F4 → H41"])
    page.get_by_role("button", name="Change line 4").click()
    expect(line).to_have_value("F4-H4 1")
    page.get_by_role("button", name="Delete line 4").click()
    expect(line).to_have_value("")
    page.get_by_role("button", name="Register").click()
    page.get_by_role("button", name="Desk", exact=True).click()
    expect(line).to_be_focused()
    expect(sheet).to_have_text(["G5 → H43", "A5 → B62", "Bless H4"])

    def keeps_three(response: Response) -> bool:
        said = response.request.post_data_json
        return response.url.endswith("/api/desk/draft") and said is not None and len(said["lines"]) == 3

    with page.expect_response(keeps_three):
        page.keyboard.press("F2")
    expect(sheet).to_have_count(0)
    with page.expect_response(keeps_three):
        type_lines(page, "g5 h4 1")
    page.reload()  # the server has kept the first reading
    page.get_by_role("button", name="Sit down at the desk").click()
    page.get_by_role("button", name="Type Red's sheet").click()
    expect(sheet).to_have_text(["G5 → H43", "A5 → B62", "Bless H4"])

    page.keyboard.press("F2")  # by mistake
    expect(sheet).to_have_count(0)
    type_lines(page, "g5 h4 1")
    expect(sheet).to_have_count(1)
    page.keyboard.press("F2")
    expect(sheet).to_have_text(["G5 → H43", "A5 → B62", "Bless H4"])
    page.keyboard.press("F2")  # and on with the second reading
    expect(sheet).to_have_text(["G5 → H41"])
    type_lines(page, "a5 b6 1")
    expect(sheet).to_have_count(2)
    file_sheet(page)
    differing = page.locator(".differs")
    expect(differing).to_have_count(3)
    differing.first.get_by_role("button", name="The first is right").click()
    expect(differing).to_have_count(2)
    differing.first.get_by_role("button", name="The second is right").click()
    expect(differing).to_have_count(1)
    differing.first.get_by_role("button", name="The first is right").click()
    expect(differing).to_have_count(0)
    expect(sheet).to_have_text(["G5 → H43", "A5 → B61", "Bless H4"])
    page.keyboard.press("Control+Enter")
    expect(page.get_by_label("Red court", exact=True)).to_contain_text("Filed")


def test_a_sheet_stays_open_over_a_kill_until_somebody_takes_it_over(desk: DeskServer, new_page: NewPage) -> None:
    page = new_page(1280, 800)
    sit_down(page, desk, "Anna")
    set_up(page)
    page.get_by_role("button", name="Open the evening").click()
    page.get_by_role("button", name="Deal the loyalties").click()
    print_maps(page)
    page.get_by_role("button", name="Release maps").click()
    red = page.locator(".three > section").first
    red.locator("summary").click()
    red.get_by_role("button", name="with orders").first.click()

    # somebody else came than was checked in; they keep the time of the arrival
    expect(red).to_contain_text("may hand in now")
    red.get_by_role("button", name="Wrong person").click()
    expect(red.locator(".who button")).to_have_count(5)  # the other four, or nobody
    red.get_by_role("button", name="Kit").click()
    expect(red).to_contain_text("Kit has waited")
    page.get_by_text("Ines's own copy, for the replay").click()
    page.get_by_label("Red's own copy").fill("g5 h4 3")
    page.get_by_role("button", name="Keep it sealed").click()
    expect(page.get_by_label("Red's own copy")).to_have_value("")

    sheet = page.locator(".sheet .t")
    page.keyboard.press("r")
    page.get_by_role("button", name="Type Red's sheet").click()
    expect(page.get_by_label("A line of Red's sheet")).to_be_focused()
    type_lines(page, "g5 h4 3")
    expect(sheet).to_have_text(["G5 → H43"])
    desk.kill()
    desk.start()
    expect(page.locator(".resumed")).to_be_visible()
    type_lines(page, "a5 b6 1")
    expect(sheet).to_have_text(["G5 → H43", "A5 → B61"])
    expect(page.locator(".refused")).to_have_count(0)

    other = new_page(1024, 768)
    sit_down(other, desk, "Luca")
    expect(other.get_by_label("Red court", exact=True)).to_contain_text("Anna is typing")
    other.keyboard.press("r")
    other.locator(".three > section").first.get_by_role("button", name="Take the sheet and type it").click()
    other.get_by_role("button", name="Take over").click()
    expect(page.locator(".foot")).to_contain_text("Luca has taken over Red's sheet")
    expect(page.get_by_label("Red court", exact=True)).to_contain_text("Luca is typing")
    expect(other.locator(".sheet .t")).to_have_text(["G5 → H43", "A5 → B61"])
    other.get_by_label("A line of Red's sheet").click()
    type_lines(other, "bless h4")
    expect(other.locator(".sheet .t")).to_have_count(3)
    file_sheet(other)
    expect(page.get_by_label("Red court", exact=True)).to_contain_text("Filed")
