"""Attacks from outside, each on SQLite with one process, and on PostgreSQL with one and with two.

With two, whoever attacks and whoever is attacked come in through different processes wherever that can be. Each test
has visitors of its own, by addresses that a trusted proxy names; so all of them share three servers with the usual
limits.
"""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from itertools import count
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from polemos.server import connections
from polemos.server.limits import RATES
from polemos.server.tables import hall as halls
from polemos.server.tables import keeper as keepers
from polemos.server.work import Visitor
from skerries.state import MAX_TURNS
from unit.server import test_bots, test_crew
from unit.server.conftest import Sit
from unit.server.postgres import Postgres
from unit.server.serving import Person, Refused, Server, Web, dial, wait_for
from unit.server.test_several import folder_at
from unit.server.test_unwritten import Stopped

TURN = {"kind": "turn", "seconds": 600.0}
ONE = {"people": ["red"], "bots": {"blue": "random"}}
ALONE = {"red": "random", "blue": "random"}

_number = count(1)


class Site:
    """One or two processes. `a` is the one that tables are opened at, `b` the other one, or the same."""

    def __init__(self, a: Server, b: Server, database: str | None) -> None:
        self.a, self.b, self.database = a, b, database


class Visitors:
    """Someone with an address of their own."""

    def __init__(self, site: Site, stack: ExitStack, where: str = "") -> None:
        self.where = where or f"203.0.113.{next(_number)}"
        self.headers = {"X-Forwarded-For": self.where}
        self._site, self._stack = site, stack

    def web(self, server: Server, **how: Any) -> Web:
        return self._stack.enter_context(Web(server.address, headers=self.headers, **how))

    def sit(self, server: Server, seated: dict[str, Any] | str, **headers: str) -> Person:
        table, token = (seated, None) if isinstance(seated, str) else (seated["table"], seated["token"])
        return self._stack.enter_context(Person(server.address, table, token, {**self.headers, **headers}))


Visit = Callable[..., Visitors]
Paid = Counter[str]  # seconds by address


