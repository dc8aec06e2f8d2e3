"""The report: its figures by hand, its page as a browser reads it, and names that mean harm."""

from __future__ import annotations

import csv
import doctest
import re
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from polemos.arena.times import Used
from polemos.arena.tournament import report, report_html, report_tables, report_words
from polemos.arena.tournament.engine import Tournament
from polemos.arena.tournament.plan import Entrant, Notice, Plan, Played, Row
from polemos.arena.tournament.ratings import rate
from unit.arena.tournament import fabricated
from unit.arena.tournament.fabricated import KNOCK_OUT, LARGE_SWISS, ROUND_ROBIN, STRESS, SWISS, Field, play

VOID = {"meta", "br", "col", "link", "img", "input", "hr", "base"}


class Element:
    """An element of a page, with all that is in it."""

    def __init__(self, tag: str, attributes: dict[str, str | None], parent: Element | None) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.children: list[Element] = []
        self.pieces: list[str] = []

    def all(self, tag: str, **attributes: str) -> list[Element]:
        """Those with this tag and these attributes, in order; `kind` is one of the classes."""
        kind = attributes.pop("kind", None)
        found = []
        for child in self.children:
            classes = (child.attributes.get("class") or "").split()
            if child.tag == tag and (kind is None or kind in classes):
                if all(child.attributes.get(name) == value for name, value in attributes.items()):
                    found.append(child)
            found += child.all(tag, **attributes, **({} if kind is None else {"kind": kind}))
        return found

    def one(self, tag: str, **attributes: str) -> Element:
        found = self.all(tag, **attributes)
        assert len(found) == 1, f"{len(found)} {tag} {attributes}"
        return found[0]

    def within(self) -> list[Element]:
        return [one for child in self.children for one in (child, *child.within())]

    @property
    def text(self) -> str:
        return " ".join("".join(self.pieces).split())

    def texts(self, tag: str, **attributes: str) -> list[str]:
        return [one.text for one in self.all(tag, **attributes)]


