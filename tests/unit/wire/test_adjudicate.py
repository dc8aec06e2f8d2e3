"""One request, one answer: setting up, a step, and everything that can be wrong with a line."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import msgspec
import pytest

from polemos import registry
from polemos.kernel.game import SPECTATOR
from polemos.kernel.match import Match
from polemos.kernel.positions import load_position
from polemos.wire.adjudicate import MAX_BYTES, MAX_LINES, answer

GAME = registry.load("skerries")
START = "turn 1/8; red 0: A1 5; blue 0: B1 5; green 0: C1 5"
AT = b'"position": "' + START.encode() + b'"'
FIELDS = {"position", "text", "events", "rejected", "to_act", "outcome", "views", "told", "digest"}


def plain(message: object) -> Any:
    """A message as a reader of JSON gets it."""
    return msgspec.json.decode(msgspec.json.encode(message))


def ask(request: object) -> Any:
    """The answer, which must be one line of JSON."""
    line = request if isinstance(request, bytes) else msgspec.json.encode(request)
    given = answer(GAME, line)
    assert given.endswith(b"\n")
    assert given.count(b"\n") == 1
    return msgspec.json.decode(given)


def refusal(request: object, word: str) -> Any:
    given = ask(request)
    assert set(given) <= {"error", "id"}
    assert given["error"]["word"] == word
    assert given["error"]["why"].endswith(".")
    return given["error"]


# ---- setting up


def test_a_setup_is_answered_with_the_starting_position() -> None:
    given = ask({"setup": {"turns": 3, "seats": 3}, "seed": 7})
    match = Match(GAME, {"turns": 3, "seats": 3}, seed=7)
    assert set(given) == FIELDS
    assert given["digest"] == match.first_digest
    assert given["text"] == GAME.write_position(match.state)
    assert given["to_act"] == ["red", "blue", "green"]
    assert given["outcome"] is None
    assert given["events"] == given["rejected"] == []
    assert given["told"] == {"red": [], "green": [], "blue": [], SPECTATOR: []}
    assert load_position(GAME, given["position"]) == match.state


def test_the_position_of_an_answer_as_text_or_as_json_is_the_position_of_the_next_request() -> None:
    first = ask({"setup": {}, "seed": 7})
    orders = {"red": ["A1-A2 3", "A1-A3 1"], "blue": ["B1-A2 2"]}
    answers = [
        ask({"position": position, "orders": orders, "seed": 7}) for position in (first["position"], first["text"])
    ]
    assert answers[0] == answers[1]
    last = answers[0]
    for _ in range(7):
        last = ask({"position": last["position"], "seed": 7})
    assert last["outcome"]["reason"]
    assert last["to_act"] == []
    refusal({"position": last["position"]}, "order/illegal")


# ---- a step


def test_a_step_is_adjudicated_as_in_a_match() -> None:
    match = Match(GAME, seed=7, position=START)
    sheets: dict[str, list[object]] = {
        "red": ["A1-A2 3", {"order": "row", "from": "A1", "to": "A3", "number": 1}, "nonsense"],
        "green": [],
        "blue": ["B1-A2 9"],
    }
    for seat, lines in sheets.items():
        match.submit(seat, lines)
    step = match.run()
    given = ask({"position": START, "orders": sheets, "seed": 7})
    assert set(given) == FIELDS
    assert given["digest"] == step.digest
    audience = (*match.seats, SPECTATOR)
    assert given["views"] == plain({who: match.view(who) for who in audience})
    assert given["told"] == plain({who: match.told(who) for who in audience})
    assert [event["words"] for event in given["events"]] == [
        GAME.chronicle.words(event) for event in match.told("umpire")
    ]
    assert all(event["rule"] and event["kind"] for event in given["events"])
    assert [(r["seat"], r["line"], r["order"], r["rule"]) for r in given["rejected"]] == [
        ("red", 3, "nonsense", "2.1"),
        ("blue", 1, "B1-A2 9", "2.3"),
    ]


def test_seats_go_by_name_or_letter_and_a_sheet_may_be_one_text() -> None:
    lists = ask({"position": START, "orders": {"red": ["A1-A2 3", "A1-A3 1"]}, "seed": 7})
    for orders in ({"r": "A1-A2 3; A1-A3 1"}, {"RED": "A1-A2 3\nA1-A3 1"}, {"R": ["A1-A2 3", "A1-A3 1"]}):
        assert ask({"position": START, "orders": orders, "seed": 7}) == lists


def test_a_seat_with_null_or_none_at_all_is_absent() -> None:
    none = ask({"position": START, "seed": 7})
    assert ask({"position": START, "orders": None, "seed": 7}) == none
    assert ask({"setup": {}, "orders": None, "seed": 7}) == ask({"setup": {}, "seed": 7})
    assert ask({"position": START, "orders": {"red": None, "blue": None}, "seed": 7}) == none


def test_the_same_seed_throws_the_same_dice_and_none_throws_fresh_ones() -> None:
    request = {"position": START, "orders": {"red": ["A1-A2 3"], "blue": ["B1-A2 3"]}}
    assert ask({**request, "seed": 7}) == ask({**request, "seed": 7}) == ask({**request, "seed": "7"})
    assert len({str(ask(request)["events"]) for _ in range(8)}) > 1


@pytest.mark.parametrize(("red", "blue", "owner"), [(5, 4, "red"), (1, 2, "blue")])
def test_dice_can_be_fixed_by_name(red: int, blue: int, owner: str) -> None:
    given = ask(
        {
            "position": START,
            "orders": {"red": ["A1-A2 3"], "blue": ["B1-A2 3"]},
            "dice": {"A2": {"red": red, "blue": blue}},
        }
    )
    assert given["position"]["view"]["crews"][owner]["boats"]["A2"] == 3
    dice = {event["seat"]: event["die"] for event in given["events"] if event["kind"] == "threw"}
    assert dice == {"red": red, "blue": blue}


def test_forfeits_are_part_of_a_step() -> None:
    given = ask({"position": START, "forfeits": ["blue", "g"], "seed": 1})
    assert given["outcome"]["winner"] == "red"
    assert [seat for seat, crew in given["position"]["view"]["crews"].items() if crew["boats"] is None] == [
        "blue",
        "green",
    ]
    assert ask({"position": START, "forfeits": ["blue"], "seed": 1})["to_act"] == ["red", "green"]


@pytest.mark.needs("monarchs")
def test_calls_are_part_of_a_step_and_dice_have_a_limit() -> None:
    monarchs = registry.load("monarchs")
    for request, word in (
        ({"position": "start", "calls": ["last"], "forfeits": ["blue", "g"], "seed": 1}, ""),
        ({"position": "start", "calls": ["double"]}, "order/notation"),
        ({"position": "start; turn 5/8", "calls": ["turns 3"]}, "order/illegal"),
        ({"position": "start", "dice": {"hex H4": {"red": ["0.5"] * 300}}}, "order/notation"),
    ):
        given = msgspec.json.decode(answer(monarchs, msgspec.json.encode(request)))
        assert given["error"]["word"] == word if word else given["outcome"]["winner"] == "red"


# ---- id


@pytest.mark.parametrize("id", [1, 0, "a", "", False, [1, {"x": None}], {"nested": {"deep": 1}}, 1.5, 10**30], ids=repr)
def test_an_id_comes_back_with_every_answer(id: object) -> None:
    assert ask({"setup": {}, "id": id})["id"] == id
    assert ask({"position": "nowhere", "id": id})["id"] == id
    assert ask({"position": START, "orders": {"purple": []}, "id": id})["id"] == id


@pytest.mark.parametrize("id", [1, "a", {"nested": {"deep": 1}}], ids=repr)
@pytest.mark.parametrize(
    "wrong",
    [{"more": 1}, {"orders": []}, {"seed": 1.5}, {"fields": ["all"]}, {"setup": {}}, {"position": None}],
    ids=repr,
)
def test_an_id_comes_back_also_when_the_rest_cannot_be_read(id: object, wrong: dict[str, Any]) -> None:
    given = ask({"position": START, "id": id, **wrong})
    assert given["error"]["word"] == "request/bad"
    assert given["id"] == id


def test_no_id_is_none() -> None:
    assert "id" not in ask({"setup": {}})
    assert "id" not in ask({"setup": {}, "id": None})


# ---- a lean answer


@pytest.mark.parametrize("fields", [["text"], ["digest", "events"], [], ["to_act", "to_act"], sorted(FIELDS)], ids=repr)
def test_an_answer_has_the_fields_that_are_asked_for(fields: list[str]) -> None:
    request = {"position": START, "orders": {"red": ["A1-A2 3", "nonsense"]}, "seed": 7}
    whole = ask(request)
    given = ask({**request, "fields": fields, "id": 5})
    assert given == {"id": 5, **{name: whole[name] for name in fields}}
    assert ask({"setup": {}, "seed": 7, "fields": fields}).keys() == set(fields)


@pytest.mark.needs("minions")
def test_a_lean_answer_is_small() -> None:
    """Of Minions a whole answer has 14 to 43 kB."""
    minions = registry.load("minions")
    whole, lean = (
        answer(minions, msgspec.json.encode({"setup": {}, "seed": 1, **more})) for more in ({}, {"fields": ["to_act"]})
    )
    assert len(whole) > 14_000
    assert len(lean) < 100


# ---- void lines


def test_every_void_line_is_answered_to_the_last() -> None:
    lines = ["A1-A2 1", *["nonsense"] * 1999]
    for sheet in (lines, "\n".join(lines)):
        given = ask({"position": START, "orders": {"red": sheet}, "seed": 7, "fields": ["rejected"]})
        assert [void["line"] for void in given["rejected"]] == [*range(2, 2001)]
        assert given["rejected"][-1]["why"].startswith("A sheet can have at most ")


def test_a_sheet_of_more_lines_than_are_answered_is_refused() -> None:
    longest = ask({"position": START, "orders": {"red": [""] * MAX_LINES}, "fields": ["rejected"]})
    assert longest["rejected"][-1]["line"] == MAX_LINES
    error = refusal({"position": START, "orders": {"red": [""] * (MAX_LINES + 1)}}, "request/bad")
    assert error["why"] == "The sheet of red has more than 10000 lines."


# ---- what would be right


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (
            {"order": {}},
            "There is no field 'order' in a request. Did you mean orders? The fields are setup, position, orders, ",
        ),
        ({"orders": 7}, "orders cannot be 7. It must be an object (each value a list, a text or null) or null."),
        ({"seed": 1.5}, "seed cannot be 1.5. It must be a whole number, a text or null."),
        ({"calls": "last"}, "calls cannot be 'last'. It must be a list (each item a text)."),
        (
            {"fields": ["txt"]},
            'fields cannot be ["txt"]. It must be a list (of digest, events, outcome, position, rejected, text, '
            "to_act, told, views) or null.",
        ),
    ],
    ids=repr,
)
def test_a_request_that_cannot_be_read_is_told_what_would_be_right(request_: dict[str, Any], why: str) -> None:
    assert refusal({"position": START, **request_}, "request/bad")["why"].startswith(why)


# ---- what can be wrong

BAD: dict[str, tuple[object, str]] = {
    "nothing": (b"", "request/bad"),
    "blanks": (b"   ", "request/bad"),
    "no json": (b"red A1-A2 3", "request/bad"),
    "half of it": (b'{"setup": {', "request/bad"),
    "too much of it": (b'{"setup": {}} {"setup": {}}', "request/bad"),
    "no text": (b"\xff\xfe", "request/bad"),
    "half a surrogate": (b'{"position": "\\ud800"}', "request/bad"),
    "not a number": (b'{"setup": {}, "id": NaN}', "request/bad"),
    "a number out of range": (b'{"setup": {}, "seed": ' + b"9" * 5000 + b"}", "request/bad"),
    "a list": ([], "request/bad"),
    "a text": ("setup", "request/bad"),
    "null": (None, "request/bad"),
    "an empty object": ({}, "request/bad"),
    "an unknown field": ({"setup": {}, "move": 1}, "request/bad"),
    "setup and position": ({"setup": {}, "position": START}, "request/bad"),
    "setup and orders": ({"setup": {}, "orders": {"red": []}}, "request/bad"),
    "setup and dice": ({"setup": {}, "dice": {"M": {"red": 3}}}, "request/bad"),
    "setup and calls": ({"setup": {}, "calls": ["last"]}, "request/bad"),
    "setup and forfeits": ({"setup": {}, "forfeits": ["red"]}, "request/bad"),
    "setup that is no object": ({"setup": []}, "request/bad"),
    "setup that is null": ({"setup": None}, "request/bad"),
    "a seed that is a list": ({"setup": {}, "seed": [1]}, "request/bad"),
    "a seed that is a fraction": ({"setup": {}, "seed": 1.5}, "request/bad"),
    "orders that are a list": ({"position": START, "orders": []}, "request/bad"),
    "a sheet that is a number": ({"position": START, "orders": {"red": 5}}, "request/bad"),
    "a sheet that is an object": ({"position": START, "orders": {"red": {}}}, "request/bad"),
    "calls that are a text": ({"position": START, "calls": "last"}, "request/bad"),
    "forfeits that are numbers": ({"position": START, "forfeits": [1]}, "request/bad"),
    "an unknown option": ({"setup": {"colour": "red"}}, "options/bad"),
    "an option that does not fit": ({"setup": {"turns": 51}}, "options/bad"),
    "an option of a wrong type": ({"setup": {"turns": True}}, "options/bad"),
    "a position that is none": ({"position": "nowhere"}, "position/bad"),
    "a position that is empty": ({"position": ""}, "position/bad"),
    "a position that is half an object": ({"position": {"view": {}}}, "position/bad"),
    "a position with a wrong view": ({"position": {"view": {}, "setting": {}}}, "position/bad"),
    "an unknown seat": ({"position": START, "orders": {"purple": []}}, "order/notation"),
    "no seat": ({"position": START, "orders": {"": []}}, "order/notation"),
    "an unknown seat that drops out": ({"position": START, "forfeits": ["purple"]}, "order/notation"),
    "a seat that has dropped out": (
        {"position": START.replace("red 0: A1 5", "red 0: out"), "orders": {"red": []}},
        "order/illegal",
    ),
    "a call in a game that has none": ({"position": START, "calls": ["last"]}, "order/illegal"),
    "unknown dice": ({"position": START, "dice": {"dragon": {"red": 3}}}, "order/notation"),
    "dice of nobody": ({"position": START, "dice": {"M": {"purple": 3}}}, "order/notation"),
    "a die too large": ({"position": START, "dice": {"M": {"red": 7}}}, "order/notation"),
    "a die that is none": ({"position": START, "dice": {"M": {"red": "six"}}}, "order/notation"),
    "dice that are a list": ({"position": START, "dice": {"M": []}}, "order/notation"),
    "a game that is over": ({"position": START.replace("1/8", "9/8")}, "order/illegal"),
}


@pytest.mark.parametrize(("request_", "word"), BAD.values(), ids=BAD.keys())
def test_a_bad_line_is_answered_with_its_error(request_: object, word: str) -> None:
    error = refusal(request_, word)
    assert len(error["why"]) < 500
    assert ask({"setup": {}})["to_act"], "and the next one is served"


def test_a_bad_order_is_no_bad_line() -> None:
    given = ask({"position": START, "orders": {"red": [None, 5, [], {}, "?", {"order": "row"}]}})
    assert [rejected["line"] for rejected in given["rejected"]] == [1, 2, 3, 4, 5, 6]


def test_a_line_that_is_too_long_is_refused_and_the_longest_is_not() -> None:
    start, end = b'{"setup": {}, "id": "', b'"}'
    longest = start + b"x" * (MAX_BYTES - len(start) - len(end)) + end
    assert len(longest) == MAX_BYTES
    assert ask(longest)["to_act"]
    error = refusal(longest + b" ", "request/bad")
    assert error["why"] == f"A request can have at most {MAX_BYTES} bytes."


NESTED: dict[str, tuple[bytes, bytes]] = {
    "an id": (b'{"setup": {}, "id": ', b"}"),
    "an option": (b'{"setup": {"turns": ', b"}}"),
    "a position": (b'{"position": {"setting": ', b', "view": {}}}'),
    "a line": (b"{" + AT + b', "orders": {"red": [', b"]}}"),
    "a field of an order": (b"{" + AT + b', "orders": {"red": [{"order": "row", "from": ', b"}]}}"),
    "a die": (b"{" + AT + b', "dice": {"M": {"red": [', b"]}}}"),
}


@pytest.mark.parametrize(("before", "after"), NESTED.values(), ids=NESTED.keys())
def test_a_value_nested_to_any_depth_is_answered(before: bytes, after: bytes) -> None:
    """From shallow to deeper than Python can follow: somewhere between, reading works and writing does not."""
    for depth in (1, 10, 100, 500, *range(800, 1010, 2), 5000, 100_000):
        ask(before + b"[" * depth + b"]" * depth + after)


# ---- as a program


def test_the_program_answers_every_line_and_survives_all_of_them() -> None:
    requests = [msgspec.json.encode(r) if not isinstance(r, bytes) else r for r, _ in BAD.values()]
    wanted = [word for _, word in BAD.values()]
    requests.insert(0, b'{"setup": {}, "id": "first"}')
    requests.append(b'{"setup": {}, "id": "' + b"x" * (3 * MAX_BYTES) + b'"}')
    requests.append(b"{" + AT + b', "orders": {"red": ["A1-A2 3"]}, "seed": 7, "id": "last"}')
    result = subprocess.run(
        [sys.executable, "-m", "polemos", "adjudicate", "skerries"],
        input=b"\n".join(requests),
        capture_output=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    answers = [msgspec.json.decode(line) for line in result.stdout.splitlines()]
    assert answers[0]["id"] == "first"
    assert answers[0]["to_act"] == ["red", "blue"]
    words = [given["error"]["word"] for given in answers[1:-1]]
    assert words == [*wanted, "request/bad"]
    assert answers[-2]["error"]["why"] == f"A request can have at most {MAX_BYTES} bytes."
    assert answers[-1] == {
        **ask({"position": START, "orders": {"red": ["A1-A2 3"]}, "seed": 7}),
        "id": "last",
    }