@pytest.fixture(scope="session", params=["sqlite", "postgresql", "two processes"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    limited: dict[str, Any] = {"limits": 1.0, "behind": "127.0.0.1"}
    if request.param == "sqlite":
        with Server(folder, **limited) as a:
            yield Site(a, a, None)
        return
    cluster: Postgres = request.getfixturevalue("cluster")
    database = cluster.new()
    with Server(folder_at(folder / "a"), database, **limited) as a:
        if request.param == "postgresql":
            yield Site(a, a, database)
            return
        with Server(folder_at(folder / "b"), database, **limited) as b:
            wait_for(lambda: all(one.app.state.company.member.others for one in (a, b)))
            yield Site(a, b, database)


@pytest.fixture
def visit(site: Site) -> Iterator[Visit]:
    with ExitStack() as stack:
        yield lambda where="": Visitors(site, stack, where)


@pytest.fixture
def paid(site: Site, monkeypatch: pytest.MonkeyPatch) -> Paid:
    """The CPU seconds that visitors have paid for, by address."""
    found: Counter[str] = Counter()
    for work in {server.app.state.work for server in (site.a, site.b)}:

        def charge(visitor: Visitor, seconds: float, really: Any = work.charge) -> None:
            found[visitor.address] += seconds  # type: ignore[assignment]
            really(visitor, seconds)

        monkeypatch.setattr(work, "charge", charge)
    return found


def end_of(person: Person) -> int:
    with pytest.raises(ConnectionClosed) as closed:
        person.until(lambda: False)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


# ---- honest under faults


def test_an_unwritten_step_is_seen_by_nobody(site: Site, visit: Visit) -> None:
    """Nor are its dice thrown for anybody who then orders otherwise."""
    ann, bob = visit(), visit()
    web, there = ann.web(site.a), bob.web(site.b)
    at_red = web.open("skerries", people=["red"], clock=TURN)
    red, blue = ann.sit(site.a, at_red), bob.sit(site.b, there.take(at_red["table"], "blue"))
    red.until(lambda: red.status == "playing")
    red.file(["red first"])
    at, stopped = f"/api/tables/{red.table}", Stopped(site.a, site.database)
    stopped.stop()
    try:
        blue.send({"type": "file", "id": 99, "lines": ["blue, in vain"], "step": 0})
        wait_for(stopped.is_waiting)
        for asks in (web, there):
            assert len(asks.get(f"{at}/frames").json()) == 1
            assert len(asks.get(f"{at}/record").json()["frames"]) == 1
            assert asks.get(at).json()["status"] == "playing"
        assert [visit().sit(server, red.table).state["frames"] for server in (site.a, site.b)] == [1, 1]
        stopped.fail()
        with pytest.raises(Refused) as refused:
            blue.answer(99)
    finally:
        stopped.go_on()
    assert refused.value.said["word"] == "server/unwritten"
    red.until(lambda: any(said.get("word") == "server/unwritten" for said in red.heard))
    assert red.step == blue.step == 0
    blue.file(["blue, saved"])
    for person in (red, blue):
        person.wait_for_step(1)
        assert [frame["orders"]["blue"] for frame in there.get(f"{at}/frames", blue.token).json()[1:]] == [
            ["blue, saved"]
        ]


# ---- fair under load


@pytest.mark.usefixtures("unfilled")
def test_a_budget_counts_for_a_whole_network_at_all_tables(site: Site, visit: Visit) -> None:
    """Through whatever process, and whatever the header says before the last hop that is trusted."""
    flood, other = visit("2001:db8:7:7::1"), visit()
    web = flood.web(site.a)
    seated = [web.open("skerries", **ONE) for _ in range(2)]
    forged = visit("198.51.100.1, 2001:db8:7:7::2")
    people = [flood.sit(site.a, seated[0]), forged.sit(site.b, seated[1])]
    for person in people:
        person.ask("draft", lines=["x"])
    site.a.app.state.work.charge(Visitor("2001:db8:7:7::/64"), RATES["work"][0] + 3)
    for person in people:
        with pytest.raises(Refused) as refused:
            person.ask("draft", lines=["x"])
        assert (refused.value.said["word"], refused.value.said["key"]) == ("limit/rate", "work")
    at = f"/api/tables/{seated[0]['table']}/record"
    assert forged.web(site.b).get(at).status_code == 429
    assert other.web(site.b).get(at).status_code == 200
    assert people[0].file()["type"] == "ack", "orders still count, on credit"


@pytest.mark.usefixtures("unfilled")
def test_a_program_pays_for_its_orders_one_by_one(site: Site, visit: Visit, paid: Paid) -> None:
    flood = visit()
    web = flood.web(site.a)
    table = web.open("skerries", bots={"blue": "random"}, seats={"red": {"kind": "program"}}, clock=TURN)["table"]
    seated = web.take(table, "red")
    line = f"ws{site.b.address[4:]}/api/bots/{table}/{seated['token']}"
    with dial(line, additional_headers=flood.headers) as bot:
        assert json.loads(bot.recv(timeout=60))["type"] == "hello"
        bot.send(json.dumps({"type": "ready", "name": "theirs"}))
        assert json.loads(bot.recv(timeout=60))["type"] == "view"
        wait_for(lambda: paid[flood.where] > 0)  # counted when it is done, maybe after it was sent
        before = paid[flood.where]
        for _ in range(5):
            bot.send(json.dumps({"type": "order", "order": "nonsense"}))
            assert json.loads(bot.recv(timeout=60))["type"] == "update"
        wait_for(lambda: paid[flood.where] > before)
        site.a.app.state.work.charge(Visitor(flood.where), 3 * RATES["work"][0])
        bot.send(json.dumps({"type": "order", "order": "nonsense"}))
        with pytest.raises(TimeoutError):
            bot.recv(timeout=0.5)
    with pytest.raises(ConnectionClosed), dial(line, additional_headers=flood.headers) as bot:
        bot.recv(timeout=60)


@pytest.mark.usefixtures("unfilled")
def test_reading_a_table_is_paid_for(site: Site, visit: Visit, paid: Paid) -> None:
    """It may mean to adjudicate a whole match again."""
    web, flood = visit().web(site.a), visit()
    table = web.open("skerries", bots=ALONE, options={"turns": 3})["table"]
    wait_for(lambda: site.a.hall.keepers[table].table.status == "over")
    wait_for(lambda: site.a.hall.keepers[table].is_idle)
    site.a.forget(table)
    assert flood.web(site.b).get(f"/api/tables/{table}").json()["status"] == "over"
    owner = next(server for server in (site.a, site.b) if table in server.hall.keepers)
    wait_for(lambda: paid[flood.where] > 0)
    wait_for(lambda: owner.hall.keepers[table].is_idle)
    owner.forget(table)
    for server in (site.a, site.b):
        server.app.state.work.charge(Visitor(flood.where), 3 * RATES["work"][0])
    assert flood.web(site.b).get(f"/api/tables/{table}").json()["word"] == "limit/rate"
    assert visit().web(site.b).get(f"/api/tables/{table}").status_code == 200


def test_a_record_that_is_not_read_stops_nobody(site: Site, visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """And its connection does not live for ever."""
    monkeypatch.setattr(connections, "UNREAD", 0.5)
    ann = visit()
    seated = ann.web(site.a).open("skerries", **ONE, options={"turns": 50})
    red = ann.sit(site.a, seated)
    for step in range(12):
        red.file([f"{'long' * 400} {n}" for n in range(30)])
        red.wait_for_step(step + 1)
    ask = f"GET /api/tables/{red.table}/record HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {red.token}\r\n\r\n"
    with ExitStack() as stack:
        lines = []
        for _ in range(3):
            line = stack.enter_context(socket.socket())
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.settimeout(60)
            line.connect(("127.0.0.1", site.b.port))
            line.sendall(ask.encode() * 3)  # many, so that they fill all buffers on the way
            lines.append(line)
        red.file(["another"])
        red.wait_for_step(13)
        wait_for(lambda: not any(map(is_open, lines)))
    monkeypatch.undo()
    assert visit().web(site.b).get(f"/api/tables/{red.table}/record").status_code == 200


def is_open(line: socket.socket) -> bool:
    """Whether the other end has not cut it, without reading what has come."""
    try:
        line.send(b"x")
    except OSError:
        return False
    return True


def test_passwords_hold_up_nobody_else(site: Site, visit: Visit) -> None:
    ada = visit().web(site.a, browser=True)
    ada.sign_in("Hypatia")
    accounts = site.b.app.state.accounts
    hasher, goes_on = accounts._hasher, threading.Event()

    class Slow:
        def verify(self, *given: str) -> bool:
            goes_on.wait(60)
            return bool(hasher.verify(*given))

    def sign_in(web: Web) -> int:
        return web.post("/api/session", {"name": "Hypatia", "password": "correct horse"}).status_code

    accounts._hasher = Slow()
    crowd = [visit().web(site.b) for _ in range(6)]
    with ThreadPoolExecutor(len(crowd)) as threads:
        try:
            waiting = [threads.submit(sign_in, web) for web in crowd]
            wait_for(lambda: accounts._waiting == len(crowd))
            other = visit().web(site.b)
            other.client.cookies.set("polemos", ada.client.cookies["polemos"])
            for server in (site.a, site.b):
                server.app.state.accounts.forget(None)
            assert [web.get("/api/me").json()["name"] for web in (ada, other)] == ["Hypatia"] * 2
        finally:
            goes_on.set()
            accounts._hasher = hasher
        assert [one.result() for one in waiting] == [200] * len(crowd)


@pytest.mark.needs("demons")
def test_spectators_cost_few_messages_each(site: Site, visit: Visit) -> None:
    ann = visit()
    red = ann.sit(site.a, ann.web(site.a).open("demons", **ONE))
    keeper = site.a.hall.keepers[red.table]
    wait_for(lambda: keeper.table.has_acted("blue"))
    red.listen(0.3)
    began, before = time.monotonic(), len(red.heard)
    crowd = visit()
    many = [crowd.sit(site.b, red.table) for _ in range(30)]
    red.until(lambda: red.state["card"]["watching"] == len(many))
    batches = 2 + (time.monotonic() - began) / 0.1
    assert len(red.heard) - before <= batches
    for spectator in many[::10]:
        spectator.until(partial(_sees, spectator, len(many)))


def _sees(spectator: Person, watching: int) -> bool:
    return bool(spectator.state["card"]["watching"] == watching)


def test_half_sent_requests_end(site: Site, visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD", 0.3)
    with socket.create_connection(("127.0.0.1", site.b.port), timeout=60) as line:
        line.sendall(b"GET /api/tables HTTP/1.1\r\nHost: x\r\nX-More: ")
        answer = http.client.HTTPResponse(line)
        answer.begin()
        assert answer.status == 408
    monkeypatch.undo()
    assert visit().web(site.b).get("/api/tables").status_code == 200


def test_quotas_and_expiry(site: Site, visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """A quota counts in each process."""
    web, other = visit().web(site.a), visit().web(site.a)
    endless = {"bots": ALONE, "pace": 1.0, "options": {"turns": MAX_TURNS}}  # until nobody watches
    made = [web.open("skerries", **endless)["table"] for _ in range(halls.MAX_OWN_ALONE)]
    seats = {seat: {"kind": "bot", "bot": bot} for seat, bot in ALONE.items()}
    refused = web.post("/api/tables", {"game": "skerries", "seats": seats})
    assert (refused.status_code, refused.json()["word"]) == (409, "table/refused")
    other.open("skerries", **endless)
    for module, name in ((keepers, "UNWATCHED"), (halls, "IDLE"), (halls, "EXPIRY")):
        monkeypatch.setattr(module, name, -1.0)
    wait_for(lambda: all(id not in site.a.hall.keepers and id not in site.a.hall.asleep for id in made))
    asks = visit().web(site.b)
    wait_for(lambda: all(asks.get(f"/api/tables/{id}").status_code == 404 for id in made))


# ---- who is who


def test_names_of_others_are_not_to_be_had(site: Site, visit: Visit) -> None:
    visit().web(site.a, browser=True).sign_in("lvan Lermontow")  # with a small L
    guest = visit().web(site.b)
    for name in ("Ivan Lermontow", "1van  LERMONTOW", "Umpire", "P\u043elemos", "adm\u0131n", "Ad\u0430 Lovelace"):
        answer = guest.post("/api/tables", {"game": "skerries", "name": name, "seats": {"red": {"kind": "person"}}})
        assert (answer.status_code, answer.json()["word"]) == (403, "request/forbidden"), name
    refused = guest.post("/api/accounts", {"name": "Ivan Lermontow", "password": "correct horse"})
    assert refused.status_code == 403
    assert guest.post("/api/accounts", {"name": "Lev", "password": "password123"}).status_code == 403


@pytest.mark.usefixtures("unfilled")
def test_guessing_slows_whoever_guesses(site: Site, visit: Visit) -> None:
    visit().web(site.a, browser=True).sign_in("Grace")
    guesser = visit().web(site.b)
    wrong, right = ({"name": "Grace", "password": password} for password in ("guess", "correct horse"))
    answers = [guesser.post("/api/session", wrong).status_code for _ in range(7)]
    assert answers == [403] * 6 + [429]
    for server in (site.a, site.b):
        assert visit().web(server).post("/api/session", right).status_code == 200


def test_signing_out_ends_sockets(site: Site, visit: Visit) -> None:
    ada = visit()
    web = ada.web(site.a, browser=True)
    web.sign_in("Emmy")
    cookie = {"Cookie": f"polemos={web.client.cookies['polemos']}"}
    seated = web.open("skerries", **ONE)
    mine = [ada.sit(server, seated["table"], **cookie) for server in (site.a, site.b)]
    stays = ada.sit(site.b, seated)
    assert [person.state["you"] for person in mine] == ["red"] * 2
    web.ask("DELETE", "/api/session")
    assert [end_of(person) for person in mine] == [4401] * 2
    assert stays.file()["type"] == "ack"


@pytest.mark.needs("minions")
def test_a_crew_cannot_resign(site: Site, visit: Visit) -> None:
    test_crew.test_only_the_first_one_can_give_up_the_seat(visit().web(site.b), seats_of(site, visit()))


def seats_of(site: Site, someone: Visitors) -> Sit:
    """People who come in at one process after the other."""
    turn = count()

    def make(seated: dict[str, str] | str, token: str | None = None) -> Person:
        server = (site.a, site.b)[next(turn) % 2]
        return someone.sit(server, {"table": seated, "token": token} if isinstance(seated, str) else seated)

    return make


@pytest.mark.needs("monarchs")
def test_in_party_mode_nobody_is_told_void_lines(site: Site, visit: Visit) -> None:
    for mode, told in (("party", []), ("online", [1])):
        with ExitStack() as stack:
            test_bots.test_in_party_mode_no_court_is_told_its_void_lines(
                site.b, visit().web(site.a), stack, mode, list(told)
            )