class Page(HTMLParser):
    """Reads a page and insists that every element is closed where it should be."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self.at = Element("", {}, None)
        self.feed(text)
        self.close()
        assert self.at is self.root, f"{self.at.tag} is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute twice: {tag} {attrs}"
        child = Element(tag, dict(attrs), self.at)
        self.at.children.append(child)
        if tag not in VOID:
            self.at = child

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.at.children.append(Element(tag, dict(attrs), self.at))

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.at.tag, f"{tag} closes {self.at.tag}"
        assert self.at.parent is not None
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        at: Element | None = self.at
        while at is not None:
            at.pieces.append(data)
            at = at.parent


def made(folder: Path, tournament: Tournament) -> Element:
    fabricated.write(folder, tournament)
    return Page((folder / "index.html").read_text(encoding="utf-8")).root


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def stress(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Element]:
    """A hundred bots and ten thousand games."""
    folder = tmp_path_factory.mktemp("stress")
    return folder, made(folder, play(STRESS))


def test_examples_run() -> None:
    result = doctest.testmod(report_words)
    assert result.attempted > 0
    assert result.failed == 0


# ---- figures by hand


def small(seats: int = 2, **more: Any) -> tuple[Plan, list[Played], list[Row]]:
    """Three bots; with two seats four games, with three seats two."""
    bots = tuple(Entrant(name, name.lower()) for name in ("Ant", "Bee", "Cat"))
    plan = replace(Plan("chess", 3, {"size": 9}, seats, bots, "round-robin", 3, 2, "dice & co"), **more)
    results: list[tuple[int, tuple[int, ...], tuple[float, ...]]]
    if seats == 2:
        results = [(1, (0, 1), (1.0, 0.0)), (1, (1, 0), (0.5, 0.5)), (2, (0, 2), (0.0, 1.0)), (3, (1, 2), (0.0, 1.0))]
    else:
        results = [(1, (0, 1, 2), (1.0, 0.0, 0.0)), (2, (2, 0, 1), (0.5, 0.5, 0.0))]
    played = [
        Played(
            number=number,
            meeting=meeting,
            round=meeting,
            seating=seating,
            ranks=tuple(1 if its == max(points) else 2 for its in points),
            points=points,
            reason="all taken",
            rule="4.2",
            steps=12,
            fingerprint=f"{number}",
            void_lines=tuple(2 if entrant == 1 else 0 for entrant in seating),
            forfeits={},
            replay=f"replays/game-{number:05d}.jsonl.gz",
        )
        for number, (meeting, seating, points) in enumerate(results, 1)
    ]
    totals = {e: sum(p for g in played for s, p in zip(g.seating, g.points, strict=True) if s == e) for e in range(3)}
    order = sorted(totals, key=lambda entrant: -totals[entrant])
    rows = [Row(e, i, totals[e], 2, 1, 0, 1, 0.75, 0, 0, 0, 0, False) for i, e in enumerate(order, 1)]
    return plan, played, rows


def written(
    folder: Path,
    plan: Plan,
    played: list[Played],
    rows: list[Row],
    notices: tuple[Notice, ...] = (),
    *,
    running: bool = False,
    due: int = 0,
) -> Element:
    due = due or len(played)
    report.write(folder, plan, played, rows, notices, rate(plan, played), done=len(played), due=due, running=running)
    return Page((folder / "index.html").read_text(encoding="utf-8")).root


def test_the_cross_table_of_two_seats_by_hand(tmp_path: Path) -> None:
    """Cat has 2 points, Ant 1.5, Bee 0.5; Ant and Bee met twice, the others once."""
    page = written(tmp_path, *small())
    rows = [row.texts("td") for row in page.one("div", kind="cross").one("tbody").all("tr")]
    assert rows == [["", "1/1", "1/1"], ["0/1", "", "1.5/2"], ["0/1", "0.5/2", ""]]
    assert table(tmp_path, "crosstable.csv") == [
        {"name": "Cat", "Cat": "", "Ant": "1.0", "Bee": "1.0"},
        {"name": "Ant", "Cat": "0.0", "Ant": "", "Bee": "1.5"},
        {"name": "Bee", "Cat": "0.0", "Ant": "0.5", "Bee": ""},
    ]


def test_the_cross_table_of_three_seats_shows_means_and_says_so(tmp_path: Path) -> None:
    page = written(tmp_path, *small(3))
    section = page.one("section", **{"aria-labelledby": "cross-table"})
    assert "Mean points of the row in all games that both bots played" in section.text
    rows = [row.texts("td") for row in section.one("tbody").all("tr")]
    assert rows == [["", "0.75", "0.75"], ["0.25", "", "0.25"], ["0.00", "0.00", ""]]


def test_cells_lead_to_the_games_of_both(tmp_path: Path) -> None:
    """Ant and Bee have one meeting of two games; where two met twice the cell leads to the list of their meetings."""
    plan, played, rows = small()
    page = written(tmp_path, plan, played, rows)
    cell = page.one("div", kind="cross").one("tbody").all("tr")[1].all("td")[2].one("a")
    target = page.one("tr", id=(cell.attributes["href"] or "")[1:])
    assert target.text == "Meeting 1 Ant 1.5 : 0.5 Bee"
    apart = [replace(game, meeting=game.number, round=game.number) for game in played]
    page = written(tmp_path, plan, apart, rows)
    cell = page.one("div", kind="cross").one("tbody").all("tr")[1].all("td")[2].one("a")
    listed = page.one("li", id=(cell.attributes["href"] or "")[1:])
    assert listed.text == "Ant and Bee: 1 2"
    assert [link.attributes["href"] for link in listed.all("a")] == ["#m1", "#m2"]


def test_the_head_says_what_was_played(tmp_path: Path) -> None:
    plan, played, rows = small(trust=True)
    page = written(tmp_path, plan, played, rows)
    assert page.one("h1").text == "Chess: round robin, 3 bots"
    assert page.one("p", kind="lead").text == "Cat wins with 2 points."
    assert page.one("p", kind="done").text == "4 of 4 games are done."
    facts = dict(zip(page.one("main").texts("dt"), page.one("main").texts("dd"), strict=True))
    assert facts["Game"] == "Chess, edition 3"
    assert facts["Options"] == "size 9"
    assert facts["System"] == "Round robin, 3 rounds, 2 games per meeting, 2 seats"
    assert facts["Seed"] == "dice & co"
    assert facts["Programs"] == "none: all bots are part of Polemos"
    assert "memory 512 MB" in facts["Limits for programs"]
    programs = replace(plan, entrants=tuple(replace(entrant, digest="ab") for entrant in plan.entrants))
    assert "run without the box" in written(tmp_path, programs, played, rows).text
    assert "run in the box" in written(tmp_path, replace(programs, trust=False), played, rows).text


MAP = "name: Fjäll & Δelta\nsymmetry: half-turn\n .rr  .bb. \nRoo  <oo>B\n\tx\x07y\u202e\n"


def test_an_option_of_many_lines_is_shown_as_it_was_written(tmp_path: Path) -> None:
    plan, played, rows = small(options={"turns": 60, "map": MAP, "rules": "finals-2025"})
    page = written(tmp_path, plan, played, rows)
    facts = dict(zip(page.one("main").texts("dt"), page.one("main").texts("dd"), strict=True))
    assert facts["Options"] == "turns 60, map Fjäll & Δelta (a text of 5 lines, below), rules finals-2025"
    block = page.one("details", kind="text")
    assert block.one("summary").text == "map: Fjäll & Δelta"
    drawn = "".join(block.one("pre").pieces)
    assert drawn == "name: Fjäll & Δelta\nsymmetry: half-turn\n .rr  .bb. \nRoo  <oo>B\n    x y "
    assert "\ufffd" not in page.text


@pytest.mark.needs("demons")
def test_a_real_map_can_be_copied_from_the_page(tmp_path: Path) -> None:
    text = (Path(report.__file__).parents[2] / "games/demons/data/maps/skirmish.map").read_text(encoding="utf-8")
    plan, played, rows = small(options={"map": text})
    page = written(tmp_path, plan, played, rows)
    assert "".join(page.one("details", kind="text").one("pre").pieces) == text.rstrip("\n")


def test_long_options_are_whole_and_very_long_ones_end_with_a_count(tmp_path: Path) -> None:
    long = {f"option {i}": f"value {i} of many, each of them a sentence." for i in range(12)}
    plan, played, rows = small(options=long)
    facts = written(tmp_path, plan, played, rows).one("main")
    assert "option 11 value 11 of many, each of them a sentence." in facts.texts("dd")[1]
    plan, played, rows = small(options={"map": "x" * 3000 + "\n." * 699, "list": ["a", 1]})
    page = written(tmp_path, plan, played, rows)
    assert page.one("main").texts("dd")[1] == 'map (a text of 700 lines, below), list ["a",1]'
    assert page.one("details", kind="text").one("pre").text.endswith("… and 300 more lines")
    assert len(page.one("details", kind="text").one("pre").text) < 2000
    assert page.one("details", kind="text").one("pre").text.startswith("x" * 400 + "… .")


def test_strikes_and_time_stand_in_the_report(tmp_path: Path) -> None:
    """Bee has 2 strikes in one game; it took 2.5 s and 0.5 s of CPU time, and 4 s for an answer."""
    plan, played, rows = small()
    slow, quick = Used(1, 10, 2.5, 6.0, 4.0), Used(1, 10, 0.002, 0.004, 0.001)
    played[0] = replace(played[0], strikes=(0, 2), used=(quick, slow))
    played[1] = replace(played[1], strikes=(0, 0), used=(Used(1, 10, 0.5, 1.0, 0.25), quick))
    rows[2] = replace(rows[2], strikes=2, void_lines=6)
    page = written(tmp_path, plan, played, rows)
    heads = page.one("div", kind="standings").one("thead").texts("th")
    by_name = {row.one("th").text: row for row in page.one("div", kind="standings").one("tbody").all("tr")}
    cells = dict(zip(heads, [one.text for one in by_name["Bee"].children], strict=True))
    assert cells["Strikes"] == "2"
    assert by_name["Bee"].all("a")[1].attributes["href"] == "#f1"
    lines = [[one.text for one in row.children] for row in page.one("div", kind="times").all("tr")]
    assert lines == [
        ["Bot", "CPU per game", "Clock per game", "Clock per answer", "Slowest answer", "CPU in all games"],
        ["Ant", "2.0 ms", "4.0 ms", "0.4 ms", "1.0 ms", "4.0 ms"],
        ["Bee", "1.5 s", "3.5 s", "350 ms", "4.0 s", "3.0 s"],
    ], "Cat was never timed"
    assert "No times were recorded" in written(tmp_path / "old", *small()).text
    faults = [[cell.text for cell in row.children] for row in page.one("div", kind="faults").all("tr")[1:]]
    assert ["strikes", "2", "1", "game 1", ""] in faults
    remarks = page.all("div", kind="games")[0].all("tr")[2].children[-1].text
    assert remarks == "Bee: 2 strikesBee: 2 void lines"
    games = table(tmp_path, "games.csv")
    assert [games[0][f"{word}_2"] for word in ("strikes", "cpu", "clock", "slowest")] == ["2", "2.5", "6.0", "4.0"]
    assert [games[3][f"{word}_2"] for word in ("strikes", "cpu", "clock", "slowest")] == ["", "", "", ""]
    (bee,) = [row for row in table(tmp_path, "standings.csv") if row["name"] == "Bee"]
    assert [bee[word] for word in ("strikes", "cpu", "clock", "slowest")] == ["2", "3.0", "7.0", "4.0"]


def test_while_it_runs_the_page_says_so(tmp_path: Path) -> None:
    plan, played, rows = small()
    page = written(tmp_path, plan, played, rows, running=True, due=6)
    assert page.one("p", kind="lead").text == "Cat leads with 2 points."
    assert page.one("div", kind="card").text.startswith("Not finished. 4 of 6 games are done.")
    knock_out = replace(plan, system="knock-out")
    equals = [replace(row, place=1) for row in rows]
    assert written(tmp_path, knock_out, played, equals, running=True).one("p", kind="lead").text == (
        "Cat, Ant and Bee are still in."
    )
    assert written(tmp_path, plan, played, equals[:2]).one("p", kind="lead").text == (
        "Cat and Ant share first place with 2 points each."
    )


def test_standings_show_points_rating_and_faults(tmp_path: Path) -> None:
    plan, played, rows = small()
    rows[2] = replace(rows[2], paused=True, void_lines=6, walkovers=1)
    page = written(tmp_path, plan, played, rows)
    heads = page.one("div", kind="standings").one("thead").texts("th")
    first, _, last = page.one("div", kind="standings").one("tbody").all("tr")
    cells = dict(zip(heads, [one.text for one in last.children], strict=True))
    elo = rate(plan, played)[1]
    assert elo.elo is not None and elo.low is not None and elo.high is not None  # noqa: PT018
    assert (cells["Place"], cells["Bot"], cells["Points"], cells["Void lines"]) == ("3", "Bee paused", "0.5", "6")
    assert cells["Walk\u00adovers"] == "1"
    assert cells["Elo"] == f"−{-round(elo.elo)}"
    assert cells["95 %"] == f"−{-round(elo.low)} to +{round(elo.high)}"
    assert len(first.one("td", kind="bar").all("circle")) == 1
    assert last.all("a")[0].attributes["href"] == "#f1"


def test_games_name_seats_end_and_rule(tmp_path: Path) -> None:
    page = written(tmp_path, *small())
    lines = page.all("div", kind="games")[0].all("tr")
    assert [one.text for one in lines[0].children] == ["Game", "Seat 1", "Seat 2", "End", "Turns", "Remarks"]
    assert [one.text for one in lines[2].children] == [
        "1", "Ant", "1", "Bee", "0", "all taken Rule 4.2", "12", "Bee: 2 void lines",
    ]  # fmt: skip
    assert lines[2].one("a").attributes["href"] == "replays/game-00001.jsonl.gz"
    assert "polemos replay replays/game-00001.jsonl.gz" in page.text


def test_seats_have_their_shape_where_the_game_is_known(tmp_path: Path) -> None:
    page = made(tmp_path, play(SWISS))
    head = page.all("div", kind="games")[0].one("thead")
    assert [one.text for one in head.all("span", kind="seat")] == ["Red", "Blue", "Green"]
    drawn = {shape.attributes["id"] for shape in page.all("symbol")}
    assert {use.attributes["href"] for use in page.all("use")} == {f"#{shape}" for shape in drawn}


def test_faults_are_counted_bot_by_bot(tmp_path: Path) -> None:
    plan, played, rows = small()
    played[0] = replace(played[0], forfeits={1: "time: the bank is empty"})
    played[1] = replace(played[1], forfeits={0: "time: 3 s"}, replay=None)
    page = written(tmp_path, plan, played, rows)
    lines = [[cell.text for cell in row.children] for row in page.one("div", kind="faults").all("tr")[1:]]
    assert lines == [
        ["Bee", "void lines", "6", "3", "game 1", ""],
        ["time", "2", "2", "game 1", "time: the bank is empty"],
    ]
    remarks = page.all("div", kind="games")[0].all("tr")[2].children[-1].text
    assert remarks == "Bee dropped out: time: the bank is empty Bee: 2 void lines".replace(" Bee: 2", "Bee: 2")


def test_notices_and_a_paused_bot_are_told(tmp_path: Path) -> None:
    tournament = play(ROUND_ROBIN)
    page = made(tmp_path, tournament)
    notice = page.one("div", kind="warn").text
    assert tournament.notices
    assert "…" not in notice, "no sentence is cut off"
    assert f"After game {tournament.notices[0].after}: Lapwing is paused" in notice
    assert "Lapwing paused" in "".join(page.one("div", kind="standings").texts("th"))
    many = tuple(Notice(number, f"notice {number}") for number in range(1, 1001))
    text = written(tmp_path, *small(), many).one("div", kind="warn").text
    assert "800 earlier notices" in text
    assert "notice 1000" in text


def test_tables_of_games_and_standings_are_whole(tmp_path: Path) -> None:
    plan, played, rows = small()
    written(tmp_path, plan, played, rows)
    games = table(tmp_path, "games.csv")
    assert [game["game"] for game in games] == ["1", "2", "3", "4"]
    assert games[1] == {
        "game": "2", "round": "1", "meeting": "1", "reason": "all taken", "rule": "4.2", "turns": "12",
        "entrant_1": "1", "name_1": "Bee", "rank_1": "1", "points_1": "0.5", "void_lines_1": "2", "dropped_out_1": "",
        "strikes_1": "", "cpu_1": "", "clock_1": "", "slowest_1": "",
        "strikes_2": "", "cpu_2": "", "clock_2": "", "slowest_2": "",
        "entrant_2": "0", "name_2": "Ant", "rank_2": "1", "points_2": "0.5", "void_lines_2": "0", "dropped_out_2": "",
        "fingerprint": "2", "replay": "replays/game-00002.jsonl.gz",
    }  # fmt: skip
    standings = table(tmp_path, "standings.csv")
    assert [(row["place"], row["name"], row["points"]) for row in standings] == [
        ("1", "Cat", "2.0"), ("2", "Ant", "1.5"), ("3", "Bee", "0.5"),
    ]  # fmt: skip
    assert float(standings[0]["elo"]) == pytest.approx(rate(plan, played)[2].elo, abs=1e-4)


def test_repeated_games_and_walkovers_are_named(tmp_path: Path) -> None:
    plan, played, rows = small()
    again = [replace(game, fingerprint="same") for game in played] + [replace(played[0], number=9, fingerprint="same")]
    report.write(tmp_path, plan, again, rows, (), rate(plan, again), done=7, due=7, running=False)
    text = Page((tmp_path / "index.html").read_text(encoding="utf-8")).root.one("p", kind="done").text
    assert text.startswith("7 of 7 games are done; 5 of them were played, and the others were walkovers or void; ")
    assert text.endswith("; 1 repeated another game exactly.")


# ---- files


def test_the_same_facts_give_the_same_bytes_in_any_order(tmp_path: Path) -> None:
    tournament = play(ROUND_ROBIN)
    fabricated.write(tmp_path / "one", tournament)
    tournament.counted.reverse()
    fabricated.write(tmp_path / "two", tournament)
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == ["crosstable.csv", "games.csv", "index.html", "standings.csv"]
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_file_that_cannot_be_put_in_place_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, *small())
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def full(self: Path, *_: object, **__: object) -> None:
        self.touch()
        raise OSError("no space left")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="no space"):
        fabricated.write(tmp_path, play(KNOCK_OUT))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_void_games_are_left_out(tmp_path: Path) -> None:
    plan, played, rows = small()
    void = Played(5, 3, 3, (0, 1), (), (), "the worker died", "", 0, "", (0, 0), {}, void=True)
    written(tmp_path / "one", plan, played, rows)
    written(tmp_path / "two", plan, [*played, void], rows, due=4)
    assert (tmp_path / "one" / "games.csv").read_bytes() == (tmp_path / "two" / "games.csv").read_bytes()


def test_before_the_first_game_there_is_a_page(tmp_path: Path) -> None:
    plan, _, rows = small()
    page = written(tmp_path, plan, [], [replace(row, points=0.0, place=1) for row in rows], running=True, due=6)
    assert "No game has been played yet." in page.one("p", kind="lead").text
    assert "No two bots have met yet." in page.text
    assert page.one("div", kind="standings").texts("bdi") == ["Cat", "Ant", "Bee"]
    assert written(tmp_path, replace(plan, entrants=()), [], []).one("h1").text == "Chess: round robin, 0 bots"


# ---- the page as a browser and its reader meet it


@pytest.mark.parametrize("of", [ROUND_ROBIN, SWISS, KNOCK_OUT], ids=lambda of: of.plan.system)
@pytest.mark.parametrize("most", [10, None], ids=["running", "ended"])
def test_pages_are_sound(tmp_path: Path, of: Field, most: int | None) -> None:
    is_sound(made(tmp_path, play(of, most)))


def is_sound(page: Element) -> None:
    """Nothing from elsewhere, nothing that runs, links that lead somewhere, tables that can be heard."""
    elements = page.within()
    assert not {"script", "iframe", "link", "img", "object", "form", "base"} & {one.tag for one in elements}
    ids = Counter(one.attributes["id"] for one in elements if one.attributes.get("id"))
    assert not [name for name, often in ids.items() if often > 1]
    for one in elements:
        assert not any(name.startswith("on") or name in {"style", "src"} for name in one.attributes)
        target = one.attributes.get("href") or ""
        if target.startswith("#"):
            assert target[1:] in ids, target
        elif target:
            assert re.fullmatch(r"(replays/game-\d{5}\.jsonl\.gz|\w+\.csv)", target), target
        for name in ("aria-labelledby",):
            assert one.attributes.get(name, next(iter(ids))) in ids
        if one.tag == "a":
            assert one.text, one.attributes
        if one.tag == "th":
            assert one.attributes.get("scope") in {"col", "row", "colgroup", "rowgroup"}
        if one.tag == "table":
            assert one.one("caption").text
            assert one.parent is not None
            assert one.parent.attributes["tabindex"] == "0"  # so that keys can scroll it
    assert len(page.all("main")) == len(page.all("h1")) == len(page.all("nav")) == len(page.all("header")) == 1
    assert page.one("html").attributes["lang"] == "en"
    assert len(page.all("h2")) == len(page.all("section")) == 8
    for row in [row for body in page.all("table") for row in body.all("tr")]:
        assert row.children


def test_the_policy_allows_the_style_and_nothing_else(tmp_path: Path) -> None:
    page = made(tmp_path, play(KNOCK_OUT))
    policy = page.one("meta", **{"http-equiv": "Content-Security-Policy"}).attributes["content"] or ""
    style = "".join(page.one("style").pieces)
    assert f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "url(" not in style
    assert "@import" not in style


def test_the_style_uses_no_word_that_it_does_not_define() -> None:
    style = report_html._style()
    assert set(re.findall(r"var\((--[\w-]+)\)", style)) <= set(re.findall(r"(--[\w-]+):", style))
    assert style.count("{") == style.count("}")


def test_intervals_are_drawn_inside_their_picture(tmp_path: Path) -> None:
    page = made(tmp_path, play(ROUND_ROBIN, 7))
    wide = report_tables._WIDE
    for dot in page.one("div", kind="standings").all("circle"):
        assert 0 < float(dot.attributes["cx"] or "") < wide
    for line in page.all("path", kind="whisker"):
        assert all(0 <= float(x) <= wide for x in re.findall(r"[MH]([\d.]+)", line.attributes["d"] or ""))


# ---- a hundred bots


def test_a_large_page_stays_small_and_folded(stress: tuple[Path, Element]) -> None:
    folder, page = stress
    assert (folder / "index.html").stat().st_size < 2_500_000
    rounds = page.one("div", kind="rounds").all("details")
    assert len(rounds) == 99
    assert not any("open" in one.attributes for one in rounds)
    assert max(len(one.all("tr")) for one in page.all("table")) <= 101
    assert "games.csv" in page.one("section", **{"aria-labelledby": "games"}).text
    assert len(table(folder, "games.csv")) == 9900
    replays = {link.attributes["href"] for link in page.one("div", kind="rounds").all("a")}
    assert len(replays) == 9900


def test_a_large_page_is_sound(stress: tuple[Path, Element]) -> None:
    is_sound(stress[1])


def test_beyond_a_hundred_bots_the_cross_table_goes_on_in_its_file(tmp_path: Path) -> None:
    plan, played, rows = small()
    many = replace(plan, entrants=tuple(Entrant(f"bot {i}", "x") for i in range(130)))
    rows += [Row(entrant, entrant + 1, 0.0, 0, 0, 0, 0, 0.0, 0, 0, 0, 0, False) for entrant in range(3, 130)]
    page = written(tmp_path, many, played, rows)
    assert len(page.one("div", kind="cross").one("tbody").all("tr")) == 100
    assert "The first 100 bots" in page.text
    assert len(table(tmp_path, "crosstable.csv")) == 130
    is_sound(page)


def test_many_seats_in_many_rounds_are_sound(tmp_path: Path) -> None:
    plan = replace(LARGE_SWISS.plan, rounds=4, games=12)
    is_sound(made(tmp_path, play(replace(LARGE_SWISS, plan=plan))))


# ---- those who mean harm

HOSTILE = [
    "<script>alert(1)</script>",
    "</title></style><img src=x onerror=alert(1)>",
    '"><svg/onload=alert(1)>',
    "=cmd|' /C calc'!A0",
    "+1+1",
    "@SUM(1)",
    "-2+3",
    "\t=1+1",
    "x;=1+1,\"=2+2\"\n=3+3\r\n=4+4",
    "\x00\x07\x1b[31mred\x7f\x9b",
    "\u202egnp.exe\u2066\u200f",
    "\u200b",
    "Z" + "\u0301" * 500 + "algo",
    "\ud800 half a pair",
    "W" * 10_000,
    "W" * 9_999 + "V",
    "&amp;&lt;b&gt;",
    "javascript:alert(1)",
    "שלום",
    "{{7*7}}${7*7}",
]  # fmt: skip


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Element]:
    """Everything that comes from outside is hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    count = len(HOSTILE)
    entrants = tuple(Entrant(name, name, name) for name in HOSTILE)
    plan = Plan(HOSTILE[0], 1, {HOSTILE[0]: HOSTILE[1], "x": {"y": HOSTILE[2]}}, 2, entrants, "swiss", 1, 1, HOSTILE[1])
    played = [
        Played(
            number=number + 1,
            meeting=number + 1,
            round=1,
            seating=(number, (number + 1) % count),
            ranks=(1, 2),
            points=(1.0, 0.0),
            reason=name,
            rule=name,
            steps=3,
            fingerprint=f"{number}",
            void_lines=(1, 0),
            forfeits={1: name, 0: f"crash: {name}"},
            replay=name,
        )
        for number, name in enumerate(HOSTILE)
    ]
    rows = [Row(i, i + 1, 1.0, 2, 1, 0, 1, 0.0, 0, 0, 1, 1, True) for i in range(count)]
    notices = tuple(Notice(i, name, i) for i, name in enumerate(HOSTILE))
    report.write(folder, plan, played, rows, notices, rate(plan, played), done=count, due=count, running=True)
    return folder, Page((folder / "index.html").read_text(encoding="utf-8")).root


