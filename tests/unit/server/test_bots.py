"""Bots that come by themselves: the bot protocol over a socket, lost connections, late and senseless answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from polemos import registry
from polemos.kernel import dice
from polemos.kernel.capabilities.order_by_order import OrderByOrder
from polemos.server.tables.acts import Filed, Ran, Sat
from polemos.server.tables.players import void_lines
from polemos.server.tables.table import Table
from polemos.wire.bot import CONVERSATION, Ready
from polemos.wire.state_record import state_record
from polemos.wire.table import OpenTable
from unit.server.serving import PATIENT, Person, Server, Web, wait_for

TURN = {"kind": "turn", "seconds": 600.0}
SHORT = {"kind": "turn", "seconds": 3.0}  # to be waited for, and long enough to answer on a busy machine


class Program:
    """A bot of somebody else's, by its socket."""

    def __init__(
        self,
        server: Server,
        seated: dict[str, str],
        *,
        options: bool = False,
        header: bool = False,
        record: bool = False,
        name: str = "theirs",
    ) -> None:
        self._open = ExitStack()
        at = f"ws{server.address[4:]}/api/bots/{seated['table']}"
        url, headers = (
            (at, {"Authorization": f"Bearer {seated['token']}"}) if header else (f"{at}/{seated['token']}", {})
        )
        self.socket: ClientConnection = self._open.enter_context(
            connect(url, max_size=1 << 25, additional_headers=headers, open_timeout=PATIENT)
        )
        self.hello = self.hear()
        self.say({"type": "ready", "name": name, "options": options, "record": record})

    def hear(self, seconds: float = PATIENT) -> dict[str, Any]:
        raw = self.socket.recv(timeout=seconds, decode=False)
        said: dict[str, Any] = json.loads(raw)
        msgspec.json.decode(raw, type=CONVERSATION[said["type"]])
        return said

    def say(self, message: object) -> None:
        self.socket.send(message if isinstance(message, str) else json.dumps(message))

    def orders(self, *lines: Any) -> None:
        self.say({"type": "orders", "orders": list(lines)})

    def close(self) -> None:
        self._open.close()


@pytest.fixture(scope="session")
def server(small_server: Server) -> Server:
    """On one database: what is written is the same as for people."""
    return small_server


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def seats(web: Web, game: str, program: str, bots: dict[str, str], **wish: Any) -> dict[str, str]:
    """A table with one seat for a program, and what it was given for it."""
    seated = web.open(game, bots=bots, seats={program: {"kind": "program"}}, **{"clock": TURN, **wish})
    return web.take(seated["table"], program, "theirs")


@pytest.mark.parametrize(
    ("given", "said", "name"),
    [
        ("", "Fal\u202econ", "Fal con"),
        ("mine", "Falcon", "mine"),
        ("", "", "red"),
        ("", "random", "random (bot)"),
        ("", "Settler", "Settler (bot)"),
    ],
)
def test_a_program_without_a_name_goes_by_what_it_announces(
    server: Server, web: Web, stack: ExitStack, given: str, said: str, name: str
) -> None:
    seated = web.open("skerries", bots={"blue": "random"}, seats={"red": {"kind": "program"}}, clock=TURN)
    seated = web.take(seated["table"], "red", given)
    program = Program(server, seated, name=said)
    stack.callback(program.close)
    program.hear()
    card = web.get(f"/api/tables/{seated['table']}").json()
    players = {seat["seat"]: seat["player"] for seat in card["seats"]}
    assert players == {"red": name, "blue": "random"}


@pytest.mark.parametrize("game", registry.names())
@pytest.mark.parametrize("options", [True, False], ids=["with options", "without"])
def test_a_match_to_its_end(server: Server, web: Web, stack: ExitStack, game: str, options: bool) -> None:
    first, *others = registry.load(game).facts.seats[: max(2, registry.load(game).facts.min_seats)]
    seated = seats(web, game, first, dict.fromkeys(others, "random"), options={"turns": 5})
    program = Program(server, seated, options=options)
    stack.callback(program.close)
    hello = program.hello
    assert (hello["type"], hello["protocol"], hello["game"], hello["seat"]) == ("hello", 1, game, first)
    assert hello["resumed"] is None
    assert hello["budget"]["turn"] == 600
    views = 0
    while (said := program.hear())["type"] == "view":
        views += 1
        assert said["step"] == views, "counting the views of this bot"
        assert 0 < said["time_left"] <= 600
        assert said["view"]["who"] == first
        assert (said["options"] is not None) == options
        choice = [option["order"] for option in said["options"] or () if "least" not in option][:1]
        program.orders(*choice, "nonsense")
    assert said["type"] == "result"
    assert said["outcome"]["reason"]
    assert said["verdict"] is None
    with pytest.raises(ConnectionClosed):
        program.hear()


