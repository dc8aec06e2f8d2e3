"""Paper for a party: role cards that betray nothing, order forms, blank boards, the rules on one page."""

from __future__ import annotations

import doctest
import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from polemos.games.monarchs.board import NAMES, NATIONS
from polemos.games.monarchs.draw import blank_board, card_pages, order_form, papers, rules_page
from polemos.games.monarchs.draw import cards as cards_module
from polemos.games.monarchs.draw.primer import courts_of, rounds_of, scores_of
from polemos.games.monarchs.game import GAME
from polemos.games.monarchs.party import acts, evening
from polemos.games.monarchs.party.acts import Entry
from polemos.games.monarchs.party.options import Court, Options, Setup
from polemos.games.monarchs.party.sight import sight
from polemos.games.monarchs.party.state import State, begin
from polemos.kernel import dice
from polemos.kernel.game import UMPIRE
from polemos.pictures import faces
from polemos.pictures.convert import pdf
from polemos.pictures.sheet import PAPERS
from polemos.pictures.svg import PictureError

SPACE = "{http://www.w3.org/2000/svg}"
PAPER = pytest.mark.parametrize("paper", sorted(PAPERS))
LONG = "Maximiliane Wilhelmina of Wittelsbach and Wolfenbüttel the Young"[:60]


def dealt(key: int = 1, monarch: str = "Queen", courtiers: int = 5, options: Options | None = None) -> State:
    courts = {
        nation: Court(f"{monarch}{n}", tuple(f"{monarch}{nation[0]}{number}" for number in range(courtiers)))
        for n, nation in enumerate(NATIONS)
    }
    setup = Setup("Long Winter", dice.derive(key, "chance"), courts, options=options or Options(rounds=8))
    return evening.apply(begin(setup), Entry(0, acts.Deal()))


def cards(state: State, paper: str = "a4") -> list[str]:
    return card_pages([sight(state, role) for role in state.all_courtiers], state.options, paper, "Long Winter")


def texts(svg: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter(f"{SPACE}text"))


def said(svg: str) -> str:
    return " ".join(element.text or "" for element in texts(svg))


def spans(svg: str) -> list[tuple[float, float, float, str]]:
    """Every line of text: its height on the page, where it begins and ends, and what it says."""
    found = []
    for element in texts(svg):
        words = element.text or ""
        if "transform" in element.attrib:
            continue
        display = "Spectral" in element.get("font-family", "")
        wide = faces.width(
            words, float(element.attrib["font-size"]), bold=element.get("font-weight") == "700", display=display
        )
        x, y = float(element.attrib["x"]), float(element.attrib["y"])
        left = {"end": x - wide, "middle": x - wide / 2}.get(element.get("text-anchor", ""), x)
        found.append((y, left, left + wide, words))
    return found


def overflowing(svg: str, paper: str, margin: float = 2.0) -> list[str]:
    """Lines of text that leave the page."""
    size = PAPERS[paper]
    return [
        words
        for y, left, right, words in spans(svg)
        if left < margin or right > size.width - margin or not margin < y < size.height - margin
    ]


def colliding(svg: str) -> list[tuple[str, str]]:
    """Lines of text at the same height of which one begins before the other has ended."""
    lines = sorted(spans(svg))
    return [
        (one, other) for (y, _, right, one), (height, left, _, other) in pairwise(lines) if y == height and left < right
    ]


def start_page(options: Options, paper: str = "a4") -> str:
    state = GAME.setup({"mode": "party"}, 1)
    return rules_page(GAME.setting(state), GAME.observe(state, UMPIRE), options, paper)


@PAPER
def test_everything_stays_on_the_page(paper: str) -> None:
    pages = [*cards(dealt(), paper), *(order_form(nation, 50, paper, LONG) for nation in NATIONS)]
    pages += [blank_board("green", paper, LONG), start_page(Options(), paper), start_page(Options(rounds=50), paper)]
    pages.append(start_page(Options(party="2022-02"), paper))
    for page in pages:
        assert overflowing(page, paper) == []


@PAPER
@pytest.mark.parametrize("options", [Options(rounds=8), Options(), Options(party="2022-02")])
def test_no_words_are_printed_over_others(options: Options, paper: str) -> None:
    for page in (*cards(dealt(options=options), paper), start_page(options, paper)):
        assert colliding(page) == []


@PAPER
def test_long_names_stay_on_their_cards(paper: str) -> None:
    for page in cards(dealt(monarch=LONG[:50], courtiers=8, options=Options()), paper):
        assert overflowing(page, paper) == []


def test_a_print_job_holds_cards_forms_boards_and_rules() -> None:
    """12 order forms for 4 rounds, 3 blank boards, 3 pages of rules and 5 pages with 15 cards."""
    state = dealt(options=Options(rounds=4))
    board = GAME.setup({"mode": "party"}, 1)
    sights = [sight(state, role) for role in state.all_courtiers]
    job = papers(state.setup, sights, GAME.setting(board), GAME.observe(board, UMPIRE))
    titles = Counter(ElementTree.fromstring(page).findtext(f"{SPACE}title") for page in job)
    forms = {f"Orders for turn {turn}": 3 for turn in range(1, 5)}
    assert titles == {"Role cards": 5, "Blank map": 3, "Monarchs on one page": 3, **forms}
    assert pdf(job, "a4").startswith(b"%PDF")