def test_hostile_names_are_text_and_nothing_else(attacked: tuple[Path, Element]) -> None:
    folder, page = attacked
    elements = page.within()
    assert not {"script", "img", "iframe", "object", "link"} & {one.tag for one in elements}
    assert len(page.all("style")) == 1
    assert page.one("title").text == page.one("h1").text == "<script>alert(1)</script>: Swiss, 20 bots"
    for one in elements:
        assert not any(name.startswith("on") for name in one.attributes)
        assert not (one.attributes.get("href") or "").lower().startswith(("javascript:", "http", "//", "/", "data:"))
    names = page.one("div", kind="standings").texts("bdi")
    assert names[0] == "<script>alert(1)</script>"
    assert names[16] == "&amp;&lt;b&gt;"
    assert names[18] == "שלום"
    assert len(set(names)) == len(HOSTILE)  # still told apart
    assert max(map(len, names)) < 70
    assert (folder / "index.html").stat().st_size < 200_000


def test_no_control_sign_and_no_turned_text_is_left(attacked: tuple[Path, Element]) -> None:
    for path in attacked[0].iterdir():
        text = path.read_text(encoding="utf-8")
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text)
        assert "\u0301\u0301\u0301" not in text
        assert "W" * 1001 not in text


@pytest.mark.parametrize("name", ["standings.csv", "games.csv", "crosstable.csv"])
def test_spreadsheets_find_no_formula(attacked: tuple[Path, Element], name: str) -> None:
    text = (attacked[0] / name).read_text(encoding="utf-8")
    with (attacked[0] / name).open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    assert len(lines) == len(HOSTILE) + 1 == len(text.splitlines())
    assert len({len(line) for line in lines}) == 1
    for value in [value for line in lines for value in line]:
        if value.startswith(("=", "+", "-", "@", "\t", "\r")):
            float(value)  # a figure below 0
    for raw in text.splitlines():  # text is quoted, so that other separators part nothing
        assert not re.search(r'(^|,)[^",]*[;=@|]', re.sub(r'"(?:[^"]|"")*"', '""', raw))