def test_the_token_may_be_a_header(server: Server, web: Web, stack: ExitStack) -> None:
    seated = seats(web, "skerries", "red", {"blue": "random"})
    program = Program(server, seated, header=True)
    stack.callback(program.close)
    assert program.hear()["type"] == "view"


def test_void_lines_are_told_with_the_next_view(server: Server, web: Web, stack: ExitStack) -> None:
    program = Program(server, seats(web, "skerries", "red", {"blue": "random"}))
    stack.callback(program.close)
    assert program.hear()["faults"] == []
    program.orders("nonsense", {"order": "nothing"}, 7)
    assert [fault["line"] for fault in program.hear()["faults"]] == [1, 2, 3]


@pytest.mark.needs("monarchs")
@pytest.mark.parametrize(("mode", "told"), [("party", []), ("online", [1])])
def test_in_party_mode_no_court_is_told_its_void_lines(
    server: Server, web: Web, stack: ExitStack, mode: str, told: list[int]
) -> None:
    """An echo would unmask every courtier who tampers with orders: nothing goes back but the map and the scores."""
    bots = {"green": "random", "blue": "random"}
    program = Program(server, seats(web, "monarchs", "red", bots, options={"mode": mode}))
    stack.callback(program.close)
    assert program.hear()["faults"] == []
    program.orders("nonsense")
    assert [fault["line"] for fault in program.hear()["faults"]] == told


@pytest.mark.needs("monarchs")
@pytest.mark.parametrize(("mode", "told"), [("party", 0), ("online", 1)])
def test_nor_is_a_program_in_the_box(mode: str, told: int) -> None:
    game = registry.load("monarchs")
    table = Table("0" * 12, game, OpenTable(game="monarchs", options={"mode": mode}), dice.derive("void", 0), 0.0)
    for seat in table.seats:
        table.carry_out(Sat(seat, "bot", "random"), 0.0)
    for seat in table.seats:
        table.carry_out(Filed(seat, ["nonsense"]), 0.0)
    table.carry_out(Ran(), 0.0)
    assert len(table.match.steps[0].faults["red"]) == 1
    assert len(void_lines(table, "red")) == told


@pytest.mark.parametrize(
    "game",
    [
        "skerries",
        pytest.param("minions", marks=pytest.mark.needs("minions")),
        pytest.param("monarchs", marks=pytest.mark.needs("monarchs")),
    ],
)
def test_one_order_after_the_other(server: Server, web: Web, stack: ExitStack, game: str) -> None:
    facts = registry.load(game).facts
    first, *others = facts.seats[: max(2, facts.min_seats)]
    seated = seats(web, game, first, dict.fromkeys(others, "random"))
    program = Program(server, seated, options=True)
    stack.callback(program.close)
    view = program.hear()
    given = []
    options = view["options"]
    for _ in range(3):
        if not options:
            break
        option = options[0]
        order = {**option["order"], **({"number": option["least"]} if "least" in option else {})}
        program.say({"type": "order", "order": order})
        update = program.hear()
        assert (update["type"], update["fault"]) == ("update", None)
        assert (update["view"] is not None) == isinstance(registry.load(game), OrderByOrder), (
            "the position now, where an order acts at once"
        )
        given.append(order)
        options = update["options"]
    program.say({"type": "order", "order": "nonsense"})
    assert program.hear()["fault"]["why"]
    program.say({"type": "end"})
    program.hear()
    match = server.hall.keepers[seated["table"]].table.match
    assert len(match.steps[0].orders[first] or ()) == len(given)
    assert first not in match.steps[0].faults


def test_one_by_one_is_judged_as_for_programs_in_the_box(server: Server, web: Web, stack: ExitStack) -> None:
    """The same updates, from the view alone."""
    from polemos.hosts.piecemeal import Piecemeal

    program = Program(server, seats(web, "skerries", "red", {"blue": "random"}), options=True)
    stack.callback(program.close)
    seen = program.hear()
    game = registry.load("skerries")
    setting = msgspec.convert(program.hello["setting"], game.setting_type)
    mine = Piecemeal(game, setting, msgspec.convert(seen["view"], game.view_type), "red", Ready(options=True), 0)
    for line in (seen["options"][0]["order"], "nonsense", seen["options"][-1]["order"]):
        program.say({"type": "order", "order": line})
        assert program.hear() == json.loads(msgspec.json.encode(mine.take(line)))


