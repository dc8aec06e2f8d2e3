"""What a newcomer needs: easy bots first, presets and maps that work, options in words, introductions, a way out."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from polemos import registry
from polemos.kernel.capabilities.presets import Presets
from polemos.kernel.match import Match
from polemos.kernel.rooms import built_in, opponents_of
from unit.server.serving import Server, Web, wait_for

OURS = [name for name in registry.names() if isinstance(registry.load(name), Presets)]


@pytest.mark.parametrize("game", registry.names())
def test_opponents_are_bots_of_the_game_from_easy_to_strong(game: str) -> None:
    bots, offered = list(built_in(registry.load(game))), list(opponents_of(registry.load(game)))
    assert offered == [bot for bot in bots if bot in offered]
    assert "random" not in offered or len(bots) == 1
    assert all(
        about == about.strip() and not about.endswith(".") for about in opponents_of(registry.load(game)).values()
    )


@pytest.mark.parametrize("game", OURS)
def test_every_preset_and_every_map_can_be_played(game: str) -> None:
    loaded = registry.load(game)
    assert [preset.name for preset in loaded.presets][:3] == ["quick", "standard", "long"]
    assert sum(preset.first for preset in loaded.presets) == 1
    for offered in (*loaded.presets, *loaded.map_cards):
        match = Match(loaded, offered.options, seed=1)
        assert offered.seats in (0, len(match.seats)), offered.name
    assert len({one.name for one in loaded.map_cards}) == len(loaded.map_cards)


def _bare(game: str) -> list[str]:
    """Values of options that a form could only show as they are."""
    schema = msgspec.json.schema(registry.load(game).options_type)
    options = schema["$defs"]["Options"]["properties"]
    maps = registry.load(game).map_cards if game in OURS else ()
    drawn = {option for one in maps for option in one.options}
    found: list[str] = []
    for name, of in options.items():
        ways = of.get("anyOf", [of])
        values = [value for way in ways for value in way.get("enum", ()) if value is not None] + of.get("examples", [])
        if name not in drawn:
            found += [f"{name}={value}" for value in values if str(value) not in of.get("words", {})]
    return found


@pytest.mark.parametrize("game", OURS)
def test_no_option_shows_a_raw_word(game: str) -> None:
    assert _bare(game) == []


@pytest.mark.parametrize("game", OURS)
def test_pictures_of_presets_and_maps(web: Web, game: str) -> None:
    card = web.get(f"/api/games/{game}").json()
    assert [one["bot"] for one in card["opponents"]] == list(opponents_of(registry.load(game)))
    for kind in ("presets", "maps"):
        for one in card[kind][:2]:
            answer = web.get(f"/api/games/{game}/{kind}/{one['name']}.svg", params={"theme": "dark"})
            assert answer.status_code == 200
            assert answer.text.startswith("<svg")
            assert _sentences(answer.text) == []
    for wrong in ("presets/none.svg", "maps/../secret.svg", "nothing/quick.svg", "presets/quick"):
        assert web.get(f"/api/games/{game}/{wrong}").status_code == 404


def _sentences(picture: str) -> list[str]:
    """Words that nobody could read on a picture of a few hundred pixels; names of places stand alone."""
    return [words for words in re.findall(r"<text[^>]*>([^<]*)</text>", picture) if " " in words]


@pytest.mark.parametrize("game", OURS)
def test_the_moving_game_of_the_lobby_shows_the_board_alone(web: Web, game: str) -> None:
    bots = dict.fromkeys(Match(registry.load(game), seed=1).seats, "random")
    table = web.open(game, bots=bots, pace=1)["table"]
    address = f"/api/tables/{table}/frames?from=0&to=1&boards=none"
    whole, small = (web.get(address + more).json()[0]["picture"] for more in ("", "&small=true"))
    assert _sentences(whole) != []
    assert _sentences(small) == []


def _lesson(web: Web, **changed: Any) -> Any:
    wish = {
        "game": "skerries",
        "seats": {"red": {"kind": "person"}, "blue": {"kind": "bot", "bot": "settler"}},
        "listed": False,
        "lesson": True,
    }
    return web.post("/api/tables", wish | changed)


def test_an_introduction_has_the_same_dice_for_everyone_and_is_for_one_person(small_server: Server) -> None:
    with Web(small_server.address) as web:
        tables = [_lesson(web).json()["table"] for _ in range(2)]
        usual = web.open("skerries", people=["red"], bots={"blue": "settler"})["table"]
        keys = [small_server.hall.keepers[table].table.key for table in (*tables, usual)]
        assert keys[0] == keys[1] != keys[2]
        _only_for_one_person(web)


def _only_for_one_person(web: Web) -> None:
    open_seat = {"red": {"kind": "person"}, "blue": {"kind": "open"}}
    for changed in ({"listed": True}, {"seats": open_seat}, {"clock": {"kind": "turn", "seconds": 60}}):
        answer = _lesson(web, **changed)
        assert answer.status_code == 409, changed
        assert "introduction" in answer.json()["why"]


def test_a_game_against_bots_can_be_dismissed_by_its_player_alone(web: Web) -> None:
    mine = web.open("skerries", people=["red"], bots={"blue": "settler"})
    at = f"/api/tables/{mine['table']}"
    assert web.post(f"{at}/dismissal").status_code == 409, "somebody who only looks"
    assert web.post(f"{at}/dismissal", token="wrong").status_code == 403
    assert web.post(f"{at}/dismissal", token=mine["token"]).status_code == 204
    wait_for(lambda: web.get(at).json()["status"] == "over")
    assert web.get(at).json()["outcome"]["winner"] == "blue"
    assert web.post(f"{at}/dismissal", token=mine["token"]).status_code == 204, "twice does no harm"


def test_a_game_with_people_cannot_be_dismissed(web: Web) -> None:
    mine = web.open("skerries", people=["red"], clock={"kind": "turn", "seconds": 60})
    answer = web.post(f"/api/tables/{mine['table']}/dismissal", token=mine["token"])
    assert answer.status_code == 409
    assert "against bots" in answer.json()["why"]