def test_examples_in_docstrings_run() -> None:
    result = doctest.testmod(cards_module)
    assert result.attempted > 0
    assert result.failed == 0


# ---- role cards


def test_there_are_three_cards_to_a_page_and_one_for_each_courtier() -> None:
    state = dealt(courtiers=4)
    pages = cards(state)
    assert len(pages) == 4
    words = " ".join(map(said, pages))
    assert words.count("You serve ") == 12
    for role in state.all_courtiers:
        assert f" {state.names[role]} " in f" {words} "


def test_a_card_says_whom_its_courtier_serves() -> None:
    state = dealt()
    for role in state.all_courtiers:
        page = card_pages([sight(state, role)], state.options)[0]
        assert f"You serve {state.serves[role].capitalize()}." in said(page)
        true = state.names[state.serves[role]]
        assert f"{true} is your true monarch" in said(page)
        assert "own monarch − 162" in said(page)
        assert "2 × true − own − 171" in said(page)


def test_without_a_number_of_rounds_the_cards_say_how_to_count() -> None:
    page = cards(dealt(options=Options()))[0]
    assert "own monarch − 18 × (rounds + 1)" in said(page)


def places(svg: str) -> list[tuple[str | None, ...]]:
    return [tuple(element.get(name) for name in ("x", "y", "font-size")) for element in texts(svg)]


def test_cards_of_loyal_courtiers_and_of_spies_have_the_same_layout() -> None:
    """Every line of every card stands in the same place, whatever was dealt."""
    found = set()
    for key in range(12):
        state = dealt(key)
        found.add(tuple(places(card_pages([sight(state, "red-1")], state.options)[0])))
    assert len(found) == 1
    assert {dealt(key).serves["red-1"] for key in range(12)} == set(NATIONS)


def test_the_outside_of_a_card_shows_the_name_and_the_court_only() -> None:
    state = dealt()
    for role in state.all_courtiers:
        page = card_pages([sight(state, role)], state.options)[0]
        court = role.partition("-")[0]
        outside = [element.text for element in texts(page) if float(element.attrib["x"]) < 41]
        shown = [state.names[role], f"{court.capitalize()} court", state.names[court]]
        assert outside == [*shown, "Sealed. Open alone,", "tell nobody."]


def test_only_courtiers_who_were_dealt_a_loyalty_have_cards() -> None:
    state = dealt()
    for role, before in (("red", state), ("red-1", begin(state.setup))):
        with pytest.raises(PictureError):
            card_pages([sight(before, role)], state.options)


def test_the_title_of_the_print_job_names_nobody() -> None:
    for page in cards(dealt()):
        assert ElementTree.fromstring(page).findtext(f"{SPACE}title") == "Role cards"


# ---- forms


@pytest.mark.parametrize("nation", NATIONS)
def test_an_order_form_has_lines_one_blessing_and_an_empty_board(nation: str) -> None:
    form = order_form(nation, 5, title="Long Winter")
    words = [element.text for element in texts(form)]
    assert words.count(nation.upper()) == 2
    assert "Orders for turn 5" in words
    assert [word for word in words if word is not None and word.isdecimal()] == [str(n) for n in range(1, 13)]
    assert set(NAMES) <= set(words)
    assert words.count("Bless") == 1
    for label in ("Monarch's signature", "Carrier", "Left the court at", "Arrived"):
        assert label in words


def test_forms_of_all_nations_differ_in_the_nation_alone() -> None:
    red, green = (re.sub("RED|GREEN|Red|Green", "X", said(order_form(nation, 3))) for nation in ("red", "green"))
    assert red == green


def test_a_blank_board_has_all_names_and_nothing_else() -> None:
    words = [element.text for element in texts(blank_board("blue"))]
    assert set(NAMES) <= set(words)
    assert "Sealed map. To be opened in the blue court only." in words


# ---- the rules on one page


def test_the_page_of_rules_follows_the_options() -> None:
    later, earlier = start_page(Options(rounds=8)), start_page(replace(Options(), party="2022-02"))
    assert "8 rounds of 15 minutes" in said(later)
    assert "At most three of your own courtiers" in said(later)
    assert "At most three of your own courtiers" not in said(earlier)
    assert "summon" not in said(earlier)
    assert "score squared" not in said(earlier)
    assert rounds_of(Options()) == "rounds of 15 minutes"
    assert ("Loyal courtier", "monarch − 162") in scores_of(Options(rounds=8))
    assert ("Loyal courtier", "nation − 18 × (rounds + 1)") in scores_of(Options(party="2022-02"))
    assert any("waits 90 seconds" in line for line in courts_of(Options(holding_seconds=90)))