def test_a_bot_that_asks_gets_the_position_as_a_record(server: Server, web: Web, stack: ExitStack) -> None:
    program = Program(server, seats(web, "skerries", "red", {"blue": "random"}), record=True)
    stack.callback(program.close)
    game, seen = registry.load("skerries"), program.hear()
    setting = msgspec.convert(program.hello["setting"], game.setting_type)
    view = msgspec.convert(seen["view"], game.view_type)
    assert seen["record"] == msgspec.to_builtins(state_record(game, setting, view, program.hello["seed"]))


def test_the_rest_may_come_at_once(server: Server, web: Web, stack: ExitStack) -> None:
    seated = seats(web, "skerries", "red", {"blue": "random"})
    program = Program(server, seated, options=True)
    stack.callback(program.close)
    option = program.hear()["options"][0]["order"]
    program.say({"type": "order", "order": option})
    program.hear()
    program.orders("nonsense")
    program.hear()
    step = server.hall.keepers[seated["table"]].table.match.steps[0]
    assert len(step.orders["red"] or ()) == 2
    assert len(step.faults["red"]) == 1


def test_a_bot_that_comes_back_is_told_what_it_saw(server: Server, web: Web, stack: ExitStack) -> None:
    seated = seats(web, "skerries", "red", {"green": "random", "blue": "random"}, options={"seats": 3})
    program = Program(server, seated)
    views = []
    for _ in range(3):
        views.append(program.hear()["view"])
        program.orders()
    program.hear()
    program.close()
    again = Program(server, seated)
    stack.callback(again.close)
    assert again.hello["resumed"] == views
    assert again.hello["seed"] == program.hello["seed"]
    shown = again.hear()
    assert shown["step"] == 4, "the view that it has not answered comes again"
    again.orders()
    assert again.hear()["step"] == 5


@pytest.mark.needs("minions")
def test_a_bot_that_comes_back_in_a_game_of_turns_is_told_its_own_views(
    server: Server, web: Web, stack: ExitStack
) -> None:
    seated = seats(web, "minions", "yellow", {"blue": "random"})
    program = Program(server, seated)
    first = program.hear()["view"]
    program.orders()
    program.hear()
    program.close()
    again = Program(server, seated)
    stack.callback(again.close)
    assert again.hello["resumed"] == [first], "not those in which the other was to order"


def test_a_late_answer_is_not_taken_for_the_next(server: Server, web: Web, stack: ExitStack) -> None:
    seated = seats(web, "skerries", "red", {"blue": "random"}, clock=SHORT)
    program = Program(server, seated, options=True)
    stack.callback(program.close)
    first = program.hear()
    second = program.hear()
    assert (first["step"], second["step"]) == (1, 2), "the time for the first was up"
    program.orders("late")
    program.orders("in time")
    program.hear()
    steps = server.hall.keepers[seated["table"]].table.match.steps
    assert steps[0].orders["red"] is None
    assert steps[1].orders["red"] == ("in time",)


def test_one_who_is_late_with_a_part_is_told_so(server: Server, web: Web, stack: ExitStack) -> None:
    program = Program(server, seats(web, "skerries", "red", {"blue": "random"}, clock=SHORT))
    stack.callback(program.close)
    program.hear()
    assert program.hear()["step"] == 2
    program.say({"type": "order", "order": "A1-A2 1"})
    assert program.hear()["fault"]["word"] == "order/late"
    program.say({"type": "end"})
    program.orders()
    assert program.hear()["step"] == 3


def test_senseless_answers_are_strikes_and_the_third_drops_out(server: Server, web: Web, stack: ExitStack) -> None:
    seated = seats(web, "skerries", "red", {"blue": "random"})
    program = Program(server, seated)
    stack.callback(program.close)
    for nonsense in ("{", '{"type": "orders"}', "[" * 100_000):
        assert program.hear()["type"] == "view"
        program.say(nonsense)
    last = program.hear()
    assert last["type"] == "result"
    assert last["verdict"].startswith("3 strikes: unreadable")
    keeper = server.hall.keepers[seated["table"]]  # its table is another one after each act
    wait_for(lambda: keeper.table.status == "over")
    assert list(keeper.table.match.steps[0].strikes) == ["red"]


def test_a_program_that_never_speaks_holds_nobody_up(server: Server, web: Web, stack: ExitStack) -> None:
    seated = web.open(
        "skerries",
        people=["green"],
        bots={"blue": "random"},
        seats={"red": {"kind": "program"}},
        clock=SHORT,
        options={"seats": 3, "turns": 2},
    )
    taken = web.take(seated["table"], "red")
    silent = Program(server, taken)
    stack.callback(silent.close)
    with Person(server.address, seated["table"], seated["token"]) as person:
        while person.status != "over":
            step = person.step
            person.file([], step=step)
            person.wait_for_step(step + 1)
    assert silent.hear()["type"] == "view"
    assert silent.hear()["type"] == "view"
    assert silent.hear()["type"] == "result", "also to one who owes answers"


@pytest.mark.needs("minions")
def test_a_turn_that_is_taken_back_is_shown_again(server: Server, web: Web, stack: ExitStack) -> None:
    seated = web.open(
        "minions", people=["yellow"], seats={"blue": {"kind": "program"}}, clock=TURN, take_back=True, options={}
    )
    program = Program(server, web.take(seated["table"], "blue"))
    stack.callback(program.close)
    with Person(server.address, seated["table"], seated["token"]) as person:
        person.until(lambda: person.status == "playing")
        if "file" in person.may:
            person.file([])
        assert program.hear()["step"] == 1
        program.orders()
        person.until(lambda: "file" in person.may)
        before = person.step
        person.act("offer take back")
        person.until(lambda: person.step == before - 1)
        assert program.hear()["step"] == 1, "it is to order once more"
        program.orders()
        person.until(lambda: person.step == before)


@pytest.mark.needs("minions")
def test_speaking_without_being_asked_ends_the_connection(server: Server, web: Web) -> None:
    seated = web.open("minions", people=["yellow"], seats={"blue": {"kind": "program"}}, clock=TURN)
    program = Program(server, web.take(seated["table"], "blue"))
    assert not server.hall.keepers[seated["table"]].table.is_due("blue")
    program.orders()
    with pytest.raises(ConnectionClosed) as closed:
        program.hear()
    assert closed.value.rcvd is not None
    assert "without being asked" in closed.value.rcvd.reason


@pytest.mark.parametrize("answer", ["{", '{"type": "orders", "orders": []}', '{"type": "ready", "protocol": 99}'])
def test_a_bot_that_is_not_ready(server: Server, web: Web, answer: str) -> None:
    seated = seats(web, "skerries", "red", {"blue": "random"})
    with connect(f"ws{server.address[4:]}/api/bots/{seated['table']}/{seated['token']}") as socket:
        socket.recv(timeout=PATIENT)
        socket.send(answer)
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=PATIENT)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4404


def test_a_bot_whose_seat_was_left_does_not_stay_for_the_next(server: Server, web: Web, stack: ExitStack) -> None:
    seated = web.open("skerries", seats={"red": {"kind": "program"}}, clock=TURN)
    seated = web.take(seated["table"], "red", "theirs")
    url = f"ws{server.address[4:]}/api/bots/{seated['table']}/{seated['token']}"
    socket = stack.enter_context(connect(url, open_timeout=PATIENT))
    person = stack.enter_context(Person(server.address, seated["table"], seated["token"]))
    person.until(lambda: person.seat("red")["here"])
    person.act("leave")
    with pytest.raises(ConnectionClosed, match="You have left this seat"):
        socket.recv(timeout=PATIENT)


@pytest.mark.parametrize("token", ["wrong", "%00", "x" * 500])
def test_a_wrong_token_opens_nothing(server: Server, web: Web, token: str) -> None:
    seated = seats(web, "skerries", "red", {"blue": "random"})
    for at in (f"{seated['table']}/{token}", seated["table"], f"000000000000/{seated['token']}"):
        with connect(f"ws{server.address[4:]}/api/bots/{at}") as socket:
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv(timeout=PATIENT)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code in (4400, 4404)
    headers = {"Origin": "http://evil.example"}
    with (
        connect(
            f"ws{server.address[4:]}/api/bots/{seated['table']}/{seated['token']}", additional_headers=headers
        ) as socket,
        pytest.raises(ConnectionClosed),
    ):
        socket.recv(timeout=PATIENT)


def test_in_the_fog_a_bot_is_told_its_own_view_alone(server: Server, web: Web, stack: ExitStack) -> None:
    seated = seats(web, "skerries", "red", {"green": "settler", "blue": "random"}, options={"seats": 3, "turns": 3})
    program = Program(server, seated, options=True)
    stack.callback(program.close)
    keeper = server.hall.keepers[seated["table"]]
    key = keeper.table.key
    heard = [program.hello]
    while (said := program.hear())["type"] == "view":
        heard.append(said)
        assert said["view"] == json.loads(msgspec.json.encode(keeper.table.match.view("red")))
        program.orders()
    assert key not in json.dumps(heard)
    assert '"umpire"' not in json.dumps(heard)


def test_a_server_that_goes_down_says_so(tmp_path: Any) -> None:
    with Server(tmp_path) as server, Web(server.address) as web:
        program = Program(server, seats(web, "skerries", "red", {"blue": "random"}))
        program.hear()
    with pytest.raises(ConnectionClosed):
        program.hear()
